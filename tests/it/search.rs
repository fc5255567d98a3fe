//! `image_asset_search`: right, complete, filtered, paged, and only of what may be read.

use std::time::Duration;

use common::{domain::status::Representation, ports::EmbedTask};
use serde_json::{Value, json};
use tests::{Caller, TestApp, pictures};

async fn search(app: &TestApp, caller: &Caller, input: Value) -> Value {
    app.call(caller, "image_asset_search", input).await.ok()
}

fn ids(found: &Value) -> Vec<String> {
    found["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["assetId"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn words_and_pictures_find_what_they_mean() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let red = app.save(&ada, [220, 10, 10], json!({})).await;
    let green = app.save(&ada, [10, 220, 10], json!({})).await;
    let blue = app.save(&ada, [10, 10, 220], json!({})).await;
    app.drain().await;
    for (word, wanted) in [("red", &red), ("green", &green), ("blue", &blue)] {
        let found = search(&app, &ada, json!({ "query": word, "explain": true })).await;
        assert_eq!(&ids(&found)[0], wanted, "{word}: {found:#}");
        assert_eq!(ids(&found).len(), 3, "one row per asset");
    }
    let picture = pictures::base64(&pictures::plain([200, 30, 20]));
    assert_eq!(
        ids(&search(&app, &ada, json!({ "imageBase64": picture })).await)[0],
        red
    );
    assert_eq!(
        ids(&search(&app, &ada, json!({ "assetId": green })).await)[0],
        green
    );
    let both = search(
        &app,
        &ada,
        json!({ "assetId": green, "query": "blue", "previews": true }),
    )
    .await;
    assert!([&green, &blue].contains(&&ids(&both)[0]));
    let link = both["results"][0]["preview"]["url"].as_str().unwrap();
    assert!(app.objects.read_link(link).is_some());
    // Queries are embedded as queries, and each is charged and recorded once.
    let queries = app
        .embedder
        .calls()
        .iter()
        .filter(|(_, task)| *task == EmbedTask::Query)
        .count();
    assert_eq!(queries, 6);
    assert_eq!(
        app.database
            .number("select count(*) from mem_usage_ledger where source = 'embed_image_query'")
            .await,
        6
    );
    assert_eq!(
        app.database
            .number("select count(*) from mem_provenance where operation = 'asset_search'")
            .await,
        6
    );
    assert_eq!(
        app.database
            .number("select count(*) from mem_asset_objects")
            .await,
        3,
        "a query's picture is not kept"
    );
}

#[tokio::test]
async fn words_of_its_own_help_a_picture_and_it_still_comes_once() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let grey = |level: u8| [level, level, level];
    app.save(&ada, grey(90), json!({})).await;
    let worded = app
        .save(&ada, grey(100), json!({ "description": "the blue one" }))
        .await;
    app.drain().await;
    let found = search(&app, &ada, json!({ "query": "blue", "explain": true })).await;
    assert_eq!((ids(&found).len(), &ids(&found)[0]), (2, &worded));
    let first = &found["results"][0];
    assert_eq!(
        first["explanation"].as_array().unwrap().len(),
        2,
        "{found:#}"
    );
    let cosines = first["explanation"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| part["cosine"].as_f64().unwrap());
    assert_eq!(
        first["score"].as_f64().unwrap(),
        cosines.fold(f64::MIN, f64::max),
        "the best cosine"
    );
}

#[tokio::test]
async fn filters_narrow_before_ranking() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let mut saved = Vec::new();
    for (place, colour) in [[220, 10, 10], [200, 60, 60], [10, 220, 10]]
        .into_iter()
        .enumerate()
    {
        let kind = if place == 1 { "screenshot" } else { "upload" };
        let tags = json!([format!("t{place}"), "all"]);
        let page = format!("https://Shop{place}.example.com/x");
        let input = json!({ "tags": tags, "sourceKind": kind, "sourceRef": { "pageUrl": page } });
        saved.push(app.save(&ada, colour, input).await);
        app.advance(Duration::from_secs(3_600));
    }
    app.drain().await;
    let only = |filter: Value| {
        let mut input = json!({ "query": "red" });
        input
            .as_object_mut()
            .unwrap()
            .extend(filter.as_object().unwrap().clone());
        async { ids(&search(&app, &ada, input).await) }
    };
    assert_eq!(only(json!({ "tags": ["T2"] })).await, [saved[2].clone()]);
    assert_eq!(
        only(json!({ "tags": ["t0", "all"] })).await,
        [saved[0].clone()]
    );
    assert!(only(json!({ "tags": ["t0", "t1"] })).await.is_empty());
    assert_eq!(
        only(json!({ "sourceKinds": ["screenshot"] })).await,
        [saved[1].clone()]
    );
    assert_eq!(
        only(json!({ "sourceHosts": ["SHOP2.example.com.", "elsewhere.org"] })).await,
        [saved[2].clone()]
    );
    assert!(
        only(json!({ "sourceHosts": ["example.com"] }))
            .await
            .is_empty()
    );
    assert_eq!(only(json!({ "mimeTypes": ["image/png"] })).await.len(), 3);
    assert!(only(json!({ "mimeTypes": ["image/gif"] })).await.is_empty());
    // Half open: from is in, before is out.
    let (from, before) = ("2026-01-01T01:00:00Z", "2026-01-01T02:00:00Z");
    assert_eq!(
        only(json!({ "createdFrom": from, "createdBefore": before })).await,
        [saved[1].clone()]
    );
    assert_eq!(
        only(json!({ "createdBefore": from })).await,
        [saved[0].clone()]
    );
}

#[tokio::test]
async fn pages_come_once_each_and_are_neither_embedded_nor_charged_again() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let mut all = Vec::new();
    for place in 0..7_u8 {
        all.push(
            app.save(&ada, [200, place, place], json!({ "onDuplicate": "new" }))
                .await,
        );
    }
    app.drain().await;
    let ask = |cursor: &Value| json!({ "query": "red", "limit": 3, "cursor": cursor });
    let (mut seen, mut cursor, mut pages) = (Vec::new(), Value::Null, 0);
    loop {
        let page = search(&app, &ada, ask(&cursor)).await;
        seen.extend(ids(&page));
        cursor = page["nextCursor"].clone();
        pages += 1;
        assert_eq!(page["exhausted"], json!(cursor.is_null()));
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(pages, 3);
    let (mut sorted, mut wanted) = (seen.clone(), all.clone());
    sorted.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(sorted, wanted);
    assert_eq!(
        app.database
            .number("select count(*) from mem_usage_ledger where source = 'embed_image_query'")
            .await,
        1
    );
    let first = search(&app, &ada, ask(&Value::Null)).await["nextCursor"].clone();
    // Another question, another filter, another key of the same person: only the last may go on.
    let other = json!({ "query": "green", "limit": 3, "cursor": first });
    assert_eq!(
        app.call(&ada, "image_asset_search", other).await.code(),
        "invalid_cursor"
    );
    let other = json!({ "query": "red", "limit": 3, "cursor": first, "tags": ["x"] });
    assert_eq!(
        app.call(&ada, "image_asset_search", other).await.code(),
        "invalid_cursor"
    );
    app.advance(Duration::from_secs(601));
    assert_eq!(
        app.call(&ada, "image_asset_search", ask(&first))
            .await
            .code(),
        "invalid_cursor"
    );
}

#[tokio::test]
async fn what_cannot_be_found_yet_is_counted() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    app.save(&ada, [220, 10, 10], json!({})).await;
    let before = search(&app, &ada, json!({ "query": "red" })).await;
    assert_eq!(
        (
            ids(&before).len(),
            &before["unsearchable"],
            &before["candidates"]
        ),
        (0, &json!(1), &json!(0))
    );
    app.drain().await;
    let after = search(&app, &ada, json!({ "query": "red" })).await;
    assert_eq!(
        (
            ids(&after).len(),
            &after["unsearchable"],
            &after["candidates"]
        ),
        (1, &json!(0), &json!(1))
    );
}

#[tokio::test]
async fn nobody_finds_what_is_not_theirs() {
    let app = TestApp::new().await;
    let (ada, bob) = (app.caller("ada").await, app.caller("bob").await);
    app.save(&ada, [220, 10, 10], json!({ "title": "red" }))
        .await;
    app.drain().await;
    let found = search(&app, &bob, json!({ "query": "red" })).await;
    assert_eq!(
        (
            ids(&found).len(),
            &found["candidates"],
            &found["unsearchable"]
        ),
        (0, &json!(0), &json!(0))
    );
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "a test arranges a membership")]
async fn a_member_searches_a_shared_vault_beside_the_own_one() {
    let app = TestApp::new().await;
    let (ada, bob) = (app.caller("ada").await, app.caller("bob").await);
    let hers = app.save(&ada, [220, 10, 10], json!({})).await;
    let his = app.save(&bob, [200, 30, 30], json!({})).await;
    app.drain().await;
    let sql = "insert into mem_vault_members (owner_identity, vault, member_identity, membership, granted_by) \
               select owner_identity, id, 'bob@example.com', 'read', owner_identity from mem_vaults where owner_identity = 'ada@example.com'";
    app.database.admin().await.batch_execute(sql).await.unwrap();
    let found = search(&app, &bob, json!({ "query": "red", "explain": true })).await;
    assert_eq!(ids(&found), [hers.clone(), his]);
    // Ranks run over both owners at once.
    assert_eq!(found["results"][1]["explanation"][0]["rank"], 2);
    let got = app
        .call(&bob, "image_asset_get", json!({ "assetId": hers }))
        .await
        .ok();
    let vault = got["vaultId"].clone();
    // A reader may not write there, and hears so: the vault is no secret to a member.
    let input =
        json!({ "vault": vault, "imageBase64": pictures::base64(&pictures::plain([1, 1, 1])) });
    assert_eq!(
        app.call(&bob, "image_asset_save", input.clone())
            .await
            .code(),
        "forbidden_membership"
    );
    app.database
        .admin()
        .await
        .batch_execute("update mem_vault_members set membership = 'write'")
        .await
        .unwrap();
    let saved = app.call(&bob, "image_asset_save", input).await.ok();
    assert_eq!(saved["vaultId"], vault);
    // Charged to the vault's owner.
    assert_eq!(
        app.database
            .number("select count(*) from mem_assets where owner_identity = 'ada@example.com'")
            .await,
        2
    );
    // Revocation acts on the next call.
    app.database
        .admin()
        .await
        .batch_execute("delete from mem_vault_members")
        .await
        .unwrap();
    assert_eq!(
        app.call(&bob, "image_asset_get", json!({ "assetId": hers }))
            .await
            .code(),
        "not_found"
    );
    assert_eq!(
        ids(&search(&app, &bob, json!({ "query": "red" })).await).len(),
        1
    );
}

#[tokio::test]
async fn the_flags_switch_tools_off_with_stable_errors() {
    let mut app = TestApp::new().await;
    let ada = app.caller("ada").await;
    app.app.settings.search_enabled = false;
    assert_eq!(
        app.call(&ada, "image_asset_search", json!({ "query": "x" }))
            .await
            .code(),
        "search_disabled"
    );
    app.app.settings.feature_enabled = false;
    let answer = app.call(&ada, "image_asset_get", json!({})).await;
    assert_eq!(
        (answer.status.as_u16(), answer.code()),
        (503, "feature_disabled")
    );
}

#[test]
fn there_are_two_representations() {
    // Search runs one leg for each: a third would need a third.
    assert_eq!(Representation::ALL.len(), 2);
}
