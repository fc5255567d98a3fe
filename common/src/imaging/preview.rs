//! The sanitized preview: a lossy WebP that holds pixels and nothing else.

use crate::error::{Error, Result};

use super::{Limits, raster::Raster, shrink, webp};

/// WebP cannot store a longer side.
const SIDE_MAX: u32 = 16_383;
/// Bytes of a preview besides what its pixels need.
const FIXED_BYTES: u64 = 4_096;
/// Quality of colours and of alpha, tried in this order until the preview fits its bound.
const LADDER: [(f32, i32); 4] = [(80.0, 100), (60.0, 60), (30.0, 20), (0.0, 0)];

/// A small picture for eyes and models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// A complete WebP file without EXIF, ICC and XMP.
    pub webp: Vec<u8>,
    /// Width in pixels, at least 1.
    pub width: u32,
    /// Height in pixels, at least 1.
    pub height: u32,
}

/// The longest edge a preview may have.
pub(super) fn edge(limits: &Limits) -> u32 {
    limits.preview_max_edge.clamp(1, SIDE_MAX)
}

/// An upper bound in bytes for the preview of a `width` x `height` picture, whichever way it is
/// turned: 4,096 bytes, and three bytes for every four pixels of the preview. It can be known before
/// the picture is decoded, and no preview is larger: one that would be is encoded again at lower
/// quality and, should that not do, at a smaller size.
#[must_use]
pub fn preview_bound(width: u32, height: u32, limits: &Limits) -> u64 {
    let (width, height) = shrink::fitted(width, height, edge(limits));
    let pixels = u64::from(width) * u64::from(height);
    FIXED_BYTES + (pixels * 3).div_ceil(4)
}

/// Encodes an RGB or RGBA picture in at most `bound` bytes, and in 4,096 if the bound is below that.
pub(super) fn encode(raster: &Raster, bound: u64) -> Result<Preview> {
    let bound = bound.max(FIXED_BYTES);
    for (quality, alpha_quality) in LADDER {
        let webp = webp::encode(raster, quality, alpha_quality)?;
        if webp.len() as u64 <= bound {
            return Ok(Preview {
                webp,
                width: raster.width,
                height: raster.height,
            });
        }
    }
    let half = raster.width.max(raster.height) / 2;
    if half == 0 {
        return Err(Error::internal(
            "a preview of one pixel does not fit its bound",
        ));
    }
    let smaller = shrink::Shrinker::new(raster.layout, (raster.width, raster.height), half)
        .whole(&raster.pixels)?;
    encode(&smaller, bound)
}
