//! Logs: one JSON line per outcome, dotted fields, to standard error. `RUST_LOG` narrows or widens them.
//!
//! What never goes into a field: bytes, base64, signed links, keys and secrets, identities, query text,
//! titles and other text of callers.

use tracing_subscriber::EnvFilter;

use crate::config::{Environment, Source};

/// Starts logging for the process; a second start does nothing.
pub fn init() {
    let wanted = Environment.get("RUST_LOG").unwrap_or_else(|| "warn".to_owned());
    let filter = EnvFilter::try_new(wanted).unwrap_or_else(|_| EnvFilter::new("warn"));
    let lines = tracing_subscriber::fmt().json().flatten_event(true).with_env_filter(filter);
    lines.with_writer(std::io::stderr).try_init().ok();
}
