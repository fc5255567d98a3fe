//! The one test binary: everything that needs Postgres.

mod arrows;
mod cases;
mod embedding;
mod migrations;
mod save;
mod search;
mod sources;
mod surface;
