//! What tools and their fields say of themselves: a model reads nothing else before it calls them.

use std::collections::BTreeSet;

use common::contract::Scope;
use functions::tools::{Entry, TOOLS};
use serde_json::{Value, json};
use tests::{TestApp, mcp::Generation};

/// Most words of a tool's description.
const TOOL_WORDS: usize = 60;

/// Most bytes of a tool's description.
const TOOL_BYTES: usize = 360;

/// Most bytes of a field's description.
const FIELD_BYTES: usize = 120;

/// Most words of the instructions, about 550 tokens.
const INSTRUCTION_WORDS: usize = 320;

/// The field that names a vault by its handle: that was chosen before, so that its length is no matter here.
const KNOWN_BY_HANDLE: &str = "vault";

/// How names of tools begin, and no other words of a description.
const TOOL_NAMES: [&str; 4] = ["image_", "vault_", "artifact_", "note_"];

/// Keywords of a schema whose numbers bound a value.
const BOUNDS: [&str; 6] = [
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
];

/// What is wrong with a text of any kind.
fn form(text: &str, most: usize) -> Vec<String> {
    let mut faults = Vec::new();
    if text.is_empty() {
        return vec!["says nothing".to_owned()];
    }
    if !text.ends_with('.') {
        faults.push("does not end with a full stop".to_owned());
    }
    if text.len() > most {
        faults.push(format!("has {} bytes, {most} are enough", text.len()));
    }
    if text.contains("  ") {
        faults.push("has a double space".to_owned());
    }
    faults
}

/// Names of tools that a text speaks of.
fn names(text: &str) -> BTreeSet<&str> {
    let words = text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
    words
        .filter(|word| TOOL_NAMES.iter().any(|start| word.starts_with(start)))
        .collect()
}

fn unknown(text: &str) -> Option<String> {
    let known = |name: &&str| TOOLS.iter().any(|entry| entry.meta.name == *name);
    let unknown: Vec<&str> = names(text)
        .into_iter()
        .filter(|name| !known(name))
        .collect();
    (!unknown.is_empty()).then(|| format!("names what is no tool: {unknown:?}"))
}

fn tool(entry: &Entry) -> Vec<String> {
    let meta = &entry.meta;
    let mut faults = form(meta.description, TOOL_BYTES);
    faults.extend(unknown(meta.description));
    let words = meta.description.split_whitespace().count();
    if words > TOOL_WORDS {
        faults.push(format!("has {words} words, {TOOL_WORDS} are enough"));
    }
    if names(meta.description).contains(meta.name) {
        faults.push("names itself".to_owned());
    }
    if names(meta.description).is_empty() {
        faults.push("does not say which tool is right when it is not".to_owned());
    }
    faults
}

/// The part of a field that says what it is: an optional thing is written as an alternative to null.
fn thing(field: &Value) -> &Value {
    let mut alternatives = field["anyOf"].as_array().into_iter().flatten();
    alternatives
        .find(|alternative| alternative["type"] != "null")
        .unwrap_or(field)
}

fn is_of(field: &Value, kind: &str) -> bool {
    field["type"] == kind
        || field["type"]
            .as_array()
            .is_some_and(|kinds| kinds.iter().any(|one| one == kind))
}

/// Whether the schema itself says which values there are.
fn tells_its_values(field: &Value) -> bool {
    field["oneOf"].is_array() || field["enum"].is_array() || field.get("pattern").is_some()
}

/// A number as descriptions write it.
fn written(number: u64) -> String {
    if number < 1_000 {
        return number.to_string();
    }
    format!("{},{:03}", number / 1_000, number % 1_000)
}

/// Whether a text has a number, not just its digits within another one.
fn has_number(text: &str, number: &str) -> bool {
    text.split(|letter: char| !(letter.is_ascii_digit() || letter == ','))
        .any(|word| word.trim_end_matches(',') == number)
}

fn field(name: &str, schema: &Value, required: bool) -> Vec<String> {
    let text = schema["description"].as_str().unwrap_or_default();
    let mut faults = form(text, FIELD_BYTES);
    faults.extend(unknown(text));
    let thing = thing(schema);
    let free = ["string", "integer", "number", "array"];
    let is_free = free.iter().any(|kind| is_of(thing, kind)) && !tells_its_values(thing);
    let states = text.contains('`') || text.contains(|letter: char| letter.is_ascii_digit());
    if is_free && !states {
        faults.push("states neither a bound nor an example".to_owned());
    }
    let bounds = BOUNDS.iter().filter_map(|bound| thing[*bound].as_u64());
    for bound in bounds.filter(|_| name != KNOWN_BY_HANDLE) {
        // Something of one character or more is what "name" says already.
        if bound > 1 && !has_number(text, &written(bound)) {
            faults.push(format!("does not state the bound {bound}"));
        }
    }
    let chooses = ["boolean", "integer", "number"];
    let chooses = chooses.iter().any(|kind| is_of(thing, kind)) || thing["oneOf"].is_array();
    if chooses && !required && !text.contains("Default: ") {
        faults.push("does not state its default".to_owned());
    }
    faults
}

/// All that is wrong with a tool's words.
fn judge(entry: &Entry) -> Vec<String> {
    let mut found: Vec<(String, Vec<String>)> = vec![(entry.meta.name.to_owned(), tool(entry))];
    let schema = (entry.input_schema)();
    for (name, about) in schema["properties"].as_object().unwrap() {
        let mut required = schema["required"].as_array().into_iter().flatten();
        let required = required.any(|one| one == name);
        let faults = field(name, about, required);
        found.push((format!("{}.{name}", entry.meta.name), faults));
    }
    let lines = |(of, faults): (String, Vec<String>)| {
        let lines = faults.into_iter().map(move |fault| format!("{of} {fault}"));
        lines.collect::<Vec<_>>()
    };
    found.into_iter().flat_map(lines).collect()
}

#[test]
fn each_tool_and_each_field_says_what_a_model_needs() {
    let faults: Vec<String> = TOOLS.iter().flat_map(judge).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn each_rule_of_descriptions_refuses_something() {
    let text = |about: &str| json!({ "type": ["string", "null"], "description": about });
    let page = |about: &str| json!({ "type": "integer", "maximum": 4_000, "description": about });
    for (schema, refused) in [
        (text("A word such as `sea`."), false),
        (text("A word of 1 to 64 characters."), false),
        (text(""), true),
        (text("A word."), true),
        (text("A word such as `sea`"), true),
        (text("A word  such as `sea`."), true),
        (text("An id of `image_asset_erase`."), true),
        (text(&format!("`{}`.", "x".repeat(FIELD_BYTES))), true),
        (page("How many, 1 to 4,000. Default: 5."), false),
        (page("How many, 1 to 14,000. Default: 5."), true),
        (page("How many, 1 to 4,000."), true),
    ] {
        let faults = field("word", &schema, false);
        assert_eq!(!faults.is_empty(), refused, "{schema}: {faults:?}");
    }
}

#[test]
fn hints_do_not_contradict_each_other() {
    for entry in TOOLS {
        let meta = &entry.meta;
        let name = meta.name;
        assert_eq!(meta.read_only, meta.scope == Scope::Read, "{name}");
        assert_eq!(meta.destructive, meta.scope == Scope::Delete, "{name}");
        if meta.read_only {
            assert!(!meta.destructive && meta.idempotent, "{name}");
            assert!(!meta.open_world, "{name}: reading asks our own store");
        }
    }
}

#[tokio::test]
async fn the_instructions_name_tools_that_there_are() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let known = app.rpc(Generation::MODERN, &ada.key, "server/discover", json!({}));
    let known = known.await.result()["instructions"].clone();
    let text = known.as_str().unwrap();
    assert_eq!(unknown(text), None);
    assert!(names(text).len() > 5, "{text}");
    let words = text.split_whitespace().count();
    assert!(words <= INSTRUCTION_WORDS, "{words} words");
}
