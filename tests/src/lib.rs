//! What the tests share: the whole application over real Postgres and memory ports.
