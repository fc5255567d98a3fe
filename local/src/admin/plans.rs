//! `plan`: what identities may use.

use common::{
    adapters::clock::SystemClock,
    error::Result,
    ids::OwnerIdentity,
    ports::Clock,
    store::{Store, system::plans},
};

use super::with_database;
use crate::{bring::Progress, cli::PlanCommand, dev_dir::DevDir};

/// Lists plans, or puts an identity under one.
///
/// # Errors
/// `not_found`, `invalid_argument`.
pub async fn run(dev: &DevDir, say: &Progress<'_>, command: PlanCommand) -> Result<()> {
    with_database(dev, say, |store| async move {
        match command {
            PlanCommand::List => list(&store).await,
            PlanCommand::Set { identity, plan } => {
                let owner = OwnerIdentity::trusted(identity);
                let before = plans::set(&store, &owner, &plan, SystemClock.now()).await?;
                println!("the plan is {plan}; it was {before}");
                Ok(())
            }
        }
    })
    .await
}

async fn list(store: &Store) -> Result<()> {
    println!(
        "{:<16}  {:>18}  {:>18}  description",
        "plan", "quota in bytes", "tokens a day"
    );
    for plan in plans::list(store).await? {
        println!(
            "{:<16}  {:>18}  {:>18}  {}",
            plan.plan,
            bound(plan.quota_bytes),
            bound(plan.daily_token_budget),
            plan.description
        );
    }
    Ok(())
}

fn bound(most: Option<i64>) -> String {
    most.map_or_else(|| "no limit".to_owned(), |most| most.to_string())
}
