//! Commands of an operator, each on the database of the configuration.

pub mod audit;
pub mod keys;
pub mod plans;
pub mod sweep;
pub mod vaults;

use common::{
    adapters::clock::SystemClock,
    config::{Config, Defaults, Environment},
    error::{Error, Result},
    ids::OwnerIdentity,
    ports::Clock,
    store::{Store, system::identities},
};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

use crate::{bring::Progress, cli::IdentityCommand, dev_dir::DevDir, stack::Database};

/// Runs `work` on the database of the configuration, and closes it.
async fn with_database<T, R>(
    dev: &DevDir,
    say: &Progress<'_>,
    work: impl FnOnce(Store) -> R,
) -> Result<T>
where
    R: Future<Output = Result<T>>,
{
    let config = Config::read(&Environment, Defaults::LOCAL)?;
    let database = Database::open(&config, dev, say).await?;
    let worked = match database.migrate_own().await {
        Ok(()) => work(database.store()?).await,
        Err(error) => Err(error),
    };
    database.close().await?;
    worked
}

/// Brings the schema up to date.
///
/// # Errors
/// Those of the migrations.
pub async fn migrate(dev: &DevDir, say: &Progress<'_>) -> Result<()> {
    let config = Config::read(&Environment, Defaults::LOCAL)?;
    let database = Database::open(&config, dev, say).await?;
    let migrated = database.migrate().await;
    database.close().await?;
    let migrated = migrated?;
    for name in &migrated.applied {
        println!("applied {name}");
    }
    println!("the schema is at version {}", migrated.version);
    Ok(())
}

/// Makes a tenant.
///
/// # Errors
/// `name_taken`, `invalid_argument`.
pub async fn identity(dev: &DevDir, say: &Progress<'_>, command: IdentityCommand) -> Result<()> {
    let IdentityCommand::Create {
        identity,
        display_name,
        plan,
    } = command;
    let new = identities::NewIdentity {
        owner: OwnerIdentity::trusted(identity),
        display_name,
        plan,
    };
    let id = with_database(dev, say, |store| async move {
        identities::create(&store, &new, SystemClock.now()).await
    });
    println!("{}", id.await?);
    Ok(())
}

/// An instant as people and programs read it.
fn instant(at: OffsetDateTime) -> Result<String> {
    at.format(&Rfc3339).map_err(Error::internal)
}
