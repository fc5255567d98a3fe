//! Everything of one machine, wired: Postgres, objects, embedder, queue, worker and server over one data
//! directory. `dev` and `demo` are the same stack with another front.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
};

use common::{
    adapters::{clock::SystemClock, local_objects::LocalObjects},
    app::{App, Settings},
    config::{Config, Defaults, Environment},
    domain::signing::TokenKeys,
    error::{Error, ErrorCode, Result},
    ports::Clock,
    store::{Store, migrate},
};
use secrecy::{ExposeSecret, SecretString};
use tokio::{net::TcpListener, task::JoinSet};

use crate::{
    bring,
    dev_dir::DevDir,
    embedder::LocalConse,
    files::{read_or_create_secret, turn},
    postgres::{EmbeddedPostgres, PortChoice},
    random, runner, server,
    shutdown::{self, Announce},
};

/// Connections of the local pool.
const CONNECTIONS: usize = 8;

/// Login role of the embedded server.
const LOGIN: &str = "image_memory";

/// The database that commands work on, and the server behind it where it is our own.
pub struct Database {
    /// URL of the owner role.
    pub admin: SecretString,
    /// URL of the login role.
    pub login: SecretString,
    server: Option<EmbeddedPostgres>,
}

impl Database {
    /// `DATABASE_URL` where it is set, else the embedded server over the data directory.
    ///
    /// # Errors
    /// One sentence with its remedy for whatever is missing.
    pub async fn open(config: &Config, dev: &DevDir, say: &bring::Progress<'_>) -> Result<Self> {
        if let Some(login) = config.database_url.clone() {
            let admin = config
                .database_admin_url
                .clone()
                .unwrap_or_else(|| login.clone());
            return Ok(Self {
                admin,
                login,
                server: None,
            });
        }
        bring::postgres(dev, say).await?;
        say("starting Postgres");
        let server = EmbeddedPostgres::start(dev, PortChoice::Free).await?;
        let admin = SecretString::from(server.admin_url());
        let secret = read_or_create_secret(&dev.data().join("login-secret"), random::name)?;
        // Postgres refuses one of two that change a role at the same time.
        let role = dev.data().join("login-role");
        let turn = tokio::task::spawn_blocking(move || turn(&role));
        let _turn = turn.await.map_err(Error::internal)??;
        let login = migrate::ensure_login(&admin, LOGIN, &secret).await?;
        Ok(Self {
            admin,
            login,
            server: Some(server),
        })
    }

    /// Brings the schema up to date.
    ///
    /// # Errors
    /// Those of [`migrate::run`].
    pub async fn migrate(&self) -> Result<migrate::Migrated> {
        migrate::run(&self.admin, &self.login).await
    }

    /// Brings the embedded server's schema up to date; another database is migrated by `migrate` alone.
    ///
    /// # Errors
    /// Those of [`migrate::run`].
    pub async fn migrate_own(&self) -> Result<()> {
        if self.server.is_some() {
            self.migrate().await?;
        }
        Ok(())
    }

    /// A store over it.
    ///
    /// # Errors
    /// `invalid_argument` for a URL that cannot be read.
    pub fn store(&self) -> Result<Store> {
        Store::new(&self.login, CONNECTIONS)
    }

    /// Stops the server, if it is ours and nobody else's.
    ///
    /// # Errors
    /// `internal` when it does not stop.
    pub async fn close(self) -> Result<()> {
        match self.server {
            Some(server) => server.stop().await,
            None => Ok(()),
        }
    }
}

/// The running stack.
pub struct Stack {
    /// The application.
    pub app: App,
    /// Where the server listens.
    pub address: SocketAddr,
    database: Database,
    end: Announce,
    tasks: JoinSet<()>,
}

impl Stack {
    /// Brings what is missing and starts everything.
    ///
    /// # Errors
    /// One sentence with its remedy for whatever is missing or taken.
    pub async fn start(
        dev: &DevDir,
        listen: SocketAddr,
        say: &bring::Progress<'_>,
    ) -> Result<Self> {
        let config = Config::read(&Environment, Defaults::LOCAL)?;
        // First, because it is quick to fail: everything after takes longer.
        let listener = server::bind(listen).await?;
        let address = listener.local_addr().map_err(Error::internal)?;
        make_private(dev.data())?;
        bring::models(dev, say).await?;
        say("loading the local embedder");
        let embedder = LocalConse::load(&dev.models()).await?;
        let database = Database::open(&config, dev, say).await?;
        let migrated = database.migrate().await?;
        if !migrated.applied.is_empty() {
            say(&format!("applied {} migrations", migrated.applied.len()));
        }
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let tokens = token_keys(&config, dev)?;
        let base = format!("http://{address}");
        let objects = Arc::new(objects_at(dev, base, tokens.clone(), clock.clone())?);
        let (queue, inbox) = runner::queue();
        let app = App {
            store: database.store()?,
            objects: objects.clone(),
            queue: Arc::new(queue.clone()),
            embedder: Arc::new(embedder),
            clock,
            tokens,
            settings: Settings::from_config(&config),
        };
        let (end, tasks) = spawn(listener, &app, objects, queue, inbox);
        Ok(Self {
            app,
            address,
            database,
            end,
            tasks,
        })
    }

    /// Lets requests and jobs under way end, then stops everything.
    ///
    /// # Errors
    /// `internal` when the database server does not stop.
    pub async fn stop(mut self) -> Result<()> {
        self.end.now();
        while self.tasks.join_next().await.is_some() {}
        self.database.close().await
    }
}

fn spawn(
    listener: TcpListener,
    app: &App,
    objects: Arc<LocalObjects>,
    queue: runner::LocalQueue,
    inbox: runner::Inbox,
) -> (Announce, JoinSet<()>) {
    let (end, ending) = shutdown::channel();
    let mut tasks = JoinSet::new();
    tasks.spawn(server::serve(
        listener,
        app.clone(),
        objects,
        ending.clone(),
    ));
    tasks.spawn(runner::keep_swept(app.clone(), ending.clone()));
    tasks.spawn(runner::run(app.clone(), queue, inbox, ending));
    (end, tasks)
}

/// The local objects for work that hands out no links.
///
/// # Errors
/// One sentence with its remedy when they cannot be opened.
pub fn objects(dev: &DevDir, clock: Arc<dyn Clock>) -> Result<LocalObjects> {
    let config = Config::read(&Environment, Defaults::LOCAL)?;
    make_private(dev.data())?;
    let tokens = token_keys(&config, dev)?;
    objects_at(dev, "http://127.0.0.1".to_owned(), tokens, clock)
}

fn objects_at(
    dev: &DevDir,
    base: String,
    tokens: TokenKeys,
    clock: Arc<dyn Clock>,
) -> Result<LocalObjects> {
    LocalObjects::new(dev.data().join("objects"), base, tokens, clock)
}

/// `ASSET_TOKEN_KEYS`, else a key of the machine's own.
fn token_keys(config: &Config, dev: &DevDir) -> Result<TokenKeys> {
    let text = match &config.token_keys {
        Some(keys) => keys.expose_secret().to_owned(),
        None => {
            let secret = read_or_create_secret(&dev.data().join("token-secret"), random::name)?;
            format!("local={}", secret.expose_secret())
        }
    };
    TokenKeys::parse(&text).map_err(|error| {
        Error::new(
            ErrorCode::InvalidArgument,
            format!("ASSET_TOKEN_KEYS is not usable: {error}"),
        )
    })
}

/// Makes the data directory, for its owner alone.
fn make_private(data: &Path) -> Result<()> {
    let made: std::io::Result<PathBuf> =
        std::fs::create_dir_all(data).and_then(|()| data.canonicalize());
    made.map(|_| ()).map_err(|error| {
        let message = format!(
            "{} cannot be made; choose a writable place by --data-dir",
            data.display()
        );
        Error::new(ErrorCode::InvalidArgument, message).because(error)
    })
}
