//! What a call of each tool asks of the database: statements, and round trips, which cost most in a function
//! far from its database. A call that asks for more than its budget fails here.

use common::store::Store;
use functions::tools::TOOLS;
use serde_json::{Value, json};
use tests::{TestApp, pictures};

use crate::support::meter::Meter;

/// Tool, statements, round trips, of a typical call. Verifying the key is part of each.
const BUDGETS: &[(&str, usize, usize)] = &[
    ("image_asset_save", 28, 18),
    ("image_asset_get", 13, 6),
    ("image_asset_search", 23, 11),
    ("image_asset_list", 16, 8),
    ("image_asset_move", 12, 6),
    ("image_asset_delete", 18, 8),
    ("image_project_create", 9, 5),
    ("image_project_list", 8, 4),
    ("image_folder_create", 11, 7),
    ("image_folder_list", 8, 4),
    ("vault_list", 4, 2),
    ("image_usage_get", 12, 4),
];

#[tokio::test]
async fn each_call_keeps_to_its_budget() {
    let mut app = TestApp::new().await;
    let meter = Meter::before(&app.database).await;
    app.app.store = Store::new(meter.url(), 1).unwrap();
    let ada = app.caller("ada").await;
    let project = app.project(&ada, "Library", "One").await;
    let folder = app.folder(&ada, &project, None, "Top").await;
    let asset = app
        .save(&ada, [200, 20, 20], json!({ "title": "red" }))
        .await;
    app.drain().await;
    let picture = pictures::base64(&pictures::plain([20, 20, 200]));
    let calls: &[(&str, Value)] = &[
        (
            "image_asset_save",
            json!({ "imageBase64": picture, "title": "blue", "tags": ["a"], "projectId": project }),
        ),
        (
            "image_asset_get",
            json!({ "assetId": asset, "links": ["preview"] }),
        ),
        (
            "image_asset_search",
            json!({ "query": "red", "projectId": project }),
        ),
        (
            "image_asset_list",
            json!({ "projectId": project, "previews": true }),
        ),
        (
            "image_asset_move",
            json!({ "assetIds": [asset], "projectId": project, "folderId": folder }),
        ),
        ("image_asset_delete", json!({ "assetIds": [asset] })),
        ("image_project_create", json!({ "name": "Two" })),
        ("image_project_list", json!({})),
        (
            "image_folder_create",
            json!({ "projectId": project, "parentId": folder, "name": "Below" }),
        ),
        ("image_folder_list", json!({ "projectId": project })),
        ("vault_list", json!({})),
        ("image_usage_get", json!({})),
    ];
    let mut over = Vec::new();
    println!("{:<24} statements  round trips", "tool");
    for tool in TOOLS {
        let name = tool.meta.name;
        let call = calls.iter().find(|(of, _)| *of == name);
        let (_, input) =
            call.unwrap_or_else(|| panic!("say in tests/it/budget.rs how {name} is called"));
        meter.take();
        app.call(&ada, name, input.clone()).await.ok();
        let (statements, trips) = meter.take();
        println!("{name:<24} {statements:>10}  {trips:>11}");
        let budget = BUDGETS.iter().find(|(of, ..)| *of == name);
        if budget.is_none_or(|(_, most, trips_most)| statements > *most || trips > *trips_most) {
            over.push((name, statements, trips));
        }
    }
    assert!(over.is_empty(), "over budget: {over:?}");
}
