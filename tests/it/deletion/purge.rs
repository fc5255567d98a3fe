//! Sweep purges what is due: not before, not twice, and not without proof, wherever it is killed.

use std::time::Duration;

use common::testing::Verb;
use functions::sweep::{Sweep, Swept};
use serde_json::json;
use tests::{Caller, TestApp, halting::HaltingObjects};

use super::{GRACE, delete, storage};

/// Steps of one purge on the object store: two deletes and two looks, each before and after its effect.
const STEPS: usize = 8;

/// A tenant whose only image is deleted.
async fn deleted() -> (TestApp, Caller) {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let asset = app.save(&ada, [3, 3, 3], json!({})).await;
    app.drain().await;
    delete(&app, &ada, &[&asset]).await;
    (app, ada)
}

async fn proofs(app: &TestApp) -> i64 {
    let proofs = "select count(*) from mem_provenance where operation = 'asset_object_purge'
                  and details -> 'provenGone' = '[\"original\", \"preview\"]'";
    app.database.number(proofs).await
}

#[tokio::test]
async fn bytes_go_after_the_grace_with_a_proof_and_are_counted_off_then() {
    let (app, ada) = deleted().await;
    app.advance(Duration::from_secs(GRACE - 1));
    assert_eq!(app.sweep().await, Swept::default());
    assert_eq!(app.objects.keys().len(), 2);
    assert_ne!(storage(&app, &ada).await["usedBytes"], 0);
    app.advance(Duration::from_secs(1));
    let swept = app.sweep().await;
    assert_eq!((swept.purged, swept.failed), (1, 0));
    assert!(app.objects.keys().is_empty());
    assert!(app.objects.calls(Verb::Head) >= 2, "the store was asked");
    assert_eq!(proofs(&app).await, 1);
    let storage = storage(&app, &ada).await;
    assert_eq!(
        (&storage["usedBytes"], &storage["deletingBytes"]),
        (&json!(0), &json!(0))
    );
    assert_eq!(app.sweep().await, Swept::default());
    assert_eq!(proofs(&app).await, 1);
    app.assert_coherent("a purge").await;
}

#[tokio::test]
async fn a_sweep_that_is_killed_anywhere_is_taken_up_by_a_later_one() {
    for fatal in 0..STEPS {
        let (app, ada) = deleted().await;
        app.advance(Duration::from_secs(GRACE));
        let dying = HaltingObjects::new(&*app.objects, fatal);
        let sweep = Sweep {
            store: &app.app.store,
            objects: &dying,
            clock: &*app.clock,
        };
        assert!(
            !dying.run(Box::pin(sweep.run())).await,
            "step {fatal} is reached"
        );
        // Nothing is counted off without its proof, and nobody else takes it over at once.
        assert_ne!(
            storage(&app, &ada).await["deletingBytes"],
            0,
            "step {fatal}"
        );
        assert_eq!(app.sweep().await, Swept::default(), "step {fatal}");
        app.advance(Duration::from_secs(600));
        assert_eq!(app.sweep().await.purged, 1, "step {fatal}");
        assert!(app.objects.keys().is_empty(), "step {fatal}");
        assert_eq!(proofs(&app).await, 1, "step {fatal}");
        app.assert_coherent(&format!("a kill at step {fatal}"))
            .await;
    }
    let (app, _) = deleted().await;
    app.advance(Duration::from_secs(GRACE));
    let whole = HaltingObjects::new(&*app.objects, STEPS);
    let sweep = Sweep {
        store: &app.app.store,
        objects: &whole,
        clock: &*app.clock,
    };
    assert!(
        whole.run(Box::pin(sweep.run())).await,
        "there are no more steps"
    );
}

#[tokio::test]
async fn the_same_bytes_saved_after_the_purge_began_are_stored_anew() {
    for fatal in [0, 3, STEPS - 1] {
        let (app, ada) = deleted().await;
        let old = app.objects.keys();
        app.advance(Duration::from_secs(GRACE));
        let dying = HaltingObjects::new(&*app.objects, fatal);
        let sweep = Sweep {
            store: &app.app.store,
            objects: &dying,
            clock: &*app.clock,
        };
        assert!(!dying.run(Box::pin(sweep.run())).await);
        let asset = app.save(&ada, [3, 3, 3], json!({})).await;
        app.drain().await;
        let new: Vec<String> = app.objects.keys();
        let new: Vec<String> = new.into_iter().filter(|key| !old.contains(key)).collect();
        assert_eq!(new.len(), 2, "under keys of their own");
        app.advance(Duration::from_secs(600));
        assert_eq!(app.sweep().await.purged, 1);
        assert_eq!(app.objects.keys(), new);
        let links = json!({ "assetId": asset, "links": ["original"] });
        let got = app.call(&ada, "image_asset_get", links).await.ok();
        let url = got["original"]["url"].as_str().unwrap();
        assert!(app.objects.read_link(url).is_some());
        app.assert_coherent("a save beside a purge").await;
    }
}

#[tokio::test]
async fn a_store_that_is_down_costs_nothing_but_time() {
    let (app, ada) = deleted().await;
    app.advance(Duration::from_secs(GRACE));
    for verb in [Verb::Delete, Verb::Head] {
        app.objects.fail_next(verb, 1);
        let swept = app.sweep().await;
        assert_eq!((swept.purged, swept.failed), (0, 1), "{verb:?}");
        assert_ne!(storage(&app, &ada).await["usedBytes"], 0);
        app.advance(Duration::from_secs(600));
    }
    assert_eq!(app.sweep().await.purged, 1);
    assert_eq!(proofs(&app).await, 1);
}

#[tokio::test]
async fn a_run_that_was_overtaken_counts_nothing_off() {
    let (app, ada) = deleted().await;
    app.advance(Duration::from_secs(GRACE));
    // The first run has deleted everything when it is paused; the second takes over and finishes.
    let paused = HaltingObjects::new(&*app.objects, STEPS - 1);
    let sweep = Sweep {
        store: &app.app.store,
        objects: &paused,
        clock: &*app.clock,
    };
    assert!(!paused.run(Box::pin(sweep.run())).await);
    let claims = common::store::system::objects::claim_purges;
    app.advance(Duration::from_secs(600));
    let now = || common::ports::Clock::now(&*app.clock);
    let overtaken = claims(&app.app.store, now(), 10).await.unwrap().remove(0);
    app.advance(Duration::from_secs(600));
    assert_eq!(app.sweep().await.purged, 1);
    let access = &overtaken.access();
    let late = app.app.store.run_tx("late", access, |tx| {
        let overtaken = &overtaken;
        async move { common::store::objects::purged(&tx, access, overtaken, now()).await }
    });
    assert!(!late.await.unwrap());
    assert_eq!(storage(&app, &ada).await["usedBytes"], 0);
    assert_eq!(proofs(&app).await, 1);
}

#[tokio::test]
async fn one_bad_object_does_not_keep_others_from_their_purge_and_runs_go_on_past_a_batch() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let mut assets = Vec::new();
    for shade in 0..3 {
        assets.push(app.save(&ada, [shade, 0, 0], json!({})).await);
    }
    delete(&app, &ada, &[&assets[0], &assets[1], &assets[2]]).await;
    // More than a batch: rows whose keys hold nothing, which is as good as purged.
    app.database
        .arrange(
            "insert into mem_asset_objects (owner_identity, namespace_id, id, sha256, storage_key, preview_storage_key, mime_type,
               extension, bytes, preview_bytes, width, height, preview_width, preview_height, animated, status, purge_after)
             select o.owner_identity, o.namespace_id, 'aob_' || lpad(n::text, 26, '0'), encode(sha256(n::text::bytea), 'hex'),
               replace(o.storage_key, o.id, 'aob_' || lpad(n::text, 26, '0')),
               replace(o.preview_storage_key, o.id, 'aob_' || lpad(n::text, 26, '0')), o.mime_type, o.extension, 1, 1, 1, 1, 1, 1,
               false, 'deleting', o.purge_after
             from (select * from mem_asset_objects order by id limit 1) o, generate_series(1, 150) n;
             update mem_asset_namespaces set original_bytes = original_bytes + 150, preview_bytes = preview_bytes + 150",
        )
        .await;
    app.advance(Duration::from_secs(GRACE));
    app.objects.fail_next(Verb::Delete, 1);
    let swept = app.sweep().await;
    assert_eq!((swept.purged, swept.failed), (152, 1));
    app.assert_coherent("a run of several batches").await;
}

#[tokio::test]
async fn two_sweeps_at_once_purge_each_object_once() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let mut assets = Vec::new();
    for shade in 0..6 {
        assets.push(app.save(&ada, [0, shade, 0], json!({})).await);
    }
    let assets: Vec<&str> = assets.iter().map(String::as_str).collect();
    delete(&app, &ada, &assets).await;
    app.advance(Duration::from_secs(GRACE));
    let (one, other) = futures_util::join!(app.sweep(), app.sweep());
    assert_eq!(one.purged + other.purged, 6);
    assert_eq!(proofs(&app).await, 6);
    assert_eq!(storage(&app, &ada).await["usedBytes"], 0);
}
