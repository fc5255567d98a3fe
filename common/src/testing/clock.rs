//! A clock that moves only when told to.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use time::{OffsetDateTime, macros::datetime};

use crate::ports::Clock;

/// A clock that stands still until it is set or advanced. Shared by reference; starts on
/// 2026-01-01T00:00:00Z unless told otherwise.
#[derive(Debug)]
pub struct TestClock {
    now: Mutex<OffsetDateTime>,
}

impl TestClock {
    /// A clock that says `now`.
    #[must_use]
    pub const fn new(now: OffsetDateTime) -> Self {
        Self {
            now: Mutex::new(now),
        }
    }

    /// Makes it say `now`; going back is allowed.
    pub fn set(&self, now: OffsetDateTime) {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }

    /// Moves it forward.
    pub fn advance(&self, by: Duration) {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) += by;
    }
}

impl Default for TestClock {
    fn default() -> Self {
        Self::new(datetime!(2026-01-01 00:00 UTC))
    }
}

impl Clock for TestClock {
    fn now(&self) -> OffsetDateTime {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_moves_only_when_told_to() {
        let clock = TestClock::default();
        let start = clock.now();
        assert_eq!(clock.now(), start);
        clock.advance(Duration::from_secs(90));
        assert_eq!(clock.now() - start, Duration::from_secs(90));
        clock.set(start);
        assert_eq!(clock.now(), start);
    }
}
