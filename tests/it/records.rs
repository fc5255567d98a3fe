//! What is written down of each operation: by whom, about what, in the same transaction, and never what was
//! asked or who somebody is.

use std::time::Duration;

use common::{
    contract::Membership,
    ids::OwnerIdentity,
    ports::Clock,
    store::system::{
        audit::{self, AccessLine, ProvenanceLine, Query},
        plans,
    },
};
use serde_json::{Value, json};
use tests::{Caller, TestApp, pictures};

use crate::support::Session;

/// Everything about an owner.
fn all_of(owner: &OwnerIdentity) -> Query {
    Query {
        owner: owner.clone(),
        asset: None,
        from: None,
        before: None,
        limit: 1_000,
    }
}

async fn provenance(app: &TestApp, query: &Query) -> Vec<ProvenanceLine> {
    audit::provenance(&app.app.store, query).await.unwrap()
}

async fn access(app: &TestApp, query: &Query) -> Vec<AccessLine> {
    audit::access(&app.app.store, query).await.unwrap()
}

/// A save that was killed while it held a reservation.
async fn leave_a_reservation(app: &TestApp, owner: &OwnerIdentity) {
    let owner = owner.as_str();
    let held = format!(
        "insert into mem_asset_upload_reservations
           (owner_identity, id, operation, expected_bytes, created_by, expires_at)
         values ('{owner}', 'aur_01ARZ3NDEKTSV4RRFFQ69G5FA0', 'image_asset_save', 700, 'x', '2026-01-01T00:15:00Z');
         update mem_asset_namespaces set reserved_bytes = reserved_bytes + 700 where owner_identity = '{owner}'"
    );
    app.database.arrange(&held).await;
}

/// What Ada's walk leaves.
struct Walk {
    app: TestApp,
    ada: Caller,
    bob: Caller,
    asset: String,
}

/// One of every operation that is written down, on the first day; and a purge a week later.
async fn walk() -> Walk {
    let app = TestApp::new().await;
    let (ada, bob) = (app.caller("ada").await, app.caller("bob").await);
    let vault = app.library(&ada).await;
    let project = app.project(&ada, &vault, "Harbours").await;
    let folder = app.folder(&ada, &project, None, "Cranes").await;
    let words = json!({
        "title": "Secret title", "description": "Secret words", "altText": "Secret alt", "tags": ["secrettag"],
        "sourceRef": { "pageUrl": "https://secret.example/page?token=1" },
    });
    let asset = app.save(&ada, [200, 20, 20], words).await;
    app.drain().await;
    let query = json!({ "query": "secret question", "previews": true });
    app.call(&ada, "image_asset_search", query).await.ok();
    let place = json!({ "assetIds": [asset], "projectId": project, "folderId": folder });
    app.call(&ada, "image_asset_move", place).await.ok();
    app.share(&ada, &bob, Membership::Read).await;
    plans::set(&app.app.store, &ada.owner, "team", app.clock.now())
        .await
        .unwrap();
    leave_a_reservation(&app, &ada.owner).await;
    let delete = json!({ "assetIds": [asset] });
    app.call(&ada, "image_asset_delete", delete).await.ok();
    let unknown = json!({ "assetId": "ast_01ARZ3NDEKTSV4RRFFQ69G5FAV" });
    let unknown = app.call(&ada, "image_asset_get", unknown).await;
    assert_eq!(unknown.code(), "not_found");
    app.advance(Duration::from_secs(169 * 3_600));
    app.sweep().await;
    Walk {
        app,
        ada,
        bob,
        asset,
    }
}

#[tokio::test]
async fn every_operation_leaves_a_line_that_says_who_and_what() {
    let Walk {
        app,
        ada,
        bob,
        asset,
    } = walk().await;
    let lines = provenance(&app, &all_of(&ada.owner)).await;
    assert!(lines.is_sorted_by(|a, b| a.created_at >= b.created_at));
    let of = |operation: &str| {
        let mut found = lines.iter().filter(|line| line.operation == operation);
        let line = found.next();
        line.unwrap_or_else(|| panic!("no line of {operation}: {lines:#?}"))
    };
    let called = [
        "asset_project_create",
        "asset_folder_create",
        "asset_save",
        "asset_search",
        "asset_move",
        "asset_delete",
    ];
    for operation in called {
        let line = of(operation);
        assert_eq!(line.actor.as_deref(), Some(ada.identity.as_str()));
        assert_eq!(line.key.as_deref(), Some(ada.key_id.as_str()));
        assert_eq!(line.surface.as_deref(), Some("other"));
        let request = line.request.as_deref();
        assert!(request.is_some_and(|id| id.starts_with("req_")), "{line:?}");
    }
    let by_the_system = [
        "asset_embed",
        "asset_object_purge",
        "asset_reconcile",
        "asset_key",
        "asset_vault",
        "asset_plan",
    ];
    for operation in by_the_system {
        assert_eq!(of(operation).actor, None, "{operation}");
    }
    let known: Vec<&str> = called.into_iter().chain(by_the_system).collect();
    for line in &lines {
        assert!(known.contains(&line.operation.as_str()), "{line:?}");
    }
    for operation in ["asset_save", "asset_embed", "asset_move", "asset_delete"] {
        assert_eq!(of(operation).asset.as_deref(), Some(&*asset), "{operation}");
    }
    assert_eq!(
        of("asset_vault").subject.as_deref(),
        Some(bob.identity.as_str())
    );
    assert_eq!(
        of("asset_plan").details,
        json!({ "from": "local", "to": "team" })
    );
    let reconciled = json!({ "expiredReservations": 1, "releasedBytes": 700 });
    assert_eq!(of("asset_reconcile").details, reconciled);
    assert_eq!(of("asset_search").details["results"], 1);
    assert!(of("asset_object_purge").object.is_some());
    app.assert_coherent("the walk").await;
}

#[tokio::test]
async fn lines_are_read_by_owner_asset_and_time() {
    let Walk {
        app,
        ada,
        bob,
        asset,
    } = walk().await;
    let all = provenance(&app, &all_of(&ada.owner)).await;
    let operations = |lines: &[ProvenanceLine]| -> Vec<String> {
        lines.iter().map(|line| line.operation.clone()).collect()
    };
    let purge = all[0].created_at;
    let after = Query {
        from: Some(purge),
        ..all_of(&ada.owner)
    };
    let before = Query {
        before: Some(purge),
        ..all_of(&ada.owner)
    };
    let (after, before) = (
        provenance(&app, &after).await,
        provenance(&app, &before).await,
    );
    assert!(operations(&after).contains(&"asset_object_purge".to_owned()));
    assert!(!operations(&before).contains(&"asset_object_purge".to_owned()));
    assert_eq!(
        after.len() + before.len(),
        all.len(),
        "half-open: each once"
    );
    let of_the_asset = Query {
        asset: Some(asset.parse().unwrap()),
        ..all_of(&ada.owner)
    };
    let of_the_asset = provenance(&app, &of_the_asset).await;
    assert!(
        of_the_asset
            .iter()
            .all(|line| line.asset.as_deref() == Some(&*asset))
    );
    let mut named = operations(&of_the_asset);
    named.sort_unstable();
    // Two embeddings: of the picture, and of the picture with its words.
    let about_it = "asset_delete asset_embed asset_embed asset_move asset_save";
    assert_eq!(named.join(" "), about_it);
    let newest = Query {
        limit: 2,
        ..all_of(&ada.owner)
    };
    let newest = provenance(&app, &newest).await;
    assert_eq!(operations(&newest), operations(&all)[..2]);
    // Bob was let in and did nothing; that he was is written with Ada's vault.
    let his = provenance(&app, &all_of(&bob.owner)).await;
    assert_eq!(operations(&his), ["asset_key"]);
}

#[tokio::test]
async fn links_and_denials_are_in_the_access_log() {
    let Walk {
        app, ada, asset, ..
    } = walk().await;
    let lines = access(&app, &all_of(&ada.owner)).await;
    assert_eq!(lines.len(), 2, "{lines:#?}");
    let of = |outcome: &str| lines.iter().find(|line| line.outcome == outcome).unwrap();
    let (denied, link) = (of("denied"), of("link"));
    assert_eq!(
        (denied.code.as_deref(), &*denied.tool),
        (Some("not_found"), "image_asset_get")
    );
    assert_eq!(
        denied.asset, None,
        "an id that is not the caller's is not kept"
    );
    assert_eq!(link.tool, "image_asset_search");
    assert_eq!(link.asset.as_deref(), Some(&*asset));
    assert!(link.vault.is_some() && link.code.is_none());
    for line in &lines {
        assert_eq!(line.actor.as_deref(), Some(ada.identity.as_str()));
        assert_eq!(line.key.as_deref(), Some(ada.key_id.as_str()));
        assert!(
            line.request
                .as_deref()
                .is_some_and(|id| id.starts_with("req_"))
        );
    }
    let of_the_asset = Query {
        asset: Some(asset.parse().unwrap()),
        ..all_of(&ada.owner)
    };
    assert_eq!(access(&app, &of_the_asset).await.len(), 1);
}

#[tokio::test]
async fn no_record_holds_what_was_asked_or_who_somebody_is() {
    let Walk { app, .. } = walk().await;
    let session = Session::admin(&app.database).await;
    for table in ["mem_provenance", "mem_access_log"] {
        let rows = format!("select (to_jsonb(t) - 'owner_identity')::text from {table} t");
        let rows = session.column(&rows).await;
        assert!(!rows.is_empty());
        for row in rows {
            for word in [
                "ecret", "http", "example", "Harbours", "Cranes", "ada", "imk_",
            ] {
                assert!(!row.contains(word), "{table} holds {word}: {row}");
            }
        }
    }
}

/// Makes every line of provenance fail, as if the database gave out just then.
const BREAK: &str = "create or replace function no_line() returns trigger language plpgsql as \
                     $$ begin raise exception 'no line'; end $$; \
                     create trigger no_line before insert on mem_provenance \
                     for each row execute function no_line()";

const MEND: &str = "drop trigger no_line on mem_provenance";

#[tokio::test]
async fn what_cannot_be_written_down_is_not_done() {
    let app = TestApp::new().await;
    let (ada, bob) = (app.caller("ada").await, app.caller("bob").await);
    let vault = app.library(&ada).await;
    let project = app.project(&ada, &vault, "One").await;
    let asset = app.save(&ada, [200, 20, 20], json!({})).await;
    app.drain().await;
    leave_a_reservation(&app, &ada.owner).await;
    let session = Session::admin(&app.database).await;
    let fingerprint = session.fingerprint().await;
    app.database.arrange(BREAK).await;
    let before = session.value(&fingerprint).await;
    let calls: [(&str, Value); 4] = [
        (
            "image_project_create",
            json!({ "vault": vault, "name": "Two" }),
        ),
        (
            "image_folder_create",
            json!({ "projectId": project, "name": "Top" }),
        ),
        (
            "image_asset_move",
            json!({ "assetIds": [asset], "projectId": project }),
        ),
        ("image_asset_delete", json!({ "assetIds": [asset] })),
    ];
    for (tool, input) in calls.clone() {
        let answer = app.call(&ada, tool, input).await;
        assert!(answer.status.is_server_error(), "{tool}: {answer:#?}");
        assert_eq!(session.value(&fingerprint).await, before, "{tool}");
    }
    let (store, now) = (&app.app.store, app.clock.now());
    let library = common::contract::VaultRef::default();
    plans::set(store, &ada.owner, "team", now)
        .await
        .unwrap_err();
    let shared = common::store::system::vaults::share(
        store,
        &ada.owner,
        &library,
        (&bob.identity, Membership::Read),
        now,
    );
    shared.await.unwrap_err();
    app.advance(Duration::from_secs(1_000));
    common::store::system::quota::expire(store, app.clock.now())
        .await
        .unwrap_err();
    assert_eq!(session.value(&fingerprint).await, before);
    app.database.arrange(MEND).await;
    for (tool, input) in calls {
        app.call(&ada, tool, input).await.ok();
    }
    app.assert_coherent("lines can be written again").await;
}

#[tokio::test]
async fn a_save_an_embedding_and_a_purge_wait_for_their_lines() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    app.database.arrange(BREAK).await;
    let picture = pictures::base64(&pictures::plain([200, 20, 20]));
    let input = json!({ "imageBase64": picture, "idempotencyKey": "k" });
    let refused = app.call(&ada, "image_asset_save", input.clone()).await;
    assert!(refused.status.is_server_error(), "{refused:#?}");
    let count = async |what: &str| {
        let query = format!("select count(*) from {what}");
        app.database.number(&query).await
    };
    assert_eq!(count("mem_assets").await, 0);
    assert_eq!(count("mem_asset_embedding_jobs").await, 0);
    app.assert_coherent("a save without a line").await;

    app.database.arrange(MEND).await;
    let saved = app.call(&ada, "image_asset_save", input).await.ok();
    app.database.arrange(BREAK).await;
    let hints = app.queue.take_due(app.clock.now());
    let again = app.deliver(&hints).await;
    assert_eq!(
        count("memory_assets_v1").await,
        0,
        "no vector without its line"
    );
    app.assert_coherent("an embedding without a line").await;
    app.database.arrange(MEND).await;
    app.deliver(&again).await;
    app.advance(Duration::from_secs(3_600));
    app.drain().await;
    assert_eq!(count("memory_assets_v1").await, 1);

    let delete = json!({ "assetIds": [saved["assetId"]] });
    app.call(&ada, "image_asset_delete", delete).await.ok();
    app.advance(Duration::from_secs(169 * 3_600));
    app.database.arrange(BREAK).await;
    let used = "mem_asset_namespaces where original_bytes > 0";
    let swept = app.sweep().await;
    assert_eq!((swept.purged, swept.failed), (0, 1));
    assert_eq!(
        count(used).await,
        1,
        "nothing is counted off without its proof"
    );
    app.database.arrange(MEND).await;
    app.advance(Duration::from_secs(3_600));
    assert_eq!(app.sweep().await.purged, 1);
    assert_eq!(count(used).await, 0);
    app.assert_coherent("every line is written").await;
}
