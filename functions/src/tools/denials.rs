//! Denied calls leave a line in the access log, each in a transaction of its own.

use common::{
    app::App,
    error::{Error, ErrorCode, Result},
    store::{access::OwnerAccess, access_log},
};

/// Whether an error tells that the caller may not do this, or may not know of it.
const fn is_denial(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::Unauthenticated
            | ErrorCode::ForbiddenScope
            | ErrorCode::ForbiddenMembership
            | ErrorCode::NotFound
    )
}

/// Passes an error on; a denial is noted first. One that cannot be noted becomes `database_unavailable`.
pub(super) async fn passed_on(
    app: &App,
    caller: &OwnerAccess,
    tool: &'static str,
    error: Error,
) -> Error {
    match note(app, caller, tool, error.code()).await {
        Ok(()) => error,
        Err(unavailable) => unavailable,
    }
}

/// Notes a denial of part of a call, whose other parts go on.
///
/// # Errors
/// `database_unavailable`.
pub(super) async fn note(
    app: &App,
    caller: &OwnerAccess,
    tool: &'static str,
    code: ErrorCode,
) -> Result<()> {
    if !is_denial(code) {
        return Ok(());
    }
    let now = app.clock.now();
    // A key without any right to its owner's rows still leaves its line.
    app.store
        .run_tx("access_log.denied", caller, |tx| async move {
            access_log::denied(&tx, caller, tool, code, now).await
        })
        .await
}
