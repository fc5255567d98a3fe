//! The list of tools as models read it. A model pays for each word of it in each conversation, so the
//! schemas say here only what helps to call the tool and to read its answer; `schemas/tools.json` says all.
//!
//! - Of an input the list has all fields with their words, the values between which a field chooses, the
//!   bounds of numbers, and what is required. Lengths are in the words; null, which equals absent, is left out.
//! - Of an output it has the names, what is inside of what, and `x-untrusted`. Text has no type there.

use std::sync::{Arc, LazyLock};

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value};

use crate::tools::{Entry, TOOLS};

/// A tool as it is listed.
pub(super) struct Listed {
    pub(super) name: &'static str,
    /// As clients get it.
    pub(super) tool: Tool,
    /// The whole schema of its output.
    pub(super) output_schema: Value,
}

static LISTED: LazyLock<Vec<Listed>> = LazyLock::new(|| TOOLS.iter().map(listed).collect());

/// Finds a tool by its name.
pub(super) fn find(name: &str) -> Option<&'static Listed> {
    LISTED.iter().find(|listed| listed.name == name)
}

fn listed(entry: &Entry) -> Listed {
    let meta = &entry.meta;
    let output_schema = (entry.output_schema)();
    let annotations = ToolAnnotations::from_raw(
        None,
        Some(meta.read_only),
        Some(meta.destructive),
        Some(meta.idempotent),
        Some(meta.open_world),
    );
    let input = object(compact((entry.input_schema)(), Side::Input));
    let output = object(compact(output_schema.clone(), Side::Output));
    let tool = Tool::new(meta.name, meta.description, Arc::new(input))
        .with_title(meta.title)
        .with_raw_output_schema(Arc::new(output))
        .with_annotations(annotations);
    Listed {
        name: meta.name,
        tool,
        output_schema,
    }
}

fn object(schema: Value) -> Map<String, Value> {
    match schema {
        Value::Object(schema) => schema,
        _ => Map::new(),
    }
}

/// Most values of a choice that are told one by one.
const TOLD_CHOICES: usize = 3;

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Input,
    Output,
}

/// A schema without what a model can do without. It allows all that the whole schema allows.
fn compact(schema: Value, side: Side) -> Value {
    let Value::Object(schema) = schema else {
        return schema;
    };
    let mut compacted = Map::new();
    for (key, value) in schema {
        match key.as_str() {
            // The dialect is the protocol's; formats of numbers are Rust's.
            "$schema" | "format" | "title" | "default" => {}
            // An id says by its prefix what it is, and where it came from says the field.
            "pattern" => {}
            // Fields of inputs have theirs; what those of outputs mean in full is in docs/tools.md.
            "description" => {}
            // Descriptions tell lengths in words.
            "minLength" | "maxLength" | "minItems" | "maxItems" => {}
            "required" | "minimum" if side == Side::Output => {}
            "minimum" if value == 0 => {}
            "properties" => {
                let fields = object(value).into_iter();
                let fields = fields.map(|(name, field)| (name, property(field, side)));
                compacted.insert(key, Value::Object(fields.collect()));
            }
            "items" => {
                let items = compact(value, side);
                if items != serde_json::json!({}) {
                    compacted.insert(key, items);
                }
            }
            // Most of what comes back is text: what says nothing of itself is that, or null.
            "type" if side == Side::Output && is_text(&value) => {}
            // On input null is the same as absent, and absent is shorter.
            "type" => {
                compacted.insert(key, without_null(value, side));
            }
            "enum" => {
                compacted.insert(key, enumeration(value, side));
            }
            "anyOf" | "oneOf" => merge(&mut compacted, value, side),
            _ => {
                compacted.insert(key, value);
            }
        }
    }
    Value::Object(compacted)
}

/// A field, which on input says what it is for. It is an object even where the whole schema is just `true`,
/// because clients read no other.
fn property(field: Value, side: Side) -> Value {
    let words = match side {
        Side::Input => words(&field),
        Side::Output => String::new(),
    };
    let mut compacted = object(compact(field, side));
    if !words.is_empty() {
        compacted.insert("description".to_owned(), words.into());
    }
    compacted.into()
}

/// A field's description in one line, and what the values mean between which it chooses; where they are
/// many, their names must do.
fn words(field: &Value) -> String {
    let outer = ["anyOf", "oneOf"].into_iter();
    let outer = outer.filter_map(|name| field[name].as_array()).flatten();
    let inner = outer.clone().filter_map(|one| one["oneOf"].as_array());
    let choices = outer.chain(inner.flatten());
    let meanings: Vec<String> = choices
        .filter_map(|choice| {
            let (name, meaning) = (choice["const"].as_str()?, choice["description"].as_str()?);
            Some(format!(" `{name}`: {meaning}"))
        })
        .collect();
    let mut words = field["description"].as_str().unwrap_or_default().to_owned();
    if meanings.len() <= TOLD_CHOICES {
        words += &meanings.concat();
    }
    words.replace('\n', " ")
}

fn is_text(kind: &Value) -> bool {
    *kind == "string" || *kind == serde_json::json!(["string", "null"])
}

fn without_null(kind: Value, side: Side) -> Value {
    let Value::Array(mut kinds) = kind else {
        return kind;
    };
    if side == Side::Input {
        kinds.retain(|kind| kind != "null");
    }
    match kinds.len() {
        1 => kinds.remove(0),
        _ => kinds.into(),
    }
}

fn enumeration(values: Value, side: Side) -> Value {
    match values {
        Value::Array(values) if side == Side::Input => values
            .into_iter()
            .filter(|value| !value.is_null())
            .collect(),
        other => other,
    }
}

/// Alternatives: described constants become one enumeration, and an optional thing the thing itself on
/// input, and the thing or null on output.
fn merge(compacted: &mut Map<String, Value>, alternatives: Value, side: Side) {
    let Value::Array(alternatives) = alternatives else {
        return;
    };
    let (nulls, things): (Vec<_>, Vec<_>) = alternatives
        .into_iter()
        .partition(|alternative| alternative["type"] == "null");
    let nullable = !nulls.is_empty() && side == Side::Output;
    if things.iter().all(|thing| thing.get("const").is_some()) {
        let names = things.iter().map(|thing| thing["const"].clone());
        let null = nullable.then_some(Value::Null);
        compacted.insert("enum".to_owned(), names.chain(null).collect());
        return;
    }
    let mut things: Vec<Value> = things
        .into_iter()
        .map(|thing| compact(thing, side))
        .collect();
    if things.len() == 1 && !nullable {
        let own = object(things.remove(0));
        for (key, value) in own {
            compacted.entry(key).or_insert(value);
        }
        return;
    }
    things.extend(nullable.then(|| serde_json::json!({ "type": "null" })));
    compacted.insert("anyOf".to_owned(), things.into());
}
