//! What `run_tx` promises: all of a transaction or nothing of it, whatever happens on the way.

mod losses;

use std::sync::{
    Mutex,
    atomic::{AtomicU32, Ordering},
};

use common::{
    error::{Error, ErrorCode, Result},
    ids::{OwnerIdentity, QueryId, ReservationId},
    ports::EmbedUsage,
    store::{Store, Tx, idempotency, quota, search, system::identities, usage},
    testing::TestDatabase,
};
use tokio::sync::{Barrier, Notify};

use crate::support::{
    Session,
    caller::{Caller, now, request},
};

/// A database, a caller, and a look from outside.
struct Stage {
    database: TestDatabase,
    admin: Session,
    caller: Caller,
}

impl Stage {
    async fn new() -> Self {
        Self::with("").await
    }

    /// `setting` holds for all connections made from now on.
    async fn with(setting: &str) -> Self {
        let database = TestDatabase::new().await;
        let admin = Session::admin(&database).await;
        if !setting.is_empty() {
            admin
                .rows(&format!("alter database {} set {setting}", database.name()))
                .await;
        }
        let caller = Caller::new(&database.store(), "ada").await;
        Self {
            database,
            admin,
            caller,
        }
    }

    fn store(&self, connections: usize) -> Store {
        Store::new(self.database.login_url(), connections).unwrap()
    }

    /// Holds a hundred bytes.
    async fn reserve(&self, tx: &Tx) -> Result<()> {
        let id = ReservationId::generate(0);
        quota::reserve(tx, &self.caller.write, id, "image_asset_save", 100, now()).await?;
        Ok(())
    }

    /// Takes the one idempotency key.
    async fn begin(&self, tx: &Tx) -> Result<()> {
        let attempt = idempotency::Attempt {
            operation: "image_asset_save",
            key: "key".to_owned(),
            derived: false,
            fingerprint: "0".repeat(64),
            token: request(),
        };
        idempotency::begin(tx, &self.caller.write, &attempt, now()).await?;
        Ok(())
    }

    /// Runs a statement that the server refuses.
    async fn fail(&self, tx: &Tx) -> Result<()> {
        let call = usage::Call {
            id: request(),
            source: usage::Source::Query,
            model: "colours".to_owned(),
            inputs: 0,
            usage: EmbedUsage::default(),
            provider_request_id: None,
        };
        usage::record(tx, &self.caller.write, &call, now()).await
    }

    /// Looks for a query vector that is not there, and writes one.
    async fn read_and_write(&self, tx: &Tx) -> Result<()> {
        let mut unit = [0.0; 1024];
        unit[0] = 1.0;
        search::kept_query(
            tx,
            &self.caller.own,
            &QueryId::generate(0),
            "colours",
            now(),
        )
        .await?;
        search::keep_query(tx, &self.caller.own, "colours", &unit, now()).await?;
        Ok(())
    }

    /// Bytes that are held, as the counter and as the reservations have it.
    async fn held(&self) -> String {
        let sum = "select reserved_bytes || ' ' || (select coalesce(sum(expected_bytes), 0) from mem_asset_upload_reservations)
                   from mem_asset_namespaces";
        self.admin.value(sum).await
    }

    async fn count(&self, table: &str) -> String {
        self.admin
            .value(&format!("select count(*) from {table}"))
            .await
    }

    /// Ends the store's backends that are in this state, and waits until they are gone.
    async fn kill(&self, state: &str) {
        let killed = self
            .admin
            .column(&format!(
                "select pg_terminate_backend(pid, 10000) from pg_stat_activity
                 where datname = current_database() and usename = 'im_test_login' and state = '{state}'"
            ))
            .await;
        assert!(
            !killed.is_empty() && killed.iter().all(|done| done == "t"),
            "{killed:?}"
        );
    }
}

/// Counts the tries of a transaction.
#[derive(Default)]
struct Tries(AtomicU32);

impl Tries {
    /// Whether this is the first one.
    fn first(&self) -> bool {
        self.0.fetch_add(1, Ordering::SeqCst) == 0
    }

    fn count(&self) -> u32 {
        self.0.load(Ordering::SeqCst)
    }
}

async fn use_store(store: &Store) -> Result<()> {
    identities::find(store, &OwnerIdentity::trusted("nobody".to_owned()))
        .await
        .map(drop)
}

#[tokio::test]
async fn the_loser_of_a_deadlock_is_run_again() {
    let stage = Stage::with("deadlock_timeout = '10ms'").await;
    let store = stage.store(2);
    let (both, done, tries) = (
        Barrier::new(2),
        Notify::new(),
        [Tries::default(), Tries::default()],
    );
    let (both, done) = (&both, &done);
    let quota_first = async {
        let run = store.run_tx("quota first", &stage.caller.write, |tx| {
            let (stage, first) = (&stage, tries[0].first());
            async move {
                if !first {
                    done.notified().await; // or the two might meet once more
                }
                stage.reserve(&tx).await?;
                if first {
                    both.wait().await;
                }
                stage.begin(&tx).await
            }
        });
        run.await.unwrap();
        done.notify_one();
    };
    let key_first = async {
        let run = store.run_tx("key first", &stage.caller.write, |tx| {
            let (stage, first) = (&stage, tries[1].first());
            async move {
                if !first {
                    done.notified().await;
                }
                stage.begin(&tx).await?;
                if first {
                    both.wait().await;
                }
                stage.reserve(&tx).await
            }
        });
        run.await.unwrap();
        done.notify_one();
    };
    futures_util::join!(quota_first, key_first);
    assert_eq!(tries[0].count() + tries[1].count(), 3);
    assert_eq!(stage.held().await, "200 200");
}

#[tokio::test]
async fn a_statement_that_lost_a_race_is_run_again_with_its_transaction() {
    let stage = Stage::with("default_transaction_isolation = 'repeatable read'").await;
    let (store, tries) = (stage.store(2), Tries::default());
    let lost = store.run_tx("lost", &stage.caller.write, |tx| {
        let (stage, store, tries) = (&stage, &store, &tries);
        async move {
            let first = tries.first();
            stage.begin(&tx).await?; // from here on it sees the database as it is now
            if first {
                store
                    .run_tx("won", &stage.caller.write, |tx| async move {
                        stage.reserve(&tx).await
                    })
                    .await?;
            }
            stage.reserve(&tx).await
        }
    });
    lost.await.unwrap();
    assert_eq!(tries.count(), 2);
    assert_eq!(stage.held().await, "200 200");
}

#[tokio::test]
async fn a_commit_that_lost_a_race_is_run_again_with_its_transaction() {
    let stage = Stage::with("default_transaction_isolation = 'serializable'").await;
    let (store, tries) = (stage.store(2), Tries::default());
    let lost = store.run_tx("lost", &stage.caller.own, |tx| {
        let (stage, store, tries) = (&stage, &store, &tries);
        async move {
            let first = tries.first();
            stage.read_and_write(&tx).await?;
            if first {
                let own = &stage.caller.own;
                store
                    .run_tx(
                        "won",
                        own,
                        |tx| async move { stage.read_and_write(&tx).await },
                    )
                    .await?;
            }
            Ok(())
        }
    });
    lost.await.unwrap();
    assert_eq!(tries.count(), 2);
    assert_eq!(stage.count("mem_query_vectors").await, "2");
}

#[tokio::test]
async fn a_swallowed_failure_is_not_committed() {
    let stage = Stage::new().await;
    let store = stage.store(1);
    let swallowed = store.run_tx("swallowed", &stage.caller.write, |tx| {
        let stage = &stage;
        async move {
            stage.begin(&tx).await?;
            assert!(stage.fail(&tx).await.is_err());
            Ok(())
        }
    });
    let error = swallowed.await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Internal);
    assert_eq!(stage.count("mem_idempotency").await, "0");
    use_store(&store).await.unwrap();
}

#[tokio::test]
async fn a_statement_that_was_given_up_is_not_committed() {
    let stage = Stage::new().await;
    let store = stage.store(1);
    let given_up = store.run_tx("given up", &stage.caller.write, |tx| {
        let stage = &stage;
        async move {
            stage.begin(&tx).await?;
            let mut failing = Box::pin(stage.fail(&tx));
            assert!(futures_util::poll!(&mut failing).is_pending());
            drop(failing);
            // The server refuses that statement, and would answer the commit by rolling back.
            Ok(())
        }
    });
    let error = given_up.await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Internal);
    assert_eq!(stage.count("mem_idempotency").await, "0");
    use_store(&store).await.unwrap();
}

#[tokio::test]
async fn an_error_of_the_callers_takes_everything_back() {
    let stage = Stage::new().await;
    let (store, tries) = (stage.store(1), Tries::default());
    let refused = store.run_tx("refused", &stage.caller.write, |tx| {
        let (stage, tries) = (&stage, &tries);
        async move {
            tries.first();
            stage.reserve(&tx).await?;
            Err::<(), _>(Error::not_found("asset"))
        }
    });
    assert_eq!(refused.await.unwrap_err().code(), ErrorCode::NotFound);
    assert_eq!(tries.count(), 1);
    assert_eq!(stage.held().await, "0 0");
    use_store(&store).await.unwrap();
}

#[tokio::test]
async fn a_handle_kept_beyond_its_transaction_is_dead() {
    let stage = Stage::new().await;
    let (store, kept) = (stage.store(2), Mutex::new(None));
    let ended = store.run_tx("ended", &stage.caller.write, |tx| {
        let (stage, kept) = (&stage, &kept);
        async move {
            stage.reserve(&tx).await?;
            *kept.lock().unwrap() = Some(tx);
            Ok(())
        }
    });
    ended.await.unwrap();
    let tx = kept.lock().unwrap().take().unwrap();
    assert_eq!(
        stage.reserve(&tx).await.unwrap_err().code(),
        ErrorCode::Internal
    );
    assert_eq!(stage.held().await, "100 100");
}

#[tokio::test]
async fn a_server_that_is_not_there_is_an_outage() {
    // Nothing listens on a port that was only just free, and making a store connects nowhere.
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let store = Store::new(
        &format!("postgres://nobody@127.0.0.1:{port}/nothing").into(),
        1,
    )
    .unwrap();
    assert_eq!(
        use_store(&store).await.unwrap_err().code(),
        ErrorCode::DatabaseUnavailable
    );
}

#[tokio::test]
async fn what_a_caller_may_know_of_a_violation_has_its_code() {
    let stage = Stage::new().await;
    let store = stage.store(1);
    let create = async |name: &str, plan: &str| {
        let new = identities::NewIdentity {
            owner: OwnerIdentity::trusted(name.to_owned()),
            display_name: "Somebody".to_owned(),
            plan: plan.to_owned(),
        };
        identities::create(&store, &new, now())
            .await
            .unwrap_err()
            .code()
    };
    assert_eq!(create("ada", "default").await, ErrorCode::NameTaken);
    assert_eq!(
        create("eve", "no such plan").await,
        ErrorCode::InvalidArgument
    );
    assert_eq!(stage.count("mem_identities").await, "1");
}

#[tokio::test]
async fn the_log_reads_what_went_wrong_and_no_row() {
    let stage = Stage::new().await;
    let store = stage.store(1);
    let failed = store.run_tx("failed", &stage.caller.write, |tx| {
        let stage = &stage;
        async move { stage.fail(&tx).await }
    });
    let error = failed.await.unwrap_err();
    let cause = std::error::Error::source(&error).unwrap().to_string();
    let wanted = "23514: new row for relation \"mem_usage_ledger\" violates check constraint \"mem_usage_ledger_inputs_check\"";
    assert_eq!(cause, wanted);
    assert!(!format!("{error:?}").contains("ada"), "{error:?}");
}
