//! Configuration: the only place that reads the environment. Everything is checked at start, and all
//! faults are told at once.

use std::time::Duration;

use secrecy::SecretString;

use crate::{
    error::{Error, ErrorCode, Result},
    ids::EnvPrefix,
};

/// What an operator may set; the defaults are §22's.
#[derive(Debug, Clone)]
pub struct Config {
    /// `DATABASE_URL`: the login role's URL. `None` locally means the embedded server.
    pub database_url: Option<SecretString>,
    /// `DATABASE_ADMIN_URL`: the owner role's URL, for migrations alone.
    pub database_admin_url: Option<SecretString>,
    /// `ASSET_STORAGE_ENV_PREFIX`: first part of every object key.
    pub env_prefix: EnvPrefix,
    /// `ASSET_SIGNED_GET_TTL_SECONDS`: life of a signed link, at most 300 seconds.
    pub signed_get_ttl: Duration,
    /// `ASSET_MAX_BYTES`: largest original.
    pub max_bytes: u64,
    /// `ASSET_MAX_DECODED_PIXELS`: largest picture, in pixels.
    pub max_pixels: u64,
    /// `ASSET_PREVIEW_MAX_EDGE`: longest edge of a preview, in pixels.
    pub preview_max_edge: u32,
    /// `ASSET_DELETE_GRACE_HOURS`: how long the bytes of a deleted asset are kept.
    pub delete_grace: Duration,
    /// `ASSET_FEATURE_ENABLED`: whether any tool answers.
    pub feature_enabled: bool,
    /// `ASSET_SEARCH_ENABLED`: whether search answers.
    pub search_enabled: bool,
    /// `ASSET_HTTP_ALLOWED_HOSTS`: hosts under which MCP over HTTP answers, lowercase; none means any.
    pub allowed_hosts: Vec<String>,
    /// `ASSET_HTTP_ALLOWED_ORIGINS`: web origins that MCP over HTTP answers, lowercase.
    pub allowed_origins: Vec<String>,
    /// `ASSET_TOKEN_KEYS`: `kid=secret,…` for cursors and local links; the first signs. `None` locally
    /// means a key of the machine's own.
    pub token_keys: Option<SecretString>,
}

/// One variable, as docs/config.md tells of it.
#[derive(Debug, Clone, Copy)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// What it is when it is not set; `None` is nothing.
    pub default: Option<&'static str>,
    /// The same for `image-memory` on one machine.
    pub local_default: Option<&'static str>,
    /// What it is for, and what it may be: one sentence, or two.
    pub meaning: &'static str,
}

impl Variable {
    const fn new(name: &'static str, default: Option<&'static str>, meaning: &'static str) -> Self {
        Self {
            name,
            default,
            local_default: default,
            meaning,
        }
    }

    const fn or_locally(self, local_default: &'static str) -> Self {
        Self {
            local_default: Some(local_default),
            ..self
        }
    }
}

/// Names of this machine.
const LOCAL_HOSTS: &str = "localhost,127.0.0.1,[::1]";

/// All variables that are read, in the order of docs/config.md.
pub const VARIABLES: &[Variable] = &[
    Variable::new(
        "DATABASE_URL",
        None,
        "URL of the login role, a member of `im_app` and `im_system` that inherits nothing. Not set on one \
         machine: the embedded server.",
    ),
    Variable::new(
        "DATABASE_ADMIN_URL",
        None,
        "URL of the role that owns the schema; used for migrations alone. Not set: `DATABASE_URL`.",
    ),
    Variable::new(
        "ASSET_STORAGE_ENV_PREFIX",
        Some("production"),
        "First part of every object key: 1 to 32 of a-z, 0-9 and `-`.",
    )
    .or_locally("local"),
    Variable::new(
        "ASSET_SIGNED_GET_TTL_SECONDS",
        Some("300"),
        "Life of a signed link in seconds: 1 to 300.",
    ),
    Variable::new(
        "ASSET_MAX_BYTES",
        Some("20971520"),
        "Largest original in bytes: 1 to 20,971,520.",
    ),
    Variable::new(
        "ASSET_MAX_DECODED_PIXELS",
        Some("40000000"),
        "Largest picture in pixels: 1 to 40,000,000.",
    ),
    Variable::new(
        "ASSET_PREVIEW_MAX_EDGE",
        Some("2048"),
        "Longest edge of a preview in pixels: 16 to 4,096.",
    ),
    Variable::new(
        "ASSET_DELETE_GRACE_HOURS",
        Some("168"),
        "Hours that the bytes of a deleted asset are kept before they may be purged: 0 to 8,760.",
    ),
    Variable::new(
        "ASSET_FEATURE_ENABLED",
        Some("false"),
        "Whether any tool answers, `true` or `false`; off, each says `feature_disabled`.",
    )
    .or_locally("true"),
    Variable::new(
        "ASSET_SEARCH_ENABLED",
        Some("false"),
        "Whether search answers, `true` or `false`; off, it says `search_disabled`.",
    )
    .or_locally("true"),
    Variable::new(
        "ASSET_HTTP_ALLOWED_HOSTS",
        None,
        "Hosts under which MCP over HTTP answers, comma-separated, each with or without a port; others get 403. \
         Not set in the cloud: any, as the gateway has its own names.",
    )
    .or_locally(LOCAL_HOSTS),
    Variable::new(
        "ASSET_HTTP_ALLOWED_ORIGINS",
        None,
        "Web origins whose pages may call MCP over HTTP, comma-separated, such as `https://app.example.com`. Not set: \
         none, and a request with an `Origin` gets 403; programs send none.",
    ),
    Variable::new(
        "ASSET_TOKEN_KEYS",
        None,
        "Secrets that sign cursors and local links, as `kid=secret,…`: the first signs, all verify. Not set on one \
         machine: a secret of its own in the data directory.",
    ),
    Variable::new(
        "IMAGE_MEMORY_URL",
        None,
        "For `image-memory mcp`: the deployment that it is a client of. Not set: the embedded stack.",
    ),
    Variable::new(
        "IMAGE_MEMORY_KEY",
        None,
        "For `image-memory mcp`: the key that it calls with. Not set, over the embedded stack: a key of its own.",
    ),
    Variable::new(
        "RUST_LOG",
        Some("warn"),
        "Which log lines are written, as `EnvFilter` of `tracing-subscriber` reads it; an unreadable one is `warn`.",
    ),
];

/// What `RUST_LOG` says. It is read apart, because faults of the rest are worth a log line.
#[must_use]
pub fn log_filter(source: &dyn Source) -> Option<String> {
    source.get("RUST_LOG")
}

/// What `image-memory mcp` calls, and with which key.
#[derive(Debug)]
pub struct Remote {
    /// `IMAGE_MEMORY_URL`.
    pub url: Option<String>,
    /// `IMAGE_MEMORY_KEY`.
    pub key: Option<SecretString>,
}

impl Remote {
    /// Reads both.
    #[must_use]
    pub fn read(source: &dyn Source) -> Self {
        Self {
            url: source.get("IMAGE_MEMORY_URL"),
            key: source.get("IMAGE_MEMORY_KEY").map(SecretString::from),
        }
    }
}

/// Where values come from; the process environment in production.
pub trait Source {
    /// The value of a variable; an empty one counts as not set.
    fn get(&self, name: &str) -> Option<String>;
}

/// The process environment.
#[derive(Debug, Clone, Copy)]
pub struct Environment;

impl Source for Environment {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that reads the environment"
    )]
    fn get(&self, name: &str) -> Option<String> {
        std::env::var(name).ok().filter(|value| !value.is_empty())
    }
}

/// Reads values and gathers their faults.
struct Reader<'a> {
    source: &'a dyn Source,
    faults: Vec<String>,
}

impl Reader<'_> {
    fn number(&mut self, name: &str, default: u64, range: std::ops::RangeInclusive<u64>) -> u64 {
        let Some(text) = self.source.get(name) else {
            return default;
        };
        match text.parse() {
            Ok(value) if range.contains(&value) => value,
            _ => {
                self.faults.push(format!(
                    "{name} must be a whole number from {} to {}",
                    range.start(),
                    range.end()
                ));
                default
            }
        }
    }

    fn flag(&mut self, name: &str, default: bool) -> bool {
        match self.source.get(name).as_deref() {
            None => default,
            Some("true") => true,
            Some("false") => false,
            Some(_) => {
                self.faults.push(format!("{name} must be true or false"));
                default
            }
        }
    }

    fn list(&mut self, name: &str, default: &str, is_valid: fn(&str) -> bool) -> Vec<String> {
        let text = self.source.get(name);
        let entries = text.as_deref().unwrap_or(default).split(',');
        let list: Vec<String> = entries
            .map(|entry| entry.trim().to_ascii_lowercase())
            .filter(|entry| !entry.is_empty())
            .collect();
        if !list.iter().all(|entry| is_valid(entry)) {
            self.faults
                .push(format!("{name} has an entry that cannot be read"));
        }
        list
    }

    fn secret(&self, name: &str) -> Option<SecretString> {
        self.source.get(name).map(SecretString::from)
    }
}

/// Values that differ between the cloud and one machine.
#[derive(Debug, Clone, Copy)]
pub struct Defaults {
    /// Both feature flags.
    pub enabled: bool,
    /// `ASSET_STORAGE_ENV_PREFIX`.
    pub env_prefix: &'static str,
    /// `ASSET_HTTP_ALLOWED_HOSTS`.
    pub allowed_hosts: &'static str,
}

impl Defaults {
    /// §22's.
    pub const CLOUD: Self = Self {
        enabled: false,
        env_prefix: "production",
        allowed_hosts: "",
    };
    /// Of `image-memory dev` and `demo`.
    pub const LOCAL: Self = Self {
        enabled: true,
        env_prefix: "local",
        allowed_hosts: LOCAL_HOSTS,
    };
}

impl Config {
    /// Reads and checks all variables.
    ///
    /// # Errors
    /// `invalid_argument` that names every fault, and no value.
    pub fn read(source: &dyn Source, defaults: Defaults) -> Result<Self> {
        let mut reader = Reader {
            source,
            faults: Vec::new(),
        };
        let prefix = source
            .get("ASSET_STORAGE_ENV_PREFIX")
            .unwrap_or_else(|| defaults.env_prefix.to_owned());
        let env_prefix = prefix.parse::<EnvPrefix>();
        if env_prefix.is_err() {
            reader
                .faults
                .push("ASSET_STORAGE_ENV_PREFIX must be 1 to 32 of a-z, 0-9 and -".to_owned());
        }
        let edge = reader.number("ASSET_PREVIEW_MAX_EDGE", 2_048, 16..=4_096);
        let ttl = reader.number("ASSET_SIGNED_GET_TTL_SECONDS", 300, 1..=300);
        let max_bytes = reader.number("ASSET_MAX_BYTES", 20_971_520, 1..=20_971_520);
        let max_pixels = reader.number("ASSET_MAX_DECODED_PIXELS", 40_000_000, 1..=40_000_000);
        let grace_hours = reader.number("ASSET_DELETE_GRACE_HOURS", 168, 0..=8_760);
        let feature_enabled = reader.flag("ASSET_FEATURE_ENABLED", defaults.enabled);
        let search_enabled = reader.flag("ASSET_SEARCH_ENABLED", defaults.enabled);
        let hosts = defaults.allowed_hosts;
        let allowed_hosts = reader.list("ASSET_HTTP_ALLOWED_HOSTS", hosts, is_host);
        let allowed_origins = reader.list("ASSET_HTTP_ALLOWED_ORIGINS", "", is_origin);
        let (Ok(env_prefix), true) = (env_prefix, reader.faults.is_empty()) else {
            return Err(Error::new(
                ErrorCode::InvalidArgument,
                reader.faults.join("; "),
            ));
        };
        Ok(Self {
            database_url: reader.secret("DATABASE_URL"),
            database_admin_url: reader.secret("DATABASE_ADMIN_URL"),
            env_prefix,
            signed_get_ttl: Duration::from_secs(ttl),
            max_bytes,
            max_pixels,
            preview_max_edge: u32::try_from(edge).unwrap_or(2_048),
            delete_grace: Duration::from_secs(grace_hours * 3_600),
            feature_enabled,
            search_enabled,
            allowed_hosts,
            allowed_origins,
            token_keys: reader.secret("ASSET_TOKEN_KEYS"),
        })
    }
}

/// Whether a text is a host, with or without a port.
fn is_host(entry: &str) -> bool {
    let parsed = url::Url::parse(&format!("http://{entry}"));
    !entry.contains(['/', '@', '?', '#', '*']) && parsed.is_ok_and(|url| url.has_host())
}

/// Whether a text is an origin as browsers write it: scheme, host and, unless it is the scheme's own, port.
fn is_origin(entry: &str) -> bool {
    url::Url::parse(entry).is_ok_and(|url| url.origin().ascii_serialization() == entry)
}

#[cfg(test)]
mod tests {
    use std::{
        cell::RefCell,
        collections::{BTreeSet, HashMap},
    };

    use super::*;

    struct Fixed(HashMap<&'static str, &'static str>);

    impl Source for Fixed {
        fn get(&self, name: &str) -> Option<String> {
            self.0.get(name).map(|value| (*value).to_owned())
        }
    }

    fn read(values: &[(&'static str, &'static str)]) -> Result<Config> {
        Config::read(&Fixed(values.iter().copied().collect()), Defaults::CLOUD)
    }

    #[test]
    fn the_cloud_starts_with_both_features_off_and_one_machine_with_both_on() {
        let cloud = read(&[]).unwrap();
        assert!(!cloud.feature_enabled && !cloud.search_enabled);
        assert_eq!(
            (cloud.max_bytes, cloud.max_pixels, cloud.preview_max_edge),
            (20_971_520, 40_000_000, 2_048)
        );
        let local = Config::read(&Fixed(HashMap::new()), Defaults::LOCAL).unwrap();
        assert!(local.feature_enabled && local.search_enabled);
    }

    /// Notes which variables are asked for.
    #[derive(Default)]
    struct Asked(RefCell<BTreeSet<String>>);

    impl Source for Asked {
        fn get(&self, name: &str) -> Option<String> {
            self.0.borrow_mut().insert(name.to_owned());
            None
        }
    }

    #[test]
    fn each_variable_that_is_read_is_listed_and_each_that_is_listed_is_read() {
        let asked = Asked::default();
        Config::read(&asked, Defaults::CLOUD).unwrap();
        assert_eq!(log_filter(&asked), None);
        assert!(Remote::read(&asked).url.is_none());
        let listed: BTreeSet<String> = VARIABLES
            .iter()
            .map(|variable| variable.name.to_owned())
            .collect();
        assert_eq!(asked.0.into_inner(), listed);
        assert_eq!(listed.len(), VARIABLES.len());
    }

    #[test]
    fn the_listed_defaults_are_the_real_ones() {
        let cloud = VARIABLES
            .iter()
            .filter_map(|variable| Some((variable.name, variable.default?)));
        let local = VARIABLES
            .iter()
            .filter_map(|variable| Some((variable.name, variable.local_default?)));
        let nothing = Fixed(HashMap::new());
        for (set, defaults) in [
            (Fixed(cloud.collect()), Defaults::CLOUD),
            (Fixed(local.collect()), Defaults::LOCAL),
        ] {
            let (set, unset) = (
                Config::read(&set, defaults).unwrap(),
                Config::read(&nothing, defaults).unwrap(),
            );
            assert_eq!(format!("{set:?}"), format!("{unset:?}"));
        }
    }

    #[test]
    fn every_fault_is_told_at_once_and_no_value_is_quoted() {
        let faulty = [
            ("ASSET_MAX_BYTES", "many"),
            ("ASSET_SIGNED_GET_TTL_SECONDS", "301"),
            ("ASSET_FEATURE_ENABLED", "yes-please"),
            ("ASSET_STORAGE_ENV_PREFIX", "../x"),
            ("ASSET_HTTP_ALLOWED_HOSTS", "https://a.example/"),
            ("ASSET_HTTP_ALLOWED_ORIGINS", "https://a.example/path"),
        ];
        let message = read(&faulty).unwrap_err().message().to_owned();
        for (name, value) in faulty {
            assert!(message.contains(name), "{message}");
            assert!(!message.contains(value) || value == "301", "{message}");
        }
    }

    #[test]
    fn each_variable_has_its_effect() {
        let config = read(&[
            ("ASSET_MAX_BYTES", "1000"),
            ("ASSET_MAX_DECODED_PIXELS", "2000"),
            ("ASSET_PREVIEW_MAX_EDGE", "64"),
            ("ASSET_SIGNED_GET_TTL_SECONDS", "10"),
            ("ASSET_DELETE_GRACE_HOURS", "2"),
            ("ASSET_FEATURE_ENABLED", "true"),
            ("ASSET_SEARCH_ENABLED", "true"),
            ("ASSET_STORAGE_ENV_PREFIX", "staging"),
            ("DATABASE_URL", "postgres://a"),
            ("DATABASE_ADMIN_URL", "postgres://b"),
            ("ASSET_TOKEN_KEYS", "k=0123456789abcdef"),
            ("ASSET_HTTP_ALLOWED_HOSTS", "Memory.example.com, [::1]:80"),
            ("ASSET_HTTP_ALLOWED_ORIGINS", "https://app.example.com"),
        ])
        .unwrap();
        assert_eq!(
            (config.max_bytes, config.max_pixels, config.preview_max_edge),
            (1000, 2000, 64)
        );
        assert_eq!(config.signed_get_ttl, Duration::from_secs(10));
        assert_eq!(config.delete_grace, Duration::from_secs(7_200));
        assert!(config.feature_enabled && config.search_enabled);
        assert_eq!(config.env_prefix.as_str(), "staging");
        assert!(
            config.database_url.is_some()
                && config.database_admin_url.is_some()
                && config.token_keys.is_some()
        );
        assert_eq!(config.allowed_hosts, ["memory.example.com", "[::1]:80"]);
        assert_eq!(config.allowed_origins, ["https://app.example.com"]);
        assert!(!format!("{config:?}").contains("0123456789abcdef"));
    }
}
