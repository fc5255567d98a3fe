//! Numbers that callers meet, with the place they come from. Those an operator may change are in
//! `config`; these are not.

/// Longest title, in Unicode scalars after cleaning (§9.5).
pub const TITLE_MAX: usize = 240;
/// Longest description of an asset.
pub const DESCRIPTION_MAX: usize = 4_000;
/// Longest alternative text.
pub const ALT_TEXT_MAX: usize = 1_000;
/// Longest name of a project or folder (§9.2, §9.3).
pub const NAME_MAX: usize = 120;
/// Longest description of a project (§9.2).
pub const PROJECT_DESCRIPTION_MAX: usize = 2_000;
/// Most tags on an asset.
pub const TAGS_MAX: usize = 32;
/// Longest tag.
pub const TAG_MAX: usize = 64;
/// Largest `sourceRef` or `metadata`, as JSON bytes after cleaning.
pub const JSON_MAX_BYTES: usize = 8 * 1024;
/// Deepest nesting of `sourceRef` or `metadata`.
pub const JSON_MAX_DEPTH: usize = 4;
/// Most keys in all of `sourceRef` or `metadata`.
pub const JSON_MAX_KEYS: usize = 64;
/// Longest stored failure message or last error.
pub const FAILURE_MESSAGE_MAX: usize = 500;
/// Longest idempotency key.
pub const IDEMPOTENCY_KEY_MAX: usize = 200;
/// Most text of a search query, in scalars.
pub const QUERY_TEXT_MAX: usize = 2_000;
/// Most text that goes into a fused embedding, in scalars.
pub const FUSED_TEXT_MAX: usize = 2_000;
/// Largest image that base64 may carry, decoded: function payloads end at 6 MB.
pub const BASE64_MAX_BYTES: usize = 4 * 1024 * 1024;
/// Deepest folder (§9.3).
pub const FOLDER_DEPTH_MAX: usize = 8;
/// Most frames of an animation.
pub const FRAMES_MAX: usize = 1_000;
/// Rows each search leg may bring into the fusion.
pub const SEARCH_LEG_MAX: usize = 400;
/// Rows of one search page (§14.2).
pub const SEARCH_PAGE_MAX: usize = 30;
/// Rows that paging through one search can reach.
pub const SEARCH_TOTAL_MAX: usize = 300;
/// Longest wait of a get for its asset to settle, in seconds.
pub const WAIT_SECONDS_MAX: u32 = 20;
/// Dimensions of every vector (§10.1).
pub const DIMENSIONS: usize = 1024;
/// What one stored vector counts against the quota, in bytes.
pub const VECTOR_BYTES: i64 = 4_096;
/// Attempts of an embedding job in all (§13.1).
pub const JOB_ATTEMPTS_MAX: i32 = 5;
/// Seconds that one embedding lease lasts.
pub const JOB_LEASE_SECONDS: i64 = 120;
/// Messages that one run of `embed` takes.
pub const EMBED_BATCH_MAX: usize = 10;
/// Seconds that a save without a key is the same save as its twin.
pub const DERIVED_KEY_SECONDS: i64 = 600;
/// Days that an idempotency record lives.
pub const IDEMPOTENCY_DAYS: i64 = 7;
/// Seconds after which an idempotent call that never finished may be taken over.
pub const IN_FLIGHT_SECONDS: i64 = 60;
/// Minutes that an unfinished reservation holds its bytes.
pub const RESERVATION_MINUTES: i64 = 15;
/// Minutes that a query vector is kept for paging.
pub const QUERY_VECTOR_MINUTES: i64 = 10;
/// Rows of one page of a list (A7).
pub const LIST_PAGE_MAX: usize = 100;
/// Vaults that one call may name.
pub const VAULTS_MAX: usize = 100;
/// Hosts that a filter may name.
pub const SOURCE_HOSTS_MAX: usize = 32;
/// Assets that one call may move or delete.
pub const BATCH_MAX: usize = 100;
/// Largest assets that a usage report names.
pub const LARGEST_MAX: usize = 25;
/// Periods that a usage report covers.
pub const PERIODS_MAX: u32 = 31;
/// Objects that one run of sweep purges.
pub const PURGE_BATCH: i64 = 100;
/// Minutes after which a purge that a killed run began is taken up again.
pub const PURGE_RETAKE_MINUTES: i64 = 10;
