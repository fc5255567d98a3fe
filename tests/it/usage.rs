//! What is used, by kind and period, and what is warned of.

use std::time::Duration;

use common::contract::{Membership, Scope};
use serde_json::{Value, json};
use tests::{Caller, TestApp, pictures};

async fn usage(app: &TestApp, caller: &Caller, input: Value) -> Value {
    app.call(caller, "image_usage_get", input).await.ok()
}

fn codes(usage: &Value) -> Vec<&str> {
    let warnings = usage["warnings"].as_array().unwrap().iter();
    warnings
        .map(|warning| warning["code"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn storage_is_told_by_kind_and_what_sharing_saves() {
    let app = TestApp::new().await;
    let ada = app.caller_with("ada", "free", &Scope::ALL).await;
    let red = json!({ "title": "first", "onDuplicate": "new" });
    let first = app.save(&ada, [200, 20, 20], red).await;
    let red = json!({ "title": "second", "onDuplicate": "new" });
    let second = app.save(&ada, [200, 20, 20], red).await;
    let green = app.save(&ada, [20, 200, 20], json!({})).await;
    app.drain().await;
    let told = usage(&app, &ada, json!({})).await;
    assert_eq!(told["plan"], "free");
    let number = |name: &str| told["storage"][name].as_i64().unwrap();
    let kind = |name: &str| told["storage"]["byKind"][name].as_i64().unwrap();
    let sizes = "select sum(bytes)::bigint from mem_asset_objects";
    assert_eq!(kind("originals"), app.database.number(sizes).await);
    let sizes = "select sum(preview_bytes)::bigint from mem_asset_objects";
    assert_eq!(kind("previews"), app.database.number(sizes).await);
    // Two vectors for each image with words, one for the other.
    assert_eq!(kind("vectors"), 5 * 4096);
    let sum = kind("originals") + kind("previews") + kind("vectors");
    assert_eq!(number("usedBytes"), sum);
    assert_eq!(number("quotaBytes"), 1 << 30);
    assert_eq!(number("reservedBytes"), 0);
    assert_eq!(number("freeBytes"), (1 << 30) - sum);
    let once = "select bytes + preview_bytes from mem_asset_objects o join mem_assets a on a.object_id = o.id where a.title = 'first'";
    let shared = app.database.number(once).await;
    assert_eq!(number("deduplicatedBytes"), shared);
    assert_eq!(number("deletingBytes"), 0);
    assert_eq!(codes(&told), <[&str; 0]>::default());

    // The largest: by bytes, then by id; as many as asked for.
    let largest = told["largest"].as_array().unwrap();
    assert_eq!(largest.len(), 3);
    assert!(largest.is_sorted_by_key(|row| std::cmp::Reverse(row["bytes"].as_i64())));
    let two = usage(&app, &ada, json!({ "largest": 2 })).await;
    assert_eq!(two["largest"].as_array().unwrap()[..], largest[..2]);
    let none = usage(&app, &ada, json!({ "largest": 0 })).await;
    assert_eq!(none["largest"], json!([]));

    // One of two that share their bytes goes: nothing is saved any more, and nothing goes later.
    let delete = json!({ "assetIds": [first] });
    app.call(&ada, "image_asset_delete", delete).await.ok();
    let told = usage(&app, &ada, json!({})).await;
    assert_eq!(told["storage"]["deduplicatedBytes"], 0);
    assert_eq!(told["storage"]["deletingBytes"], 0);
    let delete = json!({ "assetIds": [second] });
    app.call(&ada, "image_asset_delete", delete).await.ok();
    let told = usage(&app, &ada, json!({})).await;
    assert_eq!(told["storage"]["deletingBytes"], shared);
    assert_eq!(told["largest"].as_array().unwrap().len(), 1);
    assert_eq!(told["largest"][0]["assetId"], *green);
}

#[tokio::test]
async fn warnings_come_at_eighty_and_at_ninety_five_percent() {
    let app = TestApp::new().await;
    let ada = app.caller_with("ada", "free", &Scope::ALL).await;
    app.save(&ada, [200, 20, 20], json!({})).await;
    app.drain().await;
    let told = usage(&app, &ada, json!({})).await;
    let used = told["storage"]["usedBytes"].as_i64().unwrap();
    let tokens = told["tokens"]["usedToday"].as_i64().unwrap();
    assert!(used > 0 && tokens > 0);
    let cases: [(i64, i64, &[&str]); 5] = [
        (used * 2, tokens * 2, &[]),
        (used * 100 / 85, tokens * 2, &["quota_80"]),
        (used * 100 / 97, tokens * 2, &["quota_95"]),
        (used * 2, tokens * 100 / 85, &["tokens_80"]),
        (used - 1, tokens, &["quota_95", "tokens_95"]),
    ];
    for (quota, budget, expected) in cases {
        let plan = format!(
            "update mem_plans set quota_bytes = {quota}, daily_token_budget = {budget} where plan = 'free'"
        );
        app.database.arrange(&plan).await;
        let told = usage(&app, &ada, json!({})).await;
        assert_eq!(codes(&told), expected, "{quota} {budget}");
        assert_eq!(told["tokens"]["dailyBudget"], budget);
        let free = (quota - used).max(0);
        assert_eq!(told["storage"]["freeBytes"], free);
    }
    // What saves under way hold counts as taken.
    let held = format!(
        "insert into mem_asset_upload_reservations
           (owner_identity, id, operation, expected_bytes, created_by, expires_at)
         values ('ada@example.com', 'aur_01ARZ3NDEKTSV4RRFFQ69G5FA0', 'image_asset_save', {used}, 'x', '2026-01-01T00:15:00Z');
         update mem_asset_namespaces set reserved_bytes = {used};
         update mem_plans set quota_bytes = {used} * 2, daily_token_budget = null where plan = 'free'"
    );
    app.database.arrange(&held).await;
    let told = usage(&app, &ada, json!({})).await;
    assert_eq!(told["storage"]["reservedBytes"], used);
    assert_eq!(codes(&told), ["quota_95"]);
    // Without a limit there is nothing to warn of.
    let unlimited = app.caller("bob").await;
    let told = usage(&app, &unlimited, json!({})).await;
    assert_eq!(told["storage"]["quotaBytes"], Value::Null);
    assert_eq!(told["storage"]["freeBytes"], Value::Null);
    assert_eq!(told["tokens"]["dailyBudget"], Value::Null);
    assert!(codes(&told).is_empty());
}

#[tokio::test]
async fn tokens_are_added_up_by_day_and_by_month_in_utc() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    // The clock stands at 2026-01-01T00:00:00Z.
    app.save(&ada, [200, 20, 20], json!({})).await;
    app.drain().await;
    app.advance(Duration::from_secs(86_400 - 1));
    let search = json!({ "query": "red" });
    app.call(&ada, "image_asset_search", search.clone())
        .await
        .ok();
    app.advance(Duration::from_secs(1));
    app.call(&ada, "image_asset_search", search.clone())
        .await
        .ok();
    app.advance(Duration::from_secs(31 * 86_400));
    app.call(&ada, "image_asset_search", search).await.ok();
    let rows = async |input: Value| -> Vec<(String, String, i64)> {
        let told = usage(&app, &ada, input).await;
        let rows = told["tokens"]["rows"].as_array().unwrap().iter();
        rows.map(|row| {
            let text = |name: &str| row[name].as_str().unwrap().to_owned();
            assert_eq!(row["totalTokens"], 10);
            (
                text("periodStart"),
                text("source"),
                row["calls"].as_i64().unwrap(),
            )
        })
        .collect()
    };
    let row = |day: &str, source: &str| {
        (
            format!("{day}T00:00:00Z"),
            format!("embed_image_{source}"),
            1,
        )
    };
    let today = [row("2026-02-02", "query")];
    assert_eq!(rows(json!({ "periods": 1 })).await, today);
    assert_eq!(rows(json!({})).await, today, "seven days");
    let told = usage(&app, &ada, json!({})).await;
    assert_eq!(told["tokens"]["usedToday"], 10);
    let month = json!({ "periods": 31 });
    assert_eq!(
        rows(month).await,
        today,
        "the second of January is 32 days ago"
    );
    let told = usage(&app, &ada, json!({ "period": "month", "periods": 2 })).await;
    let by_month: Vec<(&str, &str, i64)> = told["tokens"]["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            (
                row["periodStart"].as_str().unwrap(),
                row["source"].as_str().unwrap(),
                row["totalTokens"].as_i64().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        by_month,
        [
            ("2026-02-01T00:00:00Z", "embed_image_query", 10),
            ("2026-01-01T00:00:00Z", "embed_image_document", 10),
            ("2026-01-01T00:00:00Z", "embed_image_query", 20),
        ]
    );
}

#[tokio::test]
async fn what_a_member_saves_counts_for_the_vaults_owner() {
    let app = TestApp::new().await;
    let (ada, bob) = (app.caller("ada").await, app.caller("bob").await);
    app.share(&ada, &bob, Membership::Write).await;
    let vault = app.library(&ada).await;
    let picture = pictures::base64(&pictures::plain([200, 20, 20]));
    let input = json!({ "vault": vault, "imageBase64": picture });
    app.call(&bob, "image_asset_save", input).await.ok();
    app.drain().await;
    let hers = usage(&app, &ada, json!({})).await;
    let his = usage(&app, &bob, json!({})).await;
    assert!(hers["storage"]["usedBytes"].as_i64().unwrap() > 4096);
    assert_eq!(hers["tokens"]["usedToday"], 10);
    assert_eq!(hers["largest"].as_array().unwrap().len(), 1);
    assert_eq!(his["storage"]["usedBytes"], 0);
    assert_eq!(his["tokens"]["usedToday"], 0);
    assert_eq!(his["largest"], json!([]));
}
