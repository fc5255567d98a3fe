//! The usage ledger: one row per provider call and owner, exactly once (§17.3).

use time::OffsetDateTime;

use super::{Tx, access::Bound, params::Params, provenance::millis, tx::sql};
use crate::{
    error::Result,
    ids::{RequestId, UsageId},
    ports::EmbedUsage,
};

/// What a call was for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Vectors of assets.
    Document,
    /// The vector of a query.
    Query,
}

impl Source {
    const fn name(self) -> &'static str {
        match self {
            Self::Document => "embed_image_document",
            Self::Query => "embed_image_query",
        }
    }
}

/// One provider call.
#[derive(Debug, Clone)]
pub struct Call {
    /// Our own id of the call: recording it twice keeps one row.
    pub id: RequestId,
    /// What it was for.
    pub source: Source,
    /// The model.
    pub model: String,
    /// Inputs of the call.
    pub inputs: usize,
    /// Tokens as reported.
    pub usage: EmbedUsage,
    /// The provider's id of the call.
    pub provider_request_id: Option<String>,
}

/// Records a call at the price in force.
///
/// # Errors
/// `database_unavailable`.
pub async fn record(tx: &Tx, access: &impl Bound, call: &Call, now: OffsetDateTime) -> Result<()> {
    let id = UsageId::generate(millis(now));
    let params = Params::of(access)
        .text(id.as_str())
        .text(call.source.name())
        .text(&call.model)
        .text(call.id.as_str())
        .maybe_text(call.provider_request_id.as_deref())
        .int(i32::try_from(call.inputs).unwrap_or(i32::MAX))
        .long(call.usage.total_tokens)
        .long(call.usage.prompt_tokens)
        .long(call.usage.image_tokens)
        .time(now);
    tx.change(sql!("usage/insert"), &params).await?;
    Ok(())
}
