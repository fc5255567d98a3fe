//! Projects and folders as answers show them.

use common::{
    error::Result,
    store::{folders, projects},
};
use schemars::JsonSchema;
use serde::Serialize;

use super::instant;

/// A project.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Project {
    /// The project.
    pub project_id: String,
    /// The vault it is in.
    pub vault_id: String,
    /// Its name.
    #[schemars(extend("x-untrusted" = true))]
    pub name: String,
    /// What it is for.
    #[schemars(extend("x-untrusted" = true))]
    pub description: Option<String>,
    /// `active` or `archived`.
    pub status: String,
    /// When it was made, in UTC.
    pub created_at: String,
    /// When it last changed, in UTC.
    pub updated_at: String,
}

impl Project {
    /// A stored project.
    pub(crate) fn of(project: projects::Project) -> Result<Self> {
        Ok(Self {
            project_id: project.id.to_string(),
            vault_id: project.vault.to_string(),
            name: project.name,
            description: project.description,
            status: project.status.name().to_owned(),
            created_at: instant(project.created_at)?,
            updated_at: instant(project.updated_at)?,
        })
    }
}

/// A folder.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Folder {
    /// The folder.
    pub folder_id: String,
    /// The folder that it is in; `null` at the top of the project.
    pub parent_id: Option<String>,
    /// How deep it lies: 1 at the top, at most 8.
    pub depth: i32,
    /// Its name.
    #[schemars(extend("x-untrusted" = true))]
    pub name: String,
    /// Names from the top of the project to this folder.
    #[schemars(extend("x-untrusted" = true))]
    pub path: Vec<String>,
    /// When it was made, in UTC.
    pub created_at: String,
    /// When it last changed, in UTC.
    pub updated_at: String,
}

impl Folder {
    /// A stored folder.
    pub(crate) fn of(folder: folders::Folder) -> Result<Self> {
        Ok(Self {
            folder_id: folder.id.to_string(),
            parent_id: folder.parent_id.map(|id| id.to_string()),
            depth: folder.depth,
            name: folder.name,
            path: folder.path,
            created_at: instant(folder.created_at)?,
            updated_at: instant(folder.updated_at)?,
        })
    }
}
