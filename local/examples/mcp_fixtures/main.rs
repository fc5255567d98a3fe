//! A server for the conformance suite of MCP, which asks for tools, prompts and resources that no product has.
//! They stand in `fixtures.json`; in front of them is the front of the product, with its keys, hosts and
//! envelopes. The key is that of the data directory, as with `image-memory dev`.
//!
//!     cargo run --package local --example mcp_fixtures -- DATA_DIR
//!
//! It says where it listens, and ends with SIGTERM.

mod fixtures;

use std::{convert::Infallible, net::SocketAddr};

use bytes::Bytes;
use common::{
    app::App,
    error::{Error, ErrorCode, Result},
};
use functions::transport::mcp;
use http::{Request, Response};
use http_body_util::{BodyExt, Collected, Full};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use local::{demo::key, dev_dir::DevDir, stack::Stack};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
};

use self::fixtures::Fixtures;

const LOOPBACK: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 0);

#[tokio::main]
async fn main() -> Result<()> {
    let data = std::env::args_os().nth(1);
    let data =
        data.ok_or_else(|| Error::new(ErrorCode::InvalidArgument, "name a data directory"))?;
    let dev = DevDir::new(".dev").with_data(data);
    let stack = Stack::start(&dev, LOOPBACK, &|line| eprintln!("  {line}")).await?;
    key::ensure(&stack.app, &dev).await?;
    let listener = TcpListener::bind(LOOPBACK).await.map_err(Error::internal)?;
    let address = listener.local_addr().map_err(Error::internal)?;
    println!("the server of the fixtures listens on http://{address}. It ends with SIGTERM.");
    let mut terminated = signal(SignalKind::terminate()).map_err(Error::internal)?;
    let fixtures = Fixtures::read()?;
    tokio::select! {
        ended = serve(&listener, &stack.app, &fixtures) => ended?,
        _ = terminated.recv() => {}
    }
    stack.stop().await
}

async fn serve(listener: &TcpListener, app: &App, fixtures: &Fixtures) -> Result<()> {
    loop {
        let (stream, _) = listener.accept().await.map_err(Error::internal)?;
        let (app, fixtures) = (app.clone(), fixtures.clone());
        let service = service_fn(move |request| {
            let (app, fixtures) = (app.clone(), fixtures.clone());
            async move { Ok::<_, Infallible>(respond(&app, &fixtures, request).await) }
        });
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}

async fn respond(
    app: &App,
    fixtures: &Fixtures,
    request: Request<Incoming>,
) -> Response<Full<Bytes>> {
    let (parts, body) = request.into_parts();
    // A body that ends early is no JSON, which the front says.
    let body = body.collect().await.map(Collected::to_bytes);
    let request = Request::from_parts(parts, body.unwrap_or_default());
    mcp::handle_with(app, request, fixtures)
        .await
        .map(Full::new)
}
