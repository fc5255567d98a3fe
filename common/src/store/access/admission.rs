//! Verifying a key, and opening access from what that found.

use std::marker::PhantomData;

use time::OffsetDateTime;
use tokio_postgres::Row;

use super::{Actor, AssetsAccess, OwnerAccess, VaultAccess, VaultView, VaultsAccess, stored};
use crate::{
    auth::{KeyToken, Principal, Scope, unauthenticated},
    contract::{Delete, Membership, Read, Right, Target, VaultRef, Write},
    domain::names::name_key,
    error::{Error, ErrorCode, Result},
    ids::{AssetId, NamespaceId, OwnerIdentity, RequestId},
    store::{
        Store,
        params::Params,
        tx::{Scope as TxScope, sql},
    },
};

/// A vault that the caller may read, and what the call names in it.
struct Grant {
    owner: OwnerIdentity,
    namespace: NamespaceId,
    view: VaultView,
    assets: Vec<AssetId>,
}

/// A verified caller, and the vaults that the call is about as far as the caller may know them.
pub struct Admission {
    principal: Principal,
    grants: Vec<Grant>,
    target: Target,
    request: RequestId,
}

/// What came of a key that somebody holds.
pub enum Admitted {
    /// It opens something.
    Live(Admission),
    /// It is expired or revoked; its owner may know that it was tried.
    Ended(OwnerAccess),
}

/// Verifies a key and resolves the call's target, in one system query.
///
/// # Errors
/// `unauthenticated` for a key that nobody was given; `database_unavailable`.
pub async fn admit(
    store: &Store,
    key: &KeyToken,
    target: Target,
    request: RequestId,
    now: OffsetDateTime,
) -> Result<Admitted> {
    let (kind, values) = address(&target);
    let rows = store
        .run("access.admit", TxScope::System, |tx| {
            let values = values.clone();
            async move {
                let params = Params::default()
                    .text(key.prefix())
                    .text(kind)
                    .texts(&values)
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
    let live: bool = first.get("live");
    if live && first.get("touch") {
        touch(store, &principal, now).await?;
    }
    let grants = rows
        .iter()
        .filter_map(|row| grant(row).transpose())
        .collect::<Result<_>>()?;
    let admission = Admission {
        principal,
        grants,
        target,
        request,
    };
    Ok(match live {
        true => Admitted::Live(admission),
        false => Admitted::Ended(admission.own()),
    })
}

fn address(target: &Target) -> (&'static str, Vec<String>) {
    match target {
        Target::Nothing => ("nothing", Vec::new()),
        Target::Vault(VaultRef::Id(id)) => ("vault", vec![id.to_string()]),
        // A handle that folds to nothing names no vault, like any other unknown one.
        Target::Vault(VaultRef::Handle(handle)) => {
            let key = name_key(handle).map(|key| key.as_str().to_owned());
            ("handle", vec![key.unwrap_or_default()])
        }
        Target::Project(id) => ("project", vec![id.to_string()]),
        Target::Assets(ids) => ("assets", ids.iter().map(ToString::to_string).collect()),
        Target::Vaults(_) => ("all", Vec::new()),
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
    let assets: Vec<String> = row.get("assets");
    Ok(Some(Grant {
        owner: OwnerIdentity::trusted(row.get("vault_owner")),
        namespace: stored(row, "namespace_id")?,
        view: VaultView {
            id: vault.parse().map_err(Error::internal)?,
            handle: row.get("handle"),
            membership: membership.as_deref().and_then(Membership::from_name),
            owner: stored(row, "owner_id")?,
            owner_name: row.get("owner_name"),
            rights: Vec::new(),
            created_at: row.get("vault_created_at"),
        },
        assets: assets
            .iter()
            .map(|id| id.parse().map_err(Error::internal))
            .collect::<Result<_>>()?,
    }))
}

impl Grant {
    /// Whether the caller has the right in this vault; the owner has every one.
    fn gives<R: Right>(&self) -> bool {
        self.view
            .membership
            .is_none_or(|membership| membership >= R::MEMBERSHIP)
    }

    fn is(&self, vault: &VaultRef) -> bool {
        match vault {
            VaultRef::Id(id) => self.view.id == *id,
            VaultRef::Handle(handle) => {
                self.view.membership.is_none()
                    && matches!((name_key(handle), name_key(&self.view.handle)), (Ok(a), Ok(b)) if a == b)
            }
        }
    }
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
        if !grant.gives::<R>() {
            return Err(lacking(R::MEMBERSHIP));
        }
        Ok(VaultAccess {
            owner: grant.owner.clone(),
            vault: grant.view.id.clone(),
            handle: grant.view.handle.clone(),
            namespace: grant.namespace.clone(),
            actor: self.actor(),
            right: PhantomData,
        })
    }

    /// Access to the one vault of the target; assets that are named must all be in it.
    ///
    /// # Errors
    /// `not_found` for what the caller may not know of; `forbidden_membership` where the caller may read
    /// the vault and lacks the right; `invalid_argument` for assets of several vaults; `forbidden_scope`.
    pub fn vault<R: Right>(&self, scope: Scope) -> Result<VaultAccess<R>> {
        self.principal.require(scope)?;
        let kind = match &self.target {
            Target::Assets(ids) => {
                let found: usize = self.grants.iter().map(|grant| grant.assets.len()).sum();
                if found < distinct(ids) {
                    return Err(Error::not_found("asset"));
                }
                "asset"
            }
            Target::Project(_) => "project",
            Target::Nothing | Target::Vault(_) | Target::Vaults(_) => "vault",
        };
        let [grant] = self.grants.as_slice() else {
            return Err(if self.grants.is_empty() {
                Error::not_found(kind)
            } else {
                let message = "the assets lie in several vaults; name those of one vault in a call";
                Error::new(ErrorCode::InvalidArgument, message)
            });
        };
        self.open(grant)
    }

    /// Access to the vaults of the target, or to all that the caller may read.
    ///
    /// # Errors
    /// `not_found` when one that was named is not readable; `forbidden_scope`.
    pub fn vaults(&self, scope: Scope) -> Result<VaultsAccess> {
        self.principal.require(scope)?;
        let grants: Vec<&Grant> = match &self.target {
            Target::Vaults(Some(named)) => {
                let mut grants: Vec<&Grant> = Vec::new();
                for vault in named {
                    let grant = self.grants.iter().find(|grant| grant.is(vault));
                    let grant = grant.ok_or_else(|| Error::not_found("vault"))?;
                    if grants.iter().all(|known| known.view.id != grant.view.id) {
                        grants.push(grant);
                    }
                }
                grants
            }
            Target::Nothing
            | Target::Vault(_)
            | Target::Project(_)
            | Target::Assets(_)
            | Target::Vaults(None) => self.grants.iter().collect(),
        };
        Ok(VaultsAccess {
            vaults: grants
                .iter()
                .map(|grant| self.open::<Read>(grant))
                .collect::<Result<_>>()?,
            views: grants.into_iter().map(|grant| self.view(grant)).collect(),
            own: self.own(),
        })
    }

    fn view(&self, grant: &Grant) -> VaultView {
        let rights = [
            (Scope::Read, grant.gives::<Read>()),
            (Scope::Write, grant.gives::<Write>()),
            (Scope::Delete, grant.gives::<Delete>()),
        ];
        let rights = rights
            .into_iter()
            .filter(|(scope, given)| *given && self.principal.scopes.contains(scope))
            .map(|(scope, _)| scope);
        VaultView {
            rights: rights.collect(),
            ..grant.view.clone()
        }
    }

    /// Access to each of the target's assets for itself.
    ///
    /// # Errors
    /// `forbidden_scope`.
    pub fn assets<R: Right>(&self, scope: Scope) -> Result<AssetsAccess<R>> {
        self.principal.require(scope)?;
        let (mut groups, mut refused) = (Vec::new(), Vec::new());
        for grant in &self.grants {
            if grant.gives::<R>() {
                groups.push((self.open(grant)?, grant.assets.clone()));
            } else {
                refused.extend(grant.assets.iter().cloned());
            }
        }
        Ok(AssetsAccess {
            groups,
            refused,
            own: self.own(),
        })
    }

    /// Access to the caller's own rows.
    #[must_use]
    pub fn own(&self) -> OwnerAccess {
        OwnerAccess {
            actor: self.actor(),
        }
    }
}

/// The refusal of a member who may read and lacks the right.
#[must_use]
pub fn lacking(needed: Membership) -> Error {
    let needed = needed.name();
    let message = format!("this needs {needed} membership of the vault");
    Error::new(ErrorCode::ForbiddenMembership, message).detail("membership", needed)
}

fn distinct(ids: &[AssetId]) -> usize {
    ids.iter().collect::<std::collections::BTreeSet<_>>().len()
}
