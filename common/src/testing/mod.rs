//! The ports in memory, and a clock that stands still, for tests of everything above them.
//!
//! They keep the contracts of the real forms: `object_store_contract` is run on every object store.

mod clock;
mod memory_objects;
mod memory_queue;
pub mod object_store_contract;

pub use clock::TestClock;
pub use memory_objects::{MemoryObjects, Verb};
pub use memory_queue::MemoryQueue;
