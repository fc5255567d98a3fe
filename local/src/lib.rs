//! image-memory on one machine: what the same handlers need there instead of an account in a cloud.

pub mod bring;
pub mod dev_dir;
pub mod embedder;
pub mod postgres;
mod random;
