//! JSON-RPC as clients of all kinds write it.

use serde_json::{Value, json};
use tests::{
    Caller, TestApp,
    mcp::{Generation, Rpc, payload},
};

struct Client {
    app: TestApp,
    caller: Caller,
}

impl Client {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let caller = app.caller("ada").await;
        Self { app, caller }
    }

    async fn post(&self, more: &[(&str, &str)], body: impl Into<bytes::Bytes>) -> Rpc {
        let bearer = format!("Bearer {}", self.caller.key);
        let mut headers = vec![("host", "localhost"), ("authorization", bearer.as_str())];
        headers.extend(more);
        self.app.post_mcp(&headers, body).await
    }

    async fn fault(&self, body: &str) -> (u16, i64, Value) {
        let answer = self.post(&[], body.to_owned()).await;
        let (status, code) = answer.fault();
        (status, code, answer.body["id"].clone())
    }
}

const LIST: &str = r#"{"jsonrpc":"2.0","id":"a","method":"tools/list"}"#;
const NOTE: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

#[tokio::test]
async fn whatever_a_client_accepts_or_declares_it_gets_json() {
    let client = Client::new().await;
    for accept in [
        None,
        Some("*/*"),
        Some("application/json"),
        Some("text/event-stream"),
        Some("text/event-stream, application/json"),
        Some("text/html;q=0.1"),
        Some(""),
        Some("é"),
    ] {
        for declared in [
            None,
            Some("application/json; charset=utf-8"),
            Some("text/plain"),
        ] {
            let mut headers = Vec::new();
            headers.extend(accept.map(|accept| ("accept", accept)));
            headers.extend(declared.map(|declared| ("content-type", declared)));
            let answer = client.post(&headers, LIST).await;
            assert_eq!(answer.body["id"], "a", "{accept:?} {declared:?}");
            assert!(answer.result()["tools"].is_array());
            assert_eq!(answer.headers["content-type"], "application/json");
            assert_eq!(answer.headers["cache-control"], "no-store");
        }
    }
}

#[tokio::test]
async fn calls_work_without_a_handshake_and_under_a_stale_session() {
    let client = Client::new().await;
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"vault_list","arguments":{}}}"#;
    for headers in [
        &[][..],
        &[("mcp-session-id", "long-gone")],
        &[
            ("mcp-protocol-version", "2025-06-18"),
            ("mcp-session-id", "x"),
        ],
    ] {
        let answer = client.post(headers, body).await;
        assert!(payload(answer.result())["vaults"].is_array());
        assert!(answer.headers.get("mcp-session-id").is_none());
    }
    let answer = client.post(&[("mcp-protocol-version", "1.0")], body).await;
    assert_eq!(answer.fault(), (400, -32600));
    assert_eq!(answer.body["id"], 1);
}

#[tokio::test]
async fn notifications_are_accepted_and_not_answered() {
    let client = Client::new().await;
    for method in [
        "notifications/initialized",
        "notifications/cancelled",
        "notifications/progress",
        "x/y",
    ] {
        let body = json!({ "jsonrpc": "2.0", "method": method, "params": { "requestId": 1 } });
        let answer = client.post(&[], body.to_string()).await;
        assert_eq!(
            (answer.status.as_u16(), &answer.body),
            (202, &Value::Null),
            "{method}"
        );
    }
}

#[tokio::test]
async fn what_is_no_message_is_told_what_it_is() {
    let client = Client::new().await;
    for body in ["", "{", "{]", "nonsense", "\u{feff}{}", "{\"a\":1}{"] {
        assert_eq!(
            client.fault(body).await,
            (400, -32700, Value::Null),
            "{body}"
        );
    }
    for body in [
        "[]",
        "1",
        "null",
        "\"x\"",
        "{}",
        r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":99999999999999999999,"method":"ping"}"#,
    ] {
        assert_eq!(
            client.fault(body).await,
            (400, -32600, Value::Null),
            "{body}"
        );
    }
    for body in [
        r#"{"id":7,"method":"ping"}"#,
        r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":7}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":1}"#,
        r#"{"jsonrpc":"2.0","id":7,"result":{}}"#,
    ] {
        assert_eq!(client.fault(body).await, (400, -32600, json!(7)), "{body}");
    }
}

#[tokio::test]
async fn methods_and_parameters_that_are_not_ours_are_told_apart() {
    let client = Client::new().await;
    let app = &client.app;
    for generation in Generation::ALL {
        let unknown = if generation == Generation::MODERN {
            404
        } else {
            200
        };
        for method in [
            "prompts/list",
            "logging/setLevel",
            "completion/complete",
            "no/such",
            "tools",
        ] {
            let answer = app
                .rpc(
                    generation,
                    &client.caller.key,
                    method,
                    json!({ "level": "info" }),
                )
                .await;
            assert_eq!(answer.fault(), (unknown, -32601), "{method} {generation:?}");
        }
        for (method, params) in [
            ("tools/call", json!({})),
            ("tools/call", json!({ "name": 1 })),
            (
                "tools/call",
                json!({ "name": "vault_list", "arguments": [] }),
            ),
            (
                "tools/call",
                json!({ "name": "image_asset_erase", "arguments": {} }),
            ),
            ("resources/read", json!({})),
            ("resources/read", json!({ "uri": 1 })),
        ] {
            let answer = app
                .rpc(generation, &client.caller.key, method, params.clone())
                .await;
            assert_eq!(
                answer.body["error"]["code"], -32602,
                "{generation:?} {method} {params}: {:#}",
                answer.body
            );
            assert_eq!(answer.body["id"], 1);
        }
    }
    let (_, code, id) = client
        .fault(r#"{"jsonrpc":"2.0","id":3,"method":"tools/list","params":[]}"#)
        .await;
    assert_eq!((code, id), (-32602, json!(3)));
    let (_, code, _) = client
        .fault(r#"{"jsonrpc":"2.0","id":3,"method":"initialize","params":{}}"#)
        .await;
    assert_eq!(code, -32602);
    let answer = client
        .post(
            &[],
            r#"{"jsonrpc":"2.0","id":3,"method":"tools/list","params":null}"#,
        )
        .await;
    assert!(answer.result()["tools"].is_array());
}

#[tokio::test]
async fn batches_are_for_those_who_still_have_them() {
    let client = Client::new().await;
    let batch = format!("[{LIST},{NOTE},{{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"no\"}},7]");
    for headers in [&[][..], &[("mcp-protocol-version", "2025-03-26")]] {
        let answer = client.post(headers, batch.clone()).await;
        let replies = answer.body.as_array().unwrap();
        assert_eq!(replies.len(), 3, "{:#}", answer.body);
        assert!(replies[0]["result"]["tools"].is_array());
        assert_eq!(replies[1]["error"]["code"], -32601);
        assert_eq!(replies[2]["error"]["code"], -32600);
    }
    let quiet = client.post(&[], format!("[{NOTE},{NOTE}]")).await;
    assert_eq!((quiet.status.as_u16(), &quiet.body), (202, &Value::Null));
    for version in ["2025-06-18", "2025-11-25", "2026-07-28"] {
        let answer = client
            .post(&[("mcp-protocol-version", version)], batch.clone())
            .await;
        assert_eq!(answer.fault(), (400, -32600), "{version}");
    }
    let many = vec![LIST; 17].join(",");
    let answer = client.post(&[], format!("[{many}]")).await;
    assert_eq!(answer.fault(), (400, -32600));
}

#[tokio::test]
async fn text_that_nothing_can_store_is_the_tool_s_to_refuse() {
    let client = Client::new().await;
    let call = |text: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{{"name":"image_project_create","arguments":{{"name":"{text}"}}}}}}"#
        )
    };
    for text in ["\\ud800", "a\\u0000b", "\\udc00\\ud800"] {
        let answer = client.post(&[], call(text)).await;
        assert_eq!(answer.body["id"], 9);
        assert_eq!(
            payload(answer.result())["error"]["code"],
            "invalid_text",
            "{text}"
        );
    }
    let listed = client
        .app
        .call(&client.caller, "image_project_list", json!({}))
        .await
        .ok();
    assert_eq!(listed["projects"], json!([]), "nothing was made");
    let answer = client.post(&[], call("\\ud83d\\ude00")).await;
    assert_eq!(payload(answer.result())["name"], "😀");
}

#[tokio::test]
async fn a_body_over_the_bound_is_refused_as_json() {
    let client = Client::new().await;
    let large = vec![b' '; functions::transport::http::BODY_MAX_BYTES + 1];
    assert_eq!(client.post(&[], large).await.fault(), (413, -32600));
}

/// Nothing that is posted breaks the server, and nothing but JSON comes back.
#[test]
fn any_bytes_are_answered_with_json_or_nothing() {
    use proptest::{prelude::*, test_runner::TestRunner};
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let client = runtime.block_on(Client::new());
    let word = prop_oneof![
        Just(json!("2.0")),
        Just(json!(1)),
        Just(Value::Null),
        Just(json!([])),
        Just(json!({})),
        Just(json!("tools/call")),
        Just(json!("tools/list")),
        Just(json!("initialize")),
        Just(json!("resources/read")),
        Just(json!("server/discover")),
        Just(json!("vault_list")),
        Just(json!({ "name": "vault_list", "arguments": {} })),
        Just(json!({ "uri": "image://asset/x" })),
        Just(json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } })),
        any::<i64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    let name = prop_oneof![
        Just("jsonrpc"),
        Just("id"),
        Just("method"),
        Just("params"),
        Just("result"),
        Just("error"),
        Just("_meta")
    ];
    let message = proptest::collection::vec((name, word), 0..6).prop_map(|fields| {
        let fields = fields
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value));
        Value::Object(fields.collect()).to_string().into_bytes()
    });
    let body = prop_oneof![message, any::<Vec<u8>>()];
    let version = prop_oneof![
        Just(None),
        Just(Some("2026-07-28")),
        Just(Some("2025-06-18")),
        Just(Some("x"))
    ];
    let mut runner = TestRunner::new(ProptestConfig {
        cases: 400,
        failure_persistence: None,
        ..Default::default()
    });
    let outcome = runner.run(&(body, version), |(body, version)| {
        let headers: Vec<_> = version
            .map(|version| ("mcp-protocol-version", version))
            .into_iter()
            .collect();
        // It fails by itself on a body that is not JSON.
        let answer = runtime.block_on(client.post(&headers, body));
        prop_assert!(!answer.status.is_server_error(), "{:#}", answer.body);
        Ok(())
    });
    outcome.unwrap();
}
