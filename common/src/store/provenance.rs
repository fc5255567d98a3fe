//! Provenance: who did what, written in the transaction that did it (§21). No query text, no identity,
//! no URL.

use serde_json::{Value, json};
use time::OffsetDateTime;

use super::{
    Tx,
    access::{Actor, Bound},
    params::Params,
    tx::sql,
};
use crate::{
    error::Result,
    ids::{AssetId, FolderId, ObjectId, OwnerIdentity, ProjectId, ProvenanceId, VaultId},
};

/// Operations that are recorded; the names are §21's, and one each for what an operator does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    ProjectCreate,
    FolderCreate,
    Save,
    Embed,
    Search,
    Move,
    Delete,
    ObjectPurge,
    Reconcile,
    Key,
    Vault,
    Plan,
}

impl Operation {
    const fn name(self) -> &'static str {
        match self {
            Self::ProjectCreate => "asset_project_create",
            Self::FolderCreate => "asset_folder_create",
            Self::Save => "asset_save",
            Self::Embed => "asset_embed",
            Self::Search => "asset_search",
            Self::Move => "asset_move",
            Self::Delete => "asset_delete",
            Self::ObjectPurge => "asset_object_purge",
            Self::Reconcile => "asset_reconcile",
            Self::Key => "asset_key",
            Self::Vault => "asset_vault",
            Self::Plan => "asset_plan",
        }
    }
}

/// One line.
pub(crate) struct Line<'a> {
    pub(crate) operation: Operation,
    pub(crate) vault: Option<&'a VaultId>,
    pub(crate) asset: Option<&'a AssetId>,
    pub(crate) object: Option<&'a ObjectId>,
    pub(crate) project: Option<&'a ProjectId>,
    pub(crate) folder: Option<&'a FolderId>,
    /// Any other thing that it is about, such as a key or a person.
    pub(crate) subject: Option<&'a str>,
    /// `None` when the system itself or an operator acts.
    pub(crate) actor: Option<&'a Actor>,
    /// Bounded facts: counts, codes, sizes.
    pub(crate) details: Value,
}

impl Line<'_> {
    /// A line about nothing yet.
    pub(crate) fn new(operation: Operation) -> Self {
        Self {
            operation,
            vault: None,
            asset: None,
            object: None,
            project: None,
            folder: None,
            subject: None,
            actor: None,
            details: json!({}),
        }
    }

    fn row(&self, now: OffsetDateTime) -> Value {
        json!({
            "id": ProvenanceId::generate(millis(now)),
            "vault": self.vault,
            "operation": self.operation.name(),
            "asset": self.asset,
            "object": self.object,
            "project": self.project,
            "folder": self.folder,
            "subject": self.subject,
            "actor": self.actor.map(|actor| &actor.id),
            "key": self.actor.map(|actor| &actor.key),
            "surface": self.actor.map(|actor| &actor.surface),
            "request": self.actor.map(|actor| &actor.request),
            "details": self.details,
        })
    }
}

/// Writes one line.
pub(crate) async fn record(
    tx: &Tx,
    access: &impl Bound,
    line: Line<'_>,
    now: OffsetDateTime,
) -> Result<()> {
    write(tx, access.bound_owner(), &[line], now).await
}

/// Writes lines about one owner's things, from a transaction of the owner's or of the system's.
pub(crate) async fn write(
    tx: &Tx,
    owner: &OwnerIdentity,
    lines: &[Line<'_>],
    now: OffsetDateTime,
) -> Result<()> {
    let rows: Value = lines.iter().map(|line| line.row(now)).collect();
    let params = Params::default().text(owner.as_str()).json(&rows).time(now);
    tx.change(sql!("provenance/insert"), &params).await?;
    Ok(())
}

/// Unix milliseconds of an instant, for ids made inside a transaction.
pub(crate) fn millis(now: OffsetDateTime) -> u64 {
    u64::try_from(now.unix_timestamp_nanos() / 1_000_000).unwrap_or_default()
}
