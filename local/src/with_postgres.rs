//! `with-postgres`: a throwaway server for one command, such as the tests.

use std::process::ExitCode;

use common::error::{Error, ErrorCode, Result};
use tokio::process::Command;

use crate::{
    bring::{self, Progress},
    dev_dir::DevDir,
    postgres::EmbeddedPostgres,
};

/// Runs a command with `TEST_DATABASE_ADMIN_URL` set, stops and removes the server, and passes on the
/// command's exit code.
///
/// # Errors
/// When the server or the command cannot be started.
pub async fn run(dev: &DevDir, command: &[String], say: &Progress<'_>) -> Result<ExitCode> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(Error::new(
            ErrorCode::InvalidArgument,
            "name the command to run",
        ));
    };
    bring::postgres(dev, say).await?;
    let server = EmbeddedPostgres::start_throwaway(dev).await?;
    let status = Command::new(program)
        .args(arguments)
        .env("TEST_DATABASE_ADMIN_URL", server.admin_url())
        .status()
        .await;
    server.stop().await?;
    let status = status.map_err(|error| {
        Error::new(
            ErrorCode::InvalidArgument,
            format!("{program} cannot be run: {error}"),
        )
        .because(error)
    })?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
