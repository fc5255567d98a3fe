//! Moving assets: rows and vectors change in one transaction, and no object is touched (§7.2).

use std::collections::BTreeSet;

use serde_json::json;
use time::OffsetDateTime;

use crate::{
    contract::Write,
    error::{Error, Result},
    ids::{AssetId, FolderId, ProjectId},
    store::{
        Tx,
        access::{Bound, VaultAccess, maybe_stored, stored},
        params::Params,
        placements::{self, Placement},
        provenance::{Line, Operation, write},
        tx::sql,
    },
};

/// An asset and the place that it was in.
struct Placed {
    id: AssetId,
    project: Option<ProjectId>,
    folder: Option<FolderId>,
}

/// Puts assets of one vault into another place of it, all or none; returns those that were not there yet.
///
/// # Errors
/// `not_found` for an asset or a place that is not in the vault; `conflict` for an archived project.
pub async fn place(
    tx: &Tx,
    access: &VaultAccess<Write>,
    ids: &[AssetId],
    to: &Placement,
    now: OffsetDateTime,
) -> Result<Vec<AssetId>> {
    placements::check(tx, access, to).await?;
    let before = lock(tx, access, ids).await?;
    if before.len() < ids.iter().collect::<BTreeSet<_>>().len() {
        return Err(Error::not_found("asset"));
    }
    let moved: Vec<&Placed> = before
        .iter()
        .filter(|asset| {
            asset.project.as_ref() != to.project() || asset.folder.as_ref() != to.folder()
        })
        .collect();
    let ids: Vec<&str> = moved.iter().map(|asset| asset.id.as_str()).collect();
    let place = || {
        Params::of(access)
            .text(access.vault().as_str())
            .texts(&ids)
            .maybe_text(to.project().map(ProjectId::as_str))
            .maybe_text(to.folder().map(FolderId::as_str))
    };
    let rows = place().text(access.actor().identity.as_str()).time(now);
    let vectors = place();
    let lines: Vec<Line<'_>> = moved.iter().map(|asset| line(access, asset, to)).collect();
    let (placed, followed, recorded) = futures_util::join!(
        tx.change(sql!("assets/place"), &rows),
        tx.change(sql!("vectors/place"), &vectors),
        write(tx, access.bound_owner(), &lines, now)
    );
    placed?;
    followed?;
    recorded?;
    Ok(moved.iter().map(|asset| asset.id.clone()).collect())
}

async fn lock(tx: &Tx, access: &VaultAccess<Write>, ids: &[AssetId]) -> Result<Vec<Placed>> {
    let ids: Vec<&str> = ids.iter().map(AssetId::as_str).collect();
    let params = Params::of(access).text(access.vault().as_str()).texts(&ids);
    let rows = tx.rows(sql!("assets/lock"), &params).await?;
    rows.iter()
        .map(|row| {
            Ok(Placed {
                id: stored(row, "id")?,
                project: maybe_stored(row, "project_id")?,
                folder: maybe_stored(row, "folder_id")?,
            })
        })
        .collect()
}

fn line<'a>(access: &'a VaultAccess<Write>, asset: &'a Placed, to: &'a Placement) -> Line<'a> {
    Line {
        vault: Some(access.vault()),
        asset: Some(&asset.id),
        project: to.project(),
        folder: to.folder(),
        actor: Some(access.actor()),
        details: json!({ "fromProject": asset.project, "fromFolder": asset.folder }),
        ..Line::new(Operation::Move)
    }
}
