//! The list of tools as models read it. A model pays for each word of it in each conversation, so the
//! schemas say here only what helps to call the tool and to read its answer; `schemas/tools.json` says all.

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
            // Names tell what comes back; what they mean in full is in docs/tools.md.
            "description" | "required" | "minimum" if side == Side::Output => {}
            "minimum" if value == 0 => {}
            "properties" => {
                let fields = object(value).into_iter();
                let fields = fields.map(|(name, field)| (name, compact(field, side)));
                compacted.insert(key, Value::Object(fields.collect()));
            }
            "items" => {
                compacted.insert(key, compact(value, side));
            }
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

fn without_null(kind: Value, side: Side) -> Value {
    match kind {
        Value::Array(kinds) if side == Side::Input => {
            let mut kinds = kinds.into_iter().filter(|kind| kind != "null");
            kinds.next().unwrap_or(Value::Null)
        }
        other => other,
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
