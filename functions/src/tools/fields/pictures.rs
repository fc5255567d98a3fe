//! Pictures that go beside an answer, for a model to look at: never an original, always a small WebP made
//! of previews.

use std::fmt;

use bytes::Bytes;
use common::{
    app::App,
    contract::Read,
    error::{Error, ErrorCode, Result},
    imaging,
    ports::{ObjectStore, read_preview},
    store::access::VaultAccess,
};
use futures_util::{StreamExt, stream};

use super::previews::{self, Shown};

/// How many previews are read at the same time.
const READS: usize = 8;

/// A picture beside an answer.
#[derive(Clone)]
pub struct Picture {
    /// WebP bytes, under 200 KB.
    pub webp: Bytes,
}

// No bytes of a picture may reach a log through `{:?}`.
impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Picture({} bytes)", self.webp.len())
    }
}

impl Picture {
    /// Its type.
    pub const MIME_TYPE: &'static str = "image/webp";
}

/// The rows of a page as one contact sheet: tile 1 is the first row. A row that may not be shown, and one
/// whose preview cannot be read, has a blank tile. A page without rows has no sheet.
///
/// # Errors
/// Outages: then nothing is shown.
pub(crate) async fn contact_sheet(
    app: &App,
    vaults: &[VaultAccess<Read>],
    tool: &'static str,
    rows: &[Option<Shown<'_>>],
) -> Result<Option<Picture>> {
    let rows = &rows[..rows.len().min(imaging::SHEET_TILES_MAX)];
    if rows.is_empty() {
        return Ok(None);
    }
    let shown: Vec<&Shown<'_>> = rows.iter().flatten().collect();
    previews::note(app, vaults, tool, &shown).await?;
    let keys: Vec<Option<String>> = rows
        .iter()
        .map(|row| row.as_ref().map(|shown| shown.key.to_owned()))
        .collect();
    let tiles: Vec<Option<Bytes>> = stream::iter(keys)
        .map(|key| tile(&*app.objects, key))
        .buffered(READS)
        .collect()
        .await;
    if !shown.is_empty() && tiles.iter().all(Option::is_none) {
        let message = "no preview can be read";
        return Err(Error::new(ErrorCode::StoreUnavailable, message));
    }
    let drawn = tokio::task::spawn_blocking(move || {
        let tiles: Vec<Option<&[u8]>> = tiles.iter().map(Option::as_deref).collect();
        imaging::contact_sheet(&tiles)
    });
    let webp = drawn.await.map_err(Error::internal)??;
    Ok(Some(Picture { webp: webp.into() }))
}

/// One lost or unreadable preview is no reason to show nothing of the others.
async fn tile(objects: &dyn ObjectStore, key: Option<String>) -> Option<Bytes> {
    read_preview(objects, &key?).await.ok()
}

/// One asset's preview, made small enough for a model.
///
/// # Errors
/// Outages: then nothing is shown.
pub(crate) async fn preview(
    app: &App,
    vaults: &[VaultAccess<Read>],
    tool: &'static str,
    shown: Shown<'_>,
) -> Result<Picture> {
    previews::note(app, vaults, tool, &[&shown]).await?;
    let preview = read_preview(&*app.objects, shown.key).await?;
    let drawn = tokio::task::spawn_blocking(move || imaging::thumbnail(&preview));
    let webp = drawn.await.map_err(Error::internal)??;
    Ok(Picture { webp: webp.into() })
}
