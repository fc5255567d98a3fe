//! Objects: immutable bytes of one owner, each SHA-256 once.
//!
//! A `pending` row is committed before the bytes are put, so that a kill in between leaves a row that
//! names the orphan. Whoever saves the same bytes meanwhile uses the same row and puts the same bytes
//! under the same keys; the first to finish makes it `available` and pays for it.

use serde_json::Value;
use time::OffsetDateTime;

use super::{
    Tx,
    access::{VaultAccess, WorkAccess, stored},
    params::Params,
    provenance::{Line, Operation, record},
    system::objects::Purge,
    tx::sql,
};
use crate::{
    contract::Write,
    error::{Error, ErrorCode, Result},
    ids::ObjectId,
};

/// What is known of bytes before they are put.
#[derive(Debug, Clone)]
pub struct NewObject {
    /// Id to give the row, if there is none.
    pub id: ObjectId,
    /// SHA-256 of the original, lowercase hex.
    pub sha256: String,
    /// Key of the original.
    pub storage_key: String,
    /// Key of the preview.
    pub preview_storage_key: String,
    /// Type of the original.
    pub mime_type: &'static str,
    /// Its extension.
    pub extension: &'static str,
    /// Bytes of the original.
    pub bytes: i64,
    /// Bytes of the preview.
    pub preview_bytes: i64,
    /// Upright size in pixels.
    pub size: (i32, i32),
    /// Size of the preview in pixels.
    pub preview_size: (i32, i32),
    /// Whether there is more than one frame.
    pub animated: bool,
    /// Array of {code, message}.
    pub warnings: Value,
}

/// The row that a save uses.
#[derive(Debug, Clone)]
pub struct ObjectRow {
    /// Its id.
    pub id: ObjectId,
    /// Key of the original.
    pub storage_key: String,
    /// Key of the preview.
    pub preview_storage_key: String,
    /// Whether the bytes are in the store; `false` means that this save must put them.
    pub stored: bool,
}

/// Finds the owner's row for these bytes, or inserts a pending one.
///
/// # Errors
/// `quarantined` when these bytes were found to be bad.
pub async fn claim(
    tx: &Tx,
    access: &VaultAccess<Write>,
    new: &NewObject,
    now: OffsetDateTime,
) -> Result<ObjectRow> {
    if let Some(row) = find(tx, access, &new.sha256).await? {
        return Ok(row);
    }
    let params = Params::of(access)
        .text(access.namespace().as_str())
        .text(new.id.as_str())
        .text(&new.sha256)
        .text(&new.storage_key)
        .text(&new.preview_storage_key)
        .text(new.mime_type)
        .text(new.extension)
        .long(new.bytes)
        .long(new.preview_bytes)
        .int(new.size.0)
        .int(new.size.1)
        .int(new.preview_size.0)
        .int(new.preview_size.1)
        .flag(new.animated)
        .json(&new.warnings)
        .time(now);
    tx.change(sql!("objects/insert"), &params).await?;
    // Ours, or that of a save which was quicker and has committed by now.
    let row = find(tx, access, &new.sha256).await?;
    row.ok_or_else(|| Error::internal("an object row vanished while it was claimed"))
}

async fn find(tx: &Tx, access: &VaultAccess<Write>, sha256: &str) -> Result<Option<ObjectRow>> {
    let params = Params::of(access).text(sha256);
    let Some(row) = tx.optional(sql!("objects/find"), &params).await? else {
        return Ok(None);
    };
    let status: &str = row.get("status");
    if status == "quarantined" {
        return Err(Error::new(
            ErrorCode::Quarantined,
            "these bytes are quarantined",
        ));
    }
    Ok(Some(ObjectRow {
        id: stored(&row, "id")?,
        storage_key: row.get("storage_key"),
        preview_storage_key: row.get("preview_storage_key"),
        stored: status != "pending",
    }))
}

/// What adopting an object found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Adopted {
    /// Bytes of the original.
    pub(super) original: i64,
    /// Bytes of the preview.
    pub(super) preview: i64,
    /// Whether the object was there, and paid for, before this save.
    pub(super) reused: bool,
}

/// Makes the object available for an asset of the same transaction.
///
/// # Errors
/// `conflict` when the object began to be purged, or was quarantined, meanwhile.
pub(super) async fn adopt(
    tx: &Tx,
    access: &VaultAccess<Write>,
    object: &ObjectId,
    now: OffsetDateTime,
) -> Result<Adopted> {
    let params = Params::of(access).text(object.as_str()).time(now);
    let Some(row) = tx.optional(sql!("objects/adopt"), &params).await? else {
        return Err(Error::new(
            ErrorCode::Conflict,
            "the stored bytes went away during the save",
        ));
    };
    let reused = row.get::<_, &str>(0) != "pending";
    Ok(Adopted {
        original: row.get(1),
        preview: row.get(2),
        reused,
    })
}

/// Writes down that an object's bytes were proven gone, and counts them off. `false` when another run took
/// the object over meanwhile, which then says it.
///
/// # Errors
/// `database_unavailable`: then a later run takes the object up again.
pub async fn purged(
    tx: &Tx,
    access: &WorkAccess,
    purge: &Purge,
    now: OffsetDateTime,
) -> Result<bool> {
    let params = Params::of(access)
        .text(purge.id.as_str())
        .time(purge.started_at)
        .time(now);
    let Some(row) = tx.optional(sql!("objects/purged"), &params).await? else {
        return Ok(false);
    };
    let (original, preview): (i64, i64) = (row.get("bytes"), row.get("preview_bytes"));
    let freed = Params::of(access).long(original).long(preview).time(now);
    let line = Line {
        object: Some(&purge.id),
        details: serde_json::json!({
            "originalBytes": original,
            "previewBytes": preview,
            "provenGone": ["original", "preview"],
        }),
        ..Line::new(Operation::ObjectPurge)
    };
    let (counted, recorded) = futures_util::join!(
        tx.change_one(sql!("quota/uncharge_object"), &freed),
        record(tx, access, line, now)
    );
    counted?;
    recorded?;
    Ok(true)
}
