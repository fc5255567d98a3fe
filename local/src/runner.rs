//! The queue and the worker of one machine: hints wait here, and go to `embed` as the SQS events that the
//! cloud would send.
//!
//! A hint is lost when the process ends. The worker therefore asks Postgres, at start and every few
//! seconds, for jobs that are due although nobody was told. Beside it `sweep` runs once a minute.

use std::{cmp::Reverse, collections::BinaryHeap, time::Duration};

use async_trait::async_trait;
use aws_lambda_events::event::sqs::SqsEvent;
use common::{
    app::App,
    error::{Error, ErrorCode, Result},
    limits,
    ports::Queue,
    store::system,
};
use functions::sweep::Sweep;
use serde_json::json;
use tokio::{sync::mpsc, time::Instant};

use crate::shutdown::Ending;

/// How often lost hints are looked for.
const LOOK: Duration = Duration::from_secs(5);

/// How often `sweep` runs.
const SWEEP: Duration = Duration::from_secs(60);

/// How old a hint must be to count as lost.
const LOST_AFTER: time::Duration = time::Duration::seconds(60);

/// How long a message waits before it comes again.
const REDELIVERY: Duration = Duration::from_secs(2);

/// Most lost hints that are sent again at a time.
const LOST_MAX: i64 = 1_000;

/// A message and when it may be delivered.
type Due = (Instant, String);

/// The sending end.
#[derive(Debug, Clone)]
pub struct LocalQueue(mpsc::UnboundedSender<Due>);

/// The receiving end.
#[derive(Debug)]
pub struct Inbox(mpsc::UnboundedReceiver<Due>);

/// A queue and its inbox.
#[must_use]
pub fn queue() -> (LocalQueue, Inbox) {
    let (sender, receiver) = mpsc::unbounded_channel();
    (LocalQueue(sender), Inbox(receiver))
}

#[async_trait]
impl Queue for LocalQueue {
    async fn send(&self, bodies: &[String], delay: Duration) -> Result<()> {
        for body in bodies {
            self.0
                .send((Instant::now() + delay, body.clone()))
                .map_err(|_| Error::new(ErrorCode::StoreUnavailable, "the worker has ended"))?;
        }
        Ok(())
    }
}

/// Runs `embed` until the end. A batch that is under way is finished.
pub async fn run(app: App, queue: LocalQueue, mut inbox: Inbox, mut ending: Ending) {
    let mut waiting: BinaryHeap<Reverse<Due>> = BinaryHeap::new();
    let mut look = tokio::time::interval(LOOK);
    let mut first = true;
    loop {
        let next = waiting
            .peek()
            .map_or_else(|| Instant::now() + LOOK, |Reverse((due, _))| *due);
        tokio::select! {
            biased;
            () = ending.wait() => return,
            received = inbox.0.recv() => match received {
                Some(message) => waiting.push(Reverse(message)),
                None => return,
            },
            _ = look.tick() => {
                resend(&app, &queue, first).await;
                first = false;
            }
            () = tokio::time::sleep_until(next), if !waiting.is_empty() => {
                let batch = take_due(&mut waiting);
                deliver(&app, &queue, batch).await;
            }
        }
    }
}

/// Sends hints for jobs that are due. After a start every hint counts as lost.
async fn resend(app: &App, queue: &LocalQueue, all: bool) {
    let now = app.clock.now();
    let before = if all { now } else { now - LOST_AFTER };
    let sent = async {
        let ids = system::jobs::due(&app.store, now, before, LOST_MAX).await?;
        let bodies: Vec<String> = ids
            .iter()
            .map(|id| json!({ "jobId": id }).to_string())
            .collect();
        queue.send(&bodies, Duration::ZERO).await
    };
    if let Err(error) = sent.await {
        tracing::warn!(
            error.code = error.code().name(),
            "lost hints could not be looked for"
        );
    }
}

/// Runs `sweep` every now and then until the end. A run that is under way is given up: the next takes it up.
pub async fn keep_swept(app: App, mut ending: Ending) {
    let mut look = tokio::time::interval(SWEEP);
    let sweep = Sweep {
        store: &app.store,
        objects: &*app.objects,
        clock: &*app.clock,
    };
    loop {
        tokio::select! {
            biased;
            () = ending.wait() => return,
            () = async { look.tick().await; swept(sweep).await } => {}
        }
    }
}

async fn swept(sweep: Sweep<'_>) {
    if let Err(error) = sweep.run().await {
        tracing::warn!(
            error.code = error.code().name(),
            "what is due could not be swept"
        );
    }
}

fn take_due(waiting: &mut BinaryHeap<Reverse<Due>>) -> Vec<String> {
    let now = Instant::now();
    let mut batch = Vec::new();
    while batch.len() < limits::EMBED_BATCH_MAX
        && waiting.peek().is_some_and(|Reverse((due, _))| *due <= now)
    {
        batch.extend(waiting.pop().map(|Reverse((_, body))| body));
    }
    batch
}

/// Hands a batch over as the event that SQS sends, through its JSON form.
async fn deliver(app: &App, queue: &LocalQueue, batch: Vec<String>) {
    if batch.is_empty() {
        return;
    }
    let event = match sqs_event(&batch) {
        Ok(event) => event,
        Err(error) => {
            tracing::error!(error.cause = %error, "a batch is no SQS event");
            return;
        }
    };
    let response = functions::embed::handle(app, event).await;
    let again: Vec<String> = response
        .batch_item_failures
        .iter()
        .filter_map(|failure| {
            batch
                .get(failure.item_identifier.parse::<usize>().ok()?)
                .cloned()
        })
        .collect();
    if let Err(error) = queue.send(&again, REDELIVERY).await {
        tracing::warn!(
            error.code = error.code().name(),
            "messages could not be put back"
        );
    }
}

/// The SQS event of these bodies; a message's id is its place.
fn sqs_event(bodies: &[String]) -> serde_json::Result<SqsEvent> {
    let records: Vec<_> = bodies
        .iter()
        .enumerate()
        .map(|(place, body)| {
            json!({
                "messageId": place.to_string(),
                "receiptHandle": place.to_string(),
                "body": body,
                "attributes": {},
                "messageAttributes": {},
                "eventSource": "aws:sqs",
                "eventSourceARN": "arn:aws:sqs:local:000000000000:embed",
                "awsRegion": "local",
            })
        })
        .collect();
    serde_json::from_str(&json!({ "Records": records }).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_what_sqs_sends() {
        let event = sqs_event(&["{\"jobId\":\"a\"}".to_owned(), "not json".to_owned()]).unwrap();
        assert_eq!(event.records.len(), 2);
        assert_eq!(event.records[1].body.as_deref(), Some("not json"));
        assert_eq!(event.records[1].message_id.as_deref(), Some("1"));
    }

    #[tokio::test]
    async fn what_is_due_comes_in_order_and_at_most_ten_at_a_time() {
        let now = Instant::now();
        let mut waiting: BinaryHeap<_> =
            (0..12).map(|n| Reverse((now, format!("{n:02}")))).collect();
        waiting.push(Reverse((now + Duration::from_secs(60), "later".to_owned())));
        assert_eq!(take_due(&mut waiting).len(), limits::EMBED_BATCH_MAX);
        assert_eq!(take_due(&mut waiting), ["10", "11"]);
        assert!(take_due(&mut waiting).is_empty());
        assert_eq!(waiting.len(), 1);
    }
}
