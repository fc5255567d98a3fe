//! Warnings before a limit is met.

use common::store::accounts::Account;

use crate::tools::Notice;

/// Shares of a limit, in hundredths, at which a warning is due; the highest that is met counts.
const SHARES: [i128; 2] = [95, 80];

/// The warnings that an account deserves: storage counts with what saves under way hold.
pub(super) fn of(account: &Account, tokens_today: i64) -> Vec<Notice> {
    let taken = i128::from(account.used_bytes) + i128::from(account.reserved_bytes);
    let storage = account
        .quota_bytes
        .and_then(|quota| notice("quota", "storage quota", taken, quota));
    let tokens = account
        .daily_token_budget
        .and_then(|budget| notice("tokens", "daily token budget", tokens_today.into(), budget));
    storage.into_iter().chain(tokens).collect()
}

fn notice(code: &str, what: &str, used: i128, limit: i64) -> Option<Notice> {
    let share = SHARES
        .into_iter()
        .find(|share| used * 100 >= i128::from(limit) * share)?;
    Some(Notice {
        code: format!("{code}_{share}"),
        message: format!("{share} % of the {what} or more is used"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(used: i128, limit: i64) -> Option<String> {
        notice("quota", "storage quota", used, limit).map(|notice| notice.code)
    }

    #[test]
    fn a_warning_comes_at_the_share_and_not_a_byte_before() {
        assert_eq!(codes(7_999, 10_000), None);
        assert_eq!(codes(8_000, 10_000).as_deref(), Some("quota_80"));
        assert_eq!(codes(9_499, 10_000).as_deref(), Some("quota_80"));
        assert_eq!(codes(9_500, 10_000).as_deref(), Some("quota_95"));
        assert_eq!(codes(20_000, 10_000).as_deref(), Some("quota_95"));
    }

    #[test]
    fn numbers_near_the_end_of_64_bits_do_not_wrap() {
        assert_eq!(
            codes(i128::from(i64::MAX), i64::MAX).as_deref(),
            Some("quota_95")
        );
        assert_eq!(codes(0, i64::MAX), None);
        assert_eq!(codes(0, 0).as_deref(), Some("quota_95"));
    }
}
