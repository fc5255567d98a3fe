//! `image_asset_save`: keeps an image and queues its embedding.

use common::{
    auth::Scope,
    contract::{Meta, Target, Toolset, VaultRef, Write},
    domain::{image_input::decode_image, status::SourceKind},
    error::Result,
    ids::{FolderId, ProjectId},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Cx, InVault, Tool, fields::Notice};
use crate::intake::{self, OnDuplicate, Picture, Wishes};

/// What to save, and where.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Input {
    /// Vault to save into: a handle of your own or an `avl_` id. Default: `Library`.
    pub vault: Option<VaultRef>,
    /// Project of that vault. Default: Unfiled.
    pub project_id: Option<ProjectId>,
    /// Folder of that project; needs `projectId` beside it.
    pub folder_id: Option<FolderId>,
    /// The image itself in base64, at most 4 MiB decoded: JPEG, PNG, WebP or GIF. A `data:` prefix is allowed.
    #[schemars(length(min = 1))]
    pub image_base64: String,
    /// Type of the image, such as `image/png`; it must not contradict the bytes. Default: what the bytes say.
    pub mime_type: Option<String>,
    /// Short title, 1 to 240 characters. Default: `Untitled image`.
    pub title: Option<String>,
    /// What the picture shows or is for, at most 4,000 characters; helps search by words.
    pub description: Option<String>,
    /// Alternative text of the source, at most 1,000 characters; helps search by words.
    pub alt_text: Option<String>,
    /// At most 32 tags of 1 to 64 characters; case and order do not matter.
    #[schemars(length(max = 32))]
    pub tags: Option<Vec<String>>,
    /// Where it comes from. Default: `upload`.
    pub source_kind: Option<SourceKind>,
    /// Provenance of your own, such as `{"pageUrl": "https://…"}`: an object of at most 8 KiB, without secrets.
    pub source_ref: Option<Value>,
    /// Data of your own: an object of at most 8 KiB, without secrets.
    pub metadata: Option<Value>,
    /// Stable key of this save, 1 to 200 characters: the same key and request give the same asset.
    pub idempotency_key: Option<String>,
    /// What to do with bytes that are there already. Default: `reuse`.
    pub on_duplicate: Option<OnDuplicate>,
}

/// What was saved.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The asset.
    pub asset_id: String,
    /// The vault it is in.
    pub vault_id: String,
    /// Its project, if any.
    pub project_id: Option<String>,
    /// Its folder, if any.
    pub folder_id: Option<String>,
    /// Its title.
    #[schemars(extend("x-untrusted" = true))]
    pub title: String,
    /// Type that the bytes have.
    pub mime_type: String,
    /// Width in pixels, upright.
    pub width: i32,
    /// Height in pixels, upright.
    pub height: i32,
    /// SHA-256 of the original, lowercase hex.
    pub sha256: String,
    /// `processing` until the image can be found; ask `image_asset_get` with `waitSeconds`.
    pub status: String,
    /// `pending` until the worker begins.
    pub embedding_status: String,
    /// What was there already: `asset` (this is an earlier save's answer), `object` (the bytes) or `none`.
    pub deduplicated: String,
    /// Bytes that this save added to the quota's use.
    pub bytes_charged: i64,
    /// What was accepted although unusual.
    pub warnings: Vec<Notice>,
}

/// The tool.
pub struct ImageAssetSave;

impl Tool for ImageAssetSave {
    const META: Meta = Meta {
        name: "image_asset_save",
        title: "Save image",
        description: "Save an image to remember it: the original bytes are kept privately and the image becomes \
                      searchable by words and by similar pictures, usually within seconds. Returns at once with the \
                      asset's id. Saving the same image again within ten minutes returns the same asset.",
        read_only: false,
        destructive: false,
        idempotent: true,
        open_world: true,
        scope: Scope::Write,
        toolset: Toolset::Core,
        search: false,
    };
    type Input = Input;
    type Output = Output;
    type Needs = InVault<Write>;

    fn target(input: &Input) -> Target {
        Target::Vault(input.vault.clone().unwrap_or_default())
    }

    async fn call(cx: Cx<'_, common::store::access::VaultAccess<Write>>, input: Input) -> Result<Output> {
        let image = decode_image(&input.image_base64)?;
        let declared_type = input.mime_type.clone().or(image.declared_type);
        let wishes = Wishes::clean(input)?;
        let picture = Picture { bytes: image.bytes, declared_type };
        // On the heap: the whole path of a save is one large future.
        Box::pin(intake::save(cx, picture, wishes)).await
    }
}
