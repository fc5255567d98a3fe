//! Who may knock: hosts, and the web pages of allowed origins.

use bytes::Bytes;
use common::app::Settings;
use http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use serde_json::Value;

use super::envelope::{Fault, Reply};

/// What pages may send.
const HEADERS: &str = "authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id";

/// How long a browser may remember a preflight, in seconds.
const PREFLIGHT_SECONDS: &str = "7200";

/// The origin of the page that calls; `None` for a program, which sends none.
///
/// # Errors
/// A fault for a foreign host or origin: a page that reaches a server on one's own machine, by a name that
/// it made point there, must not be heard (DNS rebinding).
pub(super) fn origin(
    settings: &Settings,
    headers: &HeaderMap,
) -> Result<Option<HeaderValue>, Fault> {
    let foreign = |what: &str| {
        Fault::invalid_request(
            Value::Null,
            format!("this {what} is not among the allowed ones"),
        )
    };
    if !settings.allowed_hosts.is_empty() && !is_allowed_host(settings, headers) {
        return Err(foreign("host"));
    }
    let mut origins = headers.get_all(header::ORIGIN).iter();
    match (origins.next(), origins.next()) {
        (None, _) => Ok(None),
        (Some(origin), None) if is_allowed_origin(settings, origin) => Ok(Some(origin.clone())),
        _ => Err(foreign("origin")),
    }
}

fn is_allowed_host(settings: &Settings, headers: &HeaderMap) -> bool {
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let Some(host) = host.map(str::to_ascii_lowercase) else {
        return false;
    };
    let without_port = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host.as_str(),
    };
    let allowed = settings.allowed_hosts.iter();
    allowed
        .into_iter()
        .any(|allowed| *allowed == host || *allowed == without_port)
}

fn is_allowed_origin(settings: &Settings, origin: &HeaderValue) -> bool {
    origin.to_str().is_ok_and(|origin| {
        let origin = origin.to_ascii_lowercase();
        settings.allowed_origins.contains(&origin)
    })
}

/// Lets the page of an allowed origin read the answer.
pub(super) fn open(headers: &mut HeaderMap, origin: HeaderValue) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::VARY, HeaderValue::from_static("origin"));
    headers.insert(
        header::ACCESS_CONTROL_EXPOSE_HEADERS,
        HeaderValue::from_static("x-request-id, www-authenticate, retry-after"),
    );
}

/// The answer to a browser that asks before it calls.
pub(super) fn preflight() -> Response<Bytes> {
    let mut response = Response::new(Bytes::new());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "POST"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, HEADERS),
        (header::ACCESS_CONTROL_MAX_AGE, PREFLIGHT_SECONDS),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// There is no stream to read and no session to end: those are GET and DELETE in other servers.
pub(super) fn method_not_allowed() -> Response<Bytes> {
    let fault = Fault::invalid_request(Value::Null, "MCP is called with POST");
    let mut reply = Reply::fault(StatusCode::METHOD_NOT_ALLOWED, &fault);
    reply.header = Some((header::ALLOW, HeaderValue::from_static("POST")));
    reply.into_response()
}
