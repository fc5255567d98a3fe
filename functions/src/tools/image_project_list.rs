//! `image_project_list`: lists the projects that the caller may read.

use common::{
    contract::{Meta, Scope, Target, Toolset},
    error::Result,
    limits::LIST_PAGE_MAX,
    store::{
        access::VaultsAccess,
        projects::{self, Project as Stored},
    },
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    Cx, InVaults, Tool,
    fields::{
        pages::{Pages, one_more, page_size, text_bytes},
        projects::Project,
        refs::VaultRefs,
    },
};

/// Which projects.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Input {
    /// 1 to 100 vaults, by own handle or `avl_…` id. Default: all that you may read.
    pub vaults: Option<VaultRefs>,
    /// Whether archived projects come as well. Default: false.
    pub include_archived: Option<bool>,
    /// Projects a page, 1 to 100. Default: 50.
    #[schemars(range(min = 1, max = 100))]
    pub limit: Option<usize>,
    /// `nextCursor` of the page before; repeat all else unchanged.
    pub cursor: Option<String>,
}

/// A page of projects.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// By name.
    pub projects: Vec<Project>,
    /// Cursor of the next page.
    pub next_cursor: Option<String>,
}

/// The tool.
pub struct ImageProjectList;

impl Tool for ImageProjectList {
    const META: Meta = Meta {
        name: "image_project_list",
        title: "List projects",
        description: "List the projects that you may read, by name. It gives the projectId to save into, move to \
                      or search in. For the folders of one, use image_folder_list; for its images, \
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
    type Needs = InVaults;

    fn target(input: &Input) -> Target {
        Target::Vaults(input.vaults.as_ref().map(VaultRefs::to_vec))
    }

    async fn call(cx: Cx<'_, VaultsAccess>, input: Input) -> Result<Output> {
        let limit = page_size(input.limit, 50, LIST_PAGE_MAX)?;
        let archived = input.include_archived.unwrap_or(false);
        let filter = json!({
            "vaults": input.vaults.as_ref().map(VaultRefs::to_vec),
            "includeArchived": archived,
        });
        let pages = Pages::new(cx.app, Self::META.name, cx.access.own().caller(), &filter);
        let after = pages.start(input.cursor.as_deref())?;
        let after = after.as_ref().map(|(key, id)| (key.as_str(), id.as_str()));
        let mut found: Vec<Stored> = Vec::new();
        for vaults in &cx.access.by_owner() {
            let read = cx
                .app
                .store
                .run_tx(Self::META.name, &vaults[0], |tx| async move {
                    projects::list(&tx, vaults, archived, after, one_more(limit)).await
                });
            found.extend(read.await?);
        }
        found.sort_by(|a, b| (&a.name_key, a.id.as_str()).cmp(&(&b.name_key, b.id.as_str())));
        let weight = |project: &Stored| {
            270 + text_bytes([Some(project.name.as_str()), project.description.as_deref()])
        };
        let next_cursor = pages.cut(&mut found, limit, weight, |project| {
            (project.name_key.clone(), project.id.to_string())
        })?;
        Ok(Output {
            projects: found.into_iter().map(Project::of).collect::<Result<_>>()?,
            next_cursor,
        })
    }
}
