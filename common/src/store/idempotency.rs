//! Idempotent answers: the same key and request replays the first answer, another request conflicts, and
//! a try that fails, or dies, frees its key.

use serde_json::Value;
use time::{Duration, OffsetDateTime};

use super::{Tx, access::VaultAccess, params::Params, tx::sql};
use crate::{
    contract::Write,
    error::{Error, ErrorCode, Result},
    ids::RequestId,
    limits,
};

/// One try of an idempotent call.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// Name of the tool.
    pub operation: &'static str,
    /// The caller's key, or the derived one.
    pub key: String,
    /// Whether the key was derived from the request: then it lives ten minutes.
    pub derived: bool,
    /// SHA-256 of the whole cleaned request, lowercase hex.
    pub fingerprint: String,
    /// The call that makes this try; it alone may finish or free the key.
    pub token: RequestId,
}

/// What beginning a try found.
#[derive(Debug)]
pub enum Begun {
    /// The key is this try's now.
    Started,
    /// The call was answered before; this is the answer, without links.
    Replay(Value),
    /// The first try still runs.
    InFlight,
}

/// Takes the key for this try, or says what holds it.
///
/// # Errors
/// `idempotency_conflict` when the key belongs to another request.
pub async fn begin(
    tx: &Tx,
    access: &VaultAccess<Write>,
    attempt: &Attempt,
    now: OffsetDateTime,
) -> Result<Begun> {
    let end = now + Duration::seconds(limits::IN_FLIGHT_SECONDS);
    let params = key(access, attempt)
        .flag(attempt.derived)
        .text(&attempt.fingerprint)
        .text(attempt.token.as_str())
        .time(now)
        .time(end);
    if tx
        .optional(sql!("idempotency/begin"), &params)
        .await?
        .is_some()
    {
        return Ok(Begun::Started);
    }
    // The key was freed between the two statements only if its try failed: the caller may try again.
    let Some(row) = tx
        .optional(sql!("idempotency/get"), &key(access, attempt))
        .await?
    else {
        return Ok(Begun::InFlight);
    };
    if row.get::<_, &str>("fingerprint") != attempt.fingerprint {
        let message = "this idempotency key was used for another request";
        return Err(Error::new(ErrorCode::IdempotencyConflict, message));
    }
    Ok(row
        .get::<_, Option<Value>>("answer")
        .map_or(Begun::InFlight, Begun::Replay))
}

/// Keeps the answer under the key.
///
/// # Errors
/// `idempotency_in_flight` when this try took so long that another one took the key over.
pub async fn finish(
    tx: &Tx,
    access: &VaultAccess<Write>,
    attempt: &Attempt,
    answer: &Value,
    now: OffsetDateTime,
) -> Result<()> {
    let lifetime = if attempt.derived {
        Duration::seconds(limits::DERIVED_KEY_SECONDS)
    } else {
        Duration::days(limits::IDEMPOTENCY_DAYS)
    };
    let params = key(access, attempt)
        .text(attempt.token.as_str())
        .json(answer)
        .time(now)
        .time(now + lifetime);
    match tx.change(sql!("idempotency/finish"), &params).await? {
        1 => Ok(()),
        _ => Err(Error::new(
            ErrorCode::IdempotencyInFlight,
            "another try of this call took over",
        )
        .retry_after(2)),
    }
}

/// Frees the key of a failed try; freeing what another try took over does nothing.
///
/// # Errors
/// `database_unavailable`: then the key frees itself when its try's time has passed.
pub async fn release(tx: &Tx, access: &VaultAccess<Write>, attempt: &Attempt) -> Result<()> {
    let params = key(access, attempt).text(attempt.token.as_str());
    tx.change(sql!("idempotency/release"), &params).await?;
    Ok(())
}

/// $1 to $4 of every statement here.
fn key<'a>(access: &'a VaultAccess<Write>, attempt: &'a Attempt) -> Params<'a> {
    Params::of(access)
        .text(access.actor().identity.as_str())
        .text(attempt.operation)
        .text(&attempt.key)
}
