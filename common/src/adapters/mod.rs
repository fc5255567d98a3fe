//! The real forms of the ports; the only room that names an SDK, and, with `fetch`, an HTTP client.

pub mod clock;
pub mod local_objects;
