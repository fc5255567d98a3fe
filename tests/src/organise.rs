//! What tests of places, sharing and deletion do again and again.

use common::{
    contract::{Membership, VaultRef},
    ports::Clock,
    store::system::vaults,
};
use functions::sweep::{Sweep, Swept};
use serde_json::{Value, json};

use crate::{Caller, TestApp};

impl TestApp {
    /// Calls a tool that must succeed, and returns one text of its answer.
    ///
    /// # Panics
    /// When it fails.
    pub async fn text(&self, caller: &Caller, tool: &str, input: Value, field: &str) -> String {
        let answer = self.call(caller, tool, input).await.ok();
        let text = answer[field].as_str();
        text.unwrap_or_else(|| panic!("{field}: {answer:#}"))
            .to_owned()
    }

    /// A new project in a vault.
    ///
    /// # Panics
    /// When it cannot be made.
    pub async fn project(&self, caller: &Caller, vault: &str, name: &str) -> String {
        let input = json!({ "vault": vault, "name": name });
        self.text(caller, "image_project_create", input, "projectId")
            .await
    }

    /// A new folder in a project.
    ///
    /// # Panics
    /// When it cannot be made.
    pub async fn folder(
        &self,
        caller: &Caller,
        project: &str,
        parent: Option<&str>,
        name: &str,
    ) -> String {
        let input = json!({ "projectId": project, "parentId": parent, "name": name });
        self.text(caller, "image_folder_create", input, "folderId")
            .await
    }

    /// The id of the caller's own vault `Library`.
    ///
    /// # Panics
    /// When it is not listed.
    pub async fn library(&self, caller: &Caller) -> String {
        let listed = self.call(caller, "vault_list", json!({})).await.ok();
        let own = listed["vaults"].as_array().into_iter().flatten();
        let mut own = own.filter(|vault| vault["own"] == true && vault["handle"] == "Library");
        let id = own.next().and_then(|vault| vault["vaultId"].as_str());
        id.unwrap_or_else(|| panic!("{listed:#}")).to_owned()
    }

    /// Lets a colleague enter the caller's `Library`, or changes what the colleague may do there.
    ///
    /// # Panics
    /// When it fails.
    pub async fn share(&self, owner: &Caller, with: &Caller, membership: Membership) {
        let (store, now) = (&self.app.store, self.clock.now());
        let vault = VaultRef::default();
        let shared = vaults::share(
            store,
            &owner.owner,
            &vault,
            (&with.identity, membership),
            now,
        );
        shared.await.unwrap_or_else(|error| panic!("{error:?}"));
    }

    /// Ends a colleague's membership of the caller's `Library`.
    ///
    /// # Panics
    /// When there is none.
    pub async fn unshare(&self, owner: &Caller, with: &Caller) {
        let (store, now) = (&self.app.store, self.clock.now());
        let vault = VaultRef::default();
        let ended = vaults::unshare(store, &owner.owner, &vault, &with.identity, now);
        ended.await.unwrap_or_else(|error| panic!("{error:?}"));
    }

    /// Runs sweep once.
    ///
    /// # Panics
    /// When the database fails.
    pub async fn sweep(&self) -> Swept {
        let sweep = Sweep {
            store: &self.app.store,
            objects: &*self.objects,
            clock: &*self.clock,
        };
        let swept = sweep.run().await;
        swept.unwrap_or_else(|error| panic!("{error:?}"))
    }
}
