//! The refusals that several formats share, each worded once.

use crate::error::{Error, ErrorCode};

use super::Limits;

/// The bytes are another kind of thing; `seen` names it.
pub(super) fn unsupported(seen: &'static str) -> Error {
    Error::new(
        ErrorCode::UnsupportedMediaType,
        format!("the bytes are {seen}, which is not accepted"),
    )
    .detail("seen", seen)
}

/// Another document travels with the picture; `seen` names it.
pub(super) fn polyglot(seen: &'static str, place: &'static str) -> Error {
    Error::new(
        ErrorCode::Polyglot,
        format!("the picture carries {seen} {place} it"),
    )
    .detail("seen", seen)
}

/// The file ends before its first picture does.
pub(super) fn truncated(what: &'static str) -> Error {
    Error::new(
        ErrorCode::ImageTruncated,
        format!("the file ends early: {what}"),
    )
}

/// The file breaks its format's rules.
pub(super) fn corrupt(what: &'static str) -> Error {
    Error::new(
        ErrorCode::ImageCorrupt,
        format!("the file is damaged: {what}"),
    )
}

/// A decoder refuses the pixel data; its own words go to the log alone.
pub(super) fn bad_data(cause: impl std::error::Error + Send + Sync + 'static) -> Error {
    corrupt("its picture data are not valid").because(cause)
}

/// Decoding would cost more than a picture may.
pub(super) fn work_exceeded(what: &'static str, limit: u64) -> Error {
    Error::new(
        ErrorCode::DecodeWorkExceeded,
        format!("decoding would cost too much: {what} above {limit}"),
    )
    .detail("limit", limit)
}

/// The animation is too long.
pub(super) fn too_many_frames(limits: &Limits) -> Error {
    let limit = limits.max_frames;
    Error::new(
        ErrorCode::TooManyFrames,
        format!("more than {limit} frames"),
    )
    .detail("limit", limit)
}

/// The canvas, a frame, or all frames together are too large.
pub(super) fn too_many_pixels(what: &'static str, pixels: u64, limit: u64) -> Error {
    Error::new(
        ErrorCode::TooManyPixels,
        format!("{what} has {pixels} pixels, the limit is {limit}"),
    )
    .detail("limit", limit)
    .detail("pixels", pixels)
}
