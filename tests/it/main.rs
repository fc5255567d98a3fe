//! The one test binary: everything that needs Postgres.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "in tests a panic is the report"
)]

mod arrows;
mod budget;
mod cases;
mod deletion;
mod descriptions;
mod embedding;
mod entropy;
mod generated;
mod house_rules;
mod links;
mod listing;
mod mcp;
mod migrations;
mod misuse;
mod model;
mod moving;
mod organise;
mod policies;
mod pooling;
mod records;
mod rights;
mod save;
mod schema;
mod schemas_hold;
mod search;
mod sources;
mod statements;
mod support;
mod surface;
mod tenancy;
mod toolset;
mod transactions;
mod usage;
