//! Embedding jobs: from a hint to a vector, through failures, lost leases and deletions.

use std::time::Duration;

use common::{
    error::ErrorCode,
    ports::EmbedTask,
    testing::{Failure, Verb},
};
use serde_json::{Value, json};
use tests::{Caller, TestApp};

async fn get(app: &TestApp, caller: &Caller, asset: &str) -> Value {
    app.call(caller, "image_asset_get", json!({ "assetId": asset }))
        .await
        .ok()
}

fn states(asset: &Value) -> (&str, &str) {
    (
        asset["status"].as_str().unwrap(),
        asset["embeddingStatus"].as_str().unwrap(),
    )
}

fn job<'a>(asset: &'a Value, representation: &str) -> &'a Value {
    asset["representations"]
        .as_array()
        .unwrap()
        .iter()
        .find(|job| job["representation"] == representation)
        .unwrap()
}

#[tokio::test]
async fn a_picture_without_words_has_one_vector_and_one_with_words_two() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let plain = app.save(&ada, [200, 0, 0], json!({})).await;
    let worded = app
        .save(&ada, [0, 200, 0], json!({ "title": "green" }))
        .await;
    assert_eq!(
        states(&get(&app, &ada, &plain).await),
        ("processing", "pending")
    );
    assert_eq!(app.drain().await, 3);
    let (plain, worded) = (
        get(&app, &ada, &plain).await,
        get(&app, &ada, &worded).await,
    );
    assert_eq!(states(&plain), ("ready", "ready"));
    assert_eq!(states(&worded), ("ready", "ready"));
    assert_eq!(plain["representations"].as_array().unwrap().len(), 1);
    assert_eq!(job(&worded, "fused")["status"], "done");
    assert_eq!(
        app.embedder.calls(),
        [(3, EmbedTask::Passage)],
        "one call for one owner's batch"
    );
    assert_eq!(
        app.database
            .number("select count(*) from memory_assets_v1")
            .await,
        3
    );
    assert_eq!(
        app.database
            .number("select vectors from mem_asset_candidate_counts")
            .await,
        3
    );
    // One ledger row, whose tokens are the sum of the jobs' shares.
    assert_eq!(
        app.database
            .number("select count(*) from mem_usage_ledger where source = 'embed_image_document'")
            .await,
        1
    );
    let ledger = app
        .database
        .number("select total_tokens from mem_usage_ledger")
        .await;
    let shares =
        "select sum((usage ->> 'totalTokens')::bigint)::bigint from mem_asset_embedding_jobs";
    assert_eq!((ledger, app.database.number(shares).await), (30, 30));
    assert_eq!(
        app.database
            .number("select count(*) from mem_provenance where operation = 'asset_embed'")
            .await,
        3
    );
}

#[tokio::test]
async fn two_owners_are_two_calls() {
    let app = TestApp::new().await;
    let (ada, bob) = (app.caller("ada").await, app.caller("bob").await);
    app.save(&ada, [1, 0, 0], json!({})).await;
    app.save(&bob, [2, 0, 0], json!({})).await;
    app.drain().await;
    assert_eq!(app.embedder.calls(), [(1, EmbedTask::Passage); 2]);
    assert_eq!(
        app.database
            .number("select count(distinct owner_identity) from mem_usage_ledger")
            .await,
        2
    );
}

#[tokio::test]
async fn a_duplicate_an_unknown_and_a_broken_hint_do_no_harm() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let asset = app.save(&ada, [9, 9, 9], json!({})).await;
    let hint = app
        .queue
        .take_due(common::ports::Clock::now(&*app.clock))
        .remove(0);
    let unknown = json!({ "jobId": "aej_01ARZ3NDEKTSV4RRFFQ69G5FAV" }).to_string();
    let bodies = [
        hint.clone(),
        hint.clone(),
        "no json".to_owned(),
        "{}".to_owned(),
        unknown,
    ];
    assert!(app.deliver(&bodies).await.is_empty());
    assert!(app.deliver(&[hint]).await.is_empty());
    assert_eq!(states(&get(&app, &ada, &asset).await), ("ready", "ready"));
    assert_eq!(app.embedder.calls().len(), 1);
}

#[tokio::test]
async fn an_outage_of_the_provider_is_waited_out() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let asset = app.save(&ada, [9, 9, 9], json!({})).await;
    app.embedder
        .fail_next([Failure::Call(ErrorCode::ProviderUnavailable)]);
    app.drain().await;
    let waiting = get(&app, &ada, &asset).await;
    assert_eq!(states(&waiting), ("processing", "running"));
    assert_eq!(
        (
            &job(&waiting, "visual")["status"],
            &job(&waiting, "visual")["attempts"]
        ),
        (&json!("retry"), &json!(1))
    );
    assert_eq!(
        job(&waiting, "visual")["lastFailure"]["code"],
        "provider_unavailable"
    );
    // Its new hint is delayed; an old one that comes too early is put back.
    assert_eq!(app.queue.waiting(), 1);
    app.advance(Duration::from_secs(600));
    app.drain().await;
    assert_eq!(states(&get(&app, &ada, &asset).await), ("ready", "ready"));
}

#[tokio::test]
async fn five_attempts_are_all() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let asset = app.save(&ada, [9, 9, 9], json!({})).await;
    app.embedder.fail_next(std::iter::repeat_n(
        Failure::Call(ErrorCode::ProviderUnavailable),
        9,
    ));
    for _ in 0..9 {
        app.drain().await;
        app.advance(Duration::from_secs(900));
    }
    let failed = get(&app, &ada, &asset).await;
    assert_eq!(states(&failed), ("failed", "failed"));
    assert_eq!(job(&failed, "visual")["attempts"], 5);
    assert_eq!(failed["failure"]["code"], "provider_unavailable");
    assert!(
        failed["failure"]["remedy"]
            .as_str()
            .is_some_and(|remedy| !remedy.is_empty())
    );
    assert_eq!(app.embedder.calls().len(), 5);
}

#[tokio::test]
async fn a_worker_that_dies_again_and_again_fails_the_job_after_five_leases() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let asset = app.save(&ada, [9, 9, 9], json!({})).await;
    let hint = app
        .queue
        .take_due(common::ports::Clock::now(&*app.clock))
        .remove(0);
    let id: Value = serde_json::from_str(&hint).unwrap();
    let id = id["jobId"].as_str().unwrap().parse().unwrap();
    for _ in 0..5 {
        let now = common::ports::Clock::now(&*app.clock);
        let lease = common::ids::RequestId::generate(1);
        let claim = common::store::system::jobs::claim(
            &app.app.store,
            std::slice::from_ref(&id),
            &lease,
            now,
        )
        .await
        .unwrap();
        assert_eq!(claim.jobs.len(), 1);
        // Held: another worker's claim gets nothing, and hears when to come again.
        let other = common::store::system::jobs::claim(
            &app.app.store,
            std::slice::from_ref(&id),
            &lease,
            now,
        )
        .await
        .unwrap();
        assert_eq!((other.jobs.len(), other.waiting.len()), (0, 1));
        app.advance(Duration::from_secs(121));
    }
    app.deliver(&[hint]).await;
    let failed = get(&app, &ada, &asset).await;
    assert_eq!(
        (states(&failed), &job(&failed, "visual")["attempts"]),
        (("failed", "failed"), &json!(5))
    );
    assert_eq!(app.embedder.calls().len(), 0);
}

#[tokio::test]
async fn a_failed_fused_vector_leaves_the_asset_partial_and_searchable() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let asset = app.save(&ada, [200, 0, 0], json!({ "title": "red" })).await;
    // Jobs come in the order of their ids; the outcome of the first input decides which one fails.
    app.embedder
        .fail_next([Failure::FirstInput(ErrorCode::ProviderRejectedImage)]);
    app.drain().await;
    let got = get(&app, &ada, &asset).await;
    let visual_failed = job(&got, "visual")["status"] == "failed";
    assert_eq!(
        states(&got),
        if visual_failed {
            ("failed", "failed")
        } else {
            ("ready", "partial")
        }
    );
    let found = app
        .call(&ada, "image_asset_search", json!({ "query": "red" }))
        .await
        .ok();
    assert_eq!(
        found["results"].as_array().unwrap().len(),
        usize::from(!visual_failed)
    );
    assert_eq!(got["failure"]["code"], "provider_rejected_image");
}

#[tokio::test]
async fn a_bad_vector_is_permanent() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let asset = app.save(&ada, [9, 9, 9], json!({})).await;
    app.embedder.fail_next([Failure::BadVector]);
    app.drain().await;
    let got = get(&app, &ada, &asset).await;
    assert_eq!(
        (states(&got), got["failure"]["code"].as_str()),
        (("failed", "failed"), Some("bad_vector"))
    );
    assert_eq!(
        (
            app.queue.waiting(),
            app.database
                .number("select count(*) from memory_assets_v1")
                .await
        ),
        (0, 0)
    );
}

#[tokio::test]
async fn a_preview_that_cannot_be_read_is_tried_again() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let asset = app.save(&ada, [9, 9, 9], json!({})).await;
    app.objects.fail_next(Verb::Get, 1);
    app.drain().await;
    assert_eq!(
        states(&get(&app, &ada, &asset).await),
        ("processing", "running")
    );
    app.advance(Duration::from_secs(600));
    app.drain().await;
    assert_eq!(states(&get(&app, &ada, &asset).await), ("ready", "ready"));
}

#[tokio::test]
async fn an_asset_deleted_between_the_answer_and_the_write_gets_no_vector() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    app.save(&ada, [9, 9, 9], json!({})).await;
    app.database
        .arrange("update mem_assets set status = 'deleting'")
        .await;
    app.drain().await;
    assert_eq!(
        app.database
            .number("select count(*) from memory_assets_v1")
            .await,
        0
    );
    assert_eq!(
        app.database
            .number("select count(*) from mem_asset_embedding_jobs where status = 'cancelled'")
            .await,
        1
    );
    assert_eq!(
        app.database
            .number("select count(*) from mem_assets where status = 'deleting'")
            .await,
        1
    );
    assert_eq!(
        app.embedder.calls().len(),
        0,
        "nothing is paid for what nobody wants"
    );
}

#[tokio::test]
async fn a_dead_database_brings_the_messages_back() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    app.save(&ada, [9, 9, 9], json!({})).await;
    let hints = app.queue.take_due(common::ports::Clock::now(&*app.clock));
    app.database
        .arrange("alter table mem_asset_embedding_jobs rename to gone")
        .await;
    assert_eq!(app.deliver(&hints).await, hints);
    app.database
        .arrange("alter table gone rename to mem_asset_embedding_jobs")
        .await;
    assert!(app.deliver(&hints).await.is_empty());
    assert_eq!(
        app.database
            .number("select count(*) from memory_assets_v1")
            .await,
        1
    );
}
