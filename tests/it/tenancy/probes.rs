//! For each tool and each field by which it names something: a call that names it by that field.

use serde_json::{Value, json};
use tests::pictures;

/// Ids of one person's things, or ids that nothing has.
#[derive(Debug, Clone)]
pub(super) struct Things {
    pub(super) vault: String,
    pub(super) project: String,
    pub(super) folder: String,
    pub(super) asset: String,
    pub(super) cursor: String,
}

impl Things {
    /// Ids that nothing has.
    pub(super) fn unknown() -> Self {
        let id = |prefix: &str| format!("{prefix}_01ARZ3NDEKTSV4RRFFQ69G5FAV");
        Self {
            vault: id("avl"),
            project: id("apr"),
            folder: id("afl"),
            asset: id("ast"),
            cursor: "bm90IGEgY3Vyc29y".to_owned(),
        }
    }
}

/// Makes a call whose field names a thing of `there`; whatever else it must name is of `here`.
type Input = fn(there: &Things, here: &Things) -> Value;

/// Tool, field, call.
pub(super) const PROBES: &[(&str, &str, Input)] = &[
    ("image_asset_save", "vault", |there, _| {
        picture(json!({ "vault": there.vault }))
    }),
    ("image_asset_save", "projectId", |there, here| {
        picture(json!({ "vault": here.vault, "projectId": there.project }))
    }),
    ("image_asset_save", "folderId", |there, here| {
        picture(json!({ "vault": here.vault, "projectId": here.project, "folderId": there.folder }))
    }),
    (
        "image_asset_get",
        "assetId",
        |there, _| json!({ "assetId": there.asset, "links": ["original"] }),
    ),
    (
        "image_asset_search",
        "assetId",
        |there, _| json!({ "assetId": there.asset }),
    ),
    (
        "image_asset_search",
        "vaults",
        |there, here| json!({ "query": "red", "vaults": [here.vault, there.vault] }),
    ),
    (
        "image_asset_search",
        "projectId",
        |there, _| json!({ "query": "red", "projectId": there.project }),
    ),
    (
        "image_asset_search",
        "folderId",
        |there, _| json!({ "query": "red", "folderId": there.folder }),
    ),
    (
        "image_asset_search",
        "cursor",
        |there, _| json!({ "query": "red", "cursor": there.cursor }),
    ),
    (
        "image_asset_list",
        "vaults",
        |there, here| json!({ "vaults": [here.vault, there.vault] }),
    ),
    (
        "image_asset_list",
        "projectId",
        |there, _| json!({ "projectId": there.project }),
    ),
    (
        "image_asset_list",
        "folderId",
        |there, _| json!({ "folderId": there.folder, "includeDescendants": true }),
    ),
    (
        "image_asset_list",
        "cursor",
        |there, _| json!({ "cursor": there.cursor }),
    ),
    (
        "image_asset_move",
        "assetIds",
        |there, _| json!({ "assetIds": [there.asset], "unfiled": true }),
    ),
    (
        "image_asset_move",
        "projectId",
        |there, here| json!({ "assetIds": [here.asset], "projectId": there.project }),
    ),
    (
        "image_asset_move",
        "folderId",
        |there, here| json!({ "assetIds": [here.asset], "projectId": here.project, "folderId": there.folder }),
    ),
    (
        "image_asset_delete",
        "assetIds",
        |there, _| json!({ "assetIds": [there.asset] }),
    ),
    (
        "image_project_create",
        "vault",
        |there, _| json!({ "vault": there.vault, "name": "New" }),
    ),
    (
        "image_project_list",
        "vaults",
        |there, here| json!({ "vaults": [there.vault, here.vault] }),
    ),
    (
        "image_project_list",
        "cursor",
        |there, _| json!({ "cursor": there.cursor }),
    ),
    (
        "image_folder_create",
        "projectId",
        |there, _| json!({ "projectId": there.project, "name": "New" }),
    ),
    (
        "image_folder_create",
        "parentId",
        |there, here| json!({ "projectId": here.project, "parentId": there.folder, "name": "New" }),
    ),
    (
        "image_folder_list",
        "projectId",
        |there, _| json!({ "projectId": there.project }),
    ),
    (
        "image_folder_list",
        "cursor",
        |there, here| json!({ "projectId": here.project, "cursor": there.cursor }),
    ),
    (
        "vault_list",
        "cursor",
        |there, _| json!({ "cursor": there.cursor }),
    ),
];

fn picture(mut input: Value) -> Value {
    input["imageBase64"] = pictures::base64(&pictures::plain([90, 90, 10])).into();
    input
}
