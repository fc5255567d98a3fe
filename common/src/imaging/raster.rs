//! Decoded pixels: eight bits a sample, rows without padding.

/// What the samples of a pixel mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// One grey sample.
    Gray,
    /// Grey and alpha, not multiplied.
    GrayAlpha,
    /// Red, green, blue.
    Rgb,
    /// Red, green, blue and alpha, not multiplied.
    Rgba,
    /// Cyan, magenta, yellow, black: 0 is no ink.
    Cmyk,
}

impl Layout {
    /// Bytes of one pixel.
    pub(super) const fn channels(self) -> usize {
        match self {
            Self::Gray => 1,
            Self::GrayAlpha => 2,
            Self::Rgb => 3,
            Self::Rgba | Self::Cmyk => 4,
        }
    }

    /// Whether the last sample is alpha.
    pub(super) const fn has_alpha(self) -> bool {
        matches!(self, Self::GrayAlpha | Self::Rgba)
    }
}

/// A picture in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Raster {
    pub(super) layout: Layout,
    pub(super) width: u32,
    pub(super) height: u32,
    /// `width * height * layout.channels()` bytes.
    pub(super) pixels: Vec<u8>,
}

impl Raster {
    /// The picture turned upright. `orientation` is Exif's number; 1 leaves everything as it is.
    pub(super) fn turned(self, orientation: u8) -> Self {
        match self.layout.channels() {
            1 => self.turned_by::<1>(orientation),
            2 => self.turned_by::<2>(orientation),
            3 => self.turned_by::<3>(orientation),
            _ => self.turned_by::<4>(orientation),
        }
    }

    /// An RGBA picture as RGB, laid over one colour; any other layout stays as it is.
    pub(super) fn over(self, colour: [u8; 3]) -> Self {
        if self.layout != Layout::Rgba {
            return self;
        }
        let (pixels, _) = self.pixels.as_chunks::<4>();
        let mixed = |sample: u8, under: u8, alpha: u8| {
            let (alpha, clear) = (u16::from(alpha), u16::from(255 - alpha));
            ((u16::from(sample) * alpha + u16::from(under) * clear + 127) / 255) as u8
        };
        let opaque = pixels.iter().flat_map(|&[red, green, blue, alpha]| {
            [
                mixed(red, colour[0], alpha),
                mixed(green, colour[1], alpha),
                mixed(blue, colour[2], alpha),
            ]
        });
        Self {
            layout: Layout::Rgb,
            pixels: opaque.collect(),
            ..self
        }
    }

    fn turned_by<const N: usize>(self, orientation: u8) -> Self {
        let (w, h) = (self.width as usize, self.height as usize);
        let (right, bottom) = (w.saturating_sub(1), h.saturating_sub(1).saturating_mul(w));
        // Where the upright picture's first pixel lies, and which way its rows and columns run.
        let (start, column, row) = match orientation {
            2 => (right, Step::Back(1), Step::On(w)),
            3 => (bottom + right, Step::Back(1), Step::Back(w)),
            4 => (bottom, Step::On(1), Step::Back(w)),
            5 => (0, Step::On(w), Step::On(1)),
            6 => (bottom, Step::Back(w), Step::On(1)),
            7 => (bottom + right, Step::Back(w), Step::Back(1)),
            8 => (right, Step::On(w), Step::Back(1)),
            _ => return self,
        };
        let (width, height) = if orientation > 4 {
            (self.height, self.width)
        } else {
            (self.width, self.height)
        };
        let (source, _) = self.pixels.as_chunks::<N>();
        let mut pixels = Vec::with_capacity(self.pixels.len());
        for y in 0..height as usize {
            let first = row.from(start, y);
            for x in 0..width as usize {
                pixels.extend_from_slice(&source[column.from(first, x)]);
            }
        }
        Self {
            layout: self.layout,
            width,
            height,
            pixels,
        }
    }
}

/// A walk over pixels, towards the end or towards the beginning.
#[derive(Clone, Copy)]
enum Step {
    On(usize),
    Back(usize),
}

impl Step {
    fn from(self, start: usize, count: usize) -> usize {
        match self {
            Self::On(step) => start + step * count,
            Self::Back(step) => start - step * count,
        }
    }
}
