//! Whole or not at all: a directory is filled beside its place and renamed into it with a stamp inside.
//!
//! The stamp repeats word for word what the directory was made from, so that a newer program sees by
//! itself that an older one's directory must be made anew. A kill at any moment leaves the old directory,
//! the new one, or none.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::random;

/// Name of the stamp within a finished directory.
const STAMP: &str = "stamp";

/// Whether `dir` was finished and made from exactly what `stamp` says.
pub(crate) fn is_complete(dir: &Path, stamp: &str) -> bool {
    fs::read(dir.join(STAMP)).is_ok_and(|found| found == stamp.as_bytes())
}

/// The stamp of `dir`, or `None` when it was never finished.
pub(crate) fn stamp_of(dir: &Path) -> Option<Vec<u8>> {
    fs::read(dir.join(STAMP)).ok()
}

/// A directory being filled. Dropped before [`Staging::publish`], it is removed.
#[derive(Debug)]
pub(crate) struct Staging {
    path: PathBuf,
}

impl Staging {
    /// An empty directory beside `destination`; those that killed processes left there are removed. Its name
    /// is new, because what such a process had begun may still be writing into the old one. The caller
    /// holds the lock that makes it the only one.
    pub(crate) fn beside(destination: &Path) -> io::Result<Self> {
        let name = destination.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let parent = destination.parent().ok_or(io::ErrorKind::InvalidInput)?;
        let prefix = format!(".{}.new-", name.to_string_lossy());
        fs::create_dir_all(parent)?;
        for entry in fs::read_dir(parent)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with(&prefix) {
                remove(&entry.path())?;
            }
        }
        let path = parent.join(prefix + &random::name());
        fs::create_dir(&path)?;
        Ok(Self { path })
    }

    /// Where to put things.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Stamps `finished`, which lies within the staging directory or is it, and puts it at `destination`
    /// in place of what is there.
    pub(crate) fn publish(
        self,
        finished: &Path,
        destination: &Path,
        stamp: &str,
    ) -> io::Result<()> {
        fs::write(finished.join(STAMP), stamp)?;
        remove(destination)?;
        fs::rename(finished, destination)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        if let Err(error) = remove(&self.path) {
            tracing::warn!(path = %self.path.display(), %error, "could not remove a temporary directory");
        }
    }
}

/// Removes a directory with all it holds; the stamp goes first, so that a kill in between leaves nothing
/// that looks finished.
fn remove(dir: &Path) -> io::Result<()> {
    for step in [fs::remove_file(dir.join(STAMP)), fs::remove_dir_all(dir)] {
        match step {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_published_directory_is_complete_for_its_own_stamp_only() {
        let root = tempfile::tempdir().unwrap();
        let destination = root.path().join("models");
        let staging = Staging::beside(&destination).unwrap();
        let finished = staging.path().join("out");
        fs::create_dir(&finished).unwrap();
        fs::write(finished.join("weights"), "1").unwrap();
        assert!(!is_complete(&destination, "v1"));
        staging.publish(&finished, &destination, "v1").unwrap();

        assert!(is_complete(&destination, "v1"));
        assert!(!is_complete(&destination, "v2"));
        assert_eq!(
            fs::read_to_string(destination.join("weights")).unwrap(),
            "1"
        );
        assert_eq!(
            fs::read_dir(root.path()).unwrap().count(),
            1,
            "the staging directory is gone"
        );
    }

    #[test]
    fn publishing_replaces_an_older_directory() {
        let root = tempfile::tempdir().unwrap();
        let destination = root.path().join("pg");
        for (stamp, file) in [("v1", "old"), ("v2", "new")] {
            let staging = Staging::beside(&destination).unwrap();
            let path = staging.path().to_owned();
            fs::write(path.join(file), "").unwrap();
            staging.publish(&path, &destination, stamp).unwrap();
        }
        assert!(is_complete(&destination, "v2"));
        assert!(!destination.join("old").exists());
    }

    #[test]
    fn what_a_killed_process_left_is_neither_used_nor_kept() {
        let root = tempfile::tempdir().unwrap();
        let destination = root.path().join("pg");
        let left = Staging::beside(&destination).unwrap();
        let left_path = left.path().to_owned();
        fs::write(left_path.join("half"), "").unwrap();
        std::mem::forget(left);
        assert!(!is_complete(&destination, "v1"));

        let again = Staging::beside(&destination).unwrap();
        assert!(!left_path.exists());
        assert_eq!(fs::read_dir(again.path()).unwrap().count(), 0);
    }

    #[test]
    fn an_abandoned_staging_directory_is_removed() {
        let root = tempfile::tempdir().unwrap();
        drop(Staging::beside(&root.path().join("pg")).unwrap());
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
    }
}
