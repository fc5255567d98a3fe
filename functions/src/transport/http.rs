//! HTTP: `POST /v1/tools/{name}` with a bearer key; the body is the tool's input, the answer its output.
//!
//! A plain async function: the cloud, the local server and the tests call it alike.

use bytes::Bytes;
use common::{
    app::App,
    error::{Error, ErrorCode, Result},
    ids::RequestId,
};
use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use serde_json::Value;

use super::{outcome, problem};
use crate::tools::{self, Call};

/// Largest body: function payloads end at 6 MB.
pub const BODY_MAX_BYTES: usize = 6 * 1024 * 1024;

const TOOLS: &str = "/v1/tools/";

/// Answers one request.
pub async fn handle(app: &App, request: Request<Bytes>) -> Response<Bytes> {
    let id = RequestId::generate(app.clock.millis());
    let response = match tool(&request) {
        Ok(tool) => {
            let call = Call {
                tool,
                authorization: authorization(&request),
                arguments: parse(request.body()),
                request: id.clone(),
                pictures: false,
            };
            match outcome::of(app, call).await {
                Ok(answer) => json(StatusCode::OK, &answer.output),
                Err(error) => refusal(&error, &id),
            }
        }
        Err(error) => {
            problem::log(&error, &id, tools::known_name(""));
            refusal(&error, &id)
        }
    };
    with_common_headers(response, &id)
}

/// The tool that a request's path names.
fn tool(request: &Request<Bytes>) -> Result<&str> {
    let tool = request.uri().path().strip_prefix(TOOLS).unwrap_or_default();
    if tool.is_empty() || tool.contains('/') {
        return Err(Error::new(
            ErrorCode::RouteNotFound,
            "there is no such route",
        ));
    }
    if request.method() != Method::POST {
        return Err(Error::new(
            ErrorCode::MethodNotAllowed,
            "tools are called with POST",
        ));
    }
    Ok(tool)
}

/// Value of the `Authorization` header; one that is no text is no key.
pub(super) fn authorization(request: &Request<Bytes>) -> Option<&str> {
    let header = request.headers().get(header::AUTHORIZATION)?;
    Some(header.to_str().unwrap_or_default())
}

fn parse(body: &Bytes) -> Result<Value> {
    if body.len() > BODY_MAX_BYTES {
        let message = format!("the request is larger than {BODY_MAX_BYTES} bytes");
        return Err(Error::new(ErrorCode::UseUpload, message).detail("limit", BODY_MAX_BYTES));
    }
    tools::parse_arguments(body)
}

fn json(status: StatusCode, body: &Value) -> Response<Bytes> {
    let mut response = Response::new(Bytes::from(body.to_string()));
    *response.status_mut() = status;
    response
}

/// The response for an error.
#[must_use]
pub fn refusal(error: &Error, id: &RequestId) -> Response<Bytes> {
    let status = StatusCode::from_u16(error.code().http_status())
        .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = json(status, &problem::body(error, id));
    let headers = response.headers_mut();
    if let Some(seconds) = error.retry_after_seconds() {
        headers.insert(header::RETRY_AFTER, seconds.into());
    }
    if status == StatusCode::METHOD_NOT_ALLOWED {
        headers.insert(header::ALLOW, HeaderValue::from_static("POST"));
    }
    if status == StatusCode::UNAUTHORIZED {
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

pub(super) fn with_common_headers(
    mut response: Response<Bytes>,
    id: &RequestId,
) -> Response<Bytes> {
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    if let Ok(value) = HeaderValue::from_str(id.as_str()) {
        headers.insert("x-request-id", value);
    }
    response
}
