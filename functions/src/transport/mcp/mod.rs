//! MCP over HTTP: `POST /mcp`, stateless, answered in JSON; and the same for each line of [`super::stdio`].
//!
//! The protocol itself, its four earlier generations and 2026-07-28, is `rmcp`'s. What stands in front of it
//! here is what a server on the open web owes its callers: hosts and origins, keys, and an answer that is
//! JSON whatever came in.

mod answer;
mod door;
mod envelope;
mod instructions;
mod listing;
mod resources;
mod server;

use std::sync::Arc;

use bytes::Bytes;
use common::{
    app::App,
    auth::Principal,
    error::{Error, ErrorCode},
    ids::RequestId,
};
use http::{HeaderValue, Method, Request, Response, StatusCode, header, request::Parts};
use rmcp::ServerHandler;
use serde_json::Value;

use self::{
    envelope::{Fault, Message, Reply},
    server::{Caller, Outcome, Server},
};
use super::{
    http::{BODY_MAX_BYTES, authorization, with_common_headers},
    problem,
};
use crate::tools;

/// Where MCP is answered.
pub const PATH: &str = "/mcp";

/// The last protocol version that has batches.
const LAST_WITH_BATCHES: &str = "2025-03-26";

/// Most messages in one batch.
const BATCH_MAX: usize = 16;

/// Whether a path is MCP's.
#[must_use]
pub fn is_here(path: &str) -> bool {
    path.strip_suffix('/').unwrap_or(path) == PATH
}

/// Answers one request.
pub async fn handle(app: &App, request: Request<Bytes>) -> Response<Bytes> {
    Box::pin(respond(app, request, &|caller| Server::new(app, caller))).await
}

/// Answers one request by another handler behind the same front, for trying the front with a suite that asks
/// for tools of its own. The key is verified by the front.
pub async fn handle_with<H: ServerHandler + Clone>(
    app: &App,
    request: Request<Bytes>,
    handler: &H,
) -> Response<Bytes> {
    Box::pin(respond(app, request, &|_| handler.clone())).await
}

async fn respond<H: ServerHandler + Clone>(
    app: &App,
    request: Request<Bytes>,
    behind: &(impl Fn(Arc<Caller>) -> H + Sync),
) -> Response<Bytes> {
    let id = RequestId::generate(app.clock.millis());
    let origin = door::origin(&app.settings, request.headers());
    let mut response = match &origin {
        Ok(_) => match *request.method() {
            Method::POST => post(app, request, &id, behind).await,
            Method::OPTIONS => door::preflight(),
            _ => door::method_not_allowed(),
        },
        Err(fault) => Reply::fault(StatusCode::FORBIDDEN, fault).into_response(),
    };
    if let Ok(Some(origin)) = origin {
        door::open(response.headers_mut(), origin);
    }
    with_common_headers(response, &id)
}

async fn post<H: ServerHandler + Clone>(
    app: &App,
    request: Request<Bytes>,
    id: &RequestId,
    behind: &(impl Fn(Arc<Caller>) -> H + Sync),
) -> Response<Bytes> {
    let key = authorization(&request).map(str::to_owned);
    let (parts, body) = request.into_parts();
    if body.len() > BODY_MAX_BYTES {
        let message = format!("the request is larger than {BODY_MAX_BYTES} bytes");
        let fault = Fault::invalid_request(Value::Null, message);
        return Reply::fault(StatusCode::PAYLOAD_TOO_LARGE, &fault).into_response();
    }
    let read = Read::of(&body);
    let front = Front {
        app,
        parts: &parts,
        key: key.as_deref(),
        behind,
        unreadable: matches!(read, Read::Unstorable(_)),
    };
    match read {
        Read::Json(Value::Array(batch)) | Read::Unstorable(Value::Array(batch)) => {
            front.batch(batch, id).await.into_response()
        }
        Read::Json(message) | Read::Unstorable(message) => {
            front.message(message, id).await.into_response()
        }
        Read::Nothing => front.not_json(id).await.into_response(),
    }
}

/// What the bytes of a request are.
pub(super) enum Read {
    Json(Value),
    /// JSON with characters that nothing can store; fit for finding out what was asked.
    Unstorable(Value),
    Nothing,
}

impl Read {
    pub(super) fn of(body: &[u8]) -> Self {
        match tools::parse_arguments(body) {
            Ok(value) => Self::Json(value),
            Err(error) if error.code() == ErrorCode::InvalidText => {
                tools::parse_refused(body).map_or(Self::Nothing, Self::Unstorable)
            }
            Err(_) => Self::Nothing,
        }
    }
}

/// One HTTP request on its way to the protocol.
struct Front<'a, F> {
    app: &'a App,
    parts: &'a Parts,
    key: Option<&'a str>,
    /// Makes what answers a caller.
    behind: &'a F,
    /// Whether the text of the request cannot be kept as it is.
    unreadable: bool,
}

impl<H: ServerHandler + Clone, F: Fn(Arc<Caller>) -> H + Sync> Front<'_, F> {
    /// Finds out who calls; a refusal has its line in the log.
    async fn authenticate(&self, id: &RequestId) -> Result<Principal, Error> {
        // On the heap: it is large, and every request carries it.
        let known = Box::pin(tools::authenticate(self.app, self.key, id.clone())).await;
        known.inspect_err(|error| problem::log(error, id, tools::known_name("")))
    }

    /// A stranger learns that the key is missing before anything is said of the body.
    async fn not_json(&self, id: &RequestId) -> Reply {
        match self.authenticate(id).await {
            Ok(_) => Reply::fault(StatusCode::BAD_REQUEST, &Fault::parse()),
            Err(error) => refused(Value::Null, &error, id),
        }
    }

    async fn batch(&self, batch: Vec<Value>, id: &RequestId) -> Reply {
        if let Err(error) = self.authenticate(id).await {
            return refused(Value::Null, &error, id);
        }
        let version = self.parts.headers.get("mcp-protocol-version");
        let has_batches =
            version.is_none_or(|version| version.as_bytes() <= LAST_WITH_BATCHES.as_bytes());
        let complaint = match batch.len() {
            _ if !has_batches => Some("this protocol version has no batches".to_owned()),
            0 => Some("the batch is empty".to_owned()),
            1..=BATCH_MAX => None,
            _ => Some(format!("a batch holds at most {BATCH_MAX} messages")),
        };
        if let Some(complaint) = complaint {
            let fault = Fault::invalid_request(Value::Null, complaint);
            return Reply::fault(StatusCode::BAD_REQUEST, &fault);
        }
        let mut replies = Vec::new();
        for message in batch {
            let id = RequestId::generate(self.app.clock.millis());
            replies.extend(self.message(message, &id).await.body);
        }
        match replies.is_empty() {
            true => Reply::accepted(),
            false => Reply::ok(Value::Array(replies)),
        }
    }

    async fn message(&self, message: Value, id: &RequestId) -> Reply {
        let kind = Message::of(&message);
        let asked = kind.as_ref().map_or(Value::Null, Message::id);
        let reply = match kind {
            // A tool verifies the key itself, together with what the call may touch.
            Ok(Message::Request { .. }) if server::calls_known_tool(&message) => {
                self.tool_call(&message, id).await
            }
            kind => match self.authenticate(id).await {
                Err(error) => Err(error),
                Ok(principal) => Ok(match kind {
                    Ok(_) => self.other(&message, principal, id).await,
                    Err(fault) => Reply::fault(StatusCode::BAD_REQUEST, &fault),
                }),
            },
        };
        match reply {
            Ok(reply) => reply.with_id(&asked),
            Err(error) => refused(asked, &error, id),
        }
    }

    async fn tool_call(&self, message: &Value, id: &RequestId) -> Result<Reply, Error> {
        let caller = Arc::new(self.caller(None, id));
        let reply = server::answer((self.behind)(caller.clone()), self.parts, message, id).await;
        match caller.outcome() {
            Outcome::Answered => Ok(reply),
            Outcome::Refused(error) => Err(error),
            // The protocol found fault with the request before the tool saw it.
            Outcome::NotCalled => self.authenticate(id).await.map(|_| reply),
        }
    }

    async fn other(&self, message: &Value, principal: Principal, id: &RequestId) -> Reply {
        let caller = Arc::new(self.caller(Some(principal), id));
        let reply = server::answer((self.behind)(caller), self.parts, message, id).await;
        let (method, status) = (server::known_method(message), reply.status.as_u16());
        tracing::info!(request.id = %id, mcp.method = method, http.status = status, "a message was answered");
        reply
    }

    fn caller(&self, principal: Option<Principal>, id: &RequestId) -> Caller {
        let query = self.parts.uri.query();
        Caller::new(self.key, principal, id.clone(), query, self.unreadable)
    }
}

/// The answer to a key that opens nothing: HTTP's own, with the one error object inside.
fn refused(asked: Value, error: &Error, id: &RequestId) -> Reply {
    let code = error.code();
    let status = StatusCode::from_u16(code.http_status()).unwrap_or(StatusCode::UNAUTHORIZED);
    let fault = Fault::refused(asked, error, id);
    let mut reply = Reply::fault(status, &fault);
    if status == StatusCode::UNAUTHORIZED {
        reply.header = Some((header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")));
    }
    reply
}
