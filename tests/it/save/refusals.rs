//! What a save refuses, and that it then changes nothing.

use common::auth::Scope;
use serde_json::{Value, json};
use tests::{TestApp, pictures};

use super::{count, counters, red, red_with};

/// An id of nobody's.
fn unknown(prefix: &str) -> String {
    format!("{prefix}_01ARZ3NDEKTSV4RRFFQ69G5FAV")
}

/// Requests whose answer is `invalid_argument`.
fn bad_arguments() -> Vec<Value> {
    vec![
        json!({}),
        red_with(json!({ "owner": "eve" })),
        red_with(json!({ "title": "" })),
        red_with(json!({ "title": "\u{200b}\u{200b}" })),
        red_with(json!({ "title": "x".repeat(241) })),
        red_with(json!({ "folderId": unknown("afl") })),
        red_with(json!({ "projectId": unknown("afl") })),
        red_with(json!({ "idempotencyKey": "" })),
        red_with(
            json!({ "tags": vec!["x"; 33].iter().enumerate().map(|(n, _)| format!("t{n}")).collect::<Vec<_>>() }),
        ),
        red_with(json!({ "metadata": [1] })),
        red_with(json!({ "metadata": { "password": "x" } })),
        red_with(json!({ "metadata": { "a": { "b": { "c": { "d": { "e": 1 } } } } } })),
    ]
}

/// Requests that are well formed, with the code of their answer.
fn bad_pictures_and_places() -> Vec<(&'static str, Value)> {
    vec![
        ("invalid_base64", json!({ "imageBase64": "n*t base64" })),
        (
            "empty_image",
            json!({ "imageBase64": "data:image/png;base64," }),
        ),
        (
            "use_upload",
            json!({ "imageBase64": "A".repeat(5_900_000) }),
        ),
        (
            "unsupported_media_type",
            json!({ "imageBase64": pictures::base64(b"<svg xmlns='http://www.w3.org/2000/svg'/>") }),
        ),
        (
            "mime_mismatch",
            red_with(json!({ "mimeType": "image/jpeg" })),
        ),
        (
            "not_found",
            red_with(json!({ "projectId": unknown("apr") })),
        ),
        ("not_found", red_with(json!({ "vault": "Nowhere" }))),
        ("not_found", red_with(json!({ "vault": unknown("avl") }))),
    ]
}

#[tokio::test]
async fn bad_input_gets_a_clear_error_and_changes_nothing() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let refused = bad_arguments()
        .into_iter()
        .map(|input| ("invalid_argument", input))
        .chain(bad_pictures_and_places());
    for (code, input) in refused {
        let shown: String = input.to_string().chars().take(200).collect();
        let answer = app.call(&ada, "image_asset_save", input).await;
        assert_eq!(answer.code(), code, "{shown}: {:#}", answer.body);
    }
    for table in [
        "mem_assets",
        "mem_asset_objects",
        "mem_asset_embedding_jobs",
        "mem_asset_tags",
        "mem_provenance",
    ] {
        assert_eq!(count(&app, table).await, 0, "{table}");
    }
    assert_eq!(count(&app, "mem_idempotency").await, 0);
    assert_eq!(counters(&app).await.0, [0; 5]);
    assert_eq!((app.objects.calls_in_all(), app.queue.sent()), (0, 0));
}

#[tokio::test]
async fn text_that_postgres_cannot_hold_is_refused_before_it_gets_there() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let bearer = format!("Bearer {}", ada.key);
    for text in [r#"a\u0000b"#, r#"a\ud800b"#] {
        for field in [
            r#""title":"TEXT""#,
            r#""sourceRef":{"a":{"b":"TEXT"}}"#,
            r#""tags":["TEXT"]"#,
        ] {
            let body =
                red()
                    .to_string()
                    .replacen('{', &format!("{{{},", field.replace("TEXT", text)), 1);
            let answer = app
                .post("image_asset_save", Some(&bearer), body.into())
                .await;
            assert_eq!(
                (answer.status.as_u16(), answer.code()),
                (400, "invalid_text"),
                "{field} {text}"
            );
        }
    }
}

#[tokio::test]
async fn a_key_of_reading_alone_saves_nothing() {
    let app = TestApp::new().await;
    let reader = app.caller_with("ada", "local", &[Scope::Read]).await;
    let answer = app.call(&reader, "image_asset_save", red()).await;
    assert_eq!(
        (answer.status.as_u16(), answer.code()),
        (403, "forbidden_scope")
    );
    assert_eq!(count(&app, "mem_assets").await, 0);
}
