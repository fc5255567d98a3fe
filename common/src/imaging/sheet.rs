//! What a model is shown: a contact sheet of numbered tiles, or the thumbnail of one preview.
//!
//! The one thing to know: previews are decoded one at a time and straight to the size at which they
//! are shown, so that thirty tiles need no more memory than one. Besides the sheet itself (3.5 MB) lie
//! in memory at most one preview's pixels, of no more than twice the edge at which it is shown (17 MB
//! for a transparent preview of 2,048 x 2,048 that is the only tile), and what libwebp works with.

use crate::error::{Error, Result};

use super::{
    Limits, error,
    header::{self, Body},
    raster::{Layout, Raster},
    riff,
    webp::{self, Effort},
};

/// No contact sheet and no thumbnail has as many bytes as this.
pub const SHEET_MAX_BYTES: usize = 200_000;
/// Most tiles of a contact sheet.
pub const SHEET_TILES_MAX: usize = 30;
/// Longest edge of a contact sheet, in pixels. One, two, three, four, five and six columns divide it.
pub const SHEET_MAX_EDGE: u32 = 1_080;
/// Longest edge of a thumbnail, in pixels.
pub const THUMBNAIL_MAX_EDGE: u32 = 1_024;

/// Between the tiles, and where the last row has none.
const PAPER: [u8; 3] = [240; 3];
/// Behind a tile's picture, and all there is of a blank one: halfway, so that transparent drawings show
/// on it whether they are black or white.
const BACKDROP: [u8; 3] = [128; 3];
/// Paper around a tile, in pixels.
const MARGIN: u32 = 3;
/// Qualities in the order in which they are tried. Photographs fit the first or second, noise the last.
const QUALITIES: [f32; 5] = [75.0, 55.0, 35.0, 15.0, 0.0];
/// What the edges are divided by, one after the other, when no quality is small enough. A quarter is
/// at most 73,000 pixels, and lossy WebP never needs three bytes for one.
const DIVISORS: [u32; 3] = [1, 2, 4];

/// Sides of a digit, in dots.
const DIGIT: (u32, u32) = (5, 7);
/// The digits from 0 to 9: rows from top to bottom, the highest of five bits on the left.
const DIGITS: [[u8; 7]; 10] = [
    [0x0e, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0e],
    [0x04, 0x0c, 0x04, 0x04, 0x04, 0x04, 0x0e],
    [0x0e, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1f],
    [0x0e, 0x11, 0x01, 0x06, 0x01, 0x11, 0x0e],
    [0x02, 0x06, 0x0a, 0x12, 0x1f, 0x02, 0x02],
    [0x1f, 0x10, 0x1e, 0x01, 0x01, 0x11, 0x0e],
    [0x06, 0x08, 0x10, 0x1e, 0x11, 0x11, 0x0e],
    [0x1f, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08],
    [0x0e, 0x11, 0x11, 0x0e, 0x11, 0x11, 0x0e],
    [0x0e, 0x11, 0x11, 0x0f, 0x01, 0x02, 0x0c],
];
const PLATE: [u8; 3] = [0; 3];
const INK: [u8; 3] = [255; 3];
/// The ink around a plate that sets it off from a dark picture, in pixels.
const RIM: u32 = 2;

/// Draws previews as one lossy WebP of less than [`SHEET_MAX_BYTES`], in a grid about as wide as high,
/// of at most six columns, row by row. Its longest edge is at most [`SHEET_MAX_EDGE`] pixels.
///
/// Tile `n` shows the preview `tiles[n - 1]`: whole, centred, never enlarged, transparency over grey,
/// with the number `n` on a plate in its upper left corner. `None`, and bytes that are not a preview
/// or not a whole one, give a blank tile with its number: one bad object costs no sheet.
///
/// Errors: `internal` when there are no tiles or more than [`SHEET_TILES_MAX`]; whoever calls counts
/// them first.
pub fn contact_sheet(tiles: &[Option<&[u8]>]) -> Result<Vec<u8>> {
    contact_sheet_below(tiles, SHEET_MAX_BYTES)
}

/// Does what [`contact_sheet`] does, with less than `limit` bytes.
pub(super) fn contact_sheet_below(tiles: &[Option<&[u8]>], limit: usize) -> Result<Vec<u8>> {
    if tiles.is_empty() || tiles.len() > SHEET_TILES_MAX {
        let count = tiles.len();
        return Err(Error::internal(format!("a contact sheet of {count} tiles")));
    }
    smallest_loss(limit, |divisor| Ok(draw(tiles, divisor)))
}

/// Makes the WebP of one preview by which a model can see it: longest edge at most
/// [`THUMBNAIL_MAX_EDGE`] pixels and never enlarged, less than [`SHEET_MAX_BYTES`], and opaque:
/// transparency lies over the same grey as in a contact sheet.
///
/// Errors: those of [`inspect`](super::inspect) and [`process`](super::process) for damaged pictures;
/// `image_corrupt` also for a picture that is not WebP.
pub fn thumbnail(preview: &[u8]) -> Result<Vec<u8>> {
    thumbnail_below(preview, SHEET_MAX_BYTES)
}

/// Does what [`thumbnail`] does, with less than `limit` bytes.
pub(super) fn thumbnail_below(preview: &[u8], limit: usize) -> Result<Vec<u8>> {
    smallest_loss(limit, |divisor| {
        decode(preview, THUMBNAIL_MAX_EDGE / divisor)
    })
}

/// Encodes the largest raster that can have less than `limit` bytes, at the best quality that does.
fn smallest_loss(limit: usize, raster: impl Fn(u32) -> Result<Raster>) -> Result<Vec<u8>> {
    let efforts = QUALITIES.map(|quality| Effort {
        quality,
        alpha_quality: 100,
        method: 4,
    });
    for divisor in DIVISORS {
        let most = limit.saturating_sub(1) as u64;
        if let Some(webp) = webp::encode_within(&raster(divisor)?, &efforts, most)? {
            return Ok(webp);
        }
    }
    Err(Error::internal(format!(
        "a small picture does not fit {limit} bytes"
    )))
}

/// Decodes a preview to fit `edge`, over grey.
fn decode(preview: &[u8], edge: u32) -> Result<Raster> {
    // No original is larger than the default limits allow, hence no preview.
    let opened = header::open(preview, None, &Limits::default())?;
    let Body::Webp(structure) = opened.body else {
        return Err(error::corrupt("it is no preview"));
    };
    Ok(riff::decode(preview, &structure, edge)?.over(BACKDROP))
}

/// Draws the whole sheet, with tiles of the largest edge divided by `divisor`.
fn draw(tiles: &[Option<&[u8]>], divisor: u32) -> Raster {
    let count = tiles.len() as u32;
    let columns = (1..6).find(|side| side * side >= count).unwrap_or(6);
    let pitch = SHEET_MAX_EDGE / columns / divisor;
    let edge = pitch - 2 * MARGIN;
    let mut sheet = Sheet::new(columns * pitch, count.div_ceil(columns) * pitch);
    for (number, tile) in (1..).zip(tiles) {
        let (column, row) = ((number - 1) % columns, (number - 1) / columns);
        let (left, top) = (column * pitch + MARGIN, row * pitch + MARGIN);
        sheet.fill((left, top), (edge, edge), BACKDROP);
        if let Some(picture) = tile.and_then(|preview| decode(preview, edge).ok()) {
            let beside = (edge - picture.width) / 2;
            let above = (edge - picture.height) / 2;
            sheet.lay((left + beside, top + above), &picture);
        }
        sheet.number((left, top), number, (pitch / 60).clamp(2, 4));
    }
    sheet.0
}

/// The RGB raster that is drawn on. Places are in pixels: from the left, from the top.
struct Sheet(Raster);

impl Sheet {
    fn new(width: u32, height: u32) -> Self {
        Self(Raster {
            layout: Layout::Rgb,
            width,
            height,
            pixels: PAPER.repeat(width as usize * height as usize),
        })
    }

    /// The bytes of one row of pixels.
    fn row(&mut self, (left, top): (u32, u32), width: u32) -> &mut [u8] {
        let start = (top as usize * self.0.width as usize + left as usize) * 3;
        &mut self.0.pixels[start..start + width as usize * 3]
    }

    fn fill(&mut self, (left, top): (u32, u32), (width, height): (u32, u32), colour: [u8; 3]) {
        for y in top..top + height {
            let (pixels, _) = self.row((left, y), width).as_chunks_mut::<3>();
            pixels.fill(colour);
        }
    }

    fn lay(&mut self, (left, top): (u32, u32), picture: &Raster) {
        let rows = picture.pixels.chunks_exact(picture.width as usize * 3);
        for (y, row) in (top..).zip(rows) {
            self.row((left, y), picture.width).copy_from_slice(row);
        }
    }

    /// Writes a number from 1 to 99 on a plate whose upper left corner is `(left, top)`; a dot has
    /// sides of `dot` pixels.
    fn number(&mut self, (left, top): (u32, u32), number: u32, dot: u32) {
        let digits = [number / 10, number % 10];
        let digits = &digits[usize::from(number < 10)..];
        // A dot of plate stands around each digit; neighbours share it.
        let dots = (digits.len() as u32 * (DIGIT.0 + 1) + 1, DIGIT.1 + 2);
        let plate = (dots.0 * dot, dots.1 * dot);
        self.fill((left, top), (plate.0 + 2 * RIM, plate.1 + 2 * RIM), INK);
        self.fill((left + RIM, top + RIM), plate, PLATE);
        for (place, &digit) in (0..).zip(digits) {
            let from = left + RIM + (place * (DIGIT.0 + 1) + 1) * dot;
            for (y, bits) in (1..).zip(DIGITS[digit as usize % 10]) {
                for x in (0..DIGIT.0).filter(|x| bits >> (DIGIT.0 - 1 - x) & 1 == 1) {
                    self.fill((from + x * dot, top + RIM + y * dot), (dot, dot), INK);
                }
            }
        }
    }
}
