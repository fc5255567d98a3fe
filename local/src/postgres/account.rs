//! The user who runs the server, and its programs run as that user.
//!
//! Postgres refuses to run as root. A root caller therefore hands every program to an unprivileged user, by
//! setting the user of the child process: the same on Linux and macOS, and without `runuser`, `su` or PAM.

use std::{
    fs, io,
    os::unix::{
        fs::{MetadataExt, PermissionsExt, chown},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use common::error::Result;

use super::failed;

/// Users that a root caller may hand the server to, the fittest first.
const CANDIDATES: [&str; 3] = ["postgres", "_postgres", "nobody"];

/// Who runs the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Account {
    /// The user who calls, who is not root.
    Caller,
    /// Another user, because the caller is root.
    Other {
        /// Number of the user.
        uid: u32,
        /// Number of the user's group.
        gid: u32,
    },
}

impl Account {
    /// The account for a server whose files lie, or will lie, in `home`: whoever owns them already goes on.
    pub(super) fn choose(home: &Path) -> Result<Self> {
        if id(&["-u"]) != Some(0) {
            return Ok(Self::Caller);
        }
        match fs::metadata(home) {
            Ok(found) if found.uid() != 0 => {
                return Ok(Self::Other {
                    uid: found.uid(),
                    gid: found.gid(),
                });
            }
            _ => {}
        }
        let known = |name| {
            Some(Self::Other {
                uid: id(&["-u", name])?,
                gid: id(&["-g", name])?,
            })
        };
        CANDIDATES.into_iter().find_map(known).ok_or_else(|| {
            failed(
                "Postgres does not run as root, and there is no user postgres or nobody to run it; create one with \
                 `useradd --system postgres`",
            )
        })
    }

    /// Gives a file or directory to the account, readable by it alone.
    pub(super) fn give(self, path: &Path, mode: u32) -> io::Result<()> {
        fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
        match self {
            Self::Caller => Ok(()),
            Self::Other { uid, gid } => chown(path, Some(uid), Some(gid)),
        }
    }

    /// Makes a directory that belongs to the account alone, or keeps the one that is there.
    pub(super) fn directory(self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)?;
        self.give(path, 0o700)
    }

    /// `program` as the account, in an environment of its own: nothing of the caller's reaches it, and what it
    /// says is English.
    pub(super) fn command(self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", "/usr/bin:/bin:/usr/sbin:/sbin")
            .env("LC_ALL", "C");
        command.current_dir("/").stdin(Stdio::null());
        if let Self::Other { uid, gid } = self {
            command.uid(uid).gid(gid);
        }
        command
    }
}

/// The number that `id` answers.
fn id(arguments: &[&str]) -> Option<u32> {
    let output = Command::new("id").args(arguments).output().ok()?;
    if !output.status.success() {
        return None;
    }
    String::from_utf8_lossy(&output.stdout).trim().parse().ok()
}

/// The programs of one Postgres, run as one account.
#[derive(Debug, Clone)]
pub(super) struct Programs {
    /// Directory of `initdb`, `pg_ctl` and the others.
    pub(super) bin: PathBuf,
    /// Who runs them.
    pub(super) account: Account,
}

impl Programs {
    /// One program, to be given its arguments.
    pub(super) fn command(&self, name: &str) -> Command {
        self.account.command(&self.bin.join(name))
    }

    /// Runs a program to its end, whatever that is.
    pub(super) fn run(&self, name: &str, arguments: impl FnOnce(&mut Command)) -> Result<Output> {
        let mut command = self.command(name);
        arguments(&mut command);
        command.output().map_err(|error| {
            failed(format!(
                "{name} of {} does not start; remove that directory and start again",
                self.bin.display()
            ))
            .because(error)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_users_are_found_and_unknown_users_are_not() {
        assert_eq!(id(&["-u", "root"]), Some(0));
        assert_eq!(id(&["-u", "no-such-user-here"]), None);
    }

    #[test]
    fn the_account_is_never_root_and_keeps_what_it_owns() {
        let home = tempfile::tempdir().unwrap();
        let account = Account::choose(&home.path().join("none")).unwrap();
        assert!(!matches!(account, Account::Other { uid: 0, .. }));
        if matches!(account, Account::Other { .. }) {
            chown(home.path(), Some(4242), Some(4243)).unwrap();
            assert_eq!(
                Account::choose(home.path()).unwrap(),
                Account::Other {
                    uid: 4242,
                    gid: 4243
                }
            );
        }
    }

    #[test]
    fn a_program_sees_nothing_of_the_callers_environment() {
        let output = Account::Caller
            .command(Path::new("/usr/bin/env"))
            .output()
            .unwrap();
        let names: Vec<String> = String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .filter_map(|line| line.split_once('=').map(|(name, _)| name.to_owned()))
            .collect();
        assert_eq!(names, ["LC_ALL", "PATH"]);
    }

    #[test]
    fn a_directory_belongs_to_the_account_alone() {
        let root = tempfile::tempdir().unwrap();
        let home = root.path().join("home");
        let account = Account::choose(&home).unwrap();
        account.directory(&home).unwrap();
        assert_eq!(Account::choose(&home).unwrap(), account);
        assert_eq!(fs::metadata(&home).unwrap().mode() & 0o777, 0o700);
    }
}
