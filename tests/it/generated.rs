//! Generated files are what the code says. `make generate` runs this with UPDATE set, and then they are.

use std::{collections::BTreeSet, fs};

use common::config::{Environment, Source, VARIABLES};
use tests::generated::{documents, readme};

use crate::{arrows::texts_of_the_product, sources};

/// Variables that only tests read.
const OF_TESTS: [&str; 2] = ["TEST_DATABASE_ADMIN_URL", "UPDATE"];

/// How the names of variables of ours begin.
const OURS: [&str; 6] = ["ASSET_", "DATABASE_", "JINA_", "RUST_", "TEST_", "UPDATE"];

#[test]
fn generated_files_are_up_to_date() {
    let mut wanted = documents();
    wanted.push(("README.md", readme(&sources::read("README.md"))));
    let update = Environment.get("UPDATE").is_some();
    let mut stale = Vec::new();
    for (path, text) in wanted {
        let file = sources::root().join(path);
        if fs::read_to_string(&file).is_ok_and(|found| found == text) {
            continue;
        }
        if update {
            let folder = file
                .parent()
                .unwrap_or_else(|| panic!("{path} is in no folder"));
            fs::create_dir_all(folder)
                .and_then(|()| fs::write(&file, text))
                .unwrap_or_else(|error| panic!("{path}: {error}"));
            println!("wrote {path}");
        } else {
            stale.push(path);
        }
    }
    assert!(
        stale.is_empty(),
        "run `make generate`: {} differ from the code",
        stale.join(", ")
    );
}

#[test]
fn the_readme_keeps_what_is_around_its_table() {
    let text = "before\n<!-- tools -->\na stale row\n<!-- /tools -->\nafter\n";
    let made = readme(text);
    assert!(
        made.starts_with("before\n<!-- tools -->\n| Tool |")
            && made.ends_with("|\n<!-- /tools -->\nafter\n"),
        "{made}"
    );
    assert!(made.contains("image_asset_save") && !made.contains("stale"));
    assert_eq!(readme(&made), made);
}

#[test]
fn each_tool_and_error_is_described() {
    let all: String = documents().into_iter().map(|(_, text)| text).collect();
    for entry in functions::tools::TOOLS {
        assert!(all.contains(&format!("\n## {}\n", entry.meta.name)));
        assert!(all.contains(&format!("\"name\": \"{}\"", entry.meta.name)));
    }
    for code in common::error::ErrorCode::ALL {
        assert!(all.contains(&format!("| `{}` | {} |", code.name(), code.http_status())));
    }
}

#[test]
fn no_variable_is_read_that_is_not_listed() {
    // Names of others, such as those that child processes are given, begin otherwise.
    let is_name = |text: &String| {
        OURS.iter().any(|start| text.starts_with(start))
            && text
                .chars()
                .all(|letter| letter.is_ascii_uppercase() || letter == '_')
    };
    let named: BTreeSet<String> = texts_of_the_product().into_iter().filter(is_name).collect();
    let listed = VARIABLES
        .iter()
        .map(|variable| variable.name)
        .chain(OF_TESTS);
    let listed: BTreeSet<String> = listed.map(str::to_owned).collect();
    assert!(named.contains("ASSET_TOKEN_KEYS"), "{named:?}");
    let unlisted: Vec<_> = named.difference(&listed).collect();
    assert!(
        unlisted.is_empty(),
        "not in common::config::VARIABLES: {unlisted:?}"
    );
}
