//! The sanitized preview: a lossy WebP that holds pixels and nothing else.

use crate::error::{Error, Result};

use super::{
    Limits,
    raster::{Layout, Raster},
    shrink::{Shrinker, fitted},
    webp::{self, Effort},
};

/// WebP cannot store a longer side.
const SIDE_MAX: u32 = 16_383;
/// Bytes of a preview besides what its pixels need.
const FIXED_BYTES: u64 = 4_096;
/// What a preview that does not fit its bound is encoded with the next times: little effort, because
/// only noise gets here.
const AGAIN: [Effort; 2] = [
    Effort {
        quality: 40.0,
        alpha_quality: 0,
        method: 1,
    },
    Effort {
        quality: 0.0,
        alpha_quality: 0,
        method: 1,
    },
];

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
/// turned: one byte for each of the preview's pixels, and 4,096. Photographs need a fifth of it; pure
/// noise fits it.
///
/// It is known before the picture is decoded, and no preview is larger: one that would be is encoded
/// again at lower quality and, should that not do, at half its size.
#[must_use]
pub fn preview_bound(width: u32, height: u32, limits: &Limits) -> u64 {
    let (width, height) = fitted(width, height, edge(limits));
    FIXED_BYTES + u64::from(width) * u64::from(height)
}

/// Encodes an RGB or RGBA picture in at most `bound` bytes, or 4,096 if that is more.
pub(super) fn encode(raster: &Raster, bound: u64) -> Result<Preview> {
    let bound = bound.max(FIXED_BYTES);
    let first = Effort {
        quality: 80.0,
        alpha_quality: alpha_quality(raster),
        method: 4,
    };
    let [second, third] = AGAIN;
    if let Some(webp) = webp::encode_within(raster, &[first, second, third], bound)? {
        return Ok(Preview {
            webp,
            width: raster.width,
            height: raster.height,
        });
    }
    let half = raster.width.max(raster.height) / 2;
    if half == 0 {
        return Err(Error::internal(
            "a preview of one pixel does not fit its bound",
        ));
    }
    let shrinker = Shrinker::new(raster.layout, (raster.width, raster.height), half);
    encode(&shrinker.whole(&raster.pixels)?, bound)
}

/// How well alpha is kept: exactly, unless it is noise. Noise costs a byte a pixel and seconds of work,
/// and nobody can see whether it is right.
fn alpha_quality(raster: &Raster) -> i32 {
    match surprise_of_alpha(raster) {
        bits if bits <= 2.0 => 100,
        bits if bits <= 3.0 => 60,
        _ => 0,
    }
}

/// Bits a pixel of what neighbours do not foretell about alpha, in steps of eight, from every fourth
/// row. Shapes, soft shadows and gradients have almost none, noise has five.
fn surprise_of_alpha(raster: &Raster) -> f64 {
    if raster.layout != Layout::Rgba {
        return 0.0;
    }
    let (pixels, _) = raster.pixels.as_chunks::<4>();
    let rows: Vec<&[[u8; 4]]> = pixels.chunks_exact(raster.width as usize).collect();
    let mut counts = [0_u32; 32];
    for pair in rows.windows(2).step_by(4) {
        for (above, here) in pair[0].windows(2).zip(pair[1].windows(2)) {
            let foretold = here[0][3]
                .wrapping_add(above[1][3])
                .wrapping_sub(above[0][3]);
            let surprise = here[1][3].wrapping_sub(foretold).wrapping_add(4);
            counts[usize::from(surprise >> 3)] += 1;
        }
    }
    let total = f64::from(counts.iter().sum::<u32>().max(1));
    let used = counts.into_iter().filter(|&count| count > 0);
    used.map(|count| f64::from(count) / total)
        .map(|share| -share * share.log2())
        .sum()
}
