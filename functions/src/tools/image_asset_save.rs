//! `image_asset_save`: keeps an image and queues its embedding.

use common::{
    contract::{Meta, Scope, Target, Toolset, VaultRef, Write},
    domain::{image_input::decode_image, status::SourceKind},
    error::Result,
    ids::{FolderId, ProjectId},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Cx, InVault, Tool};
use crate::intake::{self, OnDuplicate, Picture, Saved, Sent, Wishes};

/// What to save, and where.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Input {
    /// Vault to save into: an own handle or an `avl_01J…` id. Default: `Library`.
    pub vault: Option<VaultRef>,
    /// Project of that vault, `apr_01J…`. Default: none, Unfiled.
    pub project_id: Option<ProjectId>,
    /// Folder of that project, `afl_01J…`; needs `projectId` beside it.
    pub folder_id: Option<FolderId>,
    /// The bytes in base64, at most 4 MiB decoded: JPEG, PNG, WebP or GIF. A `data:` prefix is allowed.
    #[schemars(length(min = 1))]
    pub image_base64: String,
    /// Type such as `image/png`; it must not contradict the bytes. Default: what the bytes say.
    pub mime_type: Option<String>,
    /// Short title, 1 to 240 characters. Default: `Untitled image`.
    pub title: Option<String>,
    /// What it is for, and more of what it shows, at most 4,000 characters; search reads it.
    pub description: Option<String>,
    /// What the picture shows, at most 1,000 characters; search reads it.
    pub alt_text: Option<String>,
    /// At most 32 words to filter by, such as `receipt`, of 1 to 64 characters.
    #[schemars(length(max = 32))]
    pub tags: Option<Vec<String>>,
    /// Where it comes from. Default: `upload`.
    pub source_kind: Option<SourceKind>,
    /// Where exactly, such as `{"pageUrl": "https://…"}`: an object of at most 8 KiB, no secrets.
    pub source_ref: Option<Value>,
    /// Data of your own, such as `{"order": 17}`: an object of at most 8 KiB, no secrets.
    pub metadata: Option<Value>,
    /// Key of this save, 1 to 200 characters, such as `order-17`: the same key and request give the same asset.
    pub idempotency_key: Option<String>,
    /// What to do with bytes that the vault has already. Default: `reuse`.
    pub on_duplicate: Option<OnDuplicate>,
}

/// The tool.
pub struct ImageAssetSave;

impl Tool for ImageAssetSave {
    const META: Meta = Meta {
        name: "image_asset_save",
        title: "Save image",
        description: "Keep a picture for good, to be found again by what it shows. Send its bytes, and title, \
                      altText and tags when you know them. Returns the assetId at once; image_asset_get with \
                      waitSeconds waits until search finds it. To see what is there already, use \
                      image_asset_search.",
        read_only: false,
        destructive: false,
        idempotent: true,
        open_world: true,
        scope: Scope::Write,
        toolset: Toolset::Core,
        search: false,
    };
    type Input = Input;
    type Output = Saved;
    type Needs = InVault<Write>;

    fn target(input: &Input) -> Target {
        Target::Vault(input.vault.clone().unwrap_or_default())
    }

    async fn call(
        cx: Cx<'_, common::store::access::VaultAccess<Write>>,
        input: Input,
    ) -> Result<Saved> {
        let image = decode_image(&input.image_base64)?;
        let declared_type = input.mime_type.or(image.declared_type);
        let wishes = Wishes::clean(Sent {
            project_id: input.project_id,
            folder_id: input.folder_id,
            title: input.title,
            description: input.description,
            alt_text: input.alt_text,
            tags: input.tags,
            source_kind: input.source_kind,
            source_ref: input.source_ref,
            metadata: input.metadata,
            idempotency_key: input.idempotency_key,
            on_duplicate: input.on_duplicate,
        })?;
        let picture = Picture {
            bytes: image.bytes,
            declared_type,
        };
        // On the heap: the whole path of a save is one large future.
        Box::pin(intake::save(cx, picture, wishes)).await
    }
}
