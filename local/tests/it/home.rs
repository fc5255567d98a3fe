//! A data directory of its own, and the binary over it.

use std::{
    io::{BufRead, BufReader, Lines},
    net::SocketAddr,
    path::PathBuf,
    process::{Child, ChildStdout, Command, Output, Stdio},
};

use local::bring;
use tempfile::TempDir;

use crate::{checkout, dev};

/// A data directory of one test.
pub(crate) struct Home(TempDir);

impl Home {
    pub(crate) async fn new() -> Self {
        bring::all(&dev(), &|line| println!("{line}"))
            .await
            .unwrap();
        Self(TempDir::new_in(dev().root()).unwrap())
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_image-memory"));
        command
            .current_dir(checkout())
            .env_remove("DATABASE_URL")
            .env_remove("DATABASE_ADMIN_URL");
        command.arg("--data-dir").arg(self.0.path()).args(arguments);
        command
    }

    /// Path of a file in the data directory.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Makes an identity, and gives its id.
    pub(crate) fn identity(&self, name: &str, shown: &str) -> String {
        let made = self.run(&["identity", "create", name, "--display-name", shown]);
        out(&made).trim().to_owned()
    }

    /// What is on record for an owner, the newest first.
    pub(crate) fn operations(&self, owner: &str) -> Vec<String> {
        let audited = out(&self.run(&["audit", owner]));
        let lines = audited.lines();
        let lines = lines.map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        lines
            .map(|line| line["operation"].as_str().unwrap().to_owned())
            .collect()
    }
}

/// What a command that must have succeeded said.
pub(crate) fn out(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{text}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    text
}

/// What a command that must have failed said.
pub(crate) fn refusal(output: &Output) -> String {
    assert!(
        !output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A server in the foreground, stopped with the value.
pub(crate) struct Running {
    child: Child,
    /// Held open: a closed pipe would be another way to end.
    _lines: Lines<BufReader<ChildStdout>>,
}

impl Running {
    /// Starts `dev` on a free port, and reads where it listens.
    pub(crate) fn start(home: &Home) -> (Self, SocketAddr) {
        let mut command = home.command(&["dev", "--listen", "127.0.0.1:0"]);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut told = lines.by_ref().map_while(Result::ok);
        let line = told
            .find(|line| line.contains("listens on http://"))
            .unwrap();
        let address = line.split("http://").nth(1).unwrap();
        let address = address.split(". ").next().unwrap().parse().unwrap();
        (
            Self {
                child,
                _lines: lines,
            },
            address,
        )
    }

    pub(crate) fn stop(mut self) {
        let pid = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-TERM", &pid])
                .status()
                .unwrap()
                .success()
        );
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Only after a failure: `stop` has waited for it otherwise.
        self.child.kill().ok();
    }
}
