//! Small secret files: made once, for their owner alone, and whole or not there.

use std::{
    fs::{self, File, OpenOptions},
    io::Write,
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use common::error::{Error, ErrorCode, Result};
use secrecy::{ExposeSecret, SecretString};

/// Reads a secret file, if it is there.
///
/// # Errors
/// `internal` when it is there and cannot be read.
pub(crate) fn read_secret(path: &Path) -> Result<Option<SecretString>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text.trim().to_owned().into())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unusable(path, error)),
    }
}

/// Writes a secret file with mode 0600, over an old one.
///
/// # Errors
/// `internal` when the place cannot be written.
pub(crate) fn write_secret(path: &Path, secret: &SecretString) -> Result<()> {
    let half = path.with_extension("half");
    fs::remove_file(&half).ok();
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&half)
        .and_then(|mut file| {
            file.write_all(secret.expose_secret().as_bytes())?;
            file.sync_all()?;
            fs::rename(&half, path)
        });
    written.map_err(|error| unusable(path, error))
}

/// Waits until no other process makes the file at `path`; it is this one's turn while the value lives. What
/// takes a turn must not take it again.
///
/// # Errors
/// `internal` when the place cannot be written.
pub(crate) fn turn(path: &Path) -> Result<File> {
    let lock = path.with_extension("lock");
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(&lock);
    file.and_then(|file| file.lock().map(|()| file))
        .map_err(|error| unusable(&lock, error))
}

/// Reads a secret file, or makes it; of processes that do so at the same time one makes it for all.
///
/// # Errors
/// `internal` when it can be neither read nor written.
pub(crate) fn read_or_create_secret(
    path: &Path,
    make: impl FnOnce() -> String,
) -> Result<SecretString> {
    if let Some(secret) = read_secret(path)? {
        return Ok(secret);
    }
    let _turn = turn(path)?;
    if let Some(secret) = read_secret(path)? {
        return Ok(secret);
    }
    let secret = SecretString::from(make());
    write_secret(path, &secret)?;
    Ok(secret)
}

fn unusable(path: &Path, error: std::io::Error) -> Error {
    let message = format!(
        "{} cannot be used; see to its owner and to free space",
        path.display()
    );
    Error::new(ErrorCode::Internal, message).because(error)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_secret_is_made_once_for_its_owner_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("secret");
        let first = read_or_create_secret(&path, crate::random::name).unwrap();
        let second = read_or_create_secret(&path, crate::random::name).unwrap();
        assert_eq!(first.expose_secret(), second.expose_secret());
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
    }

    #[test]
    fn of_many_at_once_one_makes_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("secret");
        let made: std::collections::BTreeSet<String> = std::thread::scope(|scope| {
            let read = || read_or_create_secret(&path, crate::random::name).unwrap();
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(read)).collect();
            let secrets = threads.into_iter().map(|thread| thread.join().unwrap());
            secrets
                .map(|secret| secret.expose_secret().to_owned())
                .collect()
        });
        assert_eq!(made.len(), 1);
    }
}
