//! The wall clock. Everything else is given its time.

use time::OffsetDateTime;

use crate::ports::Clock;

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is where time comes from")]
    fn now(&self) -> OffsetDateTime {
        OffsetDateTime::now_utc()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_tells_a_time_after_this_was_written() {
        assert!(SystemClock.now().year() >= 2025);
        assert!(SystemClock.millis() > 1_735_689_600_000);
    }
}
