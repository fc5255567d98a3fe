//! What a caller wishes of an asset, cleaned once, before anything is compared or stored.

use common::{
    domain::{
        names::name_key,
        source::normalize_source_url,
        status::{Representation, SourceKind},
        text::{clean_json, clean_tags, clean_text},
    },
    error::{Error, ErrorCode, Result},
    ids::{AssetId, FolderId, JobId, ProjectId, VaultId},
    limits,
    store::{assets::NewAsset, placements::Placement},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Title of a picture that got none.
const UNTITLED: &str = "Untitled image";

/// What to do with bytes that are in the vault already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnDuplicate {
    /// The same bytes, place and texts within ten minutes are the same save.
    Reuse,
    /// Always a new asset.
    New,
    /// Any live asset of the vault over the same bytes is the answer.
    Existing,
}

/// A request without its bytes, as it was sent.
#[derive(Debug)]
pub(crate) struct Sent {
    pub(crate) project_id: Option<ProjectId>,
    pub(crate) folder_id: Option<FolderId>,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) alt_text: Option<String>,
    pub(crate) tags: Option<Vec<String>>,
    pub(crate) source_kind: Option<SourceKind>,
    pub(crate) source_ref: Option<Value>,
    pub(crate) metadata: Option<Value>,
    pub(crate) idempotency_key: Option<String>,
    pub(crate) on_duplicate: Option<OnDuplicate>,
}

/// A request without its bytes, cleaned.
#[derive(Debug)]
pub(crate) struct Wishes {
    pub(crate) placement: Placement,
    /// The caller's title; `None` when it gave none.
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) alt_text: Option<String>,
    pub(crate) source_host: Option<String>,
    pub(crate) idempotency_key: Option<String>,
    pub(crate) on_duplicate: OnDuplicate,
    source_kind: SourceKind,
    source_ref: Option<Value>,
    tags: Vec<String>,
    metadata: Option<Value>,
}

impl Wishes {
    /// Cleans and checks a request.
    pub(crate) fn clean(sent: Sent) -> Result<Self> {
        let source_ref = clean_object("sourceRef", sent.source_ref)?;
        Ok(Self {
            placement: Placement::new(sent.project_id, sent.folder_id)?,
            title: clean_title(sent.title)?,
            description: clean("description", sent.description, limits::DESCRIPTION_MAX)?,
            alt_text: clean("altText", sent.alt_text, limits::ALT_TEXT_MAX)?,
            source_host: source_ref.as_ref().and_then(page_host),
            idempotency_key: clean_key(sent.idempotency_key)?,
            on_duplicate: sent.on_duplicate.unwrap_or(OnDuplicate::Reuse),
            source_kind: sent.source_kind.unwrap_or(SourceKind::Upload),
            source_ref,
            tags: clean_tags(sent.tags.unwrap_or_default())?,
            metadata: clean_object("metadata", sent.metadata)?,
        })
    }

    /// The whole cleaned request as JSON, its bytes by their SHA-256: what an idempotency key stands for.
    pub(crate) fn fingerprint_of(&self, vault: &VaultId, sha256: &str) -> Value {
        json!({
            "vault": vault,
            "projectId": self.placement.project(),
            "folderId": self.placement.folder(),
            "sha256": sha256,
            "title": self.title,
            "description": self.description,
            "altText": self.alt_text,
            "tags": self.tags,
            "sourceKind": self.source_kind,
            "sourceRef": self.source_ref,
            "metadata": self.metadata,
        })
    }

    /// The row to be.
    pub(crate) fn new_asset(
        &self,
        id: AssetId,
        mime_type: &'static str,
        model: String,
        jobs: Vec<(JobId, Representation)>,
    ) -> Result<NewAsset> {
        let title = self.title.clone().unwrap_or_else(|| UNTITLED.to_owned());
        Ok(NewAsset {
            id,
            placement: self.placement.clone(),
            mime_type,
            title_key: name_key(&title)?.as_str().to_owned(),
            title,
            title_given: self.title.is_some(),
            description: self.description.clone(),
            alt_text: self.alt_text.clone(),
            source_url: None,
            source_host: self.source_host.clone(),
            source_kind: self.source_kind.name(),
            source_ref: self.source_ref.clone(),
            tags: self.tags.clone(),
            metadata: self.metadata.clone(),
            model,
            jobs,
        })
    }
}

fn clean_title(title: Option<String>) -> Result<Option<String>> {
    let Some(title) = title else { return Ok(None) };
    let title = clean_text("title", &title, limits::TITLE_MAX, false)?;
    // A title that is nothing but invisible characters would sort and show as nothing.
    if title.is_empty() || name_key(&title).is_err() {
        return Err(Error::new(
            ErrorCode::InvalidArgument,
            "title is empty; leave it out to have none",
        ));
    }
    Ok(Some(title))
}

/// Cleaned text; empty text is none.
fn clean(field: &'static str, text: Option<String>, max: usize) -> Result<Option<String>> {
    let Some(text) = text else { return Ok(None) };
    let text = clean_text(field, &text, max, true)?;
    Ok((!text.is_empty()).then_some(text))
}

fn clean_object(field: &'static str, value: Option<Value>) -> Result<Option<Value>> {
    value.map(|value| clean_json(field, &value)).transpose()
}

fn clean_key(key: Option<String>) -> Result<Option<String>> {
    let Some(key) = key else { return Ok(None) };
    let cleaned = clean_text("idempotencyKey", &key, limits::IDEMPOTENCY_KEY_MAX, false)?;
    if cleaned.is_empty() {
        return Err(Error::new(
            ErrorCode::InvalidArgument,
            "idempotencyKey is empty; leave it out to have none",
        ));
    }
    Ok(Some(cleaned))
}

/// Host of the page that a picture stood on.
fn page_host(source_ref: &Value) -> Option<String> {
    let url = source_ref.get("pageUrl")?.as_str()?;
    normalize_source_url(url).ok().map(|source| source.host)
}
