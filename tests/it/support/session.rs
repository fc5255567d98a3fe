//! A plain session, for arranging and looking: text in, text out, no transaction of ours around it.
#![expect(
    clippy::disallowed_methods,
    reason = "arranges and looks from outside the store"
)]

use common::testing::TestDatabase;
use secrecy::{ExposeSecret, SecretString};
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

/// What stands for null in a row of texts.
pub(crate) const NULL: &str = "∅";

/// One connection.
pub(crate) struct Session(Client);

/// Why the server refused something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refused {
    pub(crate) state: String,
    pub(crate) constraint: String,
    pub(crate) message: String,
}

impl Session {
    /// As the owner role, a superuser.
    pub(crate) async fn admin(database: &TestDatabase) -> Self {
        Self::open(database.admin_url()).await
    }

    /// As the login role.
    pub(crate) async fn login(database: &TestDatabase) -> Self {
        Self::open(database.login_url()).await
    }

    /// As whom the URL names.
    pub(crate) async fn open(url: &SecretString) -> Self {
        let (client, connection) = tokio_postgres::connect(url.expose_secret(), NoTls)
            .await
            .unwrap();
        tokio::spawn(connection);
        Self(client)
    }

    /// Runs a script and gives all rows of it as texts.
    pub(crate) async fn attempt(&self, sql: &str) -> Result<Vec<Vec<String>>, Refused> {
        let messages = self
            .0
            .simple_query(sql)
            .await
            .map_err(|error| refused(&error))?;
        let rows = messages.iter().filter_map(|message| match message {
            SimpleQueryMessage::Row(row) => {
                let texts = (0..row.len()).map(|index| row.get(index).unwrap_or(NULL).to_owned());
                Some(texts.collect())
            }
            _ => None,
        });
        Ok(rows.collect())
    }

    /// Runs a script that must succeed.
    pub(crate) async fn rows(&self, sql: &str) -> Vec<Vec<String>> {
        self.attempt(sql)
            .await
            .unwrap_or_else(|refused| panic!("{refused:?}\n{sql}"))
    }

    /// The first column of every row.
    pub(crate) async fn column(&self, sql: &str) -> Vec<String> {
        self.rows(sql)
            .await
            .into_iter()
            .map(|mut row| row.swap_remove(0))
            .collect()
    }

    /// The only value of a query.
    pub(crate) async fn value(&self, sql: &str) -> String {
        let mut column = self.column(sql).await;
        assert_eq!(column.len(), 1, "{sql}");
        column.remove(0)
    }

    /// A query that gives one value for all rows of all owners, but for the access log and when keys were used.
    pub(crate) async fn fingerprint(&self) -> String {
        let tables = self
            .column(
                "select t.relname from pg_class t
                 where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition
                   and t.relname not in ('mem_access_log', 'mem_keys')",
            )
            .await;
        let rows: Vec<String> = tables
            .iter()
            .map(|table| format!("select '{table}' || t::text from {table} t"))
            .collect();
        let rows = rows.join(" union all ");
        format!("select md5(string_agg(row, '' order by row)) from ({rows}) as all_rows (row)")
    }

    /// Runs a script and then takes it back, whatever came of it.
    pub(crate) async fn attempt_and_forget(&self, sql: &str) -> Result<Vec<Vec<String>>, Refused> {
        self.rows("begin").await;
        let result = self.attempt(sql).await;
        self.rows("rollback").await;
        result
    }

    /// Begins a transaction as `im_app`, bound as `run_tx` binds it.
    pub(crate) async fn begin_as_app(&self, owner: &str) {
        self.rows(&format!(
            "begin; select set_config('role', 'im_app', true), set_config('app.owner_identity', '{owner}', true)"
        ))
        .await;
    }
}

fn refused(error: &tokio_postgres::Error) -> Refused {
    let database = error
        .as_db_error()
        .unwrap_or_else(|| panic!("the server went away: {error:?}"));
    Refused {
        state: database.code().code().to_owned(),
        constraint: database.constraint().unwrap_or_default().to_owned(),
        message: database.message().to_owned(),
    }
}
