//! Deleting: what goes at once, what waits, what comes back, and what meets it half way.

mod at_once;
mod purge;

use common::testing::Verb;
use serde_json::{Value, json};
use tests::{Caller, TestApp};

/// Seconds of the default grace.
const GRACE: u64 = 168 * 3_600;

async fn delete(app: &TestApp, caller: &Caller, assets: &[&str]) -> Value {
    let input = json!({ "assetIds": assets });
    app.call(caller, "image_asset_delete", input).await.ok()
}

async fn storage(app: &TestApp, caller: &Caller) -> Value {
    let usage = app.call(caller, "image_usage_get", json!({})).await.ok();
    usage["storage"].clone()
}

/// Ids that a list or a search of everything gives.
async fn found(app: &TestApp, caller: &Caller, tool: &str) -> Vec<String> {
    let (input, rows) = match tool {
        "image_asset_search" => (json!({ "query": "red", "limit": 30 }), "results"),
        _ => (json!({ "limit": 100 }), "assets"),
    };
    let answer = app.call(caller, tool, input).await.ok();
    let rows = answer[rows].as_array().unwrap().iter();
    rows.map(|row| row["assetId"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn a_dry_run_tells_what_would_go_and_changes_nothing() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let asset = app
        .save(&ada, [200, 20, 20], json!({ "title": "red" }))
        .await;
    app.drain().await;
    let before = storage(&app, &ada).await;
    let calls = app.objects.calls_in_all();
    let input = json!({ "assetIds": [asset], "dryRun": true });
    let told = app.call(&ada, "image_asset_delete", input).await.ok();
    assert_eq!(storage(&app, &ada).await, before);
    assert_eq!(
        found(&app, &ada, "image_asset_list").await,
        [asset.as_str()]
    );
    let done = delete(&app, &ada, &[&asset]).await;
    assert_eq!(told["results"][0]["outcome"], "would_delete");
    assert_eq!(done["results"][0]["outcome"], "deleted");
    for field in ["vectorBytes", "objectBytes", "purgeAfter"] {
        assert_eq!(
            told["results"][0][field], done["results"][0][field],
            "{field}"
        );
    }
    let kinds = &before["byKind"];
    assert_eq!(told["freedBytes"], kinds["vectors"]);
    let bytes = kinds["originals"].as_i64().unwrap() + kinds["previews"].as_i64().unwrap();
    assert_eq!(told["purgedLaterBytes"], bytes);
    assert_eq!(done["results"][0]["purgeAfter"], "2026-01-08T00:00:00Z");
    assert_eq!(app.objects.calls_in_all(), calls, "no byte is touched");
}

#[tokio::test]
async fn what_is_deleted_is_gone_at_once_and_its_bytes_wait() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let gone = app
        .save(&ada, [200, 20, 20], json!({ "tags": ["t"] }))
        .await;
    let stays = app
        .save(&ada, [220, 30, 30], json!({ "tags": ["t"] }))
        .await;
    app.drain().await;
    let waiting = app.save(&ada, [240, 40, 40], json!({})).await;
    let hints = app.queue.waiting();
    let before = storage(&app, &ada).await;
    let answer = delete(&app, &ada, &[&gone, &waiting]).await;
    assert_eq!(answer["freedBytes"], 8192);
    for tool in ["image_asset_list", "image_asset_search"] {
        assert_eq!(found(&app, &ada, tool).await, [stays.as_str()], "{tool}");
    }
    let tagged = json!({ "tags": ["t"] });
    let tagged = app.call(&ada, "image_asset_list", tagged).await.ok();
    assert_eq!(tagged["assets"].as_array().unwrap().len(), 1);
    let get = json!({ "assetId": gone, "links": ["preview"] });
    assert_eq!(
        app.call(&ada, "image_asset_get", get).await.code(),
        "not_found"
    );
    let like = json!({ "assetId": gone });
    assert_eq!(
        app.call(&ada, "image_asset_search", like).await.code(),
        "not_found"
    );
    let move_it = json!({ "assetIds": [gone], "unfiled": true });
    assert_eq!(
        app.call(&ada, "image_asset_move", move_it).await.code(),
        "not_found"
    );
    let after = storage(&app, &ada).await;
    assert_eq!(after["byKind"]["vectors"], 4096);
    for kind in ["originals", "previews"] {
        assert_eq!(
            after["byKind"][kind], before["byKind"][kind],
            "bytes count until they are purged"
        );
    }
    assert_eq!(after["deletingBytes"], answer["purgedLaterBytes"]);
    assert_eq!(app.objects.keys().len(), 6);
    // The job that was waiting is cancelled; its hint does nothing.
    assert!(hints > 0);
    let calls = app.embedder.calls().len();
    app.drain().await;
    assert_eq!(app.embedder.calls().len(), calls);
    app.assert_coherent("deletion").await;
}

#[tokio::test]
async fn deleting_again_is_no_error_and_takes_nothing_more() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let asset = app.save(&ada, [1, 2, 3], json!({})).await;
    let first = delete(&app, &ada, &[&asset]).await;
    let after = storage(&app, &ada).await;
    app.advance(std::time::Duration::from_secs(3_600));
    let again = delete(&app, &ada, &[&asset, &asset]).await;
    assert_eq!(storage(&app, &ada).await, after);
    for item in again["results"].as_array().unwrap() {
        assert_eq!(item["outcome"], "already_deleted");
        assert_eq!(item["purgeAfter"], first["results"][0]["purgeAfter"]);
        assert_eq!(
            (&item["vectorBytes"], &item["objectBytes"]),
            (&json!(0), &json!(0))
        );
    }
    assert_eq!(again["freedBytes"], 0);
    let lines = "select count(*) from mem_provenance where operation = 'asset_delete'";
    assert_eq!(app.database.number(lines).await, 1);
    let dry = json!({ "assetIds": [asset], "dryRun": true });
    let dry = app.call(&ada, "image_asset_delete", dry).await.ok();
    assert_eq!(dry["results"][0]["outcome"], "already_deleted");
}

#[tokio::test]
async fn bytes_go_with_the_last_image_that_needs_them() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let mut same = Vec::new();
    for _ in 0..4 {
        same.push(
            app.save(&ada, [5, 5, 5], json!({ "onDuplicate": "new" }))
                .await,
        );
    }
    let bytes = storage(&app, &ada).await["usedBytes"].as_i64().unwrap() - 4 * 4096;
    let saved = storage(&app, &ada).await["deduplicatedBytes"].as_i64();
    assert_eq!(saved, Some(3 * bytes));
    let one = delete(&app, &ada, &[&same[0]]).await;
    assert_eq!(one["results"][0]["objectBytes"], 0);
    assert_eq!(one["results"][0]["purgeAfter"], Value::Null);
    assert_eq!(storage(&app, &ada).await["deduplicatedBytes"], 2 * bytes);
    // Three at once: one of them takes the bytes, once.
    let rest = delete(&app, &ada, &[&same[3], &same[1], &same[2]]).await;
    let results = rest["results"].as_array().unwrap();
    let taking = results
        .iter()
        .filter(|item| item["objectBytes"] != 0)
        .count();
    assert_eq!(taking, 1);
    assert_eq!(rest["purgedLaterBytes"], bytes);
    assert_eq!(storage(&app, &ada).await["deletingBytes"], bytes);
    app.assert_coherent("the last deletion").await;
}

#[tokio::test]
async fn the_same_bytes_saved_within_the_grace_come_back_and_stay() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let first = app.save(&ada, [7, 7, 7], json!({})).await;
    delete(&app, &ada, &[&first]).await;
    let (keys, puts) = (app.objects.keys(), app.objects.calls(Verb::Put));
    let input =
        json!({ "imageBase64": tests::pictures::base64(&tests::pictures::plain([7, 7, 7])) });
    let again = app.call(&ada, "image_asset_save", input).await.ok();
    assert_ne!(
        again["assetId"], first,
        "the deleted one is no answer to a save"
    );
    assert_eq!(again["deduplicated"], "object");
    assert_eq!(again["bytesCharged"], 4096);
    assert_eq!(
        (app.objects.keys(), app.objects.calls(Verb::Put)),
        (keys.clone(), puts)
    );
    app.advance(std::time::Duration::from_secs(2 * GRACE));
    assert_eq!(app.sweep().await.purged, 0);
    assert_eq!(app.objects.keys(), keys);
    let links = json!({ "assetId": again["assetId"], "links": ["original"] });
    app.call(&ada, "image_asset_get", links).await.ok();
    app.assert_coherent("revival").await;
}

#[tokio::test]
async fn each_image_of_a_call_has_its_own_result() {
    let app = TestApp::new().await;
    let (ada, bob) = (app.caller("ada").await, app.caller("bob").await);
    let read = common::contract::Membership::Read;
    app.share(&bob, &ada, read).await;
    let own = app.save(&ada, [1, 1, 1], json!({})).await;
    let readable = app.save(&bob, [2, 2, 2], json!({})).await;
    let unknown = "ast_01ARZ3NDEKTSV4RRFFQ69G5FAV";
    let answer = delete(&app, &ada, &[unknown, &readable, &own, &own]).await;
    let results = answer["results"].as_array().unwrap();
    let outcomes: Vec<_> = results
        .iter()
        .map(|item| item["outcome"].as_str().unwrap())
        .collect();
    assert_eq!(outcomes, ["refused", "refused", "deleted", "deleted"]);
    assert_eq!(results[0]["failure"]["code"], "not_found");
    assert_eq!(results[0]["assetId"], Value::Null);
    assert_eq!(results[1]["failure"]["code"], "forbidden_membership");
    assert_eq!(results[1]["assetId"], readable);
    for (index, item) in results.iter().enumerate() {
        assert_eq!(item["index"], index);
    }
    assert_eq!(
        answer["freedBytes"], 4096,
        "an id that stands twice goes once"
    );
    let denied = "select count(*) from mem_access_log where outcome = 'denied' and tool = 'image_asset_delete'";
    assert_eq!(app.database.number(denied).await, 2, "one of each kind");
    assert_eq!(found(&app, &bob, "image_asset_list").await, [readable]);
}

#[tokio::test]
async fn an_outage_after_one_vault_is_told_for_the_images_of_the_others() {
    let app = TestApp::new().await;
    let (ada, bob) = (app.caller("ada").await, app.caller("bob").await);
    app.share(&bob, &ada, common::contract::Membership::Admin)
        .await;
    let own = app.save(&ada, [1, 1, 1], json!({})).await;
    let shared = app.save(&bob, [2, 2, 2], json!({})).await;
    app.database
        .arrange(
            "create function fail() returns trigger language plpgsql as $$ begin
               if new.operation = 'asset_delete' and new.owner_identity like 'bob%' then raise exception 'no'; end if;
               return new; end $$;
             create trigger fail before insert on mem_provenance for each row execute function fail()",
        )
        .await;
    let answer = delete(&app, &ada, &[&shared, &own]).await;
    assert_eq!(answer["results"][0]["outcome"], "refused");
    assert_eq!(answer["results"][0]["assetId"], shared);
    assert_eq!(answer["results"][0]["failure"]["code"], "internal");
    assert_eq!(answer["results"][1]["outcome"], "deleted");
    // Alone, nothing has happened: the call itself fails.
    let input = json!({ "assetIds": [shared] });
    assert_eq!(
        app.call(&ada, "image_asset_delete", input).await.code(),
        "internal"
    );
    assert_eq!(
        found(&app, &bob, "image_asset_list").await,
        [shared.as_str()]
    );
    app.database
        .arrange("drop trigger fail on mem_provenance")
        .await;
    let again = delete(&app, &ada, &[&shared, &own]).await;
    assert_eq!(again["results"][0]["outcome"], "deleted");
    assert_eq!(again["results"][1]["outcome"], "already_deleted");
    app.assert_coherent("an outage").await;
}
