//! Quota: bytes are held before anything is stored, and charged when it is (§17.2).
//!
//! Admission is decided under a lock on the owner's namespace row. A [`Reservation`] is a value that
//! only [`reserve`] makes; inserting an asset consumes one, so that nothing is stored uncharged.

use time::{Duration, OffsetDateTime};

use super::{Tx, access::VaultAccess, params::Params, tx::sql};
use crate::{
    contract::Write,
    domain::quota::{self, Charge},
    error::{Error, ErrorCode, Result},
    ids::ReservationId,
    limits,
};

/// Bytes held for one save.
#[derive(Debug, Clone)]
pub struct Reservation {
    id: ReservationId,
}

/// Holds `bytes` for the vault's owner.
///
/// # Errors
/// `quota_exceeded` when used, held and requested bytes together are more than the plan's quota.
pub async fn reserve(
    tx: &Tx,
    access: &VaultAccess<Write>,
    id: ReservationId,
    operation: &'static str,
    bytes: i64,
    now: OffsetDateTime,
) -> Result<Reservation> {
    let row = tx.one(sql!("quota/lock"), &Params::of(access)).await?;
    quota::admit(row.get(0), row.get(1), bytes, row.get(2))?;
    let insert = Params::of(access)
        .text(id.as_str())
        .text(operation)
        .long(bytes)
        .text(access.actor().identity.as_str())
        .time(now)
        .time(now + Duration::minutes(limits::RESERVATION_MINUTES));
    let hold = Params::of(access).long(bytes).time(now);
    let (inserted, held) = futures_util::join!(
        tx.change_one(sql!("quota/insert"), &insert),
        tx.change_one(sql!("quota/hold"), &hold)
    );
    inserted?;
    held?;
    drop(insert);
    Ok(Reservation { id })
}

/// Turns the held bytes into used ones.
///
/// # Errors
/// `conflict` when the reservation has expired meanwhile.
pub(super) async fn finalize(
    tx: &Tx,
    access: &VaultAccess<Write>,
    reservation: &Reservation,
    charge: Charge,
    now: OffsetDateTime,
) -> Result<()> {
    let params = Params::of(access)
        .text(reservation.id.as_str())
        .long(charge.total)
        .time(now);
    let Some(row) = tx.optional(sql!("quota/finalize"), &params).await? else {
        return Err(Error::new(
            ErrorCode::Conflict,
            "the save took so long that its reservation ended",
        ));
    };
    let params = Params::of(access)
        .long(row.get(0))
        .long(charge.original)
        .long(charge.preview)
        .long(charge.vectors)
        .time(now);
    tx.change_one(sql!("quota/charge"), &params).await
}

/// Gives the bytes of a failed try back; doing so twice does nothing.
///
/// # Errors
/// `database_unavailable`: then the reservation expires by itself.
pub async fn release(
    tx: &Tx,
    access: &VaultAccess<Write>,
    reservation: &Reservation,
    now: OffsetDateTime,
) -> Result<()> {
    let params = Params::of(access).text(reservation.id.as_str()).time(now);
    tx.change(sql!("quota/release"), &params).await?;
    Ok(())
}
