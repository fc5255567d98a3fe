//! MCP over HTTP and stdio.

mod answers;
mod door;
mod handshake;
mod listing;
mod messages;
mod pictures;
mod resources;
mod stdio;
