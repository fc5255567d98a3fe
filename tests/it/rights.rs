//! The table of rights, cell by cell: every tool, every standing to the vault, every set of scopes of a key.

use common::contract::{Membership, Scope};
use functions::tools::TOOLS;
use serde_json::{Value, json};
use tests::{
    Answer, Caller, TestApp, pictures,
    rights::{Standing, Verdict, verdict},
};

/// A vault of one person's, its content, and people who stand to it in every way.
struct House {
    app: TestApp,
    people: Vec<(Standing, Caller)>,
    vault: String,
    project: String,
    asset: String,
}

impl House {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let owner = app.caller("owner").await;
        let vault = app.library(&owner).await;
        let project = app.project(&owner, &vault, "One").await;
        let asset = app.save(&owner, [200, 20, 20], json!({})).await;
        let mut people = Vec::new();
        for standing in Standing::ALL {
            let caller = match standing {
                Standing::Owner => Caller {
                    owner: owner.owner.clone(),
                    identity: owner.identity.clone(),
                    key_id: owner.key_id.clone(),
                    key: owner.key.clone(),
                },
                Standing::Member(membership) => {
                    let member = app.caller(membership.name()).await;
                    app.share(&owner, &member, membership).await;
                    member
                }
                Standing::Stranger => app.caller("stranger").await,
            };
            people.push((standing, caller));
        }
        Self {
            app,
            people,
            vault,
            project,
            asset,
        }
    }

    fn owner(&self) -> &Caller {
        &self.people[0].1
    }

    /// A call of the tool about the vault, which works for its owner again and again.
    async fn input(&self, tool: &str, turn: usize) -> Value {
        match tool {
            "image_asset_save" => json!({
                "vault": self.vault,
                "imageBase64": pictures::base64(&pictures::plain([20, 20, 200])),
                "onDuplicate": "existing",
            }),
            "image_asset_get" => json!({ "assetId": self.asset }),
            "image_asset_search" => json!({ "vaults": [self.vault], "query": "red" }),
            "image_asset_list" | "image_project_list" => json!({ "vaults": [self.vault] }),
            "image_asset_move" => json!({ "assetIds": [self.asset], "projectId": self.project }),
            "image_asset_delete" => {
                let new = json!({ "onDuplicate": "new" });
                let asset = self.app.save(self.owner(), [20, 200, 20], new).await;
                json!({ "assetIds": [asset] })
            }
            "image_project_create" => json!({ "vault": self.vault, "name": format!("p {turn}") }),
            "image_folder_create" => {
                json!({ "projectId": self.project, "name": format!("f {turn}") })
            }
            "image_folder_list" => json!({ "projectId": self.project }),
            "vault_list" | "image_usage_get" => json!({}),
            other => panic!("say in tests/it/rights.rs how {other} is called about a vault"),
        }
    }
}

/// What an answer came to.
fn outcome(tool: &str, vault: &str, answer: &Answer) -> String {
    if answer.body.get("error").is_some() {
        return answer.code().to_owned();
    }
    let body = &answer.body;
    match tool {
        "vault_list" if !body.to_string().contains(vault) => "unseen".to_owned(),
        "image_asset_delete" => match body["results"][0]["failure"]["code"].as_str() {
            Some(code) => code.to_owned(),
            None => body["results"][0]["outcome"].to_string(),
        },
        _ => "allowed".to_owned(),
    }
}

fn expected(tool: &str, verdict: Verdict) -> String {
    match verdict {
        Verdict::Allowed if tool == "image_asset_delete" => "\"deleted\"".to_owned(),
        Verdict::Allowed => "allowed".to_owned(),
        Verdict::Unseen => "unseen".to_owned(),
        Verdict::Refused(code) => code.name().to_owned(),
    }
}

/// Every set of scopes but the empty one.
fn scope_sets() -> Vec<Vec<Scope>> {
    (1..1 << Scope::ALL.len())
        .map(|bits: usize| {
            let scopes = Scope::ALL.into_iter().enumerate();
            let chosen = scopes.filter(|(place, _)| bits & (1 << place) != 0);
            chosen.map(|(_, scope)| scope).collect()
        })
        .collect()
}

#[tokio::test]
async fn every_cell_of_the_table_is_true() {
    let house = House::new().await;
    let mut turn = 0;
    for (standing, person) in &house.people {
        for scopes in scope_sets() {
            let (key_id, key) = house.app.key(&person.owner, &scopes).await;
            let caller = Caller {
                owner: person.owner.clone(),
                identity: person.identity.clone(),
                key_id,
                key,
            };
            for tool in TOOLS {
                turn += 1;
                let name = tool.meta.name;
                let input = house.input(name, turn).await;
                let answer = house.app.call(&caller, name, input).await;
                let wanted = expected(name, verdict(tool, *standing, &scopes));
                assert_eq!(
                    outcome(name, &house.vault, &answer),
                    wanted,
                    "{name} as {standing:?} with {scopes:?}: {:#}",
                    answer.body
                );
            }
        }
    }
    assert_eq!(turn, 5 * 15 * TOOLS.len());
}

#[tokio::test]
async fn a_membership_changes_at_once() {
    let house = House::new().await;
    let (app, owner) = (&house.app, house.owner());
    let ann = app.caller("ann").await;
    let get = json!({ "assetId": house.asset });
    let save = |colour| json!({ "vault": house.vault, "imageBase64": pictures::base64(&pictures::plain(colour)) });
    assert_eq!(
        app.call(&ann, "image_asset_get", get.clone()).await.code(),
        "not_found"
    );
    app.share(owner, &ann, Membership::Read).await;
    app.call(&ann, "image_asset_get", get.clone()).await.ok();
    let refused = app.call(&ann, "image_asset_save", save([1, 2, 3])).await;
    assert_eq!(refused.code(), "forbidden_membership");
    assert_eq!(refused.body["error"]["details"]["membership"], "write");
    app.share(owner, &ann, Membership::Write).await;
    app.call(&ann, "image_asset_save", save([1, 2, 3]))
        .await
        .ok();
    app.share(owner, &ann, Membership::Read).await;
    let refused = app.call(&ann, "image_asset_save", save([3, 2, 1])).await;
    assert_eq!(refused.code(), "forbidden_membership");
    app.unshare(owner, &ann).await;
    assert_eq!(
        app.call(&ann, "image_asset_get", get).await.code(),
        "not_found"
    );
    // The preview of a link that is asked for anew, too.
    let links = json!({ "assetId": house.asset, "links": ["preview"] });
    assert_eq!(
        app.call(&ann, "image_asset_get", links).await.code(),
        "not_found"
    );
}

#[tokio::test]
async fn what_a_member_saves_is_charged_to_the_owner() {
    let house = House::new().await;
    let (app, owner) = (&house.app, house.owner());
    let ann = app.caller("ann").await;
    app.share(owner, &ann, Membership::Write).await;
    let used = async |caller: &Caller| {
        let usage = app.call(caller, "image_usage_get", json!({})).await.ok();
        usage["storage"]["usedBytes"].as_i64().unwrap()
    };
    let before = used(owner).await;
    let input = json!({ "vault": house.vault });
    let saved = app.save(&ann, [9, 8, 7], input).await;
    assert!(used(owner).await > before);
    assert_eq!(used(&ann).await, 0);
    let listed = app.call(&ann, "vault_list", json!({})).await.ok();
    let shared = &listed["vaults"][1];
    assert_eq!(shared["vaultId"], house.vault);
    assert_eq!(shared["membership"], "write");
    assert_eq!(shared["rights"], json!(["read", "write"]));
    assert_eq!(shared["quotaOwner"]["id"], owner.identity.to_string());
    assert_eq!(shared["quotaOwner"]["displayName"], "owner");
    // The provider's tokens are the owner's as well.
    app.drain().await;
    let usage = app.call(owner, "image_usage_get", json!({})).await.ok();
    assert!(usage["tokens"]["usedToday"].as_i64().unwrap() > 0);
    let usage = app.call(&ann, "image_usage_get", json!({})).await.ok();
    assert_eq!(usage["tokens"]["usedToday"], 0);
    app.call(owner, "image_asset_get", json!({ "assetId": saved }))
        .await
        .ok();
}
