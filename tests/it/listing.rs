//! Lists: every filter is exact, every order is whole and stable, and pages come once each.

use serde_json::{Value, json};
use tests::{Caller, TestApp, pictures};

/// Ten images of one caller, told apart by title, of which several were saved at the same instant.
async fn shelf() -> (TestApp, Caller, Vec<String>) {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let mut assets = Vec::new();
    for number in 0..10_u8 {
        let input = json!({
            "title": format!("{}{number}", if number % 2 == 0 { "Émile " } else { "emilie " }),
            "tags": if number < 3 { json!(["rare", "all"]) } else { json!(["all"]) },
            "sourceKind": if number == 4 { "screenshot" } else { "upload" },
            "sourceRef": { "pageUrl": format!("https://{}.example.com/x", if number < 5 { "Shop" } else { "blog" }) },
        });
        assets.push(app.save(&ada, [number * 20, 10, 10], input).await);
        if number % 3 == 2 {
            app.advance(std::time::Duration::from_micros(1));
        }
    }
    (app, ada, assets)
}

async fn list(app: &TestApp, caller: &Caller, input: &Value) -> Vec<String> {
    let mut all = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let mut input = input.clone();
        input["cursor"] = cursor;
        let page = app.call(caller, "image_asset_list", input).await.ok();
        let rows = page["assets"].as_array().unwrap();
        all.extend(
            rows.iter()
                .map(|row| row["assetId"].as_str().unwrap().to_owned()),
        );
        cursor = page["nextCursor"].clone();
        if cursor.is_null() {
            return all;
        }
        assert!(
            !rows.is_empty(),
            "a page that is followed by another is not empty"
        );
    }
}

#[tokio::test]
async fn pages_of_any_length_give_the_same_order_even_where_instants_are_equal() {
    let (app, ada, mut assets) = shelf().await;
    // Newest first; of one instant, the greater id.
    assets.reverse();
    for sort in ["created", "title"] {
        let whole = list(&app, &ada, &json!({ "sort": sort, "limit": 100 })).await;
        assert_eq!(whole.len(), 10);
        for limit in [1, 2, 3, 7, 10] {
            let paged = list(&app, &ada, &json!({ "sort": sort, "limit": limit })).await;
            assert_eq!(paged, whole, "{sort} in pages of {limit}");
        }
    }
    let whole = list(&app, &ada, &json!({})).await;
    let instants = "select count(distinct created_at) from mem_assets";
    assert_eq!(app.database.number(instants).await, 4);
    for (place, group) in [(0..1, 9..10), (1..4, 6..9), (4..7, 3..6), (7..10, 0..3)] {
        let mut wanted: Vec<String> =
            assets.iter().rev().cloned().collect::<Vec<_>>()[group].to_vec();
        wanted.sort();
        wanted.reverse();
        assert_eq!(whole[place], wanted);
    }
}

#[tokio::test]
async fn titles_sort_without_regard_to_case_or_form() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let mut wanted = Vec::new();
    for (place, title) in ["_", "a", "B", "ｃ", "Ç", "ß", "z"].iter().enumerate() {
        let colour = [u8::try_from(place).unwrap(), 0, 0];
        wanted.push((
            *title,
            app.save(&ada, colour, json!({ "title": title })).await,
        ));
    }
    let sorted = list(&app, &ada, &json!({ "sort": "title", "limit": 2 })).await;
    let of = |id: &String| wanted.iter().find(|(_, asset)| asset == id).unwrap().0;
    let titles: Vec<&str> = sorted.iter().map(of).collect();
    assert_eq!(titles, ["_", "a", "B", "ｃ", "ß", "z", "Ç"]);
}

#[tokio::test]
async fn each_filter_is_exact_and_filters_narrow_together() {
    let (app, ada, assets) = shelf().await;
    let project = app.project(&ada, "Library", "One").await;
    let top = app.folder(&ada, &project, None, "Top").await;
    let below = app.folder(&ada, &project, Some(&top), "Below").await;
    for (asset, folder) in [(0, Some(&top)), (1, Some(&below)), (2, None)] {
        let input =
            json!({ "assetIds": [assets[asset]], "projectId": project, "folderId": folder });
        app.call(&ada, "image_asset_move", input).await.ok();
    }
    let gif = pictures::base64(include_bytes!("../cases/images/anim.gif"));
    let gif = json!({ "imageBase64": gif, "title": "gif" });
    let gif = app.text(&ada, "image_asset_save", gif, "assetId").await;
    app.drain().await;
    let own = |places: &[usize]| {
        places
            .iter()
            .map(|place| assets[*place].clone())
            .collect::<Vec<_>>()
    };
    let none = Vec::new();
    for (filter, wanted) in [
        (json!({ "projectId": project }), own(&[0, 1, 2])),
        (json!({ "folderId": top }), own(&[0])),
        (
            json!({ "folderId": top, "includeDescendants": true }),
            own(&[0, 1]),
        ),
        (
            json!({ "projectId": project, "folderId": below }),
            own(&[1]),
        ),
        (json!({ "tags": ["RARE"] }), own(&[0, 1, 2])),
        (json!({ "tags": ["rare", "all", "rare"] }), own(&[0, 1, 2])),
        (json!({ "tags": ["rare", "none"] }), none.clone()),
        (json!({ "sourceKinds": ["screenshot"] }), own(&[4])),
        (json!({ "sourceKinds": [] }), none.clone()),
        (
            json!({ "sourceHosts": ["SHOP.example.com."] }),
            own(&[0, 1, 2, 3, 4]),
        ),
        (json!({ "sourceHosts": ["example.com"] }), none.clone()),
        (
            json!({ "sourceHosts": ["shop.example.com", "blog.example.com"], "tags": ["rare"] }),
            own(&[0, 1, 2]),
        ),
        (json!({ "mimeTypes": ["image/gif"] }), vec![gif.clone()]),
        (
            json!({ "statuses": ["processing", "failed"] }),
            none.clone(),
        ),
        (
            json!({ "statuses": ["ready"], "embeddingStatuses": ["ready"], "mimeTypes": ["image/gif"] }),
            vec![gif.clone()],
        ),
        (json!({ "embeddingStatuses": ["pending"] }), none),
        (
            json!({ "folderId": top, "includeDescendants": true, "tags": ["rare"], "sourceHosts": ["shop.example.com"] }),
            own(&[0, 1]),
        ),
    ] {
        let mut got = list(&app, &ada, &filter).await;
        got.sort();
        let mut wanted = wanted;
        wanted.sort();
        assert_eq!(got, wanted, "{filter}");
        let mut by_title = filter.clone();
        by_title["sort"] = "title".into();
        let mut got = list(&app, &ada, &by_title).await;
        got.sort();
        assert_eq!(got, wanted, "{by_title}");
    }
}

#[tokio::test]
async fn dates_are_half_open_and_read_in_any_offset() {
    let (app, ada, assets) = shelf().await;
    for (filter, count) in [
        (json!({ "createdFrom": "2026-01-01T00:00:00Z" }), 10),
        (json!({ "createdFrom": "2026-01-01T00:00:00.000001Z" }), 7),
        (json!({ "createdBefore": "2026-01-01T00:00:00Z" }), 0),
        (json!({ "createdBefore": "2026-01-01T00:00:00.000001Z" }), 3),
        (
            json!({ "createdBefore": "2026-01-01T01:00:00.000001+01:00" }),
            3,
        ),
        (
            json!({ "createdFrom": "2026-01-01T00:00:00.000001Z", "createdBefore": "2026-01-01T00:00:00.000003Z" }),
            6,
        ),
        (
            json!({ "createdFrom": "2027-01-01T00:00:00Z", "createdBefore": "2026-01-01T00:00:00Z" }),
            0,
        ),
    ] {
        assert_eq!(list(&app, &ada, &filter).await.len(), count, "{filter}");
    }
    assert_eq!(assets.len(), 10);
}

#[tokio::test]
async fn what_is_saved_or_deleted_meanwhile_moves_no_other_row_between_pages() {
    let (app, ada, _) = shelf().await;
    let whole = list(&app, &ada, &json!({})).await;
    let first = app
        .call(&ada, "image_asset_list", json!({ "limit": 4 }))
        .await
        .ok();
    app.advance(std::time::Duration::from_secs(1));
    app.save(&ada, [250, 250, 0], json!({})).await;
    // The row that the cursor names goes as well.
    let gone = json!({ "assetIds": [whole[3], whole[5]] });
    app.call(&ada, "image_asset_delete", gone).await.ok();
    let rest = json!({ "limit": 100, "cursor": first["nextCursor"] });
    let rest = app.call(&ada, "image_asset_list", rest).await.ok();
    let rest: Vec<&str> = rest["assets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["assetId"].as_str().unwrap())
        .collect();
    let wanted: Vec<&str> = [4, 6, 7, 8, 9]
        .iter()
        .map(|place| whole[*place].as_str())
        .collect();
    assert_eq!(rest, wanted);
}

#[tokio::test]
async fn one_several_or_all_readable_vaults_are_one_list() {
    let (app, ada, own) = shelf().await;
    app.advance(std::time::Duration::from_secs(1));
    let (bob, cyd) = (app.caller("bob").await, app.caller("cyd").await);
    let mut theirs = Vec::new();
    for (colour, person) in [([1, 0, 0], &bob), ([2, 0, 0], &cyd), ([3, 0, 0], &bob)] {
        theirs.push(app.save(person, colour, json!({})).await);
        app.advance(std::time::Duration::from_secs(1));
    }
    let hers = app.library(&bob).await;
    assert_eq!(list(&app, &ada, &json!({})).await.len(), 10);
    app.share(&bob, &ada, common::contract::Membership::Read)
        .await;
    app.share(&cyd, &ada, common::contract::Membership::Read)
        .await;
    for limit in [1, 3, 100] {
        let all = list(&app, &ada, &json!({ "limit": limit })).await;
        assert_eq!(
            all[..3],
            [theirs[2].clone(), theirs[1].clone(), theirs[0].clone()]
        );
        assert_eq!(all.len(), 13);
    }
    assert_eq!(
        list(&app, &ada, &json!({ "vaults": [hers] })).await.len(),
        2
    );
    assert_eq!(
        list(&app, &ada, &json!({ "vaults": [hers, "library", hers] }))
            .await
            .len(),
        12
    );
    assert_eq!(
        list(&app, &ada, &json!({ "vaults": ["Library"] }))
            .await
            .len(),
        own.len()
    );
    app.unshare(&bob, &ada).await;
    assert_eq!(list(&app, &ada, &json!({})).await.len(), 11);
}

#[tokio::test]
async fn previews_come_on_request_and_each_leaves_its_line() {
    let (app, ada, _) = shelf().await;
    let input = json!({ "limit": 4, "previews": true });
    let page = app.call(&ada, "image_asset_list", input).await.ok();
    for row in page["assets"].as_array().unwrap() {
        let url = row["preview"]["url"].as_str().unwrap();
        assert_eq!(&app.objects.read_link(url).unwrap()[8..12], b"WEBP");
        for left_out in ["sourceRef", "metadata", "sha256"] {
            assert!(row.get(left_out).is_none(), "{left_out}");
        }
    }
    let lines =
        "select count(*) from mem_access_log where outcome = 'link' and tool = 'image_asset_list'";
    assert_eq!(app.database.number(lines).await, 4);
    // A quarantined one is listed and not shown.
    app.database
        .arrange("update mem_asset_objects set status = 'quarantined'")
        .await;
    let input = json!({ "limit": 4, "previews": true });
    let page = app.call(&ada, "image_asset_list", input).await.ok();
    let rows = page["assets"].as_array().unwrap();
    assert!(
        rows.iter()
            .all(|row| row["quarantined"] == true && row["preview"].is_null())
    );
}
