//! Contact sheets and previews as image content.

use base64::{Engine, engine::general_purpose::STANDARD};
use image::{DynamicImage, GenericImageView};
use serde_json::{Value, json};
use tests::{
    Caller, TestApp,
    mcp::{Generation, payload},
};

const COLOURS: [[u8; 3]; 3] = [[220, 20, 20], [20, 220, 20], [20, 20, 220]];

async fn three(app: &TestApp, caller: &Caller) -> Vec<String> {
    let mut assets = Vec::new();
    for colour in COLOURS {
        app.advance(std::time::Duration::from_secs(1));
        assets.push(app.save(caller, colour, json!({})).await);
    }
    app.drain().await;
    assets
}

/// The picture beside an answer, and how many bytes it has.
fn picture(result: &Value) -> (DynamicImage, usize) {
    let content = &result["content"][1];
    assert_eq!(content["type"], "image", "{result:#}");
    decoded(content["data"].as_str().unwrap(), &content["mimeType"])
}

fn decoded(data: &str, mime_type: &Value) -> (DynamicImage, usize) {
    assert_eq!(mime_type, "image/webp");
    let bytes = STANDARD.decode(data).unwrap();
    (image::load_from_memory(&bytes).unwrap(), bytes.len())
}

fn near(got: [u8; 4], wanted: [u8; 3]) -> bool {
    got.iter()
        .zip(wanted)
        .all(|(got, wanted)| got.abs_diff(wanted) < 24)
}

/// The colour at the middle of a tile of a sheet with two columns.
fn tile(sheet: &DynamicImage, place: u32) -> [u8; 4] {
    let (cell, column, row) = (sheet.width() / 2, place % 2, place / 2);
    sheet
        .get_pixel(column * cell + cell / 2, row * cell + cell / 2)
        .0
}

#[tokio::test]
async fn a_sheet_shows_the_rows_in_their_order() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let assets = three(&app, &ada).await;
    for (tool, input, rows) in [
        (
            "image_asset_list",
            json!({ "contactSheet": true }),
            "assets",
        ),
        (
            "image_asset_search",
            json!({ "query": "red", "contactSheet": true }),
            "results",
        ),
    ] {
        for generation in [Generation::LEGACY[2], Generation::MODERN] {
            let result = app
                .rpc_call(generation, &ada.key, tool, input.clone())
                .await;
            let (sheet, bytes) = picture(&result);
            assert!(bytes < 200_000);
            let rows = &payload(&result)[rows];
            assert_eq!(rows.as_array().unwrap().len(), 3);
            for (place, row) in rows.as_array().unwrap().iter().enumerate() {
                let which = assets
                    .iter()
                    .position(|asset| row["assetId"] == **asset)
                    .unwrap();
                let colour = tile(&sheet, u32::try_from(place).unwrap());
                assert!(near(colour, COLOURS[which]), "{tool} {place}: {colour:?}");
            }
        }
        let http = app.call(&ada, tool, input).await.ok();
        assert!(
            !http.to_string().contains("webp"),
            "over HTTP there is no picture"
        );
    }
}

#[tokio::test]
async fn nothing_is_shown_unasked_and_a_page_without_rows_has_no_sheet() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let none = json!({ "contactSheet": true });
    let result = app
        .rpc_call(Generation::MODERN, &ada.key, "image_asset_list", none)
        .await;
    assert_eq!(result["content"].as_array().unwrap().len(), 1);
    three(&app, &ada).await;
    for input in [json!({}), json!({ "contactSheet": false })] {
        let result = app
            .rpc_call(Generation::MODERN, &ada.key, "image_asset_list", input)
            .await;
        assert_eq!(result["content"].as_array().unwrap().len(), 1);
    }
}

async fn links(app: &TestApp) -> i64 {
    let lines = "select count(*) from mem_access_log where outcome = 'link'";
    app.database.number(lines).await
}

#[tokio::test]
async fn a_quarantined_image_is_blank_and_each_shown_one_is_noted() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let assets = three(&app, &ada).await;
    let quarantine = format!(
        "update mem_asset_objects set status = 'quarantined' \
         where id = (select object_id from mem_assets where id = '{}')",
        assets[1]
    );
    app.database.arrange(&quarantine).await;
    let input = json!({ "contactSheet": true });
    let result = app
        .rpc_call(Generation::MODERN, &ada.key, "image_asset_list", input)
        .await;
    let (sheet, _) = picture(&result);
    // Newest first: blue, green, red.
    assert!(near(tile(&sheet, 0), COLOURS[2]));
    assert!(!near(tile(&sheet, 1), COLOURS[1]));
    assert!(near(tile(&sheet, 2), COLOURS[0]));
    assert_eq!(links(&app).await, 2);
    let show = |asset: &str| json!({ "assetId": asset, "showPreview": true });
    let result = app
        .rpc_call(
            Generation::MODERN,
            &ada.key,
            "image_asset_get",
            show(&assets[1]),
        )
        .await;
    assert_eq!(payload(&result)["error"]["code"], "quarantined");
    let result = app
        .rpc_call(
            Generation::MODERN,
            &ada.key,
            "image_asset_get",
            show(&assets[0]),
        )
        .await;
    let (shown, _) = picture(&result);
    assert!(near(shown.get_pixel(16, 12).0, COLOURS[0]));
    assert_eq!(links(&app).await, 3);
}

#[tokio::test]
async fn a_lost_preview_is_a_blank_tile_and_a_lost_store_is_an_error() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    three(&app, &ada).await;
    let previews = app
        .objects
        .keys()
        .into_iter()
        .filter(|key| key.contains("preview"));
    let previews: Vec<String> = previews.collect();
    common::ports::ObjectStore::delete(&*app.objects, &previews[0])
        .await
        .unwrap();
    let input = json!({ "contactSheet": true });
    let result = app
        .rpc_call(
            Generation::MODERN,
            &ada.key,
            "image_asset_list",
            input.clone(),
        )
        .await;
    picture(&result);
    for key in &previews[1..] {
        common::ports::ObjectStore::delete(&*app.objects, key)
            .await
            .unwrap();
    }
    let result = app
        .rpc_call(Generation::MODERN, &ada.key, "image_asset_list", input)
        .await;
    assert_eq!(payload(&result)["error"]["code"], "store_unavailable");
}
