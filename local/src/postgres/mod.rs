//! Postgres with pgvector for one machine, run out of the wheel in `.dev/pg`: on loopback alone, behind a
//! random password, as an unprivileged user.
//!
//! A durable server belongs to its data directory, not to a process: whoever starts it while it runs uses the
//! same one, and the last to leave stops it. Users are counted by file locks, which the kernel takes back from
//! a killed process, so a server that outlives all of them is found and used by the next start. A throwaway
//! server belongs to one handle and is gone with it, however its process ends.

mod account;
mod cluster;
mod place;
mod server;
mod throwaway;

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
    process::Child,
};

use common::error::{Error, ErrorCode, Result};
use secrecy::{ExposeSecret, SecretString};

use self::{
    cluster::{Home, Mode},
    place::{Place, open_lock, turn},
};
use crate::dev_dir::DevDir;

/// Where the server listens on 127.0.0.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PortChoice {
    /// On any free port, or wherever it listens already.
    Free,
    /// On this port or not at all.
    Given(u16),
}

/// A running server. Prefer [`EmbeddedPostgres::stop`] to dropping, which blocks its thread meanwhile.
#[derive(Debug)]
pub struct EmbeddedPostgres {
    port: u16,
    password: SecretString,
    hold: Option<Hold>,
}

/// What keeps a server running for its user.
#[derive(Debug)]
enum Hold {
    /// A share in a durable server.
    Shared {
        place: Place,
        home: Home,
        users: File,
    },
    /// The one hold on a throwaway server: a process that removes it when its input ends, which happens when
    /// this process lets go or dies.
    Sole {
        remover: Child,
        lock: File,
        path: PathBuf,
    },
}

impl EmbeddedPostgres {
    /// Uses the durable server of `dev.data()`, starting it if it does not run. Its packages must be there; see
    /// [`crate::bring::postgres`].
    ///
    /// # Errors
    /// `database_unavailable`, with one sentence that says the remedy.
    pub async fn start(dev: &DevDir, port: PortChoice) -> Result<Self> {
        let dev = dev.clone();
        blocking(move || start_durable(&dev, port)).await
    }

    /// Starts an empty server for tests: fast, unsafe against crashes of the machine, and gone with the handle or
    /// with the process, killed or not.
    ///
    /// # Errors
    /// `database_unavailable`, with one sentence that says the remedy.
    pub async fn start_throwaway(dev: &DevDir) -> Result<Self> {
        let dev = dev.clone();
        blocking(move || throwaway::start(&dev)).await
    }

    /// The port on 127.0.0.1.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The superuser's URL of the database `postgres`; it holds the password, so it is not to be logged.
    #[must_use]
    pub fn admin_url(&self) -> String {
        let password = self.password.expose_secret();
        format!(
            "postgres://postgres:{password}@127.0.0.1:{}/postgres",
            self.port
        )
    }

    /// Lets go of the server; stops it if nobody else uses it.
    ///
    /// # Errors
    /// `database_unavailable` when it does not stop.
    pub async fn stop(mut self) -> Result<()> {
        match self.hold.take() {
            Some(hold) => blocking(move || hold.release()).await,
            None => Ok(()),
        }
    }
}

impl Drop for EmbeddedPostgres {
    fn drop(&mut self) {
        if let Some(Err(error)) = self.hold.take().map(Hold::release) {
            tracing::warn!(%error, "could not stop Postgres");
        }
    }
}

impl Hold {
    fn release(self) -> Result<()> {
        match self {
            Self::Shared { place, home, users } => {
                let _turn = turn(&place.control)?;
                users
                    .unlock()
                    .map_err(|error| unusable(&place.control, error))?;
                match users.try_lock() {
                    Ok(()) => server::stop(&place.programs, &home, "fast"),
                    Err(TryLockError::WouldBlock) => Ok(()),
                    Err(TryLockError::Error(error)) => Err(unusable(&place.control, error)),
                }
            }
            Self::Sole {
                mut remover,
                lock,
                path,
            } => {
                drop(remover.stdin.take());
                remover
                    .wait()
                    .map_err(|error| failed("a throwaway Postgres does not stop").because(error))?;
                let removed = fs::remove_file(&path);
                drop(lock);
                removed.map_err(|error| unusable(&path, error))
            }
        }
    }
}

fn start_durable(dev: &DevDir, port: PortChoice) -> Result<EmbeddedPostgres> {
    let control = place::control(dev)?;
    let _turn = turn(&control)?;
    let place = Place::find(dev, &control)?;
    let home = Home(place.homes.join("dev"));
    place
        .programs
        .account
        .directory(&home.0)
        .map_err(|error| unusable(&home.0, error))?;
    let users = open_lock(&control.join("dev.users"))?;
    users
        .lock_shared()
        .map_err(|error| unusable(&control, error))?;
    cluster::initialize(&place.programs, &home, Mode::Durable)?;
    let port = server::ensure(&place.programs, &home, Mode::Durable, port)?;
    let password = home.password()?;
    Ok(EmbeddedPostgres {
        port,
        password,
        hold: Some(Hold::Shared { place, home, users }),
    })
}

/// Runs `work` where it may block; a panic in it is an internal error.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(Error::internal)?
}

/// An error of running Postgres; the sentence says the remedy.
fn failed(sentence: impl Into<String>) -> Error {
    Error::new(ErrorCode::DatabaseUnavailable, sentence)
}

/// What a failed read or write of `path` means for a person.
fn unusable(path: &Path, error: io::Error) -> Error {
    let place = path.display();
    let sentence = match error.kind() {
        io::ErrorKind::StorageFull => {
            format!("the disk is full; free some space for Postgres under {place}")
        }
        io::ErrorKind::PermissionDenied => {
            format!(
                "{place} belongs to another user; run as that user, or make it yours with `chown -R`"
            )
        }
        _ => format!(
            "Postgres cannot use {place}; check that it is on a local disk, or move it away"
        ),
    };
    failed(sentence).because(error)
}
