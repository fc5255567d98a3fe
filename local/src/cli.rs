//! The command line.

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, Parser, Subcommand};
use common::auth::{Scope, Surface};

/// A governed image memory for agents and the people behind them.
#[derive(Debug, Parser)]
#[command(name = "image-memory", version, propagate_version = true)]
pub struct Cli {
    /// Where packages and data lie.
    #[arg(long, global = true, default_value = ".dev", value_name = "DIR")]
    pub dev_dir: PathBuf,
    /// Where the data lies [default: DIR/data].
    #[arg(long, global = true, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What the command line can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Save ten photographs, find them again by words and by altered copies, and judge the result.
    Demo {
        /// Pictures to save.
        #[arg(long, default_value = "tests/fixtures/photos", value_name = "DIR")]
        photos: PathBuf,
    },
    /// Run the server on loopback over the same data, until interrupted.
    Dev {
        /// Where to listen.
        #[arg(long, default_value = "127.0.0.1:8787", value_name = "ADDRESS")]
        listen: SocketAddr,
    },
    /// Bring the database's schema up to date.
    Migrate,
    /// Tenants.
    #[command(subcommand)]
    Identity(IdentityCommand),
    /// Keys of a tenant.
    #[command(subcommand)]
    Key(KeyCommand),
    /// Tell what a save would say of a file, and write its preview beside it.
    Inspect {
        /// The file.
        file: PathBuf,
        /// Type to declare for it, such as image/png.
        #[arg(long, value_name = "TYPE")]
        mime_type: Option<String>,
    },
    /// Run a command with a throwaway Postgres in TEST_DATABASE_ADMIN_URL, and pass on its exit code.
    #[command(hide = true)]
    WithPostgres {
        /// The command and its arguments.
        #[arg(trailing_var_arg = true, required = true, allow_hyphen_values = true)]
        command: Vec<String>,
    },
}

/// What can be done with tenants.
#[derive(Debug, Subcommand)]
pub enum IdentityCommand {
    /// Make a tenant, with its vault Library.
    Create {
        /// Name of the tenant, such as an e-mail address; others never see it.
        identity: String,
        /// Name that colleagues see.
        #[arg(long, value_name = "NAME")]
        display_name: String,
        /// Plan.
        #[arg(long, default_value = "default")]
        plan: String,
    },
}

/// What can be done with keys.
#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Issue a key; it is shown once.
    Create {
        /// The tenant.
        identity: String,
        /// What the key may do.
        #[command(flatten)]
        grant: Grant,
    },
    /// List a tenant's keys, without secrets.
    List {
        /// The tenant.
        identity: String,
    },
    /// Issue a key that replaces another; both work during the overlap.
    Rotate {
        /// The tenant.
        identity: String,
        /// The key to replace, as `mky_…`.
        key: String,
        /// Hours that the old key works on.
        #[arg(long, default_value_t = 24, value_name = "HOURS", value_parser = clap::value_parser!(u32).range(0..=720))]
        overlap_hours: u32,
    },
    /// End a key at once.
    Revoke {
        /// The tenant.
        identity: String,
        /// The key, as `mky_…`.
        key: String,
    },
}

/// What a new key is.
#[derive(Debug, Args)]
pub struct Grant {
    /// Name of the key.
    #[arg(long)]
    pub name: String,
    /// Where it is used: web, desktop, cli, cursor or other.
    #[arg(long, default_value = "cli", value_parser = str::parse::<Surface>)]
    pub surface: Surface,
    /// What it may do: read, write, delete, admin.
    #[arg(long, value_delimiter = ',', default_value = "read,write", value_parser = str::parse::<Scope>)]
    pub scopes: Vec<Scope>,
    /// Days until it ends; without it, it does not.
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=3650))]
    pub expires_in_days: Option<u32>,
}
