//! Reservations whose save never ended, given back.

use serde_json::json;
use time::OffsetDateTime;

use crate::{
    error::Result,
    ids::OwnerIdentity,
    store::{
        Store,
        params::Params,
        provenance::{Line, Operation, write},
        tx::{Scope, sql},
    },
};

/// Most reservations that one run ends.
const LIMIT: i64 = 1_000;

/// Ends the reservations of saves whose time has passed, records it, and returns how many there were.
/// A save that is only slow finds its reservation gone when it closes, and begins anew.
///
/// # Errors
/// `database_unavailable`.
pub async fn expire(store: &Store, now: OffsetDateTime) -> Result<u64> {
    store
        .run("quota.expire", Scope::System, |tx| async move {
            let params = Params::default().time(now).long(LIMIT);
            let mut ended = 0;
            for row in tx.rows(sql!("system/quota/expire"), &params).await? {
                let (reservations, bytes): (i64, i64) = (row.get("reservations"), row.get("bytes"));
                let line = Line {
                    details: json!({ "expiredReservations": reservations, "releasedBytes": bytes }),
                    ..Line::new(Operation::Reconcile)
                };
                let owner = OwnerIdentity::trusted(row.get("owner_identity"));
                write(&tx, &owner, &[line], now).await?;
                ended += reservations.unsigned_abs();
            }
            Ok(ended)
        })
        .await
}
