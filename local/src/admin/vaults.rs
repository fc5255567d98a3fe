//! `vault`: makes vaults, and says who else may enter them.

use common::{
    adapters::clock::SystemClock,
    contract::{Membership, VaultRef},
    error::{Error, ErrorCode, Result},
    ids::{IdentityId, OwnerIdentity},
    ports::Clock,
    store::{Store, system::vaults},
};

use super::{instant, with_database};
use crate::{bring::Progress, cli::VaultCommand, dev_dir::DevDir};

/// Makes, lists, shares and closes vaults, and lists members.
///
/// # Errors
/// `not_found`, `name_taken`, `invalid_argument`.
pub async fn run(dev: &DevDir, say: &Progress<'_>, command: VaultCommand) -> Result<()> {
    with_database(dev, say, |store| async move {
        let now = SystemClock.now();
        let owner = OwnerIdentity::trusted;
        match command {
            VaultCommand::Create { identity, handle } => {
                let id = vaults::create(&store, &owner(identity), &handle, now).await?;
                println!("{id}");
                Ok(())
            }
            VaultCommand::List { identity } => list(&store, &owner(identity)).await,
            VaultCommand::Share {
                identity,
                vault,
                with,
                membership,
            } => {
                let (owner, to) = (owner(identity), (&colleague(&with)?, membership));
                let id = vaults::share(&store, &owner, &named(&vault)?, to, now).await?;
                println!("{with} has {} membership of {id}", membership.name());
                Ok(())
            }
            VaultCommand::Unshare {
                identity,
                vault,
                with,
            } => {
                let (owner, with) = (owner(identity), colleague(&with)?);
                let id = vaults::unshare(&store, &owner, &named(&vault)?, &with, now).await?;
                println!("{with} may no longer enter {id}");
                Ok(())
            }
            VaultCommand::Members { identity, vault } => {
                members(&store, &owner(identity), &named(&vault)?).await
            }
        }
    })
    .await
}

async fn list(store: &Store, owner: &OwnerIdentity) -> Result<()> {
    let vaults = vaults::list(store, owner).await?;
    println!("{:<30}  {:<24}  {:<30}  members", "vault", "handle", "made");
    for vault in vaults {
        let made = instant(vault.created_at)?;
        println!(
            "{:<30}  {:<24}  {made:<30}  {}",
            vault.id, vault.handle, vault.members
        );
    }
    Ok(())
}

async fn members(store: &Store, owner: &OwnerIdentity, vault: &VaultRef) -> Result<()> {
    let members = vaults::members(store, owner, vault).await?;
    println!(
        "{:<30}  {:<10}  {:<30}  name",
        "member", "membership", "since"
    );
    for member in members {
        let since = instant(member.created_at)?;
        println!(
            "{:<30}  {:<10}  {since:<30}  {}",
            member.id,
            member.membership.name(),
            member.display_name
        );
    }
    Ok(())
}

fn named(vault: &str) -> Result<VaultRef> {
    vault
        .parse()
        .map_err(|message: String| Error::new(ErrorCode::InvalidArgument, message))
}

fn colleague(text: &str) -> Result<IdentityId> {
    text.parse()
        .map_err(|error| Error::new(ErrorCode::InvalidArgument, format!("{error}")))
}

/// Reads a membership of the command line.
///
/// # Errors
/// What to write instead.
pub fn membership(text: &str) -> std::result::Result<Membership, String> {
    Membership::from_name(text).ok_or_else(|| "a membership is read, write or admin".to_owned())
}
