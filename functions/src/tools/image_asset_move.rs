//! `image_asset_move`: puts images into another place of their vault, without touching a byte.

use std::collections::BTreeSet;

use common::{
    contract::{Meta, Scope, Target, Toolset, Write},
    error::{Error, ErrorCode, Result},
    ids::{AssetId, FolderId, ProjectId},
    store::{access::VaultAccess, assets::moving::place, placements::Placement},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Cx, InVault, Tool, fields::refs::AssetIds};

/// Which images, and where to.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Input {
    /// 1 to 100 assets of one vault.
    pub asset_ids: AssetIds,
    /// Project of that vault to put them into.
    pub project_id: Option<ProjectId>,
    /// Folder of that project to put them into; needs `projectId` beside it. Default: the project's top.
    pub folder_id: Option<FolderId>,
    /// `true` takes them out of their projects; excludes `projectId`. Default: false.
    pub unfiled: Option<bool>,
}

/// One image.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Moved {
    /// The asset.
    pub asset_id: String,
    /// Whether it was elsewhere before.
    pub moved: bool,
}

/// Where the images are now.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The vault, which is the same as before.
    pub vault_id: String,
    /// Their project, if any.
    pub project_id: Option<String>,
    /// Their folder, if any.
    pub folder_id: Option<String>,
    /// Each image, in the order of the request.
    pub assets: Vec<Moved>,
}

/// The tool.
pub struct ImageAssetMove;

impl Tool for ImageAssetMove {
    const META: Meta = Meta {
        name: "image_asset_move",
        title: "Move images",
        description: "Put 1 to 100 images of one vault into a project or folder of it, or out of their projects: \
                      say projectId, projectId with folderId, or unfiled. All move, or none. Returns for each \
                      whether it moved. Ids of places come from image_project_list and image_folder_list.",
        read_only: false,
        destructive: false,
        idempotent: true,
        open_world: false,
        scope: Scope::Write,
        toolset: Toolset::Core,
        search: false,
    };
    type Input = Input;
    type Output = Output;
    type Needs = InVault<Write>;

    fn target(input: &Input) -> Target {
        Target::Assets(input.asset_ids.distinct())
    }

    async fn call(cx: Cx<'_, VaultAccess<Write>>, input: Input) -> Result<Output> {
        let to = &destination(&input)?;
        let ids: &[AssetId] = &input.asset_ids.distinct();
        let now = cx.app.clock.now();
        let moved = cx.app.store.run_tx(Self::META.name, &cx.access, |tx| {
            let access = &cx.access;
            async move { place(&tx, access, ids, to, now).await }
        });
        let moved: BTreeSet<AssetId> = moved.await?.into_iter().collect();
        let assets = input.asset_ids.as_slice().iter().map(|id| Moved {
            asset_id: id.to_string(),
            moved: moved.contains(id),
        });
        Ok(Output {
            vault_id: cx.access.vault().to_string(),
            project_id: to.project().map(ToString::to_string),
            folder_id: to.folder().map(ToString::to_string),
            assets: assets.collect(),
        })
    }
}

fn destination(input: &Input) -> Result<Placement> {
    let unfiled = input.unfiled.unwrap_or(false);
    let named = input.project_id.is_some() || input.folder_id.is_some();
    if unfiled == named {
        let message = "say where to: projectId, projectId with folderId, or unfiled as true";
        return Err(Error::new(ErrorCode::InvalidArgument, message));
    }
    Placement::new(input.project_id.clone(), input.folder_id.clone())
}
