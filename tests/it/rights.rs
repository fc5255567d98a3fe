//! The table of rights, cell by cell: every tool, every standing to the vault, every set of scopes of a key.
//!
//! How a tool is called about a vault is in `tests/cases/<tool>/rights.json`.

use common::contract::{Membership, Scope};
use functions::tools::TOOLS;
use serde_json::{Value, json};
use tests::{
    Answer, Caller, TestApp, pictures,
    rights::{Standing, Verdict, verdict},
};

use crate::cases::{Words, refusal, rights};

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

    /// What the words of a `rights.json` stand for.
    async fn words(&self, input: &Value, turn: usize) -> Words {
        let mut words = Words::new();
        words.put("$vault", &self.vault);
        words.put("$project", &self.project);
        words.put("$asset", &self.asset);
        words.put("$turn", turn.to_string());
        if input.to_string().contains("$new") {
            let new = json!({ "onDuplicate": "new" });
            let asset = self.app.save(self.owner(), [20, 200, 20], new).await;
            words.put("$new", asset);
        }
        words
    }
}

/// What an answer came to. One that does not show what it must is of somebody who does not see the vault.
fn outcome(answer: &Answer, shows: Option<&str>) -> String {
    let shown = shows.is_none_or(|shows| answer.body.to_string().contains(shows));
    refusal(answer).unwrap_or_else(|| if shown { "allowed" } else { "unseen" }.to_owned())
}

fn expected(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Allowed => "allowed",
        Verdict::Unseen => "unseen",
        Verdict::Refused(code) => code.name(),
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
                let call = rights(name);
                let words = house.words(&call.input, turn).await;
                let input = words.fill(&call.input);
                let shows = call.shows.map(|text| words.text(&text));
                let answer = house.app.call(&caller, name, input).await;
                assert_eq!(
                    outcome(&answer, shows.as_deref()),
                    expected(verdict(tool, *standing, &scopes)),
                    "tests/cases/{name}/rights.json as {standing:?} with {scopes:?}: {:#}",
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
