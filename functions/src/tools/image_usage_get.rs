//! `image_usage_get`: what the caller may use, uses, and pays for.

mod notices;

use common::{
    contract::{Meta, Scope, Target, Toolset},
    error::{Error, ErrorCode, Result},
    limits::{LARGEST_MAX, PERIODS_MAX},
    store::{
        access::OwnerAccess,
        accounts::{self, Account, Large, Period, Tokens},
    },
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use time::{Date, Month, OffsetDateTime, Time};

use super::{
    Cx, Own, Tool,
    fields::{Notice, instant},
};

/// Length of the periods over which tokens are added up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PeriodKind {
    /// Days, in UTC.
    #[default]
    Day,
    /// Calendar months, in UTC.
    Month,
}

/// What to report besides the storage.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Input {
    /// Periods over which provider tokens are added up. Default: `day`.
    pub period: Option<PeriodKind>,
    /// How many periods, this one included, 1 to 31. Default: 7.
    #[schemars(range(min = 1, max = 31))]
    pub periods: Option<u32>,
    /// How many of the largest images to name, 0 to 25. Default: 10.
    #[schemars(range(max = 25))]
    pub largest: Option<usize>,
}

/// Used bytes by kind; their sum is the used bytes.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ByKind {
    /// Originals, each counted once however many images share it.
    pub originals: i64,
    /// Their previews.
    pub previews: i64,
    /// Vectors, 4,096 bytes each.
    pub vectors: i64,
}

/// Storage, in bytes. It covers all vaults of your own; shared ones count for their owner.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Storage {
    /// The most that may be used; `null` for no limit.
    pub quota_bytes: Option<i64>,
    /// In use. Deleted images count until their purge.
    pub used_bytes: i64,
    /// Held by saves under way.
    pub reserved_bytes: i64,
    /// What is left; `null` for no limit.
    pub free_bytes: Option<i64>,
    /// Used bytes by kind.
    pub by_kind: ByKind,
    /// Not stored, because images share their bytes.
    pub deduplicated_bytes: i64,
    /// Part of the used bytes that goes with the next purges.
    pub deleting_bytes: i64,
}

/// Provider tokens of one period, purpose and model.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenRow {
    /// When the period begins, in UTC.
    pub period_start: String,
    /// What they were used for: `embed_image_document` or `embed_image_query`.
    pub source: String,
    /// The model.
    pub model: String,
    /// Calls.
    pub calls: i64,
    /// All tokens.
    pub total_tokens: i64,
    /// Of words.
    pub prompt_tokens: i64,
    /// Of pictures.
    pub image_tokens: i64,
    /// Price in millionths of a US dollar; `null` where no rate is known.
    pub usd_micros: Option<i64>,
}

/// Provider tokens.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenReport {
    /// The most that may be used in a day; `null` for no limit.
    pub daily_budget: Option<i64>,
    /// Used today, in UTC.
    pub used_today: i64,
    /// Newest period first; periods without use are left out.
    pub rows: Vec<TokenRow>,
}

/// A large image.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LargeRow {
    /// The asset.
    pub asset_id: String,
    /// The vault it is in.
    pub vault_id: String,
    /// Its title.
    #[schemars(extend("x-untrusted" = true))]
    pub title: String,
    /// Bytes of the original.
    pub bytes: i64,
    /// Bytes of the preview.
    pub preview_bytes: i64,
}

/// What is used.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Name of the plan.
    pub plan: String,
    /// Storage.
    pub storage: Storage,
    /// Provider tokens.
    pub tokens: TokenReport,
    /// Largest first.
    pub largest: Vec<LargeRow>,
    /// What deserves attention: storage or the day's tokens at 80 or 95 % of what the plan allows.
    pub warnings: Vec<Notice>,
}

/// The tool.
pub struct ImageUsageGet;

impl Tool for ImageUsageGet {
    const META: Meta = Meta {
        name: "image_usage_get",
        title: "Get usage",
        description: "Return your plan, storage used and free, provider tokens by day or month, the largest \
                      images, and warnings from 80 % of a limit on. Use it before many saves, or when a quota \
                      refuses one; image_asset_delete frees storage.",
        read_only: true,
        destructive: false,
        idempotent: true,
        open_world: false,
        scope: Scope::Read,
        toolset: Toolset::Core,
        search: false,
    };
    type Input = Input;
    type Output = Output;
    type Needs = Own;

    fn target(_: &Input) -> Target {
        Target::Nothing
    }

    async fn call(cx: Cx<'_, OwnerAccess>, input: Input) -> Result<Output> {
        let wanted = Wanted::of(&input, cx.app.clock.now())?;
        let report = read(&cx, &wanted).await?;
        let used_today = report.today.iter().map(|row| row.total_tokens).sum();
        let warnings = notices::of(&report.account, used_today);
        Ok(Output {
            plan: report.account.plan.clone(),
            storage: storage(&report.account),
            tokens: TokenReport {
                daily_budget: report.account.daily_token_budget,
                used_today,
                rows: report
                    .tokens
                    .into_iter()
                    .map(token_row)
                    .collect::<Result<_>>()?,
            },
            largest: report.largest.into_iter().map(large_row).collect(),
            warnings,
        })
    }
}

struct Wanted {
    period: Period,
    since: OffsetDateTime,
    today: OffsetDateTime,
    largest: i64,
}

impl Wanted {
    fn of(input: &Input, now: OffsetDateTime) -> Result<Self> {
        let invalid = |message: String| Error::new(ErrorCode::InvalidArgument, message);
        let periods = input.periods.unwrap_or(7);
        if !(1..=PERIODS_MAX).contains(&periods) {
            return Err(invalid(format!("periods is 1 to {PERIODS_MAX}")));
        }
        let largest = input.largest.unwrap_or(10);
        if largest > LARGEST_MAX {
            return Err(invalid(format!("largest is at most {LARGEST_MAX}")));
        }
        let today = now.date();
        let (period, since) = match input.period.unwrap_or_default() {
            PeriodKind::Day => (
                Period::Day,
                today.saturating_sub(time::Duration::days(i64::from(periods) - 1)),
            ),
            PeriodKind::Month => (Period::Month, months_before(today, periods - 1)?),
        };
        let midnight = |date: Date| date.with_time(Time::MIDNIGHT).assume_utc();
        Ok(Self {
            period,
            since: midnight(since),
            today: midnight(today),
            largest: i64::try_from(largest).map_err(Error::internal)?,
        })
    }
}

/// The first day of the month that lies so many months before a day's.
fn months_before(day: Date, months: u32) -> Result<Date> {
    let (mut year, mut month) = (day.year(), day.month());
    for _ in 0..months {
        month = month.previous();
        if month == Month::December {
            year -= 1;
        }
    }
    Date::from_calendar_date(year, month, 1).map_err(Error::internal)
}

struct Report {
    account: Account,
    tokens: Vec<Tokens>,
    today: Vec<Tokens>,
    largest: Vec<Large>,
}

/// Reads all of it in one round trip after the transaction's own.
async fn read(cx: &Cx<'_, OwnerAccess>, wanted: &Wanted) -> Result<Report> {
    let own = &cx.access;
    cx.app
        .store
        .run_tx(ImageUsageGet::META.name, own, |tx| async move {
            let (account, tokens, today, largest) = futures_util::join!(
                accounts::read(&tx, own),
                accounts::tokens(&tx, own, wanted.period, wanted.since),
                accounts::tokens(&tx, own, Period::Day, wanted.today),
                accounts::largest(&tx, own, wanted.largest)
            );
            Ok(Report {
                account: account?,
                tokens: tokens?,
                today: today?,
                largest: largest?,
            })
        })
        .await
}

fn storage(account: &Account) -> Storage {
    let taken = account.used_bytes.saturating_add(account.reserved_bytes);
    Storage {
        quota_bytes: account.quota_bytes,
        used_bytes: account.used_bytes,
        reserved_bytes: account.reserved_bytes,
        free_bytes: account.quota_bytes.map(|quota| (quota - taken).max(0)),
        by_kind: ByKind {
            originals: account.original_bytes,
            previews: account.preview_bytes,
            vectors: account.vector_bytes,
        },
        deduplicated_bytes: account.deduplicated_bytes,
        deleting_bytes: account.deleting_bytes,
    }
}

fn token_row(tokens: Tokens) -> Result<TokenRow> {
    Ok(TokenRow {
        period_start: instant(tokens.period)?,
        source: tokens.source,
        model: tokens.model,
        calls: tokens.calls,
        total_tokens: tokens.total_tokens,
        prompt_tokens: tokens.prompt_tokens,
        image_tokens: tokens.image_tokens,
        usd_micros: tokens.usd_micros,
    })
}

fn large_row(large: Large) -> LargeRow {
    LargeRow {
        asset_id: large.id.to_string(),
        vault_id: large.vault.to_string(),
        title: large.title,
        bytes: large.bytes,
        preview_bytes: large.preview_bytes,
    }
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    #[test]
    fn months_are_counted_over_the_turn_of_a_year() {
        for (day, months, first) in [
            (date!(2026 - 03 - 31), 0, date!(2026 - 03 - 01)),
            (date!(2026 - 03 - 31), 3, date!(2025 - 12 - 01)),
            (date!(2026 - 01 - 01), 13, date!(2024 - 12 - 01)),
        ] {
            assert_eq!(months_before(day, months).unwrap(), first, "{day} {months}");
        }
    }
}
