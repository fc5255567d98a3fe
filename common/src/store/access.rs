//! Permission as a value.
//!
//! [`admit`] verifies a key and resolves what the call is about, in one system query. What it yields is
//! the only way to a [`VaultAccess`], and every function on tenant data asks for one: code that was not
//! given access cannot be written.
//!
//! Nothing outside can make one up, weaken the typing, or take one from a request:
//! `tests/misuse` shows each attempt fail to compile.

mod admission;

use std::marker::PhantomData;

use time::OffsetDateTime;
use tokio_postgres::Row;

pub use self::admission::{Admission, Admitted, admit, lacking};
use super::{Store, Tx, tx::Scope as TxScope};
use crate::{
    contract::{Membership, Read, Right, Scope},
    error::{Error, Result},
    ids::{AssetId, IdentityId, KeyId, NamespaceId, OwnerIdentity, RequestId, VaultId},
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

    /// The caller's opaque id, which need not be the owner's.
    #[must_use]
    pub fn caller(&self) -> &str {
        self.actor.id.as_str()
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

/// A vault as its reader may know it.
#[derive(Debug, Clone)]
pub struct VaultView {
    /// The vault.
    pub id: VaultId,
    /// Its handle, as its owner knows it.
    pub handle: String,
    /// The caller's membership; `None` for the caller's own vault.
    pub membership: Option<Membership>,
    /// Opaque id of the owner, who pays for what is in it.
    pub owner: IdentityId,
    /// Name by which the owner is shown.
    pub owner_name: String,
    /// What the caller's key may do in it.
    pub rights: Vec<Scope>,
    /// When it was made.
    pub created_at: OffsetDateTime,
}

/// The right to read several vaults, of one or several owners.
#[derive(Debug, Clone)]
pub struct VaultsAccess {
    vaults: Vec<VaultAccess<Read>>,
    views: Vec<VaultView>,
    own: OwnerAccess,
}

impl VaultsAccess {
    /// Each vault, in a stable order.
    #[must_use]
    pub fn vaults(&self) -> &[VaultAccess<Read>] {
        &self.vaults
    }

    /// What the caller may know of each, in the same order.
    #[must_use]
    pub fn views(&self) -> &[VaultView] {
        &self.views
    }

    /// The vaults in groups of one owner each: a transaction is bound to one owner. No group is empty.
    #[must_use]
    pub fn by_owner(&self) -> Vec<Vec<VaultAccess<Read>>> {
        let mut groups: Vec<Vec<VaultAccess<Read>>> = Vec::new();
        for vault in &self.vaults {
            match groups
                .iter_mut()
                .find(|group| group[0].owner == vault.owner)
            {
                Some(group) => group.push(vault.clone()),
                None => groups.push(vec![vault.clone()]),
            }
        }
        groups
    }

    /// The caller's own rows.
    #[must_use]
    pub fn own(&self) -> &OwnerAccess {
        &self.own
    }
}

/// The right `R` on assets that a call names, as far as the caller has it. Ids in neither list are unknown.
#[derive(Debug)]
pub struct AssetsAccess<R> {
    groups: Vec<(VaultAccess<R>, Vec<AssetId>)>,
    refused: Vec<AssetId>,
    own: OwnerAccess,
}

impl<R> AssetsAccess<R> {
    /// Each vault with those of the assets that are in it.
    #[must_use]
    pub fn groups(&self) -> &[(VaultAccess<R>, Vec<AssetId>)] {
        &self.groups
    }

    /// Assets that the caller may read, but lacks the right for.
    #[must_use]
    pub fn refused(&self) -> &[AssetId] {
        &self.refused
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

/// An id column; a stored id that does not parse is a fault of ours.
pub(crate) fn stored<T>(row: &Row, column: &str) -> Result<T>
where
    T: std::str::FromStr,
    T::Err: std::error::Error + Send + Sync + 'static,
{
    row.get::<_, &str>(column).parse().map_err(Error::internal)
}

/// An id column that may be empty.
pub(crate) fn maybe_stored<T>(row: &Row, column: &str) -> Result<Option<T>>
where
    T: std::str::FromStr,
    T::Err: std::error::Error + Send + Sync + 'static,
{
    let text: Option<&str> = row.get(column);
    text.map(|text| text.parse().map_err(Error::internal))
        .transpose()
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
