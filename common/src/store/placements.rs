//! Placement: the project and folder that an asset is put in.

use super::{Tx, access::VaultAccess, params::Params, tx::sql};
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

/// Whether a project and a folder, where they are named, lie in one of one owner's vaults.
///
/// # Errors
/// `database_unavailable`.
pub async fn exist(
    tx: &Tx,
    vaults: &[VaultAccess<Read>],
    project: Option<&ProjectId>,
    folder: Option<&FolderId>,
) -> Result<(bool, bool)> {
    let Some(first) = vaults.first() else {
        return Ok((project.is_none(), folder.is_none()));
    };
    let ids: Vec<&str> = vaults.iter().map(|vault| vault.vault().as_str()).collect();
    let params = Params::of(first)
        .texts(&ids)
        .maybe_text(project.map(ProjectId::as_str))
        .maybe_text(folder.map(FolderId::as_str));
    let row = tx.one(sql!("placements/exists"), &params).await?;
    Ok((row.get("project_found"), row.get("folder_found")))
}
