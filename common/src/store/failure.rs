//! What a database failure means: SQLSTATE and constraint names, mapped to the catalogue.

use std::fmt;

use tokio_postgres::error::SqlState;

use crate::error::{Error, ErrorCode};

/// Constraints whose violation is the caller's to know, with the code and sentence for it. Any other
/// violation is a fault of ours.
const CONSTRAINTS: &[(&str, ErrorCode, &str)] = &[
    (
        "mem_identities_pkey",
        ErrorCode::NameTaken,
        "an identity of this name exists",
    ),
    (
        "mem_keys_identity_fkey",
        ErrorCode::NotFound,
        "identity not found",
    ),
    (
        "mem_asset_namespaces_plan_fkey",
        ErrorCode::InvalidArgument,
        "there is no such plan",
    ),
    (
        "mem_vaults_identity_fkey",
        ErrorCode::NotFound,
        "identity not found",
    ),
    (
        "mem_vaults_handle_key",
        ErrorCode::NameTaken,
        "a vault of this name exists",
    ),
    (
        "mem_asset_projects_name_uidx",
        ErrorCode::NameTaken,
        "a project of this name exists in the vault",
    ),
    (
        "mem_asset_folders_name_uidx",
        ErrorCode::NameTaken,
        "a folder of this name exists beside it",
    ),
    (
        "mem_assets_project_fkey",
        ErrorCode::NotFound,
        "project not found",
    ),
    (
        "mem_assets_folder_fkey",
        ErrorCode::NotFound,
        "folder not found",
    ),
    (
        "mem_asset_objects_sha256_uidx",
        ErrorCode::Conflict,
        "another save of the same bytes is under way",
    ),
];

/// The cause as the log may read it: SQLSTATE and the server's sentence, which names constraints and
/// tables. Never the row that the server quotes beside it, nor a value that it could not read.
#[derive(Debug)]
struct Cause(tokio_postgres::Error);

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_db_error() {
            None => self.0.fmt(f),
            // Class 22 is about values, and quotes them.
            Some(database) if database.code().code().starts_with("22") => {
                f.write_str(database.code().code())
            }
            Some(database) => write!(f, "{}: {}", database.code().code(), database.message()),
        }
    }
}

impl std::error::Error for Cause {}

/// The error for what the driver reports.
pub(crate) fn from_postgres(error: tokio_postgres::Error) -> Error {
    let known = match error.as_db_error() {
        None => Some((
            ErrorCode::DatabaseUnavailable,
            "the database does not answer",
        )),
        Some(database) => {
            let named = CONSTRAINTS
                .iter()
                .find(|known| database.constraint() == Some(known.0));
            let outage = is_outage(database.code());
            named.map(|known| (known.1, known.2)).or(outage.then_some((
                ErrorCode::DatabaseUnavailable,
                "the database does not answer",
            )))
        }
    };
    match known {
        Some((code, message)) => Error::new(code, message).because(Cause(error)),
        None => Error::internal(Cause(error)),
    }
}

/// Whether the transaction lost a race and may simply run again.
pub(crate) fn is_race(error: &Error) -> bool {
    sql_state(error).is_some_and(|state| {
        *state == SqlState::T_R_SERIALIZATION_FAILURE || *state == SqlState::T_R_DEADLOCK_DETECTED
    })
}

/// Whether the connection was lost: no answer, or the server says that it goes away.
pub(crate) fn is_lost_connection(error: &Error) -> bool {
    let Some(cause) = postgres_cause(error) else {
        return false;
    };
    cause.is_closed()
        || cause.as_db_error().is_some_and(|database| {
            [
                SqlState::ADMIN_SHUTDOWN,
                SqlState::CRASH_SHUTDOWN,
                SqlState::CANNOT_CONNECT_NOW,
            ]
            .contains(database.code())
        })
        || (cause.as_db_error().is_none() && has_io_cause(cause))
}

fn is_outage(state: &SqlState) -> bool {
    let code = state.code();
    // 08 connection, 40 a race lost too often, 53 resources, 57P server going away, 57014 our own timeout.
    code.starts_with("08")
        || code.starts_with("40")
        || code.starts_with("53")
        || code.starts_with("57P")
        || code == "57014"
}

fn postgres_cause(error: &Error) -> Option<&tokio_postgres::Error> {
    std::error::Error::source(error)?
        .downcast_ref()
        .map(|cause: &Cause| &cause.0)
}

fn sql_state(error: &Error) -> Option<&SqlState> {
    postgres_cause(error)?.code()
}

fn has_io_cause(error: &tokio_postgres::Error) -> bool {
    std::error::Error::source(error).is_some_and(<dyn std::error::Error>::is::<std::io::Error>)
}
