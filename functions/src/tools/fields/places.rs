//! Where a list or a search looks.

use common::{
    app::App,
    contract::Read,
    error::{Error, Result},
    ids::{FolderId, ProjectId},
    store::{
        access::{VaultAccess, VaultsAccess},
        placements::{self, Area, Looked},
    },
};

/// Vaults of one owner and the area in them: each is one transaction.
#[derive(Debug)]
pub(crate) struct Place {
    /// The vaults; never empty.
    pub(crate) vaults: Vec<VaultAccess<Read>>,
    /// All of them, or a project or folders of one.
    pub(crate) area: Area,
}

/// A place as a request names it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Named<'a> {
    /// Only this project.
    pub(crate) project: Option<&'a ProjectId>,
    /// Only this folder.
    pub(crate) folder: Option<&'a FolderId>,
    /// And all folders in it.
    pub(crate) descendants: bool,
}

/// All readable vaults by owner, or the one owner's in which the project or folder lies.
///
/// # Errors
/// `not_found` for a project or a folder that is in none of them.
pub(crate) async fn locate(
    app: &App,
    access: &VaultsAccess,
    named: Named<'_>,
) -> Result<Vec<Place>> {
    let groups = access.by_owner();
    if named.project.is_none() && named.folder.is_none() {
        return Ok(groups
            .into_iter()
            .map(|vaults| Place {
                vaults,
                area: Area::default(),
            })
            .collect());
    }
    let kind = named.project.map_or("folder", |_| "project");
    let mut missing = Error::not_found(kind);
    for vaults in groups {
        let (project, folder, below) = (named.project, named.folder, named.descendants);
        let found = app
            .store
            .run_tx("tools.locate", &vaults[0], |tx| {
                let vaults = &vaults;
                async move { placements::area(&tx, vaults, project, folder, below).await }
            })
            .await?;
        match found {
            Looked::Found(area) => return Ok(vec![Place { vaults, area }]),
            Looked::NoProject => {}
            Looked::NoFolder => missing = Error::not_found("folder"),
        }
    }
    Err(missing)
}
