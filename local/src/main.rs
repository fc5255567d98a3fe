//! `image-memory`: one process with everything, and the operator's commands.

use std::process::ExitCode;

use clap::Parser;
use common::{
    config::{Environment, log_filter},
    error::{Error, Result},
};
use local::{
    admin, bring,
    cli::{Cli, Command},
    demo,
    dev_dir::DevDir,
    inspect, mcp, serve, with_postgres,
};
use tokio::runtime::Runtime;

fn main() -> ExitCode {
    let cli = Cli::parse();
    common::telemetry::init(log_filter(&Environment).as_deref());
    let code = Runtime::new().map_err(Error::internal).and_then(|runtime| {
        let result = runtime.block_on(run(cli));
        // Standard input that nobody closes must not keep the process.
        runtime.shutdown_background();
        result
    });
    code.unwrap_or_else(|error| {
        eprintln!("image-memory: {}", sentence(&error));
        ExitCode::FAILURE
    })
}

async fn run(cli: Cli) -> Result<ExitCode> {
    let mut dev = DevDir::new(cli.dev_dir);
    if let Some(data) = cli.data_dir {
        dev = dev.with_data(data);
    }
    let say: &bring::Progress<'_> = &|line| eprintln!("  {line}");
    match cli.command {
        Command::Demo { photos } => return demo::run(&dev, &photos, say).await,
        Command::Dev { listen } => serve::run(&dev, listen, say).await?,
        Command::Mcp { url, toolset } => mcp::run(&dev, url, toolset, say).await?,
        Command::Migrate => admin::migrate(&dev, say).await?,
        Command::Identity(command) => admin::identity(&dev, say, command).await?,
        Command::Key(command) => admin::keys::run(&dev, say, command).await?,
        Command::Vault(command) => admin::vaults::run(&dev, say, command).await?,
        Command::Plan(command) => admin::plans::run(&dev, say, command).await?,
        Command::Audit(audit) => admin::audit::run(&dev, say, audit).await?,
        Command::Sweep => admin::sweep::run(&dev, say).await?,
        Command::Inspect { file, mime_type } => {
            let accepted = inspect::run(&file, mime_type.as_deref())?;
            return Ok(if accepted {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            });
        }
        Command::WithPostgres { command } => return with_postgres::run(&dev, &command, say).await,
    }
    Ok(ExitCode::SUCCESS)
}

/// An error for a person: the message, and the remedy where the message brings none of its own.
fn sentence(error: &Error) -> String {
    use common::error::ErrorCode;
    match error.code() {
        ErrorCode::InvalidArgument | ErrorCode::Conflict => error.message().to_owned(),
        code => format!("{}. {}", error.message(), code.remedy()),
    }
}
