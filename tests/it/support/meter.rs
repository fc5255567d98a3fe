//! A stretch of network before the test server that counts what passes: statements, and round trips.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use common::testing::TestDatabase;
use secrecy::{ExposeSecret, SecretString};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream, tcp},
};
use url::Url;

/// How long an answer takes. What is sent within it is one flight, as on a real network; without it, whether
/// two statements share a flight would depend on how quick the server is.
const LATENCY: Duration = Duration::from_millis(20);

/// What passed.
#[derive(Debug, Default)]
struct Counts {
    statements: AtomicUsize,
    flights: AtomicUsize,
    /// Synchronisation points that are sent and not yet answered.
    open: AtomicUsize,
}

/// The stretch.
pub(crate) struct Meter {
    counts: Arc<Counts>,
    url: SecretString,
}

impl Meter {
    /// Puts one before the login role's URL.
    pub(crate) async fn before(database: &TestDatabase) -> Self {
        let mut url = Url::parse(database.login_url().expose_secret()).unwrap();
        let server = format!("{}:{}", url.host_str().unwrap(), url.port().unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        url.set_host(Some("127.0.0.1")).unwrap();
        url.set_port(Some(listener.local_addr().unwrap().port()))
            .unwrap();
        let counts = Arc::new(Counts::default());
        let shared = counts.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(&server).await.unwrap();
                client.set_nodelay(true).unwrap();
                server.set_nodelay(true).unwrap();
                let (from_client, to_client) = client.into_split();
                let (from_server, to_server) = server.into_split();
                tokio::spawn(pass(from_client, to_server, shared.clone(), Side::Client));
                tokio::spawn(pass(from_server, to_client, shared.clone(), Side::Server));
            }
        });
        Self {
            counts,
            url: url.to_string().into(),
        }
    }

    /// The URL that leads through it.
    pub(crate) fn url(&self) -> &SecretString {
        &self.url
    }

    /// Statements and round trips since the last look.
    pub(crate) fn take(&self) -> (usize, usize) {
        (
            self.counts.statements.swap(0, Ordering::SeqCst),
            self.counts.flights.swap(0, Ordering::SeqCst),
        )
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Client,
    Server,
}

async fn pass(
    mut from: tcp::OwnedReadHalf,
    mut to: tcp::OwnedWriteHalf,
    counts: Arc<Counts>,
    side: Side,
) {
    let mut messages = Messages::new(side);
    let mut chunk = vec![0; 64 * 1024];
    while let Ok(length @ 1..) = from.read(&mut chunk).await {
        if side == Side::Server {
            tokio::time::sleep(LATENCY).await;
        }
        for kind in messages.read(&chunk[..length]) {
            count(&counts, side, kind);
        }
        if to.write_all(&chunk[..length]).await.is_err() {
            return;
        }
    }
}

/// Counts a message of the protocol: Parse is a statement, Query too; Sync and Query end with ReadyForQuery.
fn count(counts: &Counts, side: Side, kind: u8) {
    match (side, kind) {
        (Side::Client, b'P') => {
            counts.statements.fetch_add(1, Ordering::SeqCst);
        }
        (Side::Client, b'S' | b'Q') => {
            counts
                .statements
                .fetch_add(usize::from(kind == b'Q'), Ordering::SeqCst);
            if counts.open.fetch_add(1, Ordering::SeqCst) == 0 {
                counts.flights.fetch_add(1, Ordering::SeqCst);
            }
        }
        (Side::Server, b'Z') => {
            // The first one answers the start, which no Sync asked for.
            let open = counts.open.load(Ordering::SeqCst);
            counts.open.store(open.saturating_sub(1), Ordering::SeqCst);
        }
        _ => {}
    }
}

/// Cuts a stream into messages; the client's first ones have no kind.
struct Messages {
    side: Side,
    started: bool,
    pending: Vec<u8>,
}

impl Messages {
    const fn new(side: Side) -> Self {
        Self {
            side,
            started: false,
            pending: Vec::new(),
        }
    }

    fn read(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.pending.extend_from_slice(bytes);
        let mut kinds = Vec::new();
        loop {
            let typed = self.started || self.side == Side::Server;
            let head = usize::from(typed);
            let Some(length) = self.pending.get(head..head + 4) else {
                return kinds;
            };
            let length = u32::from_be_bytes(length.try_into().unwrap()) as usize + head;
            if self.pending.len() < length {
                return kinds;
            }
            let message: Vec<u8> = self.pending.drain(..length).collect();
            if typed {
                kinds.push(message[0]);
            }
            self.started = true;
        }
    }
}
