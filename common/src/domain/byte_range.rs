//! The `Range` header of a read, judged against the length of what is read (RFC 9110 §14).

use std::ops::Range;

/// What a `Range` header asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestedRange {
    /// Everything: several ranges, another unit or nonsense, which a server may ignore.
    Whole,
    /// One half-open range, not empty, within the length.
    Part(Range<u64>),
    /// A range that begins behind the end: status 416.
    Unsatisfiable,
}

/// Reads `header` for a representation of `length` bytes.
#[must_use]
pub fn requested_range(header: &str, length: u64) -> RequestedRange {
    let Some((unit, spec)) = header.split_once('=') else {
        return RequestedRange::Whole;
    };
    let Some((first, last)) = spec.trim().split_once('-') else {
        return RequestedRange::Whole;
    };
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return RequestedRange::Whole;
    }
    let range = match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => first..last.saturating_add(1).min(length),
        (Some(first), None) if last.is_empty() => first..length,
        (None, Some(suffix)) if first.is_empty() => length.saturating_sub(suffix)..length,
        _ => return RequestedRange::Whole,
    };
    if range.is_empty() {
        RequestedRange::Unsatisfiable
    } else {
        RequestedRange::Part(range)
    }
}

/// A number of digits alone; one beyond 64 bits is as good as the largest.
fn number(digits: &str) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_three_forms_and_their_ends() {
        use RequestedRange::{Part, Unsatisfiable, Whole};
        for (header, length, wanted) in [
            ("bytes=0-0", 10, Part(0..1)),
            ("bytes=2-5", 10, Part(2..6)),
            ("Bytes = 2-5", 10, Part(2..6)),
            ("bytes=2-", 10, Part(2..10)),
            ("bytes=2-99", 10, Part(2..10)),
            ("bytes=-3", 10, Part(7..10)),
            ("bytes=-99", 10, Part(0..10)),
            ("bytes=9-", 10, Part(9..10)),
            ("bytes=0-99999999999999999999999", 10, Part(0..10)),
            ("bytes=10-", 10, Unsatisfiable),
            ("bytes=99999999999999999999999-", 10, Unsatisfiable),
            ("bytes=-0", 10, Unsatisfiable),
            ("bytes=0-", 0, Unsatisfiable),
            ("bytes=-5", 0, Unsatisfiable),
            ("bytes=5-2", 10, Whole),
            ("bytes=0-1,3-4", 10, Whole),
            ("bytes=", 10, Whole),
            ("bytes=-", 10, Whole),
            ("bytes=+1-2", 10, Whole),
            ("items=0-1", 10, Whole),
            ("0-1", 10, Whole),
            ("", 10, Whole),
        ] {
            assert_eq!(requested_range(header, length), wanted, "{header}");
        }
    }

    proptest! {
        #[test]
        fn a_part_is_never_empty_and_never_outside(
            header in "bytes=[0-9]{0,3}-[0-9]{0,20}|.*", length in 0u64..500,
        ) {
            if let RequestedRange::Part(range) = requested_range(&header, length) {
                prop_assert!(range.start < range.end && range.end <= length);
            }
        }
    }
}
