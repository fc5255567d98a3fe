//! Puts right what time and killed processes leave behind: bytes whose grace is over, and reservations whose
//! save never ended. Everything may be repeated, and several runs may go at once.
//!
//! A purge is claimed by a row that no save can revive any more, then both keys are deleted, then the store is
//! asked whether they are gone, and only then one transaction counts the bytes off and records the proof. A
//! kill in between leaves the claim: a later run takes it up after ten minutes and does the same again.

use common::{
    error::{Error, Result},
    limits::PURGE_BATCH,
    ports::{Clock, ObjectStore},
    store::{
        Store, objects,
        system::{
            objects::{Purge, claim_purges},
            quota,
        },
    },
};

/// What a run works on.
#[derive(Clone, Copy)]
pub struct Sweep<'a> {
    /// Postgres.
    pub store: &'a Store,
    /// Private bytes.
    pub objects: &'a dyn ObjectStore,
    /// Time.
    pub clock: &'a dyn Clock,
}

/// What a run did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Swept {
    /// Objects whose bytes are proven gone.
    pub purged: u64,
    /// Objects whose bytes could not be proven gone; a later run takes them up again.
    pub failed: u64,
    /// Reservations of saves that never ended.
    pub expired: u64,
}

impl Sweep<'_> {
    /// Runs until nothing is due.
    ///
    /// # Errors
    /// `database_unavailable`; a failing store is counted instead.
    pub async fn run(&self) -> Result<Swept> {
        let expired = quota::expire(self.store, self.clock.now()).await?;
        let (mut purged, mut failed) = (0, 0);
        loop {
            let claimed = claim_purges(self.store, self.clock.now(), PURGE_BATCH).await?;
            let (batch, before) = (claimed.len(), failed);
            for purge in claimed {
                match self.purge(&purge).await {
                    Ok(true) => purged += 1,
                    // Another run took it over, and says so itself.
                    Ok(false) => {}
                    Err(error) => {
                        failed += 1;
                        tracing::warn!(
                            error.code = error.code().name(),
                            object = purge.id.as_str(),
                            namespace = purge.namespace.as_str(),
                            "bytes could not be purged"
                        );
                    }
                }
            }
            let full = i64::try_from(batch).map_err(Error::internal)? == PURGE_BATCH;
            // A store that is down fails the same way for the next hundred.
            if !full || failed - before == PURGE_BATCH.unsigned_abs() {
                break;
            }
        }
        Ok(Swept {
            purged,
            failed,
            expired,
        })
    }

    async fn purge(&self, purge: &Purge) -> Result<bool> {
        for key in [&purge.preview_storage_key, &purge.storage_key] {
            self.objects.delete(key).await?;
            if self.objects.head(key).await?.is_some() {
                return Err(Error::internal("a deleted object is still in the store"));
            }
        }
        let (access, now) = (&purge.access(), self.clock.now());
        self.store
            .run_tx("sweep.purged", access, |tx| async move {
                objects::purged(&tx, access, purge, now).await
            })
            .await
    }
}
