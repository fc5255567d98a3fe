//! The two records of what happened, as an operator reads them: provenance and the access log.

use serde_json::Value;
use time::OffsetDateTime;

use crate::{
    error::Result,
    ids::{AssetId, OwnerIdentity},
    store::{
        Statement, Store,
        params::Params,
        tx::{Scope, sql},
    },
};

/// Which lines to read.
#[derive(Debug, Clone)]
pub struct Query {
    /// Whose things.
    pub owner: OwnerIdentity,
    /// Only lines about this asset.
    pub asset: Option<AssetId>,
    /// At or after.
    pub from: Option<OffsetDateTime>,
    /// Before.
    pub before: Option<OffsetDateTime>,
    /// Most lines.
    pub limit: i64,
}

/// A line of provenance: who did what.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the fields are the columns of mem_provenance")]
pub struct ProvenanceLine {
    pub created_at: OffsetDateTime,
    pub operation: String,
    pub vault: Option<String>,
    pub asset: Option<String>,
    pub object: Option<String>,
    pub project: Option<String>,
    pub folder: Option<String>,
    pub subject: Option<String>,
    pub actor: Option<String>,
    pub key: Option<String>,
    pub surface: Option<String>,
    pub request: Option<String>,
    pub details: Value,
}

/// A line of the access log: a link that was issued, or a call that was denied.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the fields are the columns of mem_access_log")]
pub struct AccessLine {
    pub created_at: OffsetDateTime,
    pub tool: String,
    pub outcome: String,
    pub code: Option<String>,
    pub vault: Option<String>,
    pub asset: Option<String>,
    pub actor: Option<String>,
    pub key: Option<String>,
    pub request: Option<String>,
}

/// Who did what to an owner's things, newest first.
///
/// # Errors
/// `database_unavailable`.
pub async fn provenance(store: &Store, query: &Query) -> Result<Vec<ProvenanceLine>> {
    let rows = read(store, sql!("system/audit/provenance"), query).await?;
    Ok(rows
        .iter()
        .map(|row| ProvenanceLine {
            created_at: row.get("created_at"),
            operation: row.get("operation"),
            vault: row.get("vault"),
            asset: row.get("asset_id"),
            object: row.get("object_id"),
            project: row.get("project_id"),
            folder: row.get("folder_id"),
            subject: row.get("subject_id"),
            actor: row.get("actor_id"),
            key: row.get("key_id"),
            surface: row.get("surface"),
            request: row.get("request_id"),
            details: row.get("details"),
        })
        .collect())
}

/// Links to an owner's things, and denied calls of an owner's keys, newest first.
///
/// # Errors
/// `database_unavailable`.
pub async fn access(store: &Store, query: &Query) -> Result<Vec<AccessLine>> {
    let rows = read(store, sql!("system/audit/access"), query).await?;
    Ok(rows
        .iter()
        .map(|row| AccessLine {
            created_at: row.get("created_at"),
            tool: row.get("tool"),
            outcome: row.get("outcome"),
            code: row.get("code"),
            vault: row.get("vault"),
            asset: row.get("asset_id"),
            actor: row.get("actor_id"),
            key: row.get("key_id"),
            request: row.get("request_id"),
        })
        .collect())
}

async fn read(
    store: &Store,
    statement: Statement,
    query: &Query,
) -> Result<Vec<tokio_postgres::Row>> {
    store
        .run("audit", Scope::System, |tx| async move {
            let params = Params::default()
                .text(query.owner.as_str())
                .maybe_text(query.asset.as_ref().map(AssetId::as_str))
                .maybe_time(query.from)
                .maybe_time(query.before)
                .long(query.limit);
            tx.rows(statement, &params).await
        })
        .await
}
