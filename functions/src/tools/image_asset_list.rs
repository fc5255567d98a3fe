//! `image_asset_list`: lists images by exact filters, in a stable order.

mod page;

use common::{
    contract::{Meta, Scope, Target, Toolset},
    domain::status::SourceKind,
    error::Result,
    ids::{FolderId, ProjectId},
    store::{access::VaultsAccess, assets::listing::Listed},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::page::Page;
use super::{
    Cx, InVaults, Tool,
    fields::{
        Link, instant,
        pictures::{Picture, contact_sheet},
        previews::{Shown, preview_links},
        refs::VaultRefs,
    },
};

/// In which order a list comes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    /// Newest first.
    #[default]
    Created,
    /// By title, whatever the case.
    Title,
}

/// A state to filter by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Saved, not found by search yet.
    Processing,
    /// Found by search.
    Ready,
    /// Saved, but its picture could not be embedded.
    Failed,
}

/// A state of the embedding to filter by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Embedding {
    /// No attempt has begun.
    Pending,
    /// Some vector is still to come.
    Running,
    /// All vectors exist.
    Ready,
    /// The picture's vector exists, the one with its words failed.
    Partial,
    /// The picture's vector failed.
    Failed,
}

/// Which images, and in which order.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Input {
    /// 1 to 100 vaults, by own handle or `avl_…` id. Default: all that you may read.
    pub vaults: Option<VaultRefs>,
    /// Only in this project.
    pub project_id: Option<ProjectId>,
    /// Only in this folder.
    pub folder_id: Option<FolderId>,
    /// Whether folders inside it count too. Default: false.
    pub include_descendants: Option<bool>,
    /// Only with all of these tags, at most 32.
    #[schemars(length(max = 32))]
    pub tags: Option<Vec<String>>,
    /// Only of these source kinds, at most 6.
    #[schemars(length(max = 6))]
    pub source_kinds: Option<Vec<SourceKind>>,
    /// Only from these hosts, at most 32, such as `example.com`.
    #[schemars(length(max = 32))]
    pub source_hosts: Option<Vec<String>>,
    /// Only of these types, at most 4, such as `image/png`.
    #[schemars(length(max = 4))]
    pub mime_types: Option<Vec<String>>,
    /// Only saved at or after this instant, such as `2026-05-01T00:00:00Z`.
    pub created_from: Option<String>,
    /// Only saved before this instant, as in `createdFrom`.
    pub created_before: Option<String>,
    /// Only in these states, at most 3.
    #[schemars(length(max = 3))]
    pub statuses: Option<Vec<Status>>,
    /// Only with an embedding in these states, at most 5.
    #[schemars(length(max = 5))]
    pub embedding_statuses: Option<Vec<Embedding>>,
    /// In which order. Default: `created`.
    pub sort: Option<Sort>,
    /// Images a page, 1 to 100. Default: 50.
    #[schemars(range(min = 1, max = 100))]
    pub limit: Option<usize>,
    /// `nextCursor` of the page before; repeat all else unchanged.
    pub cursor: Option<String>,
    /// Whether each image has a preview link, good for five minutes. Default: false.
    pub previews: Option<bool>,
    /// Over MCP: whether one picture shows the first 30 images as numbered tiles, from 1. Default: false.
    pub contact_sheet: Option<bool>,
}

/// One image. `image_asset_get` tells more.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Row {
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
    /// Its tags.
    #[schemars(extend("x-untrusted" = true))]
    pub tags: Vec<String>,
    /// Where it comes from.
    pub source_kind: String,
    /// Where it was fetched from.
    #[schemars(extend("x-untrusted" = true))]
    pub source_url: Option<String>,
    /// Host of its source.
    #[schemars(extend("x-untrusted" = true))]
    pub source_host: Option<String>,
    /// Type of the original.
    pub mime_type: String,
    /// Bytes of the original.
    pub bytes: i64,
    /// Width in pixels, upright.
    pub width: i32,
    /// Height in pixels, upright.
    pub height: i32,
    /// `processing`, `ready` or `failed`.
    pub status: String,
    /// `pending`, `running`, `ready`, `partial` or `failed`.
    pub embedding_status: String,
    /// Whether the bytes were found to be bad: then there is no link and no search hit.
    pub quarantined: bool,
    /// When it was saved, in UTC.
    pub created_at: String,
    /// When it last changed, in UTC.
    pub updated_at: String,
    /// Link to the preview, where it was asked for.
    pub preview: Option<Link>,
}

/// A page of images.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// In the order asked for; images of equal rank by id.
    pub assets: Vec<Row>,
    /// Cursor of the next page.
    pub next_cursor: Option<String>,
    #[serde(skip)]
    sheet: Option<Picture>,
}

/// The tool.
pub struct ImageAssetList;

impl Tool for ImageAssetList {
    const META: Meta = Meta {
        name: "image_asset_list",
        title: "List images",
        description: "List saved images by exact filters: place, tags, source, type, date, state. Nothing is left \
                      out or ranked; go on with nextCursor while there is one. To find images by what they show, \
                      use image_asset_search; for all about one, image_asset_get.",
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
        let Page { rows, next_cursor } = page::read(&cx, &input).await?;
        let previews = previews(&cx, &rows, input.previews.unwrap_or(false)).await?;
        let sheet = sheet(&cx, &rows, input.contact_sheet.unwrap_or(false)).await?;
        let rows = rows.into_iter().zip(previews);
        Ok(Output {
            assets: rows
                .map(|(listed, preview)| row(listed, preview))
                .collect::<Result<_>>()?,
            next_cursor,
            sheet,
        })
    }

    fn picture(output: &mut Output) -> Option<Picture> {
        output.sheet.take()
    }
}

/// What may be shown of each row; of quarantined ones nothing.
fn shown(rows: &[Listed]) -> impl Iterator<Item = Option<Shown<'_>>> {
    rows.iter().map(|row| {
        (!page::quarantined(row)).then_some(Shown {
            id: &row.id,
            vault: &row.vault,
            key: &row.preview_storage_key,
        })
    })
}

async fn sheet(
    cx: &Cx<'_, VaultsAccess>,
    rows: &[Listed],
    wanted: bool,
) -> Result<Option<Picture>> {
    if !(wanted && cx.pictures) {
        return Ok(None);
    }
    let shown: Vec<_> = shown(rows).collect();
    contact_sheet(
        cx.app,
        cx.access.vaults(),
        ImageAssetList::META.name,
        &shown,
    )
    .await
}

/// A link for each row that may be shown.
async fn previews(
    cx: &Cx<'_, VaultsAccess>,
    rows: &[Listed],
    wanted: bool,
) -> Result<Vec<Option<Link>>> {
    if !wanted {
        return Ok(rows.iter().map(|_| None).collect());
    }
    let some: Vec<Shown<'_>> = shown(rows).flatten().collect();
    let vaults = cx.access.vaults();
    let links = preview_links(cx.app, vaults, ImageAssetList::META.name, &some).await?;
    let mut links = links.into_iter();
    Ok(shown(rows)
        .map(|row| row.and_then(|_| links.next()))
        .collect())
}

fn row(listed: Listed, preview: Option<Link>) -> Result<Row> {
    Ok(Row {
        quarantined: page::quarantined(&listed),
        asset_id: listed.id.to_string(),
        vault_id: listed.vault.to_string(),
        project_id: listed.project_id.map(|id| id.to_string()),
        folder_id: listed.folder_id.map(|id| id.to_string()),
        title: listed.title,
        description: listed.description,
        alt_text: listed.alt_text,
        tags: listed.tags,
        source_kind: listed.source_kind,
        source_url: listed.source_url,
        source_host: listed.source_host,
        mime_type: listed.mime_type,
        bytes: listed.bytes,
        width: listed.size.0,
        height: listed.size.1,
        status: listed.status.name().to_owned(),
        embedding_status: listed.embedding_status.name().to_owned(),
        created_at: instant(listed.created_at)?,
        updated_at: instant(listed.updated_at)?,
        preview,
    })
}
