//! HTTP as such: routes, methods, headers, bodies.

use bytes::Bytes;
use functions::transport::http as surface;
use http::{Method, Request};
use serde_json::{Value, json};
use tests::TestApp;

async fn send(
    app: &TestApp,
    method: Method,
    path: &str,
    body: &'static str,
) -> (u16, Value, http::HeaderMap) {
    let request = Request::builder()
        .method(method)
        .uri(path)
        .body(Bytes::from_static(body.as_bytes()))
        .unwrap();
    let response = surface::handle(&app.app, request).await;
    let body = serde_json::from_slice(response.body()).unwrap();
    (response.status().as_u16(), body, response.headers().clone())
}

#[tokio::test]
async fn every_answer_is_json_names_its_call_and_is_not_stored() {
    let app = TestApp::new().await;
    for (method, path, status, code) in [
        (Method::GET, "/", 404, "route_not_found"),
        (Method::POST, "/v1/tools/", 404, "route_not_found"),
        (
            Method::POST,
            "/v1/tools/image_asset_erase",
            404,
            "route_not_found",
        ),
        (
            Method::POST,
            "/v1/tools/image_asset_get/x",
            404,
            "route_not_found",
        ),
        (
            Method::GET,
            "/v1/tools/image_asset_get",
            405,
            "method_not_allowed",
        ),
        (
            Method::POST,
            "/v1/tools/image_asset_get",
            401,
            "unauthenticated",
        ),
    ] {
        let (got, body, headers) = send(&app, method, path, "{}").await;
        assert_eq!(
            (got, body["error"]["code"].as_str()),
            (status, Some(code)),
            "{path}"
        );
        assert_eq!(headers["content-type"], "application/json");
        assert_eq!(headers["cache-control"], "no-store");
        assert_eq!(
            body["error"]["requestId"],
            headers["x-request-id"].to_str().unwrap()
        );
        assert_eq!(headers.contains_key("allow"), got == 405);
        assert_eq!(headers.contains_key("www-authenticate"), got == 401);
    }
}

#[tokio::test]
async fn bodies_that_are_no_input_are_refused() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let bearer = format!("Bearer {}", ada.key);
    for body in [
        "",
        "{",
        "[]",
        "null",
        "\"x\"",
        "{\"assetId\":1}",
        "\u{feff}{}",
    ] {
        let answer = app
            .post("image_asset_get", Some(&bearer), body.into())
            .await;
        assert_eq!(
            (answer.status.as_u16(), answer.code()),
            (400, "invalid_argument"),
            "{body}"
        );
    }
    let large = Bytes::from(vec![b' '; surface::BODY_MAX_BYTES + 1]);
    let answer = app.post("image_asset_save", Some(&bearer), large).await;
    assert_eq!((answer.status.as_u16(), answer.code()), (413, "use_upload"));
}

#[tokio::test]
async fn a_key_s_use_is_noted_at_most_once_a_minute() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let used = || async {
        let keys = common::store::system::keys::list(&app.app.store, &ada.owner)
            .await
            .unwrap();
        keys[0].last_used_at
    };
    assert_eq!(used().await, None);
    app.call(&ada, "image_asset_search", json!({ "query": "x" }))
        .await
        .ok();
    let first = used().await.unwrap();
    app.advance(std::time::Duration::from_secs(30));
    app.call(&ada, "image_asset_search", json!({ "query": "x" }))
        .await
        .ok();
    assert_eq!(used().await, Some(first));
    app.advance(std::time::Duration::from_secs(31));
    app.call(&ada, "image_asset_search", json!({ "query": "x" }))
        .await
        .ok();
    assert!(used().await.unwrap() > first);
}

#[tokio::test]
async fn an_expired_key_and_a_rotated_one_end_when_they_should() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let now = common::ports::Clock::now(&*app.clock);
    let rotate = common::store::system::keys::rotate;
    let (_, token) = rotate(
        &app.app.store,
        &ada.owner,
        &ada.key_id,
        now + time::Duration::hours(1),
        now,
    )
    .await
    .unwrap();
    let new = format!("Bearer {}", token.reveal());
    let old = format!("Bearer {}", ada.key);
    let ask = async |bearer: &str| {
        app.post(
            "image_asset_search",
            Some(bearer),
            r#"{"query":"x"}"#.into(),
        )
        .await
        .status
        .as_u16()
    };
    assert_eq!((ask(&old).await, ask(&new).await), (200, 200));
    app.advance(std::time::Duration::from_secs(3_601));
    assert_eq!((ask(&old).await, ask(&new).await), (401, 200));
}

/// What the capture of the run's logs is to look for, put wherever a caller can put it.
#[tokio::test]
async fn what_callers_say_passes_by_the_logs() {
    use tests::{
        capture::{QUERY_WORD, TEXT_WORD},
        pictures,
    };
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let picture = pictures::base64(&pictures::plain([3, 4, 5]));
    let more = json!({
        "title": TEXT_WORD, "description": TEXT_WORD, "altText": TEXT_WORD, "tags": [TEXT_WORD],
        "metadata": { "a": TEXT_WORD }, "sourceRef": { "pageUrl": format!("https://{TEXT_WORD}.example/x") },
        "idempotencyKey": TEXT_WORD,
    });
    let asset = app.save(&ada, [3, 4, 5], more).await;
    app.drain().await;
    let asked = json!({ "query": QUERY_WORD, "imageBase64": picture, "previews": true });
    app.call(&ada, "image_asset_search", asked).await.ok();
    app.call(
        &ada,
        "image_asset_get",
        json!({ "assetId": asset, "links": ["original", "preview"] }),
    )
    .await
    .ok();
    over_mcp(&app, &ada).await;
    for (tool, input) in [
        (TEXT_WORD, json!({})),
        (
            "image_asset_save",
            json!({ "imageBase64": TEXT_WORD, "title": TEXT_WORD }),
        ),
        ("image_asset_save", json!({ TEXT_WORD: 1 })),
        (
            "image_asset_search",
            json!({ "query": QUERY_WORD, "limit": 99 }),
        ),
        (
            "image_asset_search",
            json!({ "query": QUERY_WORD, "cursor": TEXT_WORD }),
        ),
        ("image_asset_get", json!({ "assetId": TEXT_WORD })),
    ] {
        assert!(!app.call(&ada, tool, input).await.code().is_empty());
    }
}

/// The same over MCP, whose library must not say what passes through it.
async fn over_mcp(app: &TestApp, caller: &tests::Caller) {
    use tests::{
        capture::{QUERY_WORD, TEXT_WORD},
        mcp::Generation,
    };
    for generation in Generation::ALL {
        for (method, params) in [
            (
                "tools/call",
                json!({ "name": "image_asset_search", "arguments": { "query": QUERY_WORD } }),
            ),
            ("tools/call", json!({ "name": TEXT_WORD, "arguments": {} })),
            (TEXT_WORD, json!({ TEXT_WORD: TEXT_WORD })),
            ("resources/read", json!({ "uri": TEXT_WORD })),
        ] {
            app.rpc(generation, &caller.key, method, params).await;
        }
    }
    let foreign = format!("https://{TEXT_WORD}.example");
    app.post_mcp(&[("host", TEXT_WORD), ("origin", &foreign)], TEXT_WORD)
        .await;
}
