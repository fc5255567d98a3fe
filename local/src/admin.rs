//! Commands of an operator: migrations, tenants and keys.

use common::{
    adapters::clock::SystemClock,
    config::{Config, Defaults, Environment},
    error::{Error, ErrorCode, Result},
    ids::{KeyId, OwnerIdentity},
    ports::Clock,
    store::{
        Store,
        system::{identities, keys},
    },
};
use time::{Duration, OffsetDateTime, format_description::well_known::Rfc3339};

use crate::{
    bring::Progress,
    cli::{Grant, IdentityCommand, KeyCommand},
    dev_dir::DevDir,
    stack::Database,
};

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

/// Issues, lists, rotates and revokes keys.
///
/// # Errors
/// `not_found`, `invalid_argument`.
pub async fn key(dev: &DevDir, say: &Progress<'_>, command: KeyCommand) -> Result<()> {
    with_database(dev, say, |store| async move {
        let now = SystemClock.now();
        match command {
            KeyCommand::Create { identity, grant } => create(&store, identity, grant, now).await,
            KeyCommand::List { identity } => list(&store, identity).await,
            KeyCommand::Rotate {
                identity,
                key,
                overlap_hours,
            } => {
                let end = now + Duration::hours(overlap_hours.into());
                let owner = OwnerIdentity::trusted(identity);
                let (id, token) = keys::rotate(&store, &owner, &key_id(&key)?, end, now).await?;
                println!("{id} replaces {key}, which ends {}", instant(end)?);
                show(&token.reveal());
                Ok(())
            }
            KeyCommand::Revoke { identity, key } => {
                keys::revoke(
                    &store,
                    &OwnerIdentity::trusted(identity),
                    &key_id(&key)?,
                    now,
                )
                .await?;
                println!("{key} is revoked");
                Ok(())
            }
        }
    })
    .await
}

async fn create(store: &Store, identity: String, grant: Grant, now: OffsetDateTime) -> Result<()> {
    let new = keys::NewKey {
        owner: OwnerIdentity::trusted(identity),
        name: grant.name,
        surface: grant.surface,
        scopes: grant.scopes,
        expires_at: grant
            .expires_in_days
            .map(|days| now + Duration::days(days.into())),
    };
    let (id, token) = keys::create(store, &new, now).await?;
    println!("{id}");
    show(&token.reveal());
    Ok(())
}

fn show(key: &str) {
    println!("{key}");
    eprintln!("This key is shown once; keep it like a password.");
}

async fn list(store: &Store, identity: String) -> Result<()> {
    let keys = keys::list(store, &OwnerIdentity::trusted(identity)).await?;
    println!(
        "{:<30}  {:<16}  {:<24}  {:<8}  {:<24}  {:<8}  last used",
        "key", "begins", "name", "surface", "scopes", "state"
    );
    for key in keys {
        let state = match (key.revoked_at, key.expires_at) {
            (Some(_), _) => "revoked",
            (None, Some(end)) if end <= SystemClock.now() => "expired",
            (None, _) => "live",
        };
        let used = key.last_used_at.map(instant).transpose()?;
        println!(
            "{:<30}  imk_{:<12}  {:<24}  {:<8}  {:<24}  {:<8}  {}",
            key.id,
            key.prefix,
            key.name,
            key.surface,
            key.scopes.join(","),
            state,
            used.as_deref().unwrap_or("never")
        );
    }
    Ok(())
}

fn key_id(text: &str) -> Result<KeyId> {
    text.parse()
        .map_err(|error| Error::new(ErrorCode::InvalidArgument, format!("{error}")))
}

fn instant(at: OffsetDateTime) -> Result<String> {
    at.format(&Rfc3339).map_err(Error::internal)
}
