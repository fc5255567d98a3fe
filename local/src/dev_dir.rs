//! The directory `.dev` of a checkout: everything that running without an account needs, in three rooms.
//!
//! `pg` and `models` come from packages and may be deleted at any time; `data` is the user's.

use std::path::{Path, PathBuf};

/// Where a checkout keeps what is not in version control.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DevDir {
    root: PathBuf,
    data: PathBuf,
}

impl DevDir {
    /// The directory at `root` with its data inside; nothing is created yet.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        let data = root.join("data");
        Self { root, data }
    }

    /// The same packages, with the data at `data` instead.
    #[must_use]
    pub fn with_data(mut self, data: impl Into<PathBuf>) -> Self {
        self.data = data.into();
        self
    }

    /// The directory itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Postgres with pgvector, as its wheel lays it out.
    #[must_use]
    pub fn pg(&self) -> PathBuf {
        self.root.join("pg")
    }

    /// The models of `local-conse-v1` and the library that runs them.
    #[must_use]
    pub fn models(&self) -> PathBuf {
        self.root.join("models")
    }

    /// The data of the local server.
    #[must_use]
    pub fn data(&self) -> &Path {
        &self.data
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_may_live_elsewhere_and_packages_stay() {
        let dev = DevDir::new(".dev").with_data("/srv/pictures");
        assert_eq!(dev.data(), Path::new("/srv/pictures"));
        assert_eq!(dev.pg(), Path::new(".dev/pg"));
        assert_eq!(dev.models(), Path::new(".dev/models"));
        assert_eq!(DevDir::new("x").data(), Path::new("x/data"));
    }
}
