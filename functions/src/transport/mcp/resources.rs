//! Resources: `image://asset/{id}` is what is remembered of an image, and `…/preview` is its picture. Both
//! are read by the tool that a caller would use, with all of its rules.

use base64::{Engine, engine::general_purpose::STANDARD};
use common::{
    error::{Error, ErrorCode},
    ids::{AssetId, RequestId},
};
use rmcp::model::{ErrorCode as RpcCode, ErrorData, ResourceContents, ResourceTemplate};
use serde_json::{Value, json};

use super::{super::problem, answer, listing};
use crate::tools::{Answer, Picture, READS_ONE_IMAGE};

const SCHEME: &str = "image://asset/";
const PREVIEW: &str = "/preview";
const JSON: &str = "application/json";

/// How resources are addressed.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{SCHEME}{{assetId}}"), "image")
            .with_title("Saved image")
            .with_description("What is remembered of a saved image, as image_asset_get tells it.")
            .with_mime_type(JSON),
        ResourceTemplate::new(format!("{SCHEME}{{assetId}}{PREVIEW}"), "image_preview")
            .with_title("Preview of a saved image")
            .with_description("The picture itself, at most 1,024 pixels long and under 200 KB.")
            .with_mime_type(Picture::MIME_TYPE),
    ]
}

/// A resource that a URI names.
pub(super) struct Wanted {
    asset: AssetId,
    preview: bool,
}

impl Wanted {
    /// Reads a URI.
    pub(super) fn of(uri: &str) -> Option<Self> {
        let rest = uri.strip_prefix(SCHEME)?;
        let (id, preview) = match rest.strip_suffix(PREVIEW) {
            Some(id) => (id, true),
            None => (rest, false),
        };
        let asset = id.parse().ok()?;
        Some(Self { asset, preview })
    }

    /// What the tool is called with.
    pub(super) fn arguments(&self) -> Value {
        json!({ "assetId": self.asset, "showPreview": self.preview })
    }

    /// The resource, from what the tool answered.
    pub(super) fn contents(
        &self,
        uri: &str,
        answer: Answer,
    ) -> Result<ResourceContents, ErrorData> {
        let broken = || ErrorData::internal_error("internal error", None);
        if self.preview {
            let picture = answer.picture.ok_or_else(broken)?;
            let blob = ResourceContents::blob(STANDARD.encode(&picture.webp), uri);
            return Ok(blob.with_mime_type(Picture::MIME_TYPE));
        }
        let listed = listing::find(READS_ONE_IMAGE).ok_or_else(broken)?;
        let text = answer::text(listed, &answer.output);
        Ok(ResourceContents::text(text, uri).with_mime_type(JSON))
    }
}

/// The answer for a URI that names nothing here.
pub(super) fn not_found(uri: &str) -> ErrorData {
    let data = json!({ "uri": uri.chars().take(300).collect::<String>() });
    ErrorData::resource_not_found("resource not found", Some(data))
}

/// A failed read as a protocol error with the one error object; resources have no results that are errors.
pub(super) fn failure(uri: &str, error: &Error, request: &RequestId) -> ErrorData {
    if error.code() == ErrorCode::NotFound {
        return not_found(uri);
    }
    let data = problem::body(error, request)["error"].take();
    let code = match error.code().http_status() {
        500.. => RpcCode::INTERNAL_ERROR,
        _ => RpcCode(-32_000),
    };
    ErrorData::new(code, error.message().to_owned(), Some(data))
}
