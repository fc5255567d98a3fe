//! What the list of tools costs the model that reads it.

use common::contract::Toolset;
use functions::tools::TOOLS;
use serde_json::json;
use tests::{TestApp, mcp::Generation};

/// Most tools that are listed unasked: with more, models choose worse.
const TOOLS_MAX: usize = 20;

/// Most bytes of the listed tools. They may take 6,000 tokens. Counted by `o200k_base`, the list has 3.96
/// bytes a token (4.05 by `cl100k_base`), so that this bound is met at 5,800.
const BYTES_MAX: usize = 23_000;

#[tokio::test]
async fn the_core_toolset_is_small_enough_to_be_read_in_each_conversation() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let answer = app.rpc(Generation::MODERN, &ada.key, "tools/list", json!({}));
    let tools = answer.await.result()["tools"].clone();
    let core = TOOLS
        .iter()
        .filter(|entry| entry.meta.toolset == Toolset::Core);
    let listed = tools.as_array().unwrap().len();
    assert_eq!(listed, core.count(), "all of them are counted");
    assert!(listed <= TOOLS_MAX, "{listed} tools");
    let bytes = tools.to_string().len();
    assert!(bytes <= BYTES_MAX, "{bytes} bytes");
}
