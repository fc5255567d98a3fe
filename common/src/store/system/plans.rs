//! Plans: what an identity may use, set by an operator.

use serde_json::json;
use time::OffsetDateTime;

use crate::{
    error::{Error, Result},
    ids::OwnerIdentity,
    store::{
        Store,
        params::Params,
        provenance::{Line, Operation, write},
        tx::{Scope, sql},
    },
};

/// A plan.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the fields are the columns of mem_plans")]
pub struct Plan {
    pub plan: String,
    pub quota_bytes: Option<i64>,
    pub daily_token_budget: Option<i64>,
    pub description: String,
}

/// All plans, smallest first.
///
/// # Errors
/// `database_unavailable`.
pub async fn list(store: &Store) -> Result<Vec<Plan>> {
    store
        .run("plans.list", Scope::System, |tx| async move {
            let rows = tx
                .rows(sql!("system/plans/list"), &Params::default())
                .await?;
            Ok(rows
                .iter()
                .map(|row| Plan {
                    plan: row.get("plan"),
                    quota_bytes: row.get("quota_bytes"),
                    daily_token_budget: row.get("daily_token_budget"),
                    description: row.get("description"),
                })
                .collect())
        })
        .await
}

/// Puts an identity under a plan from now on, and returns the plan that it had. What is stored stays, even
/// beyond a smaller quota; only new saves are refused then.
///
/// # Errors
/// `not_found` for an unknown identity; `invalid_argument` for an unknown plan.
pub async fn set(
    store: &Store,
    owner: &OwnerIdentity,
    plan: &str,
    now: OffsetDateTime,
) -> Result<String> {
    store
        .run("plans.set", Scope::System, |tx| async move {
            let params = Params::default().text(owner.as_str()).text(plan).time(now);
            let row = tx.optional(sql!("system/plans/set"), &params).await?;
            let row = row.ok_or_else(|| Error::not_found("identity"))?;
            let before: String = row.get("plan_before");
            let line = Line {
                details: json!({ "from": before, "to": plan }),
                ..Line::new(Operation::Plan)
            };
            write(&tx, owner, &[line], now).await?;
            Ok(before)
        })
        .await
}
