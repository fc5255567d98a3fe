//! Who is let in: hosts, origins, methods, keys.

use std::sync::Arc;

use bytes::Bytes;
use common::contract::Scope;
use http::{Method, Request};
use serde_json::json;
use tests::{
    Caller, TestApp,
    mcp::{Generation, Rpc},
};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

async fn ping(app: &TestApp, caller: &Caller, more: &[(&str, &str)]) -> Rpc {
    let bearer = format!("Bearer {}", caller.key);
    let mut headers = vec![("authorization", bearer.as_str())];
    headers.extend(more);
    app.post_mcp(&headers, PING).await
}

#[tokio::test]
async fn foreign_hosts_and_origins_are_not_heard() {
    let mut app = TestApp::new().await;
    let ada = app.caller("ada").await;
    for (host, status) in [
        ("localhost", 200),
        ("LOCALHOST:8787", 200),
        ("127.0.0.1:9", 200),
        ("[::1]:8787", 200),
        ("evil.example", 403),
        ("localhost.evil.example", 403),
        ("127.0.0.1.evil.example:80", 403),
        ("127.0.0.2", 403),
        ("", 403),
    ] {
        let answer = ping(&app, &ada, &[("host", host)]).await;
        assert_eq!(answer.status, status, "{host}");
    }
    assert_eq!(ping(&app, &ada, &[]).await.status, 403, "no host at all");
    let origins = async |app: &TestApp, origin: &str| {
        let answer = ping(app, &ada, &[("host", "localhost"), ("origin", origin)]).await;
        let allowed = answer.headers.get("access-control-allow-origin");
        assert_eq!(allowed.is_some(), answer.status == 200, "{origin}");
        (answer.status.as_u16(), answer.fault().1)
    };
    for origin in ["https://app.example", "http://localhost", "null", ""] {
        assert_eq!(origins(&app, origin).await, (403, -32600), "{origin}");
    }
    app.app.settings.allowed_origins = vec!["https://app.example".to_owned()];
    assert_eq!(origins(&app, "https://app.example").await, (200, 0));
    for origin in ["https://app.example:8443", "http://app.example", "null"] {
        assert_eq!(origins(&app, origin).await.0, 403, "{origin}");
    }
    app.app.settings.allowed_hosts = vec!["memory.example:443".to_owned()];
    assert_eq!(
        ping(&app, &ada, &[("host", "memory.example:443")])
            .await
            .status,
        200
    );
    assert_eq!(
        ping(&app, &ada, &[("host", "memory.example")]).await.status,
        403
    );
    app.app.settings.allowed_hosts.clear();
    assert_eq!(
        ping(&app, &ada, &[("host", "any.example")]).await.status,
        200
    );
}

#[tokio::test]
async fn a_page_of_an_allowed_origin_may_ask_first() {
    let mut app = TestApp::new().await;
    app.app.settings.allowed_origins = vec!["https://app.example".to_owned()];
    let ask = |origin: &str| {
        let request = Request::builder().method(Method::OPTIONS).uri("/mcp");
        let request = request.header("host", "localhost").header("origin", origin);
        app.mcp(request.body(Bytes::new()).unwrap())
    };
    let answer = ask("https://app.example").await;
    assert_eq!(answer.status, 204);
    assert_eq!(
        answer.headers["access-control-allow-origin"],
        "https://app.example"
    );
    assert_eq!(answer.headers["access-control-allow-methods"], "POST");
    let headers = answer.headers["access-control-allow-headers"]
        .to_str()
        .unwrap();
    assert!(headers.contains("authorization") && headers.contains("mcp-method"));
    assert_eq!(ask("https://other.example").await.status, 403);
}

#[tokio::test]
async fn other_methods_are_told_which_one_there_is() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    for method in [Method::GET, Method::DELETE, Method::PUT, Method::HEAD] {
        let request = Request::builder().method(method.clone()).uri("/mcp");
        let request = request
            .header("host", "localhost")
            .header("authorization", format!("Bearer {}", ada.key))
            .header("accept", "text/event-stream")
            .body(Bytes::new());
        let answer = app.mcp(request.unwrap()).await;
        assert_eq!(answer.fault(), (405, -32600), "{method}");
        assert_eq!(answer.headers["allow"], "POST");
        assert_eq!(answer.headers["content-type"], "application/json");
    }
}

#[tokio::test]
async fn without_a_live_key_nothing_is_said_but_that() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let (ended, ended_key) = app.key(&ada.owner, &Scope::ALL).await;
    let now = common::ports::Clock::now(&*app.clock);
    common::store::system::keys::revoke(&app.app.store, &ada.owner, &ended, now)
        .await
        .unwrap();
    let unknown = common::auth::KeyToken::generate().unwrap().reveal();
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"vault_list"}}"#;
    let strange = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}"#;
    let note = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let keys = [
        None,
        Some("Bearer x".to_owned()),
        Some(format!("Bearer {unknown}")),
        Some(format!("Bearer {ended_key}")),
    ];
    for key in &keys {
        for body in [PING, call, strange, note, "{", "[]", "", "{\"id\":1}"] {
            let mut headers = vec![("host", "localhost")];
            headers.extend(key.as_deref().map(|key| ("authorization", key)));
            let answer = app.post_mcp(&headers, body).await;
            assert_eq!(
                answer.fault(),
                (401, -32000),
                "{key:?} {body}: {:#}",
                answer.body
            );
            assert_eq!(answer.headers["www-authenticate"], "Bearer");
            let error = &answer.body["error"]["data"];
            assert_eq!(error["code"], "unauthenticated");
            assert_eq!(
                error["requestId"],
                answer.headers["x-request-id"].to_str().unwrap()
            );
            assert!(error["remedy"].is_string());
        }
    }
    // A request that the protocol would find fault with is a stranger's first.
    let bearer = format!("Bearer {unknown}");
    let modern = [
        ("mcp-protocol-version", "2026-07-28"),
        ("host", "localhost"),
    ];
    for key in [&[][..], &[("authorization", bearer.as_str())]] {
        let answer = app.post_mcp(&[&modern[..], key].concat(), call).await;
        assert_eq!(answer.fault(), (401, -32000), "{:#}", answer.body);
    }
    let modern = app
        .rpc(
            Generation::MODERN,
            &unknown,
            "tools/call",
            json!({ "name": "vault_list" }),
        )
        .await;
    assert_eq!(modern.fault(), (401, -32000));
    assert_eq!(modern.body["id"], 1);
}

#[tokio::test]
async fn a_dead_database_is_told_as_such() {
    let mut app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let dead = secrecy::SecretString::from("postgres://nobody@127.0.0.1:1/none");
    app.app.store = common::store::Store::new(&dead, 1).unwrap();
    let answer = ping(&app, &ada, &[("host", "localhost")]).await;
    assert_eq!(answer.fault(), (503, -32000));
    assert_eq!(answer.body["error"]["data"]["code"], "database_unavailable");
    let params = json!({ "name": "vault_list", "arguments": {} });
    let result = app
        .rpc(Generation::LEGACY[2], &ada.key, "tools/call", params)
        .await;
    let said = tests::mcp::payload(result.result());
    assert_eq!(said["error"]["code"], "database_unavailable");
    assert_eq!(said["error"]["retryable"], true);
}

#[tokio::test]
async fn two_callers_at_once_get_each_their_own() {
    let app = Arc::new(TestApp::new().await);
    let mut calls = Vec::new();
    for name in ["ada", "bob", "cyd", "dan"] {
        let caller = app.caller(name).await;
        let app = app.clone();
        calls.push(tokio::spawn(async move {
            for generation in Generation::ALL {
                let result = app
                    .rpc_call(generation, &caller.key, "vault_list", json!({}))
                    .await;
                let owner = &result["structuredContent"]["vaults"][0]["quotaOwner"];
                assert_eq!(owner["displayName"], name);
            }
        }));
    }
    for call in calls {
        call.await.unwrap();
    }
}
