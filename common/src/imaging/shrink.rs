//! Resizing by Lanczos3, strip by strip while rows arrive, so that a large picture never lies in
//! memory as a whole.
//!
//! Rows are taken in the picture's own samples (grey, CMYK and profile colours included) and in their
//! own gamma, as the usual tools do; colour follows on the small picture. A strip sees the rows above
//! and below it that its filter reaches, so that strips leave no seams.

use fast_image_resize::{
    PixelType, ResizeOptions, Resizer,
    images::{Image, ImageRef},
};

use crate::error::{Error, Result};

use super::raster::{Layout, Raster};

/// Source bytes that one strip aims at.
const STRIP_BYTES: usize = 12 * 1024 * 1024;
/// How far Lanczos3 reaches, in pixels of the smaller side.
const REACH: f64 = 3.0;

/// The size of a picture whose longest edge is at most `edge`: never larger, each side at least 1.
pub(super) fn fitted(width: u32, height: u32, edge: u32) -> (u32, u32) {
    let longest = u64::from(width.max(height));
    let edge = u64::from(edge.max(1));
    if longest <= edge {
        return (width, height);
    }
    let side = |length: u32| {
        let scaled = (u64::from(length) * edge + longest / 2) / longest;
        u32::try_from(scaled.clamp(1, edge)).unwrap_or(1)
    };
    (side(width), side(height))
}

/// Takes the rows of a picture and gives the picture that fits a longest edge.
pub(super) struct Shrinker {
    layout: Layout,
    source: (u32, u32),
    target: (u32, u32),
    /// Rows of the target that one strip makes.
    strip: u32,
    /// Rows `window_top..received` of the source.
    window: Vec<u8>,
    window_top: usize,
    received: usize,
    done: u32,
    pixels: Vec<u8>,
    resizer: Resizer,
}

impl Shrinker {
    /// A shrinker for a picture of `source` size; both sides must be at least 1.
    pub(super) fn new(layout: Layout, source: (u32, u32), edge: u32) -> Self {
        let target = fitted(source.0, source.1, edge);
        let rows_per_row = f64::from(source.1) / f64::from(target.1);
        let row_bytes = source.0 as usize * layout.channels();
        let strip = STRIP_BYTES as f64 / (row_bytes as f64 * rows_per_row);
        Self {
            layout,
            source,
            target,
            strip: (strip as u32).clamp(8, 512),
            window: Vec::new(),
            window_top: 0,
            received: 0,
            done: 0,
            pixels: Vec::with_capacity(target.0 as usize * target.1 as usize * layout.channels()),
            resizer: Resizer::new(),
        }
    }

    /// Takes the next rows, whole ones.
    pub(super) fn push(&mut self, rows: &[u8]) -> Result<()> {
        if self.target == self.source {
            self.pixels.extend_from_slice(rows);
            return Ok(());
        }
        self.window.extend_from_slice(rows);
        self.received += rows.len() / self.row_bytes();
        while self.done < self.target.1 && self.received >= self.reach(self.done).1 {
            let (top, bottom) = self.reach(self.done);
            let start = (top - self.window_top) * self.row_bytes();
            let end = (bottom - self.window_top) * self.row_bytes();
            let window = std::mem::take(&mut self.window);
            let resized = self.resize_strip(&window[start..end], top);
            self.window = window;
            resized?;
            self.forget_rows();
        }
        Ok(())
    }

    /// Takes all rows at once, without copying them.
    pub(super) fn whole(mut self, rows: &[u8]) -> Result<Raster> {
        if self.target == self.source {
            self.pixels.extend_from_slice(rows);
            return self.finish();
        }
        while self.done < self.target.1 {
            let (top, bottom) = self.reach(self.done);
            let wanted = rows.get(top * self.row_bytes()..bottom * self.row_bytes());
            self.resize_strip(wanted.ok_or_else(short)?, top)?;
        }
        self.finish()
    }

    /// The small picture; every row must have been given.
    pub(super) fn finish(self) -> Result<Raster> {
        let (width, height) = self.target;
        if self.pixels.len() != width as usize * height as usize * self.layout.channels() {
            return Err(short());
        }
        Ok(Raster {
            layout: self.layout,
            width,
            height,
            pixels: self.pixels,
        })
    }

    fn row_bytes(&self) -> usize {
        self.source.0 as usize * self.layout.channels()
    }

    fn scale(&self) -> f64 {
        f64::from(self.source.1) / f64::from(self.target.1)
    }

    /// The source rows that the strip beginning at target row `from` reads: first, and one past the last.
    fn reach(&self, from: u32) -> (usize, usize) {
        let scale = self.scale();
        let margin = REACH * scale.max(1.0) + 1.0;
        let to = from.saturating_add(self.strip).min(self.target.1);
        let top = (f64::from(from) * scale - margin).floor().max(0.0) as usize;
        let bottom = (f64::from(to) * scale + margin).ceil() as usize;
        (top, bottom.min(self.source.1 as usize))
    }

    /// Drops the rows that no later strip reads.
    fn forget_rows(&mut self) {
        let keep_from = if self.done < self.target.1 {
            self.reach(self.done).0
        } else {
            self.received
        };
        let rows = keep_from.saturating_sub(self.window_top);
        let bytes = (rows * self.row_bytes()).min(self.window.len());
        self.window.drain(..bytes);
        self.window_top += rows;
    }

    /// Makes the next strip of the target from source rows that begin at row `top`.
    fn resize_strip(&mut self, rows: &[u8], top: usize) -> Result<()> {
        let count = self.strip.min(self.target.1 - self.done);
        let height = u32::try_from(rows.len() / self.row_bytes()).map_err(Error::internal)?;
        let pixel = match self.layout {
            Layout::Gray => PixelType::U8,
            Layout::GrayAlpha => PixelType::U8x2,
            Layout::Rgb => PixelType::U8x3,
            Layout::Rgba | Layout::Cmyk => PixelType::U8x4,
        };
        let offset = (f64::from(self.done) * self.scale() - top as f64).max(0.0);
        let mut extent = f64::from(count) * self.scale();
        while offset + extent > f64::from(height) {
            extent = extent.next_down().min(f64::from(height) - offset);
        }
        let options = ResizeOptions::new()
            .crop(0.0, offset, f64::from(self.source.0), extent)
            .use_alpha(self.layout.has_alpha());
        let source = ImageRef::new(self.source.0, height, rows, pixel).map_err(Error::internal)?;
        let mut strip = Image::new(self.target.0, count, pixel);
        self.resizer
            .resize(&source, &mut strip, &options)
            .map_err(Error::internal)?;
        self.pixels.extend_from_slice(strip.buffer());
        self.done += count;
        Ok(())
    }
}

fn short() -> Error {
    Error::internal("a decoder gave fewer rows than its header promised")
}
