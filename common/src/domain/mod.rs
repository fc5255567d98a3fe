//! The rules of image memory, without anything that waits, reads or writes: a call with the same
//! arguments gives the same answer. Imports only `ids`, `error` and `limits`.

pub mod byte_range;
pub mod cursor;
pub mod fingerprint;
pub mod fused_text;
pub mod fusion;
pub mod image_input;
pub mod keys;
pub mod names;
pub mod quota;
pub mod signing;
pub mod source;
pub mod status;
pub mod text;
mod unicode;
pub mod vector;
