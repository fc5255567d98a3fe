//! A deployment, called over HTTPS.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use common::error::{Error, ErrorCode, Result};
use functions::transport::stdio::Upstream;
use http::{Request, Response};
use secrecy::SecretString;

use super::{authorize, path};
use crate::cli::Toolset;

/// Longest call: a gateway ends it after 30 seconds.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Longest time for a connection to be made.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Largest answer; the server's own bound is a megabyte.
const ANSWER_MAX_BYTES: usize = 8 * 1024 * 1024;

/// The server to which messages are posted.
pub(super) struct Deployment {
    client: reqwest::Client,
    url: reqwest::Url,
    key: SecretString,
}

impl Deployment {
    /// A deployment by its address, with or without `/mcp`.
    ///
    /// # Errors
    /// `invalid_argument` for an address that is none, or to which a key must not go.
    pub(super) fn new(url: &str, key: SecretString, toolset: Toolset) -> Result<Self> {
        let invalid = |what: &str| Error::new(ErrorCode::InvalidArgument, what);
        let base = url.trim_end_matches('/');
        let base = base.strip_suffix("/mcp").unwrap_or(base);
        let url = reqwest::Url::parse(&format!("{base}{}", path(toolset))).map_err(|_| {
            invalid("the URL cannot be read; it is such as https://memory.example.com")
        })?;
        let is_near = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
        if url.scheme() != "https" && !(url.scheme() == "http" && is_near) {
            return Err(invalid(
                "the URL must begin with https://, as the key goes there",
            ));
        }
        let client = reqwest::Client::builder()
            .user_agent(concat!("image-memory/", env!("CARGO_PKG_VERSION")))
            // A key must not follow a redirect to wherever that leads.
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(TIMEOUT)
            .build()
            .map_err(Error::internal)?;
        Ok(Self { client, url, key })
    }
}

impl Upstream for Deployment {
    async fn post(&self, request: Request<Bytes>) -> Result<Response<Bytes>> {
        let (mut parts, body) = request.into_parts();
        authorize(&mut parts.headers, &self.key)?;
        let sent = self
            .client
            .post(self.url.clone())
            .headers(parts.headers)
            .body(body)
            .send();
        let mut received = sent.await.map_err(unreachable)?;
        let status = received.status();
        let mut body = BytesMut::new();
        while let Some(chunk) = received.chunk().await.map_err(unreachable)? {
            if body.len() + chunk.len() > ANSWER_MAX_BYTES {
                let message = "the server's answer is too large";
                return Err(Error::new(ErrorCode::Internal, message));
            }
            body.extend_from_slice(&chunk);
        }
        let mut response = Response::new(body.freeze());
        *response.status_mut() = status;
        Ok(response)
    }
}

fn unreachable(error: reqwest::Error) -> Error {
    let message = match error.is_timeout() {
        true => "the server did not answer in time",
        false => "the server cannot be reached",
    };
    Error::new(ErrorCode::Internal, message).because(error.without_url())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_goes_to_https_or_to_this_machine() {
        let new = |url: &str| Deployment::new(url, SecretString::from("imk_x"), Toolset::All);
        for (url, posted) in [
            ("https://a.example", "https://a.example/mcp?toolset=all"),
            (
                "https://a.example/mcp/",
                "https://a.example/mcp?toolset=all",
            ),
            (
                "https://a.example/prod",
                "https://a.example/prod/mcp?toolset=all",
            ),
            (
                "http://127.0.0.1:8787",
                "http://127.0.0.1:8787/mcp?toolset=all",
            ),
        ] {
            assert_eq!(
                new(url).map(|to| to.url.to_string()).unwrap_or_default(),
                posted
            );
        }
        for url in ["http://a.example", "ftp://127.0.0.1", "a.example", ""] {
            assert!(new(url).is_err(), "{url}");
        }
    }
}
