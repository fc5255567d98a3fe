//! The order of judgement before any pixel: size, signature, declared type, dimensions, container,
//! and whatever stands behind the picture.

use crate::error::{Error, ErrorCode, Result};

use super::{
    Limits, Warning, colour::Profile, error, exif::Orientation, gif, jpeg, png, riff, sniff,
};

/// Longest side of a picture. JPEG and GIF cannot say more, and a row must stay small in memory.
const SIDE_MAX: u64 = 65_535;
/// All frames of an animation together hold at most this many canvases of the largest size.
const ANIMATION_CANVASES: u64 = 50;

/// The accepted formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// JPEG, and MPO as its first picture.
    Jpeg,
    /// PNG, and APNG as its default picture.
    Png,
    /// WebP, lossy, lossless or animated.
    Webp,
    /// GIF.
    Gif,
}

impl Format {
    /// The media type, as stored and served.
    #[must_use]
    pub const fn mime(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Webp => "image/webp",
            Self::Gif => "image/gif",
        }
    }

    /// The extension of an original's key, without a dot.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::Webp => "webp",
            Self::Gif => "gif",
        }
    }

    /// The format of a media type without parameters, in any letter case, old aliases included.
    #[must_use]
    pub fn from_mime(mime: &str) -> Option<Self> {
        match mime.to_ascii_lowercase().as_str() {
            "image/jpeg" | "image/jpg" | "image/pjpeg" | "image/mpo" => Some(Self::Jpeg),
            "image/png" | "image/x-png" | "image/apng" => Some(Self::Png),
            "image/webp" => Some(Self::Webp),
            "image/gif" => Some(Self::Gif),
            _ => None,
        }
    }
}

/// What a picture says of itself, checked as far as is possible without decoding it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// What the bytes are.
    pub format: Format,
    /// Pixels from left to right, after rotation.
    pub width: u32,
    /// Pixels from top to bottom, after rotation.
    pub height: u32,
    /// Whether the file holds more than the picture that a preview shows.
    pub animated: bool,
    /// Pictures in the file: 1, or the frames that are there.
    pub frames: u32,
    /// Exif's number, from 1 to 8; 1 when the file says nothing valid.
    pub orientation: u8,
    /// Whether the first picture can be transparent.
    pub has_alpha: bool,
    /// What was passed over so far.
    pub warnings: Vec<Warning>,
}

/// What a format's module finds in its container.
pub(super) struct Facts {
    /// Stored width and height, checked by [`check_size`].
    pub(super) size: (u32, u32),
    pub(super) frames: u32,
    pub(super) animated: bool,
    pub(super) has_alpha: bool,
    pub(super) orientation: Orientation,
    pub(super) profile: Profile,
    /// Behind the last byte of the first picture, and of further pictures that follow it.
    pub(super) end: usize,
    pub(super) end_of_all: usize,
    pub(super) warnings: Vec<Warning>,
}

/// How to decode the first picture.
pub(super) enum Body {
    Jpeg(jpeg::Structure),
    Png(png::Structure),
    Gif(gif::Structure),
    Webp(riff::Structure),
}

/// A picture that may be decoded.
pub(super) struct Opened {
    pub(super) header: Header,
    pub(super) body: Body,
    pub(super) profile: Profile,
}

/// Judges everything but pixels.
pub(super) fn open(bytes: &[u8], declared: Option<&str>, limits: &Limits) -> Result<Opened> {
    if bytes.is_empty() {
        return Err(Error::new(ErrorCode::EmptyImage, "there are no bytes"));
    }
    let length = bytes.len() as u64;
    if length > limits.max_bytes {
        let limit = limits.max_bytes;
        return Err(Error::new(
            ErrorCode::ImageTooLarge,
            format!("{length} bytes, the limit is {limit}"),
        )
        .detail("limit", limit));
    }
    let format = sniff::identify(bytes)?;
    sniff::check_declared(format, declared)?;
    let (facts, body) = match format {
        Format::Jpeg => {
            jpeg::read(bytes, limits).map(|(facts, found)| (facts, Body::Jpeg(found)))?
        }
        Format::Png => png::read(bytes, limits).map(|(facts, found)| (facts, Body::Png(found)))?,
        Format::Gif => gif::read(bytes, limits).map(|(facts, found)| (facts, Body::Gif(found)))?,
        Format::Webp => {
            riff::read(bytes, limits).map(|(facts, found)| (facts, Body::Webp(found)))?
        }
    };
    check_animation(&facts, limits)?;
    Ok(Opened {
        header: header(format, &facts, bytes)?,
        body,
        profile: facts.profile,
    })
}

fn header(format: Format, facts: &Facts, bytes: &[u8]) -> Result<Header> {
    let mut warnings = facts.warnings.clone();
    for end in [facts.end, facts.end_of_all] {
        if let Some(seen) = sniff::document_behind(bytes.get(end..).unwrap_or_default()) {
            return Err(error::polyglot(seen, "behind"));
        }
    }
    if facts.end_of_all > facts.end {
        warnings.push(Warning::MultiPicture);
    } else if facts.end < bytes.len() {
        warnings.push(Warning::TrailingData);
    }
    let orientation = match facts.orientation {
        Orientation::Unstated => 1,
        Orientation::Stated(number) => number,
        Orientation::Invalid => {
            warnings.push(Warning::OrientationInvalid);
            1
        }
    };
    let (width, height) = if orientation > 4 {
        (facts.size.1, facts.size.0)
    } else {
        facts.size
    };
    Ok(Header {
        format,
        width,
        height,
        animated: facts.animated,
        frames: facts.frames,
        orientation,
        has_alpha: facts.has_alpha,
        warnings,
    })
}

/// Judges the size of a canvas or a frame (`what`) and gives it back in the type that pixels use.
pub(super) fn check_size(
    what: &'static str,
    width: u64,
    height: u64,
    limits: &Limits,
) -> Result<(u32, u32)> {
    let refused = |message: String| Error::new(ErrorCode::InvalidDimensions, message);
    if width == 0 || height == 0 {
        return Err(refused(format!("{what} measures {width} x {height}")));
    }
    let pixels = width.saturating_mul(height);
    if pixels > limits.max_pixels {
        return Err(error::too_many_pixels(what, pixels, limits.max_pixels));
    }
    if width.max(height) > SIDE_MAX {
        let message =
            format!("{what} measures {width} x {height}, the longest side allowed is {SIDE_MAX}");
        return Err(refused(message).detail("limit", SIDE_MAX));
    }
    match (u32::try_from(width), u32::try_from(height)) {
        (Ok(width), Ok(height)) => Ok((width, height)),
        _ => Err(refused(format!("{what} measures {width} x {height}"))),
    }
}

/// Frames times canvas has a bound of its own: whoever plays the original pays for all of them.
fn check_animation(facts: &Facts, limits: &Limits) -> Result<()> {
    if facts.frames > limits.max_frames {
        return Err(error::too_many_frames(limits));
    }
    let canvas = u64::from(facts.size.0) * u64::from(facts.size.1);
    let pixels = canvas.saturating_mul(u64::from(facts.frames));
    let limit = limits.max_pixels.saturating_mul(ANIMATION_CANVASES);
    if pixels > limit {
        Err(error::too_many_pixels("the animation", pixels, limit))
    } else {
        Ok(())
    }
}
