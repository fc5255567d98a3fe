//! `image_asset_delete`: takes images away, or tells what that would take.

use std::collections::BTreeMap;

use common::{
    contract::{Delete, Meta, Right, Scope, Target, Toolset},
    error::{Error, ErrorCode, Result},
    ids::AssetId,
    store::{
        access::{AssetsAccess, VaultAccess, lacking},
        assets::deleting::{self, Going},
    },
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Cx, OfAssets, Tool, denials,
    fields::{Failure, instant, refs::AssetIds},
};

/// Which images.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Input {
    /// 1 to 100 assets, of one or several vaults.
    pub asset_ids: AssetIds,
    /// `true` tells what would go and changes nothing. Default: false.
    pub dry_run: Option<bool>,
}

/// What came of one image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It is gone.
    Deleted,
    /// It had been deleted before.
    AlreadyDeleted,
    /// It would go.
    WouldDelete,
    /// It stays; `failure` tells why.
    Refused,
}

/// What came of one entry of the request.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// Its place in `assetIds`, from 0.
    pub index: usize,
    /// The asset, where it is known to you.
    pub asset_id: Option<String>,
    /// What came of it.
    pub outcome: Outcome,
    /// Bytes of its vectors, which are free at once.
    pub vector_bytes: i64,
    /// Bytes of original and preview that go with it; 0 while another image needs them.
    pub object_bytes: i64,
    /// When those bytes are purged, at the earliest; saving the same bytes before keeps them.
    pub purge_after: Option<String>,
    /// Why it stays.
    pub failure: Option<Failure>,
}

/// What came of each image.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// In the order of the request.
    pub results: Vec<Item>,
    /// Bytes that are free at once, or would be.
    pub freed_bytes: i64,
    /// Bytes that are free after their purge, or would be.
    pub purged_later_bytes: i64,
}

/// The tool.
pub struct ImageAssetDelete;

impl Tool for ImageAssetDelete {
    const META: Meta = Meta {
        name: "image_asset_delete",
        title: "Delete images",
        description: "Delete 1 to 100 images, which cannot be undone: they leave lists and search at once, and \
                      bytes that no other image needs go after a grace period. Call it with dryRun first and say \
                      what would go. Each image has its own result; deleting one twice is no error. To only take \
                      images out of a project, use image_asset_move.",
        read_only: false,
        destructive: true,
        idempotent: true,
        open_world: false,
        scope: Scope::Delete,
        toolset: Toolset::Core,
        search: false,
    };
    type Input = Input;
    type Output = Output;
    type Needs = OfAssets<Delete>;

    fn target(input: &Input) -> Target {
        Target::Assets(input.asset_ids.distinct())
    }

    async fn call(cx: Cx<'_, AssetsAccess<Delete>>, input: Input) -> Result<Output> {
        let dry = input.dry_run.unwrap_or(false);
        let (vaults, mut known) = (cx.access.groups(), Known::new());
        for (place, (vault, ids)) in vaults.iter().enumerate() {
            match group(&cx, vault, ids, dry).await {
                Ok(gone) => {
                    known.extend(gone.into_iter().map(|going| (going.id.clone(), Ok(going))))
                }
                // Nothing has happened yet, so that the whole call can be told to come again.
                Err(error) if place == 0 => return Err(error),
                Err(error) => known.extend(refuse(ids, &error)),
            }
        }
        known.extend(refuse(cx.access.refused(), &lacking(Delete::MEMBERSHIP)));
        let unknown: Vec<AssetId> = input
            .asset_ids
            .distinct()
            .into_iter()
            .filter(|id| !known.contains_key(id))
            .collect();
        note(&cx, !unknown.is_empty()).await?;
        answer(input.asset_ids.as_slice(), &known, dry)
    }
}

/// What came of each asset that the caller may know of.
type Known = BTreeMap<AssetId, Result<Going, Failure>>;

fn refuse(ids: &[AssetId], error: &Error) -> Known {
    ids.iter()
        .map(|id| (id.clone(), Err(Failure::of(error))))
        .collect()
}

/// Deletes the assets of one vault, or tells what that would take: one transaction.
async fn group(
    cx: &Cx<'_, AssetsAccess<Delete>>,
    vault: &VaultAccess<Delete>,
    ids: &[AssetId],
    dry: bool,
) -> Result<Vec<Going>> {
    let now = cx.app.clock.now();
    let purge_after = now + cx.app.settings.delete_grace;
    cx.app
        .store
        .run_tx(ImageAssetDelete::META.name, vault, |tx| async move {
            if dry {
                deleting::plan(&tx, vault, ids, purge_after).await
            } else {
                deleting::delete(&tx, vault, ids, purge_after, now).await
            }
        })
        .await
}

/// Notes what was denied, once a kind.
async fn note(cx: &Cx<'_, AssetsAccess<Delete>>, unknown: bool) -> Result<()> {
    let (app, own, tool) = (cx.app, cx.access.own(), ImageAssetDelete::META.name);
    if unknown {
        denials::note(app, own, tool, ErrorCode::NotFound).await?;
    }
    if !cx.access.refused().is_empty() {
        denials::note(app, own, tool, ErrorCode::ForbiddenMembership).await?;
    }
    Ok(())
}

fn answer(asked: &[AssetId], known: &Known, dry: bool) -> Result<Output> {
    let unknown = Failure::of(&Error::not_found("asset"));
    let results = asked
        .iter()
        .enumerate()
        .map(|(index, id)| match known.get(id) {
            Some(Ok(going)) => gone(index, going, dry),
            // An id that may be another tenant's is not said back: its answer is that of any unknown id.
            Some(Err(failure)) => Ok(refused(index, Some(id), failure)),
            None => Ok(refused(index, None, &unknown)),
        });
    let going = || known.values().flatten();
    Ok(Output {
        results: results.collect::<Result<_>>()?,
        freed_bytes: going().map(|going| going.vector_bytes).sum(),
        purged_later_bytes: going().map(|going| going.object_bytes).sum(),
    })
}

fn gone(index: usize, going: &Going, dry: bool) -> Result<Item> {
    Ok(Item {
        index,
        asset_id: Some(going.id.to_string()),
        outcome: match (going.already, dry) {
            (true, _) => Outcome::AlreadyDeleted,
            (false, true) => Outcome::WouldDelete,
            (false, false) => Outcome::Deleted,
        },
        vector_bytes: going.vector_bytes,
        object_bytes: going.object_bytes,
        purge_after: going.purge_after.map(instant).transpose()?,
        failure: None,
    })
}

fn refused(index: usize, id: Option<&AssetId>, failure: &Failure) -> Item {
    Item {
        index,
        asset_id: id.map(ToString::to_string),
        outcome: Outcome::Refused,
        vector_bytes: 0,
        object_bytes: 0,
        purge_after: None,
        failure: Some(failure.clone()),
    }
}
