//! JSON-RPC 2.0 as MCP narrows it: what a message is, and what an answer is.

use bytes::Bytes;
use common::{error::Error, ids::RequestId};
use http::{HeaderName, HeaderValue, Response, StatusCode};
use serde_json::{Value, json};

use super::super::problem;

/// A message that can be handed on.
pub(super) enum Message {
    /// It is to be answered.
    Request { id: Value },
    /// It is not.
    Notification,
}

impl Message {
    /// Judges the envelope alone.
    pub(super) fn of(message: &Value) -> Result<Self, Fault> {
        let id = message.get("id");
        let known = match id {
            Some(Value::String(_)) => id.cloned(),
            Some(Value::Number(number)) if number.is_i64() => id.cloned(),
            _ => None,
        };
        let told = known.clone().unwrap_or(Value::Null);
        let invalid = |what: &str| Err(Fault::invalid_request(told.clone(), what));
        if !message.is_object() {
            return invalid("a message is a JSON object");
        }
        if message["jsonrpc"] != "2.0" {
            return invalid("jsonrpc must be \"2.0\"");
        }
        if !message["method"].is_string() {
            return invalid(
                "method must be a string; this server asks nothing, so it awaits no answers",
            );
        }
        if let Some(params) = message.get("params")
            && !(params.is_object() || params.is_null())
        {
            return Err(Fault::new(-32602, told, "params must be an object"));
        }
        match (id, known) {
            (None, _) => Ok(Self::Notification),
            (Some(_), Some(id)) => Ok(Self::Request { id }),
            (Some(_), None) => invalid("id must be a string or a whole number"),
        }
    }

    /// What the answer must carry.
    pub(super) fn id(&self) -> Value {
        match self {
            Self::Request { id } => id.clone(),
            Self::Notification => Value::Null,
        }
    }
}

/// A JSON-RPC error.
pub(super) struct Fault {
    code: i32,
    id: Box<Value>,
    message: String,
    data: Option<Box<Value>>,
}

impl Fault {
    pub(super) fn new(code: i32, id: Value, message: impl Into<String>) -> Self {
        Self {
            code,
            id: Box::new(id),
            message: message.into(),
            data: None,
        }
    }

    /// The body is not JSON.
    pub(super) fn parse() -> Self {
        Self::new(-32700, Value::Null, "the body is not JSON")
    }

    /// The message is not one of JSON-RPC's, or not one for here.
    pub(super) fn invalid_request(id: Value, message: impl Into<String>) -> Self {
        Self::new(-32600, id, message)
    }

    /// The caller was not let in, or could not be: with the one error object.
    pub(super) fn refused(id: Value, error: &Error, request: &RequestId) -> Self {
        Self {
            data: Some(Box::new(problem::body(error, request)["error"].take())),
            ..Self::new(-32000, id, error.message())
        }
    }

    fn body(&self) -> Value {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(data) = &self.data {
            error["data"] = (**data).clone();
        }
        json!({ "jsonrpc": "2.0", "id": self.id, "error": error })
    }
}

/// An answer.
pub(super) struct Reply {
    /// HTTP's status.
    pub(super) status: StatusCode,
    /// The JSON-RPC message; `None` to a notification.
    pub(super) body: Option<Value>,
    /// One header of its own.
    pub(super) header: Option<(HeaderName, HeaderValue)>,
}

impl Reply {
    fn new(status: StatusCode, body: Option<Value>) -> Self {
        Self {
            status,
            body,
            header: None,
        }
    }

    pub(super) fn ok(body: Value) -> Self {
        Self::new(StatusCode::OK, Some(body))
    }

    pub(super) fn accepted() -> Self {
        Self::new(StatusCode::ACCEPTED, None)
    }

    pub(super) fn fault(status: StatusCode, fault: &Fault) -> Self {
        Self::new(status, Some(fault.body()))
    }

    /// What the protocol answered, in whatever form: a body that is not JSON is told as a fault.
    pub(super) fn of(status: StatusCode, body: &[u8]) -> Self {
        match serde_json::from_slice(body) {
            Ok(body) => Self::new(status, Some(body)),
            Err(_) if status.is_success() => Self::new(status, None),
            Err(_) => {
                let message = String::from_utf8_lossy(body)
                    .chars()
                    .take(300)
                    .collect::<String>();
                let fault = Fault::invalid_request(Value::Null, message);
                let status = match status.is_client_error() {
                    // 406 and 415 are for headers that were put right, so the message itself was meant.
                    true => StatusCode::BAD_REQUEST,
                    false => status,
                };
                Self::fault(status, &fault)
            }
        }
    }

    /// Gives an error of the protocol the id of the request, where it was left out.
    pub(super) fn with_id(mut self, asked: &Value) -> Self {
        if let Some(body) = &mut self.body
            && body.get("error").is_some()
            && body.get("id").is_none_or(Value::is_null)
        {
            body["id"] = asked.clone();
        }
        self
    }

    pub(super) fn into_response(self) -> Response<Bytes> {
        let body = self.body.map(|body| body.to_string()).unwrap_or_default();
        let mut response = Response::new(Bytes::from(body));
        *response.status_mut() = self.status;
        if let Some((name, value)) = self.header {
            response.headers_mut().insert(name, value);
        }
        response
    }
}
