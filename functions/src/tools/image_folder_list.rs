//! `image_folder_list`: lists the folders of a project as a tree.

use common::{
    contract::{Meta, Read, Scope, Target, Toolset},
    error::Result,
    ids::ProjectId,
    limits::LIST_PAGE_MAX,
    store::{access::VaultAccess, folders},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    Cx, InVault, Tool,
    fields::{
        pages::{Pages, one_more, page_size},
        projects::Folder,
    },
};

/// Which project's folders.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Input {
    /// The project, `apr_01J…`.
    pub project_id: ProjectId,
    /// Folders a page, 1 to 100. Default: 100.
    #[schemars(range(min = 1, max = 100))]
    pub limit: Option<usize>,
    /// `nextCursor` of the page before; repeat all else unchanged.
    pub cursor: Option<String>,
}

/// A page of a project's folders.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Each folder before those in it, siblings by name.
    pub folders: Vec<Folder>,
    /// Cursor of the next page.
    pub next_cursor: Option<String>,
}

/// The tool.
pub struct ImageFolderList;

impl Tool for ImageFolderList {
    const META: Meta = Meta {
        name: "image_folder_list",
        title: "List folders",
        description: "List the folders of one project as a tree, each with its path and before those in it. It \
                      gives the folderId to save into, move to or search in. For the images in one, use \
                      image_asset_list.",
        read_only: true,
        destructive: false,
        idempotent: true,
        open_world: false,
        scope: Scope::Read,
        toolset: Toolset::Core,
        search: false,
    };
    type Input = Input;
    type Output = Output;
    type Needs = InVault<Read>;

    fn target(input: &Input) -> Target {
        Target::Project(input.project_id.clone())
    }

    async fn call(cx: Cx<'_, VaultAccess<Read>>, input: Input) -> Result<Output> {
        let limit = page_size(input.limit, LIST_PAGE_MAX, LIST_PAGE_MAX)?;
        let project = &input.project_id;
        let filter = json!({ "projectId": project });
        let pages = Pages::new(cx.app, Self::META.name, cx.access.caller(), &filter);
        let after = pages.start(input.cursor.as_deref())?;
        let after = after.as_ref().map(|(_, id)| id.as_str());
        let read = cx.app.store.run_tx(Self::META.name, &cx.access, |tx| {
            let access = &cx.access;
            async move { folders::tree(&tx, access, project, after, one_more(limit)).await }
        });
        let mut found = read.await?;
        let weight = |folder: &folders::Folder| {
            let path: usize = folder.path.iter().map(|name| name.len() + 3).sum();
            280 + folder.name.len() + path
        };
        let next_cursor = pages.cut(&mut found, limit, weight, |folder| {
            // The folder alone tells where it lies in the tree.
            (String::new(), folder.id.to_string())
        })?;
        Ok(Output {
            folders: found.into_iter().map(Folder::of).collect::<Result<_>>()?,
            next_cursor,
        })
    }
}
