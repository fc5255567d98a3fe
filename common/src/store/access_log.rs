//! The access log: links issued, calls denied.

use time::OffsetDateTime;

use super::{
    Tx,
    access::{Actor, Bound, OwnerAccess, VaultAccess},
    params::Params,
    provenance::millis,
    tx::sql,
};
use crate::{
    error::{ErrorCode, Result},
    ids::{AssetId, ProvenanceId, VaultId},
};

/// Notes that a link to an asset's bytes was issued.
///
/// # Errors
/// `database_unavailable`: then no link may be handed out.
pub async fn link<R>(
    tx: &Tx,
    access: &VaultAccess<R>,
    tool: &'static str,
    asset: &AssetId,
    now: OffsetDateTime,
) -> Result<()> {
    let line = Line {
        vault: Some(access.vault()),
        tool,
        outcome: "link",
        code: None,
        asset: Some(asset),
    };
    insert(tx, access, access.actor(), &line, now).await
}

/// Notes that a call of the caller's was denied.
///
/// # Errors
/// `database_unavailable`.
pub async fn denied(
    tx: &Tx,
    access: &OwnerAccess,
    tool: &'static str,
    code: ErrorCode,
    now: OffsetDateTime,
) -> Result<()> {
    let line = Line {
        vault: None,
        tool,
        outcome: "denied",
        code: Some(code),
        asset: None,
    };
    insert(tx, access, access.actor(), &line, now).await
}

/// One line.
struct Line<'a> {
    vault: Option<&'a VaultId>,
    tool: &'static str,
    outcome: &'static str,
    code: Option<ErrorCode>,
    asset: Option<&'a AssetId>,
}

async fn insert(
    tx: &Tx,
    access: &impl Bound,
    actor: &Actor,
    line: &Line<'_>,
    now: OffsetDateTime,
) -> Result<()> {
    let id = ProvenanceId::generate(millis(now));
    let params = Params::of(access)
        .text(id.as_str())
        .maybe_text(line.vault.map(VaultId::as_str))
        .text(line.tool)
        .text(line.outcome)
        .maybe_text(line.code.map(ErrorCode::name))
        .maybe_text(line.asset.map(AssetId::as_str))
        .text(actor.id.as_str())
        .text(actor.key.as_str())
        .text(actor.request.as_str())
        .time(now);
    tx.change_one(sql!("access_log/insert"), &params).await
}
