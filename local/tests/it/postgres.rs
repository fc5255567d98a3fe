//! The embedded Postgres, started, shared, killed and found again.

#![expect(
    clippy::disallowed_methods,
    reason = "these tests look at a bare server, there is no schema to guard"
)]

use std::{
    fs,
    io::{BufRead, BufReader},
    net::{Ipv4Addr, TcpListener},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use common::error::ErrorCode;
use local::{
    bring,
    dev_dir::DevDir,
    postgres::{EmbeddedPostgres, PortChoice},
};
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

/// A data directory of one test, removed with all that a server left for it elsewhere.
struct Data {
    directory: TempDir,
    dev: DevDir,
}

impl Data {
    async fn new() -> Self {
        bring::postgres(&crate::dev(), &|line| println!("{line}"))
            .await
            .unwrap();
        let directory = TempDir::new_in(crate::dev().root()).unwrap();
        let dev = crate::dev().with_data(directory.path());
        Self { directory, dev }
    }

    async fn start(&self) -> EmbeddedPostgres {
        EmbeddedPostgres::start(&self.dev, PortChoice::Free)
            .await
            .unwrap()
    }

    /// Directory of the servers' homes.
    fn homes(&self) -> PathBuf {
        homes(self.directory.path())
    }

    fn pid_file(&self) -> PathBuf {
        self.homes().join("dev/data/postmaster.pid")
    }

    fn pid(&self) -> u32 {
        fs::read_to_string(self.pid_file())
            .unwrap()
            .lines()
            .next()
            .unwrap()
            .parse()
            .unwrap()
    }
}

impl Drop for Data {
    fn drop(&mut self) {
        let homes = self.homes();
        if !homes.starts_with(self.directory.path()) {
            fs::remove_dir_all(homes).unwrap();
        }
    }
}

fn homes(data: &Path) -> PathBuf {
    let control = data.join("postgres");
    fs::read_to_string(control.join("place")).map_or(control, PathBuf::from)
}

/// A client, and the task that ends when the server closes its connection.
async fn connect(url: &str) -> (Client, JoinHandle<()>) {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    // How it ends does not matter, only that it does.
    let ended = tokio::spawn(async move { drop(connection.await) });
    (client, ended)
}

async fn client(server: &EmbeddedPostgres) -> (Client, JoinHandle<()>) {
    connect(&server.admin_url()).await
}

/// The first column of the first row.
async fn ask(client: &Client, sql: &str) -> String {
    let rows = client.simple_query(sql).await.unwrap();
    let row = rows.into_iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => Some(row),
        _ => None,
    });
    row.unwrap().get(0).unwrap().to_owned()
}

async fn kill_and_wait(pid: u32, ended: JoinHandle<()>) {
    assert!(
        Command::new("kill")
            .args(["-9", &pid.to_string()])
            .status()
            .unwrap()
            .success()
    );
    ended.await.unwrap();
}

#[tokio::test]
async fn a_throwaway_server_has_vectors_and_leaves_nothing() {
    let data = Data::new().await;
    let server = EmbeddedPostgres::start_throwaway(&data.dev).await.unwrap();
    let (client, ended) = client(&server).await;
    assert_eq!(ask(&client, "select 1").await, "1");
    client
        .simple_query("create extension vector")
        .await
        .unwrap();
    assert_eq!(
        ask(
            &client,
            "select '[1,0]'::halfvec(2) <=> '[0,1]'::halfvec(2)"
        )
        .await,
        "1"
    );
    assert_eq!(
        ask(&client, "show server_version_num").await.get(..2),
        Some("18")
    );
    for setting in ["fsync", "synchronous_commit", "full_page_writes"] {
        assert_eq!(ask(&client, &format!("show {setting}")).await, "off");
    }
    assert_eq!(
        fs::read_dir(data.homes().join("throwaway"))
            .unwrap()
            .count(),
        1
    );

    server.stop().await.unwrap();
    ended.await.unwrap();
    assert_eq!(
        fs::read_dir(data.homes().join("throwaway"))
            .unwrap()
            .count(),
        0
    );
    let control: Vec<_> = fs::read_dir(data.directory.path().join("postgres"))
        .unwrap()
        .map(|e| e.unwrap())
        .collect();
    assert!(
        !control.iter().any(|entry| entry
            .file_name()
            .to_string_lossy()
            .starts_with("throwaway-")),
        "{control:?}"
    );
}

#[tokio::test]
async fn throwaway_servers_know_nothing_of_each_other() {
    let data = Data::new().await;
    let start = || EmbeddedPostgres::start_throwaway(&data.dev);
    let (one, other) = tokio::try_join!(start(), start()).unwrap();
    assert_ne!(one.port(), other.port());
    let (client_of_one, _) = client(&one).await;
    client_of_one
        .simple_query("create table only_here ()")
        .await
        .unwrap();
    let (client_of_other, _) = client(&other).await;
    assert!(
        client_of_other
            .simple_query("select from only_here")
            .await
            .is_err()
    );
}

#[tokio::test]
async fn the_durable_server_is_durable_closed_and_on_loopback() {
    let data = Data::new().await;
    let server = data.start().await;
    let (client, _) = client(&server).await;
    for (setting, value) in [
        ("fsync", "on"),
        ("synchronous_commit", "on"),
        ("full_page_writes", "on"),
        ("listen_addresses", "127.0.0.1"),
        ("unix_socket_directories", ""),
        ("password_encryption", "scram-sha-256"),
    ] {
        assert_eq!(
            ask(&client, &format!("show {setting}")).await,
            value,
            "{setting}"
        );
    }
    let guessed = format!(
        "postgres://postgres:postgres@127.0.0.1:{}/postgres",
        server.port()
    );
    assert!(tokio_postgres::connect(&guessed, NoTls).await.is_err());
    let password = data.homes().join("dev/data/superuser-password");
    assert_eq!(
        fs::metadata(password).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert!(!format!("{server:?}").contains(&server.admin_url()));
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_killed_server_comes_back_with_its_data() {
    let data = Data::new().await;
    let first = data.start().await;
    let (one, ended) = client(&first).await;
    one.simple_query("create table kept (n int); insert into kept values (42)")
        .await
        .unwrap();
    kill_and_wait(data.pid(), ended).await;
    assert!(data.pid_file().exists(), "the pid file is stale");

    let second = data.start().await;
    let (two, ended) = client(&second).await;
    assert_eq!(ask(&two, "select n from kept").await, "42");

    // The next kill leaves a number that another process has by now: this one.
    kill_and_wait(data.pid(), ended).await;
    let stale = fs::read_to_string(data.pid_file()).unwrap();
    let (_, rest) = stale.split_once('\n').unwrap();
    fs::write(data.pid_file(), format!("{}\n{rest}", std::process::id())).unwrap();
    let third = data.start().await;
    let (three, ended) = client(&third).await;
    assert_eq!(ask(&three, "select n from kept").await, "42");

    for server in [first, second, third] {
        server.stop().await.unwrap();
    }
    ended.await.unwrap();
    assert!(!data.pid_file().exists());
}

#[tokio::test]
async fn a_deleted_directory_is_forgotten_with_its_data() {
    let data = Data::new().await;
    let server = data.start().await;
    let (one, ended) = client(&server).await;
    one.simple_query("create table kept ()").await.unwrap();
    drop(one);
    server.stop().await.unwrap();
    ended.await.unwrap();
    let former = data.homes().join("dev/data");
    assert!(former.exists());
    let cluster = fs::read(former.join("global/pg_control")).unwrap();
    fs::remove_dir_all(data.directory.path().join("postgres")).unwrap();

    let server = data.start().await;
    let (two, _) = client(&server).await;
    assert!(two.simple_query("select from kept").await.is_err());
    let found = fs::read(former.join("global/pg_control"));
    assert!(
        found.is_err() || found.unwrap() != cluster,
        "the former data is gone"
    );
    server.stop().await.unwrap();
}

#[tokio::test]
async fn the_second_to_start_uses_the_running_server_and_the_last_to_leave_stops_it() {
    let data = Data::new().await;
    let start = || EmbeddedPostgres::start(&data.dev, PortChoice::Free);
    let (first, second) = tokio::try_join!(start(), start()).unwrap();
    let pid = data.pid();
    assert_eq!(first.port(), second.port());
    first.stop().await.unwrap();

    let third = data.start().await;
    assert_eq!((third.port(), data.pid()), (second.port(), pid));
    second.stop().await.unwrap();
    let (client, ended) = client(&third).await;
    assert_eq!(ask(&client, "select 1").await, "1");
    drop(third);
    ended.await.unwrap();
    assert!(!data.pid_file().exists());
}

#[tokio::test]
async fn a_port_is_used_exactly_or_refused_in_one_sentence() {
    let data = Data::new().await;
    let holder = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = holder.local_addr().unwrap().port();
    let start = || EmbeddedPostgres::start(&data.dev, PortChoice::Given(port));
    let taken = start().await.unwrap_err();
    assert_eq!(taken.code(), ErrorCode::DatabaseUnavailable);
    assert_eq!(
        taken.message(),
        format!("port {port} is taken by another program; choose another, or leave it open")
    );

    drop(holder);
    let server = start().await.unwrap();
    assert_eq!(server.port(), port);
    let elsewhere = EmbeddedPostgres::start(&data.dev, PortChoice::Given(port ^ 1))
        .await
        .unwrap_err();
    assert!(
        elsewhere
            .message()
            .contains(&format!("already listens on port {port}")),
        "{}",
        elsewhere.message()
    );
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_half_finished_beginning_is_thrown_away() {
    let data = Data::new().await;
    data.start().await.stop().await.unwrap();
    let home = data.homes().join("dev");
    fs::remove_dir_all(home.join("data")).unwrap();
    fs::create_dir_all(home.join("unfinished/base")).unwrap();
    fs::write(home.join("unfinished/PG_VERSION"), "18\n").unwrap();
    fs::write(home.join("unfinished-password"), "known").unwrap();
    let server = data.start().await;
    assert!(!server.admin_url().contains("known"));
    assert!(!home.join("unfinished").exists());
    assert!(!home.join("unfinished-password").exists());
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_throwaway_server_dies_with_a_killed_process() {
    let data = TempDir::new_in(crate::dev().root()).unwrap().keep();
    let mut holder = Command::new(env!("CARGO_BIN_EXE_image-memory"))
        .arg("--dev-dir")
        .arg(crate::dev().root())
        .arg("--data-dir")
        .arg(&data)
        // Ends only when the other side is gone.
        .args(["with-postgres", "--", "sh", "-c"])
        .arg("echo \"url=$TEST_DATABASE_ADMIN_URL\"; exec cat")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(holder.stdout.take().unwrap()).lines();
    let url = lines.find_map(|line| line.unwrap().strip_prefix("url=").map(str::to_owned));
    let (client, ended) = connect(&url.unwrap()).await;
    assert_eq!(ask(&client, "select 1").await, "1");

    holder.kill().unwrap();
    holder.wait().unwrap();
    ended.await.unwrap();

    // The next start comes after the removal, or does it.
    let next = EmbeddedPostgres::start_throwaway(&crate::dev().with_data(&data))
        .await
        .unwrap();
    assert_eq!(
        fs::read_dir(homes(&data).join("throwaway"))
            .unwrap()
            .count(),
        1
    );
    next.stop().await.unwrap();
    fs::remove_dir_all(homes(&data)).unwrap();
    fs::remove_dir_all(data).unwrap();
}
