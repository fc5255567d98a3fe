//! The one error object, as every surface carries it.

use common::{error::Error, ids::RequestId};
use serde_json::{Map, Value, json};

/// `{"error": {…}}` for an error of a call.
#[must_use]
pub fn body(error: &Error, request: &RequestId) -> Value {
    let code = error.code();
    let mut object = Map::new();
    object.insert("code".into(), code.name().into());
    object.insert("message".into(), error.message().into());
    object.insert("remedy".into(), code.remedy().into());
    object.insert("retryable".into(), code.retryable().into());
    if let Some(seconds) = error.retry_after_seconds() {
        object.insert("retryAfterSeconds".into(), seconds.into());
    }
    if let Some(details) = error.details() {
        object.insert("details".into(), details.clone().into());
    }
    object.insert("requestId".into(), request.as_str().into());
    json!({ "error": object })
}

/// Writes the one log line of a failed call: what it was, never what it was about.
pub fn log(error: &Error, request: &RequestId, tool: &str) {
    let code = error.code();
    if code.http_status() >= 500 {
        let cause = std::error::Error::source(error).map(ToString::to_string);
        tracing::error!(
            request.id = %request, tool.name = tool, error.code = code.name(),
            error.cause = cause.as_deref().unwrap_or_default(), "a call failed"
        );
    } else {
        tracing::info!(request.id = %request, tool.name = tool, error.code = code.name(), "a call was refused");
    }
}
