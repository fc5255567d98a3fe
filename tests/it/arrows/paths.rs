//! Which paths a file names, spelled in full, and which texts it holds.
//!
//! `use` lines are followed: after `use common::store;` the path `store::assets::get` counts as
//! `common::store::assets::get`. The insides of macros count as well. Test modules and attributes, doc
//! comments among them, do not.

use std::collections::{BTreeMap, BTreeSet};

use syn::{
    ItemFn, ItemMod, ItemUse, LitStr, Macro, UseTree,
    buffer::{Cursor, TokenBuffer},
    visit::{self, Visit},
};

use crate::sources::{PRODUCT, Source, is_for_tests};

/// A path in full, such as `["common", "store", "assets", "get"]`.
pub(crate) type FullPath = Vec<String>;

/// What a file names and holds.
#[derive(Default)]
pub(crate) struct Contents {
    /// All paths into our crates or others, in full.
    pub(crate) paths: BTreeSet<FullPath>,
    /// All string literals.
    pub(crate) texts: Vec<String>,
}

/// Reads a file. `crates` are the names of the crates that it may depend on, with underscores.
pub(crate) fn contents(source: &Source, crates: &BTreeSet<String>) -> Contents {
    let mut imports = Imports {
        module: source.module.clone(),
        modules: BTreeSet::new(),
        uses: Vec::new(),
    };
    imports.visit_file(&source.syntax);
    let mut aliases = BTreeMap::new();
    for (module, path, name) in &imports.uses {
        aliases
            .entry(name.clone())
            .or_insert_with(|| (module.clone(), path.clone()));
    }
    let names = Names {
        crates,
        modules: &imports.modules,
        aliases,
    };
    let mut contents = Contents::default();
    for (module, path, _) in &imports.uses {
        contents.paths.extend(names.resolve(module, path));
    }
    let mut reader = Reader {
        names: &names,
        module: source.module.clone(),
        contents,
    };
    reader.visit_file(&source.syntax);
    reader.contents
}

/// What names mean in one file. A name that two blocks import differently keeps its first meaning.
struct Names<'a> {
    crates: &'a BTreeSet<String>,
    /// Modules that the file declares, in full.
    modules: &'a BTreeSet<FullPath>,
    /// Imported name → where it was imported, and the path as written.
    aliases: BTreeMap<String, (FullPath, FullPath)>,
}

impl Names<'_> {
    /// The path in full, or `None` when it begins with a type, a variant or a name of the file's own.
    fn resolve(&self, module: &[String], path: &[String]) -> Option<FullPath> {
        self.resolve_within(module, path, 8)
    }

    fn resolve_within(&self, module: &[String], path: &[String], steps: u8) -> Option<FullPath> {
        let (first, rest) = path.split_first()?;
        let join = |start: &[String]| Some([start, rest].concat());
        match first.as_str() {
            "crate" | "$crate" => return join(&module[..1]),
            "self" => return join(module),
            "super" => {
                let parent = &module[..module.len().saturating_sub(1).max(1)];
                return match rest.first().map(String::as_str) {
                    Some("super") => self.resolve_within(parent, rest, steps),
                    _ => join(parent),
                };
            }
            _ => {}
        }
        if let Some((at, target)) = self.aliases.get(first)
            && steps > 0
            && target.as_slice() != path
            && target.first() != Some(first)
        {
            let start = self.resolve_within(at, target, steps - 1)?;
            return join(&start);
        }
        let child = [module, std::slice::from_ref(first)].concat();
        if self.modules.contains(&child) {
            return join(&child);
        }
        let known = self.crates.contains(first) || PRODUCT.contains(&first.as_str());
        known.then(|| path.to_vec())
    }
}

/// First pass: what is imported and declared.
struct Imports {
    module: FullPath,
    modules: BTreeSet<FullPath>,
    /// Module, path as written, name that it gets.
    uses: Vec<(FullPath, FullPath, String)>,
}

impl Imports {
    fn tree(&mut self, prefix: &[String], tree: &UseTree) {
        let with = |name: &syn::Ident| [prefix, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.tree(&with(&path.ident), &path.tree),
            UseTree::Group(group) => group.items.iter().for_each(|item| self.tree(prefix, item)),
            UseTree::Glob(_) => {
                self.uses
                    .push((self.module.clone(), prefix.to_vec(), "*".to_owned()))
            }
            UseTree::Name(name) if name.ident == "self" => {
                let last = prefix.last().cloned().unwrap_or_default();
                self.uses.push((self.module.clone(), prefix.to_vec(), last));
            }
            UseTree::Name(name) => {
                self.uses.push((
                    self.module.clone(),
                    with(&name.ident),
                    name.ident.to_string(),
                ));
            }
            UseTree::Rename(renamed) => {
                let path = if renamed.ident == "self" {
                    prefix.to_vec()
                } else {
                    with(&renamed.ident)
                };
                self.uses
                    .push((self.module.clone(), path, renamed.rename.to_string()));
            }
        }
    }
}

impl<'ast> Visit<'ast> for Imports {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if !is_for_tests(&item.attrs) {
            self.tree(&[], &item.tree);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if is_for_tests(&item.attrs) {
            return;
        }
        self.module.push(item.ident.to_string());
        self.modules.insert(self.module.clone());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }
}

/// Second pass: what is named outside `use` lines.
struct Reader<'a> {
    names: &'a Names<'a>,
    module: FullPath,
    contents: Contents,
}

impl Reader<'_> {
    fn note(&mut self, path: &[String]) {
        if path.len() > 1 {
            self.contents
                .paths
                .extend(self.names.resolve(&self.module, path));
        }
    }

    fn scan(&mut self, mut at: Cursor<'_>) {
        while !at.eof() {
            if let Some((inside, _, _, next)) = at.any_group() {
                self.scan(inside);
                at = next;
            } else if let Some((first, next)) = at.ident() {
                let mut path = vec![first.to_string()];
                at = next;
                while let Some((name, next)) = after_colons(at) {
                    path.push(name);
                    at = next;
                }
                self.note(&path);
            } else if let Some((literal, next)) = at.literal() {
                if let Ok(text) = syn::parse_str::<LitStr>(&literal.to_string()) {
                    self.contents.texts.push(text.value());
                }
                at = next;
            } else {
                let Some((_, next)) = at.token_tree() else {
                    return;
                };
                at = next;
            }
        }
    }
}

/// The name after `::`, if that is what comes.
fn after_colons(at: Cursor<'_>) -> Option<(String, Cursor<'_>)> {
    let (first, next) = at.punct()?;
    let (second, next) = next.punct()?;
    if (first.as_char(), second.as_char()) != (':', ':') {
        return None;
    }
    let (name, next) = next.ident()?;
    Some((name.to_string(), next))
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_item_use(&mut self, _: &'ast ItemUse) {}

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if is_for_tests(&item.attrs) {
            return;
        }
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        self.note(&segments);
        visit::visit_path(self, path);
    }

    fn visit_lit_str(&mut self, text: &'ast LitStr) {
        self.contents.texts.push(text.value());
    }

    fn visit_macro(&mut self, called: &'ast Macro) {
        let buffer = TokenBuffer::new2(called.tokens.clone());
        self.scan(buffer.begin());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str) -> Vec<String> {
        let crates = ["std", "time", "tokio"].map(str::to_owned).into();
        let source = Source::parse("functions/src/tools/a.rs", text);
        contents(&source, &crates)
            .paths
            .iter()
            .map(|path| path.join("::"))
            .collect()
    }

    #[test]
    fn use_lines_are_spelled_in_full() {
        let text = "use common::{error::{self, Error as E}, ids::*}; use super::{Cx, b}; use self::c::D; use crate::embed;";
        let wanted = [
            "common::error",
            "common::error::Error",
            "common::ids",
            "functions::embed",
            "functions::tools::Cx",
            "functions::tools::a::c::D",
            "functions::tools::b",
        ];
        assert_eq!(paths(text), wanted);
    }

    #[test]
    fn paths_in_code_and_macros_are_found() {
        assert_eq!(paths("fn f() { common::store::x() }"), ["common::store::x"]);
        assert_eq!(
            paths("fn f() { tokio::select! { _ = crate::embed::x(\"a::b\") => {} } }"),
            ["functions::embed::x"]
        );
        assert_eq!(
            paths("fn f(a: std::env::Vars) -> Vec<time::Date> {}"),
            ["std::env::Vars", "time::Date"]
        );
        assert_eq!(
            paths("mod b { fn f() { super::super::g() } }"),
            ["functions::tools::g"]
        );
        assert_eq!(
            paths("mod b; fn f() { b::g(); Other::New; }"),
            ["functions::tools::a::b::g"]
        );
    }

    #[test]
    fn imported_names_are_followed() {
        assert_eq!(
            paths("use std as s; fn f() { s::env::var() }"),
            ["std", "std::env::var"]
        );
        assert_eq!(
            paths("use tokio::time; use time::Duration; fn f() { time::sleep(Duration::ZERO) }"),
            [
                "tokio::time",
                "tokio::time::Duration",
                "tokio::time::Duration::ZERO",
                "tokio::time::sleep"
            ]
        );
    }

    #[test]
    fn tests_and_comments_do_not_count() {
        let text = "/// common::store\n#[cfg(test)] use std::env; #[cfg(test)] mod tests { use std::env; } #[cfg(test)] fn f() { std::env::x() }";
        assert!(paths(text).is_empty(), "{:?}", paths(text));
    }

    #[test]
    fn texts_are_found_in_code_and_macros_alone() {
        let source = Source::parse(
            "common/src/a.rs",
            "/// doc\nconst A: &str = \"one\"; fn f() { g!(\"two\", r#\"three\"#, 4) }",
        );
        assert_eq!(
            contents(&source, &BTreeSet::new()).texts,
            ["one", "two", "three"]
        );
    }
}
