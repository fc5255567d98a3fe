//! `mcp`: MCP over standard input and output, for an agent on this machine: over the embedded stack, or as
//! a thin client of a deployment.

mod remote;

use std::{net::SocketAddr, sync::Arc};

use bytes::Bytes;
use common::{
    app::App,
    config::{Environment, Remote},
    error::{Error, ErrorCode, Result},
};
use functions::transport::{
    mcp,
    stdio::{self, Upstream},
};
use http::{HeaderMap, HeaderValue, Request, Response, Uri, header};
use secrecy::{ExposeSecret, SecretString};
use tokio::{
    io::{BufReader, stdin, stdout},
    signal::unix::{SignalKind, signal},
};

use crate::{bring::Progress, cli::Toolset, demo::key, dev_dir::DevDir, stack::Stack};

/// Serves one client until its input ends, or SIGINT or SIGTERM comes.
///
/// # Errors
/// One sentence with its remedy for whatever is missing.
pub async fn run(
    dev: &DevDir,
    url: Option<String>,
    toolset: Toolset,
    say: &Progress<'_>,
) -> Result<()> {
    let Remote { url: set, key } = Remote::read(&Environment);
    match url.or(set) {
        Some(url) => {
            let key = key.ok_or_else(|| {
                let message = "set IMAGE_MEMORY_KEY to the key for the deployment";
                Error::new(ErrorCode::InvalidArgument, message)
            })?;
            relay(remote::Deployment::new(&url, key, toolset)?).await
        }
        None => in_process(dev, key, toolset, say).await,
    }
}

async fn in_process(
    dev: &DevDir,
    key: Option<SecretString>,
    toolset: Toolset,
    say: &Progress<'_>,
) -> Result<()> {
    // Its links are read from here; which port, nobody needs to know.
    let free = SocketAddr::from(([127, 0, 0, 1], 0));
    let stack = Stack::start(dev, free, say).await?;
    let key = match key {
        Some(key) => key,
        None => key::ensure(&stack.app, dev).await?,
    };
    let served = relay(InProcess {
        app: stack.app.clone(),
        key,
        path: path(toolset),
    })
    .await;
    stack.stop().await?;
    served
}

async fn relay(upstream: impl Upstream) -> Result<()> {
    let mut interrupted = signal(SignalKind::interrupt()).map_err(Error::internal)?;
    let mut terminated = signal(SignalKind::terminate()).map_err(Error::internal)?;
    let served = stdio::serve(Arc::new(upstream), BufReader::new(stdin()), stdout());
    tokio::select! {
        served = served => match served {
            // A client that ends may close its side first.
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Error::internal(error)),
            _ => Ok(()),
        },
        _ = interrupted.recv() => Ok(()),
        _ = terminated.recv() => Ok(()),
    }
}

/// Where MCP is answered, with the toolset that is wanted.
const fn path(toolset: Toolset) -> &'static str {
    match toolset {
        Toolset::Core => "/mcp",
        Toolset::All => "/mcp?toolset=all",
    }
}

/// Says who calls.
///
/// # Errors
/// `invalid_argument` for a key that no header can carry.
fn authorize(headers: &mut HeaderMap, key: &SecretString) -> Result<()> {
    let bearer = HeaderValue::from_str(&format!("Bearer {}", key.expose_secret()));
    let mut bearer = bearer.map_err(|_| {
        let message = "the key has characters that no key has";
        Error::new(ErrorCode::InvalidArgument, message)
    })?;
    bearer.set_sensitive(true);
    headers.insert(header::AUTHORIZATION, bearer);
    Ok(())
}

/// The handlers of this process.
struct InProcess {
    app: App,
    key: SecretString,
    path: &'static str,
}

impl Upstream for InProcess {
    async fn post(&self, mut request: Request<Bytes>) -> Result<Response<Bytes>> {
        *request.uri_mut() = Uri::from_static(self.path);
        let headers = request.headers_mut();
        authorize(headers, &self.key)?;
        // It comes from this process; which hosts others may use does not matter.
        let host = self.app.settings.allowed_hosts.first();
        let host = host.and_then(|host| HeaderValue::from_str(host).ok());
        if let Some(host) = host {
            headers.insert(header::HOST, host);
        }
        Ok(mcp::handle(&self.app, request).await)
    }
}
