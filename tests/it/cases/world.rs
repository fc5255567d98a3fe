//! The world that every case meets.

use std::collections::HashMap;

use serde_json::{Value, json};
use tests::{Answer, Caller, TestApp, pictures};

/// Two tenants with something each, and the words for it.
pub(super) struct World {
    pub(super) app: TestApp,
    callers: HashMap<&'static str, Caller>,
    words: HashMap<String, String>,
}

impl World {
    pub(super) async fn new() -> Self {
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
            for (word, id) in place(&app, caller).await {
                words.insert(format!("${name}.{word}"), id);
            }
            let input = json!({
                "title": "a red card",
                "tags": ["card"],
                "projectId": words[&format!("${name}.project")],
            });
            let asset = app.save(caller, [200, 20, 20], input).await;
            words.insert(format!("${name}.asset"), asset);
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

    pub(super) async fn run(&self, tool: &str, case: &Value, input: &str) -> Answer {
        let input = self.fill(&case[input]);
        self.app.call(self.caller(case), tool, input).await
    }

    /// Who calls in a case.
    pub(super) fn caller(&self, case: &Value) -> &Caller {
        &self.callers[case["caller"].as_str().unwrap()]
    }

    /// A part of a case with the words filled in.
    pub(super) fn fill(&self, value: &Value) -> Value {
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

/// Two projects and a folder, and the words for them.
async fn place(app: &TestApp, caller: &Caller) -> Vec<(&'static str, String)> {
    let mut made = Vec::new();
    for (word, name) in [("project", "One"), ("project2", "Two")] {
        let input = json!({ "name": name });
        let answer = app.call(caller, "image_project_create", input).await.ok();
        made.push((word, answer["projectId"].as_str().unwrap().to_owned()));
    }
    let input = json!({ "projectId": made[0].1, "name": "Top" });
    let answer = app.call(caller, "image_folder_create", input).await.ok();
    made.push(("folder", answer["folderId"].as_str().unwrap().to_owned()));
    made
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
    let deletion = json!({ "assetIds": [second] });
    app.call(caller, "image_asset_delete", deletion).await.ok();
    page["nextCursor"].as_str().unwrap().to_owned()
}
