//! Surfaces: how calls come in and answers go out.

pub mod http;
pub mod problem;
