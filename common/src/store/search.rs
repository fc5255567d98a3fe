//! Vector search over one owner's vaults: candidates and cosines. Ranks and fusion are `domain::fusion`.

use time::{Duration, OffsetDateTime};

use super::{
    Tx,
    access::{OwnerAccess, VaultAccess, stored},
    filters::Filter,
    params::Params,
    placements::Area,
    provenance::{Line, Operation, millis, record},
    tx::sql,
};
use crate::{
    contract::Read,
    domain::status::Representation,
    error::Result,
    ids::{AssetId, QueryId},
    limits,
};

/// What to compare.
#[derive(Debug, Clone, Copy)]
pub struct Leg<'a> {
    /// The model whose vectors are compared.
    pub model: &'a str,
    /// What they stand for.
    pub representation: Representation,
    /// The query, a unit vector of 1,024 numbers.
    pub query: &'a [f32],
}

/// The nearest assets of one representation, best first, with their cosines.
///
/// `vaults` belong to the one owner that the transaction is bound to.
///
/// # Errors
/// `database_unavailable`.
pub async fn exact(
    tx: &Tx,
    vaults: &[VaultAccess<Read>],
    leg: Leg<'_>,
    (area, filter): (&Area, &Filter),
) -> Result<Vec<(AssetId, f32)>> {
    let Some(first) = vaults.first() else {
        return Ok(Vec::new());
    };
    let params = Params::of(first)
        .vaults(vaults)
        .text(leg.model)
        .text(leg.representation.name())
        .vector(leg.query)
        .long(i64::try_from(limits::SEARCH_LEG_MAX).unwrap_or(i64::MAX));
    let params = filter.bind(params, area);
    let rows = tx.rows(sql!("search/exact"), &params).await?;
    // A cosine needs no more than single precision.
    rows.iter()
        .map(|row| Ok((stored(row, "asset_id")?, row.get::<_, f64>("cosine") as f32)))
        .collect()
}

/// What there is to search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Census {
    /// Vectors of the model.
    pub candidates: i64,
    /// Live assets without a visual vector of the model.
    pub unsearchable: i64,
}

/// Counts what there is to search in one owner's vaults.
///
/// # Errors
/// `database_unavailable`.
pub async fn census(tx: &Tx, vaults: &[VaultAccess<Read>], model: &str) -> Result<Census> {
    let Some(first) = vaults.first() else {
        return Ok(Census::default());
    };
    let row = tx
        .one(
            sql!("search/census"),
            &Params::of(first).vaults(vaults).text(model),
        )
        .await?;
    Ok(Census {
        candidates: row.get("candidates"),
        unsearchable: row.get("unsearchable"),
    })
}

/// Keeps a query vector for further pages, and drops the caller's old ones.
///
/// # Errors
/// `database_unavailable`.
pub async fn keep_query(
    tx: &Tx,
    access: &OwnerAccess,
    model: &str,
    query: &[f32],
    now: OffsetDateTime,
) -> Result<QueryId> {
    let id = QueryId::generate(millis(now));
    let keep = Params::of(access)
        .text(id.as_str())
        .text(model)
        .vector(query)
        .time(now)
        .time(now + Duration::minutes(limits::QUERY_VECTOR_MINUTES));
    let old = Params::of(access).time(now);
    let (dropped, kept) = futures_util::join!(
        tx.change(sql!("search/drop_queries"), &old),
        tx.change_one(sql!("search/keep_query"), &keep)
    );
    dropped?;
    kept?;
    drop(keep);
    Ok(id)
}

/// The query vector of an earlier page, if it is still kept.
///
/// # Errors
/// `database_unavailable`.
pub async fn kept_query(
    tx: &Tx,
    access: &OwnerAccess,
    id: &QueryId,
    model: &str,
    now: OffsetDateTime,
) -> Result<Option<Vec<f32>>> {
    let params = Params::of(access).text(id.as_str()).text(model).time(now);
    let row = tx.optional(sql!("search/kept_query"), &params).await?;
    Ok(row.map(|row| row.get("embedding")))
}

/// Records a search: counts and mode, never what was asked.
///
/// # Errors
/// `database_unavailable`.
pub async fn record_search(
    tx: &Tx,
    access: &OwnerAccess,
    mode: &'static str,
    results: usize,
    now: OffsetDateTime,
) -> Result<()> {
    let line = Line {
        actor: Some(access.actor()),
        details: serde_json::json!({ "mode": mode, "results": results }),
        ..Line::new(Operation::Search)
    };
    record(tx, access, line, now).await
}
