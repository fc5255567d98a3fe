//! The workspace's own files, read and parsed: what the tests of arrows and house rules look at.

use std::{
    fs,
    path::{Path, PathBuf},
};

use syn::{Attribute, Item};

/// Crates that are the product; `tests` is not.
pub(crate) const PRODUCT: [&str; 3] = ["common", "functions", "local"];

/// Folders that hold no source of ours.
const FOREIGN: [&str; 3] = [".git", ".dev", "target"];

/// One parsed file.
pub(crate) struct Source {
    /// Its path from the root of the workspace.
    pub(crate) path: String,
    /// Its module in full, such as `["common", "store", "assets"]`.
    pub(crate) module: Vec<String>,
    /// What it says.
    pub(crate) syntax: syn::File,
}

impl Source {
    /// Parses a file of the product.
    pub(crate) fn parse(path: &str, text: &str) -> Self {
        let syntax = syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
        Self {
            path: path.to_owned(),
            module: module_of(path),
            syntax,
        }
    }
}

/// `common/src/store/mod.rs` and `common/src/store.rs` are both `common::store`.
fn module_of(path: &str) -> Vec<String> {
    let path = path.trim_end_matches(".rs").replace("/src/", "/");
    let mut module: Vec<String> = path.split('/').map(str::to_owned).collect();
    if module
        .last()
        .is_some_and(|last| last == "mod" || last == "lib")
    {
        module.pop();
    }
    module
}

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().unwrap_or(tests).to_path_buf()
}

/// Paths, from the root, of all files below `folder` whose names end with `ending`, in order.
pub(crate) fn files(folder: &str, ending: &str) -> Vec<String> {
    let mut found = Vec::new();
    walk(&root().join(folder), ending, &mut found);
    found.sort();
    found
}

fn walk(folder: &Path, ending: &str, found: &mut Vec<String>) {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
            .path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_dir() {
            if !FOREIGN.contains(&name.as_str()) {
                walk(&path, ending, found);
            }
        } else if name.ends_with(ending) {
            let path = path.strip_prefix(root()).unwrap_or(&path);
            found.push(path.to_string_lossy().into_owned());
        }
    }
}

/// The text of a file, by its path from the root.
pub(crate) fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All files of the product, without those that are test modules.
pub(crate) fn product() -> Vec<Source> {
    let paths = PRODUCT
        .iter()
        .flat_map(|name| files(&format!("{name}/src"), ".rs"));
    let mut sources: Vec<Source> = paths
        .map(|path| Source::parse(&path, &read(&path)))
        .collect();
    let tests: Vec<Vec<String>> = sources.iter().flat_map(test_modules).collect();
    sources.retain(|source| !tests.iter().any(|test| source.module.starts_with(test)));
    sources
}

/// Modules of the file that exist for tests alone and lie in a file of their own.
fn test_modules(source: &Source) -> Vec<Vec<String>> {
    let modules = source.syntax.items.iter().filter_map(|item| match item {
        Item::Mod(module) if is_for_tests(&module.attrs) => Some(module),
        _ => None,
    });
    modules
        .map(|module| [source.module.as_slice(), &[module.ident.to_string()]].concat())
        .collect()
}

/// Whether an item is compiled for its crate's own tests alone.
pub(crate) fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute
                .parse_args::<syn::Ident>()
                .is_ok_and(|condition| condition == "test")
    })
}

#[test]
fn a_files_module_is_its_path() {
    let module = |path: &str| module_of(path).join("::");
    assert_eq!(module("common/src/store/mod.rs"), "common::store");
    assert_eq!(
        module("common/src/store/assets.rs"),
        "common::store::assets"
    );
    assert_eq!(module("functions/src/lib.rs"), "functions");
    assert_eq!(module("local/src/main.rs"), "local::main");
}

#[test]
fn test_modules_are_no_part_of_the_product() {
    let source = Source::parse(
        "common/src/a/mod.rs",
        "#[cfg(test)] mod tests; mod b; #[cfg(feature = \"x\")] mod c;",
    );
    assert_eq!(test_modules(&source), [["common", "a", "tests"]]);
    let product = product();
    assert!(
        product
            .iter()
            .any(|source| source.path == "common/src/domain/fusion.rs")
    );
    assert!(
        !product
            .iter()
            .any(|source| source.path.ends_with("/tests.rs"))
    );
}
