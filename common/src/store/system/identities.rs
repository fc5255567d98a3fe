//! Tenants, made by an operator.

use time::OffsetDateTime;

use crate::{
    contract::DEFAULT_VAULT,
    domain::names::name_key,
    error::{Error, ErrorCode, Result},
    ids::{IdentityId, NamespaceId, OwnerIdentity, VaultId},
    store::{
        Store, Tx,
        access::stored,
        params::Params,
        provenance::millis,
        tx::{Scope, sql},
    },
};

/// A tenant to be.
#[derive(Debug, Clone)]
pub struct NewIdentity {
    /// As the operator names it, such as an e-mail address.
    pub owner: OwnerIdentity,
    /// As colleagues see it.
    pub display_name: String,
    /// Name of its plan.
    pub plan: String,
}

/// Makes a tenant with its namespace and the vault `Library`.
///
/// # Errors
/// `name_taken`; `invalid_argument` for an empty or overlong name, or an unknown plan.
pub async fn create(store: &Store, new: &NewIdentity, now: OffsetDateTime) -> Result<IdentityId> {
    let length = |text: &str| text.chars().count();
    if !(1..=320).contains(&length(new.owner.as_str()))
        || !(1..=120).contains(&length(&new.display_name))
    {
        let message = "an identity has 1 to 320 characters and a display name 1 to 120";
        return Err(Error::new(ErrorCode::InvalidArgument, message));
    }
    let id = IdentityId::generate(millis(now));
    let (namespace, vault) = (
        NamespaceId::generate(millis(now)),
        VaultId::generate(millis(now)),
    );
    let handle_key = name_key(DEFAULT_VAULT)?;
    store
        .run("identities.create", Scope::System, |tx| {
            let (id, namespace, vault, handle_key) = (&id, &namespace, &vault, &handle_key);
            async move {
                let params = Params::default()
                    .text(new.owner.as_str())
                    .text(id.as_str())
                    .text(&new.display_name)
                    .text(namespace.as_str())
                    .text(&new.plan)
                    .text(vault.as_str())
                    .text(DEFAULT_VAULT)
                    .text(handle_key.as_str())
                    .time(now);
                tx.change_one(sql!("system/identities/insert"), &params)
                    .await
            }
        })
        .await?;
    Ok(id)
}

/// The opaque id of a tenant, if there is one of this name.
///
/// # Errors
/// `database_unavailable`.
pub async fn find(store: &Store, owner: &OwnerIdentity) -> Result<Option<IdentityId>> {
    store
        .run("identities.find", Scope::System, |tx| async move {
            id_of(&tx, owner).await
        })
        .await
}

pub(super) async fn id_of(tx: &Tx, owner: &OwnerIdentity) -> Result<Option<IdentityId>> {
    let params = Params::default().text(owner.as_str());
    let row = tx.optional(sql!("system/identities/get"), &params).await?;
    row.map(|row| stored(&row, "id")).transpose()
}
