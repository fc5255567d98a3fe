//! Starting, finding and stopping the server of one [`Home`].

use std::{
    fs, io,
    net::{Ipv4Addr, TcpListener},
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use common::error::Result;
use secrecy::{ExposeSecret, SecretString};

use super::{
    PortChoice,
    account::Programs,
    cluster::{Home, Mode, configure},
    failed, unusable,
};

/// How long what a killed server left behind, or a server on its way up, is waited for.
const PATIENCE: Duration = Duration::from_secs(30);
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(50);

/// The port of the server of `home`, which runs when this returns: the one found running and answering, or a
/// new one.
pub(super) fn ensure(
    programs: &Programs,
    home: &Home,
    mode: Mode,
    port: PortChoice,
) -> Result<u16> {
    if let Some(found) = running(home) {
        match (port, answers(programs, home, found)?) {
            (PortChoice::Given(wanted), true) if wanted != found => {
                return Err(failed(format!(
                    "Postgres of this checkout already listens on port {found} instead of {wanted}; stop the \
                     process that started it, or leave the port free"
                )));
            }
            (_, true) => return Ok(found),
            (_, false) => stop(programs, home, "immediate")?,
        }
    }
    start(programs, home, mode, port)
}

/// The port in the pid file of a server that is really running. The pid file of a server that is not, but
/// whose number another process has now, is removed: Postgres would take that process for itself.
fn running(home: &Home) -> Option<u16> {
    let path = home.data().join("postmaster.pid");
    let (pid, port) = parse_pid_file(&fs::read_to_string(&path).ok()?)?;
    match Owner::of(pid, &home.data()) {
        Owner::Server => Some(port),
        Owner::Nobody => None,
        Owner::Another => {
            if let Err(error) = fs::remove_file(&path) {
                tracing::warn!(%error, "could not remove the pid file of a dead server");
            }
            None
        }
    }
}

/// Number of the process, and its port: the first and the fourth line.
fn parse_pid_file(text: &str) -> Option<(u32, u16)> {
    let mut lines = text.lines();
    Some((
        lines.next()?.trim().parse().ok()?,
        lines.nth(2)?.trim().parse().ok()?,
    ))
}

/// Whose number a process number is.
#[derive(Debug, PartialEq, Eq)]
enum Owner {
    /// A server of the data directory asked for.
    Server,
    /// Some other process, or one that is dead and not yet buried.
    Another,
    /// No process.
    Nobody,
}

impl Owner {
    fn of(pid: u32, data: &Path) -> Self {
        match command_line(pid) {
            None => Self::Nobody,
            Some(line) if line.contains("postgres") && line.contains(&*data.to_string_lossy()) => {
                Self::Server
            }
            Some(_) => Self::Another,
        }
    }
}

/// The command line of a process; empty for a dead one that is not yet buried.
fn command_line(pid: u32) -> Option<String> {
    if cfg!(target_os = "linux") {
        return fs::read(format!("/proc/{pid}/cmdline"))
            .ok()
            .map(|line| String::from_utf8_lossy(&line).into_owned());
    }
    let output = Command::new("ps")
        .args(["-o", "command=", "-p"])
        .arg(pid.to_string())
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether the running server lets the superuser in; `false` when it does not within [`PATIENCE`].
fn answers(programs: &Programs, home: &Home, port: u16) -> Result<bool> {
    let password = home.password()?;
    let end = Instant::now() + PATIENCE;
    loop {
        let Some(said) = ask(programs, &password, port)? else {
            return Ok(true);
        };
        if said.contains("password authentication failed") {
            let sentence = format!(
                "the superuser's password is not the one in {}; set it back, or move that directory away",
                home.data().display()
            );
            return Err(failed(sentence).because(said));
        }
        if Instant::now() >= end {
            return Ok(false);
        }
        thread::sleep(PAUSE);
    }
}

/// Asks the server something; what psql says when there is no answer.
fn ask(programs: &Programs, password: &SecretString, port: u16) -> Result<Option<String>> {
    let output = programs.run("psql", |psql| {
        psql.args([
            "--no-psqlrc",
            "--host=127.0.0.1",
            "--username=postgres",
            "--dbname=postgres",
        ]);
        psql.arg(format!("--port={port}"))
            .args(["--command", "select 1"]);
        psql.env("PGPASSWORD", password.expose_secret())
            .env("PGCONNECT_TIMEOUT", "5");
    })?;
    Ok((!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned()))
}

/// Starts the server and answers its port.
fn start(programs: &Programs, home: &Home, mode: Mode, port: PortChoice) -> Result<u16> {
    let end = Instant::now() + PATIENCE;
    loop {
        let candidate = pick(port)?;
        configure(programs, home, mode, candidate)?;
        let log = home.log();
        let emptied = fs::write(&log, "").and_then(|()| programs.account.give(&log, 0o600));
        emptied.map_err(|error| unusable(&log, error))?;
        let output = programs.run("pg_ctl", |pg_ctl| {
            pg_ctl
                .args(["start", "--silent", "--wait", "--timeout=300", "-D"])
                .arg(home.data());
            pg_ctl.arg("--log").arg(&log);
        })?;
        if output.status.success() {
            return Ok(candidate);
        }
        let said = fs::read_to_string(&log).unwrap_or_default();
        let said = said + &String::from_utf8_lossy(&output.stderr);
        match Failure::of(&said) {
            Failure::PortTaken if port == PortChoice::Free && Instant::now() < end => {}
            Failure::Held if Instant::now() < end => thread::sleep(PAUSE),
            failure => return Err(failed(failure.sentence(&said, candidate, &log)).because(said)),
        }
    }
}

/// A port that is free at this moment.
fn pick(port: PortChoice) -> Result<u16> {
    let wanted = match port {
        PortChoice::Free => 0,
        PortChoice::Given(port) => port,
    };
    let bound =
        TcpListener::bind((Ipv4Addr::LOCALHOST, wanted)).and_then(|listener| listener.local_addr());
    bound.map(|address| address.port()).map_err(|error| {
        let sentence = match error.kind() {
            io::ErrorKind::AddrInUse => taken(wanted),
            io::ErrorKind::PermissionDenied => {
                format!("port {wanted} is reserved for root; choose one above 1023")
            }
            _ => format!("port {wanted} of 127.0.0.1 cannot be used; choose another"),
        };
        failed(sentence).because(error)
    })
}

fn taken(port: u16) -> String {
    format!("port {port} is taken by another program; choose another, or leave it open")
}

/// Why a server did not start, read from its log.
#[derive(Debug, PartialEq, Eq)]
enum Failure {
    PortTaken,
    /// A killed server's processes are not all gone yet.
    Held,
    DiskFull,
    Unknown,
}

impl Failure {
    fn of(said: &str) -> Self {
        let has = |text: &str| said.contains(text);
        if has("Address already in use") {
            Self::PortTaken
        } else if has("is still in use") || has("lock file \"postmaster.pid\" already exists") {
            Self::Held
        } else if has("No space left on device") {
            Self::DiskFull
        } else {
            Self::Unknown
        }
    }

    fn sentence(&self, said: &str, port: u16, log: &Path) -> String {
        let log = log.display();
        match self {
            Self::PortTaken => taken(port),
            Self::Held => format!("processes of a former Postgres do not end; end them, see {log}"),
            Self::DiskFull => {
                format!("the disk is full, Postgres cannot start; free some space, see {log}")
            }
            Self::Unknown => {
                let reason = said
                    .lines()
                    .find_map(|line| line.split_once("FATAL:  ").map(|(_, reason)| reason));
                format!(
                    "Postgres did not start: {}; see {log}",
                    reason.unwrap_or("no reason given")
                )
            }
        }
    }
}

/// Stops the server; `how` is pg_ctl's mode. A server that does not run is stopped.
pub(super) fn stop(programs: &Programs, home: &Home, how: &str) -> Result<()> {
    if running(home).is_none() {
        return Ok(());
    }
    let output = programs.run("pg_ctl", |pg_ctl| {
        pg_ctl
            .args([
                "stop",
                "--silent",
                "--wait",
                "--timeout=30",
                "--mode",
                how,
                "-D",
            ])
            .arg(home.data());
    })?;
    if output.status.success() || running(home).is_none() {
        return Ok(());
    }
    if how != "immediate" {
        return stop(programs, home, "immediate");
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(failed(format!(
        "Postgres does not stop; see {}",
        home.log().display()
    ))
    .because(said))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pid_file_tells_process_and_port() {
        let text = "2789\n/x/data\n1796093955\n55999\n\n127.0.0.1\n 10084358  8\nready   \n";
        assert_eq!(parse_pid_file(text), Some((2789, 55999)));
        for broken in ["", "x\n", "12\n/x\n1", "12\n/x\n1\nport\n"] {
            assert_eq!(parse_pid_file(broken), None, "{broken:?}");
        }
    }

    #[test]
    fn another_process_with_the_number_is_not_the_server() {
        let data = Path::new("/nowhere/data");
        assert_eq!(Owner::of(std::process::id(), data), Owner::Another);
        assert_eq!(Owner::of(u32::MAX, data), Owner::Nobody);
    }

    #[test]
    fn a_pid_file_of_another_process_is_removed_and_one_of_nobody_is_left_to_postgres() {
        let root = tempfile::tempdir().unwrap();
        let home = Home(root.path().to_owned());
        fs::create_dir(home.data()).unwrap();
        let path = home.data().join("postmaster.pid");
        let write = |pid: u32| fs::write(&path, format!("{pid}\n/x\n1\n5432\n")).unwrap();
        write(u32::MAX);
        assert_eq!(running(&home), None);
        assert!(path.exists());
        write(std::process::id());
        assert_eq!(running(&home), None);
        assert!(!path.exists());
    }

    #[test]
    fn every_failure_is_one_sentence() {
        let log = Path::new("/x/server.log");
        for (said, failure) in [
            (
                "LOG:  could not bind IPv4 address \"127.0.0.1\": Address already in use",
                Failure::PortTaken,
            ),
            (
                "FATAL:  pre-existing shared memory block (key 1, ID 2) is still in use",
                Failure::Held,
            ),
            (
                "FATAL:  lock file \"postmaster.pid\" already exists",
                Failure::Held,
            ),
            (
                "FATAL:  could not write lock file: No space left on device",
                Failure::DiskFull,
            ),
            (
                "FATAL:  data directory has wrong ownership",
                Failure::Unknown,
            ),
        ] {
            assert_eq!(Failure::of(said), failure);
            let sentence = failure.sentence(said, 5432, log);
            assert!(
                !sentence.contains('\n') && !sentence.ends_with('.'),
                "{sentence}"
            );
        }
        let unknown = Failure::Unknown.sentence("x FATAL:  wrong ownership\nHINT:  y", 1, log);
        assert_eq!(
            unknown,
            "Postgres did not start: wrong ownership; see /x/server.log"
        );
    }

    #[test]
    fn a_taken_port_is_refused_and_a_free_one_is_found() {
        let holder = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = holder.local_addr().unwrap().port();
        let error = pick(PortChoice::Given(port)).unwrap_err();
        assert_eq!(error.message(), taken(port));
        assert_ne!(pick(PortChoice::Free).unwrap(), port);
    }
}
