//! The access log: links issued, calls denied.

use time::OffsetDateTime;

use super::{
    Tx,
    access::{OwnerAccess, VaultAccess},
    params::Params,
    provenance::millis,
    tx::sql,
};
use crate::{
    error::{ErrorCode, Result},
    ids::{AssetId, ProvenanceId},
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
    let id = ProvenanceId::generate(millis(now));
    let params = Params::of(access)
        .text(id.as_str())
        .text(access.vault().as_str())
        .text(tool)
        .text("link")
        .maybe_text(None)
        .text(asset.as_str())
        .text(access.actor().id.as_str())
        .text(access.actor().key.as_str())
        .text(access.actor().request.as_str())
        .time(now);
    tx.change_one(sql!("access_log/insert"), &params).await
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
    let id = ProvenanceId::generate(millis(now));
    let params = Params::of(access)
        .text(id.as_str())
        .maybe_text(None)
        .text(tool)
        .text("denied")
        .text(code.name())
        .maybe_text(None)
        .text(access.actor().id.as_str())
        .text(access.actor().key.as_str())
        .text(access.actor().request.as_str())
        .time(now);
    tx.change_one(sql!("access_log/insert"), &params).await
}
