//! `run_tx`: the only door to the database.
//!
//! A transaction has a name, runs as a role that row-level security binds, and names one owner (or is
//! the system's own). BEGIN, the role and the first statement travel together. A transaction that is
//! dropped half way takes its connection with it, so that nothing of it can leak into another one.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use tokio_postgres::Row;

use super::{
    Store,
    connect::Pooled,
    failure::{from_postgres, is_lost_connection, is_race},
    params::Params,
};
use crate::{
    error::{Error, Result},
    ids::OwnerIdentity,
};

/// How often a transaction that lost a race, or its connection before the commit, is run again.
const REPLAYS: u32 = 3;

/// Longest run of one statement.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(10);

/// One SQL file.
#[derive(Debug, Clone, Copy)]
pub struct Statement {
    /// Path below `sql/`, without the extension.
    pub name: &'static str,
    /// The text.
    pub sql: &'static str,
}

/// Names a SQL file: `sql!("assets/get")`.
macro_rules! sql {
    ($name:literal) => {
        $crate::store::Statement {
            name: $name,
            sql: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/src/store/sql/",
                $name,
                ".sql"
            )),
        }
    };
}
pub(crate) use sql;

/// Who a transaction runs as.
#[derive(Debug, Clone)]
pub(crate) enum Scope {
    /// `im_app`, bound to the rows of one owner.
    Owner(OwnerIdentity),
    /// `im_system`, for `store::system` alone.
    System,
}

/// A running transaction; a cheap handle. Statements polled together travel together.
#[derive(Clone)]
pub struct Tx(Arc<Inner>);

struct Inner {
    connection: Option<Pooled>,
    scope: Scope,
    begun: AtomicBool,
    /// Statements that were sent and have not succeeded: those that run, failed, or were given up.
    unsettled: AtomicU32,
    ended: AtomicBool,
}

impl Drop for Inner {
    fn drop(&mut self) {
        // Whoever drops a transaction half way leaves the server inside it; that connection must go.
        if !*self.ended.get_mut()
            && let Some(connection) = self.connection.take()
        {
            drop(Pooled::take(connection));
        }
    }
}

impl Inner {
    fn client(&self) -> Result<&tokio_postgres::Client> {
        if self.ended.load(Ordering::Relaxed) {
            return Err(Error::internal(
                "a statement came after its transaction had ended",
            ));
        }
        let client = self.connection.as_deref();
        client.ok_or_else(|| Error::internal("a transaction lost its connection"))
    }

    /// BEGIN and the transaction's settings; only the first statement brings them along.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that begins transactions"
    )]
    async fn begin(&self, first: bool) -> Result<(), tokio_postgres::Error> {
        let (true, Some(client)) = (first, self.connection.as_deref()) else {
            return Ok(());
        };
        let (role, owner) = match &self.scope {
            Scope::Owner(owner) => ("im_app", owner.as_str()),
            Scope::System => ("im_system", ""),
        };
        let timeout = STATEMENT_TIMEOUT.as_millis().to_string();
        let settings = Params::default().text(role).text(owner).text(&timeout);
        let settings = settings.bound();
        let (begun, set) = futures_util::join!(
            client.batch_execute("begin"),
            client.query_typed(SETTINGS.sql, &settings)
        );
        begun?;
        set?;
        Ok(())
    }
}

const SETTINGS: Statement = sql!("system/settings");

impl Tx {
    fn new(connection: Pooled, scope: Scope) -> Self {
        Self(Arc::new(Inner {
            connection: Some(connection),
            scope,
            begun: AtomicBool::new(false),
            unsettled: AtomicU32::new(0),
            ended: AtomicBool::new(false),
        }))
    }

    async fn statement<T>(
        &self,
        statement: Statement,
        run: impl AsyncFnOnce(&tokio_postgres::Client) -> Result<T, tokio_postgres::Error>,
    ) -> Result<T> {
        let client = self.0.client()?;
        let first = !self.0.begun.swap(true, Ordering::Relaxed);
        self.0.unsettled.fetch_add(1, Ordering::Relaxed);
        let (begun, result) = futures_util::join!(self.0.begin(first), run(client));
        let value = begun.and(result).map_err(|error| {
            let error = from_postgres(error);
            tracing::debug!(
                db.statement = statement.name,
                error.code = error.code().name(),
                "a statement failed"
            );
            error
        })?;
        self.0.unsettled.fetch_sub(1, Ordering::Relaxed);
        Ok(value)
    }

    /// All rows.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that runs statements"
    )]
    pub(crate) async fn rows(&self, statement: Statement, params: &Params<'_>) -> Result<Vec<Row>> {
        let params = params.bound();
        self.statement(statement, async |client| {
            client.query_typed(statement.sql, &params).await
        })
        .await
    }

    /// One row or none; more is a fault.
    pub(crate) async fn optional(
        &self,
        statement: Statement,
        params: &Params<'_>,
    ) -> Result<Option<Row>> {
        let mut rows = self.rows(statement, params).await?;
        if rows.len() > 1 {
            return Err(wrong_count(statement, rows.len() as u64));
        }
        Ok(rows.pop())
    }

    /// Exactly one row.
    pub(crate) async fn one(&self, statement: Statement, params: &Params<'_>) -> Result<Row> {
        self.optional(statement, params)
            .await?
            .ok_or_else(|| wrong_count(statement, 0))
    }

    /// Runs a change and says how many rows it touched.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that runs statements"
    )]
    pub(crate) async fn change(&self, statement: Statement, params: &Params<'_>) -> Result<u64> {
        let params = params.bound();
        self.statement(statement, async |client| {
            client.execute_typed(statement.sql, &params).await
        })
        .await
    }

    /// Runs a change that must touch exactly one row.
    pub(crate) async fn change_one(&self, statement: Statement, params: &Params<'_>) -> Result<()> {
        match self.change(statement, params).await? {
            1 => Ok(()),
            count => Err(wrong_count(statement, count)),
        }
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that ends transactions"
    )]
    async fn end(self, how: &'static str) -> Result<()> {
        if !self.0.begun.load(Ordering::Relaxed) {
            self.0.ended.store(true, Ordering::Relaxed);
            return Ok(());
        }
        self.0
            .client()?
            .batch_execute(how)
            .await
            .map_err(from_postgres)?;
        self.0.ended.store(true, Ordering::Relaxed);
        Ok(())
    }
}

fn wrong_count(statement: Statement, count: u64) -> Error {
    Error::internal(format!(
        "{} met {count} rows where one was expected",
        statement.name
    ))
}

impl Store {
    /// Runs `work` in one transaction and commits it, or leaves no trace of it.
    ///
    /// A lost race is run again, and so is a connection lost before the commit: nothing was kept then.
    /// A connection lost during the commit is `database_unavailable`: nobody knows, and the caller's
    /// idempotency key settles it. `work` must therefore do nothing but talk to the database.
    pub(crate) async fn run<T, F, R>(&self, name: &'static str, scope: Scope, work: F) -> Result<T>
    where
        F: Fn(Tx) -> R + Send + Sync,
        R: Future<Output = Result<T>> + Send,
    {
        let mut replays = 0;
        loop {
            let tx = Tx::new(self.connection().await?, scope.clone());
            let error = match work(tx.clone()).await {
                Ok(value) if tx.0.unsettled.load(Ordering::Relaxed) == 0 => {
                    match tx.end("commit").await {
                        Ok(()) => return Ok(value),
                        Err(error) if is_race(&error) => error,
                        Err(error) => return Err(error),
                    }
                }
                // A swallowed failure: the server would turn the commit into a rollback and say nothing.
                Ok(_) => {
                    return Err(Error::internal(format!(
                        "{name} went on after a statement that failed or was given up"
                    )));
                }
                Err(error) => {
                    if !is_lost_connection(&error) {
                        tx.end("rollback").await.ok();
                    }
                    error
                }
            };
            if replays == REPLAYS || !(is_race(&error) || is_lost_connection(&error)) {
                return Err(error);
            }
            replays += 1;
            tracing::info!(
                db.transaction = name,
                db.replay = replays,
                "a transaction is run again"
            );
        }
    }
}
