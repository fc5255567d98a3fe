//! The arrows between modules: each file imports only what its room may import, and nothing names from
//! elsewhere what has a room of its own. `rules.rs` is the table; every rule is shown to refuse something.

mod paths;
mod rules;

use std::collections::BTreeSet;

use functions::tools::TOOLS;

use self::{
    paths::contents,
    rules::{
        A_TOOL, ADDED, ARROWS, CLOCK_READS, EVERYONES, OUTSIDE, PURE, faults, is_sql, kind, room,
    },
};
use crate::sources::{self, Source};

fn tools() -> Vec<&'static str> {
    TOOLS.iter().map(|entry| entry.meta.name).collect()
}

/// Crates that ours may depend on, as code names them.
fn crates() -> BTreeSet<String> {
    let manifest = sources::read("Cargo.toml");
    let names = manifest
        .lines()
        .skip_while(|line| *line != "[workspace.dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split_once('='))
        .map(|(name, _)| name.trim().replace('-', "_"));
    names
        .chain(["std", "core", "alloc"].map(str::to_owned))
        .collect()
}

/// All string literals of the product.
pub(crate) fn texts_of_the_product() -> Vec<String> {
    let crates = crates();
    sources::product()
        .iter()
        .flat_map(|source| contents(source, &crates).texts)
        .collect()
}

/// What is wrong with a file of this path and text.
fn judge(path: &str, text: &str) -> Vec<String> {
    let mut crates = crates();
    // Not ours today; the rules about them must hold when they come.
    crates.extend(["reqwest", "aws_config", "aws_sdk_s3"].map(str::to_owned));
    let source = Source::parse(path, text);
    faults(&source, &contents(&source, &crates), &tools())
}

/// A file of the room, for a counter-example.
fn file_of(room: &str) -> String {
    let room = if room == A_TOOL {
        "functions::tools::image_asset_get"
    } else {
        room
    };
    let (owner, rest) = room.split_once("::").unwrap_or((room, "lib"));
    let rest = if room == "functions::tools" {
        "tools/mod".to_owned()
    } else {
        rest.replace("::", "/")
    };
    format!("{owner}/src/{rest}.rs")
}

/// A path into the room.
fn path_into(room: &str) -> String {
    let room = if room == A_TOOL {
        "functions::tools::image_asset_save"
    } else {
        room
    };
    format!("{room}::Thing")
}

#[test]
fn the_product_keeps_the_arrows() {
    let crates = crates();
    assert!(
        crates.contains("tokio_postgres"),
        "the manifest could not be read: {crates:?}"
    );
    let sources = sources::product();
    let faults: Vec<String> = sources
        .iter()
        .flat_map(|source| faults(source, &contents(source, &crates), &tools()))
        .collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Modules beside the tools that are none.
const BESIDE_THE_TOOLS: [&str; 4] = ["denials", "fields", "needs", "untrusted"];

#[test]
fn every_room_of_the_product_is_in_the_table_and_every_tool_in_the_registry() {
    let tools = tools();
    for source in sources::product() {
        let Some(room) = room(&source.module, &tools) else {
            panic!("{} is in no room", source.path)
        };
        let tool = room
            .strip_prefix("functions::tools::")
            .is_some_and(|name| tools.contains(&name));
        let known = ARROWS.iter().any(|(name, _)| *name == room);
        let free = ["common", "functions", "local"].contains(&room.as_str());
        assert!(
            tool || known || free,
            "{} is in {room}, which is in no row",
            source.path
        );
        let place: Vec<&str> = source.module.iter().map(String::as_str).collect();
        if let ["functions", "tools", name, ..] = place.as_slice() {
            assert!(
                tools.contains(name) || BESIDE_THE_TOOLS.contains(name),
                "{} is no registered tool",
                source.path
            );
        }
    }
}

#[test]
fn each_arrow_of_the_table_is_allowed_and_each_other_is_refused() {
    for (from, allowed) in ARROWS {
        for (to, _) in ARROWS.iter().filter(|(to, _)| to != from || *to == A_TOOL) {
            let text = format!("use {};", path_into(to));
            let refused = !judge(&file_of(from), &text).is_empty();
            let everyones = EVERYONES.contains(to) && !EVERYONES.contains(from);
            let added = ADDED.iter().any(|(a, b, _)| (a, b) == (from, to));
            assert!(
                !(added && allowed.contains(to)),
                "{from} → {to} is in both tables"
            );
            assert_eq!(
                refused,
                !(allowed.contains(to) || everyones || added),
                "{from} → {to}"
            );
        }
    }
}

#[test]
fn every_added_arrow_has_a_reason_and_is_still_needed() {
    let (crates, tools) = (crates(), tools());
    let mut used = BTreeSet::new();
    for source in sources::product() {
        let from = room(&source.module, &tools).unwrap_or_default();
        let targets = contents(&source, &crates)
            .paths
            .into_iter()
            .filter_map(|path| room(&path, &tools));
        used.extend(
            targets.map(|to| (kind(&from, &tools).to_owned(), kind(&to, &tools).to_owned())),
        );
    }
    for (from, to, why) in ADDED {
        assert!(!why.is_empty());
        assert!(
            used.contains(&((*from).to_owned(), (*to).to_owned())),
            "nothing needs {from} → {to} any more"
        );
    }
}

#[test]
fn no_arrow_leads_from_common_to_functions_or_from_either_to_local() {
    for (from, _) in ARROWS {
        assert!(
            !judge(&file_of(from), "fn f() { local::serve::run() }").is_empty(),
            "{from}"
        );
        if from.starts_with("common") {
            assert!(
                !judge(&file_of(from), "use functions::tools::dispatch;").is_empty(),
                "{from}"
            );
        }
    }
    assert!(!judge("common/src/lib.rs", "use functions::embed;").is_empty());
    assert!(
        judge(
            "local/src/main.rs",
            "use functions::embed; use common::store::Store;"
        )
        .is_empty()
    );
}

#[test]
fn a_tool_imports_no_other_tool_and_no_transport() {
    for text in [
        "use super::image_asset_save::Output;",
        "fn f() { crate::tools::image_asset_save::Wishes::new() }",
        "use crate::transport::problem;",
    ] {
        assert_eq!(
            judge("functions/src/tools/image_asset_get.rs", text).len(),
            1,
            "{text}"
        );
    }
    let own = "use super::Input; use super::super::fields::Link; use crate::tools::Cx;";
    assert_eq!(
        judge("functions/src/tools/image_asset_get/more.rs", own),
        [""; 0]
    );
}

#[test]
fn what_has_a_room_of_its_own_is_named_nowhere_else() {
    for (name, rooms) in OUTSIDE {
        let name = name.replace('*', "s3");
        for text in [
            format!("use {name}::Thing;"),
            format!("fn f() {{ json!({name}::thing()) }}"),
        ] {
            let refused = judge("functions/src/tools/image_asset_get.rs", &text);
            assert!(refused.iter().any(|fault| fault.contains("only")), "{text}");
            for room in *rooms {
                let path = format!("{}/one.rs", file_of(room).trim_end_matches(".rs"));
                assert_eq!(judge(&path, &text), [""; 0], "{room}");
            }
        }
    }
}

#[test]
fn pure_rooms_have_no_runtime() {
    for room in PURE {
        assert!(
            !judge(
                &file_of(room),
                "async fn f() { tokio::task::yield_now().await }"
            )
            .is_empty(),
            "{room}"
        );
    }
}

#[test]
fn the_wall_clock_is_read_in_its_own_file_alone() {
    for (of, read) in CLOCK_READS {
        let text = format!(
            "use std::time::{of}; use time::{of} as T; fn f() {{ std::time::{of}::{read}(); T::{read}() }}"
        );
        assert!(
            !judge("common/src/store/assets.rs", &text).is_empty(),
            "{text}"
        );
        assert_eq!(judge("common/src/adapters/clock.rs", &text), [""; 0]);
    }
}

#[test]
fn sql_is_written_in_its_own_rooms_alone() {
    for sql in [
        "select 1 from mem_assets",
        "Insert\n into mem_assets",
        "delete from mem_assets",
        "update mem_assets\nset title = $1",
        "create role x",
        "sql/assets/get.sql",
    ] {
        assert!(is_sql(sql), "{sql}");
        for text in [
            format!("const A: &str = {sql:?};"),
            format!("fn f() {{ format!({sql:?}) }}"),
        ] {
            assert_eq!(judge("functions/src/embed.rs", &text).len(), 1, "{text}");
            assert_eq!(judge("common/src/store/assets.rs", &text), [""; 0]);
        }
    }
    for words in [
        "choose one from the list",
        "Select an image.",
        "set the limit, then update",
        "insert it",
        "",
    ] {
        assert!(!is_sql(words), "{words}");
    }
}
