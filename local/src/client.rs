//! A caller over real HTTP, as the demo and the tests use it.

use std::net::SocketAddr;

use bytes::Bytes;
use common::error::{Error, ErrorCode, Result};
use http::{Method, Request, Response, StatusCode, header};
use http_body_util::{BodyExt, Full};
use hyper_util::rt::TokioIo;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use tokio::net::TcpStream;

/// Calls the tools of one server with one key.
#[derive(Clone)]
pub struct Client {
    address: SocketAddr,
    key: SecretString,
}

impl Client {
    /// A client of the server at `address`.
    #[must_use]
    pub fn new(address: SocketAddr, key: SecretString) -> Self {
        Self { address, key }
    }

    /// Calls a tool.
    ///
    /// # Errors
    /// The server's own error, by its code; `internal` when it does not answer.
    pub async fn call(&self, tool: &str, input: &Value) -> Result<Value> {
        let (status, body) = self
            .post(&format!("/v1/tools/{tool}"), input.to_string().into())
            .await?;
        if status == StatusCode::OK {
            return Ok(body);
        }
        let error = &body["error"];
        let text = |name: &str| error[name].as_str().unwrap_or_default().to_owned();
        let code = ErrorCode::from_name(&text("code")).unwrap_or(ErrorCode::Internal);
        Err(Error::new(code, text("message")))
    }

    async fn post(&self, path: &str, body: Bytes) -> Result<(StatusCode, Value)> {
        let request = Request::builder()
            .method(Method::POST)
            .uri(path)
            .header(header::HOST, self.address.to_string())
            .header(
                header::AUTHORIZATION,
                format!("Bearer {}", self.key.expose_secret()),
            )
            .header(header::CONTENT_TYPE, "application/json")
            .body(Full::new(body))
            .map_err(Error::internal)?;
        let response = self.send(request).await?;
        let status = response.status();
        Ok((
            status,
            serde_json::from_slice(response.body()).map_err(Error::internal)?,
        ))
    }

    /// Reads a link of the server, such as a preview.
    ///
    /// # Errors
    /// `internal` when the server does not answer.
    pub async fn read(&self, link: &str) -> Result<Response<Bytes>> {
        let path = link
            .split_once("://")
            .and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..]));
        let request = Request::builder()
            .uri(path.unwrap_or(link))
            .header(header::HOST, self.address.to_string())
            .body(Full::new(Bytes::new()))
            .map_err(Error::internal)?;
        self.send(request).await
    }

    async fn send(&self, request: Request<Full<Bytes>>) -> Result<Response<Bytes>> {
        let stream = TcpStream::connect(self.address)
            .await
            .map_err(Error::internal)?;
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
            .await
            .map_err(Error::internal)?;
        let connection = tokio::spawn(connection);
        let response = sender
            .send_request(request)
            .await
            .map_err(Error::internal)?;
        let (parts, body) = response.into_parts();
        let body = body.collect().await.map_err(Error::internal)?.to_bytes();
        drop(sender);
        connection.abort();
        Ok(Response::from_parts(parts, body))
    }
}
