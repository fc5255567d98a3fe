//! Outcomes of embedding jobs: vector, job, asset status, ledger and provenance in one transaction, which
//! holds the asset's row and checks that it still lives.

use serde_json::Value;
use time::OffsetDateTime;

use super::{
    Tx,
    access::{WorkAccess, stored},
    params::Params,
    provenance::{Line, Operation, record},
    system::jobs::{ClaimedJob, ExhaustedJob},
    tx::sql,
    usage::{self, Call},
};
use crate::{
    domain::{
        status::{JobState, Representation, aggregate},
        vector::vector_id,
    },
    error::{Error, ErrorCode, Result},
    ids::{AssetId, JobId, RequestId},
    limits,
    ports::EmbedUsage,
};

/// What became of one claimed job.
#[derive(Debug)]
pub enum Outcome {
    /// The vector, and this job's share of the call's tokens.
    Done {
        /// A validated unit vector.
        vector: Vec<f32>,
        /// Share of the tokens.
        usage: EmbedUsage,
    },
    /// To be attempted again at that time.
    Retry {
        /// Not before.
        at: OffsetDateTime,
        /// What went wrong.
        error: Error,
        /// Whether the attempt counts; an outage of the provider undoes it.
        counts: bool,
    },
    /// Given up.
    Failed(Error),
    /// The asset no longer lives.
    Cancelled,
}

impl Outcome {
    const fn state(&self) -> JobState {
        match self {
            Self::Done { .. } => JobState::Done,
            Self::Retry { counts: true, .. } => JobState::Retry,
            Self::Retry { counts: false, .. } => JobState::Queued,
            Self::Failed(_) => JobState::Failed,
            Self::Cancelled => JobState::Cancelled,
        }
    }
}

/// A job as far as its end is concerned.
struct Ended<'a> {
    id: &'a JobId,
    lease: &'a RequestId,
    asset: AssetId,
    representation: Representation,
    model: String,
}

/// Writes the outcomes of one owner's jobs, and the call that served them. A job whose lease was lost
/// keeps what its new holder makes of it; an asset deleted meanwhile gets no vector.
///
/// # Errors
/// `database_unavailable`: then the leases run out and the jobs are claimed again.
pub async fn finish(
    tx: &Tx,
    access: &WorkAccess,
    outcomes: &[(ClaimedJob, Outcome)],
    call: Option<&Call>,
    active_model: &str,
    now: OffsetDateTime,
) -> Result<()> {
    let live = lock_assets(tx, access, outcomes.iter().map(|(job, _)| &job.asset)).await?;
    for (job, outcome) in outcomes {
        let ended = Ended {
            id: &job.id,
            lease: &job.lease,
            asset: job.asset.clone(),
            representation: job.representation,
            model: job.model.clone(),
        };
        let cancelled = Outcome::Cancelled;
        let outcome = if live.contains(&job.asset) {
            outcome
        } else {
            &cancelled
        };
        if finish_one(tx, access, &ended, outcome, now).await? {
            settle(tx, access, &ended, outcome, active_model, now).await?;
        }
    }
    if let Some(call) = call {
        usage::record(tx, access, call, now).await?;
    }
    Ok(())
}

async fn lock_assets(
    tx: &Tx,
    access: &WorkAccess,
    assets: impl Iterator<Item = &AssetId>,
) -> Result<Vec<AssetId>> {
    let ids: Vec<&str> = assets.map(AssetId::as_str).collect();
    let rows = tx
        .rows(sql!("jobs/lock_assets"), &Params::of(access).texts(&ids))
        .await?;
    rows.iter()
        .filter(|row| row.get("wanted"))
        .map(|row| stored(row, "id"))
        .collect()
}

/// Writes job and vector; `false` when the lease was lost.
async fn finish_one(
    tx: &Tx,
    access: &WorkAccess,
    job: &Ended<'_>,
    outcome: &Outcome,
    now: OffsetDateTime,
) -> Result<bool> {
    let (at, counts, error) = match outcome {
        Outcome::Retry { at, error, counts } => (Some(*at), *counts, Some(error)),
        Outcome::Failed(error) => (None, true, Some(error)),
        Outcome::Done { .. } | Outcome::Cancelled => (None, true, None),
    };
    let share = match outcome {
        Outcome::Done { usage, .. } => Some(serde_json::to_value(usage).map_err(Error::internal)?),
        Outcome::Retry { .. } | Outcome::Failed(_) | Outcome::Cancelled => None::<Value>,
    };
    let message = error.map(|error| bounded(error.message()));
    let params = Params::of(access)
        .text(job.id.as_str())
        .text(job.lease.as_str())
        .text(outcome.state().name())
        .maybe_time(at)
        .maybe_text(error.map(|error| error.code().name()))
        .maybe_text(message.as_deref())
        .maybe_json(share.as_ref())
        .time(now)
        .flag(counts);
    if tx.change(sql!("jobs/finish"), &params).await? == 0 {
        return Ok(false);
    }
    if let Outcome::Done { vector, .. } = outcome {
        write_vector(tx, access, job, vector).await?;
    }
    Ok(true)
}

async fn write_vector(tx: &Tx, access: &WorkAccess, job: &Ended<'_>, vector: &[f32]) -> Result<()> {
    let id = vector_id(
        &job.asset,
        job.representation,
        &job.model,
        limits::DIMENSIONS,
    );
    let old = Params::of(access).text(&id);
    let removed = tx.change(sql!("vectors/delete"), &old).await?;
    let new = Params::of(access)
        .text(&id)
        .text(job.asset.as_str())
        .text(job.representation.name())
        .text(&job.model)
        .int(i32::try_from(limits::DIMENSIONS).unwrap_or(i32::MAX))
        .vector(vector);
    tx.change_one(sql!("vectors/insert"), &new).await?;
    if removed == 0 {
        let count = Params::of(access)
            .text(job.asset.as_str())
            .text(&job.model)
            .long(1);
        tx.change_one(sql!("vectors/count"), &count).await?;
    }
    Ok(())
}

/// Lets the asset's status follow from its representations' states, and records a vector that was made.
async fn settle(
    tx: &Tx,
    access: &WorkAccess,
    job: &Ended<'_>,
    outcome: &Outcome,
    active_model: &str,
    now: OffsetDateTime,
) -> Result<()> {
    let state = Params::of(access)
        .text(job.asset.as_str())
        .text(&job.model)
        .text(job.representation.name())
        .text(outcome.state().name())
        .time(now);
    let row = tx.one(sql!("assets/set_model_state"), &state).await?;
    if job.model == active_model {
        let parse = |name: &str| {
            JobState::from_name(name)
                .ok_or_else(|| Error::internal("a model state has an unknown name"))
        };
        let visual = parse(row.get("visual"))?;
        let fused = row.get::<_, Option<&str>>("fused").map(parse).transpose()?;
        let (status, embedding) = aggregate(visual, fused);
        let failure = match outcome {
            Outcome::Failed(error) => Some((error.code().name(), bounded(error.message()))),
            Outcome::Done { .. } | Outcome::Retry { .. } | Outcome::Cancelled => None,
        };
        let failure = failure.as_ref();
        let params = Params::of(access)
            .text(job.asset.as_str())
            .text(status.name())
            .text(embedding.name())
            .maybe_text(failure.map(|(code, _)| *code))
            .maybe_text(failure.map(|(_, message)| message.as_str()))
            .time(now);
        tx.change(sql!("assets/settle"), &params).await?;
    }
    let details = match outcome {
        Outcome::Done { usage, .. } => serde_json::json!({ "totalTokens": usage.total_tokens }),
        Outcome::Failed(error) => serde_json::json!({ "code": error.code().name() }),
        Outcome::Retry { .. } | Outcome::Cancelled => return Ok(()),
    };
    let mut details = details;
    details["representation"] = job.representation.name().into();
    details["model"] = job.model.as_str().into();
    let line = Line {
        asset: Some(&job.asset),
        details,
        ..Line::new(Operation::Embed)
    };
    record(tx, access, line, now).await
}

/// Fails a job whose last lease ran out without an outcome.
///
/// # Errors
/// `database_unavailable`.
pub async fn exhaust(
    tx: &Tx,
    access: &WorkAccess,
    job: &ExhaustedJob,
    active_model: &str,
    now: OffsetDateTime,
) -> Result<()> {
    let row = tx
        .optional(sql!("jobs/get"), &Params::of(access).text(job.id.as_str()))
        .await?;
    let Some(row) = row else { return Ok(()) };
    let ended = Ended {
        id: &job.id,
        lease: &job.lease,
        asset: stored(&row, "asset_id")?,
        representation: super::access::named(&row, "representation", Representation::from_name)?,
        model: row.get("model"),
    };
    let live = lock_assets(tx, access, std::iter::once(&ended.asset)).await?;
    let message = "the worker ended before an outcome, too often";
    let outcome = if live.is_empty() {
        Outcome::Cancelled
    } else {
        Outcome::Failed(Error::new(ErrorCode::Internal, message))
    };
    if finish_one(tx, access, &ended, &outcome, now).await? {
        settle(tx, access, &ended, &outcome, active_model, now).await?;
    }
    Ok(())
}

fn bounded(text: &str) -> String {
    text.chars().take(limits::FAILURE_MESSAGE_MAX).collect()
}
