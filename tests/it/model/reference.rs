//! What should be true, kept in a few maps: the product as its users think of it.

use std::collections::{BTreeMap, BTreeSet};

use common::contract::Membership;

/// A person, by number; each has one vault of the same number.
pub(super) type Person = usize;

/// An image.
#[derive(Debug, Clone)]
pub(super) struct Asset {
    pub(super) vault: Person,
    pub(super) project: Option<String>,
    pub(super) folder: Option<String>,
    pub(super) colour: u8,
    pub(super) live: bool,
    pub(super) embedded: bool,
}

/// The bytes of one colour that a person keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bytes {
    /// An image needs them.
    Kept,
    /// None does; they go at this second.
    Going(u64),
}

/// Everything.
#[derive(Debug, Default)]
pub(super) struct World {
    pub(super) now: u64,
    pub(super) members: BTreeMap<(Person, Person), Membership>,
    /// Project → vault and name.
    pub(super) projects: BTreeMap<String, (Person, String)>,
    /// Folder → project, parent and name.
    pub(super) folders: BTreeMap<String, (String, Option<String>, String)>,
    pub(super) assets: BTreeMap<String, Asset>,
    pub(super) bytes: BTreeMap<(Person, u8), Bytes>,
}

impl World {
    /// What a person may do in a vault; `None` for nothing.
    pub(super) fn membership(&self, person: Person, vault: Person) -> Option<Membership> {
        if person == vault {
            return Some(Membership::Admin);
        }
        self.members.get(&(vault, person)).copied()
    }

    /// Why a person may not do what needs a membership, if so.
    pub(super) fn refusal(
        &self,
        person: Person,
        vault: Person,
        needed: Membership,
    ) -> Option<&'static str> {
        match self.membership(person, vault) {
            None => Some("not_found"),
            Some(membership) if membership < needed => Some("forbidden_membership"),
            Some(_) => None,
        }
    }

    /// Live images that a person may see.
    pub(super) fn visible(&self, person: Person) -> impl Iterator<Item = (&String, &Asset)> {
        self.assets
            .iter()
            .filter(move |(_, asset)| asset.live && self.membership(person, asset.vault).is_some())
    }

    /// A folder and all folders in it.
    pub(super) fn below(&self, folder: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::from([folder.to_owned()]);
        loop {
            let more: Vec<String> = self
                .folders
                .iter()
                .filter(|(id, (_, parent, _))| {
                    !found.contains(*id)
                        && parent.as_ref().is_some_and(|parent| found.contains(parent))
                })
                .map(|(id, _)| id.clone())
                .collect();
            if more.is_empty() {
                return found;
            }
            found.extend(more);
        }
    }

    /// How deep a folder lies.
    pub(super) fn depth(&self, folder: Option<&String>) -> usize {
        let mut depth = 0;
        let mut at = folder.cloned();
        while let Some(folder) = at {
            depth += 1;
            at = self.folders[&folder].1.clone();
        }
        depth
    }

    /// An image is saved: its bytes are kept, or come back.
    pub(super) fn save(&mut self, id: String, asset: Asset) {
        self.bytes.insert((asset.vault, asset.colour), Bytes::Kept);
        self.assets.insert(id, asset);
    }

    /// An image goes, and its bytes with the last one.
    pub(super) fn delete(&mut self, id: &str, grace: u64) {
        let Some(asset) = self.assets.get_mut(id) else {
            return;
        };
        asset.live = false;
        asset.embedded = false;
        let (vault, colour) = (asset.vault, asset.colour);
        let needed = self
            .assets
            .values()
            .any(|asset| asset.live && asset.vault == vault && asset.colour == colour);
        if !needed {
            self.bytes
                .insert((vault, colour), Bytes::Going(self.now + grace));
        }
    }

    /// Bytes whose time has come go; says how many.
    pub(super) fn sweep(&mut self) -> u64 {
        let before = self.bytes.len();
        let now = self.now;
        self.bytes
            .retain(|_, bytes| !matches!(bytes, Bytes::Going(at) if *at <= now));
        (before - self.bytes.len()) as u64
    }

    /// Live images of a vault.
    pub(super) fn live(&self, vault: Person) -> i64 {
        let live = self
            .assets
            .values()
            .filter(|asset| asset.live && asset.vault == vault);
        live.count() as i64
    }
}
