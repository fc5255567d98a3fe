//! The contract that every surface shares: what a tool says of itself, and how vaults are addressed.

use std::{fmt, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::{
    error::{self, Error, ErrorCode},
    ids::{AssetId, ProjectId, VaultId},
    limits,
};

/// Name of the vault that comes with each identity.
pub const DEFAULT_VAULT: &str = "Library";

/// What a key may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// List, get, search, preview.
    Read,
    /// Create and move.
    Write,
    /// Delete.
    Delete,
    /// Share vaults and manage keys.
    Admin,
}

impl Scope {
    /// All scopes.
    pub const ALL: [Self; 4] = [Self::Read, Self::Write, Self::Delete, Self::Admin];

    /// Its name in rows, answers and commands.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Delete => "delete",
            Self::Admin => "admin",
        }
    }
}

impl FromStr for Scope {
    type Err = Error;
    fn from_str(text: &str) -> error::Result<Self> {
        Self::ALL
            .into_iter()
            .find(|scope| scope.name() == text)
            .ok_or_else(|| {
                Error::new(
                    ErrorCode::InvalidArgument,
                    "a scope is one of read, write, delete, admin",
                )
            })
    }
}

/// What a tool says of itself.
#[derive(Debug, Clone, Copy)]
pub struct Meta {
    /// Name on every surface; also the FUNCTION of its handler.
    pub name: &'static str,
    /// Short title for people.
    pub title: &'static str,
    /// What it does and when to use it, for the model that reads it.
    pub description: &'static str,
    /// It changes nothing.
    pub read_only: bool,
    /// It may remove something.
    pub destructive: bool,
    /// A repeat of the same call adds nothing.
    pub idempotent: bool,
    /// It reaches out of the product.
    pub open_world: bool,
    /// Scope that the key needs.
    pub scope: Scope,
    /// Where it is shown.
    pub toolset: Toolset,
    /// Feature flag that must be on besides ASSET_FEATURE_ENABLED.
    pub search: bool,
}

/// Where a tool is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Toolset {
    /// Shown by default; at most twenty.
    Core,
    /// Shown on request.
    All,
}

impl Toolset {
    /// Its name, as requests give it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::All => "all",
        }
    }
}

mod sealed {
    pub trait Sealed {}
}

/// A right on a vault, as a type.
pub trait Right: sealed::Sealed + Send + Sync + 'static {
    /// Weakest membership of a shared vault that gives it.
    const MEMBERSHIP: Membership;
}

/// May list, get, search and preview.
#[derive(Debug, Clone, Copy)]
pub struct Read;
/// May create and move, and read.
#[derive(Debug, Clone, Copy)]
pub struct Write;
/// May delete, write and read.
#[derive(Debug, Clone, Copy)]
pub struct Delete;

impl sealed::Sealed for Read {}
impl sealed::Sealed for Write {}
impl sealed::Sealed for Delete {}

impl Right for Read {
    const MEMBERSHIP: Membership = Membership::Read;
}
impl Right for Write {
    const MEMBERSHIP: Membership = Membership::Write;
}
impl Right for Delete {
    const MEMBERSHIP: Membership = Membership::Admin;
}

/// What a member of a shared vault may do; the owner may do everything.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Membership {
    /// List, get, search, preview.
    Read,
    /// Create and move as well.
    Write,
    /// Delete and share as well.
    Admin,
}

impl Membership {
    /// Its name in rows and answers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Admin => "admin",
        }
    }

    /// Finds a membership by its stored name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Read, Self::Write, Self::Admin]
            .into_iter()
            .find(|membership| membership.name() == name)
    }
}

/// How a request names a vault: a handle of one's own, or the `avl_` id of any readable vault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum VaultRef {
    /// By id.
    Id(VaultId),
    /// By handle.
    Handle(String),
}

impl Default for VaultRef {
    fn default() -> Self {
        Self::Handle(DEFAULT_VAULT.to_owned())
    }
}

impl FromStr for VaultRef {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        if let Ok(id) = text.parse() {
            return Ok(Self::Id(id));
        }
        if text.is_empty() || text.chars().count() > limits::NAME_MAX {
            return Err(format!(
                "a vault is named by 1 to {} characters",
                limits::NAME_MAX
            ));
        }
        Ok(Self::Handle(text.to_owned()))
    }
}

impl TryFrom<String> for VaultRef {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<VaultRef> for String {
    fn from(vault: VaultRef) -> Self {
        vault.to_string()
    }
}

impl fmt::Display for VaultRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => id.fmt(f),
            Self::Handle(handle) => f.write_str(handle),
        }
    }
}

impl JsonSchema for VaultRef {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "VaultRef".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "minLength": 1, "maxLength": limits::NAME_MAX })
    }
}

/// What a call is about, before access to it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Nothing in particular.
    Nothing,
    /// One vault; the default one when the request names none.
    Vault(VaultRef),
    /// The vault of a project.
    Project(ProjectId),
    /// The vault, or the vaults, of these assets.
    Assets(Vec<AssetId>),
    /// These vaults, or all readable ones.
    Vaults(Option<Vec<VaultRef>>),
}
