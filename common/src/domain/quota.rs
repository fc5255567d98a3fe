//! Quota arithmetic, in bytes. Every sum is checked: a wrong number is an error, never a wrap.
//!
//! A save reserves an upper bound first and is charged what it really stored at the end; the difference
//! goes back. What is admitted is decided on the bound.

use crate::{
    error::{Error, ErrorCode, Result},
    limits::VECTOR_BYTES,
};

/// Admits `requested` bytes when `used + reserved + requested` stays within `quota` (`None`: no limit).
///
/// # Errors
/// `quota_exceeded` with the four numbers as details; `internal` for a negative number.
pub fn admit(used: i64, reserved: i64, requested: i64, quota: Option<i64>) -> Result<()> {
    if [used, reserved, requested]
        .iter()
        .chain(&quota)
        .any(|bytes| *bytes < 0)
    {
        return Err(Error::internal("a quota counter is negative"));
    }
    let total = i128::from(used) + i128::from(reserved) + i128::from(requested);
    // Without a quota the counters themselves are the limit.
    if total <= i128::from(quota.unwrap_or(i64::MAX)) {
        return Ok(());
    }
    Err(Error::new(
        ErrorCode::QuotaExceeded,
        "the storage quota would be exceeded",
    )
    .detail("used", used)
    .detail("reserved", reserved)
    .detail("requested", requested)
    .detail("quota", quota))
}

/// What a save reserves: its original, the largest preview that its dimensions allow, and the vectors
/// that it wants.
///
/// # Errors
/// `internal` for a negative number or a sum beyond 64 bits.
pub fn reservation(original: i64, preview_bound: i64, vectors: u32) -> Result<i64> {
    sum(&[original, preview_bound, vector_bytes(vectors)])
}

/// What a finished save stored, and what it found stored already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charge {
    /// Bytes of the original; zero when the object was there.
    pub original: i64,
    /// Bytes of the preview; zero when the object was there.
    pub preview: i64,
    /// Bytes of the wanted vectors: an asset has its own even when its object is shared.
    pub vectors: i64,
    /// Bytes not stored again.
    pub saved: i64,
    /// What the namespace's used bytes grow by: original, preview and vectors.
    pub total: i64,
}

impl Charge {
    /// The charge of a save of an `original` and a `preview` of so many bytes, which wants `vectors`
    /// vectors. `deduplicated` says that the object was already there and paid for.
    ///
    /// # Errors
    /// `internal` for a negative number or a sum beyond 64 bits.
    pub fn of(original: i64, preview: i64, vectors: u32, deduplicated: bool) -> Result<Self> {
        let bytes = sum(&[original, preview])?;
        let vectors = vector_bytes(vectors);
        if deduplicated {
            return Ok(Self {
                original: 0,
                preview: 0,
                vectors,
                saved: bytes,
                total: vectors,
            });
        }
        Ok(Self {
            original,
            preview,
            vectors,
            saved: 0,
            total: sum(&[bytes, vectors])?,
        })
    }

    /// What goes back of `reserved` bytes once this is charged.
    ///
    /// # Errors
    /// `internal` when more was stored than reserved: the bound was none.
    pub fn released(&self, reserved: i64) -> Result<i64> {
        let rest = reserved.checked_sub(self.total).filter(|rest| *rest >= 0);
        rest.ok_or_else(|| Error::internal("a save stored more bytes than it had reserved"))
    }
}

/// What so many vectors count.
#[must_use]
pub const fn vector_bytes(count: u32) -> i64 {
    // At most 2^32 * 2^12: within 64 bits.
    count as i64 * VECTOR_BYTES
}

fn sum(parts: &[i64]) -> Result<i64> {
    let total = parts.iter().try_fold(0_i64, |total, part| {
        if *part < 0 {
            None
        } else {
            total.checked_add(*part)
        }
    });
    total.ok_or_else(|| Error::internal("a byte count is negative or too large"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn the_last_byte_is_admitted_and_the_next_is_not() {
        assert!(admit(40, 30, 30, Some(100)).is_ok());
        let error = admit(40, 30, 31, Some(100)).unwrap_err();
        assert_eq!(error.code(), ErrorCode::QuotaExceeded);
        let details = json!({"used": 40, "reserved": 30, "requested": 31, "quota": 100});
        assert_eq!(json!(error.details()), details);
    }

    #[test]
    fn of_two_reservations_of_ninety_in_a_hundred_one_passes() {
        assert!(admit(0, 0, 90, Some(100)).is_ok());
        assert_eq!(
            admit(0, 90, 90, Some(100)).unwrap_err().code(),
            ErrorCode::QuotaExceeded
        );
    }

    #[test]
    fn the_ends_of_the_numbers_do_not_wrap() {
        assert!(admit(i64::MAX, 0, 0, None).is_ok());
        assert!(admit(0, 0, 0, Some(0)).is_ok());
        for quota in [None, Some(i64::MAX), Some(0)] {
            let error = admit(i64::MAX, i64::MAX, i64::MAX, quota).unwrap_err();
            assert_eq!(error.code(), ErrorCode::QuotaExceeded);
        }
        for (used, reserved, requested, quota) in [
            (-1, 0, 0, None),
            (0, -1, 0, None),
            (0, 0, -1, None),
            (0, 0, 0, Some(-1)),
        ] {
            let error = admit(used, reserved, requested, quota).unwrap_err();
            assert_eq!(error.code(), ErrorCode::Internal);
        }
        assert!(reservation(i64::MAX, 1, 0).is_err());
        assert!(Charge::of(i64::MAX, 1, 0, true).is_err());
        assert!(Charge::of(-1, 1, 0, false).is_err());
    }

    #[test]
    fn a_deduplicated_object_is_charged_for_its_vectors_alone() {
        let charge = Charge::of(1_000, 200, 2, true).unwrap();
        assert_eq!(
            charge,
            Charge {
                original: 0,
                preview: 0,
                vectors: 8_192,
                saved: 1_200,
                total: 8_192
            }
        );
        assert_eq!(
            charge
                .released(reservation(1_000, 300, 2).unwrap())
                .unwrap(),
            1_300
        );
    }

    #[test]
    fn more_than_was_reserved_is_a_fault() {
        let charge = Charge::of(1_000, 301, 1, false).unwrap();
        let error = charge
            .released(reservation(1_000, 300, 1).unwrap())
            .unwrap_err();
        assert_eq!(error.code(), ErrorCode::Internal);
    }

    proptest! {
        #[test]
        fn admission_is_exactly_the_inequality(
            used in any::<i64>(), reserved in any::<i64>(), requested in any::<i64>(),
            quota in proptest::option::of(any::<i64>()),
        ) {
            let lawful = [used, reserved, requested].iter().chain(&quota).all(|bytes| *bytes >= 0);
            let total = i128::from(used) + i128::from(reserved) + i128::from(requested);
            let fits = total <= i128::from(quota.unwrap_or(i64::MAX));
            prop_assert_eq!(admit(used, reserved, requested, quota).is_ok(), lawful && fits);
        }

        #[test]
        fn nothing_is_lost_or_made(
            original in 0..i64::MAX / 4, preview in 0..i64::MAX / 4, slack in 0..i64::MAX / 4,
            vectors in 0u32..=2, deduplicated: bool,
        ) {
            let reserved = reservation(original, preview + slack, vectors).unwrap();
            let charge = Charge::of(original, preview, vectors, deduplicated).unwrap();
            let released = charge.released(reserved).unwrap();
            prop_assert_eq!(charge.total, charge.original + charge.preview + charge.vectors);
            prop_assert_eq!(charge.total + charge.saved, original + preview + vector_bytes(vectors));
            prop_assert_eq!(charge.total + released, reserved);
            let parts = [charge.original, charge.preview, charge.vectors, charge.saved, released];
            prop_assert!(parts.iter().all(|bytes| *bytes >= 0));
        }

        #[test]
        fn what_is_admitted_never_outgrows_the_quota(
            requests in proptest::collection::vec((0i64..60, 0i64..30, any::<bool>(), any::<bool>()), 0..30),
        ) {
            let quota = 60_000;
            let (mut used, mut reserved) = (0_i64, 0_i64);
            for (original, preview, deduplicated, finishes) in requests {
                let bytes = reservation(original, preview + 5, 1).unwrap();
                if admit(used, reserved, bytes, Some(quota)).is_err() {
                    continue;
                }
                reserved += bytes;
                if finishes {
                    let charge = Charge::of(original, preview, 1, deduplicated).unwrap();
                    reserved -= charge.total + charge.released(bytes).unwrap();
                    used += charge.total;
                }
                prop_assert!(used >= 0 && reserved >= 0 && used + reserved <= quota);
            }
        }
    }
}
