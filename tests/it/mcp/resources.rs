//! Images as resources.

use base64::{Engine, engine::general_purpose::STANDARD};
use functions::tools::untrusted::BEGIN;
use image::GenericImageView;
use serde_json::{Value, json};
use tests::{TestApp, mcp::Generation};

#[tokio::test]
async fn an_image_is_read_by_its_address_and_so_is_its_picture() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let asset = app
        .save(&ada, [200, 30, 30], json!({ "title": "red card" }))
        .await;
    for generation in Generation::ALL {
        let templates = app
            .rpc(generation, &ada.key, "resources/templates/list", json!({}))
            .await;
        let templates = templates.result()["resourceTemplates"]
            .as_array()
            .unwrap()
            .clone();
        let uris: Vec<&Value> = templates
            .iter()
            .map(|template| &template["uriTemplate"])
            .collect();
        assert_eq!(
            uris,
            ["image://asset/{assetId}", "image://asset/{assetId}/preview"]
        );
        let listed = app
            .rpc(generation, &ada.key, "resources/list", json!({}))
            .await;
        assert_eq!(listed.result()["resources"], json!([]));

        let uri = format!("image://asset/{asset}");
        let read = app
            .rpc(
                generation,
                &ada.key,
                "resources/read",
                json!({ "uri": uri }),
            )
            .await;
        let contents = &read.result()["contents"][0];
        assert_eq!(
            (&contents["uri"], &contents["mimeType"]),
            (&json!(uri), &json!("application/json"))
        );
        let told: Value = serde_json::from_str(contents["text"].as_str().unwrap()).unwrap();
        assert_eq!(told["assetId"], asset);
        assert!(told["title"].as_str().unwrap().starts_with(BEGIN));

        let uri = format!("image://asset/{asset}/preview");
        let read = app
            .rpc(
                generation,
                &ada.key,
                "resources/read",
                json!({ "uri": uri }),
            )
            .await;
        let contents = &read.result()["contents"][0];
        assert_eq!(contents["mimeType"], "image/webp");
        let bytes = STANDARD.decode(contents["blob"].as_str().unwrap()).unwrap();
        let shown = image::load_from_memory(&bytes).unwrap();
        assert_eq!(shown.dimensions(), (32, 24));
    }
}

#[tokio::test]
async fn what_is_not_there_is_not_found_and_nobody_learns_more() {
    let app = TestApp::new().await;
    let (ada, bob) = (app.caller("ada").await, app.caller("bob").await);
    let foreign = app.save(&bob, [1, 2, 3], json!({})).await;
    for (generation, code) in [
        (Generation::LEGACY[1], -32002),
        (Generation::MODERN, -32602),
    ] {
        let mut bodies = Vec::new();
        for asset in [foreign.as_str(), "ast_01ARZ3NDEKTSV4RRFFQ69G5FAV"] {
            for rest in ["", "/preview"] {
                let uri = format!("image://asset/{asset}{rest}");
                let answer = app
                    .rpc(
                        generation,
                        &ada.key,
                        "resources/read",
                        json!({ "uri": uri }),
                    )
                    .await;
                assert_eq!(answer.body["error"]["code"], code, "{:#}", answer.body);
                bodies.push(
                    answer
                        .body
                        .to_string()
                        .replace(asset, "it")
                        .replace("/preview", ""),
                );
            }
        }
        assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:#?}");
        for uri in [
            "image://asset/",
            "image://asset/x",
            "image://vault/1",
            "https://example.com",
            "",
        ] {
            let answer = app
                .rpc(
                    generation,
                    &ada.key,
                    "resources/read",
                    json!({ "uri": uri }),
                )
                .await;
            assert_eq!(answer.body["error"]["code"], code, "{uri}");
        }
    }
}

#[tokio::test]
async fn a_key_that_may_not_read_reads_no_resource() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let asset = app.save(&ada, [1, 2, 3], json!({})).await;
    let (_, writer) = app.key(&ada.owner, &[common::contract::Scope::Write]).await;
    let uri = format!("image://asset/{asset}");
    for generation in Generation::ALL {
        let answer = app
            .rpc(generation, &writer, "resources/read", json!({ "uri": uri }))
            .await;
        assert_eq!(answer.body["error"]["code"], -32000);
        assert_eq!(answer.body["error"]["data"]["code"], "forbidden_scope");
    }
}
