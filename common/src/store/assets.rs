//! Assets: the user's records over objects.

pub mod deleting;
pub mod listing;
pub mod moving;

use serde_json::Value;
use time::OffsetDateTime;
use tokio_postgres::Row;

use super::{
    Tx,
    access::{VaultAccess, maybe_stored, named, stored},
    objects::{self, ObjectRow},
    params::Params,
    placements::Placement,
    provenance::{Line, Operation, record},
    quota::{self, Reservation},
    tx::sql,
};
use crate::{
    contract::{Read, Write},
    domain::{
        quota::Charge,
        status::{AssetStatus, EmbeddingStatus, JobState, ObjectStatus, Representation},
    },
    error::Result,
    ids::{AssetId, FolderId, JobId, ObjectId, ProjectId, VaultId},
    limits,
};

/// A record to be; its texts are clean.
#[derive(Debug, Clone)]
pub struct NewAsset {
    /// Its id.
    pub id: AssetId,
    /// Where it goes.
    pub placement: Placement,
    /// Type of the bytes.
    pub mime_type: &'static str,
    /// Title as shown.
    pub title: String,
    /// Title folded for sorting.
    pub title_key: String,
    /// Whether the caller gave the title.
    pub title_given: bool,
    /// Free text.
    pub description: Option<String>,
    /// Alternative text.
    pub alt_text: Option<String>,
    /// Normalized source URL and its hash.
    pub source_url: Option<(String, String)>,
    /// Host of the source or of the page it stood on.
    pub source_host: Option<String>,
    /// One of §9.5's kinds.
    pub source_kind: &'static str,
    /// Bounded provenance.
    pub source_ref: Option<Value>,
    /// Cleaned, folded, sorted, unique.
    pub tags: Vec<String>,
    /// Bounded data of the caller's.
    pub metadata: Option<Value>,
    /// Model whose vectors are wanted.
    pub model: String,
    /// A job for each wanted vector.
    pub jobs: Vec<(JobId, Representation)>,
}

/// What inserting found and charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inserted {
    /// Whether the bytes had been there before.
    pub object_reused: bool,
    /// Bytes charged.
    pub charge: Charge,
}

/// Makes the asset over its object, with tags, jobs, charge and provenance; consumes the reservation.
///
/// # Errors
/// `conflict` when the object began to be purged or the reservation expired meanwhile; `not_found` when
/// the placement vanished.
pub async fn insert(
    tx: &Tx,
    access: &VaultAccess<Write>,
    object: &ObjectRow,
    reservation: &Reservation,
    new: &NewAsset,
    now: OffsetDateTime,
) -> Result<Inserted> {
    super::placements::check(tx, access, &new.placement).await?;
    let adopted = objects::adopt(tx, access, &object.id, now).await?;
    let vectors = u32::try_from(new.jobs.len()).unwrap_or(u32::MAX);
    let charge = Charge::of(adopted.original, adopted.preview, vectors, adopted.reused)?;
    insert_row(tx, access, &object.id, new, now).await?;
    insert_jobs(tx, access, new, now).await?;
    let line = Line {
        vault: Some(access.vault()),
        asset: Some(&new.id),
        object: Some(&object.id),
        project: new.placement.project(),
        folder: new.placement.folder(),
        actor: Some(access.actor()),
        details: serde_json::json!({
            "bytesCharged": charge.total,
            "objectReused": adopted.reused,
            "sourceKind": new.source_kind,
        }),
        ..Line::new(Operation::Save)
    };
    let (recorded, finalized) = futures_util::join!(
        record(tx, access, line, now),
        quota::finalize(tx, access, reservation, charge, now)
    );
    recorded?;
    finalized?;
    Ok(Inserted {
        object_reused: adopted.reused,
        charge,
    })
}

async fn insert_row(
    tx: &Tx,
    access: &VaultAccess<Write>,
    object: &ObjectId,
    new: &NewAsset,
    now: OffsetDateTime,
) -> Result<()> {
    let (vault, asset) = (access.vault().as_str(), new.id.as_str());
    let url = new.source_url.as_ref();
    let row = Params::of(access)
        .text(vault)
        .text(asset)
        .maybe_text(new.placement.project().map(ProjectId::as_str))
        .maybe_text(new.placement.folder().map(FolderId::as_str))
        .text(object.as_str())
        .text(new.mime_type)
        .text(&new.title)
        .text(&new.title_key)
        .flag(new.title_given)
        .maybe_text(new.description.as_deref())
        .maybe_text(new.alt_text.as_deref())
        .maybe_text(url.map(|(url, _)| url.as_str()))
        .maybe_text(url.map(|(_, hash)| hash.as_str()))
        .maybe_text(new.source_host.as_deref())
        .text(new.source_kind)
        .maybe_json(new.source_ref.as_ref())
        .texts(&new.tags)
        .maybe_json(new.metadata.as_ref())
        .text(access.actor().identity.as_str())
        .time(now);
    let tags = Params::of(access).text(vault).text(asset).texts(&new.tags);
    let (inserted, tagged) = futures_util::join!(
        tx.change_one(sql!("assets/insert"), &row),
        tx.change(sql!("assets/insert_tags"), &tags)
    );
    inserted?;
    tagged?;
    Ok(())
}

async fn insert_jobs(
    tx: &Tx,
    access: &VaultAccess<Write>,
    new: &NewAsset,
    now: OffsetDateTime,
) -> Result<()> {
    let (vault, asset) = (access.vault().as_str(), new.id.as_str());
    let fused = new
        .jobs
        .iter()
        .any(|(_, kind)| *kind == Representation::Fused);
    let state = Params::of(access)
        .text(vault)
        .text(asset)
        .text(&new.model)
        .maybe_text(fused.then_some(JobState::Queued.name()))
        .time(now);
    let ids: Vec<&str> = new.jobs.iter().map(|(id, _)| id.as_str()).collect();
    let kinds: Vec<&str> = new.jobs.iter().map(|(_, kind)| kind.name()).collect();
    let jobs = Params::of(access)
        .text(vault)
        .text(asset)
        .text(&new.model)
        .int(i32::try_from(limits::DIMENSIONS).unwrap_or(i32::MAX))
        .texts(&ids)
        .texts(&kinds)
        .time(now);
    let (stated, queued) = futures_util::join!(
        tx.change_one(sql!("assets/insert_model_state"), &state),
        tx.change(sql!("jobs/insert"), &jobs)
    );
    stated?;
    queued?;
    Ok(())
}

/// The oldest live asset of the vault over these bytes.
///
/// # Errors
/// `database_unavailable`.
pub async fn find_same_bytes<R>(
    tx: &Tx,
    access: &VaultAccess<R>,
    sha256: &str,
) -> Result<Option<AssetId>> {
    let params = Params::of(access)
        .text(access.vault().as_str())
        .text(sha256);
    let row = tx.optional(sql!("assets/find_same_bytes"), &params).await?;
    row.map(|row| stored(&row, "id")).transpose()
}

/// One asset with its object, as a reader may see it.
#[derive(Debug, Clone)]
#[expect(
    missing_docs,
    reason = "the fields are the columns of mem_assets and mem_asset_objects"
)]
pub struct Asset {
    pub id: AssetId,
    pub project_id: Option<ProjectId>,
    pub folder_id: Option<FolderId>,
    pub object_id: ObjectId,
    pub mime_type: String,
    pub title: String,
    pub title_given: bool,
    pub description: Option<String>,
    pub alt_text: Option<String>,
    pub source_url: Option<String>,
    pub source_host: Option<String>,
    pub source_kind: String,
    pub source_ref: Option<Value>,
    pub tags: Vec<String>,
    pub metadata: Option<Value>,
    pub status: AssetStatus,
    pub embedding_status: EmbeddingStatus,
    pub failure_code: Option<String>,
    pub failure_message: Option<String>,
    pub created_at: OffsetDateTime,
    pub updated_at: OffsetDateTime,
    pub sha256: String,
    pub bytes: i64,
    pub preview_bytes: i64,
    pub size: (i32, i32),
    pub preview_size: (i32, i32),
    pub animated: bool,
    pub warnings: Value,
    pub object_status: ObjectStatus,
    pub storage_key: String,
    pub preview_storage_key: String,
    pub extension: String,
}

/// The newest job of one representation and model.
#[derive(Debug, Clone)]
#[expect(
    missing_docs,
    reason = "the fields are the columns of mem_asset_embedding_jobs"
)]
pub struct JobView {
    pub representation: Representation,
    pub model: String,
    pub status: JobState,
    pub attempts: i32,
    pub max_attempts: i32,
    pub run_after: OffsetDateTime,
    pub last_error_code: Option<String>,
    pub last_error: Option<String>,
    pub completed_at: Option<OffsetDateTime>,
}

/// Reads one live asset and its jobs.
///
/// # Errors
/// `not_found`.
pub async fn get(
    tx: &Tx,
    access: &VaultAccess<Read>,
    id: &AssetId,
) -> Result<(Asset, Vec<JobView>)> {
    let params = Params::of(access)
        .text(access.vault().as_str())
        .text(id.as_str());
    let (asset, jobs) = futures_util::join!(
        tx.optional(sql!("assets/get"), &params),
        tx.rows(sql!("jobs/of_asset"), &params)
    );
    let asset = asset?.ok_or_else(|| crate::error::Error::not_found("asset"))?;
    let jobs = jobs?.iter().map(job_view).collect::<Result<_>>()?;
    Ok((asset_from(&asset)?, jobs))
}

fn asset_from(row: &Row) -> Result<Asset> {
    Ok(Asset {
        id: stored(row, "id")?,
        project_id: maybe_stored(row, "project_id")?,
        folder_id: maybe_stored(row, "folder_id")?,
        object_id: stored(row, "object_id")?,
        mime_type: row.get("mime_type"),
        title: row.get("title"),
        title_given: row.get("title_given"),
        description: row.get("description"),
        alt_text: row.get("alt_text"),
        source_url: row.get("source_url"),
        source_host: row.get("source_host"),
        source_kind: row.get("source_kind"),
        source_ref: row.get("source_ref"),
        tags: tags(row),
        metadata: row.get("metadata"),
        status: named(row, "status", AssetStatus::from_name)?,
        embedding_status: named(row, "embedding_status", EmbeddingStatus::from_name)?,
        failure_code: row.get("failure_code"),
        failure_message: row.get("failure_message"),
        created_at: row.get("created_at"),
        updated_at: row.get("updated_at"),
        sha256: row.get("sha256"),
        bytes: row.get("bytes"),
        preview_bytes: row.get("preview_bytes"),
        size: (row.get("width"), row.get("height")),
        preview_size: (row.get("preview_width"), row.get("preview_height")),
        animated: row.get("animated"),
        warnings: row.get("warnings"),
        object_status: named(row, "object_status", ObjectStatus::from_name)?,
        storage_key: row.get("storage_key"),
        preview_storage_key: row.get("preview_storage_key"),
        extension: row.get("extension"),
    })
}

fn job_view(row: &Row) -> Result<JobView> {
    Ok(JobView {
        representation: named(row, "representation", Representation::from_name)?,
        model: row.get("model"),
        status: named(row, "status", JobState::from_name)?,
        attempts: row.get("attempts"),
        max_attempts: row.get("max_attempts"),
        run_after: row.get("run_after"),
        last_error_code: row.get("last_error_code"),
        last_error: row.get("last_error"),
        completed_at: row.get("completed_at"),
    })
}

/// A ready asset among search candidates.
#[derive(Debug, Clone)]
#[expect(
    missing_docs,
    reason = "the fields are the columns of mem_assets and mem_asset_objects"
)]
pub struct Found {
    pub id: AssetId,
    pub vault: VaultId,
    pub project_id: Option<ProjectId>,
    pub folder_id: Option<FolderId>,
    pub mime_type: String,
    pub title: String,
    pub source_url: Option<String>,
    pub source_kind: String,
    pub tags: Vec<String>,
    pub created_at: OffsetDateTime,
    pub size: (i32, i32),
    pub preview_storage_key: String,
}

/// Reads search candidates again under access, and drops those that are not ready.
///
/// `access` are vaults of one owner: the one that the transaction is bound to.
///
/// # Errors
/// `database_unavailable`.
pub async fn reload(tx: &Tx, access: &[VaultAccess<Read>], ids: &[AssetId]) -> Result<Vec<Found>> {
    let Some(first) = access.first() else {
        return Ok(Vec::new());
    };
    let ids: Vec<&str> = ids.iter().map(AssetId::as_str).collect();
    let params = Params::of(first).vaults(access).texts(&ids);
    tx.rows(sql!("assets/reload"), &params)
        .await?
        .iter()
        .map(found)
        .collect()
}

fn found(row: &Row) -> Result<Found> {
    Ok(Found {
        id: stored(row, "id")?,
        vault: stored(row, "vault")?,
        project_id: maybe_stored(row, "project_id")?,
        folder_id: maybe_stored(row, "folder_id")?,
        mime_type: row.get("mime_type"),
        title: row.get("title"),
        source_url: row.get("source_url"),
        source_kind: row.get("source_kind"),
        tags: tags(row),
        created_at: row.get("created_at"),
        size: (row.get("width"), row.get("height")),
        preview_storage_key: row.get("preview_storage_key"),
    })
}

fn tags(row: &Row) -> Vec<String> {
    serde_json::from_value(row.get("tags")).unwrap_or_default()
}

/// Key of the preview of a live asset in one of one owner's vaults.
///
/// # Errors
/// `database_unavailable`.
pub async fn find_preview(
    tx: &Tx,
    access: &[VaultAccess<Read>],
    id: &AssetId,
) -> Result<Option<String>> {
    let Some(first) = access.first() else {
        return Ok(None);
    };
    let params = Params::of(first).vaults(access).text(id.as_str());
    let row = tx.optional(sql!("assets/find_preview"), &params).await?;
    Ok(row.map(|row| row.get("preview_storage_key")))
}
