//! A queue in memory: what was sent lies there until a test takes it.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use time::OffsetDateTime;

use crate::{
    error::{Error, ErrorCode, Result},
    ports::{Clock, Queue},
};

/// Sent bodies with the time from which each is due.
pub struct MemoryQueue {
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// In the order in which they were sent.
    waiting: Vec<(OffsetDateTime, String)>,
    sent: usize,
    to_fail: usize,
}

impl MemoryQueue {
    /// An empty queue that counts delays from `clock`.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            state: Mutex::default(),
        }
    }

    /// Takes what is due at `now`, the longest due first and what was sent first among equals.
    #[must_use]
    pub fn take_due(&self, now: OffsetDateTime) -> Vec<String> {
        let mut state = self.state();
        let (mut due, later): (Vec<_>, Vec<_>) = std::mem::take(&mut state.waiting)
            .into_iter()
            .partition(|(from, _)| *from <= now);
        state.waiting = later;
        // Stable, so that equals keep their order.
        due.sort_by_key(|(from, _)| *from);
        due.into_iter().map(|(_, body)| body).collect()
    }

    /// When the next body is due.
    #[must_use]
    pub fn next_due(&self) -> Option<OffsetDateTime> {
        self.state().waiting.iter().map(|(from, _)| *from).min()
    }

    /// How many bodies wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.state().waiting.len()
    }

    /// How many bodies were ever sent.
    #[must_use]
    pub fn sent(&self) -> usize {
        self.state().sent
    }

    /// Makes the next `count` sends fail and send nothing.
    pub fn fail_next(&self, count: usize) {
        self.state().to_fail = count;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Queue for MemoryQueue {
    async fn send(&self, bodies: &[String], delay: Duration) -> Result<()> {
        let delay: time::Duration = delay.try_into().map_err(Error::internal)?;
        let due = self.clock.now() + delay;
        let mut state = self.state();
        if state.to_fail > 0 {
            state.to_fail -= 1;
            return Err(Error::new(
                ErrorCode::Internal,
                "the queue was told to fail",
            ));
        }
        state.sent += bodies.len();
        state
            .waiting
            .extend(bodies.iter().map(|body| (due, body.clone())));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestClock;

    async fn send(queue: &MemoryQueue, body: &str, seconds: u64) {
        queue
            .send(&[body.to_owned()], Duration::from_secs(seconds))
            .await
            .unwrap();
    }

    #[tokio::test]
    async fn bodies_come_when_they_are_due_and_once() {
        let clock = Arc::new(TestClock::default());
        let queue = MemoryQueue::new(clock.clone());
        send(&queue, "late", 60).await;
        send(&queue, "soon", 10).await;
        send(&queue, "now", 0).await;
        send(&queue, "now too", 0).await;
        assert_eq!(queue.take_due(clock.now()), ["now", "now too"]);
        assert_eq!(queue.take_due(clock.now()), [""; 0]);
        assert_eq!(
            queue.next_due(),
            Some(clock.now() + time::Duration::seconds(10))
        );
        clock.advance(Duration::from_secs(60));
        assert_eq!(queue.take_due(clock.now()), ["soon", "late"]);
        assert_eq!(
            (queue.waiting(), queue.sent(), queue.next_due()),
            (0, 4, None)
        );
    }

    #[tokio::test]
    async fn a_failed_send_sends_nothing() {
        let queue = MemoryQueue::new(Arc::new(TestClock::default()));
        queue.fail_next(1);
        assert!(queue.send(&["x".to_owned()], Duration::ZERO).await.is_err());
        assert_eq!(queue.waiting(), 0);
        send(&queue, "x", 0).await;
        assert_eq!(queue.waiting(), 1);
    }
}
