//! Surfaces: how calls come in and answers go out.

pub mod http;
pub mod mcp;
mod outcome;
pub mod problem;
pub mod stdio;
