//! `key`: issues, lists, rotates and revokes keys.

use common::{
    adapters::clock::SystemClock,
    error::{Error, ErrorCode, Result},
    ids::{KeyId, OwnerIdentity},
    ports::Clock,
    store::{Store, system::keys},
};
use time::{Duration, OffsetDateTime};

use super::{instant, with_database};
use crate::{
    bring::Progress,
    cli::{Grant, KeyCommand},
    dev_dir::DevDir,
};

/// Issues, lists, rotates and revokes keys.
///
/// # Errors
/// `not_found`, `invalid_argument`.
pub async fn run(dev: &DevDir, say: &Progress<'_>, command: KeyCommand) -> Result<()> {
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
