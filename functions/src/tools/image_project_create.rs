//! `image_project_create`: makes a project in a vault.

use common::{
    contract::{Meta, Scope, Target, Toolset, VaultRef, Write},
    domain::{names::clean_name, text::clean_text},
    error::Result,
    limits,
    store::{access::VaultAccess, projects},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Cx, InVault, Tool, fields::projects::Project};

/// The project to make.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Input {
    /// Vault to make it in: an own handle or an `avl_…` id. Default: `Library`.
    pub vault: Option<VaultRef>,
    /// Name, 1 to 120 characters, unlike those of other active projects of the vault.
    #[schemars(length(min = 1))]
    pub name: String,
    /// What it is for, at most 2,000 characters.
    pub description: Option<String>,
}

/// The tool.
pub struct ImageProjectCreate;

impl Tool for ImageProjectCreate {
    const META: Meta = Meta {
        name: "image_project_create",
        title: "Create project",
        description: "Make a project in a vault, to keep the images of one purpose together. Look with \
                      image_project_list first. Returns its projectId. If the name is taken, the error's details \
                      name the project that has it: use that.",
        read_only: false,
        destructive: false,
        idempotent: false,
        open_world: false,
        scope: Scope::Write,
        toolset: Toolset::Core,
        search: false,
    };
    type Input = Input;
    type Output = Project;
    type Needs = InVault<Write>;

    fn target(input: &Input) -> Target {
        Target::Vault(input.vault.clone().unwrap_or_default())
    }

    async fn call(cx: Cx<'_, VaultAccess<Write>>, input: Input) -> Result<Project> {
        let (name, key) = clean_name("name", &input.name)?;
        let description = input
            .description
            .map(|text| {
                let max = limits::PROJECT_DESCRIPTION_MAX;
                clean_text("description", &text, max, true)
            })
            .transpose()?
            .filter(|text| !text.is_empty());
        let (name, key, description) = (&name, &key, description.as_deref());
        let now = cx.app.clock.now();
        let created = cx.app.store.run_tx(Self::META.name, &cx.access, |tx| {
            let access = &cx.access;
            async move { projects::create(&tx, access, (name, key), description, now).await }
        });
        Project::of(created.await?)
    }
}
