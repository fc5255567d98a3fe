//! What a tool needs to be allowed, as a type.

use std::marker::PhantomData;

use common::{
    contract::{Membership, Read, Right, Scope},
    error::Result,
    store::access::{Admission, AssetsAccess, OwnerAccess, VaultAccess, VaultsAccess},
};

/// What a tool needs to be allowed.
pub trait Needs: Send + 'static {
    /// The permission it is called with.
    type Access: Send + Sync;
    /// Its name in docs.
    const NAME: &'static str;
    /// Weakest membership of a shared vault with which it works; `None` where no vault is asked for.
    const MEMBERSHIP: Option<Membership>;
    /// Opens it.
    ///
    /// # Errors
    /// `forbidden_scope`, `forbidden_membership`, `not_found`.
    fn open(admission: &Admission, scope: Scope) -> Result<Self::Access>;
}

/// A right on the one vault that the call is about.
pub struct InVault<R>(PhantomData<R>);

impl<R: Right> Needs for InVault<R> {
    type Access = VaultAccess<R>;
    const NAME: &'static str = R::MEMBERSHIP.name();
    const MEMBERSHIP: Option<Membership> = Some(R::MEMBERSHIP);

    fn open(admission: &Admission, scope: Scope) -> Result<VaultAccess<R>> {
        admission.vault(scope)
    }
}

/// The right to read the vaults that the call names, or all readable ones.
pub struct InVaults;

impl Needs for InVaults {
    type Access = VaultsAccess;
    const NAME: &'static str = "read, of each vault";
    const MEMBERSHIP: Option<Membership> = Some(Read::MEMBERSHIP);

    fn open(admission: &Admission, scope: Scope) -> Result<VaultsAccess> {
        admission.vaults(scope)
    }
}

/// A right on each of the assets that the call names, judged one by one.
pub struct OfAssets<R>(PhantomData<R>);

impl<R: Right> Needs for OfAssets<R> {
    type Access = AssetsAccess<R>;
    const NAME: &'static str = match R::MEMBERSHIP {
        Membership::Read => "read, for each image",
        Membership::Write => "write, for each image",
        Membership::Admin => "admin, for each image",
    };
    const MEMBERSHIP: Option<Membership> = Some(R::MEMBERSHIP);

    fn open(admission: &Admission, scope: Scope) -> Result<AssetsAccess<R>> {
        admission.assets(scope)
    }
}

/// The caller's own rows, and no vault.
pub struct Own;

impl Needs for Own {
    type Access = OwnerAccess;
    const NAME: &'static str = "none: the caller's own account";
    const MEMBERSHIP: Option<Membership> = None;

    fn open(admission: &Admission, scope: Scope) -> Result<OwnerAccess> {
        admission.principal().require(scope)?;
        Ok(admission.own())
    }
}
