//! The statements of the store: one a file, each documented, prepared, scoped, and called by one function.

mod arguments;
mod form;
mod large;
mod plans;
mod wrong_owner;

use std::{fs, path::Path};

const STORE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../common/src/store");

/// Tables that belong to no owner.
const NOT_TENANT: &[&str] = &["mem_plans", "mem_rate_card"];

/// One SQL file.
struct File {
    /// Path below `sql/`, without the extension.
    name: String,
    text: String,
}

impl File {
    fn is_system(&self) -> bool {
        self.name.starts_with("system/")
    }

    /// The role that it runs as.
    fn role(&self) -> &'static str {
        if self.is_system() {
            "im_system"
        } else {
            "im_app"
        }
    }

    /// The statement in one line, without comments.
    fn code(&self) -> String {
        let lines = self
            .text
            .lines()
            .map(|line| line.split("--").next().unwrap_or_default());
        lines
            .flat_map(str::split_whitespace)
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// All SQL files in the order of their names.
fn files() -> Vec<File> {
    let root = Path::new(STORE).join("sql");
    let mut files: Vec<File> = walk(&root, "sql")
        .into_iter()
        .map(|path| File {
            name: path
                .strip_prefix(&root)
                .unwrap()
                .with_extension("")
                .to_str()
                .unwrap()
                .to_owned(),
            text: fs::read_to_string(&path).unwrap(),
        })
        .collect();
    files.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(files.len() > 40, "the statements were not found");
    files
}

/// All files below a folder with this extension.
fn walk(folder: &Path, extension: &str) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(walk(&path, extension));
        } else if path.extension().is_some_and(|known| known == extension) {
            found.push(path);
        }
    }
    found
}
