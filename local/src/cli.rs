//! The command line.

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};
use common::{
    auth::{Scope, Surface},
    contract::Membership,
};

use crate::admin::vaults::membership;

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
    /// Serve MCP over standard input and output, for an agent on this machine.
    Mcp {
        /// Be a client of this deployment, with the key in IMAGE_MEMORY_KEY [default: IMAGE_MEMORY_URL, else
        /// the embedded stack].
        #[arg(long, value_name = "URL")]
        url: Option<String>,
        /// Which tools to show.
        #[arg(long, value_enum, default_value_t = Toolset::Core)]
        toolset: Toolset,
    },
    /// Bring the database's schema up to date.
    Migrate,
    /// Tenants.
    #[command(subcommand)]
    Identity(IdentityCommand),
    /// Keys of a tenant.
    #[command(subcommand)]
    Key(KeyCommand),
    /// Vaults of a tenant, and who else may enter them.
    #[command(subcommand)]
    Vault(VaultCommand),
    /// What tenants may use.
    #[command(subcommand)]
    Plan(PlanCommand),
    /// Read who did what to a tenant's things, newest first, one JSON object a line.
    Audit(Audit),
    /// Purge the bytes of deleted images whose grace is over, and end what killed saves hold.
    Sweep,
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

/// A set of tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Toolset {
    /// Those for every day.
    Core,
    /// All.
    All,
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

/// What can be done with vaults.
#[derive(Debug, Subcommand)]
pub enum VaultCommand {
    /// Make a vault.
    Create {
        /// The tenant.
        identity: String,
        /// Its handle, 1 to 120 characters.
        handle: String,
    },
    /// List a tenant's own vaults.
    List {
        /// The tenant.
        identity: String,
    },
    /// Let a colleague enter a vault, or change what the colleague may do there.
    Share {
        /// The tenant that owns the vault.
        identity: String,
        /// The vault, by handle or as `avl_…`.
        vault: String,
        /// The colleague, as `idn_…`.
        #[arg(long, value_name = "IDN")]
        with: String,
        /// What the colleague may do: read, write (create and move as well) or admin (delete as well).
        #[arg(long, default_value = "read", value_parser = membership)]
        membership: Membership,
    },
    /// End a colleague's membership at once.
    Unshare {
        /// The tenant that owns the vault.
        identity: String,
        /// The vault, by handle or as `avl_…`.
        vault: String,
        /// The colleague, as `idn_…`.
        #[arg(long, value_name = "IDN")]
        with: String,
    },
    /// List who else may enter a vault.
    Members {
        /// The tenant that owns the vault.
        identity: String,
        /// The vault, by handle or as `avl_…`.
        vault: String,
    },
}

/// What can be done with plans.
#[derive(Debug, Subcommand)]
pub enum PlanCommand {
    /// List the plans.
    List,
    /// Put a tenant under a plan.
    Set {
        /// The tenant.
        identity: String,
        /// Name of the plan.
        plan: String,
    },
}

/// Which lines to read.
#[derive(Debug, Args)]
pub struct Audit {
    /// The tenant.
    pub identity: String,
    /// Only lines about this image, as `ast_…`.
    #[arg(long, value_name = "AST")]
    pub asset: Option<String>,
    /// At or after this instant, such as 2026-01-31T00:00:00Z.
    #[arg(long, value_name = "INSTANT")]
    pub from: Option<String>,
    /// Before this instant.
    #[arg(long, value_name = "INSTANT")]
    pub before: Option<String>,
    /// Most lines.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub limit: u32,
    /// Which record to read.
    #[arg(long, value_enum, default_value_t = Record::Provenance)]
    pub record: Record,
}

/// A record of what happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Record {
    /// Who did what.
    Provenance,
    /// Links issued and calls denied.
    Access,
}
