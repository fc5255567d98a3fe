//! The HTTP request that a line stands for: what a client of MCP over HTTP says in headers, the line says
//! in itself.

use base64::{Engine, engine::general_purpose::STANDARD};
use bytes::Bytes;
use http::{HeaderValue, Method, Request, Uri, header};
use serde_json::Value;

use super::super::mcp;

/// Key of the protocol version in a request's `_meta`.
const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// The request for a line; `agreed` is the version that `initialize` came to.
pub(super) fn request(message: &Value, agreed: Option<&str>, line: Vec<u8>) -> Request<Bytes> {
    let mut request = Request::new(Bytes::from(line));
    *request.method_mut() = Method::POST;
    *request.uri_mut() = Uri::from_static(mcp::PATH);
    let headers = request.headers_mut();
    let json = HeaderValue::from_static("application/json");
    headers.insert(header::CONTENT_TYPE, json);
    let accepted = HeaderValue::from_static("application/json, text/event-stream");
    headers.insert(header::ACCEPT, accepted);
    let params = &message["params"];
    let version = params["_meta"][META_VERSION].as_str().or(agreed);
    let is_handshake = message["method"] == "initialize";
    let name = params["name"].as_str().or(params["uri"].as_str());
    for (header, text) in [
        ("mcp-protocol-version", version.filter(|_| !is_handshake)),
        ("mcp-method", message["method"].as_str()),
        ("mcp-name", name),
    ] {
        if let Some(Ok(value)) = text.map(|text| HeaderValue::from_str(&legal(text))) {
            headers.insert(header, value);
        }
    }
    request
}

/// A text as header values carry it (SEP-2243): in base64 where it is not plain.
fn legal(text: &str) -> String {
    let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
        && text.trim() == text
        && !text.starts_with("=?base64?");
    match is_plain {
        true => text.to_owned(),
        false => format!("=?base64?{}?=", STANDARD.encode(text)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(message: &Value, agreed: Option<&str>) -> http::HeaderMap {
        request(message, agreed, Vec::new()).headers().clone()
    }

    #[test]
    fn a_line_s_headers_say_what_its_body_says() {
        let modern = json!({
            "method": "tools/call",
            "params": { "name": "image_asset_get", "_meta": { META_VERSION: "2026-07-28" } },
        });
        let headers = of(&modern, Some("2025-06-18"));
        assert_eq!(headers["mcp-protocol-version"], "2026-07-28");
        assert_eq!(headers["mcp-method"], "tools/call");
        assert_eq!(headers["mcp-name"], "image_asset_get");
        let legacy = json!({ "method": "tools/list" });
        assert_eq!(
            of(&legacy, Some("2025-06-18"))["mcp-protocol-version"],
            "2025-06-18"
        );
        let handshake = json!({ "method": "initialize" });
        assert!(!of(&handshake, Some("2025-06-18")).contains_key("mcp-protocol-version"));
    }

    #[test]
    fn what_no_header_carries_goes_in_base64() {
        for (text, carried) in [
            ("a b", "a b"),
            (" a", "=?base64?IGE=?="),
            ("é", "=?base64?w6k=?="),
            ("=?base64?x", "=?base64?PT9iYXNlNjQ/eA==?="),
        ] {
            assert_eq!(legal(text), carried);
        }
    }
}
