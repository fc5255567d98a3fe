//! The ports in memory, and a clock that stands still, for tests of everything above them.

mod clock;

pub use clock::TestClock;
