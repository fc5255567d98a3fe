//! Deleting assets (§18.1): the record and its vectors are gone at once; the bytes wait for the grace, and only
//! when no other live asset needs them.
//!
//! Locks are taken in the order assets, objects, namespace, each by id, as everything else takes them. While
//! the object's row is locked no save can adopt it, so that "the last asset" is true when it is acted on.

use std::collections::BTreeSet;

use serde_json::json;
use time::OffsetDateTime;
use tokio_postgres::Row;

use crate::{
    contract::Delete,
    domain::quota::vector_bytes,
    error::{Error, Result},
    ids::{AssetId, ObjectId},
    store::{
        Tx,
        access::{Bound, VaultAccess, stored},
        params::Params,
        provenance::{Line, Operation, write},
        tx::sql,
    },
};

/// What deleting one asset takes away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Going {
    /// The asset.
    pub id: AssetId,
    /// Whether it had been deleted before: then there is nothing left to take.
    pub already: bool,
    /// Bytes of vectors, which are free at once.
    pub vector_bytes: i64,
    /// Bytes of original and preview that go with it, as no other live asset needs them.
    pub object_bytes: i64,
    /// When those bytes may be purged.
    pub purge_after: Option<OffsetDateTime>,
    object: ObjectId,
}

/// What deleting assets of one vault would take away. Ids that are not in it are left out.
///
/// # Errors
/// `database_unavailable`.
pub async fn plan(
    tx: &Tx,
    access: &VaultAccess<Delete>,
    ids: &[AssetId],
    purge_after: OffsetDateTime,
) -> Result<Vec<Going>> {
    let rows = tx
        .rows(sql!("assets/deletion_plan"), &of(access, ids))
        .await?;
    rows.iter().map(|row| going(row, purge_after)).collect()
}

fn going(row: &Row, purge_after: OffsetDateTime) -> Result<Going> {
    let (already, last): (bool, bool) = (row.get("gone"), row.get("last"));
    let vectors = u32::try_from(row.get::<_, i32>("vectors")).map_err(Error::internal)?;
    Ok(Going {
        id: stored(row, "id")?,
        already,
        vector_bytes: if already { 0 } else { vector_bytes(vectors) },
        object_bytes: if last { row.get("object_bytes") } else { 0 },
        purge_after: match (already, last) {
            (true, _) => row.get("purge_after"),
            (false, last) => last.then_some(purge_after),
        },
        object: stored(row, "object_id")?,
    })
}

/// Deletes assets of one vault and says what went; those deleted before stay as they are.
///
/// # Errors
/// `database_unavailable`: then nothing went.
pub async fn delete(
    tx: &Tx,
    access: &VaultAccess<Delete>,
    ids: &[AssetId],
    purge_after: OffsetDateTime,
    now: OffsetDateTime,
) -> Result<Vec<Going>> {
    lock(tx, access, ids).await?;
    let all = plan(tx, access, ids, purge_after).await?;
    let going: Vec<&Going> = all.iter().filter(|asset| !asset.already).collect();
    if !going.is_empty() {
        remove(tx, access, &going, now).await?;
        retire(tx, access, &going, purge_after, now).await?;
    }
    Ok(all)
}

async fn lock(tx: &Tx, access: &VaultAccess<Delete>, ids: &[AssetId]) -> Result<()> {
    let rows = tx
        .rows(sql!("assets/lock_for_deletion"), &of(access, ids))
        .await?;
    let objects: BTreeSet<&str> = rows.iter().map(|row| row.get("object_id")).collect();
    let objects: Vec<&str> = objects.into_iter().collect();
    let params = Params::of(access).texts(&objects);
    tx.rows(sql!("objects/lock"), &params).await?;
    Ok(())
}

/// Takes away jobs, vectors, states, tags and the records themselves.
async fn remove(
    tx: &Tx,
    access: &VaultAccess<Delete>,
    going: &[&Going],
    now: OffsetDateTime,
) -> Result<()> {
    let ids: Vec<&AssetId> = going.iter().map(|asset| &asset.id).collect();
    let assets = || of(access, &ids);
    let jobs = assets().time(now);
    let (vectors, states, tags) = (assets(), assets(), assets());
    let rows = assets().text(access.actor().identity.as_str()).time(now);
    let (jobs, vectors, states, tags, rows) = futures_util::join!(
        tx.change(sql!("jobs/cancel"), &jobs),
        tx.change(sql!("vectors/delete_of_assets"), &vectors),
        tx.change(sql!("assets/delete_model_states"), &states),
        tx.change(sql!("assets/delete_tags"), &tags),
        tx.change(sql!("assets/delete"), &rows)
    );
    jobs?;
    vectors?;
    states?;
    tags?;
    if rows? != going.len() as u64 {
        return Err(Error::internal("an asset changed while it was locked"));
    }
    Ok(())
}

/// Sends bytes that nobody needs towards their purge, gives vectors back, and records who did it.
async fn retire(
    tx: &Tx,
    access: &VaultAccess<Delete>,
    going: &[&Going],
    purge_after: OffsetDateTime,
    now: OffsetDateTime,
) -> Result<()> {
    let last: Vec<&str> = going
        .iter()
        .filter(|asset| asset.purge_after.is_some())
        .map(|asset| asset.object.as_str())
        .collect();
    let freed: i64 = going.iter().map(|asset| asset.vector_bytes).sum();
    let objects = Params::of(access).texts(&last).time(purge_after).time(now);
    let vectors = Params::of(access).long(freed).time(now);
    let lines: Vec<Line<'_>> = going.iter().map(|asset| line(access, asset)).collect();
    let (objects, recorded, vectors) = futures_util::join!(
        tx.change(sql!("objects/retire"), &objects),
        write(tx, access.bound_owner(), &lines, now),
        tx.change_one(sql!("quota/uncharge_vectors"), &vectors)
    );
    objects?;
    recorded?;
    vectors
}

fn line<'a>(access: &'a VaultAccess<Delete>, asset: &'a Going) -> Line<'a> {
    Line {
        vault: Some(access.vault()),
        asset: Some(&asset.id),
        object: Some(&asset.object),
        actor: Some(access.actor()),
        details: json!({ "vectorBytes": asset.vector_bytes, "objectBytes": asset.object_bytes }),
        ..Line::new(Operation::Delete)
    }
}

fn of<'a, I: AsRef<str>>(access: &'a VaultAccess<Delete>, ids: &[I]) -> Params<'a> {
    Params::of(access).text(access.vault().as_str()).texts(ids)
}
