//! The answer of everything that saves, as it is given and as it is kept for a repeat.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tools::Notice;

/// What was saved.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Saved {
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
