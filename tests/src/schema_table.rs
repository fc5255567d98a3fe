//! JSON schemas as rows of a table: one row a field, those of inner objects below their own.

use functions::tools::Entry;
use serde_json::Value;

/// One field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name; inner ones after a dot, those of list items after `[].`.
    pub name: String,
    /// What it holds, in words.
    pub kind: String,
    /// Whether a request must have it.
    pub required: bool,
    /// Whether it holds text that somebody else wrote.
    pub untrusted: bool,
    /// Its description.
    pub meaning: String,
}

/// Fields of an input: absent and null are the same there, so that null is not told.
#[must_use]
pub fn inputs(schema: &Value) -> Vec<Field> {
    let mut fields = Vec::new();
    collect(schema, "", false, &mut fields);
    fields
}

/// Fields of an output; those that may be null say so.
#[must_use]
pub fn outputs(schema: &Value) -> Vec<Field> {
    let mut fields = Vec::new();
    collect(schema, "", true, &mut fields);
    fields
}

/// Names of the fields by which a call of a tool names something that may be somebody else's: ids, vaults and
/// cursors.
#[must_use]
pub fn id_fields(tool: &Entry) -> Vec<String> {
    inputs(&(tool.input_schema)())
        .into_iter()
        .filter(|field| {
            field.kind.contains("_…` id")
                || ["vault", "vaults", "cursor"].contains(&field.name.as_str())
        })
        .map(|field| field.name)
        .collect()
}

fn collect(schema: &Value, prefix: &str, nulls: bool, fields: &mut Vec<Field>) {
    let required: Vec<&str> = list(&schema["required"])
        .iter()
        .filter_map(Value::as_str)
        .collect();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let full = format!("{prefix}{name}");
        fields.push(Field {
            kind: kind(field, nulls),
            required: required.contains(&name.as_str()),
            untrusted: field["x-untrusted"] == true,
            meaning: meaning(field),
            name: full.clone(),
        });
        let (inner, step) = inner(field);
        collect(inner, &format!("{full}{step}."), nulls, fields);
    }
}

/// The object inside a field, and how its fields are addressed.
fn inner(field: &Value) -> (&Value, &'static str) {
    if field["items"].is_object() {
        return (inner(&field["items"]).0, "[]");
    }
    let choices = list(&field["anyOf"]);
    let object = choices
        .iter()
        .find(|choice| choice["properties"].is_object());
    (object.unwrap_or(field), "")
}

/// The field's own words, and those of its choices where each has some.
fn meaning(field: &Value) -> String {
    let mut words = field["description"].as_str().unwrap_or_default().to_owned();
    for choice in choices(field) {
        if let (Some(name), Some(what)) = (choice["const"].as_str(), choice["description"].as_str())
        {
            words += &format!(" `{name}`: {what}");
        }
    }
    words
}

/// Choices of an enumeration, also one that may be null or stands in a list.
fn choices(field: &Value) -> Vec<&Value> {
    let field = if field["items"].is_object() {
        &field["items"]
    } else {
        field
    };
    let outer = list(&field["anyOf"]).iter().chain(list(&field["oneOf"]));
    outer
        .flat_map(|choice| {
            if choice["oneOf"].is_array() {
                list(&choice["oneOf"])
            } else {
                std::slice::from_ref(choice)
            }
        })
        .collect()
}

/// What a value may be, in words.
fn kind(schema: &Value, nulls: bool) -> String {
    let mut words: Vec<String> = Vec::new();
    add_kinds(schema, &mut words);
    let null = words.iter().position(|word| word == "null");
    if let Some(place) = null {
        words.remove(place);
        if nulls {
            words.push("null".to_owned());
        }
    }
    if words.is_empty() {
        return "any JSON".to_owned();
    }
    let bounds = bounds(schema);
    format!("{}{bounds}", words.join(" or "))
}

fn add_kinds(schema: &Value, words: &mut Vec<String>) {
    for choice in list(&schema["anyOf"]).iter().chain(list(&schema["oneOf"])) {
        add_kinds(choice, words);
    }
    if let Some(only) = schema["const"].as_str() {
        return words.push(format!("`{only}`"));
    }
    if schema["enum"].is_array() {
        let values = list(&schema["enum"]).iter();
        return words.extend(values.map(|value| {
            value
                .as_str()
                .map_or_else(|| value.to_string(), |text| format!("`{text}`"))
        }));
    }
    let one = std::slice::from_ref(&schema["type"]);
    let types = schema["type"].as_array().map_or(one, Vec::as_slice);
    for name in types.iter().filter_map(Value::as_str) {
        words.push(match name {
            "array" => format!("list of {}", kind(&schema["items"], true)),
            "string" => text(schema),
            other => other.to_owned(),
        });
    }
}

/// A string, or an id by its prefix.
fn text(schema: &Value) -> String {
    let pattern = schema["pattern"]
        .as_str()
        .and_then(|pattern| pattern.strip_prefix('^'));
    match pattern.and_then(|pattern| pattern.split_once('_')) {
        Some((prefix, _)) if prefix.len() == 3 => format!("`{prefix}_…` id"),
        _ => "string".to_owned(),
    }
}

/// Limits that the schema states.
fn bounds(schema: &Value) -> String {
    let number = |name: &str| {
        schema[name]
            .as_i64()
            .or_else(|| schema[name].as_f64().map(|value| value as i64))
    };
    let between = |low: &str, high: &str, what: &str| match (
        number(low).filter(|low| *low > 0),
        number(high),
    ) {
        (Some(low), Some(high)) => Some(format!("{low} to {high}{what}")),
        (Some(1), None) if !what.is_empty() => Some("not empty".to_owned()),
        (Some(low), None) => Some(format!("at least {low}{what}")),
        (None, Some(high)) => Some(format!("at most {high}{what}")),
        (None, None) => None,
    };
    let told = [
        between("minimum", "maximum", ""),
        between("minLength", "maxLength", " characters"),
        between("minItems", "maxItems", " items"),
    ];
    told.into_iter()
        .flatten()
        .map(|bound| format!(", {bound}"))
        .collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn one(field: &Value) -> Field {
        outputs(&json!({ "properties": { "x": field } })).remove(0)
    }

    #[test]
    fn kinds_and_bounds_are_told_in_words() {
        for (schema, words) in [
            (
                json!({ "type": "string", "minLength": 1, "maxLength": 9 }),
                "string, 1 to 9 characters",
            ),
            (
                json!({ "type": ["integer", "null"], "minimum": 0, "maximum": 20 }),
                "integer or null, at most 20",
            ),
            (
                json!({ "type": ["string", "null"], "pattern": "^ast_[0-9]{26}$" }),
                "`ast_…` id or null",
            ),
            (
                json!({ "type": "array", "items": { "type": "string" }, "maxItems": 3 }),
                "list of string, at most 3 items",
            ),
            (
                json!({ "anyOf": [{ "enum": ["a", "b"] }, { "type": "null" }] }),
                "`a` or `b` or null",
            ),
            (
                json!({ "oneOf": [{ "const": "a" }, { "const": "b" }] }),
                "`a` or `b`",
            ),
            (json!(true), "any JSON"),
        ] {
            assert_eq!(one(&schema).kind, words, "{schema}");
        }
        let optional =
            json!({ "properties": { "x": { "type": ["string", "null"] } }, "required": ["x"] });
        let field = inputs(&optional).remove(0);
        assert_eq!((field.kind.as_str(), field.required), ("string", true));
    }

    #[test]
    fn inner_fields_follow_their_own() {
        let item = json!({ "type": "object", "properties": { "id": { "type": "string", "x-untrusted": true } } });
        let schema = json!({ "properties": {
            "rows": { "type": "array", "items": item },
            "row": { "anyOf": [item, { "type": "null" }], "description": "One." },
        } });
        let fields = outputs(&schema);
        let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        assert_eq!(names, ["rows", "rows[].id", "row", "row.id"]);
        assert_eq!(
            (fields[0].kind.as_str(), fields[2].kind.as_str()),
            ("list of object", "object or null")
        );
        assert!(fields[1].untrusted && !fields[2].untrusted);
        assert_eq!(fields[2].meaning, "One.");
    }

    #[test]
    fn choices_tell_what_they_are() {
        let schema = json!({ "description": "How.", "anyOf": [
            { "oneOf": [{ "const": "new", "description": "Always." }, { "const": "old", "description": "Never." }] },
            { "type": "null" },
        ] });
        assert_eq!(one(&schema).meaning, "How. `new`: Always. `old`: Never.");
    }
}
