//! The files of one server: made by `initdb` beside their place and renamed into it, so that a killed
//! `initdb` leaves nothing that looks like data.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use common::error::Result;
use secrecy::{ExposeSecret, SecretString};

use super::{account::Programs, failed, unusable};
use crate::random;

/// Major version of the server that the wheel holds.
const MAJOR: &str = "18";
/// Our settings, read after those that `initdb` writes; rewritten at each start.
const SETTINGS: &str = "image-memory.conf";

/// What a server is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Keeps its data through crashes of the machine.
    Durable,
    /// Fast, and gone with its process.
    Throwaway,
}

/// Directory of one server.
#[derive(Debug, Clone)]
pub(super) struct Home(pub(super) PathBuf);

impl Home {
    /// Postgres's own directory.
    pub(super) fn data(&self) -> PathBuf {
        self.0.join("data")
    }

    /// What the server says.
    pub(super) fn log(&self) -> PathBuf {
        self.0.join("server.log")
    }

    /// The superuser's password, as made by [`initialize`].
    pub(super) fn password(&self) -> Result<SecretString> {
        let path = self.data().join("superuser-password");
        let text = fs::read_to_string(&path).map_err(|error| unusable(&path, error))?;
        Ok(SecretString::from(text.trim().to_owned()))
    }
}

/// Makes the server's files, unless they are there.
pub(super) fn initialize(programs: &Programs, home: &Home, mode: Mode) -> Result<()> {
    let data = home.data();
    if let Ok(version) = fs::read_to_string(data.join("PG_VERSION")) {
        return if version.trim() == MAJOR {
            Ok(())
        } else {
            Err(other_version(&data, version.trim()))
        };
    }
    let unfinished = home.0.join("unfinished");
    let secret = home.0.join("unfinished-password");
    let clear = || -> io::Result<()> {
        for step in [fs::remove_dir_all(&unfinished), fs::remove_file(&secret)] {
            match step {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    };
    clear()
        .and_then(|()| write_secret(programs, &secret))
        .map_err(|error| unusable(&home.0, error))?;
    run_initdb(programs, &unfinished, &secret, mode)?;
    let finish = || -> io::Result<()> {
        fs::rename(&secret, unfinished.join("superuser-password"))?;
        let mut settings = OpenOptions::new()
            .append(true)
            .open(unfinished.join("postgresql.conf"))?;
        writeln!(settings, "include_if_exists = '{SETTINGS}'")?;
        settings.sync_all()?;
        fs::rename(&unfinished, &data)
    };
    finish().map_err(|error| unusable(&data, error))
}

/// A random password in a file that the account alone can read.
fn write_secret(programs: &Programs, path: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .create_new(true)
        .write(true)
        .mode(0o600)
        .open(path)?;
    file.write_all(
        SecretString::from(random::name())
            .expose_secret()
            .as_bytes(),
    )?;
    programs.account.give(path, 0o600)
}

fn run_initdb(programs: &Programs, into: &Path, secret: &Path, mode: Mode) -> Result<()> {
    let output = programs.run("initdb", |initdb| {
        initdb
            .arg("-D")
            .arg(into)
            .arg("--pwfile")
            .arg(secret)
            .args(["-U", "postgres", "--no-instructions"]);
        initdb.args([
            "--auth-host=scram-sha-256",
            "--auth-local=reject",
            "--encoding=UTF8",
        ]);
        initdb.args([
            "--locale=C",
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8",
        ]);
        if mode == Mode::Throwaway {
            initdb.args(["--no-sync", "--no-data-checksums"]);
        }
    })?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let sentence = if said.contains("No space left on device") {
        format!(
            "the disk is full; Postgres needs 100 MB to begin with under {}",
            into.display()
        )
    } else {
        let reason = said
            .lines()
            .find(|line| line.contains("error:"))
            .unwrap_or("no reason given");
        format!(
            "Postgres could not make its files under {}: {}",
            into.display(),
            reason.trim()
        )
    };
    Err(failed(sentence).because(said))
}

fn other_version(data: &Path, version: &str) -> common::error::Error {
    failed(format!(
        "{} was written by Postgres {version}, and this is Postgres {MAJOR}; move it away, or dump it with the former",
        data.display()
    ))
}

/// Writes the settings of a server that listens on `port`.
pub(super) fn configure(programs: &Programs, home: &Home, mode: Mode, port: u16) -> Result<()> {
    let path = home.data().join(SETTINGS);
    let written =
        fs::write(&path, settings(mode, port)).and_then(|()| programs.account.give(&path, 0o600));
    written.map_err(|error| unusable(&path, error))
}

/// The settings themselves: loopback alone, no socket, UTC, and durability by mode.
fn settings(mode: Mode, port: u16) -> String {
    let common = format!(
        "listen_addresses = '127.0.0.1'\n\
         port = {port}\n\
         unix_socket_directories = ''\n\
         timezone = 'UTC'\n\
         log_timezone = 'UTC'\n\
         log_checkpoints = off\n\
         wal_level = minimal\n\
         max_wal_senders = 0\n"
    );
    let own = match mode {
        Mode::Durable => "fsync = on\nsynchronous_commit = on\nfull_page_writes = on\n",
        // Several test programs' pools, and nothing worth keeping.
        Mode::Throwaway => {
            "fsync = off\nsynchronous_commit = off\nfull_page_writes = off\nmax_connections = 300\n"
        }
    };
    common + own
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::postgres::account::Account;

    #[test]
    fn only_throwaway_servers_trade_safety_for_speed() {
        let durable = settings(Mode::Durable, 5432);
        let throwaway = settings(Mode::Throwaway, 5433);
        for setting in ["fsync", "synchronous_commit", "full_page_writes"] {
            assert!(durable.contains(&format!("{setting} = on\n")));
            assert!(throwaway.contains(&format!("{setting} = off\n")));
        }
        for (settings, port) in [(durable, "port = 5432\n"), (throwaway, "port = 5433\n")] {
            assert!(settings.contains(port));
            assert!(settings.contains("listen_addresses = '127.0.0.1'\n"));
        }
    }

    #[test]
    fn data_of_another_version_is_left_alone() {
        let root = tempfile::tempdir().unwrap();
        let home = Home(root.path().to_owned());
        fs::create_dir(home.data()).unwrap();
        fs::write(home.data().join("PG_VERSION"), "17\n").unwrap();
        let programs = Programs {
            bin: root.path().join("bin"),
            account: Account::Caller,
        };
        let error = initialize(&programs, &home, Mode::Durable).unwrap_err();
        assert!(
            error.message().contains("was written by Postgres 17"),
            "{}",
            error.message()
        );
        assert!(home.data().join("PG_VERSION").exists());
    }
}
