//! Vaults of an identity and who else may enter them, kept by an operator.

use serde_json::{Value, json};
use time::OffsetDateTime;
use tokio_postgres::Row;

use crate::{
    contract::{Membership, VaultRef},
    domain::names::{NameKey, clean_name, name_key},
    error::{Error, ErrorCode, Result},
    ids::{IdentityId, OwnerIdentity, VaultId},
    store::{
        Store, Tx,
        access::{named, stored},
        params::Params,
        provenance::{Line, Operation, millis, write},
        system::identities::id_of,
        tx::{Scope, sql},
    },
};

/// A vault of one's own.
#[derive(Debug, Clone)]
pub struct OwnVault {
    /// Its id.
    pub id: VaultId,
    /// Its handle.
    pub handle: String,
    /// How many others may enter.
    pub members: i64,
    /// When it was made.
    pub created_at: OffsetDateTime,
}

/// Somebody else who may enter a vault.
#[derive(Debug, Clone)]
pub struct Member {
    /// The colleague's opaque id.
    pub id: IdentityId,
    /// Name by which the colleague is shown.
    pub display_name: String,
    /// What the colleague may do.
    pub membership: Membership,
    /// Since when.
    pub created_at: OffsetDateTime,
}

/// Makes a vault.
///
/// # Errors
/// `not_found` for an unknown identity; `name_taken`; `invalid_argument` for a handle without visible
/// characters, one that is too long, or one that reads like an id.
pub async fn create(
    store: &Store,
    owner: &OwnerIdentity,
    handle: &str,
    now: OffsetDateTime,
) -> Result<VaultId> {
    let (handle, key) = clean_name("handle", handle)?;
    if matches!(handle.parse(), Ok(VaultRef::Id(_))) {
        let message = "a handle must not read like the id of a vault";
        return Err(Error::new(ErrorCode::InvalidArgument, message));
    }
    let id = VaultId::generate(millis(now));
    let (handle, key, new) = (&handle, &key, &id);
    store
        .run("vaults.create", Scope::System, |tx| async move {
            let params = Params::default()
                .text(owner.as_str())
                .text(new.as_str())
                .text(handle)
                .text(key.as_str())
                .time(now);
            tx.change_one(sql!("system/vaults/insert"), &params).await?;
            note(&tx, owner, new, None, json!({ "action": "create" }), now).await
        })
        .await?;
    Ok(id)
}

/// An identity's own vaults, oldest first.
///
/// # Errors
/// `database_unavailable`.
pub async fn list(store: &Store, owner: &OwnerIdentity) -> Result<Vec<OwnVault>> {
    store
        .run("vaults.list", Scope::System, |tx| async move {
            let params = Params::default().text(owner.as_str());
            let rows = tx.rows(sql!("system/vaults/list"), &params).await?;
            rows.iter().map(own_vault).collect()
        })
        .await
}

fn own_vault(row: &Row) -> Result<OwnVault> {
    Ok(OwnVault {
        id: stored(row, "id")?,
        handle: row.get("handle"),
        members: row.get("members"),
        created_at: row.get("created_at"),
    })
}

/// Lets a colleague enter, or changes what the colleague may do.
///
/// # Errors
/// `not_found` for the vault or the colleague; `invalid_argument` for the owner itself.
pub async fn share(
    store: &Store,
    owner: &OwnerIdentity,
    vault: &VaultRef,
    (with, membership): (&IdentityId, Membership),
    now: OffsetDateTime,
) -> Result<VaultId> {
    store
        .run("vaults.share", Scope::System, |tx| async move {
            let vault = find(&tx, owner, vault).await?;
            if id_of(&tx, owner).await?.as_ref() == Some(with) {
                let message = "the owner may do everything in the vault already";
                return Err(Error::new(ErrorCode::InvalidArgument, message));
            }
            let params = Params::default()
                .text(owner.as_str())
                .text(vault.as_str())
                .text(with.as_str())
                .text(membership.name())
                .time(now);
            if tx.change(sql!("system/vaults/share"), &params).await? == 0 {
                return Err(Error::not_found("identity"));
            }
            let details = json!({ "action": "share", "membership": membership });
            note(&tx, owner, &vault, Some(with), details, now).await?;
            Ok(vault.clone())
        })
        .await
}

/// Ends a membership: the colleague's next call finds nothing. Links already issued end within five minutes.
///
/// # Errors
/// `not_found` for the vault, or for somebody who is no member.
pub async fn unshare(
    store: &Store,
    owner: &OwnerIdentity,
    vault: &VaultRef,
    with: &IdentityId,
    now: OffsetDateTime,
) -> Result<VaultId> {
    store
        .run("vaults.unshare", Scope::System, |tx| async move {
            let vault = find(&tx, owner, vault).await?;
            let params = Params::default()
                .text(owner.as_str())
                .text(vault.as_str())
                .text(with.as_str());
            if tx.change(sql!("system/vaults/unshare"), &params).await? == 0 {
                return Err(Error::not_found("member"));
            }
            let details = json!({ "action": "unshare" });
            note(&tx, owner, &vault, Some(with), details, now).await?;
            Ok(vault.clone())
        })
        .await
}

/// Who else may enter a vault.
///
/// # Errors
/// `not_found` for the vault.
pub async fn members(
    store: &Store,
    owner: &OwnerIdentity,
    vault: &VaultRef,
) -> Result<Vec<Member>> {
    store
        .run("vaults.members", Scope::System, |tx| async move {
            let vault = find(&tx, owner, vault).await?;
            let params = Params::default().text(owner.as_str()).text(vault.as_str());
            let rows = tx.rows(sql!("system/vaults/members"), &params).await?;
            rows.iter().map(member).collect()
        })
        .await
}

fn member(row: &Row) -> Result<Member> {
    Ok(Member {
        id: stored(row, "id")?,
        display_name: row.get("display_name"),
        membership: named(row, "membership", Membership::from_name)?,
        created_at: row.get("created_at"),
    })
}

async fn find(tx: &Tx, owner: &OwnerIdentity, vault: &VaultRef) -> Result<VaultId> {
    let (id, key) = match vault {
        VaultRef::Id(id) => (Some(id.as_str()), None),
        VaultRef::Handle(handle) => (None, name_key(handle).ok()),
    };
    let params = Params::default()
        .text(owner.as_str())
        .maybe_text(id)
        .maybe_text(key.as_ref().map(NameKey::as_str));
    let row = tx.optional(sql!("system/vaults/find"), &params).await?;
    stored(&row.ok_or_else(|| Error::not_found("vault"))?, "id")
}

async fn note(
    tx: &Tx,
    owner: &OwnerIdentity,
    vault: &VaultId,
    with: Option<&IdentityId>,
    details: Value,
    now: OffsetDateTime,
) -> Result<()> {
    let line = Line {
        vault: Some(vault),
        subject: with.map(IdentityId::as_str),
        details,
        ..Line::new(Operation::Vault)
    };
    write(tx, owner, &[line], now).await
}
