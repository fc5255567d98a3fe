//! Attempts to get around access as a value. Each is a feature; `tests/it/misuse.rs` compiles them one by
//! one and expects a particular error of each. Without a feature only the control is there, which is
//! how it is meant and compiles.

use common::{
    contract::{Read, Write},
    error::Result,
    ids::{AssetId, ReservationId},
    store::{
        Store, Tx,
        access::{Admission, VaultAccess},
        assets, quota,
    },
};
use time::OffsetDateTime;

/// The control: access comes from an admission, and everything takes what it asks for.
///
/// # Errors
/// Those of the store.
pub async fn meant(
    store: &Store,
    admission: &Admission,
    asset: &AssetId,
    now: OffsetDateTime,
) -> Result<()> {
    let write: VaultAccess<Write> = admission.vault(common::auth::Scope::Write)?;
    let (read, write): (&VaultAccess<Read>, _) = (&write.as_read(), &write);
    store
        .run_tx("meant", write, |tx: Tx| async move {
            assets::get(&tx, read, asset).await?;
            quota::reserve(
                &tx,
                write,
                ReservationId::generate(0),
                "image_asset_save",
                1,
                now,
            )
            .await
        })
        .await?;
    Ok(())
}

#[cfg(feature = "access_by_literal")]
mod access_by_literal {
    use common::{
        ids::{NamespaceId, OwnerIdentity, VaultId},
        store::access::Actor,
    };

    use super::{VaultAccess, Write};

    fn made(
        owner: OwnerIdentity,
        vault: VaultId,
        namespace: NamespaceId,
        actor: Actor,
    ) -> VaultAccess<Write> {
        VaultAccess {
            owner,
            vault,
            handle: String::new(),
            namespace,
            actor,
            right: std::marker::PhantomData,
        }
    }
}

#[cfg(feature = "access_from_json")]
fn access_from_json(body: &str) -> serde_json::Result<VaultAccess<Read>> {
    serde_json::from_str(body)
}

#[cfg(feature = "work_by_literal")]
fn work_by_literal(owner: common::ids::OwnerIdentity) -> common::store::access::WorkAccess {
    common::store::access::WorkAccess { owner }
}

#[cfg(feature = "principal_by_literal")]
fn principal_by_literal(
    principal: &common::auth::Principal,
    owner: common::ids::OwnerIdentity,
) -> common::auth::Principal {
    common::auth::Principal {
        owner,
        ..principal.clone()
    }
}

#[cfg(feature = "admission_by_literal")]
fn admission_by_literal(admission: Admission, target: common::contract::Target) -> Admission {
    Admission {
        target,
        ..admission
    }
}

#[cfg(feature = "project_for_asset")]
async fn project_for_asset(tx: &Tx, access: &VaultAccess<Read>, project: &common::ids::ProjectId) {
    drop(assets::get(tx, access, project).await);
}

#[cfg(feature = "read_for_write")]
async fn read_for_write(tx: &Tx, access: &VaultAccess<Read>, now: OffsetDateTime) {
    drop(
        quota::reserve(
            tx,
            access,
            ReservationId::generate(0),
            "image_asset_save",
            1,
            now,
        )
        .await,
    );
}

#[cfg(feature = "bound_by_hand")]
mod bound_by_hand {
    use common::{ids::OwnerIdentity, store::access::Bound};

    struct Anybody(OwnerIdentity);

    impl Bound for Anybody {
        fn bound_owner(&self) -> &OwnerIdentity {
            &self.0
        }
    }
}
