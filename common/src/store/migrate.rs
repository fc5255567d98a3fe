//! Migrations: ordered, checksummed, each in a transaction of its own, under one advisory lock.
//!
//! They run as the owner role over `DATABASE_ADMIN_URL`. Each file states on its first line the oldest
//! generation of the application that can work with the schema after it, so that a newer schema stops
//! an older application exactly when it must.

use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use tokio_postgres::{Client, error::SqlState};

use super::{connect::Address, failure::from_postgres, params::Params, tx::sql};
use crate::error::{Error, ErrorCode, Result};

/// Generation of this application; see [`Migration::oldest_generation`].
pub const GENERATION: i32 = 1;

/// Oldest Postgres that is supported, as `server_version_num`.
const POSTGRES_MIN: i32 = 150_000;

/// Oldest pgvector that is supported.
const PGVECTOR_MIN: (u32, u32) = (0, 8);

/// "image-m" in ASCII: the advisory lock that makes migrating processes queue.
const LOCK: i64 = 0x69_6d61_6765_2d6d;

/// How often creating the roles may lose a race against other databases' migrations.
const ROLE_RACES: u32 = 20;

/// One migration file.
#[derive(Debug, Clone, Copy)]
pub struct Migration {
    /// Its number: 1, 2, 3 …
    pub version: i32,
    /// `NNNN_verb_noun`.
    pub name: &'static str,
    /// Its text.
    pub sql: &'static str,
}

macro_rules! migrations {
    ($($version:literal $name:literal)*) => {
        &[$(Migration {
            version: $version,
            name: $name,
            sql: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../migrations/", $name, ".sql")),
        },)*]
    };
}

/// All migrations in order. A released file never changes.
pub const MIGRATIONS: &[Migration] = migrations! {
    1 "0001_create_people"
    2 "0002_create_assets"
    3 "0003_create_embeddings"
    4 "0004_create_records"
    5 "0005_create_policies"
    6 "0006_organise_and_delete"
    7 "0007_quicken_lists_and_search"
};

impl Migration {
    /// SHA-256 of the file, lowercase hex.
    #[must_use]
    pub fn checksum(&self) -> String {
        hex::encode(Sha256::digest(self.sql))
    }

    /// The oldest application generation that works after it: the number in `-- generation: N` on the
    /// first line, or 1.
    #[must_use]
    pub fn oldest_generation(&self) -> i32 {
        let first = self.sql.lines().next().unwrap_or_default();
        first
            .strip_prefix("-- generation: ")
            .and_then(|number| number.trim().parse().ok())
            .unwrap_or(1)
    }
}

/// What a run did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Migrated {
    /// Names of the migrations that were applied now.
    pub applied: Vec<&'static str>,
    /// Version of the schema afterwards.
    pub version: i32,
}

/// Brings the schema up to date.
///
/// `admin` is the owner role's URL; `login` is the URL of the application's login role, which becomes a
/// member of the two roles that transactions run as. They may be the same.
///
/// # Errors
/// `invalid_argument` with a remedy in the message when Postgres or pgvector is too old or missing, when
/// an applied file was changed, or when roles or pgvector are missing and may not be created: then nothing
/// was changed, and the message holds the SQL for an administrator.
pub async fn run(admin: &SecretString, login: &SecretString) -> Result<Migrated> {
    let client = Address::parse(admin)?
        .connect()
        .await
        .map_err(from_postgres)?;
    let login = Address::parse(login)?;
    let Some(login) = login.user() else {
        return Err(refused("DATABASE_URL must name a user"));
    };
    check_server(&client).await?;
    execute(&client, &format!("select pg_advisory_lock({LOCK})")).await?;
    let result = migrate(&client, login).await;
    // The lock ends with the session too; an error here would only hide the real one.
    execute(&client, &format!("select pg_advisory_unlock({LOCK})"))
        .await
        .ok();
    result
}

/// Makes a login role that inherits nothing, or gives an old one this password, and returns its URL.
///
/// For a server of our own; elsewhere an administrator makes the role.
///
/// # Errors
/// `database_unavailable`, or `internal` when the migrating role may not.
#[expect(
    clippy::disallowed_methods,
    reason = "roles belong to the server, not to a transaction of ours"
)]
pub async fn ensure_login(
    admin: &SecretString,
    role: &str,
    password: &SecretString,
) -> Result<SecretString> {
    let client = Address::parse(admin)?
        .connect()
        .await
        .map_err(from_postgres)?;
    let password = password.expose_secret();
    let params = Params::default().text(role).text(password);
    let rows = client
        .query_typed(sql!("system/login_role").sql, &params.bound())
        .await
        .map_err(from_postgres)?;
    for row in &rows {
        execute(&client, row.get(0)).await?;
    }
    let mut url = url::Url::parse(admin.expose_secret())
        .map_err(|_| refused("the admin URL is not valid"))?;
    let named = url
        .set_username(role)
        .and_then(|()| url.set_password(Some(password)));
    named.map_err(|()| refused("the admin URL takes no user name"))?;
    Ok(url.to_string().into())
}

async fn migrate(client: &Client, login: &str) -> Result<Migrated> {
    prepare(client, login).await?;
    execute(client, sql!("system/create_schema_table").sql).await?;
    let known = applied(client).await?;
    let newest = known.last().map_or(0, |row| row.0);
    for (version, name, checksum) in &known {
        let Some(migration) = MIGRATIONS
            .iter()
            .find(|migration| migration.version == *version)
        else {
            continue; // applied by a newer application; check_schema judges whether that is fine
        };
        if migration.checksum() != *checksum {
            return Err(refused(format!(
                "migration {name} was changed after it had been applied"
            )));
        }
    }
    let mut done = Vec::new();
    for migration in MIGRATIONS
        .iter()
        .filter(|migration| migration.version > newest)
    {
        apply(client, migration).await?;
        done.push(migration.name);
    }
    let version = MIGRATIONS
        .last()
        .map_or(0, |migration| migration.version)
        .max(newest);
    Ok(Migrated {
        applied: done,
        version,
    })
}

async fn apply(client: &Client, migration: &Migration) -> Result<()> {
    // One simple query: the server runs all of it in the one transaction that it names.
    let text = format!(
        "begin;\n{}\n;insert into mem_schema (version, name, checksum, oldest_generation) values ({}, '{}', '{}', {});\ncommit;",
        migration.sql,
        migration.version,
        migration.name,
        migration.checksum(),
        migration.oldest_generation()
    );
    let result = execute(client, &text).await;
    if result.is_err() {
        execute(client, "rollback").await.ok();
    }
    result
}

/// Refuses a database that this application cannot work with.
#[expect(clippy::disallowed_methods, reason = "runs before any transaction can")]
pub(crate) async fn check_schema(client: &Client) -> Result<()> {
    check_server(client).await?;
    let statement = sql!("system/schema_version");
    let row = client.query_typed(statement.sql, &[]).await;
    let row = match row {
        Ok(rows) => rows.into_iter().next(),
        Err(error) if error.code() == Some(&SqlState::UNDEFINED_TABLE) => None,
        Err(error) => return Err(from_postgres(error)),
    };
    let wanted = MIGRATIONS.last().map_or(0, |migration| migration.version);
    let (version, oldest): (i32, i32) = row.map_or((0, 0), |row| (row.get(0), row.get(1)));
    if version < wanted {
        return Err(refused(format!(
            "the database has schema {version} and this application needs {wanted}; run `image-memory migrate`"
        )));
    }
    if oldest > GENERATION {
        return Err(refused(format!(
            "the database has schema {version}, which needs a newer application; deploy that one"
        )));
    }
    Ok(())
}

/// Refuses a Postgres or a pgvector that is too old or not there.
#[expect(clippy::disallowed_methods, reason = "runs before any transaction can")]
async fn check_server(client: &Client) -> Result<()> {
    let rows = client
        .query_typed(sql!("system/server_version").sql, &[])
        .await
        .map_err(from_postgres)?;
    let Some(row) = rows.first() else {
        return Err(Error::internal("the server told no version"));
    };
    let (number, text, vector): (i32, String, Option<String>) =
        (row.get(0), row.get(1), row.get(2));
    if number < POSTGRES_MIN {
        return Err(refused(format!(
            "Postgres 15 or later is needed and this is {text}; upgrade the server"
        )));
    }
    let Some(vector) = vector else {
        return Err(refused(
            "this Postgres has no pgvector; install pgvector 0.8 or later, or unset DATABASE_URL to use the embedded server",
        ));
    };
    let mut parts = vector.split('.').map(|part| part.parse().unwrap_or(0));
    if (parts.next().unwrap_or(0), parts.next().unwrap_or(0)) < PGVECTOR_MIN {
        return Err(refused(format!(
            "pgvector 0.8 or later is needed and this is {vector}; upgrade the extension"
        )));
    }
    Ok(())
}

/// Makes sure that `im_app` and `im_system` exist, that the login role is a member of both, and that
/// pgvector is there: all of it, or nothing is changed.
#[expect(clippy::disallowed_methods, reason = "runs before any transaction can")]
async fn prepare(client: &Client, login: &str) -> Result<()> {
    let mut races = 0;
    loop {
        let script = prerequisites(client, login).await?.join("\n");
        if script.is_empty() {
            return Ok(());
        }
        // One message is one transaction.
        let Err(error) = client.batch_execute(&script).await else {
            return Ok(());
        };
        match error.code() {
            // Roles belong to the cluster: another database's migration may have been quicker.
            _ if is_role_race(&error) && races < ROLE_RACES => races += 1,
            // Only trying tells: a role may create others and yet not grant those that somebody else made,
            // and managed servers let roles create extensions that are no superusers.
            Some(&SqlState::INSUFFICIENT_PRIVILEGE) => {
                let message = "the migrating role may not prepare this database; let an administrator run this in it and repeat:";
                return Err(refused(format!("{message}\n{script}")));
            }
            Some(&SqlState::UNDEFINED_OBJECT) => {
                return Err(refused(format!(
                    "DATABASE_URL names the role {login}, which does not exist; create it and repeat"
                )));
            }
            _ => return Err(from_postgres(error)),
        }
    }
}

/// The SQL that is still to be run before the first migration.
#[expect(clippy::disallowed_methods, reason = "runs before any transaction can")]
async fn prerequisites(client: &Client, login: &str) -> Result<Vec<String>> {
    let statement = sql!("system/prerequisites");
    let rows = client
        .query_typed(
            statement.sql,
            &[(&login, tokio_postgres::types::Type::TEXT)],
        )
        .await;
    Ok(rows
        .map_err(from_postgres)?
        .iter()
        .map(|row| row.get(0))
        .collect())
}

fn is_role_race(error: &tokio_postgres::Error) -> bool {
    error.as_db_error().is_some_and(|database| {
        [SqlState::DUPLICATE_OBJECT, SqlState::UNIQUE_VIOLATION].contains(database.code())
            || database.message().contains("concurrently updated")
    })
}

#[expect(
    clippy::disallowed_methods,
    reason = "migrations are scripts, not statements"
)]
async fn execute(client: &Client, sql: &str) -> Result<()> {
    client.batch_execute(sql).await.map_err(from_postgres)
}

#[expect(clippy::disallowed_methods, reason = "runs before any transaction can")]
async fn applied(client: &Client) -> Result<Vec<(i32, String, String)>> {
    let rows = client
        .query_typed(sql!("system/applied_migrations").sql, &[])
        .await
        .map_err(from_postgres)?;
    Ok(rows
        .iter()
        .map(|row| (row.get(0), row.get(1), row.get(2)))
        .collect())
}

fn refused(message: impl Into<String>) -> Error {
    Error::new(ErrorCode::InvalidArgument, message)
}
