//! What the product needs from outside besides Postgres: bytes, hints, vectors and time.
//!
//! Each port has one real adapter per deployment and one form in memory for tests; the handlers hold
//! them as `Arc<dyn …>`, so that they are compiled once.

use std::{collections::BTreeMap, fmt, ops::Range, time::Duration};

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use futures_util::{StreamExt, stream::BoxStream};
use time::OffsetDateTime;

use crate::error::{Error, ErrorCode, Result};

/// A stream of bytes; an error ends it.
pub type ByteStream = BoxStream<'static, std::io::Result<Bytes>>;

/// What a put says of its bytes.
#[derive(Debug, Clone)]
pub struct PutObject<'a> {
    /// Server-made key; see `domain::keys`.
    pub key: &'a str,
    /// Exact type, as later reads answer it.
    pub content_type: &'a str,
    /// Exact length in bytes.
    pub content_length: u64,
    /// SHA-256 of the bytes, lowercase hex; the store refuses other bytes.
    pub sha256: &'a str,
}

/// What the store says of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectHead {
    /// Length in bytes.
    pub bytes: u64,
    /// Type as put.
    pub content_type: String,
    /// SHA-256 in lowercase hex, where the store knows it.
    pub sha256: Option<String>,
    /// The provider's tag; opaque, never compared with a hash.
    pub etag: Option<String>,
}

/// One line of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedObject {
    /// The key.
    pub key: String,
    /// Length in bytes.
    pub bytes: u64,
    /// When it was last written.
    pub modified_at: OffsetDateTime,
}

/// What a signed link pins.
#[derive(Debug, Clone)]
pub struct SignGet<'a> {
    /// Key of the object.
    pub key: &'a str,
    /// Type that the answer carries.
    pub content_type: &'a str,
    /// File name for `Content-Disposition: inline`; ASCII letters, digits, dot and dash.
    pub file_name: &'a str,
    /// How long the link works.
    pub ttl: Duration,
}

/// A short-lived link. It is a secret while it lives: never stored, never logged.
#[derive(Clone)]
pub struct SignedUrl {
    /// The link.
    pub url: String,
    /// When it ends.
    pub expires_at: OffsetDateTime,
}

impl fmt::Debug for SignedUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignedUrl")
            .field("expires_at", &self.expires_at)
            .finish_non_exhaustive()
    }
}

/// Private immutable bytes (§8.2). Errors are `store_unavailable`, or `internal` for a broken contract.
#[async_trait]
pub trait ObjectStore: Send + Sync {
    /// Writes the stream under the key, all or nothing: after an error, or a kill, the key holds what it
    /// held before. Refuses a stream whose length or SHA-256 differs.
    async fn put(&self, object: PutObject<'_>, body: ByteStream) -> Result<ObjectHead>;
    /// Says what is there, or `None`.
    async fn head(&self, key: &str) -> Result<Option<ObjectHead>>;
    /// Reads the object, or the half-open byte range of it, or `None` when it is not there.
    async fn get(&self, key: &str, range: Option<Range<u64>>) -> Result<Option<ByteStream>>;
    /// Signs a link that reads the object until it ends.
    async fn sign_get(&self, request: SignGet<'_>) -> Result<SignedUrl>;
    /// Removes the object; removing what is not there succeeds.
    async fn delete(&self, key: &str) -> Result<()>;
    /// Lists up to `limit` objects under `prefix` whose keys come after `after`, in key order.
    async fn list(
        &self,
        prefix: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<ListedObject>>;
}

/// Sends hints. A hint may be lost or doubled: the job row decides (§13, design §8).
#[async_trait]
pub trait Queue: Send + Sync {
    /// Sends each body, to be delivered no earlier than after `delay`.
    async fn send(&self, bodies: &[String], delay: Duration) -> Result<()>;
}

/// What one vector is to stand for.
#[derive(Clone)]
pub enum EmbedInput {
    /// Words alone.
    Text(String),
    /// The sanitized preview alone.
    Image(EmbedImage),
    /// A picture and its words as one vector: image first.
    Fused {
        /// The picture.
        image: EmbedImage,
        /// Its words.
        text: String,
    },
}

/// A picture for the embedder: a preview in WebP, never an original, never a source URL.
#[derive(Clone)]
pub struct EmbedImage {
    /// WebP bytes.
    pub webp: Bytes,
}

// Neither pictures nor query text may reach a log through `{:?}`.
impl fmt::Debug for EmbedInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text(_) => "Text",
            Self::Image(_) => "Image",
            Self::Fused { .. } => "Fused",
        })
    }
}

/// Which side of retrieval the vectors are for (§11).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EmbedTask {
    /// `retrieval.query`.
    Query,
    /// `retrieval.passage`.
    Passage,
}

impl EmbedTask {
    /// The name on the wire and in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Query => "retrieval.query",
            Self::Passage => "retrieval.passage",
        }
    }
}

/// Tokens that one call used, as the provider reports them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EmbedUsage {
    /// All tokens.
    pub total_tokens: i64,
    /// Tokens of text.
    pub prompt_tokens: i64,
    /// Tokens of pictures.
    pub image_tokens: i64,
}

/// What the provider answered for one input of a call.
pub type EmbedOutcome = std::result::Result<Vec<f32>, Error>;

/// The answer of one call.
#[derive(Debug)]
pub struct Embedded {
    /// One outcome per input, in the order of the inputs: a validated unit vector, or that input's error.
    pub outcomes: Vec<EmbedOutcome>,
    /// What the call used in all.
    pub usage: EmbedUsage,
    /// The provider's own id of the call.
    pub provider_request_id: Option<String>,
}

/// Turns pictures and words into unit vectors of `limits::DIMENSIONS`.
///
/// An `Err` means that the whole call failed: `provider_unavailable` when a repeat may help.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// Name of the model, as rows carry it. Vectors of two models are never compared.
    fn model(&self) -> &str;
    /// Embeds all inputs in one call, within `deadline`.
    async fn embed(
        &self,
        inputs: &[EmbedInput],
        task: EmbedTask,
        deadline: Duration,
    ) -> Result<Embedded>;
}

/// Wall-clock time. Only `adapters::clock` and the test clock know where it comes from.
pub trait Clock: Send + Sync {
    /// Now, in UTC.
    fn now(&self) -> OffsetDateTime;

    /// Unix time in milliseconds, for ids.
    fn millis(&self) -> u64 {
        u64::try_from(self.now().unix_timestamp_nanos() / 1_000_000).unwrap_or_default()
    }
}

/// Response headers of an object read, for surfaces that stream bytes themselves: exact type, no
/// sniffing, nothing active, never in a shared cache.
#[must_use]
pub fn safe_media_headers(content_type: &str, file_name: &str) -> BTreeMap<&'static str, String> {
    BTreeMap::from([
        ("content-type", content_type.to_owned()),
        (
            "content-disposition",
            format!("inline; filename=\"{file_name}\""),
        ),
        ("x-content-type-options", "nosniff".to_owned()),
        (
            "content-security-policy",
            "default-src 'none'; sandbox".to_owned(),
        ),
        ("cache-control", "private, max-age=300".to_owned()),
        ("cross-origin-resource-policy", "same-site".to_owned()),
    ])
}

/// Largest preview that is read whole, in bytes; the pipeline writes none as large.
const PREVIEW_MAX_BYTES: usize = 32 * 1024 * 1024;

/// Reads a whole preview, for an embedder.
///
/// # Errors
/// `store_unavailable` when it is missing, ends early, or is larger than any that was written.
pub async fn read_preview(objects: &dyn ObjectStore, key: &str) -> Result<Bytes> {
    let unreadable = || Error::new(ErrorCode::StoreUnavailable, "the preview cannot be read");
    let mut stream = objects.get(key, None).await?.ok_or_else(unreadable)?;
    let mut body = BytesMut::new();
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|error| unreadable().because(error))?;
        if body.len() + chunk.len() > PREVIEW_MAX_BYTES {
            return Err(unreadable());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}
