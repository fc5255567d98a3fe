//! Short-lived links, each noted in the access log before it is handed out.

use common::{
    app::App,
    contract::Read,
    domain::keys::Extension,
    error::{Error, Result},
    ids::{AssetId, VaultId},
    ports::SignGet,
    store::{access::VaultAccess, access_log},
};

use super::{Link, instant};

/// An asset whose preview is to be linked.
pub(crate) struct Shown<'a> {
    /// The asset.
    pub(crate) id: &'a AssetId,
    /// The vault it is in.
    pub(crate) vault: &'a VaultId,
    /// Key of its preview.
    pub(crate) key: &'a str,
}

/// Links to the previews of a page, in its order.
///
/// # Errors
/// Outages: then no link is handed out.
pub(crate) async fn preview_links(
    app: &App,
    vaults: &[VaultAccess<Read>],
    tool: &'static str,
    shown: &[Shown<'_>],
) -> Result<Vec<Link>> {
    note(app, vaults, tool, &shown.iter().collect::<Vec<_>>()).await?;
    let mut links = Vec::with_capacity(shown.len());
    for shown in shown {
        links.push(preview_link(app, shown.key, shown.id.as_str()).await?);
    }
    Ok(links)
}

/// Notes in the access log that previews are about to be shown.
///
/// # Errors
/// `database_unavailable`: then nothing may be shown.
pub(super) async fn note(
    app: &App,
    vaults: &[VaultAccess<Read>],
    tool: &'static str,
    shown: &[&Shown<'_>],
) -> Result<()> {
    let now = app.clock.now();
    for vault in vaults {
        let here = || shown.iter().filter(|shown| shown.vault == vault.vault());
        if here().next().is_none() {
            continue;
        }
        let ids: &Vec<&AssetId> = &here().map(|shown| shown.id).collect();
        let noted = app
            .store
            .run_tx("tools.show_previews", vault, |tx| async move {
                for id in ids {
                    access_log::link(&tx, vault, tool, id, now).await?;
                }
                Ok(())
            });
        noted.await?;
    }
    Ok(())
}

/// Signs a link to the WebP preview of an asset.
pub(crate) async fn preview_link(app: &App, key: &str, asset: &str) -> Result<Link> {
    sign(app, key, Extension::Webp, &format!("{asset}-preview.webp")).await
}

/// Signs a link to an original.
pub(crate) async fn original_link(
    app: &App,
    key: &str,
    extension: &str,
    asset: &str,
) -> Result<Link> {
    let extension = Extension::from_name(extension)
        .ok_or_else(|| Error::internal("a stored extension is unknown"))?;
    sign(
        app,
        key,
        extension,
        &format!("{asset}.{}", extension.name()),
    )
    .await
}

async fn sign(app: &App, key: &str, extension: Extension, file_name: &str) -> Result<Link> {
    let content_type = extension.mime_type();
    // Link names hold letters, digits, dot and dash alone.
    let file_name = &file_name.replace('_', "-");
    let request = SignGet {
        key,
        content_type,
        file_name,
        ttl: app.settings.signed_get_ttl,
    };
    let signed = app.objects.sign_get(request).await?;
    Ok(Link {
        url: signed.url,
        expires_at: instant(signed.expires_at)?,
    })
}
