//! The case files: for each tool what works, what is refused, and what belongs to somebody else.
//!
//! `tests/cases/<tool>/*.json` holds `kind` (happy, invalid, foreign), `caller`, `input`, and what to expect:
//! `expect` (fields of the answer), `code`, or `unknown`: the same call with an id that does not exist, whose
//! answer must be the same to the byte but for the request id. `$ada.asset` and the like are filled in.

mod parity;
mod world;

use std::{fs, path::PathBuf};

use functions::tools::TOOLS;
use serde_json::{Value, json};
use tests::{Answer, TestApp, schema_table::id_fields};

use self::world::World;

const KINDS: [&str; 3] = ["happy", "invalid", "foreign"];

fn directory(tool: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("cases")
        .join(tool)
}

fn cases(tool: &str) -> Vec<(String, Value)> {
    let entries = fs::read_dir(directory(tool))
        .map(|entries| entries.flatten().collect())
        .unwrap_or_else(|_| Vec::new());
    let mut cases: Vec<_> = entries
        .into_iter()
        .map(|entry| {
            let text = fs::read_to_string(entry.path()).unwrap();
            (
                format!("{tool}/{}", entry.file_name().to_string_lossy()),
                serde_json::from_str(&text).unwrap(),
            )
        })
        .collect();
    cases.sort_by(|left: &(String, Value), right| left.0.cmp(&right.0));
    cases
}

/// What is missing of a tool's cases.
fn missing(cases: &[(String, Value)], names_things: bool) -> Vec<&'static str> {
    KINDS
        .into_iter()
        .filter(|kind| names_things || *kind != "foreign")
        .filter(|kind| cases.iter().all(|(_, case)| case["kind"] != *kind))
        .collect()
}

#[test]
fn every_tool_has_a_happy_an_invalid_and_a_foreign_case() {
    for tool in TOOLS {
        let names_things = !id_fields(tool).is_empty();
        let missing = missing(&cases(tool.meta.name), names_things);
        assert!(
            missing.is_empty(),
            "tests/cases/{} lacks {missing:?}",
            tool.meta.name
        );
    }
    assert_eq!(missing(&[], true), KINDS, "this check can fail");
}

/// Whether `got` has all that `wanted` has; lists may go on.
fn holds(got: &Value, wanted: &Value) -> bool {
    match (got, wanted) {
        (Value::Object(got), Value::Object(wanted)) => wanted
            .iter()
            .all(|(name, value)| got.get(name).is_some_and(|got| holds(got, value))),
        (Value::Array(got), Value::Array(wanted)) => {
            got.len() >= wanted.len()
                && got
                    .iter()
                    .zip(wanted)
                    .all(|(got, wanted)| holds(got, wanted))
        }
        _ => got == wanted,
    }
}

pub(crate) fn without_request_id(answer: &Answer) -> String {
    let mut body = answer.body.clone();
    // A call that answers each of its items for itself has no error of its own.
    if let Some(error) = body.get_mut("error") {
        let id = error["requestId"].take();
        assert!(
            id.as_str().is_some_and(|id| id.starts_with("req_")),
            "{body:#}"
        );
    }
    format!("{} {body}", answer.status)
}

#[tokio::test]
async fn every_case_holds() {
    let mut ran = 0;
    for tool in TOOLS {
        let name = tool.meta.name;
        for (file, case) in cases(name) {
            // Each case meets the same world, whatever the others did to theirs.
            let world = World::new().await;
            let answer = world.run(name, &case, "input").await;
            match case["kind"].as_str().unwrap() {
                "happy" => {
                    let body = answer.ok();
                    let wanted = world.fill(&case["expect"]);
                    assert!(
                        holds(&body, &wanted),
                        "{file}: wanted {wanted:#}\ngot {body:#}"
                    );
                }
                "invalid" => assert_eq!(answer.code(), case["code"], "{file}: {:#}", answer.body),
                "foreign" => {
                    let unknown = world.run(name, &case, "unknown").await;
                    assert_eq!(
                        without_request_id(&answer),
                        without_request_id(&unknown),
                        "{file}"
                    );
                }
                kind => panic!("{file}: unknown kind {kind}"),
            }
            ran += 1;
        }
    }
    assert!(ran >= 3 * TOOLS.len());
}

#[tokio::test]
async fn a_caller_without_a_live_key_learns_nothing() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let asset = app.save(&ada, [1, 1, 1], json!({})).await;
    let other = common::auth::KeyToken::generate().unwrap().reveal();
    // The right prefix with a wrong secret.
    let mut forged = ada.key.clone();
    forged.replace_range(
        17..21,
        if &ada.key[17..21] == "0000" {
            "1111"
        } else {
            "0000"
        },
    );
    for tool in TOOLS {
        let body = json!({ "assetId": asset }).to_string();
        let mut answers = Vec::new();
        for header in [
            format!("Bearer {other}"),
            format!("Bearer {forged}"),
            "Bearer x".to_owned(),
        ] {
            let answer = app
                .post(tool.meta.name, Some(&header), body.clone().into())
                .await;
            assert_eq!(
                (answer.status.as_u16(), answer.code()),
                (401, "unauthenticated")
            );
            answers.push(without_request_id(&answer));
        }
        assert!(answers.iter().all(|answer| *answer == answers[0]));
        assert_eq!(
            app.post(tool.meta.name, None, "no json".into())
                .await
                .code(),
            "unauthenticated"
        );
    }
    let now = common::ports::Clock::now(&*app.clock);
    common::store::system::keys::revoke(&app.app.store, &ada.owner, &ada.key_id, now)
        .await
        .unwrap();
    assert_eq!(
        app.call(&ada, "image_asset_get", json!({ "assetId": asset }))
            .await
            .code(),
        "unauthenticated"
    );
}

#[tokio::test]
async fn answers_hold_what_their_schemas_promise_and_no_identity() {
    let world = World::new().await;
    for tool in TOOLS {
        let schema = (tool.output_schema)();
        let promised: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        for (file, case) in cases(tool.meta.name)
            .into_iter()
            .filter(|(_, case)| case["kind"] == "happy")
        {
            let body = world.run(tool.meta.name, &case, "input").await.ok();
            let given: Vec<&String> = body.as_object().unwrap().keys().collect();
            assert_eq!(given, promised, "{file}");
            assert!(
                !body.to_string().contains("@example.com"),
                "{file}: {body:#}"
            );
        }
    }
}
