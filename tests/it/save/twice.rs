//! Saves that meet: the same key, the same bytes, at once, through outages, and up to the quota.

use common::testing::Verb;
use futures_util::future::join_all;
use serde_json::{Value, json};
use tests::{TestApp, pictures};

use super::{count, count_where, counters, red, red_with};

#[tokio::test]
async fn the_same_key_and_request_give_the_same_asset_and_another_request_conflicts() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let keyed = |title: &str| red_with(json!({ "idempotencyKey": "k1", "title": title }));
    let first = app.call(&ada, "image_asset_save", keyed("one")).await.ok();
    let again = app.call(&ada, "image_asset_save", keyed("one")).await.ok();
    assert_eq!(first["assetId"], again["assetId"]);
    assert_eq!(
        (&first["deduplicated"], &again["deduplicated"]),
        (&json!("none"), &json!("asset"))
    );
    assert_eq!(
        app.call(&ada, "image_asset_save", keyed("two"))
            .await
            .code(),
        "idempotency_conflict"
    );
    // Another picture of exactly the same size in bytes.
    let mut other = pictures::plain([200, 30, 30]);
    let blue = pictures::plain([30, 30, 200]);
    assert_ne!(other, blue);
    other = blue;
    let input =
        json!({ "imageBase64": pictures::base64(&other), "idempotencyKey": "k1", "title": "one" });
    assert_eq!(
        app.call(&ada, "image_asset_save", input).await.code(),
        "idempotency_conflict"
    );
    assert_eq!(count(&app, "mem_assets").await, 1);
    // After a week the key is free.
    app.advance(std::time::Duration::from_secs(7 * 86_400 + 1));
    let later = app.call(&ada, "image_asset_save", keyed("two")).await.ok();
    assert_ne!(later["assetId"], first["assetId"]);
    assert_eq!(later["deduplicated"], "object");
}

#[tokio::test]
async fn ten_at_once_with_one_key_give_one_asset() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let calls = (0..10).map(|_| {
        app.call(
            &ada,
            "image_asset_save",
            red_with(json!({ "idempotencyKey": "same" })),
        )
    });
    let answers: Vec<Value> = join_all(calls)
        .await
        .into_iter()
        .map(tests::Answer::ok)
        .collect();
    assert!(
        answers
            .iter()
            .all(|answer| answer["assetId"] == answers[0]["assetId"])
    );
    assert_eq!(
        answers
            .iter()
            .filter(|answer| answer["deduplicated"] == "none")
            .count(),
        1
    );
    assert_eq!(count(&app, "mem_assets").await, 1);
    let (counted, rows) = counters(&app).await;
    assert_eq!(counted, rows);
}

#[tokio::test]
async fn ten_at_once_with_ten_keys_give_ten_assets_over_one_object_charged_once() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let calls = (0..10).map(|n| {
        app.call(
            &ada,
            "image_asset_save",
            red_with(json!({ "idempotencyKey": format!("k{n}") })),
        )
    });
    let answers: Vec<Value> = join_all(calls)
        .await
        .into_iter()
        .map(tests::Answer::ok)
        .collect();
    let ids: std::collections::BTreeSet<_> = answers
        .iter()
        .map(|answer| answer["assetId"].to_string())
        .collect();
    assert_eq!(ids.len(), 10);
    assert_eq!(
        answers
            .iter()
            .filter(|answer| answer["deduplicated"] == "none")
            .count(),
        1
    );
    assert_eq!(
        (
            count(&app, "mem_assets").await,
            count(&app, "mem_asset_objects").await
        ),
        (10, 1)
    );
    assert_eq!(
        app.objects.keys().len(),
        2,
        "no orphan: one original, one preview"
    );
    let (counted, rows) = counters(&app).await;
    assert_eq!(counted, rows);
    assert_eq!(counted[1], 0, "nothing stays reserved");
}

#[tokio::test]
async fn without_a_key_the_same_save_within_ten_minutes_is_the_same_save() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let first = app.call(&ada, "image_asset_save", red()).await.ok();
    let again = app.call(&ada, "image_asset_save", red()).await.ok();
    assert_eq!(first["assetId"], again["assetId"]);
    let titled = app
        .call(
            &ada,
            "image_asset_save",
            red_with(json!({ "title": "other" })),
        )
        .await
        .ok();
    assert_ne!(titled["assetId"], first["assetId"]);
    let new = app
        .call(
            &ada,
            "image_asset_save",
            red_with(json!({ "onDuplicate": "new" })),
        )
        .await
        .ok();
    assert_ne!(new["assetId"], first["assetId"]);
    app.advance(std::time::Duration::from_secs(601));
    let later = app.call(&ada, "image_asset_save", red()).await.ok();
    assert_ne!(later["assetId"], first["assetId"]);
    let before = count(&app, "mem_assets").await;
    let existing = app
        .call(
            &ada,
            "image_asset_save",
            red_with(json!({ "onDuplicate": "existing" })),
        )
        .await
        .ok();
    assert_eq!(existing["deduplicated"], "asset");
    let all = [&first, &titled, &new, &later];
    assert!(
        all.iter().any(|old| old["assetId"] == existing["assetId"]),
        "{existing:#}"
    );
    assert_eq!(count(&app, "mem_assets").await, before);
    assert_eq!(
        count_where(&app, "mem_idempotency", "state = 'in_flight'").await,
        0
    );
}

#[tokio::test]
async fn a_dead_store_refuses_the_save_and_frees_everything() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    app.objects.fail_next(Verb::Put, 2);
    let input = red_with(json!({ "idempotencyKey": "k" }));
    let answer = app.call(&ada, "image_asset_save", input.clone()).await;
    assert_eq!(
        (answer.status.as_u16(), answer.code()),
        (503, "store_unavailable")
    );
    assert_eq!(count(&app, "mem_assets").await, 0);
    assert_eq!(
        (counters(&app).await.0, count(&app, "mem_idempotency").await),
        ([0; 5], 0)
    );
    // The pending row that names what might lie there is used by the next try.
    assert_eq!(
        count_where(&app, "mem_asset_objects", "status = 'pending'").await,
        1
    );
    let saved = app.call(&ada, "image_asset_save", input).await.ok();
    assert_eq!(saved["deduplicated"], "none");
    assert_eq!(
        count_where(&app, "mem_asset_objects", "status = 'available'").await,
        1
    );
}

#[tokio::test]
async fn a_dead_queue_loses_nothing() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    app.queue.fail_next(1);
    let saved = app.call(&ada, "image_asset_save", red()).await.ok();
    assert_eq!(app.queue.waiting(), 0);
    let due = common::store::system::jobs::due;
    let now = common::ports::Clock::now(&*app.clock);
    let ids = due(&app.app.store, now, now, 10).await.unwrap();
    assert_eq!(ids.len(), 1);
    app.deliver(&[json!({ "jobId": ids[0] }).to_string()]).await;
    let got = app
        .call(
            &ada,
            "image_asset_get",
            json!({ "assetId": saved["assetId"] }),
        )
        .await
        .ok();
    assert_eq!(got["status"], "ready");
}

#[tokio::test]
async fn a_full_quota_refuses_and_concurrent_saves_cannot_overrun_it() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let noise = |n: u8| pictures::base64(&pictures::plain([n, 255 - n, n / 2]));
    let input = |n: u8| json!({ "imageBase64": noise(n), "idempotencyKey": format!("k{n}") });
    let first = app.call(&ada, "image_asset_save", input(0)).await.ok();
    let (charged, _) = counters(&app).await;
    assert_eq!(first["bytesCharged"], json!(charged[0]));
    // Room for what is there and for a few reservations more.
    let admin = app.database.admin().await;
    #[expect(clippy::disallowed_methods, reason = "a test arranges a plan")]
    admin
        .batch_execute("update mem_plans set quota_bytes = 60000 where plan = 'local'")
        .await
        .unwrap();
    let answers = join_all((1..40).map(|n| app.call(&ada, "image_asset_save", input(n)))).await;
    let refused = answers
        .iter()
        .filter(|answer| answer.status != 200)
        .collect::<Vec<_>>();
    assert!(
        !refused.is_empty() && refused.len() < 39,
        "{} of 39 refused",
        refused.len()
    );
    for answer in refused {
        assert_eq!(answer.code(), "quota_exceeded");
        assert_eq!(answer.body["error"]["details"]["quota"], 60_000);
    }
    let (counted, rows) = counters(&app).await;
    assert_eq!(counted, rows);
    assert!(counted[0] <= 60_000 && counted[1] == 0, "{counted:?}");
}

#[tokio::test]
async fn what_a_killed_save_holds_is_given_back_once() {
    let app = TestApp::new().await;
    app.caller("ada").await;
    let save = "insert into mem_asset_upload_reservations \
                (owner_identity, id, operation, expected_bytes, created_by, expires_at) \
                values ('ada@example.com', 'aur_01ARZ3NDEKTSV4RRFFQ69G5FA0', 'image_asset_save', 700, 'x', '2026-01-01T00:15:00Z'), \
                       ('ada@example.com', 'aur_01ARZ3NDEKTSV4RRFFQ69G5FA1', 'image_upload_create', 30, 'x', '2026-01-01T00:15:00Z'); \
                update mem_asset_namespaces set reserved_bytes = 730";
    app.database.arrange(save).await;
    let expire = common::store::system::quota::expire;
    let now = || common::ports::Clock::now(&*app.clock);
    assert_eq!(expire(&app.app.store, now()).await.unwrap(), 0, "not yet");
    app.advance(std::time::Duration::from_secs(900));
    assert_eq!(expire(&app.app.store, now()).await.unwrap(), 1);
    assert_eq!(expire(&app.app.store, now()).await.unwrap(), 0, "once");
    // The upload's bytes go with the upload's own decision.
    assert_eq!(counters(&app).await.0[1], 30);
}
