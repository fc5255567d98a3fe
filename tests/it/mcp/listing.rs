//! `tools/list`: what a key may use, in a stable order.

use common::contract::Scope;
use functions::tools::TOOLS;
use http::Request;
use serde_json::{Value, json};
use tests::{TestApp, mcp::Generation};

async fn listed(app: &TestApp, key: &str, generation: Generation) -> Vec<Value> {
    let answer = app.rpc(generation, key, "tools/list", json!({})).await;
    assert!(answer.result().get("nextCursor").is_none());
    answer.result()["tools"].as_array().unwrap().clone()
}

fn names(tools: &[Value]) -> Vec<&str> {
    tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn the_list_is_the_registry_in_its_order_with_its_hints() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let registry: Vec<&str> = TOOLS.iter().map(|entry| entry.meta.name).collect();
    for generation in Generation::ALL {
        let tools = listed(&app, &ada.key, generation).await;
        assert_eq!(names(&tools), registry);
        assert!(tools.len() <= 20);
        for (tool, entry) in tools.iter().zip(TOOLS) {
            let meta = &entry.meta;
            assert_eq!(tool["title"], meta.title);
            assert_eq!(tool["description"], meta.description);
            assert_eq!(
                tool["annotations"],
                json!({
                    "readOnlyHint": meta.read_only,
                    "destructiveHint": meta.destructive,
                    "idempotentHint": meta.idempotent,
                    "openWorldHint": meta.open_world,
                })
            );
            assert_eq!(tool["inputSchema"]["type"], "object");
            assert_eq!(tool["inputSchema"]["additionalProperties"], false);
            assert_eq!(tool["outputSchema"]["type"], "object");
        }
    }
}

#[tokio::test]
async fn a_key_sees_what_its_scopes_allow() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    for scopes in [
        &[Scope::Read][..],
        &[Scope::Write],
        &[Scope::Delete],
        &[Scope::Admin],
        &[Scope::Read, Scope::Write],
    ] {
        let (_, key) = app.key(&ada.owner, scopes).await;
        let wanted = TOOLS
            .iter()
            .filter(|entry| scopes.contains(&entry.meta.scope));
        let wanted: Vec<&str> = wanted.map(|entry| entry.meta.name).collect();
        for generation in [Generation::LEGACY[1], Generation::MODERN] {
            assert_eq!(names(&listed(&app, &key, generation).await), wanted);
        }
    }
}

#[tokio::test]
async fn what_is_switched_off_is_not_listed_and_says_so_when_called() {
    let mut app = TestApp::new().await;
    let ada = app.caller("ada").await;
    app.app.settings.search_enabled = false;
    let tools = listed(&app, &ada.key, Generation::MODERN).await;
    assert!(!names(&tools).contains(&"image_asset_search"));
    assert_eq!(tools.len(), TOOLS.len() - 1);
    let called = app
        .rpc_call(
            Generation::MODERN,
            &ada.key,
            "image_asset_search",
            json!({ "query": "x" }),
        )
        .await;
    assert_eq!(
        tests::mcp::payload(&called)["error"]["code"],
        "search_disabled"
    );
    app.app.settings.feature_enabled = false;
    assert!(
        listed(&app, &ada.key, Generation::LEGACY[0])
            .await
            .is_empty()
    );
    let called = app
        .rpc_call(Generation::LEGACY[0], &ada.key, "vault_list", json!({}))
        .await;
    assert_eq!(
        tests::mcp::payload(&called)["error"]["code"],
        "feature_disabled"
    );
}

#[tokio::test]
async fn the_toolset_is_chosen_by_the_address() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    for (uri, all) in [
        ("/mcp", false),
        ("/mcp?toolset=all", true),
        ("/mcp/?x=1&toolset=all", true),
    ] {
        assert!(functions::transport::mcp::is_here(
            uri.split('?').next().unwrap()
        ));
        let request = Request::post(uri)
            .header("host", "localhost")
            .header("authorization", format!("Bearer {}", ada.key))
            .body(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#.into());
        let answer = app.mcp(request.unwrap()).await;
        let shown = answer.result()["tools"].as_array().unwrap().len();
        let wanted = TOOLS
            .iter()
            .filter(|entry| all || entry.meta.toolset == common::contract::Toolset::Core);
        assert_eq!(shown, wanted.count(), "{uri}");
    }
}
