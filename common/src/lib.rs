//! Everything of image-memory that is not an entry point; `docs/architecture.md` is the map.

pub mod error;
pub mod ids;
pub mod imaging;
pub mod limits;
pub mod ports;
