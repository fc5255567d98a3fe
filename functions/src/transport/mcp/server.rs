//! The product behind `rmcp`: its methods, for one caller.

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use common::{
    app::App,
    auth::Principal,
    contract::Toolset,
    error::{Error, ErrorCode},
    ids::RequestId,
};
use http::{HeaderValue, Request, StatusCode, header, request::Parts};
use http_body_util::{BodyExt, Full};
use rmcp::{
    RoleServer, ServerHandler,
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult,
        ErrorCode as RpcCode, ErrorData, Implementation, ListResourceTemplatesResult,
        ListToolsResult, PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams,
        ReadResourceResponse, ReadResourceResult, ServerCapabilities, ServerConfig,
        Tool as ListedTool,
    },
    service::RequestContext,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
    },
};
use serde_json::Value;

use super::{
    super::{http::BODY_MAX_BYTES, outcome, problem},
    answer,
    envelope::Reply,
    instructions::INSTRUCTIONS,
    listing, resources,
};
use crate::tools::{self, Answer, Call, READS_ONE_IMAGE};

/// How long a client may keep the list of tools: it changes with a deployment, or with the key.
const LIST_TTL_MS: u64 = 300_000;

/// Methods that are answered here. `rmcp` hands on a request of theirs whose parameters it cannot read as
/// if the method were unknown.
const METHODS: [&str; 8] = [
    "initialize",
    "ping",
    "server/discover",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
];

/// Those of them that 2026-07-28 has no more.
const REMOVED: [&str; 2] = ["initialize", "ping"];

/// Who calls, and what came of letting them in.
pub(super) struct Caller {
    key: Option<String>,
    /// Known unless the call of a tool is to verify the key itself.
    principal: Option<Principal>,
    request: RequestId,
    toolset: Toolset,
    /// Whether the text of the request cannot be kept as it is.
    unreadable: bool,
    outcome: Mutex<Outcome>,
}

/// What came of the tool that a message was to call.
pub(super) enum Outcome {
    /// It was not called.
    NotCalled,
    /// It answered, be it with an error.
    Answered,
    /// The key opens nothing.
    Refused(Error),
}

impl Caller {
    pub(super) fn new(
        key: Option<&str>,
        principal: Option<Principal>,
        request: RequestId,
        query: Option<&str>,
        unreadable: bool,
    ) -> Self {
        let wants_all =
            query.is_some_and(|query| query.split('&').any(|part| part == "toolset=all"));
        Self {
            key: key.map(str::to_owned),
            principal,
            request,
            toolset: if wants_all {
                Toolset::All
            } else {
                Toolset::Core
            },
            unreadable,
            outcome: Mutex::new(Outcome::NotCalled),
        }
    }

    /// What came of the tool that was to be called.
    pub(super) fn outcome(&self) -> Outcome {
        let mut outcome = self.outcome.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *outcome, Outcome::NotCalled)
    }

    fn set(&self, outcome: Outcome) {
        *self.outcome.lock().unwrap_or_else(PoisonError::into_inner) = outcome;
    }

    /// Calls a tool.
    async fn call(&self, app: &App, tool: &str, arguments: Value) -> Result<Answer, Error> {
        let arguments = match self.unreadable {
            true => Err(Error::new(
                ErrorCode::InvalidText,
                "the request holds a NUL character or a lone surrogate",
            )),
            false => Ok(arguments),
        };
        let call = Call {
            tool,
            authorization: self.key.as_deref(),
            arguments,
            request: self.request.clone(),
            pictures: true,
        };
        self.set(Outcome::Answered);
        outcome::of(app, call).await
    }

    /// A key that opens nothing is HTTP's to tell, not the tool's.
    fn refuse(&self, error: Error) -> ErrorData {
        let data = ErrorData::new(RpcCode(-32_000), error.message().to_owned(), None);
        self.set(Outcome::Refused(error));
        data
    }
}

/// Whether a message calls a tool of the registry: then that verifies the key.
pub(super) fn calls_known_tool(message: &Value) -> bool {
    let name = message["params"]["name"].as_str().unwrap_or_default();
    message["method"] == "tools/call" && tools::known_name(name) == name
}

/// Our own spelling of a message's method, for logs: a caller's text never gets there.
pub(super) fn known_method(message: &Value) -> &'static str {
    let known = METHODS
        .into_iter()
        .find(|method| message["method"] == *method);
    known.unwrap_or("other")
}

/// Hands a message to the protocol, with a handler behind it, and takes back its answer.
pub(super) async fn answer<H: ServerHandler + Clone>(
    server: H,
    parts: &Parts,
    message: &Value,
    request: &RequestId,
) -> Reply {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(2 * BODY_MAX_BYTES)
        .disable_allowed_hosts();
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
    // On the heap: it is large, and every caller would carry it.
    let response = Box::pin(service.handle(plain(parts, message))).await;
    let status = response.status();
    let body = match response.into_body().collect().await {
        Ok(body) => body.to_bytes(),
        Err(never) => match never {},
    };
    if status == StatusCode::INTERNAL_SERVER_ERROR {
        let error = Error::internal(String::from_utf8_lossy(&body).into_owned());
        problem::log(&error, request, tools::known_name(""));
        return Reply::of(status, b"internal error");
    }
    Reply::of(status, &body)
}

/// The request as `rmcp` wants it: whatever a client says that it accepts, it gets JSON.
fn plain(parts: &Parts, message: &Value) -> Request<Full<Bytes>> {
    let mut request = Request::new(Full::new(Bytes::from(message.to_string())));
    *request.method_mut() = parts.method.clone();
    let headers = request.headers_mut();
    headers.clone_from(&parts.headers);
    for (name, value) in [
        (header::ACCEPT, "application/json, text/event-stream"),
        (header::CONTENT_TYPE, "application/json"),
        (header::HOST, "localhost"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // The door has judged it.
    headers.remove(header::ORIGIN);
    request
}

/// The tools, for one caller.
#[derive(Clone)]
pub(super) struct Server {
    app: App,
    caller: Arc<Caller>,
}

impl Server {
    pub(super) fn new(app: &App, caller: Arc<Caller>) -> Self {
        Self {
            app: app.clone(),
            caller,
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .build();
        let identity = Implementation::new("image-memory", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities)
            .with_server_info(identity.with_title("Image memory"))
            .with_instructions(INSTRUCTIONS)
    }

    fn get_tool(&self, name: &str) -> Option<ListedTool> {
        listing::find(name).map(|listed| listed.tool.clone())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let principal = self.caller.principal.as_ref();
        let usable = principal.map(|caller| tools::usable(&self.app, caller, self.caller.toolset));
        let listed = usable
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(listing::find(entry.meta.name)?.tool.clone()));
        Ok(ListToolsResult::with_all_items(listed.collect())
            .with_ttl_ms(LIST_TTL_MS)
            .with_cache_scope(CacheScope::Private))
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(listed) = listing::find(&params.name) else {
            return Err(ErrorData::invalid_params("there is no such tool", None));
        };
        let arguments = Value::Object(params.arguments.unwrap_or_default());
        let called = self.caller.call(&self.app, listed.name, arguments).await;
        match called {
            Ok(answer) => Ok(answer::success(listed, answer).into()),
            Err(error) if error.code() == ErrorCode::Unauthenticated => {
                Err(self.caller.refuse(error))
            }
            Err(error) => Ok(answer::failure(&error, &self.caller.request).into()),
        }
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(
            ListResourceTemplatesResult::with_all_items(resources::templates())
                .with_ttl_ms(LIST_TTL_MS)
                .with_cache_scope(CacheScope::Private),
        )
    }

    async fn read_resource(
        &self,
        params: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let Some(wanted) = resources::Wanted::of(&params.uri) else {
            return Err(resources::not_found(&params.uri));
        };
        let called = self
            .caller
            .call(&self.app, READS_ONE_IMAGE, wanted.arguments())
            .await;
        match called {
            Ok(answer) => {
                let contents = wanted.contents(&params.uri, answer)?;
                let read = ReadResourceResult::new(vec![contents]);
                Ok(read
                    .with_ttl_ms(0)
                    .with_cache_scope(CacheScope::Private)
                    .into())
            }
            Err(error) if error.code() == ErrorCode::Unauthenticated => {
                Err(self.caller.refuse(error))
            }
            Err(error) => Err(resources::failure(
                &params.uri,
                &error,
                &self.caller.request,
            )),
        }
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method.as_str();
        let version = context.protocol_version();
        let is_removed = REMOVED.contains(&method)
            && version.is_some_and(|version| version >= ProtocolVersion::V_2026_07_28);
        if METHODS.contains(&method) && !is_removed {
            let message = "the parameters are not those of the method";
            return Err(ErrorData::invalid_params(message, None));
        }
        let message = "there is no such method here";
        Err(ErrorData::new(RpcCode::METHOD_NOT_FOUND, message, None))
    }
}
