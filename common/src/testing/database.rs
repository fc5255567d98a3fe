//! A database per test, cloned from a migrated template.
//!
//! The server is a real one: `TEST_DATABASE_ADMIN_URL` names it and may create databases and roles there.
//! `make test` starts one and sets the variable; without it a test fails and says so.

use secrecy::{ExposeSecret, SecretString};
use tokio::sync::OnceCell;
use tokio_postgres::{Client, NoTls};

use crate::{
    config::{Environment, Source},
    domain::fingerprint::sha256_hex,
    ids::RequestId,
    store::{Store, migrate},
};

/// Login role of the tests: NOINHERIT, so that a statement outside a transaction of ours may do nothing.
const LOGIN: &str = "im_test_login";

/// The lock under which the template is made: "im-test" in ASCII.
const LOCK: i64 = 0x69_6d2d_7465_7374;

/// A migrated database of its own, dropped with the value.
pub struct TestDatabase {
    name: String,
    admin: SecretString,
    login: SecretString,
    server: SecretString,
}

impl TestDatabase {
    /// Clones the template.
    ///
    /// # Panics
    /// When the server cannot be used; the message says what to do.
    pub async fn new() -> Self {
        let server = server_url();
        let template = template(&server).await;
        let name = format!("im_{}", random_name());
        let client = connect(&server).await;
        run(
            &client,
            &format!("create database {name} template {template}"),
        )
        .await;
        Self {
            admin: with_database(&server, &name),
            login: login_url(&server, &name),
            name,
            server,
        }
    }

    /// An empty database, for tests of migrating.
    ///
    /// # Panics
    /// As [`TestDatabase::new`].
    pub async fn empty() -> Self {
        let server = server_url();
        let name = format!("im_{}", random_name());
        let client = connect(&server).await;
        ensure_login(&client).await;
        run(&client, &format!("create database {name}")).await;
        Self {
            admin: with_database(&server, &name),
            login: login_url(&server, &name),
            name,
            server,
        }
    }

    /// Name of the database.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// URL of the owner role, a superuser.
    #[must_use]
    pub fn admin_url(&self) -> &SecretString {
        &self.admin
    }

    /// URL of the login role.
    #[must_use]
    pub fn login_url(&self) -> &SecretString {
        &self.login
    }

    /// A store over four connections of the login role.
    ///
    /// # Panics
    /// When the URL cannot be read.
    #[must_use]
    pub fn store(&self) -> Store {
        Store::new(&self.login, 4).unwrap_or_else(|error| panic!("the test URL is bad: {error}"))
    }

    /// A connection of the owner role, for looking and for arranging.
    ///
    /// # Panics
    /// When the server does not answer.
    pub async fn admin(&self) -> Client {
        connect(&self.admin).await
    }

    /// The one number that a statement of the owner role yields.
    ///
    /// # Panics
    /// When it yields no `bigint`.
    #[expect(
        clippy::disallowed_methods,
        reason = "a test looks at the rows themselves"
    )]
    pub async fn number(&self, sql: &str) -> i64 {
        let rows = self.admin().await.query_typed(sql, &[]).await;
        rows.unwrap_or_else(|error| panic!("{sql}: {error:?}"))[0].get(0)
    }

    /// Runs a script of the owner role.
    ///
    /// # Panics
    /// When it fails.
    pub async fn arrange(&self, sql: &str) {
        run(&self.admin().await, sql).await;
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let (server, name) = (self.server.clone(), self.name.clone());
        // Dropping cannot wait, and the test's runtime may be on its way out: a thread of its own can.
        let dropped = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            if let Ok(runtime) = runtime {
                runtime.block_on(async {
                    let client = connect(&server).await;
                    run(
                        &client,
                        &format!("drop database if exists {name} with (force)"),
                    )
                    .await;
                });
            }
        });
        dropped.join().ok();
    }
}

fn server_url() -> SecretString {
    let url = Environment.get("TEST_DATABASE_ADMIN_URL");
    url.unwrap_or_else(|| {
        panic!("TEST_DATABASE_ADMIN_URL is not set; run the tests by `make test`")
    })
    .into()
}

fn random_name() -> String {
    RequestId::generate(0)
        .as_str()
        .trim_start_matches("req_")
        .to_lowercase()
}

fn with_database(server: &SecretString, name: &str) -> SecretString {
    let mut url = url::Url::parse(server.expose_secret())
        .unwrap_or_else(|error| panic!("TEST_DATABASE_ADMIN_URL: {error}"));
    url.set_path(name);
    url.to_string().into()
}

fn login_url(server: &SecretString, name: &str) -> SecretString {
    let url = with_database(server, name);
    let mut url = url::Url::parse(url.expose_secret())
        .unwrap_or_else(|error| panic!("TEST_DATABASE_ADMIN_URL: {error}"));
    let named = url
        .set_username(LOGIN)
        .and_then(|()| url.set_password(Some(LOGIN)));
    named.unwrap_or_else(|()| panic!("TEST_DATABASE_ADMIN_URL takes no user name"));
    url.to_string().into()
}

async fn connect(url: &SecretString) -> Client {
    let connected = tokio_postgres::connect(url.expose_secret(), NoTls).await;
    let (client, connection) =
        connected.unwrap_or_else(|error| panic!("the test server does not answer: {error}"));
    tokio::spawn(connection);
    client
}

#[expect(
    clippy::disallowed_methods,
    reason = "arranges databases, outside any transaction of ours"
)]
async fn run(client: &Client, sql: &str) {
    if let Err(error) = client.batch_execute(sql).await {
        panic!("{sql}: {error:?}");
    }
}

async fn ensure_login(client: &Client) {
    run(client, &format!("select pg_advisory_lock({LOCK})")).await;
    run(
        client,
        &format!(
            "do $$ begin if not exists (select from pg_roles where rolname = '{LOGIN}') then \
             create role {LOGIN} login noinherit password '{LOGIN}'; end if; end $$"
        ),
    )
    .await;
    run(client, &format!("select pg_advisory_unlock({LOCK})")).await;
}

/// Name of the migrated template; made once per server and set of migrations.
async fn template(server: &SecretString) -> String {
    static TEMPLATE: OnceCell<String> = OnceCell::const_new();
    TEMPLATE.get_or_init(|| make_template(server)).await.clone()
}

#[expect(
    clippy::disallowed_methods,
    reason = "arranges databases, outside any transaction of ours"
)]
async fn make_template(server: &SecretString) -> String {
    let all: String = migrate::MIGRATIONS
        .iter()
        .map(migrate::Migration::checksum)
        .collect();
    let name = format!("im_template_{}", &sha256_hex(all.as_bytes())[..16]);
    let client = connect(server).await;
    ensure_login(&client).await;
    run(&client, &format!("select pg_advisory_lock({LOCK})")).await;
    let statement = format!("select 1 from pg_database where datname = '{name}'");
    let there = client
        .query_typed(&statement, &[])
        .await
        .is_ok_and(|rows| !rows.is_empty());
    if !there {
        // Under another name until it is whole: a kill in between leaves no half template.
        let half = format!("{name}_half");
        run(
            &client,
            &format!("drop database if exists {half} with (force)"),
        )
        .await;
        run(&client, &format!("create database {half}")).await;
        let (admin, login) = (with_database(server, &half), login_url(server, &half));
        if let Err(error) = migrate::run(&admin, &login).await {
            panic!("the template cannot be migrated: {error:?}");
        }
        run(&client, &format!("alter database {half} rename to {name}")).await;
    }
    run(&client, &format!("select pg_advisory_unlock({LOCK})")).await;
    name
}
