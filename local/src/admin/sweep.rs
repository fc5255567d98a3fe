//! `sweep`: puts right now what the server would put right by and by.

use std::sync::Arc;

use common::{
    adapters::clock::SystemClock,
    error::{Error, ErrorCode, Result},
};
use functions::sweep::{Sweep, Swept};

use super::with_database;
use crate::{bring::Progress, dev_dir::DevDir, stack};

/// Purges what is due and gives back what killed saves hold.
///
/// # Errors
/// `store_unavailable` when bytes could not be proven gone: what was done stays done.
pub async fn run(dev: &DevDir, say: &Progress<'_>) -> Result<()> {
    let objects = stack::objects(dev, Arc::new(SystemClock))?;
    with_database(dev, say, |store| async move {
        let sweep = Sweep {
            store: &store,
            objects: &objects,
            clock: &SystemClock,
        };
        let Swept {
            purged,
            failed,
            expired,
        } = sweep.run().await?;
        println!("purged {purged} objects, ended {expired} reservations");
        match failed {
            0 => Ok(()),
            failed => {
                let message = format!(
                    "{failed} objects could not be purged; a later sweep takes them up again"
                );
                Err(Error::new(ErrorCode::StoreUnavailable, message))
            }
        }
    })
    .await
}
