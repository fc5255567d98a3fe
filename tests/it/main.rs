//! The one test binary: everything that needs Postgres.

mod cases;
mod embedding;
mod migrations;
mod save;
mod search;
mod surface;
