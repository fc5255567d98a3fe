//! Servers for tests: one for each handle, gone with it however its process ends.
//!
//! Beside each runs a small shell whose input is a pipe from the process that uses the server. The pipe ends
//! when that process lets go, returns, panics or is killed; then the shell stops the server and removes its
//! files. A static that is never dropped therefore leaves nothing behind either.

use std::{
    fs,
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Stdio},
};

use common::error::Result;

use super::{
    EmbeddedPostgres, Hold, PortChoice,
    account::Programs,
    cluster::{self, Home, Mode},
    failed,
    place::{self, Place, open_lock, turn},
    server, unusable,
};
use crate::{dev_dir::DevDir, random};

/// Name of a lock file, before the server's name.
const LOCK: &str = "throwaway-";

/// Waits for the end of its input, then stops the server of home `$2` with the programs in `$1`.
const REMOVE: &str = r#"cat >/dev/null; "$1/pg_ctl" stop --silent --wait --mode immediate -D "$2/data"; rm -rf "$2""#;

/// Starts an empty server.
pub(super) fn start(dev: &DevDir) -> Result<EmbeddedPostgres> {
    let control = place::control(dev)?;
    let (programs, home, hold) = reserve(dev, &control)?;
    let begin = || {
        cluster::initialize(&programs, &home, Mode::Throwaway)?;
        let port = server::ensure(&programs, &home, Mode::Throwaway, PortChoice::Free)?;
        Ok((port, home.password()?))
    };
    match begin() {
        Ok((port, password)) => Ok(EmbeddedPostgres {
            port,
            password,
            hold: Some(hold),
        }),
        Err(error) => hold.release().and(Err(error)),
    }
}

/// A home of its own with its remover, which is there before the server is.
fn reserve(dev: &DevDir, control: &Path) -> Result<(Programs, Home, Hold)> {
    let _turn = turn(control)?;
    let place = Place::find(dev, control)?;
    let account = place.programs.account;
    let homes = place.homes.join("throwaway");
    account
        .directory(&homes)
        .map_err(|error| unusable(&homes, error))?;
    remove_abandoned(&place, &homes);

    let name = random::name();
    let home = Home(homes.join(&name));
    let path = control.join(format!("{LOCK}{name}"));
    let lock = open_lock(&path)?;
    lock.lock().map_err(|error| unusable(&path, error))?;
    account
        .directory(&home.0)
        .map_err(|error| unusable(&home.0, error))?;
    let remover = spawn_remover(&place.programs, &home)?;
    Ok((
        place.programs,
        home,
        Hold::Sole {
            remover,
            lock,
            path,
        },
    ))
}

fn spawn_remover(programs: &Programs, home: &Home) -> Result<Child> {
    let mut shell = programs.account.command(Path::new("/bin/sh"));
    shell
        .args(["-c", REMOVE, "sh"])
        .arg(&programs.bin)
        .arg(&home.0);
    // A group of its own: an interrupt from the terminal must not end it before its work.
    shell
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0);
    shell
        .spawn()
        .map_err(|error| failed("/bin/sh does not start").because(error))
}

/// Removes servers whose process and remover were both killed: those whose lock nobody holds.
fn remove_abandoned(place: &Place, homes: &Path) {
    for entry in fs::read_dir(&place.control).into_iter().flatten().flatten() {
        let path = entry.path();
        let file_name = entry.file_name();
        let Some(name) = file_name
            .to_str()
            .and_then(|file_name| file_name.strip_prefix(LOCK))
        else {
            continue;
        };
        let Ok(lock) = open_lock(&path) else { continue };
        if lock.try_lock().is_err() {
            continue;
        }
        let home = Home(homes.join(name));
        let removed = server::stop(&place.programs, &home, "immediate").and_then(|()| {
            if home.0.exists() {
                fs::remove_dir_all(&home.0).map_err(|error| unusable(&home.0, error))?;
            }
            fs::remove_file(&path).map_err(|error| unusable(&path, error))
        });
        if let Err(error) = removed {
            tracing::warn!(%error, "could not remove an abandoned throwaway Postgres");
        }
    }
}
