//! Folders of a project, at most eight deep (§9.3). Paths are computed, never stored.
//!
//! The schema holds a parent to be of the same project and one step higher, so that no order of
//! concurrent calls can store a cycle or a ninth step.

use time::OffsetDateTime;
use tokio_postgres::Row;

use super::{
    Tx,
    access::{VaultAccess, maybe_stored, stored},
    params::Params,
    placements::{self, Placement},
    provenance::{Line, Operation, millis, record},
    tx::sql,
};
use crate::{
    contract::{Read, Write},
    domain::names::NameKey,
    error::{Error, ErrorCode, Result},
    ids::{FolderId, ProjectId},
    limits,
};

/// A folder.
#[derive(Debug, Clone)]
#[expect(
    missing_docs,
    reason = "the fields are the columns of mem_asset_folders"
)]
pub struct Folder {
    pub id: FolderId,
    pub parent_id: Option<FolderId>,
    pub depth: i32,
    pub name: String,
    /// Names from the top to this folder.
    pub path: Vec<String>,
    pub created_at: OffsetDateTime,
    pub updated_at: OffsetDateTime,
}

/// Makes a folder at the top of a project, or in another folder of it. The name is clean.
///
/// # Errors
/// `not_found` for the project or the parent; `conflict` for an archived project; `invalid_argument` for a
/// ninth step; `name_taken`, with the folder that has the name.
pub async fn create(
    tx: &Tx,
    access: &VaultAccess<Write>,
    project: &ProjectId,
    parent: Option<&FolderId>,
    (name, key): (&str, &NameKey),
    now: OffsetDateTime,
) -> Result<Folder> {
    let place = Placement::new(Some(project.clone()), parent.cloned())?;
    placements::check(tx, access, &place).await?;
    let mut path = path(tx, access, project, parent).await?;
    let depth = path.len() + 1;
    if depth > limits::FOLDER_DEPTH_MAX {
        let message = format!("folders are at most {} deep", limits::FOLDER_DEPTH_MAX);
        return Err(Error::new(ErrorCode::InvalidArgument, message));
    }
    let depth = i32::try_from(depth).map_err(Error::internal)?;
    let id = FolderId::generate(millis(now));
    let new = Params::of(access)
        .text(access.vault().as_str())
        .text(project.as_str())
        .text(id.as_str())
        .maybe_text(parent.map(FolderId::as_str))
        .int(depth)
        .text(name)
        .text(key.as_str())
        .text(access.actor().identity.as_str())
        .time(now);
    if tx.change(sql!("folders/insert"), &new).await? == 0 {
        return Err(taken(tx, access, project, parent, key).await?);
    }
    let line = Line {
        vault: Some(access.vault()),
        project: Some(project),
        folder: Some(&id),
        actor: Some(access.actor()),
        details: serde_json::json!({ "depth": depth }),
        ..Line::new(Operation::FolderCreate)
    };
    record(tx, access, line, now).await?;
    path.push(name.to_owned());
    Ok(Folder {
        id: id.clone(),
        parent_id: parent.cloned(),
        depth,
        name: name.to_owned(),
        path,
        created_at: now,
        updated_at: now,
    })
}

/// Names from the top to a folder; nothing for the top itself.
async fn path(
    tx: &Tx,
    access: &VaultAccess<Write>,
    project: &ProjectId,
    folder: Option<&FolderId>,
) -> Result<Vec<String>> {
    let Some(folder) = folder else {
        return Ok(Vec::new());
    };
    let params = Params::of(access)
        .text(access.vault().as_str())
        .text(project.as_str())
        .text(folder.as_str());
    let rows = tx.rows(sql!("folders/path"), &params).await?;
    Ok(rows.iter().map(|row| row.get("name")).collect())
}

async fn taken(
    tx: &Tx,
    access: &VaultAccess<Write>,
    project: &ProjectId,
    parent: Option<&FolderId>,
    key: &NameKey,
) -> Result<Error> {
    let params = Params::of(access)
        .text(access.vault().as_str())
        .text(project.as_str())
        .maybe_text(parent.map(FolderId::as_str))
        .text(key.as_str());
    let row = tx.optional(sql!("folders/find_by_name"), &params).await?;
    let taken = Error::new(
        ErrorCode::NameTaken,
        "a folder of this name exists beside it",
    );
    Ok(match row {
        Some(row) => taken.detail("folderId", row.get::<_, &str>("id")),
        None => taken,
    })
}

/// The folders of a project, each before those in it, siblings by name: at most `limit` after a folder.
///
/// # Errors
/// `database_unavailable`.
pub async fn tree(
    tx: &Tx,
    access: &VaultAccess<Read>,
    project: &ProjectId,
    after: Option<&str>,
    limit: i64,
) -> Result<Vec<Folder>> {
    let params = Params::of(access)
        .text(access.vault().as_str())
        .text(project.as_str())
        .maybe_text(after)
        .long(limit);
    tx.rows(sql!("folders/tree"), &params)
        .await?
        .iter()
        .map(folder)
        .collect()
}

fn folder(row: &Row) -> Result<Folder> {
    Ok(Folder {
        id: stored(row, "id")?,
        parent_id: maybe_stored(row, "parent_id")?,
        depth: row.get::<_, i16>("depth").into(),
        name: row.get("name"),
        path: row.get("path"),
        created_at: row.get("created_at"),
        updated_at: row.get("updated_at"),
    })
}
