//! The case files: for each tool what works, what is refused, and what belongs to somebody else.
//!
//! `tests/cases/<tool>/*.json` holds `kind` (happy, invalid, foreign), `caller`, `input`, and what to expect:
//! `expect` (fields of the answer), `code`, or `unknown`: the same call with an id that does not exist, whose
//! answer must be the same to the byte but for the request id. `$ada.asset` and the like are filled in.

use std::{collections::HashMap, fs, path::PathBuf};

use functions::tools::TOOLS;
use serde_json::{Value, json};
use tests::{Answer, Caller, TestApp, pictures};

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
fn missing(cases: &[(String, Value)]) -> Vec<&'static str> {
    KINDS
        .into_iter()
        .filter(|kind| cases.iter().all(|(_, case)| case["kind"] != *kind))
        .collect()
}

#[test]
fn every_tool_has_a_happy_an_invalid_and_a_foreign_case() {
    for tool in TOOLS {
        let missing = missing(&cases(tool.meta.name));
        assert!(
            missing.is_empty(),
            "tests/cases/{} lacks {missing:?}",
            tool.meta.name
        );
    }
    assert_eq!(missing(&[]), KINDS, "this check can fail");
}

/// Two tenants with something each, and the words for it.
struct World {
    app: TestApp,
    callers: HashMap<&'static str, Caller>,
    words: HashMap<String, String>,
}

impl World {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let (ada, bob) = (app.caller("ada").await, app.caller("bob").await);
        let mut words = HashMap::new();
        for (kind, prefix) in [
            ("asset", "ast"),
            ("project", "apr"),
            ("folder", "afl"),
            ("vault", "avl"),
        ] {
            words.insert(
                format!("$unknown.{kind}"),
                format!("{prefix}_01ARZ3NDEKTSV4RRFFQ69G5FAV"),
            );
        }
        words.insert("$unknown.cursor".to_owned(), "bm90IGEgY3Vyc29y".to_owned());
        words.insert(
            "$picture.red".to_owned(),
            pictures::base64(&pictures::plain([200, 20, 20])),
        );
        words.insert(
            "$picture.green".to_owned(),
            pictures::base64(&pictures::plain([20, 200, 20])),
        );
        for (name, caller) in [("ada", &ada), ("bob", &bob)] {
            place(&app, name, caller).await;
            let input = json!({ "title": "a red card", "tags": ["card"], "projectId": format!("apr_{}", ulid(name, 1)) });
            let asset = app.save(caller, [200, 20, 20], input).await;
            words.insert(format!("${name}.asset"), asset);
            for (word, prefix, number) in [
                ("project", "apr", 1),
                ("project2", "apr", 2),
                ("folder", "afl", 1),
            ] {
                words.insert(
                    format!("${name}.{word}"),
                    format!("{prefix}_{}", ulid(name, number)),
                );
            }
        }
        app.drain().await;
        for (name, caller) in [("ada", &ada), ("bob", &bob)] {
            let asset = words[&format!("${name}.asset")].clone();
            let got = app
                .call(caller, "image_asset_get", json!({ "assetId": asset }))
                .await
                .ok();
            words.insert(
                format!("${name}.vault"),
                got["vaultId"].as_str().unwrap().to_owned(),
            );
        }
        words.insert("$ada.cursor".to_owned(), cursor(&app, &ada).await);
        Self {
            app,
            callers: HashMap::from([("ada", ada), ("bob", bob)]),
            words,
        }
    }

    async fn run(&self, tool: &str, case: &Value, input: &str) -> Answer {
        let caller = &self.callers[case["caller"].as_str().unwrap()];
        self.app.call(caller, tool, self.fill(&case[input])).await
    }

    fn fill(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => {
                let mut text = text.clone();
                let mut words: Vec<_> = self.words.iter().collect();
                // `$ada.project2` before `$ada.project`.
                words.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
                for (word, filling) in words {
                    text = text.replace(word, filling);
                }
                text.into()
            }
            Value::Array(items) => items.iter().map(|item| self.fill(item)).collect(),
            Value::Object(fields) => fields
                .iter()
                .map(|(name, field)| (name.clone(), self.fill(field)))
                .collect(),
            other => other.clone(),
        }
    }
}

/// A ULID that is stable for a name and a number.
fn ulid(name: &str, number: u32) -> String {
    let letter = if name == "ada" { 'A' } else { 'B' };
    format!("01ARZ3NDEKTSV4RRFFQ69G5{letter}0{number}")
}

/// Projects and a folder, as their tools will make them.
#[expect(clippy::disallowed_methods, reason = "a test arranges rows")]
async fn place(app: &TestApp, name: &str, caller: &Caller) {
    let (one, two) = (ulid(name, 1), ulid(name, 2));
    let owner = caller.owner.as_str();
    let sql = format!(
        "insert into mem_asset_projects (owner_identity, vault, id, name, name_key, created_by) \
         select v.owner_identity, v.id, p.id, p.id, p.id, v.owner_identity \
         from mem_vaults v, (values ('apr_{one}'), ('apr_{two}')) p (id) where v.owner_identity = '{owner}'; \
         insert into mem_asset_folders (owner_identity, vault, project_id, id, depth, name, name_key, created_by) \
         select v.owner_identity, v.id, 'apr_{one}', 'afl_{one}', 1, 'f', 'f', v.owner_identity \
         from mem_vaults v where v.owner_identity = '{owner}'"
    );
    app.database
        .admin()
        .await
        .batch_execute(&sql)
        .await
        .unwrap();
}

/// A cursor of a caller's: the second page of a search of two.
async fn cursor(app: &TestApp, caller: &Caller) -> String {
    let second = app
        .save(caller, [180, 40, 40], json!({ "onDuplicate": "new" }))
        .await;
    app.drain().await;
    let page = app
        .call(
            caller,
            "image_asset_search",
            json!({ "query": "red", "limit": 1 }),
        )
        .await
        .ok();
    #[expect(clippy::disallowed_methods, reason = "a test arranges rows")]
    app.database
        .admin()
        .await
        .batch_execute(&format!(
            "delete from memory_assets_v1 where asset_id = '{second}'; \
             update mem_assets set status = 'deleted', deleted_at = now() where id = '{second}'"
        ))
        .await
        .unwrap();
    page["nextCursor"].as_str().unwrap().to_owned()
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

fn without_request_id(answer: &Answer) -> String {
    let mut body = answer.body.clone();
    assert!(
        body["error"]["requestId"]
            .as_str()
            .is_some_and(|id| id.starts_with("req_")),
        "{body:#}"
    );
    body["error"]["requestId"] = Value::Null;
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
