//! The wall clock. Everything else is given its time.

use time::OffsetDateTime;

use crate::ports::Clock;

/// The machine's clock, in whole microseconds: what Postgres keeps, so that an instant reads back as it was
/// answered.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is where time comes from")]
    fn now(&self) -> OffsetDateTime {
        let now = OffsetDateTime::now_utc();
        now.replace_nanosecond(now.nanosecond() / 1_000 * 1_000)
            .unwrap_or(now)
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

    #[test]
    fn it_tells_no_more_than_postgres_keeps() {
        assert!((0..100).all(|_| SystemClock.now().nanosecond().is_multiple_of(1_000)));
    }
}
