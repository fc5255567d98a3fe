//! A PgBouncer of the test's own, in transaction mode, before the test server.

use std::{
    fs,
    io::{BufRead, BufReader},
    os::unix::{
        fs::{MetadataExt, chown},
        process::CommandExt,
    },
    path::Path,
    process::{Child, Command, Stdio},
};

use common::testing::TestDatabase;
use secrecy::{ExposeSecret, SecretString};
use url::Url;

/// `nobody` on Debian: PgBouncer refuses to run as root.
const NOBODY: u32 = 65_534;

/// A running PgBouncer; it ends with the value.
pub(crate) struct PgBouncer {
    child: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl PgBouncer {
    /// Starts one with this many connections to the server for each database and user.
    pub(crate) fn start(database: &TestDatabase, pool_size: u32) -> Self {
        let server = Url::parse(database.login_url().expose_secret()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let port = std::net::TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let users = folder.path().join("users.txt");
        let config = folder.path().join("pgbouncer.ini");
        let user = server.username();
        fs::write(
            &users,
            format!("\"{user}\" \"{}\"\n", server.password().unwrap()),
        )
        .unwrap();
        fs::write(
            &config,
            format!(
                "[databases]\n* = host={} port={}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n\
                 unix_socket_dir =\nauth_type = trust\nauth_file = {}\npool_mode = transaction\n\
                 default_pool_size = {pool_size}\nmax_client_conn = 100\n",
                server.host_str().unwrap(),
                server.port().unwrap_or(5432),
                users.display(),
            ),
        )
        .unwrap();
        let mut child = spawn(&config, &[folder.path(), &users, &config]);
        wait_until_up(&mut child);
        Self {
            child,
            port,
            _folder: folder,
        }
    }

    /// The login role's URL by way of this PgBouncer.
    pub(crate) fn url(&self, database: &TestDatabase) -> SecretString {
        let mut url = Url::parse(database.login_url().expose_secret()).unwrap();
        url.set_host(Some("127.0.0.1")).unwrap();
        url.set_port(Some(self.port)).unwrap();
        url.to_string().into()
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn spawn(config: &Path, files: &[&Path]) -> Child {
    let is_root = fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0);
    // Debian installs it where only root's PATH looks.
    for program in ["pgbouncer", "/usr/sbin/pgbouncer"] {
        let mut command = Command::new(program);
        command
            .arg(config)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        if is_root {
            files
                .iter()
                .for_each(|file| chown(file, Some(NOBODY), Some(NOBODY)).unwrap());
            command.uid(NOBODY).gid(NOBODY);
        }
        match command.spawn() {
            Ok(child) => return child,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => panic!("{program} does not start: {error}"),
        }
    }
    panic!(
        "pgbouncer is not installed, and this test needs it: run `apt-get install pgbouncer` (Debian or Ubuntu)"
    );
}

/// Reads its log until it says that it is up, and lets a thread read on.
fn wait_until_up(child: &mut Child) {
    let mut log = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut said = Vec::new();
    loop {
        match log.next() {
            Some(Ok(line)) if line.contains("process up") => break,
            Some(Ok(line)) => said.push(line),
            Some(Err(_)) | None => panic!("pgbouncer ended at once:\n{}", said.join("\n")),
        }
    }
    assert!(
        said.iter()
            .any(|line| line.contains("listening on 127.0.0.1")),
        "pgbouncer does not listen:\n{}",
        said.join("\n")
    );
    std::thread::spawn(move || log.for_each(drop));
}
