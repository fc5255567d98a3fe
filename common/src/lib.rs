//! Everything of image-memory that is not an entry point; `docs/architecture.md` is the map.

pub mod adapters;
pub mod domain;
pub mod error;
pub mod ids;
pub mod limits;
pub mod ports;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
