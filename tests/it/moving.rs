//! Moving: all or none, found in the new place at once and nowhere else, and no byte touched.

use serde_json::{Value, json};
use tests::{Caller, TestApp};

async fn found(app: &TestApp, caller: &Caller, place: &Value) -> [Vec<String>; 2] {
    let mut both = [Vec::new(), Vec::new()];
    for (tool, rows, ids) in [
        ("image_asset_list", "assets", 0),
        ("image_asset_search", "results", 1),
    ] {
        let mut input = place.clone();
        if tool == "image_asset_search" {
            input["query"] = "red".into();
        }
        let answer = app.call(caller, tool, input).await.ok();
        for row in answer[rows].as_array().unwrap() {
            both[ids].push(row["assetId"].as_str().unwrap().to_owned());
        }
        both[ids].sort();
    }
    both
}

#[tokio::test]
async fn what_moves_is_found_in_its_new_place_at_once_and_nowhere_else() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let (one, two) = (
        app.project(&ada, "Library", "One").await,
        app.project(&ada, "Library", "Two").await,
    );
    let top = app.folder(&ada, &one, None, "Top").await;
    let below = app.folder(&ada, &one, Some(&top), "Below").await;
    let asset = app
        .save(&ada, [200, 20, 20], json!({ "title": "red" }))
        .await;
    let other = app
        .save(&ada, [200, 30, 30], json!({ "projectId": two }))
        .await;
    app.drain().await;
    let (calls, embeddings) = (app.objects.calls_in_all(), app.embedder.calls().len());
    let places = [
        json!({ "projectId": one }),
        json!({ "projectId": one, "folderId": top }),
        json!({ "projectId": one, "folderId": below }),
        json!({ "projectId": two }),
        json!({ "unfiled": true }),
    ];
    for to in &places {
        let mut input = to.clone();
        input["assetIds"] = json!([asset]);
        let moved = app.call(&ada, "image_asset_move", input.clone()).await.ok();
        assert_eq!(moved["assets"][0]["moved"], true, "{to}");
        let again = app.call(&ada, "image_asset_move", input).await.ok();
        assert_eq!(again["assets"][0]["moved"], false, "{to}");
        app.assert_coherent("a move").await;
        for place in &places[..4] {
            // A folder alone is its own images; a project is everything in it.
            let mut here = *place == *to
                || (place["folderId"].is_null() && place["projectId"] == to["projectId"]);
            here &= to["unfiled"].is_null();
            let mut wanted: Vec<String> = here.then(|| asset.clone()).into_iter().collect();
            if place["projectId"] == *two {
                wanted.push(other.clone());
            }
            wanted.sort();
            assert_eq!(
                found(&app, &ada, place).await,
                [wanted.clone(), wanted],
                "{to} {place}"
            );
        }
        let deep = json!({ "folderId": top, "includeDescendants": true });
        let inside = to["folderId"].is_string();
        assert_eq!(
            found(&app, &ada, &deep).await.map(|ids| !ids.is_empty()),
            [inside; 2],
            "{to}"
        );
    }
    assert_eq!(app.objects.calls_in_all(), calls, "no byte is touched");
    let queries = app.embedder.calls().len() - embeddings;
    let repeated = app.embedder.calls().into_iter().skip(embeddings);
    assert_eq!(
        repeated
            .filter(|(_, task)| task.name() == "retrieval.query")
            .count(),
        queries
    );
    let lines = "select count(*) from mem_provenance where operation = 'asset_move'";
    assert_eq!(
        app.database.number(lines).await,
        5,
        "what is there already leaves no line"
    );
}

#[tokio::test]
async fn all_move_or_none() {
    let app = TestApp::new().await;
    let (ada, bob) = (app.caller("ada").await, app.caller("bob").await);
    app.share(&bob, &ada, common::contract::Membership::Write)
        .await;
    let one = app.project(&ada, "Library", "One").await;
    let first = app.save(&ada, [1, 1, 1], json!({})).await;
    let gone = app.save(&ada, [2, 2, 2], json!({})).await;
    let shared = app.save(&bob, [3, 3, 3], json!({})).await;
    let theirs = app.project(&bob, "Library", "Theirs").await;
    app.call(&ada, "image_asset_delete", json!({ "assetIds": [gone] }))
        .await
        .ok();
    for (assets, project, code) in [
        (json!([first, gone]), &one, "not_found"),
        (
            json!([first, "ast_01ARZ3NDEKTSV4RRFFQ69G5FAV"]),
            &one,
            "not_found",
        ),
        (json!([first, shared]), &one, "invalid_argument"),
        // A project of another vault, though the caller may write there.
        (json!([first]), &theirs, "not_found"),
        (json!([shared]), &one, "not_found"),
    ] {
        let input = json!({ "assetIds": assets, "projectId": project });
        let answer = app.call(&ada, "image_asset_move", input).await;
        assert_eq!(answer.code(), code, "{assets}");
    }
    let moved = "select count(*) from mem_assets where project_id is not null";
    assert_eq!(app.database.number(moved).await, 0);
    let input = json!({ "assetIds": [shared], "projectId": theirs });
    app.call(&ada, "image_asset_move", input).await.ok();
    assert_eq!(app.database.number(moved).await, 1);
}
