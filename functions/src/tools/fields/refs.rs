//! Bounded lists of ids in requests: an empty or an overlong one is refused before anything is looked up.

use std::collections::BTreeSet;

use common::{
    contract::VaultRef,
    ids::AssetId,
    limits::{BATCH_MAX, VAULTS_MAX},
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

/// 1 to 100 assets, in the order of the request.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Vec<AssetId>")]
pub struct AssetIds(Vec<AssetId>);

impl AssetIds {
    /// As they were given.
    #[must_use]
    pub fn as_slice(&self) -> &[AssetId] {
        &self.0
    }

    /// Each once.
    #[must_use]
    pub fn distinct(&self) -> Vec<AssetId> {
        let distinct: BTreeSet<&AssetId> = self.0.iter().collect();
        distinct.into_iter().cloned().collect()
    }
}

impl TryFrom<Vec<AssetId>> for AssetIds {
    type Error = String;
    fn try_from(ids: Vec<AssetId>) -> Result<Self, String> {
        bounded(ids, BATCH_MAX, "assetIds").map(Self)
    }
}

impl JsonSchema for AssetIds {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "AssetIds".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let item = generator.subschema_for::<AssetId>();
        json_schema!({ "type": "array", "items": item, "minItems": 1, "maxItems": BATCH_MAX })
    }
}

/// 1 to 100 vaults.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Vec<VaultRef>")]
pub struct VaultRefs(Vec<VaultRef>);

impl VaultRefs {
    /// As they were given.
    #[must_use]
    pub fn to_vec(&self) -> Vec<VaultRef> {
        self.0.clone()
    }
}

impl TryFrom<Vec<VaultRef>> for VaultRefs {
    type Error = String;
    fn try_from(vaults: Vec<VaultRef>) -> Result<Self, String> {
        bounded(vaults, VAULTS_MAX, "vaults").map(Self)
    }
}

impl JsonSchema for VaultRefs {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "VaultRefs".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let item = generator.subschema_for::<VaultRef>();
        json_schema!({ "type": "array", "items": item, "minItems": 1, "maxItems": VAULTS_MAX })
    }
}

fn bounded<T>(items: Vec<T>, max: usize, field: &str) -> Result<Vec<T>, String> {
    if items.is_empty() || items.len() > max {
        return Err(format!("{field} takes 1 to {max} entries"));
    }
    Ok(items)
}
