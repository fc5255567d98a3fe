//! A caller with access to a vault of its own, made by the doors that everybody uses.

use common::{
    auth::{Scope, Surface},
    contract::{Target, VaultRef, Write},
    ids::{OwnerIdentity, RequestId},
    ports::Clock,
    store::{
        Store,
        access::{Admission, Admitted, OwnerAccess, VaultAccess, VaultsAccess, admit},
        system::{identities, keys},
    },
    testing::TestClock,
};
use time::OffsetDateTime;

/// What a caller may do, and when it does it.
pub(crate) struct Caller {
    pub(crate) key: common::auth::KeyToken,
    pub(crate) write: VaultAccess<Write>,
    pub(crate) vaults: VaultsAccess,
    pub(crate) own: OwnerAccess,
}

/// The time at which everything here happens.
pub(crate) fn now() -> OffsetDateTime {
    TestClock::default().now()
}

/// A fresh request id.
pub(crate) fn request() -> RequestId {
    RequestId::generate(TestClock::default().millis())
}

impl Caller {
    /// Makes an identity of this name and a key with all scopes.
    pub(crate) async fn new(store: &Store, name: &str) -> Self {
        let owner = OwnerIdentity::trusted(name.to_owned());
        let identity = identities::NewIdentity {
            owner: owner.clone(),
            display_name: name.to_owned(),
            plan: "default".to_owned(),
        };
        identities::create(store, &identity, now()).await.unwrap();
        let new = keys::NewKey {
            owner,
            name: "test".to_owned(),
            surface: Surface::Cli,
            scopes: Scope::ALL.to_vec(),
            expires_at: None,
        };
        let (_, key) = keys::create(store, &new, now()).await.unwrap();
        let library = admission(store, &key, Target::Vault(VaultRef::default())).await;
        let all = admission(store, &key, Target::Vaults(None)).await;
        Self {
            key,
            write: library.vault(Scope::Write).unwrap(),
            vaults: all.vaults(Scope::Read).unwrap(),
            own: library.own(),
        }
    }
}

/// Verifies a key.
pub(crate) async fn admission(
    store: &Store,
    key: &common::auth::KeyToken,
    target: Target,
) -> Admission {
    match admit(store, key, target, request(), now()).await.unwrap() {
        Admitted::Live(admission) => admission,
        Admitted::Ended(_) => panic!("the key has ended"),
    }
}
