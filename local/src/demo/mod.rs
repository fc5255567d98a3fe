//! The demo: ten photographs in, found again by words and by altered copies, over real HTTP.

mod altered;
pub mod key;
mod queries;
mod report;

use std::{collections::HashMap, path::Path, process::ExitCode, time::Instant};

use base64::{Engine, engine::general_purpose::STANDARD};
use common::error::{Error, ErrorCode, Result};
use serde_json::{Value, json};

use self::{queries::QUERIES, report::Answer};
use crate::{bring::Progress, client::Client, dev_dir::DevDir, stack::Stack};

/// What the local embedder is, and what it is not.
const HONESTLY: &str = "\nEmbedder: local-conse-v1, an ImageNet classifier joined to a sentence model (ConSE). It finds common \
     objects and similar pictures without a key; it knows no people, logos, maps or drawings, and its nearest picture \
     may be far. jina-embeddings-v5-omni-small, which a deployment uses, compares words and pictures in one learned \
     space and reads text inside pictures.";

/// A photograph and where it is kept.
struct Photo {
    name: String,
    bytes: Vec<u8>,
    asset: String,
}

/// Runs the demo; the exit code says whether what it found is good enough.
///
/// # Errors
/// One sentence with its remedy for whatever is missing; the server's own errors.
pub async fn run(dev: &DevDir, photos: &Path, say: &Progress<'_>) -> Result<ExitCode> {
    let stack = Stack::start(dev, ([127, 0, 0, 1], 0).into(), say).await?;
    let outcome = ask_everything(&stack, dev, photos, say).await;
    stack.stop().await?;
    let (by_words, by_copy) = outcome?;
    println!("{}", report::table("By words", &by_words));
    println!(
        "{}",
        report::table(
            "By a copy: cropped to 80 %, turned by 5 degrees, JPEG quality 60",
            &by_copy
        )
    );
    println!("{HONESTLY}");
    let faults = report::shortcomings(&by_words, &by_copy);
    for fault in &faults {
        eprintln!("not good enough: {fault}");
    }
    Ok(if faults.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

async fn ask_everything(
    stack: &Stack,
    dev: &DevDir,
    photos: &Path,
    say: &Progress<'_>,
) -> Result<(Vec<Answer>, Vec<Answer>)> {
    let key = key::ensure(&stack.app, dev).await?;
    let client = Client::new(stack.address, key);
    let photos = save_all(&client, photos, say).await?;
    wait_all(&client, &photos, say).await?;
    let names: HashMap<&str, &str> = photos
        .iter()
        .map(|photo| (photo.asset.as_str(), photo.name.as_str()))
        .collect();
    say("asking ten questions");
    let mut by_words = Vec::new();
    for (wanted, asked) in QUERIES {
        let input = json!({ "query": asked });
        by_words.push(ask(&client, &names, format!("\"{asked}\""), wanted, input).await?);
    }
    say("asking by an altered copy of each photograph");
    let mut by_copy = Vec::new();
    for photo in &photos {
        let copy = STANDARD.encode(altered::altered(&photo.bytes)?);
        let asked = format!("copy of {}", photo.name);
        by_copy.push(
            ask(
                &client,
                &names,
                asked,
                &photo.name,
                json!({ "imageBase64": copy }),
            )
            .await?,
        );
    }
    Ok((by_words, by_copy))
}

/// Saves every photograph of the directory, without title, description or alternative text.
async fn save_all(client: &Client, directory: &Path, say: &Progress<'_>) -> Result<Vec<Photo>> {
    let names = QUERIES.map(|(name, _)| name);
    let mut photos = Vec::new();
    for (place, name) in names.iter().enumerate() {
        let path = directory.join(name);
        let bytes = std::fs::read(&path).map_err(|error| {
            let message = format!(
                "{} cannot be read; run this in the project's folder",
                path.display()
            );
            Error::new(ErrorCode::InvalidArgument, message).because(error)
        })?;
        let input = json!({ "imageBase64": STANDARD.encode(&bytes), "onDuplicate": "existing" });
        let saved = client.call("image_asset_save", &input).await?;
        let fate = if saved["deduplicated"] == "none" {
            "saved"
        } else {
            "there already"
        };
        say(&format!("{:>2}/{} {name}: {fate}", place + 1, names.len()));
        photos.push(Photo {
            name: (*name).to_owned(),
            bytes,
            asset: text(&saved, "assetId")?,
        });
    }
    Ok(photos)
}

async fn wait_all(client: &Client, photos: &[Photo], say: &Progress<'_>) -> Result<()> {
    say("waiting until all can be found");
    for photo in photos {
        let input = json!({ "assetId": photo.asset, "waitSeconds": 20 });
        let mut asset = client.call("image_asset_get", &input).await?;
        while asset["status"] == "processing" {
            asset = client.call("image_asset_get", &input).await?;
        }
        if asset["status"] != "ready" {
            let message = format!(
                "{} could not be embedded: {}",
                photo.name, asset["failure"]["message"]
            );
            return Err(Error::new(ErrorCode::Internal, message));
        }
    }
    Ok(())
}

async fn ask(
    client: &Client,
    names: &HashMap<&str, &str>,
    asked: String,
    wanted: &str,
    input: Value,
) -> Result<Answer> {
    let began = Instant::now();
    let answer = client.call("image_asset_search", &input).await?;
    let millis = began.elapsed().as_millis();
    let rows = answer["results"].as_array().cloned().unwrap_or_default();
    let results = rows.iter().map(|row| {
        let asset = row["assetId"].as_str().unwrap_or_default();
        let matched: Vec<&str> = row["matchRepresentations"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let name = names.get(asset).copied().unwrap_or(asset);
        (
            name.to_owned(),
            row["score"].as_f64().unwrap_or_default(),
            matched.join("+"),
        )
    });
    Ok(Answer {
        asked,
        wanted: wanted.to_owned(),
        results: results.collect(),
        millis,
    })
}

fn text(value: &Value, name: &str) -> Result<String> {
    let text = value[name].as_str().map(str::to_owned);
    text.ok_or_else(|| Error::internal(format!("the answer has no {name}")))
}
