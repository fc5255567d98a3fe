//! `image_asset_search`: finds images by words, by a picture, or by both.

mod query;

use common::{
    contract::{Meta, Scope, Target, Toolset},
    domain::{
        cursor::{Cursor, CursorCodec, Position},
        fusion::{FusedHit, Leg, fuse},
        status::{Representation, SourceKind},
    },
    error::Result,
    ids::{AssetId, FolderId, ProjectId, QueryId},
    limits,
    store::{
        access::VaultsAccess,
        assets::{self, Found},
        filters::Filter,
        search::{self, Census},
    },
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::query::Asked;
use super::{
    Cx, InVaults, Tool,
    fields::{
        Link, filters, instant,
        pages::{LINK_BYTES, fitting, page_size, text_bytes},
        pictures::{Picture, contact_sheet},
        places::{Named, Place, locate},
        previews::{Shown, preview_links},
        refs::VaultRefs,
    },
};

/// What to look for, and where.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Input {
    /// What the picture shows, 1 to 2,000 characters, such as `a red car in the snow`.
    pub query: Option<String>,
    /// Saved image, `ast_01J…`, to find similar ones to; excludes `imageBase64`.
    pub asset_id: Option<AssetId>,
    /// Picture to find similar ones to, in base64, at most 4 MiB decoded; it is not kept.
    pub image_base64: Option<String>,
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
    /// Results a page, 1 to 30. Default: 10.
    #[schemars(range(min = 1, max = 30))]
    pub limit: Option<usize>,
    /// `nextCursor` of the page before; repeat all else unchanged.
    pub cursor: Option<String>,
    /// Whether each result tells how it was ranked. Default: false.
    pub explain: Option<bool>,
    /// Whether each image has a preview link, good for five minutes. Default: false.
    pub previews: Option<bool>,
    /// Over MCP: whether one picture shows all results as numbered tiles, from 1. Default: false.
    pub contact_sheet: Option<bool>,
}

/// How one representation of a result was ranked.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// `visual` or `fused`.
    pub representation: String,
    /// Its place among the hits of that representation, from 1.
    pub rank: usize,
    /// Its cosine.
    pub cosine: f64,
}

/// One image.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// The asset.
    pub asset_id: String,
    /// The vault it is in.
    pub vault_id: String,
    /// Its title.
    #[schemars(extend("x-untrusted" = true))]
    pub title: String,
    /// Type of the original.
    pub mime_type: String,
    /// Width in pixels, upright.
    pub width: i32,
    /// Height in pixels, upright.
    pub height: i32,
    /// Its project, if any.
    pub project_id: Option<String>,
    /// Its folder, if any.
    pub folder_id: Option<String>,
    /// Where it was fetched from.
    #[schemars(extend("x-untrusted" = true))]
    pub source_url: Option<String>,
    /// Where it comes from.
    pub source_kind: String,
    /// Its tags.
    #[schemars(extend("x-untrusted" = true))]
    pub tags: Vec<String>,
    /// When it was saved, in UTC.
    pub created_at: String,
    /// Best cosine with the query, -1 to 1; results are ordered by rank over all representations.
    pub score: f64,
    /// Representations that matched: `visual`, `fused`.
    pub match_representations: Vec<String>,
    /// Model whose vectors were compared.
    pub embedding_model: String,
    /// How it was ranked, where that was asked for.
    pub explanation: Option<Vec<Explanation>>,
    /// Link to the preview, where it was asked for.
    pub preview: Option<Link>,
}

/// The images found.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Best first. No score means "not found": the nearest come even when none is near.
    pub results: Vec<Row>,
    /// How candidates were compared: `exact`.
    pub path: String,
    /// Vectors in the searched vaults.
    pub candidates: i64,
    /// Images in the searched vaults that cannot be found yet, because they have no vector of the model.
    pub unsearchable: i64,
    /// Whether nothing comes after this page.
    pub exhausted: bool,
    /// Cursor of the next page.
    pub next_cursor: Option<String>,
    #[serde(skip)]
    sheet: Option<Picture>,
}

/// The tool.
pub struct ImageAssetSearch;

impl Tool for ImageAssetSearch {
    const META: Meta = Meta {
        name: "image_asset_search",
        title: "Search images",
        description: "Find saved images by what they show: by words, a picture, or both. Returns the nearest \
                      first, with a score, even when none is near; `unsearchable` counts images that cannot be \
                      found yet. For all of a folder, a tag or a month, use image_asset_list.",
        read_only: true,
        destructive: false,
        idempotent: true,
        open_world: false,
        scope: Scope::Read,
        toolset: Toolset::Core,
        search: true,
    };
    type Input = Input;
    type Output = Output;
    type Needs = InVaults;

    fn target(input: &Input) -> Target {
        Target::Vaults(input.vaults.as_ref().map(VaultRefs::to_vec))
    }

    async fn call(cx: Cx<'_, VaultsAccess>, input: Input) -> Result<Output> {
        let page = Page::of(&input)?;
        let filter = filter(&input)?;
        let asked = Asked::of(&input)?;
        let places = locate(cx.app, &cx.access, place(&input)).await?;
        let codec = CursorCodec::new(
            &cx.app.tokens,
            "image_asset_search",
            cx.access.own().caller(),
            &asked.binding(&input),
        );
        let start = input
            .cursor
            .as_deref()
            .map(|token| codec.decode(token))
            .transpose()?;
        let embedded = query::vector(&cx, &asked, start.as_ref()).await?;
        let (hits, census) = rank(&cx, &places, &embedded.vector, &filter).await?;
        let found = reload(&cx, &places, &hits).await?;
        let rows: Vec<(&FusedHit, &Found)> = ready(&hits, &found);
        let offset = start.as_ref().map_or(0, offset_of);
        let fit = fitting(
            rows.iter()
                .skip(offset)
                .map(|(_, found)| page.weight(found)),
        );
        let limit = fit.min(page.limit);
        let shown: Vec<_> = rows.iter().skip(offset).take(limit).copied().collect();
        let end = offset + shown.len();
        let more = end < rows.len();
        let query_id = query::conclude(&cx, &asked, embedded, shown.len(), more).await?;
        let next_cursor = more
            .then(|| codec.encode(&next(end, query_id)))
            .transpose()?;
        let previews = previews(&cx, &shown, page.previews).await?;
        let sheet = sheet(&cx, &shown, page.sheet).await?;
        let model = cx.app.embedder.model();
        let results = shown
            .into_iter()
            .zip(previews)
            .map(|((hit, found), preview)| row(hit, found, model, page.explain, preview));
        Ok(Output {
            results: results.collect::<Result<_>>()?,
            path: "exact".to_owned(),
            candidates: census.candidates,
            unsearchable: census.unsearchable,
            exhausted: !more,
            next_cursor,
            sheet,
        })
    }

    fn picture(output: &mut Output) -> Option<Picture> {
        output.sheet.take()
    }
}

struct Page {
    limit: usize,
    explain: bool,
    previews: bool,
    sheet: bool,
}

impl Page {
    fn of(input: &Input) -> Result<Self> {
        let limit = page_size(input.limit, 10, limits::SEARCH_PAGE_MAX)?;
        Ok(Self {
            limit,
            explain: input.explain.unwrap_or(false),
            previews: input.previews.unwrap_or(false),
            sheet: input.contact_sheet.unwrap_or(false),
        })
    }

    /// Bytes of a row in the answer, about.
    fn weight(&self, found: &Found) -> usize {
        let texts = text_bytes([Some(found.title.as_str()), found.source_url.as_deref()]);
        let tags: usize = found.tags.iter().map(|tag| tag.len() + 3).sum();
        let explained = if self.explain { 150 } else { 0 };
        480 + texts + tags + explained + if self.previews { LINK_BYTES } else { 0 }
    }
}

fn filter(input: &Input) -> Result<Filter> {
    filters::read(&filters::Sent {
        tags: input.tags.as_deref(),
        source_kinds: input.source_kinds.as_deref(),
        source_hosts: input.source_hosts.as_deref(),
        mime_types: input.mime_types.as_deref(),
        created_from: input.created_from.as_deref(),
        created_before: input.created_before.as_deref(),
    })
}

fn place(input: &Input) -> Named<'_> {
    Named {
        project: input.project_id.as_ref(),
        folder: input.folder_id.as_ref(),
        descendants: input.include_descendants.unwrap_or(false),
    }
}

/// All hits in their final order, over all owners at once.
async fn rank(
    cx: &Cx<'_, VaultsAccess>,
    places: &[Place],
    query: &[f32],
    filter: &Filter,
) -> Result<(Vec<FusedHit>, Census)> {
    let model = cx.app.embedder.model();
    let leg = |representation| search::Leg {
        model,
        representation,
        query,
    };
    let (mut legs, mut total) = (Vec::new(), Census::default());
    for Place { vaults, area } in places {
        let searched =
            cx.app
                .store
                .run_tx("image_asset_search.rank", &vaults[0], |tx| async move {
                    let (visual, fused, census) = futures_util::join!(
                        search::exact(&tx, vaults, leg(Representation::Visual), (area, filter)),
                        search::exact(&tx, vaults, leg(Representation::Fused), (area, filter)),
                        search::census(&tx, vaults, model)
                    );
                    Ok((visual?, fused?, census?))
                });
        let (visual, fused, census) = searched.await?;
        legs.push(Leg {
            representation: Representation::Visual,
            hits: visual,
        });
        legs.push(Leg {
            representation: Representation::Fused,
            hits: fused,
        });
        total.candidates += census.candidates;
        total.unsearchable += census.unsearchable;
    }
    let mut hits = fuse(&legs)?;
    hits.truncate(limits::SEARCH_TOTAL_MAX);
    Ok((hits, total))
}

async fn reload(
    cx: &Cx<'_, VaultsAccess>,
    places: &[Place],
    hits: &[FusedHit],
) -> Result<Vec<Found>> {
    let ids: Vec<AssetId> = hits.iter().map(|hit| hit.asset_id.clone()).collect();
    let mut found = Vec::new();
    for Place { vaults, .. } in places {
        let ids = &ids;
        let reloaded =
            cx.app
                .store
                .run_tx("image_asset_search.reload", &vaults[0], |tx| async move {
                    assets::reload(&tx, vaults, ids).await
                });
        found.extend(reloaded.await?);
    }
    Ok(found)
}

/// Hits that may be shown, in their order.
fn ready<'a>(hits: &'a [FusedHit], found: &'a [Found]) -> Vec<(&'a FusedHit, &'a Found)> {
    let by_id: std::collections::HashMap<_, _> =
        found.iter().map(|found| (&found.id, found)).collect();
    hits.iter()
        .filter_map(|hit| Some((hit, *by_id.get(&hit.asset_id)?)))
        .collect()
}

fn offset_of(cursor: &Cursor) -> usize {
    match cursor.position {
        Position::Offset(offset) => usize::try_from(offset).unwrap_or(usize::MAX),
        // Our own search cursors hold offsets alone; another kind never verifies.
        Position::After { .. } => 0,
    }
}

fn next(end: usize, query_id: Option<QueryId>) -> Cursor {
    Cursor {
        position: Position::Offset(u32::try_from(end).unwrap_or(u32::MAX)),
        query_id,
    }
}

fn to_show<'a>(rows: &[(&FusedHit, &'a Found)]) -> impl Iterator<Item = Shown<'a>> {
    rows.iter().map(|(_, found)| Shown {
        id: &found.id,
        vault: &found.vault,
        key: &found.preview_storage_key,
    })
}

async fn previews(
    cx: &Cx<'_, VaultsAccess>,
    rows: &[(&FusedHit, &Found)],
    wanted: bool,
) -> Result<Vec<Option<Link>>> {
    if !wanted {
        return Ok(rows.iter().map(|_| None).collect());
    }
    let shown: Vec<Shown<'_>> = to_show(rows).collect();
    let vaults = cx.access.vaults();
    let links = preview_links(cx.app, vaults, ImageAssetSearch::META.name, &shown).await?;
    Ok(links.into_iter().map(Some).collect())
}

async fn sheet(
    cx: &Cx<'_, VaultsAccess>,
    rows: &[(&FusedHit, &Found)],
    wanted: bool,
) -> Result<Option<Picture>> {
    if !(wanted && cx.pictures) {
        return Ok(None);
    }
    let shown: Vec<_> = to_show(rows).map(Some).collect();
    let vaults = cx.access.vaults();
    contact_sheet(cx.app, vaults, ImageAssetSearch::META.name, &shown).await
}

fn row(
    hit: &FusedHit,
    found: &Found,
    model: &str,
    explain: bool,
    preview: Option<Link>,
) -> Result<Row> {
    let explanation = explain.then(|| {
        hit.matches.iter().map(|matched| Explanation {
            representation: matched.representation.name().to_owned(),
            rank: matched.rank,
            cosine: shown_cosine(matched.cosine),
        })
    });
    Ok(Row {
        asset_id: found.id.to_string(),
        vault_id: found.vault.to_string(),
        title: found.title.clone(),
        mime_type: found.mime_type.clone(),
        width: found.size.0,
        height: found.size.1,
        project_id: found.project_id.as_ref().map(ToString::to_string),
        folder_id: found.folder_id.as_ref().map(ToString::to_string),
        source_url: found.source_url.clone(),
        source_kind: found.source_kind.clone(),
        tags: found.tags.clone(),
        created_at: instant(found.created_at)?,
        score: shown_cosine(hit.score),
        match_representations: hit
            .matches
            .iter()
            .map(|matched| matched.representation.name().to_owned())
            .collect(),
        embedding_model: model.to_owned(),
        explanation: explanation.map(Iterator::collect),
        preview,
    })
}

/// A cosine as answers carry it: more digits than six say nothing.
fn shown_cosine(cosine: f32) -> f64 {
    (f64::from(cosine) * 1e6).round() / 1e6
}
