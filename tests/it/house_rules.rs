//! Rules of the house that no lint holds: sizes, names, markers of unfinished work, and documents that
//! can be found.

use std::collections::BTreeSet;

use syn::{
    Attribute, Block, ImplItemFn, ItemFn, ItemMod, Macro, TraitItemFn,
    buffer::{Cursor, TokenBuffer},
    visit::{self, Visit},
};

use crate::sources;

/// Most lines of a file.
const FILE_LINES: usize = 500;

/// Lines of a function from which it is told.
const FUNCTION_LINES_WARN: usize = 50;

/// Most lines of a function.
const FUNCTION_LINES: usize = 60;

/// Names that say nothing about what is inside.
const EMPTY_NAMES: [&str; 8] = [
    "util",
    "utils",
    "helper",
    "helpers",
    "manager",
    "managers",
    "misc",
    "common_utils",
];

/// Macros that stand for work not done.
const UNFINISHED: [&str; 3] = ["todo", "unimplemented", "dbg"];

/// Folders with Rust sources of ours.
const FOLDERS: [&str; 4] = ["common", "functions", "local", "tests"];

fn rust_files() -> Vec<(String, String)> {
    let paths = FOLDERS
        .iter()
        .flat_map(|folder| sources::files(folder, ".rs"));
    paths
        .map(|path| (path.clone(), sources::read(&path)))
        .collect()
}

/// Lines between the braces of a body.
fn lines_of(block: &Block) -> usize {
    let braces = &block.brace_token.span;
    (braces.close().start().line - braces.open().start().line).saturating_sub(1)
}

/// What is wrong with a file, and the functions that are long.
fn judge(path: &str, text: &str) -> (Vec<String>, Vec<String>) {
    let syntax = syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut reader = Reader {
        path,
        text,
        faults: Vec::new(),
        long: Vec::new(),
    };
    let lines = text.lines().count();
    if lines > FILE_LINES {
        reader.faults.push(format!(
            "{path} has {lines} lines; split it by what its parts do"
        ));
    }
    let parts: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
    if let Some(name) = parts.iter().find(|name| EMPTY_NAMES.contains(name)) {
        reader.faults.push(format!(
            "{path}: {name} says nothing; name the file for what it does"
        ));
    }
    reader.visit_file(&syntax);
    (reader.faults, reader.long)
}

struct Reader<'a> {
    path: &'a str,
    text: &'a str,
    faults: Vec<String>,
    long: Vec<String>,
}

impl Reader<'_> {
    fn function(&mut self, name: &syn::Ident, attributes: &[Attribute], block: &Block) {
        let ignored = attributes
            .iter()
            .any(|attribute| attribute.path().is_ident("ignore"));
        // One that another test starts as a process of its own is named there, with its module before it.
        if ignored && !self.text.contains(&format!("::{name}\"")) {
            self.faults.push(format!(
                "{}: {name} is ignored; a test runs or goes",
                self.path
            ));
        }
        let lines = lines_of(block);
        // A table of cases is one expression, however long.
        let most = if self.path.starts_with("tests/") {
            2 * FUNCTION_LINES
        } else {
            FUNCTION_LINES
        };
        if lines > most {
            self.faults
                .push(format!("{}: {name} has {lines} lines", self.path));
        } else if lines > FUNCTION_LINES_WARN {
            self.long
                .push(format!("{}: {name} has {lines} lines", self.path));
        }
    }

    fn scan(&mut self, mut at: Cursor<'_>) {
        while !at.eof() {
            if let Some((inside, _, _, next)) = at.any_group() {
                self.scan(inside);
                at = next;
                continue;
            }
            let name = at.ident();
            let Some((_, next)) = at.token_tree() else {
                return;
            };
            let is_call = next.punct().is_some_and(|(mark, _)| mark.as_char() == '!');
            if let Some((name, _)) = name.filter(|_| is_call) {
                self.marker(&name.to_string());
            }
            at = next;
        }
    }

    fn marker(&mut self, name: &str) {
        if UNFINISHED.contains(&name) {
            self.faults
                .push(format!("{}: {name}! is not finished work", self.path));
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.function(&item.sig.ident, &item.attrs, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.function(&item.sig.ident, &item.attrs, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig.ident, &item.attrs, block);
        }
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if EMPTY_NAMES.iter().any(|name| item.ident == name) {
            self.faults
                .push(format!("{}: module {} says nothing", self.path, item.ident));
        }
        visit::visit_item_mod(self, item);
    }

    fn visit_macro(&mut self, called: &'ast Macro) {
        if let Some(last) = called.path.segments.last() {
            self.marker(&last.ident.to_string());
        }
        let buffer = TokenBuffer::new2(called.tokens.clone());
        self.scan(buffer.begin());
    }
}

#[test]
fn the_sources_keep_the_rules_of_the_house() {
    let mut faults = Vec::new();
    for (path, text) in rust_files() {
        let (wrong, long) = judge(&path, &text);
        faults.extend(wrong);
        long.iter().for_each(|line| println!("long: {line}"));
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn each_rule_of_the_house_refuses_something() {
    let refuses = |path: &str, text: &str| !judge(path, text).0.is_empty();
    let body = |lines: usize| format!("fn long() {{\n{}}}\n", "    step();\n".repeat(lines));
    assert!(!refuses("common/src/a.rs", &body(FUNCTION_LINES)));
    assert_eq!(judge("common/src/a.rs", &body(FUNCTION_LINES)).1.len(), 1);
    assert!(
        judge("common/src/a.rs", &body(FUNCTION_LINES_WARN))
            .1
            .is_empty()
    );
    assert!(refuses("common/src/a.rs", &body(FUNCTION_LINES + 1)));
    assert!(refuses(
        "common/src/a.rs",
        &format!("struct A; impl A {{ {} }}", body(FUNCTION_LINES + 1))
    ));
    assert!(!refuses("common/src/a.rs", &"// x\n".repeat(FILE_LINES)));
    assert!(refuses("common/src/a.rs", &"// x\n".repeat(FILE_LINES + 1)));
    assert!(refuses("common/src/helpers.rs", ""));
    assert!(refuses("common/src/utils/a.rs", ""));
    assert!(refuses("common/src/a.rs", "mod manager { }"));
    assert!(refuses("common/src/a.rs", "#[test] #[ignore] fn f() {}"));
    assert!(!refuses(
        "common/src/a.rs",
        "#[ignore = \"a child\"] fn f() {} fn g() { start(\"a::f\") }"
    ));
    for name in UNFINISHED {
        assert!(
            refuses("common/src/a.rs", &format!("fn f() {{ {name}!() }}")),
            "{name}"
        );
        assert!(
            refuses(
                "common/src/a.rs",
                &format!("fn f() {{ vec![1, {name}!(2)] }}")
            ),
            "{name}"
        );
        assert!(
            !refuses(
                "common/src/a.rs",
                &format!("fn f() {{ g({name}, \"{name}!\") }}")
            ),
            "{name}"
        );
    }
}

/// Targets of the relative links of a document, as paths from the root.
fn links(path: &str, text: &str) -> Vec<String> {
    let folder: Vec<&str> = path.split('/').collect();
    let folder = &folder[..folder.len() - 1];
    let targets = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split([')', ' ']).next());
    let targets =
        targets.filter(|target| !target.contains("://") && !target.starts_with(['#', '<']));
    targets
        .map(|target| resolved(folder, target.split('#').next().unwrap_or_default()))
        .collect()
}

fn resolved(folder: &[&str], target: &str) -> String {
    let mut parts = folder.to_vec();
    for part in target.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
}

#[test]
fn every_document_is_linked_from_the_readme_on_and_every_link_leads_somewhere() {
    let mut open = vec!["README.md".to_owned()];
    let mut seen = BTreeSet::new();
    let mut linked = BTreeSet::new();
    while let Some(path) = open.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        for target in links(&path, &sources::read(&path)) {
            assert!(
                sources::root().join(&target).exists(),
                "{path} links to {target}, which is not there"
            );
            if target.ends_with(".md") {
                open.push(target.clone());
            }
            linked.insert(target);
        }
    }
    for path in sources::files("docs", "") {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        assert!(
            linked.contains(&path) || linked.contains(folder),
            "{path} is linked from nowhere"
        );
    }
}

#[test]
fn links_are_found_and_resolved() {
    let text = "See [a](b.md), [c](../d.md#e), [f](https://x.y/z.md) and [g](#h).";
    assert_eq!(links("docs/x.md", text), ["docs/b.md", "d.md"]);
    assert_eq!(
        links(
            "docs/decisions/x.md",
            "[a](../b.md) [c](./0001-x.md \"title\")"
        ),
        ["docs/b.md", "docs/decisions/0001-x.md"]
    );
}
