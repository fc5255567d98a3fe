//! `image_asset_get`: returns what is remembered about one image.

use std::time::Duration;

use common::{
    contract::{Meta, Read, Scope, Target, Toolset},
    domain::status::{AssetStatus, EmbeddingStatus, ObjectStatus},
    error::{Error, ErrorCode, Result},
    ids::AssetId,
    limits,
    store::{
        access::VaultAccess,
        access_log,
        assets::{self, Asset, JobView},
    },
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    Cx, InVault, Tool,
    fields::{
        Failure, Link, Notice, instant, notices,
        pictures::{self, Picture},
        previews::{Shown, original_link, preview_link},
    },
};

/// How often a waiting call looks, per second.
const LOOKS_A_SECOND: u32 = 4;

/// A link to ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LinkKind {
    /// The sanitized WebP preview, longest edge 2,048 pixels.
    Preview,
    /// The original bytes, unchanged.
    Original,
}

/// Which image, and what of it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Input {
    /// The asset, `ast_01J…`, as a save, list or search gave it.
    pub asset_id: AssetId,
    /// Links wanted, at most 2: `preview` (WebP), `original` (unchanged bytes). Default: none.
    #[schemars(length(max = 2))]
    pub links: Option<Vec<LinkKind>>,
    /// Seconds, 0 to 20, to wait for a saved image to become ready or failed. Default: 0.
    #[schemars(range(max = 20))]
    pub wait_seconds: Option<u32>,
    /// Over MCP: whether the picture comes along, at most 1,024 pixels long. Default: false.
    pub show_preview: Option<bool>,
}

/// State of one wanted vector.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RepresentationState {
    /// `visual` or `fused`.
    pub representation: String,
    /// The model.
    pub model: String,
    /// `queued`, `running`, `retry`, `done`, `failed`, `cancelled` or `unknown_execution`.
    pub status: String,
    /// Attempts so far.
    pub attempts: i32,
    /// Most attempts in all.
    pub max_attempts: i32,
    /// When it is attempted again, while it waits.
    pub next_attempt_at: Option<String>,
    /// When it ended.
    pub completed_at: Option<String>,
    /// What went wrong last.
    pub last_failure: Option<Failure>,
}

/// What is remembered.
#[derive(Debug, Serialize, JsonSchema)]
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
    /// What it shows or is for.
    #[schemars(extend("x-untrusted" = true))]
    pub description: Option<String>,
    /// Alternative text.
    #[schemars(extend("x-untrusted" = true))]
    pub alt_text: Option<String>,
    /// Its tags, folded and sorted.
    #[schemars(extend("x-untrusted" = true))]
    pub tags: Vec<String>,
    /// `upload`, `scrape`, `screenshot`, `instagram`, `external_url` or `import`.
    pub source_kind: String,
    /// Where it was fetched from.
    #[schemars(extend("x-untrusted" = true))]
    pub source_url: Option<String>,
    /// Host of its source.
    #[schemars(extend("x-untrusted" = true))]
    pub source_host: Option<String>,
    /// Provenance as the saver gave it.
    #[schemars(extend("x-untrusted" = true))]
    pub source_ref: Option<Value>,
    /// Data of the saver's own.
    #[schemars(extend("x-untrusted" = true))]
    pub metadata: Option<Value>,
    /// Type of the original.
    pub mime_type: String,
    /// Bytes of the original.
    pub bytes: i64,
    /// SHA-256 of the original, lowercase hex.
    pub sha256: String,
    /// Width in pixels, upright.
    pub width: i32,
    /// Height in pixels, upright.
    pub height: i32,
    /// Whether it has more than one frame; preview and search use the first.
    pub animated: bool,
    /// `processing`, `ready` or `failed`.
    pub status: String,
    /// `pending`, `running`, `ready`, `partial` or `failed`.
    pub embedding_status: String,
    /// Whether the bytes were found to be bad: then there is no link and no search hit.
    pub quarantined: bool,
    /// Why it failed, if it did.
    pub failure: Option<Failure>,
    /// State of each wanted vector.
    pub representations: Vec<RepresentationState>,
    /// What was accepted although unusual.
    pub warnings: Vec<Notice>,
    /// When it was saved, in UTC.
    pub created_at: String,
    /// When it last changed, in UTC.
    pub updated_at: String,
    /// Link to the preview, where it was asked for.
    pub preview: Option<Link>,
    /// Link to the original, where it was asked for.
    pub original: Option<Link>,
    #[serde(skip)]
    picture: Option<Picture>,
}

/// The tool.
pub struct ImageAssetGet;

impl Tool for ImageAssetGet {
    const META: Meta = Meta {
        name: "image_asset_get",
        title: "Get image",
        description: "Return all that is remembered about one image: texts, tags, place, size, state, failures. On \
                      request it shows the picture, makes links to preview or original that end within five \
                      minutes, or waits until search finds the image. To find its id, use image_asset_search or \
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
        Target::Assets(vec![input.asset_id.clone()])
    }

    async fn call(cx: Cx<'_, VaultAccess<Read>>, input: Input) -> Result<Output> {
        let wait = input.wait_seconds.unwrap_or(0);
        if wait > limits::WAIT_SECONDS_MAX {
            let message = format!("waitSeconds is at most {}", limits::WAIT_SECONDS_MAX);
            return Err(Error::new(ErrorCode::InvalidArgument, message));
        }
        let (asset, jobs) = settled(&cx, &input.asset_id, wait * LOOKS_A_SECOND).await?;
        let links = input.links.unwrap_or_default();
        let (preview, original) = sign(&cx, &asset, &links).await?;
        let picture = show(&cx, &asset, input.show_preview.unwrap_or(false)).await?;
        let output = output(&cx, asset, &jobs, preview, original)?;
        Ok(Output { picture, ..output })
    }

    fn picture(output: &mut Output) -> Option<Picture> {
        output.picture.take()
    }
}

/// Reads the asset, again and again while the caller wants to wait and there is something to wait for.
async fn settled(
    cx: &Cx<'_, VaultAccess<Read>>,
    id: &AssetId,
    mut looks: u32,
) -> Result<(Asset, Vec<JobView>)> {
    loop {
        let read = cx
            .app
            .store
            .run_tx("image_asset_get", &cx.access, |tx| async move {
                assets::get(&tx, &cx.access, id).await
            });
        let (asset, jobs) = read.await?;
        let waiting = matches!(
            asset.embedding_status,
            EmbeddingStatus::Pending | EmbeddingStatus::Running
        );
        if !waiting || looks == 0 {
            return Ok((asset, jobs));
        }
        looks -= 1;
        tokio::time::sleep(Duration::from_secs(1) / LOOKS_A_SECOND).await;
    }
}

fn refuse_quarantined(asset: &Asset) -> Result<()> {
    if asset.object_status == ObjectStatus::Quarantined {
        let message = "these bytes are quarantined, so they are neither linked nor shown";
        return Err(Error::new(ErrorCode::Quarantined, message));
    }
    Ok(())
}

async fn show(
    cx: &Cx<'_, VaultAccess<Read>>,
    asset: &Asset,
    wanted: bool,
) -> Result<Option<Picture>> {
    if !(wanted && cx.pictures) {
        return Ok(None);
    }
    refuse_quarantined(asset)?;
    let shown = Shown {
        id: &asset.id,
        vault: cx.access.vault(),
        key: &asset.preview_storage_key,
    };
    let vaults = &[cx.access.as_read()];
    let picture = pictures::preview(cx.app, vaults, ImageAssetGet::META.name, shown).await?;
    Ok(Some(picture))
}

async fn sign(
    cx: &Cx<'_, VaultAccess<Read>>,
    asset: &Asset,
    links: &[LinkKind],
) -> Result<(Option<Link>, Option<Link>)> {
    if links.is_empty() {
        return Ok((None, None));
    }
    refuse_quarantined(asset)?;
    let now = cx.app.clock.now();
    let noted = cx
        .app
        .store
        .run_tx("image_asset_get.link", &cx.access, |tx| async move {
            access_log::link(&tx, &cx.access, "image_asset_get", &asset.id, now).await
        });
    noted.await?;
    let name = asset.id.as_str();
    let preview = match links.contains(&LinkKind::Preview) {
        true => Some(preview_link(cx.app, &asset.preview_storage_key, name).await?),
        false => None,
    };
    let original = match links.contains(&LinkKind::Original) {
        true => Some(original_link(cx.app, &asset.storage_key, &asset.extension, name).await?),
        false => None,
    };
    Ok((preview, original))
}

fn output(
    cx: &Cx<'_, VaultAccess<Read>>,
    asset: Asset,
    jobs: &[JobView],
    preview: Option<Link>,
    original: Option<Link>,
) -> Result<Output> {
    let failure = asset
        .failure_code
        .as_deref()
        .map(|code| Failure::stored(code, asset.failure_message.as_deref()));
    Ok(Output {
        warnings: notices(&asset.warnings),
        created_at: instant(asset.created_at)?,
        updated_at: instant(asset.updated_at)?,
        representations: jobs.iter().map(representation).collect::<Result<_>>()?,
        asset_id: asset.id.to_string(),
        vault_id: cx.access.vault().to_string(),
        project_id: asset.project_id.map(|id| id.to_string()),
        folder_id: asset.folder_id.map(|id| id.to_string()),
        title: asset.title,
        description: asset.description,
        alt_text: asset.alt_text,
        tags: asset.tags,
        source_kind: asset.source_kind,
        source_url: asset.source_url,
        source_host: asset.source_host,
        source_ref: asset.source_ref,
        metadata: asset.metadata,
        mime_type: asset.mime_type,
        bytes: asset.bytes,
        sha256: asset.sha256,
        width: asset.size.0,
        height: asset.size.1,
        animated: asset.animated,
        failure: failure.filter(|_| {
            asset.status == AssetStatus::Failed
                || asset.embedding_status == EmbeddingStatus::Partial
        }),
        status: asset.status.name().to_owned(),
        embedding_status: asset.embedding_status.name().to_owned(),
        quarantined: asset.object_status == ObjectStatus::Quarantined,
        preview,
        original,
        picture: None,
    })
}

fn representation(job: &JobView) -> Result<RepresentationState> {
    let last_failure = job
        .last_error_code
        .as_deref()
        .map(|code| Failure::stored(code, job.last_error.as_deref()));
    Ok(RepresentationState {
        representation: job.representation.name().to_owned(),
        model: job.model.clone(),
        status: job.status.name().to_owned(),
        attempts: job.attempts,
        max_attempts: job.max_attempts,
        next_attempt_at: (!job.status.is_settled())
            .then(|| instant(job.run_after))
            .transpose()?,
        completed_at: job.completed_at.map(instant).transpose()?,
        last_failure,
    })
}
