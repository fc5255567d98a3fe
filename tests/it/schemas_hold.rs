//! Schemas keep their word: what the happy cases send and are answered is valid against the published
//! schemas and against the shorter ones that MCP lists, as strict clients check.

use std::collections::HashMap;

use functions::tools::{Entry, TOOLS};
use jsonschema::Validator;
use serde_json::{Value, json};
use tests::{TestApp, mcp::Generation};

use crate::cases::{Case, Kind, World, cases};

fn validator(schema: &Value) -> Validator {
    jsonschema::draft202012::new(schema).unwrap_or_else(|error| panic!("{error}: {schema:#}"))
}

/// What a tool takes and gives.
struct Promise {
    /// Who makes it.
    by: &'static str,
    input: Validator,
    output: Validator,
}

impl Promise {
    fn new(by: &'static str, input: &Value, output: &Value) -> Self {
        Self {
            by,
            input: validator(input),
            output: validator(output),
        }
    }

    fn check(&self, file: &str, input: &Value, output: &Value) {
        for (schema, value) in [(&self.input, input), (&self.output, output)] {
            let faults: Vec<String> = schema
                .iter_errors(value)
                .map(|fault| format!("{}: {fault}", fault.instance_path()))
                .collect();
            assert!(faults.is_empty(), "{file}, {}: {faults:#?}", self.by);
        }
    }
}

fn published(entry: &Entry) -> Promise {
    Promise::new(
        "published",
        &(entry.input_schema)(),
        &(entry.output_schema)(),
    )
}

/// What MCP lists, by the name of the tool.
async fn listed() -> HashMap<String, Promise> {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let answer = app.rpc(Generation::MODERN, &ada.key, "tools/list", json!({}));
    let answer = answer.await;
    let tools = answer.result()["tools"].as_array().unwrap();
    let promise = |tool: &Value| {
        let name = tool["name"].as_str().unwrap().to_owned();
        let promise = Promise::new("listed", &tool["inputSchema"], &tool["outputSchema"]);
        (name, promise)
    };
    tools.iter().map(promise).collect()
}

/// An input as whoever reads the listed schema writes it: null equals absent.
fn without_nulls(input: &Value) -> Value {
    let fields = input.as_object().unwrap().iter();
    fields
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// What a case sends and is answered over MCP.
async fn run(entry: &Entry, case: &Case) -> (Value, Value) {
    let world = World::new().await;
    let input = world.fill(&case.input);
    let key = &world.caller(&case.caller).key;
    let call = world
        .app
        .rpc_call(Generation::MODERN, key, entry.meta.name, input.clone());
    (input, call.await["structuredContent"].clone())
}

#[tokio::test]
async fn every_happy_case_is_valid_against_published_and_listed_schemas() {
    let listed = listed().await;
    let mut compared = 0;
    for entry in TOOLS {
        let published = published(entry);
        let happy = cases(entry.meta.name).into_iter();
        for case in happy.filter(|case| case.kind == Kind::Happy) {
            let (input, output) = Box::pin(run(entry, &case)).await;
            published.check(&case.file, &input, &output);
            if let Some(listed) = listed.get(entry.meta.name) {
                listed.check(&case.file, &without_nulls(&input), &output);
                compared += 1;
            }
        }
    }
    assert!(compared >= TOOLS.len(), "{compared}");
}

#[test]
fn a_broken_promise_is_seen() {
    let schema = json!({
        "type": "object",
        "properties": { "limit": { "type": "integer", "maximum": 5 } },
        "additionalProperties": false,
    });
    let schema = validator(&schema);
    for (value, valid) in [
        (json!({ "limit": 5 }), true),
        (json!({ "limit": 6 }), false),
        (json!({ "limit": null }), false),
        (json!({ "most": 5 }), false),
    ] {
        assert_eq!(schema.is_valid(&value), valid, "{value}");
    }
}
