//! The one test binary: everything that needs Postgres.

mod migrations;
mod embedding;
mod save;
