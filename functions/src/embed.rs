//! `embed`: computes vectors. A message only says which job; Postgres says whether it is still wanted, and
//! for whom.
//!
//! All jobs of a batch are leased together; previews are read side by side; there is one provider call per
//! owner, so that its usage is the owner's. A kill anywhere leaves leases that run out: the jobs are then
//! claimed again, up to their attempts. Vector, job, asset status and ledger row are one transaction.

use std::time::Duration;

use aws_lambda_events::event::sqs::{BatchItemFailure, SqsBatchResponse, SqsEvent};
use common::{
    app::App,
    domain::{
        fused_text::{AssetWords, fused_text},
        status::{Representation, backoff},
        vector::validate,
    },
    error::{Error, ErrorCode, Result},
    ids::{JobId, RequestId},
    limits,
    ports::{EmbedImage, EmbedInput, EmbedTask, EmbedUsage, read_preview},
    store::{
        jobs::{self, Outcome},
        system::jobs::{ClaimedJob, ExhaustedJob, claim},
        usage::{Call, Source},
    },
};
use futures_util::future::join_all;
use serde::Deserialize;
use time::OffsetDateTime;

/// Longest delay that a queue takes.
const HINT_DELAY_MAX: Duration = Duration::from_secs(900);

/// What a hint says.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Hint {
    job_id: JobId,
}

/// Runs the jobs that a batch of messages hints at. The answer names the messages that should come again:
/// only those of an outage of our own; a job that is to be attempted again sends its own new hint.
pub async fn handle(app: &App, event: SqsEvent) -> SqsBatchResponse {
    let mut response = SqsBatchResponse::default();
    let mut hints: Vec<(JobId, Option<String>)> = Vec::new();
    for record in event.records {
        match serde_json::from_str::<Hint>(record.body.as_deref().unwrap_or_default()) {
            Ok(hint) => hints.push((hint.job_id, record.message_id)),
            // Coming again would not make it one.
            Err(_) => tracing::error!(
                error.code = "bad_hint",
                "accepted a message that names no job"
            ),
        }
    }
    let mut ids: Vec<JobId> = hints.iter().map(|(id, _)| id.clone()).collect();
    ids.sort_unstable();
    ids.dedup();
    if let Err(error) = run(app, &ids).await {
        tracing::error!(
            error.code = error.code().name(),
            job.count = ids.len(),
            "a batch of jobs could not be run"
        );
        response.batch_item_failures = hints
            .into_iter()
            .filter_map(|(_, message)| message)
            .map(|message| {
                let mut failure = BatchItemFailure::default();
                failure.item_identifier = message;
                failure
            })
            .collect();
    }
    response
}

async fn run(app: &App, ids: &[JobId]) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let now = app.clock.now();
    let lease = RequestId::generate(app.clock.millis());
    let claim = claim(&app.store, ids, &lease, now).await?;
    for (id, due) in &claim.waiting {
        hint_later(app, id, *due, now).await?;
    }
    for job in &claim.exhausted {
        exhaust(app, job).await?;
    }
    let mut rest = claim.jobs;
    while let Some(first) = rest.first().cloned() {
        let (group, others): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|job| job.same_owner(&first));
        rest = others;
        run_owner(app, group).await?;
    }
    Ok(())
}

/// A hint that came too early goes out anew, and the old one is accepted.
async fn hint_later(app: &App, id: &JobId, due: OffsetDateTime, now: OffsetDateTime) -> Result<()> {
    let delay = Duration::try_from(due - now)
        .unwrap_or_default()
        .min(HINT_DELAY_MAX);
    app.queue
        .send(&[serde_json::json!({ "jobId": id }).to_string()], delay)
        .await
}

async fn exhaust(app: &App, job: &ExhaustedJob) -> Result<()> {
    let (access, now) = (job.access(), app.clock.now());
    let access = &access;
    app.store
        .run_tx("embed.exhaust", access, |tx| async move {
            jobs::exhaust(&tx, access, job, app.embedder.model(), now).await
        })
        .await
}

/// Runs the jobs of one owner with one provider call.
async fn run_owner(app: &App, group: Vec<ClaimedJob>) -> Result<()> {
    let began = app.clock.now();
    let loaded = join_all(group.iter().map(|job| load(app, job))).await;
    let mut outcomes: Vec<Option<Outcome>> = Vec::with_capacity(group.len());
    let mut inputs = Vec::new();
    for (job, loaded) in group.iter().zip(loaded) {
        match loaded {
            Ok(input) => {
                inputs.push(input);
                outcomes.push(None);
            }
            Err(outcome) => outcomes.push(Some(outcome(job))),
        }
    }
    let (call, mut vectors) = embed(app, &group, &inputs, &outcomes).await;
    let outcomes: Vec<(ClaimedJob, Outcome)> = group
        .into_iter()
        .zip(outcomes)
        .map(|(job, outcome)| {
            let outcome = outcome.or_else(|| vectors.pop());
            let lost = || {
                Outcome::Failed(Error::new(
                    ErrorCode::BadVector,
                    "an input came back without its vector",
                ))
            };
            (job, outcome.unwrap_or_else(lost))
        })
        .collect();
    let now = app.clock.now();
    let outcomes = &outcomes;
    let call = call.as_ref();
    if let Some((first, _)) = outcomes.first() {
        let access = &first.access();
        let finished = app.store.run_tx("embed.finish", access, |tx| async move {
            jobs::finish(&tx, access, outcomes, call, app.embedder.model(), now).await
        });
        finished.await?;
    }
    for (job, outcome) in outcomes {
        report(job, outcome, now - began);
        if let Outcome::Retry { at, .. } = outcome {
            hint_later(app, &job.id, *at, now).await?;
        }
    }
    Ok(())
}

type Refused = Box<dyn FnOnce(&ClaimedJob) -> Outcome + Send>;

/// Reads what the provider is to see: only ever the preview, and words of the asset's own.
async fn load(app: &App, job: &ClaimedJob) -> Result<EmbedInput, Refused> {
    if !job.wanted {
        return Err(Box::new(|_| Outcome::Cancelled));
    }
    if job.model != app.embedder.model() {
        let message = "this deployment does not run the model that the job wants";
        return Err(Box::new(move |_| {
            Outcome::Failed(Error::new(ErrorCode::ProviderUnavailable, message))
        }));
    }
    let now = app.clock.now();
    let webp = match read_preview(&*app.objects, &job.preview_storage_key).await {
        Ok(webp) => webp,
        Err(error) => return Err(Box::new(move |job| retry_or_fail(job, error, now))),
    };
    let image = EmbedImage { webp };
    let words = AssetWords {
        given_title: job.title.as_deref(),
        alt_text: job.alt_text.as_deref(),
        description: job.description.as_deref(),
        source_host: job.source_host.as_deref(),
    };
    Ok(match (job.representation, fused_text(&words)) {
        (Representation::Fused, Some(text)) => EmbedInput::Fused { image, text },
        (Representation::Fused | Representation::Visual, _) => EmbedInput::Image(image),
    })
}

/// Calls the provider for the jobs that have an input. The outcomes come in reverse, to be popped.
async fn embed(
    app: &App,
    group: &[ClaimedJob],
    inputs: &[EmbedInput],
    settled: &[Option<Outcome>],
) -> (Option<Call>, Vec<Outcome>) {
    let open: Vec<&ClaimedJob> = group
        .iter()
        .zip(settled)
        .filter(|(_, outcome)| outcome.is_none())
        .map(|(job, _)| job)
        .collect();
    if open.is_empty() {
        return (None, Vec::new());
    }
    let now = app.clock.now();
    let answer = app
        .embedder
        .embed(inputs, EmbedTask::Passage, app.settings.provider_deadline)
        .await;
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => {
            let message = error.message().to_owned();
            let again = |job: &&ClaimedJob| {
                let mut one = Error::new(error.code(), message.clone());
                if let Some(seconds) = error.retry_after_seconds() {
                    one = one.retry_after(seconds);
                }
                retry_or_fail(job, one, now)
            };
            return (None, open.iter().rev().map(again).collect());
        }
    };
    let shares = shares(answer.usage, open.len());
    let call = Call {
        id: RequestId::generate(app.clock.millis()),
        source: Source::Document,
        model: app.embedder.model().to_owned(),
        inputs: open.len(),
        usage: answer.usage,
        provider_request_id: answer.provider_request_id,
    };
    let mut given = answer.outcomes.into_iter();
    let mut outcomes: Vec<Outcome> = open
        .iter()
        .zip(shares)
        .map(|(job, usage)| {
            let missing = || {
                Err(Error::new(
                    ErrorCode::BadVector,
                    "an input came back without its vector",
                ))
            };
            let vector = given.next().unwrap_or_else(missing);
            match vector.and_then(|vector| validate(&vector).map(|()| vector)) {
                Ok(vector) => Outcome::Done { vector, usage },
                Err(error) => retry_or_fail(job, error, now),
            }
        })
        .collect();
    outcomes.reverse();
    (Some(call), outcomes)
}

/// A failure that a repeat may mend is repeated while there are attempts; any other is final.
fn retry_or_fail(job: &ClaimedJob, error: Error, now: OffsetDateTime) -> Outcome {
    if !error.code().retryable() || job.attempts >= job.max_attempts {
        return Outcome::Failed(error);
    }
    let attempt = u32::try_from(job.attempts).unwrap_or(u32::MAX);
    let asked = error
        .retry_after_seconds()
        .map(|seconds| Duration::from_secs(seconds.into()));
    let wait = backoff(attempt, jitter(job), asked);
    Outcome::Retry {
        at: now + wait,
        error,
        counts: true,
    }
}

/// A number from 0 to 1 that differs from job to job and attempt to attempt.
fn jitter(job: &ClaimedJob) -> f64 {
    let seed = format!("{}:{}", job.id, job.attempts);
    let digest = common::domain::fingerprint::sha256_hex(seed.as_bytes());
    u32::from_str_radix(&digest[..8], 16)
        .map_or(0.5, |value| f64::from(value) / f64::from(u32::MAX))
}

/// Splits a call's tokens over its jobs so that the shares add up exactly.
fn shares(usage: EmbedUsage, jobs: usize) -> Vec<EmbedUsage> {
    let count = i64::try_from(jobs).unwrap_or(i64::MAX);
    let share = |total: i64, index: i64| total / count + i64::from(index < total % count);
    (0..count)
        .map(|index| EmbedUsage {
            total_tokens: share(usage.total_tokens, index),
            prompt_tokens: share(usage.prompt_tokens, index),
            image_tokens: share(usage.image_tokens, index),
        })
        .collect()
}

fn report(job: &ClaimedJob, outcome: &Outcome, took: time::Duration) {
    let (word, code) = match outcome {
        Outcome::Done { .. } => ("done", ""),
        Outcome::Retry { error, .. } => ("retry", error.code().name()),
        Outcome::Failed(error) => ("failed", error.code().name()),
        Outcome::Cancelled => ("cancelled", ""),
    };
    tracing::info!(
        job.id = %job.id,
        asset.id = %job.asset,
        namespace.id = %job.namespace,
        job.attempt = job.attempts,
        embed.model = job.model,
        embed.representation = job.representation.name(),
        embed.task = EmbedTask::Passage.name(),
        embed.batch_max = limits::EMBED_BATCH_MAX,
        duration_ms = i64::try_from(took.whole_milliseconds()).unwrap_or(i64::MAX),
        outcome = word,
        error.code = code,
        "an embedding job ended its attempt"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_exactly() {
        for jobs in 1..12 {
            let usage = EmbedUsage {
                total_tokens: 101,
                prompt_tokens: 7,
                image_tokens: 94,
            };
            let shares = shares(usage, jobs);
            assert_eq!(shares.len(), jobs);
            assert_eq!(
                shares.iter().map(|share| share.total_tokens).sum::<i64>(),
                101
            );
            assert_eq!(
                shares.iter().map(|share| share.prompt_tokens).sum::<i64>(),
                7
            );
            assert_eq!(
                shares.iter().map(|share| share.image_tokens).sum::<i64>(),
                94
            );
        }
    }
}
