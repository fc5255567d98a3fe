//! What the tests of the store share: a plain session, and a small world of two owners.

pub(crate) mod caller;
pub(crate) mod meter;
pub(crate) mod pgbouncer;
pub(crate) mod session;
pub(crate) mod world;

pub(crate) use session::Session;
