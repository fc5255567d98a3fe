//! `image_folder_create`: makes a folder in a project.

use common::{
    contract::{Meta, Scope, Target, Toolset, Write},
    domain::names::clean_name,
    error::Result,
    ids::{FolderId, ProjectId},
    store::{access::VaultAccess, folders},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Cx, InVault, Tool, fields::projects::Folder};

/// The folder to make.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Input {
    /// Project to make it in.
    pub project_id: ProjectId,
    /// Folder of that project to make it in. Default: the project's top.
    pub parent_id: Option<FolderId>,
    /// Name, 1 to 120 characters, unlike those of the folders beside it.
    #[schemars(length(min = 1))]
    pub name: String,
}

/// The tool.
pub struct ImageFolderCreate;

impl Tool for ImageFolderCreate {
    const META: Meta = Meta {
        name: "image_folder_create",
        title: "Create folder",
        description: "Make a folder in a project, at its top or in another folder, at most eight deep. Look with \
                      image_folder_list first. Returns its folderId. If the name is taken, the error's details \
                      name the folder that has it: use that.",
        read_only: false,
        destructive: false,
        idempotent: false,
        open_world: false,
        scope: Scope::Write,
        toolset: Toolset::Core,
        search: false,
    };
    type Input = Input;
    type Output = Folder;
    type Needs = InVault<Write>;

    fn target(input: &Input) -> Target {
        Target::Project(input.project_id.clone())
    }

    async fn call(cx: Cx<'_, VaultAccess<Write>>, input: Input) -> Result<Folder> {
        let (name, key) = &clean_name("name", &input.name)?;
        let (project, parent) = (&input.project_id, input.parent_id.as_ref());
        let now = cx.app.clock.now();
        let created = cx.app.store.run_tx(Self::META.name, &cx.access, |tx| {
            let access = &cx.access;
            async move { folders::create(&tx, access, project, parent, (name, key), now).await }
        });
        Folder::of(created.await?)
    }
}
