//! Provenance: who did what, written in the transaction that did it (§21). No query text, no identity,
//! no URL.

use serde_json::Value;
use time::OffsetDateTime;

use super::{
    Tx,
    access::{Actor, Bound},
    params::Params,
    tx::sql,
};
use crate::{
    error::Result,
    ids::{AssetId, ObjectId, ProvenanceId, VaultId},
};

/// Operations that are recorded; the names are §21's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    Save,
    Embed,
    Search,
}

impl Operation {
    const fn name(self) -> &'static str {
        match self {
            Self::Save => "asset_save",
            Self::Embed => "asset_embed",
            Self::Search => "asset_search",
        }
    }
}

/// One line.
pub(crate) struct Line<'a> {
    pub(crate) operation: Operation,
    pub(crate) vault: Option<&'a VaultId>,
    pub(crate) asset: Option<&'a AssetId>,
    pub(crate) object: Option<&'a ObjectId>,
    /// `None` when the system itself acts.
    pub(crate) actor: Option<&'a Actor>,
    /// Bounded facts: counts, codes, sizes.
    pub(crate) details: Value,
}

/// Writes one line.
pub(crate) async fn record(
    tx: &Tx,
    access: &impl Bound,
    line: Line<'_>,
    now: OffsetDateTime,
) -> Result<()> {
    let id = ProvenanceId::generate(millis(now));
    let params = Params::of(access)
        .text(id.as_str())
        .maybe_text(line.vault.map(VaultId::as_str))
        .text(line.operation.name())
        .maybe_text(line.asset.map(AssetId::as_str))
        .maybe_text(line.object.map(ObjectId::as_str))
        .maybe_text(None)
        .maybe_text(None)
        .maybe_text(None)
        .maybe_text(line.actor.map(|actor| actor.id.as_str()))
        .maybe_text(line.actor.map(|actor| actor.key.as_str()))
        .maybe_text(line.actor.map(|actor| actor.surface.as_str()))
        .maybe_text(line.actor.map(|actor| actor.request.as_str()))
        .json(&line.details)
        .time(now);
    tx.change_one(sql!("provenance/insert"), &params).await
}

/// Unix milliseconds of an instant, for ids made inside a transaction.
pub(crate) fn millis(now: OffsetDateTime) -> u64 {
    u64::try_from(now.unix_timestamp_nanos() / 1_000_000).unwrap_or_default()
}
