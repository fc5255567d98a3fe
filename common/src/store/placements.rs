//! Placement: the project and folder that an asset is put in.

use super::{
    Tx,
    access::{VaultAccess, stored},
    params::Params,
    tx::sql,
};
use crate::{
    contract::{Read, Write},
    error::{Error, ErrorCode, Result},
    ids::{FolderId, ProjectId},
};

/// Where an asset lies in its vault; a folder always with its project. `None` is Unfiled.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Placement {
    project: Option<(ProjectId, Option<FolderId>)>,
}

impl Placement {
    /// A placement from the two optional ids of a request.
    ///
    /// # Errors
    /// `invalid_argument` for a folder without its project.
    pub fn new(project: Option<ProjectId>, folder: Option<FolderId>) -> Result<Self> {
        match (project, folder) {
            (Some(project), folder) => Ok(Self {
                project: Some((project, folder)),
            }),
            (None, None) => Ok(Self::default()),
            (None, Some(_)) => Err(Error::new(
                ErrorCode::InvalidArgument,
                "folderId needs its projectId beside it",
            )),
        }
    }

    /// The project.
    #[must_use]
    pub fn project(&self) -> Option<&ProjectId> {
        self.project.as_ref().map(|(project, _)| project)
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> Option<&FolderId> {
        self.project
            .as_ref()
            .and_then(|(_, folder)| folder.as_ref())
    }
}

/// Refuses a placement that does not exist in the vault, or takes no assets.
///
/// # Errors
/// `not_found`, or `conflict` for an archived project.
pub async fn check(tx: &Tx, access: &VaultAccess<Write>, placement: &Placement) -> Result<()> {
    let Some(project) = placement.project() else {
        return Ok(());
    };
    let params = Params::of(access)
        .text(access.vault().as_str())
        .text(project.as_str())
        .maybe_text(placement.folder().map(FolderId::as_str));
    let Some(row) = tx.optional(sql!("placements/check"), &params).await? else {
        return Err(Error::not_found("project"));
    };
    if !row.get::<_, bool>("folder_live") {
        return Err(Error::not_found("folder"));
    }
    if !row.get::<_, bool>("project_active") {
        return Err(Error::new(
            ErrorCode::Conflict,
            "the project is archived and takes no assets",
        ));
    }
    Ok(())
}

/// What a filter by place means in one owner's vaults.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Area {
    /// Only this project.
    pub project: Option<ProjectId>,
    /// Any of these folders.
    pub folders: Option<Vec<FolderId>>,
}

/// What looking for a place found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Looked {
    /// It is in these vaults.
    Found(Area),
    /// The project is not.
    NoProject,
    /// The folder is not, or is of another project than the one named beside it.
    NoFolder,
}

/// Looks for a project and a folder, where they are named, in one owner's vaults; with `below`, for the folder
/// and all folders in it.
///
/// # Errors
/// `database_unavailable`.
pub async fn area(
    tx: &Tx,
    vaults: &[VaultAccess<Read>],
    project: Option<&ProjectId>,
    folder: Option<&FolderId>,
    below: bool,
) -> Result<Looked> {
    let Some(first) = vaults.first() else {
        return Ok(Looked::NoProject);
    };
    if let Some(project) = project {
        let params = Params::of(first).vaults(vaults).text(project.as_str());
        let found = tx.one(sql!("placements/project_exists"), &params).await?;
        if !found.get::<_, bool>(0) {
            return Ok(Looked::NoProject);
        }
    }
    let Some(folder) = folder else {
        return Ok(Looked::Found(Area {
            project: project.cloned(),
            folders: None,
        }));
    };
    let params = Params::of(first)
        .vaults(vaults)
        .text(folder.as_str())
        .flag(below);
    let rows = tx.rows(sql!("placements/below"), &params).await?;
    let of: Option<ProjectId> = rows
        .first()
        .map(|row| stored(row, "project_id"))
        .transpose()?;
    if of.is_none() || (project.is_some() && of.as_ref() != project) {
        return Ok(Looked::NoFolder);
    }
    let folders = rows.iter().map(|row| stored(row, "id"));
    Ok(Looked::Found(Area {
        project: of,
        folders: Some(folders.collect::<Result<_>>()?),
    }))
}
