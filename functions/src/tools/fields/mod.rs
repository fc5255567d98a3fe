//! Pieces of inputs and outputs that several tools share.

pub(super) mod filters;
pub(super) mod pages;
pub(crate) mod pictures;
pub(super) mod places;
pub(super) mod previews;
pub(super) mod projects;
pub(super) mod refs;

use common::error::{Error, ErrorCode, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

/// A short-lived link to private bytes.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// The link; whoever has it can read the bytes until it ends.
    pub url: String,
    /// When it ends, in UTC.
    pub expires_at: String,
}

/// Something that was accepted although it is unusual.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Notice {
    /// Stable word for programs.
    pub code: String,
    /// One sentence for people.
    pub message: String,
}

/// Why something failed, and what can be done about it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Failure {
    /// Code of the error catalogue.
    pub code: String,
    /// What went wrong.
    pub message: String,
    /// What can be done about it.
    pub remedy: String,
}

impl Failure {
    /// What a caller may read of an error.
    pub(super) fn of(error: &Error) -> Self {
        Self::stored(error.code().name(), Some(error.message()))
    }

    /// A stored failure with the catalogue's remedy.
    pub(super) fn stored(code: &str, message: Option<&str>) -> Self {
        let known = ErrorCode::from_name(code).unwrap_or(ErrorCode::Internal);
        Self {
            code: known.name().to_owned(),
            message: message.unwrap_or("no further details").to_owned(),
            remedy: known.remedy().to_owned(),
        }
    }
}

/// An instant as answers carry it: RFC 3339 in UTC.
pub(super) fn instant(at: OffsetDateTime) -> Result<String> {
    at.format(&Rfc3339).map_err(Error::internal)
}

/// Reads an RFC 3339 instant of a request.
pub(super) fn parse_instant(field: &'static str, text: &str) -> Result<OffsetDateTime> {
    OffsetDateTime::parse(text, &Rfc3339).map_err(|_| {
        let message = format!("{field} must be an RFC 3339 instant such as 2026-01-31T00:00:00Z");
        Error::new(ErrorCode::InvalidArgument, message)
    })
}

/// The stored warnings of an object.
pub(crate) fn notices(stored: &Value) -> Vec<Notice> {
    serde_json::from_value(stored.clone()).unwrap_or_default()
}
