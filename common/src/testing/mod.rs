//! The ports in memory, a clock that stands still, and a database per test, for tests of everything above
//! them.

mod clock;
mod database;
mod embedder;
mod memory_objects;
mod memory_queue;
pub mod object_store_contract;

pub use clock::TestClock;
pub use database::TestDatabase;
pub use embedder::{ColourEmbedder, Failure};
pub use memory_objects::{MemoryObjects, Verb};
pub use memory_queue::MemoryQueue;
