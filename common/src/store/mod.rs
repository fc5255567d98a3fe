//! Postgres: the truth about ownership, quota, jobs and provenance.
//!
//! Tenant statements take a [`Tx`] bound to one owner and an access value from [`access`]; the few that
//! know no owner yet live in [`system`]. SQL is one statement a file under `sql/`, one Rust function each.

pub mod access;
pub mod access_log;
pub mod accounts;
pub mod assets;
mod connect;
mod failure;
pub mod filters;
pub mod folders;
pub mod idempotency;
pub mod jobs;
pub mod migrate;
pub mod objects;
mod params;
pub mod placements;
pub mod projects;
mod provenance;
pub mod quota;
pub mod search;
pub mod system;
mod tx;
pub mod usage;

use std::sync::Arc;

use secrecy::SecretString;
pub use tx::{Statement, Tx};

use self::connect::{Address, Connections, Pool, Pooled};
use crate::error::{Error, ErrorCode, Result};

/// The database, as the handlers hold it. Cloning shares the pool; creating it connects nowhere.
#[derive(Clone)]
pub struct Store {
    pool: Pool,
    checked: Arc<tokio::sync::OnceCell<()>>,
}

impl Store {
    /// A store over at most `connections` connections to the login role's URL.
    ///
    /// # Errors
    /// `invalid_argument` when the URL cannot be read.
    pub fn new(url: &SecretString, connections: usize) -> Result<Self> {
        let manager = Connections(Address::parse(url)?);
        let pool = Pool::builder(manager)
            .max_size(connections)
            .build()
            .map_err(Error::internal)?;
        Ok(Self {
            pool,
            checked: Arc::default(),
        })
    }

    /// A connection whose schema has been found fit, once per process.
    async fn connection(&self) -> Result<Pooled> {
        let connection = self.pool.get().await.map_err(|error| match error {
            deadpool::managed::PoolError::Backend(cause) => failure::from_postgres(cause),
            other => {
                Error::new(ErrorCode::DatabaseUnavailable, "no database connection").because(other)
            }
        })?;
        self.checked
            .get_or_try_init(|| migrate::check_schema(&connection))
            .await?;
        Ok(connection)
    }
}
