//! Bytes of a picture become a checked header and a sanitized preview.
//!
//! The one thing to know: whatever a header can tell is judged before a pixel buffer exists, and the
//! bytes decide what a picture is; names and declared types only get to contradict them.
//!
//! The path is one way: `sniff` names the format, the format's own module walks its container
//! (`jpeg`, `png`, `gif`, `riff`) and decodes its first picture, `shrink` resizes it strip by strip
//! while it is decoded, `colour` brings it to sRGB, `raster` turns it upright, `preview` encodes it.
//! Beside it, `sheet` makes what a model is shown out of previews.

mod colour;
mod error;
mod exif;
mod gif;
mod header;
mod jpeg;
mod png;
mod preview;
mod raster;
mod riff;
mod sheet;
mod shrink;
mod sniff;
mod warning;
mod webp;

#[cfg(test)]
mod tests;

use crate::{error::Result, limits};

pub use header::{Format, Header};
pub use preview::{Preview, preview_bound};
pub use sheet::{
    SHEET_MAX_BYTES, SHEET_MAX_EDGE, SHEET_TILES_MAX, THUMBNAIL_MAX_EDGE, contact_sheet, thumbnail,
};
pub use warning::Warning;

use header::{Body, Opened};

/// What a picture may cost. An operator may change the numbers; the rules stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Most bytes of an original.
    pub max_bytes: u64,
    /// Most pixels of the canvas, and of any frame on it.
    pub max_pixels: u64,
    /// Longest edge of a preview, in pixels; above 16,383 it counts as 16,383, WebP's own limit.
    pub preview_max_edge: u32,
    /// Most frames of an animation.
    pub max_frames: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_bytes: 20 * 1024 * 1024,
            max_pixels: 40_000_000,
            preview_max_edge: 2048,
            max_frames: u32::try_from(limits::FRAMES_MAX).unwrap_or(u32::MAX),
        }
    }
}

/// A picture that was decoded in full.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// What the bytes are.
    pub format: Format,
    /// Pixels from left to right, after rotation.
    pub width: u32,
    /// Pixels from top to bottom, after rotation.
    pub height: u32,
    /// Whether the original holds more than the picture that the preview shows.
    pub animated: bool,
    /// What was passed over to get here.
    pub warnings: Vec<Warning>,
    /// The first picture: upright, sRGB, small, without metadata.
    pub preview: Preview,
}

/// Says what the bytes are, without decoding a pixel. `declared` is the media type that the caller
/// claims; a claim that contradicts the bytes is an error.
///
/// Errors, in the order of judgement: `empty_image`, `image_too_large`, `unsupported_media_type` or
/// `polyglot` (another document in front), `mime_mismatch`, `invalid_dimensions`, `too_many_pixels`,
/// then what the container shows: `too_many_frames`, `decode_work_exceeded`, `image_truncated`,
/// `image_corrupt`, `polyglot` (another document behind).
pub fn inspect(bytes: &[u8], declared: Option<&str>, limits: &Limits) -> Result<Header> {
    header::open(bytes, declared, limits).map(|opened| opened.header)
}

/// Does what [`inspect`] does, then decodes the first picture to its last row and makes the preview.
///
/// Errors: those of [`inspect`], with `image_truncated` and `image_corrupt` also for the pixel data.
pub fn process(bytes: &[u8], declared: Option<&str>, limits: &Limits) -> Result<Picture> {
    let Opened {
        header,
        body,
        profile,
    } = header::open(bytes, declared, limits)?;
    let edge = preview::edge(limits);
    let small = match &body {
        Body::Jpeg(structure) => jpeg::decode(bytes, structure, edge)?,
        Body::Png(structure) => png::decode(bytes, structure, edge)?,
        Body::Gif(structure) => gif::decode(bytes, structure, edge)?,
        Body::Webp(structure) => riff::decode(bytes, structure, edge)?,
    };
    let mut warnings = header.warnings;
    let upright = colour::to_srgb(small, &profile, &mut warnings)?.turned(header.orientation);
    let bound = preview_bound(header.width, header.height, limits);
    let preview = preview::encode(&upright, bound)?;
    Ok(Picture {
        format: header.format,
        width: header.width,
        height: header.height,
        animated: header.animated,
        warnings,
        preview,
    })
}
