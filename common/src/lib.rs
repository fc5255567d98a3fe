//! Everything of image-memory that is not an entry point; `docs/architecture.md` is the map.

pub mod adapters;
pub mod app;
pub mod auth;
pub mod config;
pub mod contract;
pub mod domain;
pub mod error;
pub mod ids;
pub mod imaging;
pub mod limits;
pub mod ports;
pub mod store;
pub mod telemetry;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
