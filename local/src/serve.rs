//! `dev`: the server in the foreground.

use std::{io::Write, net::SocketAddr};

use common::error::{Error, Result};
use tokio::signal::unix::{SignalKind, signal};

use crate::{bring::Progress, demo::key, dev_dir::DevDir, stack::Stack};

/// Runs the stack until SIGINT or SIGTERM.
///
/// # Errors
/// One sentence with its remedy for whatever is missing or taken.
pub async fn run(dev: &DevDir, listen: SocketAddr, say: &Progress<'_>) -> Result<()> {
    let stack = Stack::start(dev, listen, say).await?;
    key::ensure(&stack.app, dev).await?;
    // Nobody may be reading; the server does not end for that.
    writeln!(std::io::stdout(), "{}", greeting(stack.address, dev)).ok();
    let mut interrupted = signal(SignalKind::interrupt()).map_err(Error::internal)?;
    let mut terminated = signal(SignalKind::terminate()).map_err(Error::internal)?;
    tokio::select! {
        _ = interrupted.recv() => {}
        _ = terminated.recv() => {}
    }
    say("stopping");
    stack.stop().await
}

/// Lines to paste into another terminal.
fn greeting(address: SocketAddr, dev: &DevDir) -> String {
    let key = key::path(dev);
    let key = key.display();
    format!(
        "\nimage-memory listens on http://{address}. In another terminal:\n\n\
         export KEY=$(cat {key})\n\n\
         # save a picture\n\
         base64 < picture.jpg | tr -d '\\n' | sed 's/.*/{{\"title\":\"My picture\",\"imageBase64\":\"&\"}}/' | \\\n  \
         curl -sS http://{address}/v1/tools/image_asset_save -H \"Authorization: Bearer $KEY\" --data-binary @-\n\n\
         # find it by words\n\
         curl -sS http://{address}/v1/tools/image_asset_search -H \"Authorization: Bearer $KEY\" \\\n  \
         -d '{{\"query\":\"a cat\",\"limit\":3,\"previews\":true}}'\n\n\
         # read one; links end within five minutes\n\
         curl -sS http://{address}/v1/tools/image_asset_get -H \"Authorization: Bearer $KEY\" \\\n  \
         -d '{{\"assetId\":\"ast_…\",\"links\":[\"preview\",\"original\"]}}'\n\n\
         # give it to an agent\n\
         claude mcp add --transport http image-memory http://{address}/mcp --header \"Authorization: Bearer $KEY\"\n\n\
         Stop with Ctrl-C."
    )
}
