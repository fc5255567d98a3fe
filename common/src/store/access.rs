//! Permission as a value.
//!
//! [`admit`] verifies a key and resolves what the call is about, in one system query. What it yields is
//! the only way to a [`VaultAccess`], and every function on tenant data asks for one: code that was not
//! given access cannot be written.
//!
//! Nothing outside can make one up, weaken the typing, or take one from a request:
//! `tests/misuse` shows each attempt fail to compile.

use std::marker::PhantomData;

use time::OffsetDateTime;
use tokio_postgres::Row;

use super::{
    Store, Tx,
    params::Params,
    tx::{Scope as TxScope, sql},
};
use crate::{
    auth::{KeyToken, Principal, Scope, unauthenticated},
    contract::{Membership, Read, Right, Target, VaultRef},
    domain::names::name_key,
    error::{Error, ErrorCode, Result},
    ids::{IdentityId, KeyId, NamespaceId, OwnerIdentity, RequestId, VaultId},
};

/// Who acts, for `created_by`, provenance and the access log.
#[derive(Debug, Clone)]
pub struct Actor {
    pub(crate) identity: OwnerIdentity,
    pub(crate) id: IdentityId,
    pub(crate) key: KeyId,
    pub(crate) surface: String,
    pub(crate) request: RequestId,
}

/// The right `R` on one vault, for one call.
#[derive(Debug)]
pub struct VaultAccess<R> {
    owner: OwnerIdentity,
    vault: VaultId,
    handle: String,
    namespace: NamespaceId,
    actor: Actor,
    right: PhantomData<fn() -> R>,
}

impl<R> Clone for VaultAccess<R> {
    fn clone(&self) -> Self {
        self.retyped()
    }
}

impl<R> VaultAccess<R> {
    fn retyped<S>(&self) -> VaultAccess<S> {
        VaultAccess {
            owner: self.owner.clone(),
            vault: self.vault.clone(),
            handle: self.handle.clone(),
            namespace: self.namespace.clone(),
            actor: self.actor.clone(),
            right: PhantomData,
        }
    }

    /// The vault.
    #[must_use]
    pub fn vault(&self) -> &VaultId {
        &self.vault
    }

    /// Its handle, as its owner knows it.
    #[must_use]
    pub fn handle(&self) -> &str {
        &self.handle
    }

    /// The owner's opaque namespace, fit for keys and logs.
    #[must_use]
    pub fn namespace(&self) -> &NamespaceId {
        &self.namespace
    }

    pub(crate) fn actor(&self) -> &Actor {
        &self.actor
    }
}

impl<R: Right> VaultAccess<R> {
    /// The same vault with the right to read alone; nothing goes the other way.
    #[must_use]
    pub fn as_read(&self) -> VaultAccess<Read> {
        self.retyped()
    }
}

/// The right to read several vaults, of one or several owners.
#[derive(Debug, Clone)]
pub struct VaultsAccess {
    vaults: Vec<VaultAccess<Read>>,
    own: OwnerAccess,
}

impl VaultsAccess {
    /// Each vault, in a stable order.
    #[must_use]
    pub fn vaults(&self) -> &[VaultAccess<Read>] {
        &self.vaults
    }

    /// The caller's own rows.
    #[must_use]
    pub fn own(&self) -> &OwnerAccess {
        &self.own
    }
}

/// The caller's own rows that belong to no vault.
#[derive(Debug, Clone)]
pub struct OwnerAccess {
    actor: Actor,
}

impl OwnerAccess {
    /// The caller's opaque id.
    #[must_use]
    pub fn caller(&self) -> &str {
        self.actor.id.as_str()
    }

    pub(crate) fn actor(&self) -> &Actor {
        &self.actor
    }
}

/// What binds a transaction to one owner's rows.
pub trait Bound: sealed::Sealed + Sync {
    #[doc(hidden)]
    fn bound_owner(&self) -> &OwnerIdentity;
}

mod sealed {
    pub trait Sealed {}
    impl<R> Sealed for super::VaultAccess<R> {}
    impl Sealed for super::OwnerAccess {}
    impl Sealed for super::WorkAccess {}
}

impl<R> Bound for VaultAccess<R> {
    fn bound_owner(&self) -> &OwnerIdentity {
        &self.owner
    }
}

impl Bound for WorkAccess {
    fn bound_owner(&self) -> &OwnerIdentity {
        &self.owner
    }
}

impl Bound for OwnerAccess {
    fn bound_owner(&self) -> &OwnerIdentity {
        &self.actor.identity
    }
}

impl Store {
    /// Runs `work` in one transaction bound to the access value's owner; see [`Tx`].
    ///
    /// # Errors
    /// Those of `work`, and `database_unavailable`.
    pub async fn run_tx<T, F, R>(
        &self,
        name: &'static str,
        access: &impl Bound,
        work: F,
    ) -> Result<T>
    where
        F: Fn(Tx) -> R + Send + Sync,
        R: Future<Output = Result<T>> + Send,
    {
        self.run(name, TxScope::Owner(access.bound_owner().clone()), work)
            .await
    }
}

struct Grant {
    owner: OwnerIdentity,
    vault: VaultId,
    handle: String,
    namespace: NamespaceId,
    /// `None` for the owner.
    membership: Option<Membership>,
}

/// A verified caller, and the vaults that the call is about as far as the caller may know them.
pub struct Admission {
    principal: Principal,
    grants: Vec<Grant>,
    target: Target,
    request: RequestId,
}

/// Verifies a key and resolves the call's target, in one system query.
///
/// # Errors
/// `unauthenticated`, the same for every key that opens nothing; `database_unavailable`.
pub async fn admit(
    store: &Store,
    key: &KeyToken,
    target: Target,
    request: RequestId,
    now: OffsetDateTime,
) -> Result<Admission> {
    let (kind, value) = address(&target);
    let rows = store
        .run("access.admit", TxScope::System, |tx| {
            let value = value.clone();
            async move {
                let params = Params::default()
                    .text(key.prefix())
                    .text(kind)
                    .text(&value)
                    .time(now);
                tx.rows(sql!("system/access/admit"), &params).await
            }
        })
        .await?;
    let Some(first) = rows.first() else {
        return Err(unauthenticated());
    };
    if !key.matches(first.get::<_, &[u8]>("secret_sha256")) {
        return Err(unauthenticated());
    }
    let principal = principal(first)?;
    if first.get("touch") {
        touch(store, &principal, now).await?;
    }
    let grants = rows
        .iter()
        .filter_map(|row| grant(row).transpose())
        .collect::<Result<_>>()?;
    Ok(Admission {
        principal,
        grants,
        target,
        request,
    })
}

fn address(target: &Target) -> (&'static str, String) {
    match target {
        Target::Nothing => ("nothing", String::new()),
        Target::Vault(VaultRef::Id(id)) => ("vault", id.to_string()),
        // A handle that folds to nothing names no vault, like any other unknown one.
        Target::Vault(VaultRef::Handle(handle)) => (
            "handle",
            name_key(handle)
                .map(|key| key.as_str().to_owned())
                .unwrap_or_default(),
        ),
        Target::Asset(id) => ("asset", id.to_string()),
        Target::Vaults(_) => ("all", String::new()),
    }
}

async fn touch(store: &Store, principal: &Principal, now: OffsetDateTime) -> Result<()> {
    store
        .run("access.touch", TxScope::System, |tx| async move {
            let params = Params::default()
                .text(principal.owner.as_str())
                .text(principal.key.as_str())
                .time(now);
            tx.change(sql!("system/access/touch_key"), &params).await
        })
        .await?;
    Ok(())
}

fn principal(row: &Row) -> Result<Principal> {
    let scopes: Vec<String> = row.get("scopes");
    Ok(Principal {
        owner: OwnerIdentity::trusted(row.get("owner_identity")),
        identity: stored(row, "identity_id")?,
        key: stored(row, "key_id")?,
        scopes: scopes
            .iter()
            .map(|scope| scope.parse())
            .collect::<Result<_>>()?,
        surface: row.get("surface"),
    })
}

fn grant(row: &Row) -> Result<Option<Grant>> {
    let Some(vault) = row.get::<_, Option<String>>("vault") else {
        return Ok(None);
    };
    let membership: Option<String> = row.get("membership");
    Ok(Some(Grant {
        owner: OwnerIdentity::trusted(row.get("vault_owner")),
        vault: vault.parse().map_err(Error::internal)?,
        handle: row.get("handle"),
        namespace: stored(row, "namespace_id")?,
        membership: membership.as_deref().and_then(Membership::from_name),
    }))
}

/// An id column; a stored id that does not parse is a fault of ours.
pub(crate) fn stored<T>(row: &Row, column: &str) -> Result<T>
where
    T: std::str::FromStr,
    T::Err: std::error::Error + Send + Sync + 'static,
{
    row.get::<_, &str>(column).parse().map_err(Error::internal)
}

/// A column of stored names; a name that is not in the list is a fault of ours.
pub(crate) fn named<T>(row: &Row, column: &str, from_name: fn(&str) -> Option<T>) -> Result<T> {
    let name: &str = row.get(column);
    from_name(name).ok_or_else(|| Error::internal(format!("{column} holds an unknown name")))
}

/// Background work on one owner's rows; it comes from a claimed row alone.
#[derive(Debug, Clone)]
pub struct WorkAccess {
    pub(super) owner: OwnerIdentity,
}

impl Admission {
    /// The caller.
    #[must_use]
    pub fn principal(&self) -> &Principal {
        &self.principal
    }

    fn actor(&self) -> Actor {
        Actor {
            identity: self.principal.owner.clone(),
            id: self.principal.identity.clone(),
            key: self.principal.key.clone(),
            surface: self.principal.surface.clone(),
            request: self.request.clone(),
        }
    }

    fn open<R: Right>(&self, grant: &Grant) -> Result<VaultAccess<R>> {
        if grant
            .membership
            .is_some_and(|membership| membership < R::MEMBERSHIP)
        {
            let needed = R::MEMBERSHIP.name();
            let message = format!("this needs {needed} membership of the vault");
            return Err(
                Error::new(ErrorCode::ForbiddenMembership, message).detail("membership", needed)
            );
        }
        Ok(VaultAccess {
            owner: grant.owner.clone(),
            vault: grant.vault.clone(),
            handle: grant.handle.clone(),
            namespace: grant.namespace.clone(),
            actor: self.actor(),
            right: PhantomData,
        })
    }

    /// Access to the one vault of the target.
    ///
    /// # Errors
    /// `not_found` for what the caller may not know of; `forbidden_membership` where the caller may read
    /// the vault and lacks the right; `forbidden_scope`.
    pub fn vault<R: Right>(&self, scope: Scope) -> Result<VaultAccess<R>> {
        self.principal.require(scope)?;
        let kind = if matches!(self.target, Target::Asset(_)) {
            "asset"
        } else {
            "vault"
        };
        let grant = self.grants.first().ok_or_else(|| Error::not_found(kind))?;
        self.open(grant)
    }

    /// Access to the vaults of the target, or to all that the caller may read.
    ///
    /// # Errors
    /// `not_found` when one that was named is not readable; `forbidden_scope`.
    pub fn vaults(&self, scope: Scope) -> Result<VaultsAccess> {
        self.principal.require(scope)?;
        let named = match &self.target {
            Target::Vaults(Some(named)) => Some(named),
            Target::Nothing | Target::Vault(_) | Target::Asset(_) | Target::Vaults(None) => None,
        };
        let vaults = match named {
            None => self
                .grants
                .iter()
                .map(|grant| self.open(grant))
                .collect::<Result<_>>()?,
            Some(named) => {
                let mut vaults: Vec<VaultAccess<Read>> = Vec::new();
                for vault in named {
                    let access = self.open(self.named(vault)?)?;
                    if vaults.iter().all(|known| known.vault != access.vault) {
                        vaults.push(access);
                    }
                }
                vaults
            }
        };
        Ok(VaultsAccess {
            vaults,
            own: self.own(),
        })
    }

    fn named(&self, vault: &VaultRef) -> Result<&Grant> {
        let found = self.grants.iter().find(|grant| match vault {
            VaultRef::Id(id) => grant.vault == *id,
            VaultRef::Handle(handle) => {
                grant.membership.is_none()
                    && matches!((name_key(handle), name_key(&grant.handle)), (Ok(a), Ok(b)) if a == b)
            }
        });
        found.ok_or_else(|| Error::not_found("vault"))
    }

    /// Access to the caller's own rows.
    #[must_use]
    pub fn own(&self) -> OwnerAccess {
        OwnerAccess {
            actor: self.actor(),
        }
    }
}
