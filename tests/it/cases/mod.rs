//! The cases of each tool: what works, what is refused, and what belongs to somebody else.
//!
//! [`folder`] says what is in `tests/cases/<tool>/`. `$ada.asset` and the like are filled in. What Bob is
//! answered about Ada's things is compared with the same call about an id that does not exist: both must be
//! the same to the byte but for the request id.

mod folder;
mod parity;
mod words;
mod world;

use std::collections::BTreeSet;

use functions::tools::TOOLS;
use serde_json::{Value, json};
use tests::{Answer, TestApp, schema_table::id_fields};

pub(crate) use self::{
    folder::{Case, Kind, budget, cases, foreign, rights},
    words::Words,
    world::World,
};

/// Folders beside those of the tools: pictures for the tests of imaging.
const BESIDE_THE_TOOLS: [&str; 2] = ["images", "jpegs"];

/// What is missing of a tool's cases.
fn missing(cases: &[Case], names_things: bool) -> Vec<&'static str> {
    Kind::ALL
        .into_iter()
        .filter(|kind| names_things || *kind != Kind::Foreign)
        .filter(|kind| cases.iter().all(|case| case.kind != *kind))
        .map(Kind::name)
        .collect()
}

#[test]
fn every_tool_has_a_happy_an_invalid_and_a_foreign_case() {
    for tool in TOOLS {
        let (name, names_things) = (tool.meta.name, !id_fields(tool).is_empty());
        for kind in missing(&cases(name), names_things) {
            panic!("tests/cases/{name}/{kind}_*.json is missing: at least one");
        }
    }
    assert_eq!(
        missing(&[], true),
        Kind::ALL.map(Kind::name),
        "this check can fail"
    );
}

#[test]
fn every_folder_of_cases_is_a_tool_s() {
    let tools: BTreeSet<&str> = TOOLS.iter().map(|tool| tool.meta.name).collect();
    for folder in folder::folders() {
        assert!(
            tools.contains(folder.as_str()) || BESIDE_THE_TOOLS.contains(&folder.as_str()),
            "tests/cases/{folder} is of no tool in the registry"
        );
    }
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

/// The code by which an answer refuses: of the call, or of its first item where each is answered for itself.
pub(crate) fn refusal(answer: &Answer) -> Option<String> {
    if answer.body.get("error").is_some() {
        return Some(answer.code().to_owned());
    }
    let code = &answer.body["results"][0]["failure"]["code"];
    code.as_str().map(str::to_owned)
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
        for case in cases(name) {
            // Each case meets the same world, whatever the others did to theirs.
            let world = World::new().await;
            let (file, caller) = (&case.file, case.caller.as_str());
            let answer = world.run(name, caller, &case.input).await;
            match case.kind {
                Kind::Happy => {
                    let body = answer.ok();
                    let wanted = world.fill(&case.expect.unwrap_or_default());
                    assert!(
                        holds(&body, &wanted),
                        "{file}: wanted {wanted:#}\ngot {body:#}"
                    );
                }
                Kind::Invalid => assert_eq!(
                    Some(answer.code()),
                    case.code.as_deref(),
                    "{file}: {:#}",
                    answer.body
                ),
                Kind::Foreign => {
                    let unknown = world.run(name, caller, &case.unknown()).await;
                    assert_eq!(
                        without_request_id(&answer),
                        without_request_id(&unknown),
                        "{file}"
                    );
                }
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
        let name = tool.meta.name;
        for case in cases(name)
            .into_iter()
            .filter(|case| case.kind == Kind::Happy)
        {
            let file = &case.file;
            let body = world.run(name, &case.caller, &case.input).await.ok();
            let given: Vec<&String> = body.as_object().unwrap().keys().collect();
            assert_eq!(given, promised, "{file}");
            assert!(
                !body.to_string().contains("@example.com"),
                "{file}: {body:#}"
            );
        }
    }
}
