//! One contract on every surface (features I2): each case runs as a direct call, over HTTP, over MCP over
//! HTTP in two protocol generations, and over MCP over stdio, and the payloads are equal.

use std::collections::HashMap;

use common::ids::RequestId;
use functions::{
    tools::{self, Call, TOOLS},
    transport::problem,
};
use serde_json::Value;
use tests::{
    Caller, TestApp,
    mcp::{Generation, payload},
};

use super::{Kind, World, cases};

/// Ways to call a tool.
const SURFACES: [&str; 5] = ["direct", "http", "mcp legacy", "mcp modern", "stdio"];

async fn call(app: &TestApp, caller: &Caller, surface: &str, tool: &str, input: Value) -> Value {
    let key = &caller.key;
    match surface {
        "direct" => direct(app, key, tool, input).await,
        "http" => app.call(caller, tool, input).await.body,
        "mcp legacy" => {
            let generation = Generation::LEGACY[1];
            payload(&app.rpc_call(generation, key, tool, input).await)
        }
        "mcp modern" => payload(&app.rpc_call(Generation::MODERN, key, tool, input).await),
        "stdio" => {
            let mut client = app.stdio(key);
            let result = client.call(Generation::MODERN, tool, input).await;
            client.close().await;
            payload(&result)
        }
        other => panic!("there is no surface {other}"),
    }
}

async fn direct(app: &TestApp, key: &str, tool: &str, input: Value) -> Value {
    let request = RequestId::generate(app.app.clock.millis());
    let call = Call {
        tool,
        authorization: Some(&format!("Bearer {key}")),
        arguments: Ok(input),
        request: request.clone(),
        pictures: true,
    };
    match tools::dispatch(&app.app, call).await {
        Ok(answer) => answer.output,
        Err(error) => problem::body(&error, &request),
    }
}

/// A payload with each id named by its kind and its place, and what is signed left out.
fn normalized(payload: &Value) -> Value {
    let mut seen = HashMap::new();
    walk(payload, "", &mut seen)
}

fn walk(value: &Value, name: &str, seen: &mut HashMap<String, String>) -> Value {
    match value {
        Value::String(_) if ["nextCursor", "url"].contains(&name) => "signed".into(),
        Value::String(text) if is_id(text) => {
            let place = seen.len();
            let kind = &text[..3];
            let named = seen
                .entry(text.clone())
                .or_insert_with(|| format!("{kind} {place}"));
            named.clone().into()
        }
        Value::Array(items) => items.iter().map(|item| walk(item, name, seen)).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, field)| (name.clone(), walk(field, name, seen)))
            .collect(),
        other => other.clone(),
    }
}

/// Whether a text is a prefix of three letters and a ULID.
fn is_id(text: &str) -> bool {
    let ulid = text.get(4..).unwrap_or_default();
    text.len() == 30
        && text.as_bytes()[3] == b'_'
        && ulid
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
}

#[tokio::test]
async fn every_case_is_answered_alike_on_every_surface() {
    let shared = World::new().await;
    let mut ran = 0;
    for tool in TOOLS {
        let name = tool.meta.name;
        for case in cases(name) {
            let mut answers = Vec::new();
            for surface in SURFACES {
                // What changes nothing may be asked of one world again and again, and a call that is
                // refused changes nothing.
                let changes = !tool.meta.read_only && case.kind == Kind::Happy;
                let fresh;
                let world = match changes {
                    false => &shared,
                    true => {
                        fresh = World::new().await;
                        &fresh
                    }
                };
                let input = world.fill(&case.input);
                let payload =
                    call(&world.app, world.caller(&case.caller), surface, name, input).await;
                answers.push(normalized(&payload));
            }
            for (answer, surface) in answers.iter().zip(SURFACES) {
                assert_eq!(*answer, answers[0], "{} over {surface}", case.file);
            }
            ran += 1;
        }
    }
    assert!(ran >= 3 * TOOLS.len());
}

#[test]
fn payloads_that_differ_are_told_apart() {
    let of = |id: &str, title: &str| serde_json::json!({ "assetId": id, "title": title, "again": id, "nextCursor": title });
    let (one, two) = (
        "ast_01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "ast_01BX5ZZKBKACTAV9WEVGEMMVRZ",
    );
    assert_eq!(normalized(&of(one, "a"))["again"], "ast 0");
    assert_eq!(
        normalized(&of(one, "a"))["assetId"],
        normalized(&of(two, "a"))["assetId"]
    );
    assert_ne!(normalized(&of(one, "a")), normalized(&of(one, "b")));
}
