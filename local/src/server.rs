//! The local server: loopback HTTP in front of the same handlers that the cloud runs.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use bytes::Bytes;
use common::{
    adapters::local_objects::LocalObjects,
    app::App,
    error::{Error, ErrorCode, Result},
    ids::RequestId,
    ports::ByteStream,
};
use functions::transport::{http as tools, mcp};
use futures_util::StreamExt;
use http::{HeaderName, HeaderValue, Method, Request, Response, StatusCode, header};
use http_body_util::{BodyExt, Full, Limited, StreamBody, combinators::UnsyncBoxBody};
use hyper::{
    body::{Frame, Incoming},
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinSet,
};

use crate::shutdown::Ending;

/// Path of signed links to local objects.
const OBJECTS: &str = "/local-objects/";

/// A little more than the handlers take, so that they can say so themselves.
const BODY_MAX_BYTES: usize = 2 * tools::BODY_MAX_BYTES;

/// Longest time for a request's head or body to arrive.
const RECEIVE_TIMEOUT: Duration = Duration::from_secs(30);

/// How long open connections may go on after the end was announced.
const DRAIN: Duration = Duration::from_secs(5);

type Body = UnsyncBoxBody<Bytes, std::io::Error>;

/// Binds the listener.
///
/// # Errors
/// `conflict` with a remedy in the message when the port is taken.
pub async fn bind(address: SocketAddr) -> Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| {
        let message = match error.kind() {
            std::io::ErrorKind::AddrInUse => format!(
                "port {} on {} is taken; stop the program that holds it, or choose another by --listen {}:PORT",
                address.port(),
                address.ip(),
                address.ip()
            ),
            _ => format!("cannot listen on {address}; choose another address by --listen"),
        };
        Error::new(ErrorCode::Conflict, message).because(error)
    })
}

/// Serves until the end, then lets open connections end.
pub async fn serve(
    listener: TcpListener,
    app: App,
    objects: Arc<LocalObjects>,
    mut ending: Ending,
) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(connection(stream, app.clone(), objects.clone(), ending.clone()));
                }
                // Out of file descriptors, usually: give the open connections time to end.
                Err(error) => {
                    tracing::warn!(error.cause = %error, "a connection could not be accepted");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            },
            // Reaps what has ended, so that the set does not grow.
            Some(_) = connections.join_next(), if !connections.is_empty() => {}
            () = ending.wait() => break,
        }
    }
    let drained = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(DRAIN, drained).await.is_err() {
        tracing::warn!("connections that were still open were cut");
    }
}

async fn connection(stream: TcpStream, app: App, objects: Arc<LocalObjects>, mut ending: Ending) {
    let service = service_fn(move |request| {
        let (app, objects) = (app.clone(), objects.clone());
        async move { Ok::<_, std::convert::Infallible>(respond(&app, &objects, request).await) }
    });
    let served = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(RECEIVE_TIMEOUT)
        .serve_connection(TokioIo::new(stream), service);
    tokio::pin!(served);
    let result = tokio::select! {
        result = served.as_mut() => result,
        () = ending.wait() => {
            served.as_mut().graceful_shutdown();
            served.await
        }
    };
    if let Err(error) = result {
        tracing::debug!(error.cause = %error, "a connection ended early");
    }
}

async fn respond(app: &App, objects: &LocalObjects, request: Request<Incoming>) -> Response<Body> {
    let id = RequestId::generate(app.clock.millis());
    if request.uri().path().starts_with(OBJECTS) {
        return object(objects, &request)
            .await
            .unwrap_or_else(|error| whole(tools::refusal(&error, &id)));
    }
    let (parts, body) = request.into_parts();
    let received = tokio::time::timeout(
        RECEIVE_TIMEOUT,
        Limited::new(body, BODY_MAX_BYTES).collect(),
    )
    .await;
    let body = match received {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(_)) => {
            let message = "the request is too large or ended early";
            return whole(tools::refusal(
                &Error::new(ErrorCode::UseUpload, message),
                &id,
            ));
        }
        Err(_) => {
            let message = "the request took too long to arrive";
            return whole(tools::refusal(
                &Error::new(ErrorCode::InvalidArgument, message),
                &id,
            ));
        }
    };
    let request = Request::from_parts(parts, body);
    whole(match mcp::is_here(request.uri().path()) {
        true => mcp::handle(app, request).await,
        false => tools::handle(app, request).await,
    })
}

/// Reads a private object by its signed link.
async fn object(objects: &LocalObjects, request: &Request<Incoming>) -> Result<Response<Body>> {
    if ![Method::GET, Method::HEAD].contains(request.method()) {
        return Err(Error::new(
            ErrorCode::MethodNotAllowed,
            "links are read with GET",
        ));
    }
    let range = request
        .headers()
        .get(header::RANGE)
        .and_then(|value| value.to_str().ok());
    let uri = request.uri();
    let opened = objects
        .open_signed(uri.path(), uri.query().unwrap_or_default(), range)
        .await?;
    let body: Body = if request.method() == Method::HEAD {
        empty()
    } else {
        streamed(opened.body)
    };
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(opened.status).unwrap_or(StatusCode::OK);
    for (name, value) in opened.headers {
        let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value))
        else {
            continue;
        };
        response.headers_mut().insert(name, value);
    }
    Ok(response)
}

fn whole(response: Response<Bytes>) -> Response<Body> {
    response.map(|bytes| {
        Full::new(bytes)
            .map_err(|never| match never {})
            .boxed_unsync()
    })
}

fn empty() -> Body {
    Full::new(Bytes::new())
        .map_err(|never| match never {})
        .boxed_unsync()
}

fn streamed(stream: ByteStream) -> Body {
    BodyExt::boxed_unsync(StreamBody::new(stream.map(|chunk| chunk.map(Frame::data))))
}
