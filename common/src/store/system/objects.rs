//! Bytes whose grace is over: claimed here, purged by sweep, and counted off when they are proven gone.

use time::{Duration, OffsetDateTime};
use tokio_postgres::Row;

use crate::{
    error::Result,
    ids::{NamespaceId, ObjectId, OwnerIdentity},
    limits,
    store::{
        Store,
        access::{WorkAccess, stored},
        params::Params,
        tx::{Scope, sql},
    },
};

/// An object that this run alone may purge; nothing can revive it any more.
#[derive(Debug, Clone)]
pub struct Purge {
    owner: OwnerIdentity,
    /// When this run took it; a later run that takes it over ends this one's right.
    pub(crate) started_at: OffsetDateTime,
    /// The object.
    pub id: ObjectId,
    /// Opaque name of the owner, for logs.
    pub namespace: NamespaceId,
    /// Key of the original.
    pub storage_key: String,
    /// Key of the preview.
    pub preview_storage_key: String,
}

impl Purge {
    /// The right to write that the bytes are gone.
    #[must_use]
    pub fn access(&self) -> WorkAccess {
        WorkAccess {
            owner: self.owner.clone(),
        }
    }
}

/// Takes at most `limit` objects whose grace is over and which no live asset needs; also those that a run
/// took long ago and never finished.
///
/// # Errors
/// `database_unavailable`.
pub async fn claim_purges(store: &Store, now: OffsetDateTime, limit: i64) -> Result<Vec<Purge>> {
    store
        .run("objects.claim_purges", Scope::System, |tx| async move {
            let params = Params::default()
                .time(now)
                .time(now - Duration::minutes(limits::PURGE_RETAKE_MINUTES))
                .long(limit);
            let rows = tx
                .rows(sql!("system/objects/claim_purges"), &params)
                .await?;
            rows.iter().map(purge).collect()
        })
        .await
}

fn purge(row: &Row) -> Result<Purge> {
    Ok(Purge {
        owner: OwnerIdentity::trusted(row.get("owner_identity")),
        // As stored: Postgres keeps microseconds.
        started_at: row.get("purge_started_at"),
        id: stored(row, "id")?,
        namespace: stored(row, "namespace_id")?,
        storage_key: row.get("storage_key"),
        preview_storage_key: row.get("preview_storage_key"),
    })
}
