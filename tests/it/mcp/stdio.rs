//! The relay between lines and requests.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use bytes::Bytes;
use common::error::{Error, ErrorCode};
use functions::transport::{http::BODY_MAX_BYTES, stdio::Upstream};
use http::{Request, Response};
use serde_json::{Value, json};
use tests::{
    TestApp,
    mcp::{Generation, Stdio, payload},
};
use tokio::sync::Notify;

fn call(id: u64, tool: &str) -> String {
    let params = json!({ "name": tool, "arguments": {} });
    Generation::LEGACY[2]
        .message(id, "tools/call", params)
        .to_string()
}

#[tokio::test]
async fn a_conversation_of_each_generation() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    for generation in Generation::LEGACY {
        let mut client = app.stdio(&ada.key);
        let hello = json!({ "protocolVersion": generation.0, "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
        client
            .send(&generation.message(1, "initialize", hello).to_string())
            .await;
        let answer = client.receive().await;
        assert_eq!(answer["result"]["protocolVersion"], generation.0);
        client
            .send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
            .await;
        client
            .send(&generation.message(2, "tools/list", json!({})).to_string())
            .await;
        let answer = client.receive().await;
        assert_eq!(answer["id"], 2, "a notification has no answer");
        assert!(!answer["result"]["tools"].as_array().unwrap().is_empty());
        let result = client.call(generation, "vault_list", json!({})).await;
        assert!(payload(&result)["vaults"].is_array());
        client.close().await;
    }
    let mut client = app.stdio(&ada.key);
    client
        .send(
            &Generation::MODERN
                .message(1, "server/discover", json!({}))
                .to_string(),
        )
        .await;
    assert_eq!(client.receive().await["result"]["resultType"], "complete");
    let result = client
        .call(Generation::MODERN, "vault_list", json!({}))
        .await;
    assert_eq!(result["resultType"], "complete");
    client.close().await;
}

#[tokio::test]
async fn lines_that_are_no_messages_are_answered_and_the_next_is_read() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let mut client = app.stdio(&ada.key);
    let long = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"{}"}}"#,
        "x".repeat(BODY_MAX_BYTES + 1)
    );
    for (line, code) in [
        ("nonsense", -32700),
        ("[]", -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#, -32601),
        (long.as_str(), -32600),
    ] {
        client.send("").await;
        client.send(line).await;
        assert_eq!(client.receive().await["error"]["code"], code, "{line:.80}");
    }
    // An answer to what was never asked, and notes, are passed over.
    client.send(r#"{"jsonrpc":"2.0","id":4,"result":{}}"#).await;
    client
        .send(r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#)
        .await;
    client
        .send(&format!(
            "[{},{}]",
            call(5, "vault_list"),
            call(6, "vault_list")
        ))
        .await;
    let batch = client.receive().await;
    assert_eq!((&batch[0]["id"], &batch[1]["id"]), (&json!(5), &json!(6)));
    client
        .send(&call(7, "vault_list").replace("vault_list", "\\ud800"))
        .await;
    assert_eq!(client.receive().await["id"], 7);
    client.close().await;
}

#[tokio::test]
async fn a_key_that_opens_nothing_is_told_for_each_request() {
    let app = TestApp::new().await;
    let mut client = app.stdio("imk_none");
    client.send(&call(3, "vault_list")).await;
    let answer = client.receive().await;
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&json!(3), &json!(-32000))
    );
    assert_eq!(answer["error"]["data"]["code"], "unauthenticated");
    client.close().await;
}

/// A server that answers when it is told to, or not at all.
struct Slow {
    go: Arc<Notify>,
    arrived: Arc<Notify>,
}

impl Upstream for Slow {
    async fn post(&self, request: Request<Bytes>) -> Result<Response<Bytes>, Error> {
        let message: Value = serde_json::from_slice(request.body()).map_err(Error::internal)?;
        self.arrived.notify_one();
        if message["id"] == 1 {
            self.go.notified().await;
        }
        let body = json!({ "jsonrpc": "2.0", "id": message["id"], "result": {} });
        Ok(Response::new(body.to_string().into()))
    }
}

#[tokio::test]
async fn a_slow_call_holds_up_no_other_and_can_be_cancelled() {
    let (go, arrived) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let slow = Slow {
        go: go.clone(),
        arrived: arrived.clone(),
    };
    let mut client = Stdio::over(slow);
    client.send(&call(1, "vault_list")).await;
    arrived.notified().await;
    client.send(&call(2, "vault_list")).await;
    assert_eq!(client.receive().await["id"], 2);
    client
        .send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#)
        .await;
    client.send(&call(3, "vault_list")).await;
    assert_eq!(client.receive().await["id"], 3);
    go.notify_one();
    // What was cancelled has no answer, and does not keep the server from ending.
    tokio::time::timeout(Duration::from_secs(10), client.close())
        .await
        .unwrap();
}

#[tokio::test]
async fn answers_under_way_are_still_given_when_the_input_ends() {
    let (go, arrived) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let slow = Slow {
        go: go.clone(),
        arrived: arrived.clone(),
    };
    let mut client = Stdio::over(slow);
    client.send(&call(1, "vault_list")).await;
    arrived.notified().await;
    client.end().await;
    go.notify_one();
    assert_eq!(client.receive().await["id"], 1);
}

/// More requests than are worked on at once: all are answered, each once.
#[tokio::test]
async fn many_requests_are_all_answered() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let mut client = app.stdio(&ada.key);
    for id in 0..50 {
        client.send(&call(id, "vault_list")).await;
    }
    let mut seen = BTreeSet::new();
    for _ in 0..50 {
        let answer = client.receive().await;
        assert!(payload(&answer["result"])["vaults"].is_array());
        assert!(seen.insert(answer["id"].as_u64().unwrap()));
    }
    assert_eq!(seen, (0..50).collect());
    client.close().await;
}

/// What gateways say instead of the server.
struct Gateway(u16, &'static str);

impl Upstream for Gateway {
    async fn post(&self, _: Request<Bytes>) -> Result<Response<Bytes>, Error> {
        if self.0 == 0 {
            return Err(Error::new(
                ErrorCode::Internal,
                "the server cannot be reached",
            ));
        }
        let mut response = Response::new(Bytes::from_static(self.1.as_bytes()));
        *response.status_mut() = http::StatusCode::from_u16(self.0).unwrap();
        Ok(response)
    }
}

#[tokio::test]
async fn whatever_stands_in_between_says_a_line_is_a_message() {
    for (status, body) in [
        (0, ""),
        (200, "<html>"),
        (502, "<html>Bad Gateway</html>"),
        (503, r#"{"message":"Service Unavailable"}"#),
        (504, ""),
        (301, ""),
    ] {
        let mut client = Stdio::over(Gateway(status, body));
        client.send(&call(8, "vault_list")).await;
        let answer = client.receive().await;
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&json!(8), &json!(-32000)),
            "{status} {body}"
        );
        client.close().await;
    }
}
