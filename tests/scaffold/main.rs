//! `docs/adding-a-tool.md` done to the letter: its blocks are written into a copy of the workspace, and the
//! tests there find the tool on every surface.
//!
//! The copy is built in a target folder of its own, `target/scaffold/build`, which stays; the crates of others
//! come from the folder in which this test was built.
#![expect(clippy::unwrap_used, reason = "in tests a panic is the report")]

mod document;
mod workspace;

use self::{
    document::{Block, blocks},
    workspace::Workspace,
};

const DOCUMENT: &str = "docs/adding-a-tool.md";

/// The tool of the document's example.
const TOOL: &str = "vault_get";

/// Generated files that must name it.
const GENERATED: [&str; 5] = [
    "schemas/tools.json",
    "schemas/openapi.json",
    "docs/tools.md",
    "docs/access.md",
    "README.md",
];

/// Tests that try every tool of the registry, or read its files.
const MODULES: [&str; 7] = [
    "arrows::",
    "budget::",
    "cases::",
    "generated::",
    "house_rules::",
    "rights::",
    "tenancy::",
];

#[test]
fn the_tool_of_the_document_is_on_every_surface() {
    let copy = Workspace::copied();
    assert!(!copy.read("docs/tools.md").contains(TOOL));
    let blocks = blocks(&copy.read(DOCUMENT));
    for block in &blocks {
        write(&copy, block);
    }
    copy.cargo(&["fmt", "--all", "--check"], &[]);

    let generate = ["generated::generated_files_are_up_to_date"];
    let said = copy.test(&generate, &[("UPDATE", "1")]);
    for block in &blocks {
        assert!(
            !said.contains(&format!("--> {}", block.path)),
            "the compiler warns of {}:\n{said}",
            block.path
        );
    }
    for path in GENERATED {
        assert!(copy.read(path).contains(TOOL), "{path} does not name it");
    }

    println!("{said}");
    let said = copy.test(&MODULES, &[]);
    println!("{said}");
    for module in MODULES {
        assert!(
            said.contains(&format!("test {module}")),
            "no test of {module} ran:\n{said}"
        );
    }
}

fn write(copy: &Workspace, block: &Block) {
    if block.is_diff() {
        let changed = block.inserted_into(&copy.read(&block.path));
        copy.write(&block.path, &changed);
    } else {
        assert!(
            !copy.has(&block.path),
            "{DOCUMENT} adds {}, which is there",
            block.path
        );
        copy.write(&block.path, &block.text);
    }
}
