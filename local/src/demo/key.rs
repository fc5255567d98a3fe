//! The identity and key of the demo, which `dev` shares.

use std::path::PathBuf;

use common::{
    app::App,
    auth::{KeyToken, Scope, Surface},
    contract::Target,
    error::{Error, ErrorCode, Result},
    ids::{OwnerIdentity, RequestId},
    store::{
        access::admit,
        system::{identities, keys},
    },
};
use secrecy::{ExposeSecret, SecretString};

use crate::{
    dev_dir::DevDir,
    files::{read_secret, turn, write_secret},
};

/// The tenant of this machine.
const IDENTITY: &str = "demo@localhost";

/// Where the key lies, readable for its owner alone.
#[must_use]
pub fn path(dev: &DevDir) -> PathBuf {
    dev.data().join("demo-key")
}

/// The key of the data directory, or a new one if it has none that opens this database.
///
/// # Errors
/// `internal` when the key file cannot be written; outages.
pub async fn ensure(app: &App, dev: &DevDir) -> Result<SecretString> {
    // Two agents may start on a new machine at the same moment.
    let file = path(dev);
    let turn = tokio::task::spawn_blocking(move || turn(&file));
    let _turn = turn.await.map_err(Error::internal)??;
    if let Some(kept) = read_secret(&path(dev))?
        && opens(app, &kept).await?
    {
        return Ok(kept);
    }
    let owner = OwnerIdentity::trusted(IDENTITY.to_owned());
    if identities::find(&app.store, &owner).await?.is_none() {
        let new = identities::NewIdentity {
            owner: owner.clone(),
            display_name: "Demo".to_owned(),
            plan: "local".to_owned(),
        };
        identities::create(&app.store, &new, app.clock.now()).await?;
    }
    let new = keys::NewKey {
        owner,
        name: "demo".to_owned(),
        surface: Surface::Cli,
        scopes: Scope::ALL.to_vec(),
        expires_at: None,
    };
    let (_, token) = keys::create(&app.store, &new, app.clock.now()).await?;
    let secret = SecretString::from(token.reveal());
    write_secret(&path(dev), &secret)?;
    Ok(secret)
}

async fn opens(app: &App, kept: &SecretString) -> Result<bool> {
    let Ok(token) = kept.expose_secret().parse::<KeyToken>() else {
        return Ok(false);
    };
    let request = RequestId::generate(app.clock.millis());
    match admit(
        &app.store,
        &token,
        Target::Nothing,
        request,
        app.clock.now(),
    )
    .await
    {
        Ok(_) => Ok(true),
        Err(error) if error.code() == ErrorCode::Unauthenticated => Ok(false),
        Err(error) => Err(error),
    }
}
