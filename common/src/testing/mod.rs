//! The ports in memory, a clock that stands still, and a database per test, for tests of everything above
//! them.

mod clock;
mod database;
mod embedder;

pub use clock::TestClock;
pub use database::TestDatabase;
pub use embedder::{ColourEmbedder, Failure};
