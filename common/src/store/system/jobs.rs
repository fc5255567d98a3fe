//! Claiming embedding jobs, and finding those whose hints were lost.

use time::{Duration, OffsetDateTime};
use tokio_postgres::Row;

use crate::{
    domain::status::Representation,
    error::{Error, Result},
    ids::{AssetId, JobId, NamespaceId, OwnerIdentity, RequestId},
    limits,
    store::{
        Store, Tx,
        access::{WorkAccess, named, stored},
        params::Params,
        tx::{Scope, sql},
    },
};

/// A job under a fresh lease, with what is needed to run it.
#[derive(Debug, Clone)]
pub struct ClaimedJob {
    pub(crate) lease: RequestId,
    owner: OwnerIdentity,
    /// The job.
    pub id: JobId,
    /// Its asset.
    pub asset: AssetId,
    /// What the vector stands for.
    pub representation: Representation,
    /// The model wanted.
    pub model: String,
    /// Attempts, this one included.
    pub attempts: i32,
    /// Most attempts in all.
    pub max_attempts: i32,
    /// Key of the preview.
    pub preview_storage_key: String,
    /// Title, where the caller gave one.
    pub title: Option<String>,
    /// Alternative text.
    pub alt_text: Option<String>,
    /// Description.
    pub description: Option<String>,
    /// Host of the source.
    pub source_host: Option<String>,
    /// Opaque name of the owner, for logs.
    pub namespace: NamespaceId,
    /// Whether asset and object still live.
    pub wanted: bool,
}

impl ClaimedJob {
    /// The right to write this job's outcome.
    #[must_use]
    pub fn access(&self) -> WorkAccess {
        WorkAccess {
            owner: self.owner.clone(),
        }
    }

    /// Whether both jobs are one owner's, so that one provider call may serve them.
    #[must_use]
    pub fn same_owner(&self, other: &Self) -> bool {
        self.owner == other.owner
    }
}

/// A job whose last lease ran out without an outcome.
#[derive(Debug, Clone)]
pub struct ExhaustedJob {
    pub(crate) lease: RequestId,
    owner: OwnerIdentity,
    /// The job.
    pub id: JobId,
}

impl ExhaustedJob {
    /// The right to write this job's end.
    #[must_use]
    pub fn access(&self) -> WorkAccess {
        WorkAccess {
            owner: self.owner.clone(),
        }
    }
}

/// What became of a batch of hints.
#[derive(Debug, Default)]
pub struct Claim {
    /// Leased to this run.
    pub jobs: Vec<ClaimedJob>,
    /// Out of attempts: to be failed by this run.
    pub exhausted: Vec<ExhaustedJob>,
    /// Not due yet, or held by somebody else until then.
    pub waiting: Vec<(JobId, OffsetDateTime)>,
}

/// Leases the due ones among these jobs, all in one transaction. Jobs that are done, cancelled or
/// unknown appear nowhere: their hints are spent.
///
/// # Errors
/// `database_unavailable`.
pub async fn claim(
    store: &Store,
    ids: &[JobId],
    lease: &RequestId,
    now: OffsetDateTime,
) -> Result<Claim> {
    store
        .run("jobs.claim", Scope::System, |tx| async move {
            claim_in(&tx, ids, lease, now).await
        })
        .await
}

async fn claim_in(tx: &Tx, ids: &[JobId], lease: &RequestId, now: OffsetDateTime) -> Result<Claim> {
    let ids: Vec<&str> = ids.iter().map(JobId::as_str).collect();
    let end = now + Duration::seconds(limits::JOB_LEASE_SECONDS);
    let params = Params::default()
        .texts(&ids)
        .time(now)
        .text(lease.as_str())
        .time(end);
    let rows = tx.rows(sql!("system/jobs/claim"), &params).await?;
    let jobs = rows
        .iter()
        .map(|row| claimed(row, lease))
        .collect::<Result<Vec<_>>>()?;
    let held: Vec<&str> = jobs.iter().map(|job| job.id.as_str()).collect();
    let mark = Params::default().texts(&held).time(now);
    let rest: Vec<&str> = ids
        .iter()
        .copied()
        .filter(|id| !held.contains(id))
        .collect();
    let rest = Params::default().texts(&rest).time(now);
    let (marked, exhausted, waiting) = futures_util::join!(
        tx.change(sql!("system/jobs/mark_running"), &mark),
        tx.rows(sql!("system/jobs/exhausted"), &rest),
        tx.rows(sql!("system/jobs/waiting"), &rest)
    );
    marked?;
    let exhausted = exhausted?
        .iter()
        .map(exhausted_job)
        .collect::<Result<_>>()?;
    let waiting = waiting?
        .iter()
        .map(|row| Ok((stored(row, "id")?, row.get("due_at"))))
        .collect::<Result<_>>()?;
    Ok(Claim {
        jobs,
        exhausted,
        waiting,
    })
}

fn claimed(row: &Row, lease: &RequestId) -> Result<ClaimedJob> {
    let title_given: bool = row.get("title_given");
    Ok(ClaimedJob {
        lease: lease.clone(),
        owner: OwnerIdentity::trusted(row.get("owner_identity")),
        id: stored(row, "id")?,
        asset: stored(row, "asset_id")?,
        representation: named(row, "representation", Representation::from_name)?,
        model: row.get("model"),
        attempts: row.get("attempts"),
        max_attempts: row.get("max_attempts"),
        preview_storage_key: row.get("preview_storage_key"),
        title: title_given.then(|| row.get("title")),
        alt_text: row.get("alt_text"),
        description: row.get("description"),
        source_host: row.get("source_host"),
        namespace: stored(row, "namespace_id")?,
        wanted: row.get("wanted"),
    })
}

fn exhausted_job(row: &Row) -> Result<ExhaustedJob> {
    Ok(ExhaustedJob {
        lease: row
            .get::<_, &str>("lease_token")
            .parse()
            .map_err(Error::internal)?,
        owner: OwnerIdentity::trusted(row.get("owner_identity")),
        id: stored(row, "id")?,
    })
}

/// Jobs that are due although nobody was told, or was told long ago: their hints go out again.
///
/// # Errors
/// `database_unavailable`.
pub async fn due(
    store: &Store,
    now: OffsetDateTime,
    hinted_before: OffsetDateTime,
    limit: i64,
) -> Result<Vec<JobId>> {
    store
        .run("jobs.due", Scope::System, |tx| async move {
            let params = Params::default().time(now).time(hinted_before).long(limit);
            let rows = tx.rows(sql!("system/jobs/due"), &params).await?;
            rows.iter().map(|row| stored(row, "id")).collect()
        })
        .await
}
