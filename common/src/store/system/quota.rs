//! Reservations whose save never ended, given back.

use time::OffsetDateTime;

use crate::{
    error::Result,
    store::{
        Store,
        params::Params,
        tx::{Scope, sql},
    },
};

/// Most reservations that one run ends.
const LIMIT: i64 = 1_000;

/// Ends the reservations of saves whose time has passed, and returns how many owners got bytes back.
/// A save that is only slow finds its reservation gone when it closes, and begins anew.
///
/// # Errors
/// `database_unavailable`.
pub async fn expire(store: &Store, now: OffsetDateTime) -> Result<u64> {
    store
        .run("quota.expire", Scope::System, |tx| async move {
            let params = Params::default().time(now).long(LIMIT);
            tx.change(sql!("system/quota/expire"), &params).await
        })
        .await
}
