//! `vault_list`: lists the vaults that the caller may read, with what it may do in each.

use common::{
    contract::{Membership, Meta, Scope, Target, Toolset},
    error::Result,
    limits::LIST_PAGE_MAX,
    store::access::{VaultView, VaultsAccess},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    Cx, InVaults, Tool,
    fields::{
        instant,
        pages::{Key, Pages, page_size, text_bytes},
    },
};

/// Which page of vaults.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Input {
    /// Vaults a page, 1 to 100. Default: 100.
    #[schemars(range(min = 1, max = 100))]
    pub limit: Option<usize>,
    /// `nextCursor` of the page before; repeat all else unchanged.
    pub cursor: Option<String>,
}

/// Who pays for what is in a vault.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuotaOwner {
    /// Opaque id, `idn_…`.
    pub id: String,
    /// Name by which the owner is shown.
    #[schemars(extend("x-untrusted" = true))]
    pub display_name: String,
}

/// A vault.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Vault {
    /// The vault, as any call may name it.
    pub vault_id: String,
    /// Its handle: calls may name a vault of your own by it, a shared one by its id alone.
    #[schemars(extend("x-untrusted" = true))]
    pub handle: String,
    /// Whether it is your own.
    pub own: bool,
    /// Your membership of a shared vault; `null` for your own.
    pub membership: Option<Membership>,
    /// What this key may do in it: `read`, `write`, `delete`.
    pub rights: Vec<Scope>,
    /// Who pays for what is in it.
    pub quota_owner: QuotaOwner,
    /// When it was made, in UTC.
    pub created_at: String,
}

/// A page of vaults.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Your own first, then shared ones; each oldest first.
    pub vaults: Vec<Vault>,
    /// Cursor of the next page.
    pub next_cursor: Option<String>,
}

/// The tool.
pub struct VaultList;

impl Tool for VaultList {
    const META: Meta = Meta {
        name: "vault_list",
        title: "List vaults",
        description: "List the vaults that you may read, own and shared, with what this key may do in each and who \
                      pays for it. Needed only to use another vault than `Library`. For what is in one, use \
                      image_project_list or image_asset_list.",
        read_only: true,
        destructive: false,
        idempotent: true,
        open_world: false,
        scope: Scope::Read,
        toolset: Toolset::Core,
        search: false,
    };
    type Input = Input;
    type Output = Output;
    type Needs = InVaults;

    fn target(_: &Input) -> Target {
        Target::Vaults(None)
    }

    async fn call(cx: Cx<'_, VaultsAccess>, input: Input) -> Result<Output> {
        let limit = page_size(input.limit, LIST_PAGE_MAX, LIST_PAGE_MAX)?;
        let pages = Pages::new(
            cx.app,
            Self::META.name,
            cx.access.own().caller(),
            &json!({}),
        );
        let after = pages.start(input.cursor.as_deref())?;
        let mut views: Vec<&VaultView> = cx.access.views().iter().collect();
        views.sort_by_key(|view| key(view));
        let mut page: Vec<&VaultView> = views
            .into_iter()
            .filter(|view| after.as_ref().is_none_or(|after| key(view) > *after))
            .take(limit + 1)
            .collect();
        let weight = |view: &&VaultView| {
            350 + text_bytes([Some(view.handle.as_str()), Some(view.owner_name.as_str())])
        };
        let next_cursor = pages.cut(&mut page, limit, weight, |view| key(view))?;
        Ok(Output {
            vaults: page.into_iter().map(vault).collect::<Result<_>>()?,
            next_cursor,
        })
    }
}

fn key(view: &VaultView) -> Key {
    let group = match view.membership {
        None => "own",
        Some(_) => "shared",
    };
    (group.to_owned(), view.id.to_string())
}

fn vault(view: &VaultView) -> Result<Vault> {
    Ok(Vault {
        vault_id: view.id.to_string(),
        handle: view.handle.clone(),
        own: view.membership.is_none(),
        membership: view.membership,
        rights: view.rights.clone(),
        quota_owner: QuotaOwner {
            id: view.owner.to_string(),
            display_name: view.owner_name.clone(),
        },
        created_at: instant(view.created_at)?,
    })
}
