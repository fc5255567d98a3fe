//! Frames what others wrote, so that a model that reads an answer can tell it from what the product says.
//!
//! An output's schema marks such fields by `x-untrusted`; forged markers were taken out when the text was
//! saved, and are once more here (features L1, L2).

use common::domain::text::escape_markers;
use serde_json::{Map, Value};

/// Stands before untrusted text.
pub const BEGIN: &str = "<<<UNTRUSTED>>>";
/// Stands behind untrusted text.
pub const END: &str = "<<<END_UNTRUSTED>>>";

/// An answer as a model reads it: untrusted fields framed, and what says nothing left out. A marked list or
/// object is framed whole, as JSON, because its names are as foreign as its values.
#[must_use]
pub fn framed(schema: &Value, value: &Value) -> Value {
    if schema["x-untrusted"] == true {
        return match value {
            Value::String(text) => frame(text).into(),
            other => frame(&other.to_string()).into(),
        };
    }
    match value {
        Value::Object(fields) => fields
            .iter()
            .filter(|(_, field)| !says_nothing(field))
            .map(|(name, field)| (name.clone(), framed(property(schema, name), field)))
            .collect::<Map<_, _>>()
            .into(),
        Value::Array(items) => items
            .iter()
            .map(|item| framed(variant(schema, "items"), item))
            .collect(),
        other => other.clone(),
    }
}

fn frame(text: &str) -> String {
    format!("{BEGIN}{}{END}", escape_markers(text))
}

fn says_nothing(value: &Value) -> bool {
    value.is_null() || value.as_array().is_some_and(Vec::is_empty)
}

fn property<'a>(schema: &'a Value, name: &str) -> &'a Value {
    &variant(schema, "properties")[name]
}

/// The part of a schema, or of that one of its alternatives which has it: an optional object is written as
/// an alternative to null.
fn variant<'a>(schema: &'a Value, part: &str) -> &'a Value {
    if let Some(part) = schema.get(part) {
        return part;
    }
    let alternatives = schema["anyOf"].as_array().into_iter().flatten();
    alternatives
        .filter_map(|alternative| alternative.get(part))
        .next()
        .unwrap_or(&Value::Null)
}
