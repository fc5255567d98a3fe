//! A copy of the workspace that goes with its value, and cargo in it.

use std::{
    collections::BTreeSet,
    env::current_exe,
    fs::{self, File},
    io::ErrorKind,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;

/// A copy of what git tracks or would, below the target folder.
pub(crate) struct Workspace {
    folder: PathBuf,
    build: PathBuf,
    /// Held while the copy is there: there is one at a time.
    _lock: File,
}

impl Workspace {
    pub(crate) fn copied() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        // target/debug/deps/scaffold-…
        let built = current_exe()
            .unwrap()
            .ancestors()
            .nth(2)
            .unwrap()
            .to_owned();
        let home = built.parent().unwrap().join("scaffold");
        fs::create_dir_all(&home).unwrap();
        let lock = File::create(home.join("lock")).unwrap();
        lock.lock().unwrap();
        let copy = Self {
            folder: home.join("copy"),
            build: home.join("build"),
            _lock: lock,
        };
        copy.remove();
        for path in tracked(root) {
            copy_file(&root.join(&path), &copy.folder.join(&path));
        }
        bring_crates(&built, &copy.build.join("debug"), &ours(root));
        copy
    }

    fn remove(&self) {
        match fs::remove_dir_all(&self.folder) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                panic!("{}: {error}", self.folder.display())
            }
            _ => {}
        }
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        self.folder.join(path).exists()
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.folder.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let file = self.folder.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap_or_else(|error| panic!("{path}: {error}"));
    }

    /// Runs those tests of `it` whose names begin so, and returns what was said.
    pub(crate) fn test(&self, names: &[&str], variables: &[(&str, &str)]) -> String {
        let mut arguments = vec!["test", "--locked", "--offline", "--package", "tests"];
        arguments.extend(["--test", "it", "--"]);
        arguments.extend(names);
        self.cargo(&arguments, variables)
    }

    /// Runs cargo, which must succeed, and returns what it said.
    pub(crate) fn cargo(&self, arguments: &[&str], variables: &[(&str, &str)]) -> String {
        let mut command = Command::new(env!("CARGO"));
        command
            .args(arguments)
            // What is built is run once.
            .env("CARGO_PROFILE_DEV_OPT_LEVEL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "false")
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", &self.build)
            .envs(variables.iter().copied());
        let output = command.output().unwrap();
        let said = [output.stderr.as_slice(), &output.stdout].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        assert!(
            output.status.success(),
            "in a copy with the tool of docs/adding-a-tool.md: cargo {}\n{said}",
            arguments.join(" ")
        );
        said
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        self.remove();
    }
}

fn output(command: &mut Command) -> Vec<u8> {
    let Output {
        status,
        stdout,
        stderr,
    } = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&stderr)
    );
    stdout
}

/// Files that git tracks, or would if they were added.
fn tracked(root: &Path) -> Vec<String> {
    let mut git = Command::new("git");
    git.args(["ls-files", "-z", "--cached", "--others"])
        .arg("--exclude-standard")
        .current_dir(root);
    let listed = String::from_utf8(output(&mut git)).unwrap();
    let paths = listed.split_terminator('\0').map(str::to_owned);
    paths.filter(|path| root.join(path).is_file()).collect()
}

/// Names of our packages and of what is built of them, as files are named.
fn ours(root: &Path) -> BTreeSet<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .args(["--locked", "--offline"])
        .current_dir(root);
    let metadata: Value = serde_json::from_slice(&output(&mut cargo)).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let targets = packages
        .iter()
        .flat_map(|package| package["targets"].as_array().unwrap());
    let named = packages.iter().chain(targets);
    named
        .map(|one| one["name"].as_str().unwrap().replace('-', "_"))
        .collect()
}

/// Whether a file or folder of a target folder, such as `libcommon-0123456789abcdef.rlib`, was built of ours.
fn is_of(name: &str, ours: &BTreeSet<String>) -> bool {
    let name = name.rsplit_once('-').map_or(name, |(name, _)| name);
    let name = name.replace('-', "_");
    let inner = name.strip_prefix("lib").unwrap_or_default();
    ours.contains(&name) || ours.contains(inner)
}

/// Takes over what was built of the crates of others and is not there yet. Cargo knows it by its name, and
/// by times that are kept.
fn bring_crates(from: &Path, to: &Path, ours: &BTreeSet<String>) {
    // The records come last: without what they are about they would be of no use. What is in `deps` is
    // written once and never changed, so that it need not be there twice.
    for part in ["deps", "build", ".fingerprint"] {
        fs::create_dir_all(to.join(part)).unwrap();
        for entry in fs::read_dir(from.join(part)).unwrap().flatten() {
            let name = entry.file_name();
            let there = to.join(part).join(&name);
            if there.exists() || is_of(&name.to_string_lossy(), ours) {
                continue;
            }
            let here = entry.path();
            if part != "deps" {
                copy_tree(&here, &there);
            } else if here.is_file() && fs::hard_link(&here, &there).is_err() {
                copy_file(&here, &there);
            }
        }
    }
}

fn copy_tree(from: &Path, to: &Path) {
    if from.is_file() {
        return copy_file(from, to);
    }
    for entry in fs::read_dir(from).unwrap().flatten() {
        copy_tree(&entry.path(), &to.join(entry.file_name()));
    }
}

/// Copies a file with its time.
fn copy_file(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::copy(from, to).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
    let modified = from.metadata().and_then(|about| about.modified()).unwrap();
    let copied = File::options().append(true).open(to);
    copied
        .and_then(|copied| copied.set_modified(modified))
        .unwrap();
}

#[test]
fn what_is_ours_is_told_from_what_is_others() {
    let ours = ["common", "image_memory", "it"].map(str::to_owned).into();
    for name in [
        "common-0123",
        "libcommon-0123.rmeta",
        "image_memory-01.d",
        "image-memory-01",
        "it-01",
    ] {
        assert!(is_of(name, &ours), "{name}");
    }
    for name in ["libc-0123", "http-common-01", "libitoa-01.rlib"] {
        assert!(!is_of(name, &ours), "{name}");
    }
}
