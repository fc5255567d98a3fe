//! The query's vector: embedded once for the first page, kept for the others.

use std::time::Duration;

use bytes::Bytes;
use common::{
    domain::{
        cursor::Cursor,
        fingerprint::sha256_hex,
        image_input::{DecodedImage, decode_image},
        text::clean_text,
        vector::validate,
    },
    error::{Error, ErrorCode, Result},
    ids::{AssetId, QueryId, RequestId},
    imaging, limits,
    ports::{EmbedImage, EmbedInput, EmbedTask, read_preview},
    store::{
        access::VaultsAccess,
        assets, search,
        usage::{self, Call, Source},
    },
};
use serde_json::{Value, json};

use super::{Cx, Input};

/// What was asked: words, a picture, or both.
pub(super) struct Asked {
    text: Option<String>,
    picture: Option<Picture>,
}

enum Picture {
    Stored(AssetId),
    Sent(DecodedImage),
}

/// A query's vector.
pub(super) struct Embedded {
    pub(super) vector: Vec<f32>,
    /// The provider call that made it; `None` for a further page.
    call: Option<Call>,
    /// Where it is kept, for a further page.
    kept: Option<QueryId>,
}

impl Asked {
    pub(super) fn of(input: &Input) -> Result<Self> {
        let text = match &input.query {
            None => None,
            Some(text) => Some(clean_text("query", text, limits::QUERY_TEXT_MAX, true)?),
        };
        if text.as_deref() == Some("") {
            return Err(Error::new(
                ErrorCode::InvalidArgument,
                "query is empty; leave it out to have none",
            ));
        }
        let picture = match (&input.asset_id, &input.image_base64) {
            (Some(_), Some(_)) => {
                let message = "assetId and imageBase64 exclude each other";
                return Err(Error::new(ErrorCode::InvalidArgument, message));
            }
            (Some(id), None) => Some(Picture::Stored(id.clone())),
            (None, Some(text)) => Some(Picture::Sent(decode_image(text)?)),
            (None, None) => None,
        };
        if text.is_none() && picture.is_none() {
            let message =
                "name what to look for: query, assetId, imageBase64, or query with one of the two";
            return Err(Error::new(ErrorCode::InvalidArgument, message));
        }
        Ok(Self { text, picture })
    }

    /// Everything that decides which rows come in which order; a cursor is bound to it.
    pub(super) fn binding(&self, input: &Input) -> Value {
        let sent = match &self.picture {
            Some(Picture::Sent(image)) => Some(sha256_hex(&image.bytes)),
            Some(Picture::Stored(_)) | None => None,
        };
        json!({
            "query": self.text,
            "assetId": input.asset_id,
            "image": sent,
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
        })
    }

    const fn mode(&self) -> &'static str {
        match (&self.text, &self.picture) {
            (Some(_), Some(_)) => "fused",
            (None, Some(_)) => "image",
            (_, None) => "text",
        }
    }
}

/// The vector of this page's query.
///
/// # Errors
/// `invalid_cursor` when the kept vector's time has passed; those of pictures; `provider_unavailable`.
pub(super) async fn vector(
    cx: &Cx<'_, VaultsAccess>,
    asked: &Asked,
    start: Option<&Cursor>,
) -> Result<Embedded> {
    if let Some(cursor) = start {
        return kept(cx, cursor).await;
    }
    let image = match &asked.picture {
        None => None,
        Some(Picture::Stored(id)) => Some(stored_preview(cx, id).await?),
        Some(Picture::Sent(image)) => Some(sent_preview(cx, image).await?),
    };
    let input = match (asked.text.clone(), image.map(|webp| EmbedImage { webp })) {
        (Some(text), Some(image)) => EmbedInput::Fused { image, text },
        (None, Some(image)) => EmbedInput::Image(image),
        (text, None) => EmbedInput::Text(text.unwrap_or_default()),
    };
    let deadline: Duration = cx.app.settings.provider_deadline;
    let mut answer = cx
        .app
        .embedder
        .embed(&[input], EmbedTask::Query, deadline)
        .await?;
    let vector = match answer.outcomes.pop() {
        Some(outcome) if answer.outcomes.is_empty() => outcome?,
        _ => {
            return Err(Error::new(
                ErrorCode::BadVector,
                "one input did not come back as one vector",
            ));
        }
    };
    validate(&vector)?;
    let call = Call {
        id: RequestId::generate(cx.app.clock.millis()),
        source: Source::Query,
        model: cx.app.embedder.model().to_owned(),
        inputs: 1,
        usage: answer.usage,
        provider_request_id: answer.provider_request_id,
    };
    Ok(Embedded {
        vector,
        call: Some(call),
        kept: None,
    })
}

async fn kept(cx: &Cx<'_, VaultsAccess>, cursor: &Cursor) -> Result<Embedded> {
    let expired = || Error::new(ErrorCode::InvalidCursor, "the cursor has expired");
    let id = cursor.query_id.as_ref().ok_or_else(expired)?;
    let (own, now, model) = (cx.access.own(), cx.app.clock.now(), cx.app.embedder.model());
    let found = cx
        .app
        .store
        .run_tx("image_asset_search.kept", own, |tx| async move {
            search::kept_query(&tx, own, id, model, now).await
        });
    let vector = found.await?.ok_or_else(expired)?;
    Ok(Embedded {
        vector,
        call: None,
        kept: Some(id.clone()),
    })
}

async fn stored_preview(cx: &Cx<'_, VaultsAccess>, id: &AssetId) -> Result<Bytes> {
    for vaults in &cx.access.by_owner() {
        let found = cx
            .app
            .store
            .run_tx("image_asset_search.asset", &vaults[0], |tx| async move {
                assets::find_preview(&tx, vaults, id).await
            });
        if let Some(key) = found.await? {
            return read_preview(&*cx.app.objects, &key).await;
        }
    }
    Err(Error::not_found("asset"))
}

/// A sent picture becomes a preview by the same rules as a saved one; nothing of it is kept.
async fn sent_preview(cx: &Cx<'_, VaultsAccess>, image: &DecodedImage) -> Result<Bytes> {
    let (image, limits) = (image.clone(), cx.app.settings.imaging);
    let work = move || imaging::process(&image.bytes, image.declared_type.as_deref(), &limits);
    let picture = tokio::task::spawn_blocking(work)
        .await
        .map_err(Error::internal)??;
    Ok(picture.preview.webp.into())
}

/// Charges and records the search, and keeps its vector when there is a further page.
pub(super) async fn conclude(
    cx: &Cx<'_, VaultsAccess>,
    asked: &Asked,
    embedded: Embedded,
    results: usize,
    more: bool,
) -> Result<Option<QueryId>> {
    let (own, now, model) = (cx.access.own(), cx.app.clock.now(), cx.app.embedder.model());
    let (embedded, mode) = (&embedded, asked.mode());
    cx.app
        .store
        .run_tx("image_asset_search.conclude", own, |tx| async move {
            search::record_search(&tx, own, mode, results, now).await?;
            if let Some(call) = &embedded.call {
                usage::record(&tx, own, call, now).await?;
            }
            match (&embedded.kept, more) {
                (Some(kept), _) => Ok(Some(kept.clone())),
                (None, true) => search::keep_query(&tx, own, model, &embedded.vector, now)
                    .await
                    .map(Some),
                (None, false) => Ok(None),
            }
        })
        .await
}
