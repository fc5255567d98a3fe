//! The rules: who may import whom, who alone may name what, and what nobody writes.
//!
//! A room is a top-level module of `common` or `functions`, each tool, or all of `local`. `local` and the
//! roots of the crates, which only declare modules, may import every room.

use super::paths::Contents;
use crate::sources::Source;

/// Rooms that every other may import.
pub(crate) const EVERYONES: [&str; 4] = [
    "common::error",
    "common::ids",
    "common::limits",
    "common::ports",
];

/// A tool, whichever it is.
pub(crate) const A_TOOL: &str = "a tool";

/// Room → rooms that it may import besides itself and [`EVERYONES`]; for those four themselves, the list
/// is whole.
pub(crate) const ARROWS: &[(&str, &[&str])] = &[
    ("common::ids", &[]),
    ("common::error", &["common::ids"]),
    ("common::limits", &["common::ids"]),
    (
        "common::ports",
        &["common::error", "common::ids", "common::limits"],
    ),
    ("common::contract", &[]),
    ("common::domain", &[]),
    ("common::auth", &["common::contract"]),
    ("common::config", &[]),
    ("common::telemetry", &[]),
    ("common::imaging", &[]),
    ("common::fetch", &[]),
    (
        "common::store",
        &["common::auth", "common::contract", "common::domain"],
    ),
    ("common::adapters", &[]),
    (
        "common::app",
        &["common::adapters", "common::config", "common::store"],
    ),
    ("common::testing", COMMON),
    (
        "functions::tools",
        &[A_TOOL, FIELDS, "common::contract", "common::store"],
    ),
    (
        FIELDS,
        &[
            "common::contract",
            "common::domain",
            "common::imaging",
            "common::store",
        ],
    ),
    (A_TOOL, TOOLS_MAY),
    ("functions::intake", TOOLS_MAY),
    ("functions::transport", &["functions::tools"]),
    (
        "functions::embed",
        &["common::domain", "common::imaging", "common::store"],
    ),
    (
        "functions::sweep",
        &["common::domain", "common::imaging", "common::store"],
    ),
];

/// Pieces that several tools share.
pub(crate) const FIELDS: &str = "functions::tools::fields";

/// What a tool may import, and so what several tools share may.
const TOOLS_MAY: &[&str] = &[
    "functions::tools",
    FIELDS,
    "common::contract",
    "common::domain",
    "common::fetch",
    "common::imaging",
    "common::store",
];

/// What tests may build: everything of `common`.
const COMMON: &[&str] = &[
    "common::adapters",
    "common::app",
    "common::auth",
    "common::config",
    "common::contract",
    "common::domain",
    "common::imaging",
    "common::store",
    "common::telemetry",
];

/// Arrows that the map leaves out, each with its reason. One that nothing uses any more must go.
pub(crate) const ADDED: &[(&str, &str, &str)] = &[
    (
        "common::adapters",
        "common::domain",
        "local links are signed and ranges read by pure code",
    ),
    (
        "common::app",
        "common::domain",
        "it holds the keys that sign cursors",
    ),
    (
        "common::app",
        "common::imaging",
        "it holds the limits of pictures",
    ),
    (
        "functions::tools",
        "common::app",
        "handlers are called with the application",
    ),
    (
        "functions::tools",
        "common::auth",
        "dispatch verifies the key",
    ),
    (
        "functions::tools",
        "common::domain",
        "arguments are read by pure code, once for all surfaces",
    ),
    (
        FIELDS,
        "common::app",
        "links are signed with the application's store",
    ),
    (
        A_TOOL,
        "functions::intake",
        "everything that saves shares one way to do it",
    ),
    (
        "functions::intake",
        "common::app",
        "handlers are called with the application",
    ),
    (
        "functions::transport",
        "common::app",
        "handlers are called with the application",
    ),
    (
        "functions::transport",
        "common::auth",
        "a list of tools is cut to what its reader's key allows",
    ),
    (
        "functions::transport",
        "common::contract",
        "and to the toolset that was asked for",
    ),
    (
        "functions::embed",
        "common::app",
        "handlers are called with the application",
    ),
];

/// Something outside our crates, or a part of it, and the only modules that may name it.
pub(crate) const OUTSIDE: &[(&str, &[&str])] = &[
    ("tokio_postgres", &["common::store", "common::testing"]),
    (
        "tokio_postgres_rustls",
        &["common::store", "common::testing"],
    ),
    ("pgvector", &["common::store", "common::testing"]),
    ("deadpool", &["common::store", "common::testing"]),
    ("std::env", &["common::config"]),
    // `local::mcp` calls a deployment for an agent on this machine.
    (
        "reqwest",
        &["common::adapters", "common::fetch", "local::mcp"],
    ),
    ("aws_config", &["common::adapters"]),
    ("aws_sdk_*", &["common::adapters"]),
    // `local::client` calls our own server on loopback, as the demo and the tests do.
    (
        "hyper::client",
        &["common::adapters", "common::fetch", "local::client"],
    ),
    (
        "hyper_util::client",
        &["common::adapters", "common::fetch", "local::client"],
    ),
];

/// Rooms without a runtime: what they do is done when they return.
pub(crate) const PURE: [&str; 6] = [
    "common::contract",
    "common::domain",
    "common::error",
    "common::ids",
    "common::limits",
    "common::imaging",
];

/// Where the wall clock is read.
pub(crate) const CLOCK: &str = "common::adapters::clock";

/// Ways to read it: type and function.
pub(crate) const CLOCK_READS: [(&str, &str); 5] = [
    ("SystemTime", "now"),
    ("OffsetDateTime", "now_utc"),
    ("OffsetDateTime", "now_local"),
    ("UtcDateTime", "now"),
    ("UNIX_EPOCH", "elapsed"),
];

/// Where SQL may be written.
pub(crate) const SQL_ROOMS: [&str; 2] = ["common::store", "common::testing"];

/// The room that a path leads into, or `None` outside our crates.
pub(crate) fn room(path: &[String], tools: &[&str]) -> Option<String> {
    let part = |place: usize| path.get(place).map(String::as_str);
    Some(match (part(0)?, part(1), part(2)) {
        ("local", ..) => "local".to_owned(),
        ("functions", Some("tools"), Some(tool)) if tools.contains(&tool) || tool == "fields" => {
            format!("functions::tools::{tool}")
        }
        (owner @ ("common" | "functions"), Some(module), _) => format!("{owner}::{module}"),
        (owner @ ("common" | "functions"), None, _) => owner.to_owned(),
        _ => return None,
    })
}

/// A room as the table of arrows names it.
pub(crate) fn kind<'a>(room: &'a str, tools: &[&str]) -> &'a str {
    let tool = room
        .strip_prefix("functions::tools::")
        .is_some_and(|name| tools.contains(&name));
    if tool { A_TOOL } else { room }
}

/// What a file does that it may not do, in sentences.
pub(crate) fn faults(source: &Source, contents: &Contents, tools: &[&str]) -> Vec<String> {
    let mut faults = Vec::new();
    for path in &contents.paths {
        let full = path.join("::");
        faults.extend(arrow(&source.module, path, tools).map(|why| format!("names {full}: {why}")));
        faults.extend(outside(&source.module, path).map(|why| format!("names {full}: {why}")));
    }
    if !is_within(&source.module, &SQL_ROOMS) {
        let sql = contents.texts.iter().filter(|text| is_sql(text));
        faults.extend(sql.map(|text| format!("holds SQL outside store/: {text:?}")));
    }
    faults
        .iter()
        .map(|fault| format!("{} {fault}", source.path))
        .collect()
}

/// Why the file may not import the path, if it may not.
fn arrow(from: &[String], path: &[String], tools: &[&str]) -> Option<String> {
    let (own, target) = (room(from, tools)?, room(path, tools)?);
    let (own_kind, target_kind) = (kind(&own, tools), kind(&target, tools));
    let is_root = own == "functions" || own == "common" || own == "local";
    if own == target || (is_root && may_see(&own, &target)) || target == "common" {
        return None;
    }
    let Some((_, allowed)) = ARROWS.iter().find(|(room, _)| *room == own_kind) else {
        return Some(format!("{own} is in no row of the table of arrows"));
    };
    let for_everyone = EVERYONES.contains(&target_kind) && !EVERYONES.contains(&own_kind);
    let added = ADDED
        .iter()
        .any(|(from, to, _)| (*from, *to) == (own_kind, target_kind));
    if allowed.contains(&target_kind) || for_everyone || added {
        return None;
    }
    Some(format!("{own} may not import {target}"))
}

/// Whether a crate comes after another: common, functions, local.
fn may_see(own: &str, target: &str) -> bool {
    match own {
        "local" => true,
        "functions" => !target.starts_with("local"),
        _ => target.starts_with("common"),
    }
}

/// Why the file may not name something that is not ours, if it may not.
fn outside(from: &[String], path: &[String]) -> Option<String> {
    let full = path.join("::");
    for (name, rooms) in OUTSIDE {
        let named = match name.strip_suffix('*') {
            Some(start) => full.starts_with(start),
            None => full == *name || full.starts_with(&format!("{name}::")),
        };
        if named && !is_within(from, rooms) {
            return Some(format!("only {} may", rooms.join(", ")));
        }
    }
    if path.first().is_some_and(|first| first == "tokio") && is_within(from, &PURE) {
        return Some("this room has no runtime".to_owned());
    }
    let reads_clock = path.windows(2).any(|pair| {
        CLOCK_READS
            .iter()
            .any(|(of, read)| pair[0] == *of && pair[1] == *read)
    });
    (reads_clock && !is_within(from, &[CLOCK])).then(|| "time comes from ports::Clock".to_owned())
}

/// Whether a module is one of these, or inside one.
fn is_within(module: &[String], rooms: &[&str]) -> bool {
    let module = module.join("::");
    rooms
        .iter()
        .any(|room| module == *room || module.starts_with(&format!("{room}::")))
}

/// Whether a text is a statement, or the name of a file that holds one.
pub(crate) fn is_sql(text: &str) -> bool {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let follows = |first: &str, then: &str| words.windows(2).any(|pair| pair == [first, then]);
    let later = |first: &str, then: &str| {
        let start = words.iter().position(|word| *word == first);
        start.is_some_and(|start| words[start..].contains(&then))
    };
    lower.ends_with(".sql")
        || follows("insert", "into")
        || follows("delete", "from")
        || later("select", "from")
        || later("update", "set")
        || ["table", "role", "index", "database", "schema", "policy"]
            .iter()
            .any(|what| follows("create", what))
}
