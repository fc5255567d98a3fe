//! Logs: one JSON line per outcome, dotted fields, to standard error. `RUST_LOG` narrows or widens them.
//!
//! What never goes into a field: bytes, base64, signed links, keys and secrets, identities, query text,
//! titles and other text of callers. The test run is captured at the widest setting and searched for each.

use tracing::Subscriber;
use tracing_subscriber::{EnvFilter, fmt::MakeWriter, util::SubscriberInitExt};

/// Crates that write what passes through them, such as statement parameters, into their debug lines: no
/// setting makes them say more than warnings, and those that quote headers there no more than errors.
const TALKATIVE: &str = "tokio_postgres=warn,postgres_protocol=warn,hyper=warn,hyper_util=warn,rustls=warn,ort=warn,tokenizers=warn,rmcp=error";

/// Starts logging for the process; a second start does nothing. `wanted` is what `RUST_LOG` says.
pub fn init(wanted: Option<&str>) {
    subscriber(wanted.unwrap_or("warn"), std::io::stderr)
        .try_init()
        .ok();
}

/// The subscriber that [`init`] starts, with another setting and writer: for tests that read the lines.
pub fn subscriber<W>(wanted: &str, writer: W) -> impl Subscriber + Send + Sync
where
    W: for<'writer> MakeWriter<'writer> + Send + Sync + 'static,
{
    let filter = EnvFilter::try_new(format!("{wanted},{TALKATIVE}"));
    let filter = filter.unwrap_or_else(|_| EnvFilter::new(format!("warn,{TALKATIVE}")));
    tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_env_filter(filter)
        .with_writer(writer)
        .finish()
}
