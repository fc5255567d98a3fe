//! Callers of MCP: over HTTP in each protocol generation, and over stdio.

use std::sync::Arc;

use bytes::Bytes;
use common::error::Error;
use functions::transport::{
    mcp,
    stdio::{self, Upstream},
};
use http::{HeaderMap, Request, Response, StatusCode};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex, split},
    task::JoinHandle,
};

use crate::TestApp;

/// A protocol version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Generation(pub &'static str);

impl Generation {
    /// Those with a handshake, oldest first.
    pub const LEGACY: [Self; 3] = [Self("2025-03-26"), Self("2025-06-18"), Self("2025-11-25")];
    /// The one whose requests say all of themselves.
    pub const MODERN: Self = Self("2026-07-28");
    /// All.
    pub const ALL: [Self; 4] = [
        Self::LEGACY[0],
        Self::LEGACY[1],
        Self::LEGACY[2],
        Self::MODERN,
    ];

    /// A request of a client of this generation.
    #[must_use]
    pub fn message(self, id: u64, method: &str, params: Value) -> Value {
        let mut params = params;
        if self == Self::MODERN {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": self.0,
                "io.modelcontextprotocol/clientInfo": { "name": "tests", "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
    }

    /// The headers with which such a client posts it.
    #[must_use]
    pub fn headers(self, message: &Value) -> Vec<(&'static str, String)> {
        let mut headers = vec![
            ("content-type", "application/json".to_owned()),
            ("accept", "application/json, text/event-stream".to_owned()),
            ("host", "localhost".to_owned()),
        ];
        if message["method"] != "initialize" {
            headers.push(("mcp-protocol-version", self.0.to_owned()));
        }
        if self == Self::MODERN {
            let params = &message["params"];
            let name = params["name"].as_str().or(params["uri"].as_str());
            let method = message["method"].as_str();
            headers.extend(method.map(|method| ("mcp-method", method.to_owned())));
            headers.extend(name.map(|name| ("mcp-name", name.to_owned())));
        }
        headers
    }
}

/// An answer of MCP over HTTP.
#[derive(Debug, Clone)]
pub struct Rpc {
    /// HTTP's status.
    pub status: StatusCode,
    /// HTTP's headers.
    pub headers: HeaderMap,
    /// The message; null when there is none.
    pub body: Value,
}

impl Rpc {
    /// The result of a request that must have succeeded.
    ///
    /// # Panics
    /// When it did not.
    #[must_use]
    pub fn result(&self) -> &Value {
        assert!(
            self.status == StatusCode::OK && self.body.get("error").is_none(),
            "{} {:#}",
            self.status,
            self.body
        );
        &self.body["result"]
    }

    /// HTTP's status and the code of the JSON-RPC error.
    #[must_use]
    pub fn fault(&self) -> (u16, i64) {
        (
            self.status.as_u16(),
            self.body["error"]["code"].as_i64().unwrap_or_default(),
        )
    }
}

impl TestApp {
    /// Posts bytes to MCP with headers.
    ///
    /// # Panics
    /// When the answer has a body that is not JSON.
    pub async fn post_mcp(&self, headers: &[(&str, &str)], body: impl Into<Bytes>) -> Rpc {
        let mut request = Request::post(mcp::PATH);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(body.into());
        self.mcp(request.unwrap_or_else(|error| panic!("{error}")))
            .await
    }

    /// Hands a request to MCP.
    ///
    /// # Panics
    /// When the answer has a body that is not JSON.
    pub async fn mcp(&self, request: Request<Bytes>) -> Rpc {
        let (parts, body) = mcp::handle(&self.app, request).await.into_parts();
        let body = match body.is_empty() {
            true => Value::Null,
            false => {
                serde_json::from_slice(&body).unwrap_or_else(|error| panic!("{error}: {body:?}"))
            }
        };
        Rpc {
            status: parts.status,
            headers: parts.headers,
            body,
        }
    }

    /// Sends a request as a client of a generation does.
    pub async fn rpc(&self, generation: Generation, key: &str, method: &str, params: Value) -> Rpc {
        let message = generation.message(1, method, params);
        let bearer = format!("Bearer {key}");
        let mut headers = generation.headers(&message);
        headers.push(("authorization", bearer));
        let headers: Vec<(&str, &str)> = headers
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        self.post_mcp(&headers, message.to_string()).await
    }

    /// Calls a tool over MCP.
    pub async fn rpc_call(
        &self,
        generation: Generation,
        key: &str,
        tool: &str,
        input: Value,
    ) -> Value {
        let params = json!({ "name": tool, "arguments": input });
        let answer = self.rpc(generation, key, "tools/call", params).await;
        answer.result().clone()
    }

    /// A client of MCP over stdio, with a key.
    #[must_use]
    pub fn stdio(&self, key: &str) -> Stdio {
        Stdio::over(InProcess {
            app: self.app.clone(),
            bearer: format!("Bearer {key}"),
        })
    }
}

/// What a tool said in a result of `tools/call`: its output, or the error object.
///
/// # Panics
/// When the result is not whole.
#[must_use]
pub fn payload(result: &Value) -> Value {
    let text = result["content"][0]["text"].as_str().unwrap_or_default();
    match result["isError"] == true {
        true => {
            assert!(result.get("structuredContent").is_none(), "{result:#}");
            serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
        }
        false => result["structuredContent"].clone(),
    }
}

struct InProcess {
    app: common::app::App,
    bearer: String,
}

impl Upstream for InProcess {
    async fn post(&self, mut request: Request<Bytes>) -> Result<Response<Bytes>, Error> {
        let headers = request.headers_mut();
        for (name, value) in [
            ("authorization", self.bearer.as_str()),
            ("host", "localhost"),
        ] {
            let value = value.parse().map_err(Error::internal)?;
            headers.insert(name, value);
        }
        Ok(mcp::handle(&self.app, request).await)
    }
}

/// The client's side of MCP over stdio.
pub struct Stdio {
    input: tokio::io::WriteHalf<DuplexStream>,
    output: tokio::io::Lines<BufReader<tokio::io::ReadHalf<DuplexStream>>>,
    server: JoinHandle<std::io::Result<()>>,
}

impl Stdio {
    /// A client of a relay to `upstream`.
    #[must_use]
    pub fn over(upstream: impl Upstream) -> Self {
        let (client, server) = duplex(64 * 1024);
        let (read, write) = split(server);
        let served = stdio::serve(Arc::new(upstream), BufReader::new(read), write);
        let (output, input) = split(client);
        Self {
            input,
            output: BufReader::new(output).lines(),
            server: tokio::spawn(served),
        }
    }

    /// Writes a line.
    ///
    /// # Panics
    /// When the server has ended.
    pub async fn send(&mut self, line: &str) {
        let line = format!("{line}\n");
        let written = self.input.write_all(line.as_bytes()).await;
        written.unwrap_or_else(|error| panic!("{error}"));
    }

    /// Reads a line; each is a JSON-RPC message, or a batch of them.
    ///
    /// # Panics
    /// When there is none, or it is not JSON.
    pub async fn receive(&mut self) -> Value {
        let line = self.output.next_line().await;
        let line = line.unwrap_or_else(|error| panic!("{error}"));
        let line = line.unwrap_or_else(|| panic!("the server has ended"));
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Calls a tool and returns the result.
    ///
    /// # Panics
    /// When the answer is not the call's.
    pub async fn call(&mut self, generation: Generation, tool: &str, input: Value) -> Value {
        let params = json!({ "name": tool, "arguments": input });
        let message = generation.message(7, "tools/call", params);
        self.send(&message.to_string()).await;
        let answer = self.receive().await;
        assert_eq!(answer["id"], 7, "{answer:#}");
        answer["result"].clone()
    }

    /// Closes the input.
    pub async fn end(&mut self) {
        self.input.shutdown().await.ok();
    }

    /// Closes the input and waits for the server to end; whatever it still says is lost.
    ///
    /// # Panics
    /// When it ends with an error.
    pub async fn close(mut self) {
        self.end().await;
        let ended = self.server.await.unwrap_or_else(|error| panic!("{error}"));
        ended.unwrap_or_else(|error| panic!("{error}"));
    }
}
