//! The closed catalogue of errors, and the one error type.
//!
//! An [`Error`] has two sides: `message` is for the caller and holds no secret; `source` is for the
//! log. Every code has one HTTP status, one remedy and one answer to "may I try again" (design §4).

use std::{error::Error as StdError, fmt, sync::LazyLock};

use serde_json::{Map, Value};

macro_rules! catalogue {
    ($($code:ident, $name:literal, $status:literal, $retryable:literal, $remedy:literal;)*) => {
        /// Every way in which a call can fail. The list is closed; docs/errors.md is made from it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "each variant's meaning is its name and its remedy below")]
        pub enum ErrorCode { $($code,)* }

        impl ErrorCode {
            /// All codes, in the order of docs/errors.md.
            pub const ALL: &'static [Self] = &[$(Self::$code,)*];

            /// The code's name, as answers, logs and rows carry it.
            #[must_use]
            pub const fn name(self) -> &'static str { match self { $(Self::$code => $name,)* } }

            /// The HTTP status that carries it.
            #[must_use]
            pub const fn http_status(self) -> u16 { match self { $(Self::$code => $status,)* } }

            /// Whether the same call may succeed later without being changed.
            #[must_use]
            pub const fn retryable(self) -> bool { match self { $(Self::$code => $retryable,)* } }

            /// What the caller can do about it, in one sentence.
            #[must_use]
            pub const fn remedy(self) -> &'static str { match self { $(Self::$code => $remedy,)* } }

            /// Finds a code by its stored name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$code),)* _ => None }
            }
        }
    };
}

catalogue! {
    InvalidArgument, "invalid_argument", 400, false, "Correct the argument that the message names and call again.";
    InvalidText, "invalid_text", 400, false, "Send text without NUL characters and lone surrogates, within the stated length.";
    InvalidBase64, "invalid_base64", 400, false, "Send the image as standard or URL-safe base64, with or without padding or a data: prefix.";
    InvalidCursor, "invalid_cursor", 400, false, "Start again without a cursor, and change nothing else between two pages.";
    InvalidUrl, "invalid_url", 400, false, "Send an absolute https URL without a user name or password.";
    Unauthenticated, "unauthenticated", 401, false, "Send a live key as `Authorization: Bearer imk_…`.";
    ForbiddenScope, "forbidden_scope", 403, false, "Use a key that has the scope named in the message.";
    ForbiddenMembership, "forbidden_membership", 403, false, "Ask the vault's owner for the right named in the message.";
    NotFound, "not_found", 404, false, "Check the id; it does not exist, or you have no access to it.";
    RouteNotFound, "route_not_found", 404, false, "Call POST /v1/tools/{name} with a name from docs/tools.md.";
    MethodNotAllowed, "method_not_allowed", 405, false, "Use the method that the Allow header names.";
    Conflict, "conflict", 409, false, "Read the current state and decide again.";
    NameTaken, "name_taken", 409, false, "Choose another name; case, width and invisible characters do not tell names apart.";
    IdempotencyConflict, "idempotency_conflict", 409, false, "Use a new idempotency key for a different request.";
    IdempotencyInFlight, "idempotency_in_flight", 409, true, "Wait the stated seconds and repeat the same request with the same key.";
    Quarantined, "quarantined", 409, false, "These bytes were found to be unsafe or undecodable; save another picture or ask an administrator to release them.";
    UseUpload, "use_upload", 413, false, "Base64 holds at most 4 MiB; shrink the picture, or use a direct upload where the deployment offers one.";
    ImageTooLarge, "image_too_large", 413, false, "Send an image within the byte limit that the message names.";
    UnsupportedMediaType, "unsupported_media_type", 422, false, "Convert the picture to JPEG, PNG, WebP or GIF.";
    MimeMismatch, "mime_mismatch", 422, false, "Declare the type that the bytes have, or declare none.";
    EmptyImage, "empty_image", 422, false, "Send the image's bytes; there were none.";
    InvalidDimensions, "invalid_dimensions", 422, false, "Send an image whose header gives a width and a height of at least 1.";
    TooManyPixels, "too_many_pixels", 422, false, "Scale the picture down to the pixel limit that the message names.";
    TooManyFrames, "too_many_frames", 422, false, "Send an animation within the frame limit that the message names.";
    ImageTruncated, "image_truncated", 422, false, "The file ends early; fetch or export it again.";
    ImageCorrupt, "image_corrupt", 422, false, "The file is damaged; open it in an image editor and export it again.";
    Polyglot, "polyglot", 422, false, "The file carries another document behind the picture; export the picture alone.";
    DecodeWorkExceeded, "decode_work_exceeded", 422, false, "Export the picture again, without its many progressive scans.";
    ProviderRejectedImage, "provider_rejected_image", 422, false, "The embedding provider refuses this picture; the original is kept.";
    FetchBlocked, "fetch_blocked", 422, false, "Use a public https address.";
    FetchFailed, "fetch_failed", 422, true, "Check that the address answers with an image, and try again.";
    FetchTimeout, "fetch_timeout", 504, true, "The server was too slow; try again later.";
    QuotaExceeded, "quota_exceeded", 402, false, "Delete assets or ask for a larger plan.";
    SpendLimitReached, "spend_limit_reached", 402, false, "Wait for the next day or ask for a larger budget.";
    RateLimited, "rate_limited", 429, true, "Wait the stated seconds and call again.";
    FeatureDisabled, "feature_disabled", 503, false, "An operator must set ASSET_FEATURE_ENABLED to true.";
    SearchDisabled, "search_disabled", 503, false, "An operator must set ASSET_SEARCH_ENABLED to true.";
    ReadOnly, "read_only", 503, false, "The service accepts no changes at the moment; an operator must lift read-only mode.";
    ProviderUnavailable, "provider_unavailable", 503, true, "The embedding provider does not answer; try again later.";
    StoreUnavailable, "store_unavailable", 503, true, "The object store does not answer; try again later.";
    DatabaseUnavailable, "database_unavailable", 503, true, "The database does not answer; try again later.";
    BadVector, "bad_vector", 500, false, "The embedding provider broke its contract; an operator must look at it.";
    UnknownExecution, "unknown_execution", 500, false, "A paid call began and its end is unknown; retry the embedding on purpose.";
    Internal, "internal", 500, true, "Try again; if it lasts, report the request id.";
}

/// What went wrong: a code, a sentence for the caller, and the cause for the log.
#[derive(thiserror::Error)]
#[error("{}: {message}", code.name())]
pub struct Error {
    code: ErrorCode,
    message: String,
    retry_after_seconds: Option<u32>,
    details: Option<Box<Map<String, Value>>>,
    #[source]
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// The result of everything that can fail with an [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error of `code` with a sentence for the caller: lower case, no full stop, no secret.
    #[must_use]
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            retry_after_seconds: None,
            details: None,
            source: None,
        }
    }

    /// The answer for every id that does not exist or is not the caller's; always the same words.
    #[must_use]
    pub fn not_found(kind: &'static str) -> Self {
        Self::new(ErrorCode::NotFound, format!("{kind} not found"))
    }

    /// A fault of ours: the caller reads only that it is one, the log reads the cause.
    #[must_use]
    pub fn internal(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::new(ErrorCode::Internal, "internal error").because(cause)
    }

    /// Adds the cause, for the log alone.
    #[must_use]
    pub fn because(mut self, cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.source = Some(cause.into());
        self
    }

    /// Says when to try again.
    #[must_use]
    pub fn retry_after(mut self, seconds: u32) -> Self {
        self.retry_after_seconds = Some(seconds);
        self
    }

    /// Adds one machine-readable fact, such as a limit; never a secret or the caller's own text.
    #[must_use]
    pub fn detail(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.details
            .get_or_insert_default()
            .insert(name.to_owned(), value.into());
        self
    }

    /// The code.
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        self.code
    }

    /// The sentence for the caller.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Seconds to wait before a repeat, where they are known.
    #[must_use]
    pub const fn retry_after_seconds(&self) -> Option<u32> {
        self.retry_after_seconds
    }

    /// Machine-readable facts.
    #[must_use]
    pub fn details(&self) -> &Map<String, Value> {
        static NONE: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);
        self.details.as_deref().unwrap_or(&NONE)
    }
}

// The derived form would print the cause, which may quote what must not be logged at every level.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("code", &self.code)
            .field("message", &self.message)
            .field("source", &self.source.as_ref().map(ToString::to_string))
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_name_of_its_own_a_remedy_and_an_error_status() {
        let mut names = std::collections::HashSet::new();
        for code in ErrorCode::ALL {
            assert!(names.insert(code.name()), "{code:?} repeats a name");
            assert_eq!(ErrorCode::from_name(code.name()), Some(*code));
            assert!((400..=599).contains(&code.http_status()), "{code:?}");
            assert!(code.remedy().ends_with('.'), "{code:?}");
        }
    }

    #[test]
    fn the_cause_is_not_in_the_message() {
        let error = Error::internal("password=hunter2");
        assert!(!error.message().contains("hunter2"));
        assert!(!error.to_string().contains("hunter2"));
    }
}
