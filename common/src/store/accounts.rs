//! What an owner may use, and uses (§17).

use time::OffsetDateTime;
use tokio_postgres::Row;

use super::{
    Tx,
    access::{Bound, stored},
    params::Params,
    tx::sql,
};
use crate::{
    error::Result,
    ids::{AssetId, VaultId},
};

/// An owner's plan and counters, in bytes.
#[derive(Debug, Clone)]
#[expect(
    missing_docs,
    reason = "the fields are the columns of mem_plans and mem_asset_namespaces"
)]
pub struct Account {
    pub plan: String,
    pub quota_bytes: Option<i64>,
    pub daily_token_budget: Option<i64>,
    pub original_bytes: i64,
    pub preview_bytes: i64,
    pub vector_bytes: i64,
    pub used_bytes: i64,
    pub reserved_bytes: i64,
    /// Bytes that need not be stored because assets share them.
    pub deduplicated_bytes: i64,
    /// Used bytes of deleted assets that wait to be purged.
    pub deleting_bytes: i64,
}

/// Reads an owner's plan and counters.
///
/// # Errors
/// `database_unavailable`.
pub async fn read(tx: &Tx, access: &impl Bound) -> Result<Account> {
    let params = Params::of(access);
    let (account, savings) = futures_util::join!(
        tx.one(sql!("quota/account"), &params),
        tx.one(sql!("objects/savings"), &params)
    );
    let (account, savings) = (account?, savings?);
    Ok(Account {
        plan: account.get("plan"),
        quota_bytes: account.get("quota_bytes"),
        daily_token_budget: account.get("daily_token_budget"),
        original_bytes: account.get("original_bytes"),
        preview_bytes: account.get("preview_bytes"),
        vector_bytes: account.get("vector_bytes"),
        used_bytes: account.get("used_bytes"),
        reserved_bytes: account.get("reserved_bytes"),
        deduplicated_bytes: savings.get("deduplicated_bytes"),
        deleting_bytes: savings.get("deleting_bytes"),
    })
}

/// A live asset and the size of its bytes.
#[derive(Debug, Clone)]
#[expect(
    missing_docs,
    reason = "the fields are the columns of mem_assets and mem_asset_objects"
)]
pub struct Large {
    pub id: AssetId,
    pub vault: VaultId,
    pub title: String,
    pub bytes: i64,
    pub preview_bytes: i64,
}

/// The live assets with the largest originals, largest first.
///
/// # Errors
/// `database_unavailable`.
pub async fn largest(tx: &Tx, access: &impl Bound, limit: i64) -> Result<Vec<Large>> {
    let params = Params::of(access).long(limit);
    let rows = tx.rows(sql!("assets/largest"), &params).await?;
    rows.iter().map(large).collect()
}

fn large(row: &Row) -> Result<Large> {
    Ok(Large {
        id: stored(row, "id")?,
        vault: stored(row, "vault")?,
        title: row.get("title"),
        bytes: row.get("bytes"),
        preview_bytes: row.get("preview_bytes"),
    })
}

/// A length of time over which tokens are added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Period {
    /// A day, in UTC.
    Day,
    /// A calendar month, in UTC.
    Month,
}

impl Period {
    const fn name(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Month => "month",
        }
    }
}

/// Tokens of one period, purpose and model.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the fields are sums over mem_usage_ledger")]
pub struct Tokens {
    /// When the period begins.
    pub period: OffsetDateTime,
    pub source: String,
    pub model: String,
    pub calls: i64,
    pub total_tokens: i64,
    pub prompt_tokens: i64,
    pub image_tokens: i64,
    /// Price in millionths of a US dollar, as far as a rate was in force.
    pub usd_micros: Option<i64>,
}

/// Provider tokens since an instant, newest period first.
///
/// # Errors
/// `database_unavailable`.
pub async fn tokens(
    tx: &Tx,
    access: &impl Bound,
    period: Period,
    since: OffsetDateTime,
) -> Result<Vec<Tokens>> {
    let params = Params::of(access).text(period.name()).time(since);
    let rows = tx.rows(sql!("usage/tokens"), &params).await?;
    Ok(rows
        .iter()
        .map(|row| Tokens {
            period: row.get("period"),
            source: row.get("source"),
            model: row.get("model"),
            calls: row.get("calls"),
            total_tokens: row.get("total_tokens"),
            prompt_tokens: row.get("prompt_tokens"),
            image_tokens: row.get("image_tokens"),
            usd_micros: row.get("usd_micros"),
        })
        .collect())
}
