//! The logs of a test run, captured at the widest setting, and what must not be in them.

use std::{
    fs::{File, OpenOptions},
    path::PathBuf,
    sync::{Mutex, Once},
};

use common::telemetry;

/// Words that tests put into queries and into titles, descriptions and the like.
pub const QUERY_WORD: &str = "quokka";
/// See [`QUERY_WORD`].
pub const TEXT_WORD: &str = "axolotl";

/// Where the run's logs are.
#[must_use]
pub fn directory() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target/test-logs")
}

/// Writes all lines of this process to a file of the run.
///
/// # Panics
/// When the file cannot be made.
pub fn start() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        let directory = directory();
        std::fs::create_dir_all(&directory).unwrap_or_else(|error| panic!("{error}"));
        let file = directory.join(format!("{}.jsonl", std::process::id()));
        let file: File = OpenOptions::new()
            .create(true)
            .append(true)
            .open(file)
            .unwrap_or_else(|error| panic!("{error}"));
        let subscriber = telemetry::subscriber("trace", Mutex::new(file));
        tracing::subscriber::set_global_default(subscriber)
            .unwrap_or_else(|error| panic!("{error}"));
    });
}

/// A kind of leak, and how it is found.
type Kind = (&'static str, fn(&str) -> bool);

/// Kinds of things that must not be in a log, found in a text.
#[must_use]
pub fn leaks(text: &str) -> Vec<&'static str> {
    let kinds: [Kind; 7] = [
        ("key", |text| {
            text.split("imk_").skip(1).any(|rest| {
                rest.len() > 40 && rest[13..].bytes().take(16).all(|b| b.is_ascii_hexdigit())
            })
        }),
        ("signed link", |text| {
            text.contains("sig=") || text.contains("Signature=") || text.contains("?link=")
        }),
        ("base64", |text| {
            longest_run(text, |b| b.is_ascii_alphanumeric() || b"+/=_-".contains(&b)) >= 100
        }),
        ("identity", |text| {
            text.contains("@example.com") || text.contains("demo@localhost")
        }),
        ("query text", |text| text.contains(QUERY_WORD)),
        ("text of a caller", |text| text.contains(TEXT_WORD)),
        ("password", |text| {
            text.contains("postgres://") || text.contains("postgresql://")
        }),
    ];
    kinds
        .into_iter()
        .filter(|(_, found)| found(text))
        .map(|(kind, _)| kind)
        .collect()
}

fn longest_run(text: &str, belongs: impl Fn(u8) -> bool) -> usize {
    let (mut longest, mut run) = (0, 0);
    for byte in text.bytes() {
        run = if belongs(byte) { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}
