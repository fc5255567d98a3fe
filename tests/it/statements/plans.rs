//! How the hot statements are planned.
