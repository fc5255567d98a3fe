//! The application: the store, the ports and the numbers, wired once per process. Local, tests and cloud
//! differ in what they put in here, and in who calls the handlers; in nothing else.

use std::{sync::Arc, time::Duration};

use crate::{
    config::Config,
    domain::signing::TokenKeys,
    ids::EnvPrefix,
    imaging, limits,
    ports::{Clock, Embedder, ObjectStore, Queue},
    store::Store,
};

/// What handlers are called with.
#[derive(Clone)]
pub struct App {
    /// Postgres.
    pub store: Store,
    /// Private bytes.
    pub objects: Arc<dyn ObjectStore>,
    /// Hints.
    pub queue: Arc<dyn Queue>,
    /// Vectors.
    pub embedder: Arc<dyn Embedder>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Keys that sign cursors.
    pub tokens: TokenKeys,
    /// Numbers and flags.
    pub settings: Settings,
}

/// Numbers and flags that handlers read.
#[derive(Debug, Clone)]
pub struct Settings {
    /// First part of every object key.
    pub env_prefix: EnvPrefix,
    /// What pictures are accepted.
    pub imaging: imaging::Limits,
    /// Life of a signed link.
    pub signed_get_ttl: Duration,
    /// How long the bytes of a deleted asset are kept.
    pub delete_grace: Duration,
    /// Longest provider call.
    pub provider_deadline: Duration,
    /// Whether any tool answers.
    pub feature_enabled: bool,
    /// Whether search answers.
    pub search_enabled: bool,
    /// Hosts under which MCP over HTTP answers; none means any.
    pub allowed_hosts: Vec<String>,
    /// Web origins that MCP over HTTP answers.
    pub allowed_origins: Vec<String>,
}

impl Settings {
    /// The settings that a configuration gives.
    #[must_use]
    pub fn from_config(config: &Config) -> Self {
        Self {
            env_prefix: config.env_prefix.clone(),
            imaging: imaging::Limits {
                max_bytes: config.max_bytes,
                max_pixels: config.max_pixels,
                preview_max_edge: config.preview_max_edge,
                max_frames: u32::try_from(limits::FRAMES_MAX).unwrap_or(u32::MAX),
            },
            signed_get_ttl: config.signed_get_ttl,
            delete_grace: config.delete_grace,
            provider_deadline: Duration::from_secs(20),
            feature_enabled: config.feature_enabled,
            search_enabled: config.search_enabled,
            allowed_hosts: config.allowed_hosts.clone(),
            allowed_origins: config.allowed_origins.clone(),
        }
    }
}
