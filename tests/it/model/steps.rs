//! The steps: what the dice make of each, what the product answers, and what the reference says of it.

use std::{collections::BTreeSet, time::Duration};

use common::contract::Membership;
use serde_json::{Value, json};
use tests::{Answer, Caller, TestApp, pictures};

use super::{
    Dice,
    reference::{Asset, Bytes, Person, World},
};

/// Seconds of the default grace.
const GRACE: u64 = 168 * 3_600;

const PEOPLE: usize = 3;
const COLOURS: u16 = 4;
const NAMES: [&str; 4] = ["one", "Two", "drei", "Ｆour"];

/// One run: the product, the reference, and how often each thing came to something.
pub(super) struct Run {
    app: TestApp,
    people: Vec<Caller>,
    vaults: Vec<String>,
    world: World,
    succeeded: [usize; KINDS],
}

/// Kinds of steps.
const KINDS: usize = 12;

impl Run {
    pub(super) async fn new() -> Self {
        let app = TestApp::new().await;
        let (mut people, mut vaults) = (Vec::new(), Vec::new());
        for person in 0..PEOPLE {
            let caller = app.caller(&format!("person{person}")).await;
            vaults.push(app.library(&caller).await);
            people.push(caller);
        }
        Self {
            app,
            people,
            vaults,
            world: World::default(),
            succeeded: [0; KINDS],
        }
    }

    /// Takes one step.
    pub(super) async fn step(&mut self, dice: Dice, at: &str) {
        let [kind, person, a, b, c, d] = dice.map(usize::from);
        let person = person % PEOPLE;
        // Making comes more often than taking away, so that there is something to take.
        let kind = [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11][kind % 14];
        let worked = match kind {
            0 => self.save(person, (a, b, c), at).await,
            1 => self.shift(person, (a, b, c), at).await,
            2 => self.delete(person, (a, b, c), at).await,
            3 => self.create_project(person, (a, b), at).await,
            4 => self.create_folder(person, (a, b, c), at).await,
            5 => self.share(person, (a, b)).await,
            6 => self.unshare(person, a).await,
            7 => self.wait(a, at).await,
            8 => self.embed().await,
            9 => self.look(person, (a, b, c, d), at).await,
            10 => self.usage(person, at).await,
            _ => self.get(person, a, at).await,
        };
        self.succeeded[kind] += usize::from(worked);
    }

    /// Checks the whole at the end, and that the steps were not all refused.
    pub(super) async fn finish(&self, at: &str) {
        self.app.assert_coherent(at).await;
        let rare: Vec<_> = self.succeeded.iter().filter(|count| **count < 3).collect();
        assert!(rare.is_empty(), "{at}: {:?}", self.succeeded);
    }

    async fn call(&self, person: Person, tool: &str, input: Value) -> Answer {
        self.app.call(&self.people[person], tool, input).await
    }

    /// Compares a refusal; `true` when there was none.
    fn agrees(answer: &Answer, refusal: Option<&str>, at: &str) -> bool {
        let got = answer.body.get("error").map(|_| answer.code());
        assert_eq!(got, refusal, "{at}: {:#}", answer.body);
        refusal.is_none()
    }

    fn project(&self, dice: usize) -> Option<String> {
        pick(self.world.projects.keys(), dice)
    }

    /// A place of any vault: project and folder, which need not fit.
    fn place(&self, dice: usize) -> (Option<String>, Option<String>) {
        match dice % 4 {
            0 => (None, None),
            1 => (self.project(dice / 4), None),
            _ => match pick(self.world.folders.iter(), dice / 4) {
                Some((id, (project, ..))) => (Some(project), Some(id)),
                None => (self.project(dice / 4), None),
            },
        }
    }

    fn lies_in(&self, project: Option<&String>, vault: Person) -> bool {
        project.is_none_or(|project| self.world.projects[project].0 == vault)
    }

    async fn save(&mut self, person: Person, (a, b, c): (usize, usize, usize), at: &str) -> bool {
        let vault = if a % 2 == 0 { person } else { a / 2 % PEOPLE };
        let (project, folder) = self.place(b);
        let colour = u8::try_from(c % usize::from(COLOURS)).unwrap();
        let picture = pictures::base64(&pictures::plain([50 * colour, 0, 0]));
        let input = json!({
            "vault": self.vaults[vault], "projectId": project, "folderId": folder,
            "imageBase64": picture, "onDuplicate": "new",
        });
        let answer = self.call(person, "image_asset_save", input).await;
        let refusal = self.world.refusal(person, vault, Membership::Write);
        let misplaced = (!self.lies_in(project.as_ref(), vault)).then_some("not_found");
        if !Self::agrees(&answer, refusal.or(misplaced), at) {
            return false;
        }
        let there = self.world.bytes.contains_key(&(vault, colour));
        let wanted = if there { "object" } else { "none" };
        assert_eq!(answer.body["deduplicated"], wanted, "{at}");
        let id = answer.body["assetId"].as_str().unwrap().to_owned();
        let asset = Asset {
            vault,
            project,
            folder,
            colour,
            live: true,
            embedded: false,
        };
        self.world.save(id, asset);
        true
    }

    async fn shift(&mut self, person: Person, (a, b, _): (usize, usize, usize), at: &str) -> bool {
        let Some((id, asset)) = pick(self.world.assets.iter(), a) else {
            return false;
        };
        let (project, folder) = self.place(b);
        let input = json!({
            "assetIds": [id], "projectId": project, "folderId": folder, "unfiled": project.is_none(),
        });
        let answer = self.call(person, "image_asset_move", input).await;
        let refusal = self.world.refusal(person, asset.vault, Membership::Write);
        let misplaced = !self.lies_in(project.as_ref(), asset.vault);
        let missing = (misplaced || !asset.live).then_some("not_found");
        if !Self::agrees(&answer, refusal.or(missing), at) {
            return false;
        }
        let moved = (&asset.project, &asset.folder) != (&project, &folder);
        assert_eq!(answer.body["assets"][0]["moved"], moved, "{at}");
        if let Some(asset) = self.world.assets.get_mut(&id) {
            (asset.project, asset.folder) = (project, folder);
        }
        true
    }

    async fn delete(&mut self, person: Person, (a, b, c): (usize, usize, usize), at: &str) -> bool {
        let picked = [Some(a), Some(b), (c % 3 == 0).then_some(c)];
        let ids: BTreeSet<String> = picked
            .into_iter()
            .flatten()
            .filter_map(|dice| pick(self.world.assets.keys(), dice))
            .collect();
        if ids.is_empty() {
            return false;
        }
        let input = json!({ "assetIds": ids });
        let answer = self.call(person, "image_asset_delete", input).await.ok();
        let mut worked = false;
        for (place, id) in ids.iter().enumerate() {
            let item = &answer["results"][place];
            let asset = self.world.assets[id].clone();
            let refusal = self.world.refusal(person, asset.vault, Membership::Admin);
            let wanted = match (refusal, asset.live) {
                (Some(_), _) => "refused",
                (None, true) => "deleted",
                (None, false) => "already_deleted",
            };
            assert_eq!(item["outcome"], wanted, "{at}: {answer:#}");
            assert_eq!(item["failure"]["code"].as_str(), refusal, "{at}");
            worked |= wanted == "deleted";
        }
        // All at once: which of them is the last does not depend on their order.
        for id in &ids {
            let asset = self.world.assets[id].clone();
            let allowed = self
                .world
                .refusal(person, asset.vault, Membership::Admin)
                .is_none();
            if allowed && asset.live {
                self.world.delete(id, GRACE);
            }
        }
        worked
    }

    async fn create_project(&mut self, person: Person, (a, b): (usize, usize), at: &str) -> bool {
        let vault = if a % 2 == 0 { person } else { a / 2 % PEOPLE };
        let name = NAMES[b % NAMES.len()];
        let input = json!({ "vault": self.vaults[vault], "name": name });
        let answer = self.call(person, "image_project_create", input).await;
        let taken = self
            .world
            .projects
            .values()
            .any(|(of, known)| *of == vault && known == name);
        let refusal = self.world.refusal(person, vault, Membership::Write);
        if !Self::agrees(&answer, refusal.or(taken.then_some("name_taken")), at) {
            return false;
        }
        let id = answer.body["projectId"].as_str().unwrap().to_owned();
        self.world.projects.insert(id, (vault, name.to_owned()));
        true
    }

    async fn create_folder(
        &mut self,
        person: Person,
        (a, b, c): (usize, usize, usize),
        at: &str,
    ) -> bool {
        let Some((project, (vault, _))) = pick(self.world.projects.iter(), a) else {
            return false;
        };
        let parent = (b % 4 != 0)
            .then(|| pick(self.world.folders.keys(), b / 4))
            .flatten();
        let name = NAMES[c % NAMES.len()];
        let input = json!({ "projectId": project, "parentId": parent, "name": name });
        let answer = self.call(person, "image_folder_create", input).await;
        let folders = &self.world.folders;
        let elsewhere = parent
            .as_ref()
            .is_some_and(|parent| folders[parent].0 != project);
        let taken = folders
            .values()
            .any(|(of, above, known)| (of, above, known.as_str()) == (&project, &parent, name));
        let refusal = self
            .world
            .refusal(person, vault, Membership::Write)
            .or(elsewhere.then_some("not_found"))
            .or((self.world.depth(parent.as_ref()) >= 8).then_some("invalid_argument"))
            .or(taken.then_some("name_taken"));
        if !Self::agrees(&answer, refusal, at) {
            return false;
        }
        let id = answer.body["folderId"].as_str().unwrap().to_owned();
        self.world
            .folders
            .insert(id, (project, parent, name.to_owned()));
        true
    }

    async fn share(&mut self, person: Person, (a, b): (usize, usize)) -> bool {
        let with = (person + 1 + a % (PEOPLE - 1)) % PEOPLE;
        let membership = [Membership::Read, Membership::Write, Membership::Admin][b % 3];
        let (owner, colleague) = (&self.people[person], &self.people[with]);
        self.app.share(owner, colleague, membership).await;
        self.world.members.insert((person, with), membership);
        true
    }

    async fn unshare(&mut self, person: Person, a: usize) -> bool {
        let with = (person + 1 + a % (PEOPLE - 1)) % PEOPLE;
        if self.world.members.remove(&(person, with)).is_none() {
            return false;
        }
        let (owner, colleague) = (&self.people[person], &self.people[with]);
        self.app.unshare(owner, colleague).await;
        true
    }

    async fn wait(&mut self, a: usize, at: &str) -> bool {
        let seconds = 3_600 * (a as u64 % 60);
        self.app.advance(Duration::from_secs(seconds));
        self.world.now += seconds;
        let swept = self.app.sweep().await;
        assert_eq!(
            (swept.purged, swept.failed),
            (self.world.sweep(), 0),
            "{at}"
        );
        self.app.assert_coherent(at).await;
        true
    }

    async fn embed(&mut self) -> bool {
        self.app.drain().await;
        for asset in self.world.assets.values_mut() {
            asset.embedded = asset.live;
        }
        true
    }

    /// Lists and searches a place of all readable vaults.
    async fn look(
        &mut self,
        person: Person,
        (a, b, c, d): (usize, usize, usize, usize),
        at: &str,
    ) -> bool {
        let (project, folder) = if a % 3 == 0 {
            (None, None)
        } else {
            self.place(b)
        };
        let below = c % 2 == 0;
        let vaults = (d % 3 == 0).then(|| vec![self.vaults[person].clone()]);
        let place = json!({
            "vaults": vaults, "projectId": project, "folderId": folder, "includeDescendants": below, "limit": 30,
        });
        let seen = |vault| {
            vaults.is_none() && self.world.membership(person, vault).is_some() || vault == person
        };
        let hidden = project
            .as_ref()
            .is_some_and(|project| !seen(self.world.projects[project].0));
        let folders = folder.as_ref().map(|folder| match below {
            true => self.world.below(folder),
            false => BTreeSet::from([folder.clone()]),
        });
        let inside = |asset: &Asset| {
            seen(asset.vault)
                && project
                    .as_ref()
                    .is_none_or(|project| asset.project.as_ref() == Some(project))
                && folders.as_ref().is_none_or(|folders| {
                    asset
                        .folder
                        .as_ref()
                        .is_some_and(|own| folders.contains(own))
                })
        };
        let wanted = |only_embedded: bool| -> BTreeSet<String> {
            let visible = self.world.visible(person);
            let found =
                visible.filter(|(_, asset)| inside(asset) && (asset.embedded || !only_embedded));
            found.map(|(id, _)| id.clone()).collect()
        };
        for (tool, rows, wanted) in [
            ("image_asset_list", "assets", wanted(false)),
            ("image_asset_search", "results", wanted(true)),
        ] {
            let got = self.everything(person, (tool, rows), &place).await;
            assert_eq!(got.is_none(), hidden, "{at}: {tool} {place}");
            if let Some(got) = got {
                assert_eq!(got, wanted, "{at}: {tool} {place}");
            }
        }
        !hidden
    }

    /// All pages of a list or a search; `None` when the place is not found.
    async fn everything(
        &self,
        person: Person,
        (tool, rows): (&str, &str),
        place: &Value,
    ) -> Option<BTreeSet<String>> {
        let mut input = place.clone();
        if tool == "image_asset_search" {
            input["query"] = "red".into();
        }
        let mut all = BTreeSet::new();
        loop {
            let answer = self.call(person, tool, input.clone()).await;
            if answer.body.get("error").is_some() {
                assert_eq!(answer.code(), "not_found", "{tool} {input}");
                return None;
            }
            for row in answer.body[rows].as_array().unwrap() {
                assert!(
                    all.insert(row["assetId"].as_str().unwrap().to_owned()),
                    "{tool} gives a row twice"
                );
            }
            input["cursor"] = answer.body["nextCursor"].clone();
            if input["cursor"].is_null() {
                return Some(all);
            }
        }
    }

    async fn usage(&mut self, person: Person, at: &str) -> bool {
        let usage = self.call(person, "image_usage_get", json!({})).await.ok();
        let storage = &usage["storage"];
        assert_eq!(
            storage["byKind"]["vectors"],
            4096 * self.world.live(person),
            "{at}"
        );
        let own = |going: bool| {
            let own = self
                .world
                .bytes
                .iter()
                .filter(|((owner, _), _)| *owner == person);
            own.filter(|(_, bytes)| matches!(bytes, Bytes::Going(_)) == going)
                .count()
        };
        assert_eq!(storage["deletingBytes"] != 0, own(true) > 0, "{at}");
        assert_eq!(
            storage["byKind"]["originals"] != 0,
            own(true) + own(false) > 0,
            "{at}"
        );
        let largest = usage["largest"].as_array().unwrap().len();
        assert_eq!(
            largest,
            usize::try_from(self.world.live(person)).unwrap().min(10),
            "{at}"
        );
        true
    }

    async fn get(&mut self, person: Person, a: usize, at: &str) -> bool {
        let Some((id, asset)) = pick(self.world.assets.iter(), a) else {
            return false;
        };
        let answer = self
            .call(person, "image_asset_get", json!({ "assetId": id }))
            .await;
        let hidden = !asset.live || self.world.membership(person, asset.vault).is_none();
        if !Self::agrees(&answer, hidden.then_some("not_found"), at) {
            return false;
        }
        assert_eq!(
            answer.body["projectId"].as_str(),
            asset.project.as_deref(),
            "{at}"
        );
        assert_eq!(
            answer.body["folderId"].as_str(),
            asset.folder.as_deref(),
            "{at}"
        );
        assert_eq!(answer.body["vaultId"], self.vaults[asset.vault], "{at}");
        true
    }
}

/// One of some things.
fn pick<T: ToPicked>(mut all: impl ExactSizeIterator<Item = T>, dice: usize) -> Option<T::Picked> {
    let count = all.len();
    if count == 0 {
        return None;
    }
    all.nth(dice % count).map(ToPicked::picked)
}

/// A thing that can be kept while the maps that it comes from change.
trait ToPicked {
    type Picked;
    fn picked(self) -> Self::Picked;
}

impl<T: Clone> ToPicked for &T {
    type Picked = T;
    fn picked(self) -> T {
        self.clone()
    }
}

impl<K: Clone, V: Clone> ToPicked for (&K, &V) {
    type Picked = (K, V);
    fn picked(self) -> (K, V) {
        (self.0.clone(), self.1.clone())
    }
}
