//! The handlers of image-memory. Each entry is a plain async function of an [`common::app::App`] and an
//! event; `docs/architecture.md` is the map.

pub mod embed;
mod intake;
pub mod sweep;
pub mod tools;
pub mod transport;
