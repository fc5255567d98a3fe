//! Lists a tree of files in the order of their keys.

use std::{fs, io, path::Path};

use time::OffsetDateTime;

use super::files::HEADER_BYTES;
use crate::{domain::keys::ObjectKey, ports::ListedObject};

/// Up to `limit` objects under `prefix` whose keys come after `after`.
pub(super) fn list(
    root: &Path,
    prefix: &str,
    after: Option<&str>,
    limit: usize,
) -> io::Result<Vec<ListedObject>> {
    let mut walk = Walk {
        prefix,
        after,
        limit,
        found: Vec::new(),
    };
    walk.directory(root, "")?;
    Ok(walk.found)
}

struct Walk<'a> {
    prefix: &'a str,
    after: Option<&'a str>,
    limit: usize,
    found: Vec<ListedObject>,
}

impl Walk<'_> {
    /// Walks one directory, whose keys all begin with `head`.
    fn directory(&mut self, path: &Path, head: &str) -> io::Result<()> {
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            // Pruned since its parent was read.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry?;
            // A name that is not UTF-8 is none of ours.
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            // The slash takes part in the order of keys: `a-b` comes before `a/b`.
            names.push(if entry.file_type()?.is_dir() {
                name + "/"
            } else {
                name
            });
        }
        names.sort_unstable();
        for name in names {
            if self.found.len() >= self.limit {
                return Ok(());
            }
            let key = format!("{head}{name}");
            if key.ends_with('/') {
                if self.may_hold(&key) {
                    self.directory(&path.join(&name), &key)?;
                }
            } else if self.wants(&key) {
                self.file(&path.join(&name), key)?;
            }
        }
        Ok(())
    }

    /// Whether a wanted key may begin with `head`.
    fn may_hold(&self, head: &str) -> bool {
        let within = head.starts_with(self.prefix) || self.prefix.starts_with(head);
        within
            && self
                .after
                .is_none_or(|after| head > after || after.starts_with(head))
    }

    fn wants(&self, key: &str) -> bool {
        key.starts_with(self.prefix)
            && self.after.is_none_or(|after| key > after)
            && ObjectKey::parse(key).is_some()
    }

    fn file(&mut self, path: &Path, key: String) -> io::Result<()> {
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        self.found.push(ListedObject {
            key,
            bytes: metadata.len().saturating_sub(HEADER_BYTES as u64),
            modified_at: OffsetDateTime::from(metadata.modified()?),
        });
        Ok(())
    }
}
