//! What `fixtures.json` says, as a handler. A tool or a prompt answers in rounds: the last one whose state and
//! needs are met by what the client sends, else the first.

use std::{collections::BTreeMap, sync::Arc};

use common::error::{Error, Result};
use rmcp::{
    RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams,
        CompleteResult, ErrorCode, ErrorData, GetPromptRequestParams, GetPromptResponse,
        GetPromptResult, InputRequiredResult, ListPromptsResult, ListResourceTemplatesResult,
        ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams,
        ReadResourceResponse, ReadResourceResult, ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

type Context = RequestContext<RoleServer>;
type Asked<T> = std::result::Result<T, ErrorData>;

/// The part of a URI that the one template leaves open.
const TEMPLATE: (&str, &str) = ("test://template/", "/data");

/// The fixtures.
#[derive(Clone)]
pub(crate) struct Fixtures(Arc<Value>);

/// What a client sends with a call, beside its name.
struct Sent {
    arguments: BTreeMap<String, Value>,
    responses: BTreeMap<String, Value>,
    state: Option<String>,
    capabilities: Value,
}

impl Sent {
    fn new(
        arguments: Option<serde_json::Map<String, Value>>,
        responses: Option<BTreeMap<String, Value>>,
        state: Option<String>,
        context: &Context,
    ) -> Self {
        Self {
            arguments: arguments.unwrap_or_default().into_iter().collect(),
            responses: responses.unwrap_or_default(),
            state,
            capabilities: json!(context.client_capabilities().unwrap_or_default()),
        }
    }

    /// Whether a round is the one to answer with.
    fn meets(&self, round: &Value) -> bool {
        let mut needs = round["needs"].as_object().into_iter().flatten();
        let are_met = needs.all(|(key, field)| {
            let response = self.responses.get(key);
            response.is_some_and(|response| response.get(field.as_str().unwrap_or("")).is_some())
        });
        are_met && round["state"].as_str() == self.state.as_deref()
    }

    /// An answer with the arguments where it names them, asking nothing of which the client is not capable.
    fn fill(&self, answer: &Value) -> Asked<Value> {
        let mut text = answer.to_string();
        for (name, value) in &self.arguments {
            text = text.replace(&format!("{{{name}}}"), value.as_str().unwrap_or_default());
        }
        let mut answer: Value = serde_json::from_str(&text).map_err(|error| broken(&error))?;
        let requests = answer.get_mut("inputRequests");
        if let Some(requests) = requests.and_then(Value::as_object_mut) {
            requests.retain(|_, request| {
                // The part before the slash is the capability's name: sampling, elicitation or roots.
                let method = request["method"].as_str().unwrap_or_default();
                let capability = method.split('/').next().unwrap_or_default();
                !self.capabilities[capability].is_null()
            });
        }
        Ok(answer)
    }
}

fn broken(error: &serde_json::Error) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

fn read<T: DeserializeOwned>(value: Value) -> Asked<T> {
    serde_json::from_value(value).map_err(|error| broken(&error))
}

/// A result that says so itself, as those of 2026-07-28 do; earlier ones lose it again on their way.
fn result<T: DeserializeOwned>(mut value: Value) -> Asked<T> {
    value["resultType"] = json!("complete");
    read(value)
}

/// An answer, or what is asked for first.
fn told<T: From<InputRequiredResult>, C: DeserializeOwned + Into<T>>(answer: Value) -> Asked<T> {
    match answer["resultType"] == "input_required" {
        true => read::<InputRequiredResult>(answer).map(T::from),
        false => result::<C>(answer).map(C::into),
    }
}

impl Fixtures {
    /// Reads them.
    pub(crate) fn read() -> Result<Self> {
        let fixtures = serde_json::from_str(include_str!("fixtures.json"));
        fixtures.map(Self).map_err(Error::internal)
    }

    /// A list, with the time for which it may be kept.
    fn list<T: DeserializeOwned>(&self, kind: &str) -> Asked<T> {
        let things: Vec<Value> = match &self.0[kind] {
            Value::Object(things) => things.values().map(|thing| thing["told"].clone()).collect(),
            _ => Vec::new(),
        };
        result(json!({ kind: things, "ttlMs": 1000, "cacheScope": "private" }))
    }

    fn answer(&self, kind: &str, name: &str, sent: &Sent) -> Asked<Value> {
        let thing = &self.0[kind][name];
        let unknown = || ErrorData::invalid_params("there is no such thing", None);
        if let Some(capability) = thing["requires"].as_str()
            && sent.capabilities[capability].is_null()
        {
            let data = json!({ "requiredCapabilities": { capability: {} } });
            let code = ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY;
            return Err(ErrorData::new(code, "a capability is missing", Some(data)));
        }
        let rounds = thing["rounds"].as_array().ok_or_else(unknown)?;
        let issued = |state: &String| rounds.iter().any(|round| round["state"] == **state);
        if sent.state.as_ref().is_some_and(|state| !issued(state)) {
            return Err(ErrorData::invalid_params(
                "the state was not issued here",
                None,
            ));
        }
        let met = rounds.iter().rev().find(|round| sent.meets(round));
        let round = met.or(rounds.first()).ok_or_else(unknown)?;
        sent.fill(&round["answer"])
    }
}

impl ServerHandler for Fixtures {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_resources()
            .enable_completions()
            .build();
        ServerConfig::new(capabilities)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        read(self.0["tools"][name]["told"].clone()).ok()
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Asked<ListToolsResult> {
        self.list("tools")
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: Context,
    ) -> Asked<CallToolResponse> {
        let sent = Sent::new(
            params.arguments,
            params.input_responses,
            params.request_state,
            &context,
        );
        told::<_, CallToolResult>(self.answer("tools", &params.name, &sent)?)
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Asked<ListPromptsResult> {
        self.list("prompts")
    }

    async fn get_prompt(
        &self,
        params: GetPromptRequestParams,
        context: Context,
    ) -> Asked<GetPromptResponse> {
        let sent = Sent::new(
            params.arguments,
            params.input_responses,
            params.request_state,
            &context,
        );
        told::<_, GetPromptResult>(self.answer("prompts", &params.name, &sent)?)
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Asked<ListResourcesResult> {
        self.list("resources")
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Asked<ListResourceTemplatesResult> {
        self.list("resourceTemplates")
    }

    async fn read_resource(
        &self,
        params: ReadResourceRequestParams,
        context: Context,
    ) -> Asked<ReadResourceResponse> {
        let uri = params.uri;
        let open = uri
            .strip_prefix(TEMPLATE.0)
            .and_then(|rest| rest.strip_suffix(TEMPLATE.1));
        let (kind, name) = match open {
            Some(_) => ("resourceTemplates", TEMPLATE.0),
            None => ("resources", uri.as_str()),
        };
        if self.0[kind][name].is_null() {
            let data = json!({ "uri": uri });
            return Err(ErrorData::resource_not_found(
                "resource not found",
                Some(data),
            ));
        }
        let id = json!(open.unwrap_or_default());
        let arguments = [("id".to_owned(), id)].into_iter().collect();
        let sent = Sent::new(Some(arguments), None, None, &context);
        told::<_, ReadResourceResult>(self.answer(kind, name, &sent)?)
    }

    async fn complete(&self, _: CompleteRequestParams, _: Context) -> Asked<CompleteResult> {
        result(json!({ "completion": { "values": ["paris", "park"], "hasMore": false } }))
    }
}
