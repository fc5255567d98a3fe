//! `audit`: reads what was recorded, one JSON object a line.

use common::{
    error::{Error, ErrorCode, Result},
    ids::{AssetId, OwnerIdentity},
    store::{
        Store,
        system::{
            audit::{self, AccessLine, ProvenanceLine, Query},
            identities,
        },
    },
};
use serde_json::{Value, json};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

use super::{instant, with_database};
use crate::{
    bring::Progress,
    cli::{Audit, Record},
    dev_dir::DevDir,
};

/// Prints the newest lines about an identity's things, newest first.
///
/// # Errors
/// `not_found` for an unknown identity; `invalid_argument`.
pub async fn run(dev: &DevDir, say: &Progress<'_>, audit: Audit) -> Result<()> {
    let query = query(&audit)?;
    with_database(dev, say, |store| async move {
        for line in lines(&store, &query, audit.record).await? {
            println!("{line}");
        }
        Ok(())
    })
    .await
}

fn query(audit: &Audit) -> Result<Query> {
    let asset = audit
        .asset
        .as_deref()
        .map(str::parse::<AssetId>)
        .transpose();
    Ok(Query {
        owner: OwnerIdentity::trusted(audit.identity.clone()),
        asset: asset
            .map_err(|error| Error::new(ErrorCode::InvalidArgument, format!("--asset: {error}")))?,
        from: audit.from.as_deref().map(at).transpose()?,
        before: audit.before.as_deref().map(at).transpose()?,
        limit: i64::from(audit.limit),
    })
}

fn at(text: &str) -> Result<OffsetDateTime> {
    OffsetDateTime::parse(text, &Rfc3339).map_err(|_| {
        let message = "an instant is written like 2026-01-31T00:00:00Z";
        Error::new(ErrorCode::InvalidArgument, message)
    })
}

async fn lines(store: &Store, query: &Query, record: Record) -> Result<Vec<Value>> {
    if identities::find(store, &query.owner).await?.is_none() {
        return Err(Error::not_found("identity"));
    }
    match record {
        Record::Provenance => audit::provenance(store, query)
            .await?
            .iter()
            .map(provenance)
            .collect(),
        Record::Access => audit::access(store, query)
            .await?
            .iter()
            .map(access)
            .collect(),
    }
}

fn provenance(line: &ProvenanceLine) -> Result<Value> {
    Ok(json!({
        "at": instant(line.created_at)?,
        "operation": line.operation,
        "vault": line.vault,
        "asset": line.asset,
        "object": line.object,
        "project": line.project,
        "folder": line.folder,
        "subject": line.subject,
        "actor": line.actor,
        "key": line.key,
        "surface": line.surface,
        "request": line.request,
        "details": line.details,
    }))
}

fn access(line: &AccessLine) -> Result<Value> {
    Ok(json!({
        "at": instant(line.created_at)?,
        "tool": line.tool,
        "outcome": line.outcome,
        "code": line.code,
        "vault": line.vault,
        "asset": line.asset,
        "actor": line.actor,
        "key": line.key,
        "request": line.request,
    }))
}
