//! Transactions that are dropped half way, and connections that go away under them.

use std::future::pending;

use common::{
    error::{ErrorCode, Result},
    store::Tx,
};
use tokio::sync::Notify;

use super::{Stage, Tries, use_store};
use crate::support::Session;

#[tokio::test]
async fn a_transaction_dropped_between_statements_leaves_nothing_behind() {
    let stage = Stage::new().await;
    let store = stage.store(1);
    let entered = Notify::new();
    let stuck = store.run_tx("stuck", &stage.caller.write, |tx| {
        let (stage, entered) = (&stage, &entered);
        async move {
            stage.reserve(&tx).await?;
            entered.notify_one();
            pending::<Result<()>>().await
        }
    });
    tokio::select! {
        ended = stuck => panic!("it should wait for ever: {ended:?}"),
        () = entered.notified() => {}
    }
    // The only connection stood inside the transaction, and held the owner's lock.
    store
        .run_tx("next", &stage.caller.write, |tx| stage_reserve(&stage, tx))
        .await
        .unwrap();
    assert_eq!(stage.held().await, "100 100");
}

async fn stage_reserve(stage: &Stage, tx: Tx) -> Result<()> {
    stage.reserve(&tx).await
}

#[tokio::test]
async fn a_transaction_dropped_within_a_statement_leaves_nothing_behind() {
    let stage = Stage::new().await;
    let store = stage.store(1);
    stage
        .admin
        .rows("begin; select from mem_asset_namespaces for update")
        .await;
    let looker = Session::admin(&stage.database).await;
    let waiting = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    let mut stuck =
        Box::pin(store.run_tx("stuck", &stage.caller.write, |tx| stage_reserve(&stage, tx)));
    while looker.value(waiting).await == "0" {
        assert!(futures_util::poll!(&mut stuck).is_pending());
    }
    drop(stuck);
    stage.admin.rows("rollback").await;
    store
        .run_tx("next", &stage.caller.write, |tx| stage_reserve(&stage, tx))
        .await
        .unwrap();
    assert_eq!(stage.held().await, "100 100");
}

#[tokio::test]
async fn a_backend_that_ended_while_idle_is_not_noticed() {
    let stage = Stage::new().await;
    let store = stage.store(1);
    use_store(&store).await.unwrap();
    stage.kill("idle").await;
    use_store(&store).await.unwrap();
}

#[tokio::test]
async fn a_backend_that_ended_within_a_transaction_costs_another_try() {
    let stage = Stage::new().await;
    let (store, tries) = (stage.store(1), Tries::default());
    let killed = store.run_tx("killed", &stage.caller.write, |tx| {
        let (stage, tries) = (&stage, &tries);
        async move {
            let first = tries.first();
            stage.reserve(&tx).await?;
            if first {
                stage.kill("idle in transaction").await;
            }
            stage.begin(&tx).await
        }
    });
    killed.await.unwrap();
    assert_eq!(tries.count(), 2);
    assert_eq!(stage.held().await, "100 100");
}

#[tokio::test]
async fn a_backend_that_ends_every_time_is_an_outage_in_the_end() {
    let stage = Stage::new().await;
    let (store, tries) = (stage.store(1), Tries::default());
    let killed = store.run_tx("killed", &stage.caller.write, |tx| {
        let (stage, tries) = (&stage, &tries);
        async move {
            tries.first();
            stage.reserve(&tx).await?;
            stage.kill("idle in transaction").await;
            stage.begin(&tx).await
        }
    });
    assert_eq!(
        killed.await.unwrap_err().code(),
        ErrorCode::DatabaseUnavailable
    );
    assert_eq!(tries.count(), 4);
    assert_eq!(stage.held().await, "0 0");
}

#[tokio::test]
async fn a_connection_lost_at_the_commit_is_not_replayed() {
    let stage = Stage::new().await;
    let (store, tries) = (stage.store(1), Tries::default());
    let killed = store.run_tx("killed", &stage.caller.write, |tx| {
        let (stage, tries) = (&stage, &tries);
        async move {
            tries.first();
            stage.reserve(&tx).await?;
            stage.kill("idle in transaction").await;
            Ok(())
        }
    });
    // Nobody could tell, in general, whether it was kept.
    assert_eq!(
        killed.await.unwrap_err().code(),
        ErrorCode::DatabaseUnavailable
    );
    assert_eq!(tries.count(), 1);
    use_store(&store).await.unwrap();
}
