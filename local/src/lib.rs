//! image-memory on one machine: the same handlers in one process, what they need there instead of an
//! account in a cloud, and the command line.

pub mod admin;
pub mod bring;
pub mod cli;
pub mod client;
pub mod demo;
pub mod dev_dir;
pub mod embedder;
mod files;
pub mod inspect;
pub mod mcp;
pub mod postgres;
mod random;
pub mod runner;
pub mod serve;
pub mod server;
pub mod shutdown;
pub mod stack;
pub mod with_postgres;
