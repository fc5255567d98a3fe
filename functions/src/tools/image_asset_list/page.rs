//! One page over all owners: each owner's rows come in order, and are merged.

use common::{
    domain::status::{AssetStatus, EmbeddingStatus, ObjectStatus},
    error::{Error, ErrorCode, Result},
    limits::LIST_PAGE_MAX,
    store::{
        access::VaultsAccess,
        assets::listing::{self, Listed, Listing, Order},
    },
};
use serde_json::{Value, json};
use time::OffsetDateTime;

use super::{Cx, Embedding, ImageAssetList, Input, Sort, Status, Tool};
use crate::tools::fields::{
    filters,
    pages::{Key, LINK_BYTES, Pages, one_more, page_size, text_bytes},
    places::{Named, locate},
};

/// Rows of one page, and where the next one begins.
pub(super) struct Page {
    pub(super) rows: Vec<Listed>,
    pub(super) next_cursor: Option<String>,
}

/// Reads a page.
///
/// # Errors
/// `invalid_argument`, `invalid_cursor`; `not_found` for a project or folder; `database_unavailable`.
pub(super) async fn read(cx: &Cx<'_, VaultsAccess>, input: &Input) -> Result<Page> {
    let limit = page_size(input.limit, 50, LIST_PAGE_MAX)?;
    let sort = input.sort.unwrap_or_default();
    let mut listing = listing(input)?;
    let pages = Pages::new(
        cx.app,
        ImageAssetList::META.name,
        cx.access.own().caller(),
        &binding(input, sort),
    );
    let order = order(sort, pages.start(input.cursor.as_deref())?)?;
    let mut rows = Vec::new();
    for place in locate(cx.app, &cx.access, named(input)).await? {
        listing.area = place.area;
        let (vaults, listing, order) = (&place.vaults, &listing, &order);
        let read = cx
            .app
            .store
            .run_tx(ImageAssetList::META.name, &vaults[0], |tx| async move {
                listing::list(&tx, vaults, listing, order, one_more(limit)).await
            });
        rows.extend(read.await?);
    }
    match sort {
        Sort::Created => {
            rows.sort_by(|a, b| (b.created_at, b.id.as_str()).cmp(&(a.created_at, a.id.as_str())));
        }
        Sort::Title => {
            rows.sort_by(|a, b| (&a.title_key, a.id.as_str()).cmp(&(&b.title_key, b.id.as_str())));
        }
    }
    let linked = input.previews.unwrap_or(false);
    let next_cursor = pages.cut(
        &mut rows,
        limit,
        |row| weight(row, linked),
        |row| key(sort, row),
    )?;
    Ok(Page { rows, next_cursor })
}

/// Bytes of a row in the answer, about.
fn weight(row: &Listed, linked: bool) -> usize {
    let texts = [
        Some(row.title.as_str()),
        row.description.as_deref(),
        row.alt_text.as_deref(),
        row.source_url.as_deref(),
        row.source_host.as_deref(),
    ];
    let tags: usize = row.tags.iter().map(|tag| tag.len() + 3).sum();
    480 + text_bytes(texts) + tags + if linked { LINK_BYTES } else { 0 }
}

/// Whether an asset's bytes may be shown to nobody.
pub(super) fn quarantined(row: &Listed) -> bool {
    row.object_status == ObjectStatus::Quarantined
}

fn listing(input: &Input) -> Result<Listing> {
    let filter = filters::read(&filters::Sent {
        tags: input.tags.as_deref(),
        source_kinds: input.source_kinds.as_deref(),
        source_hosts: input.source_hosts.as_deref(),
        mime_types: input.mime_types.as_deref(),
        created_from: input.created_from.as_deref(),
        created_before: input.created_before.as_deref(),
    })?;
    let statuses = input.statuses.as_ref();
    let embedding = input.embedding_statuses.as_ref();
    Ok(Listing {
        filter,
        statuses: statuses.map(|wanted| wanted.iter().map(|status| stored(*status)).collect()),
        embedding_statuses: embedding
            .map(|wanted| wanted.iter().map(|status| embedded(*status)).collect()),
        ..Listing::default()
    })
}

const fn stored(status: Status) -> &'static str {
    match status {
        Status::Processing => AssetStatus::Processing.name(),
        Status::Ready => AssetStatus::Ready.name(),
        Status::Failed => AssetStatus::Failed.name(),
    }
}

const fn embedded(status: Embedding) -> &'static str {
    match status {
        Embedding::Pending => EmbeddingStatus::Pending.name(),
        Embedding::Running => EmbeddingStatus::Running.name(),
        Embedding::Ready => EmbeddingStatus::Ready.name(),
        Embedding::Partial => EmbeddingStatus::Partial.name(),
        Embedding::Failed => EmbeddingStatus::Failed.name(),
    }
}

fn named(input: &Input) -> Named<'_> {
    Named {
        project: input.project_id.as_ref(),
        folder: input.folder_id.as_ref(),
        descendants: input.include_descendants.unwrap_or(false),
    }
}

/// Everything that decides which rows come in which order; a cursor is bound to it.
fn binding(input: &Input, sort: Sort) -> Value {
    json!({
        "vaults": input.vaults.as_ref().map(super::VaultRefs::to_vec),
        "projectId": input.project_id,
        "folderId": input.folder_id,
        "includeDescendants": input.include_descendants.unwrap_or(false),
        "tags": input.tags,
        "sourceKinds": input.source_kinds,
        "sourceHosts": input.source_hosts,
        "mimeTypes": input.mime_types,
        "createdFrom": input.created_from,
        "createdBefore": input.created_before,
        "statuses": input.statuses,
        "embeddingStatuses": input.embedding_statuses,
        "sort": sort,
    })
}

/// The sort key of a row as cursors carry it: microseconds, as Postgres keeps them, or the title's key.
fn key(sort: Sort, row: &Listed) -> Key {
    let key = match sort {
        Sort::Created => (row.created_at.unix_timestamp_nanos() / 1_000).to_string(),
        Sort::Title => row.title_key.clone(),
    };
    (key, row.id.to_string())
}

fn order(sort: Sort, after: Option<Key>) -> Result<Order> {
    let Some((key, id)) = after else {
        return Ok(match sort {
            Sort::Created => Order::Created(None),
            Sort::Title => Order::Title(None),
        });
    };
    let id = id.parse().map_err(|_| broken())?;
    Ok(match sort {
        Sort::Created => Order::Created(Some((instant_of(&key)?, id))),
        Sort::Title => Order::Title(Some((key, id))),
    })
}

fn instant_of(micros: &str) -> Result<OffsetDateTime> {
    let micros: i64 = micros.parse().map_err(|_| broken())?;
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(micros) * 1_000).map_err(|_| broken())
}

fn broken() -> Error {
    let message = "the cursor does not belong to this call";
    Error::new(ErrorCode::InvalidCursor, message)
}
