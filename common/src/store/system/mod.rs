//! The few functions that know no owner yet: they run as `im_system`, which sees all rows. Everything
//! here is called by the product itself or by an operator, never on behalf of a request's arguments.

pub mod audit;
pub mod identities;
pub mod jobs;
pub mod keys;
pub mod objects;
pub mod plans;
pub mod quota;
pub mod vaults;
