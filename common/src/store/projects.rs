//! Projects: what a vault is divided into (§9.2).

use time::OffsetDateTime;
use tokio_postgres::Row;

use super::{
    Tx,
    access::{VaultAccess, named, stored},
    params::Params,
    provenance::{Line, Operation, millis, record},
    tx::sql,
};
use crate::{
    contract::{Read, Write},
    domain::{names::NameKey, status::ProjectStatus},
    error::{Error, ErrorCode, Result},
    ids::{ProjectId, VaultId},
};

/// A project.
#[derive(Debug, Clone)]
#[expect(
    missing_docs,
    reason = "the fields are the columns of mem_asset_projects"
)]
pub struct Project {
    pub id: ProjectId,
    pub vault: VaultId,
    pub name: String,
    pub name_key: String,
    pub description: Option<String>,
    pub status: ProjectStatus,
    pub created_at: OffsetDateTime,
    pub updated_at: OffsetDateTime,
}

/// Makes a project; its texts are clean.
///
/// # Errors
/// `name_taken`, with the project that has the name.
pub async fn create(
    tx: &Tx,
    access: &VaultAccess<Write>,
    (name, key): (&str, &NameKey),
    description: Option<&str>,
    now: OffsetDateTime,
) -> Result<Project> {
    let id = ProjectId::generate(millis(now));
    let vault = access.vault().as_str();
    let new = Params::of(access)
        .text(vault)
        .text(id.as_str())
        .text(name)
        .text(key.as_str())
        .maybe_text(description)
        .text(access.actor().identity.as_str())
        .time(now);
    if tx.change(sql!("projects/insert"), &new).await? == 0 {
        let same = Params::of(access).text(vault).text(key.as_str());
        let row = tx.optional(sql!("projects/find_by_name"), &same).await?;
        let taken = Error::new(
            ErrorCode::NameTaken,
            "a project of this name exists in the vault",
        );
        return Err(match row {
            Some(row) => taken.detail("projectId", row.get::<_, &str>("id")),
            None => taken,
        });
    }
    let line = Line {
        vault: Some(access.vault()),
        project: Some(&id),
        actor: Some(access.actor()),
        ..Line::new(Operation::ProjectCreate)
    };
    record(tx, access, line, now).await?;
    Ok(Project {
        id: id.clone(),
        vault: access.vault().clone(),
        name: name.to_owned(),
        name_key: key.as_str().to_owned(),
        description: description.map(str::to_owned),
        status: ProjectStatus::Active,
        created_at: now,
        updated_at: now,
    })
}

/// Projects of one owner's vaults by name: at most `limit` after a name key and id.
///
/// # Errors
/// `database_unavailable`.
pub async fn list(
    tx: &Tx,
    vaults: &[VaultAccess<Read>],
    archived: bool,
    after: Option<(&str, &str)>,
    limit: i64,
) -> Result<Vec<Project>> {
    let Some(first) = vaults.first() else {
        return Ok(Vec::new());
    };
    let params = Params::of(first)
        .vaults(vaults)
        .flag(archived)
        .maybe_text(after.map(|(key, _)| key))
        .maybe_text(after.map(|(_, id)| id))
        .long(limit);
    tx.rows(sql!("projects/list"), &params)
        .await?
        .iter()
        .map(project)
        .collect()
}

fn project(row: &Row) -> Result<Project> {
    Ok(Project {
        id: stored(row, "id")?,
        vault: stored(row, "vault")?,
        name: row.get("name"),
        name_key: row.get("name_key"),
        description: row.get("description"),
        status: named(row, "status", ProjectStatus::from_name)?,
        created_at: row.get("created_at"),
        updated_at: row.get("updated_at"),
    })
}
