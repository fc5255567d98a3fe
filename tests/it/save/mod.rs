//! `image_asset_save`: what is kept, and what is refused.

mod twice;

use common::{auth::Scope, domain::fingerprint::sha256_hex};
use serde_json::{Value, json};
use tests::{TestApp, pictures};

fn red() -> Value {
    json!({ "imageBase64": pictures::base64(&pictures::plain([200, 30, 30])) })
}

#[expect(clippy::needless_pass_by_value, reason = "reads better with json!")]
fn red_with(more: Value) -> Value {
    let mut input = red();
    input
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    input
}

async fn count(app: &TestApp, table: &str) -> i64 {
    count_where(app, table, "true").await
}

async fn count_where(app: &TestApp, table: &str, condition: &str) -> i64 {
    let admin = app.database.admin().await;
    #[expect(
        clippy::disallowed_methods,
        reason = "a test looks at the rows themselves"
    )]
    let rows = admin
        .query_typed(
            &format!("select count(*) from {table} where {condition}"),
            &[],
        )
        .await
        .unwrap();
    rows[0].get(0)
}

/// Counters of the namespace: used, held, originals, previews, vectors; and what the rows say.
async fn counters(app: &TestApp) -> ([i64; 5], [i64; 5]) {
    let admin = app.database.admin().await;
    let sql = "select n.used_bytes, n.reserved_bytes, n.original_bytes, n.preview_bytes, n.vector_bytes, \
               (select coalesce(sum(expected_bytes), 0)::bigint from mem_asset_upload_reservations where status = 'reserved'), \
               (select coalesce(sum(bytes), 0)::bigint from mem_asset_objects where status = 'available'), \
               (select coalesce(sum(preview_bytes), 0)::bigint from mem_asset_objects where status = 'available'), \
               (select count(*) * 4096 from mem_asset_embedding_jobs) from mem_asset_namespaces n";
    #[expect(
        clippy::disallowed_methods,
        reason = "a test looks at the rows themselves"
    )]
    let row = admin.query_typed(sql, &[]).await.unwrap().remove(0);
    let at = |place: usize| row.get::<_, i64>(place);
    let rows = [at(6) + at(7) + at(8), at(5), at(6), at(7), at(8)];
    ([at(0), at(1), at(2), at(3), at(4)], rows)
}

#[tokio::test]
async fn an_original_reads_back_equal_and_its_rows_agree() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let bytes = pictures::plain([200, 30, 30]);
    let input = red_with(json!({
        "title": " A  red\u{200b} card ", "description": "two\nlines", "altText": "red", "tags": ["Blue", "red", "blue"],
        "metadata": { "shelf": 4 }, "sourceKind": "scrape",
        "sourceRef": { "pageUrl": "https://Shop.Example.com/p?X-Amz-Signature=1#top" },
    }));
    let saved = app.call(&ada, "image_asset_save", input).await.ok();
    assert_eq!(saved["deduplicated"], "none");
    assert_eq!(
        (&saved["width"], &saved["height"]),
        (&json!(32), &json!(24))
    );
    assert_eq!(saved["sha256"], sha256_hex(&bytes));
    assert_eq!(
        (&saved["status"], &saved["embeddingStatus"]),
        (&json!("processing"), &json!("pending"))
    );
    let got = app.call(
        &ada,
        "image_asset_get",
        json!({ "assetId": saved["assetId"], "links": ["original", "preview"] }),
    );
    let got = got.await.ok();
    assert_eq!(got["tags"], json!(["blue", "red"]));
    assert_eq!(got["description"], "two\nlines");
    assert_eq!(got["sourceHost"], "shop.example.com");
    assert_eq!(got["metadata"], json!({ "shelf": 4 }));
    assert!(
        !got["sourceRef"].to_string().contains("Signature"),
        "{got:#}"
    );
    let original = app
        .objects
        .read_link(got["original"]["url"].as_str().unwrap())
        .unwrap();
    assert_eq!(original, bytes);
    let preview = app
        .objects
        .read_link(got["preview"]["url"].as_str().unwrap())
        .unwrap();
    assert_eq!(&preview[8..12], b"WEBP");
    let (counted, rows) = counters(&app).await;
    assert_eq!(counted, rows);
    assert_eq!(saved["bytesCharged"], json!(counted[0]));
    assert_eq!(
        count_where(&app, "mem_provenance", "operation = 'asset_save'").await,
        1
    );
}

#[tokio::test]
async fn links_end() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let asset = app.save(&ada, [1, 2, 3], json!({})).await;
    let got = app
        .call(
            &ada,
            "image_asset_get",
            json!({ "assetId": asset, "links": ["original"] }),
        )
        .await
        .ok();
    let link = got["original"]["url"].as_str().unwrap();
    assert!(app.objects.read_link(link).is_some());
    app.advance(std::time::Duration::from_secs(301));
    assert!(app.objects.read_link(link).is_none());
    assert_eq!(
        count_where(&app, "mem_access_log", "outcome = 'link'").await,
        1
    );
}

#[tokio::test]
async fn bad_input_gets_a_clear_error_and_changes_nothing() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let unknown = |prefix: &str| format!("{prefix}_01ARZ3NDEKTSV4RRFFQ69G5FAV");
    let cases = [
        ("invalid_argument", json!({})),
        ("invalid_argument", red_with(json!({ "owner": "eve" }))),
        ("invalid_argument", red_with(json!({ "title": "" }))),
        (
            "invalid_argument",
            red_with(json!({ "title": "\u{200b}\u{200b}" })),
        ),
        (
            "invalid_argument",
            red_with(json!({ "title": "x".repeat(241) })),
        ),
        (
            "invalid_argument",
            red_with(json!({ "folderId": unknown("afl") })),
        ),
        (
            "invalid_argument",
            red_with(json!({ "projectId": unknown("afl") })),
        ),
        (
            "invalid_argument",
            red_with(json!({ "idempotencyKey": "" })),
        ),
        (
            "invalid_argument",
            red_with(
                json!({ "tags": vec!["x"; 33].iter().enumerate().map(|(n, _)| format!("t{n}")).collect::<Vec<_>>() }),
            ),
        ),
        ("invalid_argument", red_with(json!({ "metadata": [1] }))),
        (
            "invalid_argument",
            red_with(json!({ "metadata": { "password": "x" } })),
        ),
        (
            "invalid_argument",
            red_with(json!({ "metadata": { "a": { "b": { "c": { "d": { "e": 1 } } } } } })),
        ),
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
    ];
    for (code, input) in cases {
        let shown: String = input.to_string().chars().take(200).collect();
        let answer = app.call(&ada, "image_asset_save", input).await;
        assert_eq!(answer.code(), code, "{shown}: {:#}", answer.body);
    }
    for table in [
        "mem_assets",
        "mem_asset_objects",
        "mem_asset_embedding_jobs",
        "mem_asset_tags",
    ] {
        assert_eq!(count(&app, table).await, 0, "{table}");
    }
    // But for the line that the key itself left when it was made.
    let lines = count_where(&app, "mem_provenance", "operation <> 'asset_key'").await;
    assert_eq!(lines, 0);
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
async fn two_owners_of_the_same_bytes_share_nothing() {
    let app = TestApp::new().await;
    let (ada, bob) = (app.caller("ada").await, app.caller("bob").await);
    let one = app.call(&ada, "image_asset_save", red()).await.ok();
    let two = app.call(&bob, "image_asset_save", red()).await.ok();
    assert_eq!(
        (&one["deduplicated"], &two["deduplicated"]),
        (&json!("none"), &json!("none"))
    );
    assert_eq!(one["bytesCharged"], two["bytesCharged"]);
    assert_eq!(
        (
            count(&app, "mem_asset_objects").await,
            app.objects.keys().len()
        ),
        (2, 4)
    );
    for key in app.objects.keys() {
        assert!(!key.contains("ada") && !key.contains("bob"), "{key}");
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
