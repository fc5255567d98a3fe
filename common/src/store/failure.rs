//! What a database failure means: SQLSTATE and constraint names, mapped to the catalogue.

use tokio_postgres::error::SqlState;

use crate::error::{Error, ErrorCode};

/// Constraints whose violation is the caller's to know, with the code and sentence for it. Any other
/// violation is a fault of ours.
const CONSTRAINTS: &[(&str, ErrorCode, &str)] = &[
    ("mem_identities_pkey", ErrorCode::NameTaken, "an identity of this name exists"),
    ("mem_keys_identity_fkey", ErrorCode::NotFound, "identity not found"),
    ("mem_asset_namespaces_plan_fkey", ErrorCode::InvalidArgument, "there is no such plan"),
    ("mem_vaults_handle_key", ErrorCode::NameTaken, "a vault of this name exists"),
    ("mem_asset_projects_name_uidx", ErrorCode::NameTaken, "a project of this name exists in the vault"),
    ("mem_asset_folders_name_uidx", ErrorCode::NameTaken, "a folder of this name exists beside it"),
    ("mem_assets_project_fkey", ErrorCode::NotFound, "project not found"),
    ("mem_assets_folder_fkey", ErrorCode::NotFound, "folder not found"),
    ("mem_asset_objects_sha256_uidx", ErrorCode::Conflict, "another save of the same bytes is under way"),
];

/// The error for what the driver reports.
pub(crate) fn from_postgres(error: tokio_postgres::Error) -> Error {
    let Some(database) = error.as_db_error() else {
        return Error::new(ErrorCode::DatabaseUnavailable, "the database does not answer").because(error);
    };
    if let Some((_, code, message)) =
        database.constraint().and_then(|name| CONSTRAINTS.iter().find(|known| known.0 == name))
    {
        return Error::new(*code, *message).because(error);
    }
    if is_outage(database.code()) {
        return Error::new(ErrorCode::DatabaseUnavailable, "the database does not answer").because(error);
    }
    Error::internal(error)
}

/// Whether the transaction lost a race and may simply run again.
pub(crate) fn is_race(error: &Error) -> bool {
    sql_state(error).is_some_and(|state| {
        *state == SqlState::T_R_SERIALIZATION_FAILURE || *state == SqlState::T_R_DEADLOCK_DETECTED
    })
}

/// Whether the connection was lost: no answer, or the server says that it goes away.
pub(crate) fn is_lost_connection(error: &Error) -> bool {
    let Some(cause) = postgres_cause(error) else { return false };
    cause.is_closed()
        || cause.as_db_error().is_some_and(|database| {
            [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN, SqlState::CANNOT_CONNECT_NOW]
                .contains(database.code())
        })
        || (cause.as_db_error().is_none() && has_io_cause(cause))
}

fn is_outage(state: &SqlState) -> bool {
    let code = state.code();
    // 08 connection, 40 a race lost too often, 53 resources, 57P server going away, 57014 our own timeout.
    code.starts_with("08") || code.starts_with("40") || code.starts_with("53") || code.starts_with("57P") || code == "57014"
}

fn postgres_cause(error: &Error) -> Option<&tokio_postgres::Error> {
    std::error::Error::source(error)?.downcast_ref()
}

fn sql_state(error: &Error) -> Option<&SqlState> {
    postgres_cause(error)?.code()
}

fn has_io_cause(error: &tokio_postgres::Error) -> bool {
    std::error::Error::source(error).is_some_and(<dyn std::error::Error>::is::<std::io::Error>)
}
