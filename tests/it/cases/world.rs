//! The world that every case meets.

use std::collections::HashMap;

use serde_json::{Value, json};
use tests::{Answer, Caller, TestApp};

use super::Words;

/// Two tenants with something each, and the words for it.
pub(crate) struct World {
    pub(crate) app: TestApp,
    callers: HashMap<&'static str, Caller>,
    words: Words,
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::of(TestApp::new().await).await
    }

    /// The world in an application that has none yet.
    pub(crate) async fn of(app: TestApp) -> Self {
        let (ada, bob) = (app.caller("ada").await, app.caller("bob").await);
        let mut words = Words::new();
        for (name, caller) in [("ada", &ada), ("bob", &bob)] {
            for (word, id) in place(&app, caller).await {
                words.put(&format!("${name}.{word}"), id);
            }
            let input = json!({
                "title": "a red card",
                "tags": ["card"],
                "projectId": words.get(&format!("${name}.project")),
            });
            let asset = app.save(caller, [200, 20, 20], input).await;
            words.put(&format!("${name}.asset"), asset);
        }
        app.drain().await;
        for (name, caller) in [("ada", &ada), ("bob", &bob)] {
            let asset = json!({ "assetId": words.get(&format!("${name}.asset")) });
            let vault = app.text(caller, "image_asset_get", asset, "vaultId").await;
            words.put(&format!("${name}.vault"), vault);
        }
        words.put("$ada.cursor", cursor(&app, &ada).await);
        Self {
            app,
            callers: HashMap::from([("ada", ada), ("bob", bob)]),
            words,
        }
    }

    /// Makes a call of a case, with its input or another one.
    pub(crate) async fn run(&self, tool: &str, caller: &str, input: &Value) -> Answer {
        let input = self.fill(input);
        self.app.call(self.caller(caller), tool, input).await
    }

    /// Somebody by name.
    pub(crate) fn caller(&self, name: &str) -> &Caller {
        let caller = self.callers.get(name);
        caller.unwrap_or_else(|| panic!("nobody is called {name}"))
    }

    /// A part of a case with the words filled in.
    pub(crate) fn fill(&self, value: &Value) -> Value {
        self.words.fill(value)
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
