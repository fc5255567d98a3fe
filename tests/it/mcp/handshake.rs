//! Which protocol is spoken: the handshake of the earlier generations, and discovery in the present one.

use serde_json::{Value, json};
use tests::{
    TestApp,
    mcp::{Generation, Rpc},
};

fn initialize(version: &str) -> Value {
    json!({
        "protocolVersion": version,
        "capabilities": {},
        "clientInfo": { "name": "tests", "version": "1" },
    })
}

async fn agreed(app: &TestApp, key: &str, version: &str) -> Value {
    let generation = Generation::LEGACY[0];
    let answer = app.rpc(generation, key, "initialize", initialize(version));
    answer.await.result().clone()
}

#[tokio::test]
async fn each_earlier_version_is_agreed_to_and_an_unknown_one_is_answered_by_one_of_ours() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    for generation in Generation::LEGACY {
        let result = agreed(&app, &ada.key, generation.0).await;
        assert_eq!(result["protocolVersion"], generation.0);
        assert_eq!(result["serverInfo"]["name"], "image-memory");
        assert!(result["capabilities"]["tools"].is_object());
        assert!(result["capabilities"]["resources"].is_object());
        let instructions = result["instructions"].as_str().unwrap();
        assert!(instructions.contains("image_asset_search"));
        assert!(result.get("resultType").is_none(), "{result:#}");
    }
    for unknown in ["1999-01-01", "2099-01-01", "no date", ""] {
        let result = agreed(&app, &ada.key, unknown).await;
        let offered = result["protocolVersion"].as_str().unwrap();
        assert!(
            Generation::LEGACY.iter().any(|known| known.0 == offered),
            "{unknown}: {offered}"
        );
    }
}

#[tokio::test]
async fn discovery_tells_all_versions_and_what_may_be_kept_how_long() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let answer = app
        .rpc(Generation::MODERN, &ada.key, "server/discover", json!({}))
        .await;
    let result = answer.result();
    let versions = result["supportedVersions"].as_array().unwrap();
    for generation in Generation::ALL {
        assert!(versions.contains(&generation.0.into()), "{result:#}");
    }
    assert_eq!(result["resultType"], "complete");
    assert!(result["ttlMs"].is_u64() && result["cacheScope"].is_string());
    assert!(result["instructions"].is_string());
}

#[tokio::test]
async fn results_of_the_present_version_alone_say_what_kind_they_are() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    for generation in Generation::ALL {
        for (method, cached) in [
            ("tools/list", true),
            ("resources/list", true),
            ("resources/templates/list", true),
            ("tools/call", false),
        ] {
            let params = match method {
                "tools/call" => json!({ "name": "vault_list", "arguments": {} }),
                _ => json!({}),
            };
            let answer = app.rpc(generation, &ada.key, method, params).await;
            let result = answer.result();
            let is_modern = generation == Generation::MODERN;
            assert_eq!(result["resultType"] == "complete", is_modern, "{method}");
            if cached && is_modern {
                assert!(result["ttlMs"].is_u64(), "{method} {result:#}");
                assert!(["public", "private"].contains(&result["cacheScope"].as_str().unwrap()));
            }
        }
        let listed = app.rpc(generation, &ada.key, "tools/list", json!({})).await;
        if generation == Generation::MODERN {
            // What a key may use is nobody else's to keep.
            assert_eq!(listed.result()["cacheScope"], "private");
        }
    }
}

async fn modern(
    app: &TestApp,
    key: &str,
    change: impl FnOnce(&mut Value, &mut Vec<(&'static str, String)>),
) -> Rpc {
    let params = json!({ "name": "vault_list", "arguments": {} });
    let mut message = Generation::MODERN.message(5, "tools/call", params);
    let mut headers = Generation::MODERN.headers(&message);
    headers.push(("authorization", format!("Bearer {key}")));
    change(&mut message, &mut headers);
    let headers: Vec<(&str, &str)> = headers
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    app.post_mcp(&headers, message.to_string()).await
}

fn set(headers: &mut Vec<(&'static str, String)>, name: &'static str, value: Option<&str>) {
    headers.retain(|(known, _)| *known != name);
    headers.extend(value.map(|value| (name, value.to_owned())));
}

#[tokio::test]
async fn headers_that_do_not_say_what_the_body_says_are_refused() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    assert_eq!(modern(&app, &ada.key, |_, _| {}).await.status, 200);
    for (header, value) in [
        ("mcp-method", Some("tools/list")),
        ("mcp-method", None),
        ("mcp-name", Some("image_asset_get")),
        ("mcp-name", None),
        ("mcp-protocol-version", None),
        ("mcp-protocol-version", Some("2025-06-18")),
    ] {
        let answer = modern(&app, &ada.key, |_, headers| set(headers, header, value)).await;
        assert_eq!(
            answer.fault(),
            (400, -32020),
            "{header} {value:?}: {:#}",
            answer.body
        );
        assert_eq!(answer.body["id"], 5);
    }
}

#[tokio::test]
async fn a_request_that_leaves_out_what_it_must_say_is_refused() {
    const META: &str = "io.modelcontextprotocol/";
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    for field in ["clientCapabilities"] {
        let answer = modern(&app, &ada.key, |message, _| {
            let meta = message["params"]["_meta"].as_object_mut().unwrap();
            meta.remove(&format!("{META}{field}"));
        });
        assert_eq!(answer.await.fault(), (400, -32602), "{field}");
    }
    let answer = modern(&app, &ada.key, |message, headers| {
        message["params"]["_meta"][format!("{META}protocolVersion")] = "2031-01-01".into();
        set(headers, "mcp-protocol-version", Some("2031-01-01"));
    })
    .await;
    assert_eq!(answer.fault(), (400, -32022), "{:#}", answer.body);
    let supported = answer.body["error"]["data"]["supported"].as_array();
    assert!(supported.is_some_and(|known| known.contains(&"2026-07-28".into())));
}
