//! GIF: blocks are walked by hand, the first frame is decoded as palette indices, one byte a pixel.
//!
//! The frame is laid on its canvas while it is resized; what it leaves uncovered is transparent, as
//! browsers show it, whatever background colour the file names.

use std::ops::Range;

use gif::{ColorOutput, DecodeOptions, DecodingError, MemoryLimit};

use crate::error::{Error, Result};

use super::{
    Limits, Warning,
    colour::Profile,
    error,
    exif::Orientation,
    header::{Facts, check_size},
    raster::{Layout, Raster},
    shrink::Shrinker,
};

/// Rows that are expanded from the palette at a time.
const ROWS: usize = 64;

/// The first frame and the canvas it lies on.
pub(super) struct Structure {
    canvas: (u32, u32),
    frame: Frame,
}

#[derive(Clone, Copy)]
struct Frame {
    left: u32,
    top: u32,
    width: u32,
    height: u32,
    transparent: bool,
}

impl Frame {
    fn covers(&self, canvas: (u32, u32)) -> bool {
        self.left == 0 && self.top == 0 && self.width >= canvas.0 && self.height >= canvas.1
    }
}

/// Reads forward; every read past the end is `None`.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn number(&mut self) -> Option<u32> {
        Some(u32::from(u16::from_le_bytes([self.byte()?, self.byte()?])))
    }

    fn skip(&mut self, length: usize) -> Option<()> {
        self.at = self
            .at
            .checked_add(length)
            .filter(|&end| end <= self.bytes.len())?;
        Some(())
    }

    /// Passes a colour table, if the flags announce one.
    fn colours(&mut self, flags: u8) -> Option<()> {
        if flags & 0x80 == 0 {
            Some(())
        } else {
            self.skip(3 << (usize::from(flags & 7) + 1))
        }
    }

    /// Passes data blocks up to the empty one.
    fn blocks(&mut self) -> Option<()> {
        loop {
            match self.byte()? {
                0 => return Some(()),
                length => self.skip(usize::from(length))?,
            }
        }
    }
}

/// What stands at the cursor.
enum Block {
    Extension { transparent: Option<bool> },
    Frame(Frame),
    Trailer,
    Unknown,
}

/// Walks the blocks.
pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<(Facts, Structure)> {
    let mut cursor = Cursor { bytes, at: 6 };
    let cut = || error::truncated("it has no complete frame");
    let (width, height) = cursor.number().zip(cursor.number()).ok_or_else(cut)?;
    let canvas = check_size("the canvas", width.into(), height.into(), limits)?;
    if !matches!(bytes.get(4..6), Some(b"7a" | b"9a")) {
        return Err(error::corrupt("its signature names no version of GIF"));
    }
    let flags = cursor.byte().ok_or_else(cut)?;
    cursor
        .skip(2)
        .and_then(|()| cursor.colours(flags))
        .ok_or_else(cut)?;
    let mut walk = Walk {
        first: None,
        frames: 0,
        transparent: false,
        end: cursor.at,
        whole: false,
    };
    walk.run(&mut cursor, limits)?;
    let Some(frame) = walk.first else {
        return Err(if walk.whole {
            error::corrupt("it has no frame")
        } else {
            cut()
        });
    };
    let facts = Facts {
        size: canvas,
        frames: walk.frames,
        animated: walk.frames > 1,
        has_alpha: frame.transparent || !frame.covers(canvas),
        orientation: Orientation::Unstated,
        profile: Profile::Absent,
        end: walk.end,
        end_of_all: walk.end,
        warnings: if walk.whole {
            Vec::new()
        } else {
            vec![Warning::TruncatedAfterFirstFrame]
        },
    };
    Ok((facts, Structure { canvas, frame }))
}

struct Walk {
    first: Option<Frame>,
    frames: u32,
    /// What the last control block said of the frame that follows.
    transparent: bool,
    /// Behind the last block that was understood.
    end: usize,
    /// Whether the trailer is there.
    whole: bool,
}

impl Walk {
    fn run(&mut self, cursor: &mut Cursor<'_>, limits: &Limits) -> Result<()> {
        while let Some(block) = block(cursor, self.transparent) {
            match block {
                Block::Extension { transparent } => {
                    self.transparent = transparent.unwrap_or(self.transparent);
                }
                Block::Frame(frame) => self.frame(frame, limits)?,
                Block::Trailer => self.whole = true,
                Block::Unknown if self.first.is_none() => {
                    return Err(error::corrupt(
                        "an unknown block stands before its first frame",
                    ));
                }
                Block::Unknown => return Ok(()),
            }
            self.end = cursor.at;
            if self.whole {
                return Ok(());
            }
        }
        // A block that is cut belongs to the picture: it is no document behind it.
        self.end = cursor.bytes.len();
        Ok(())
    }

    fn frame(&mut self, frame: Frame, limits: &Limits) -> Result<()> {
        if self.first.is_none() {
            check_size(
                "the first frame",
                frame.width.into(),
                frame.height.into(),
                limits,
            )?;
            self.first = Some(frame);
        }
        self.transparent = false;
        self.frames += 1;
        if self.frames > limits.max_frames {
            Err(error::too_many_frames(limits))
        } else {
            Ok(())
        }
    }
}

/// Passes one block; `None` when the file ends inside it.
fn block(cursor: &mut Cursor<'_>, transparent: bool) -> Option<Block> {
    let found = match cursor.byte()? {
        0x21 => {
            let label = cursor.byte()?;
            let flags = cursor.bytes.get(cursor.at + 1).copied().unwrap_or_default();
            cursor.blocks()?;
            Block::Extension {
                transparent: (label == 0xf9).then_some(flags & 1 == 1),
            }
        }
        0x2c => {
            let (left, top) = (cursor.number()?, cursor.number()?);
            let (width, height) = (cursor.number()?, cursor.number()?);
            let flags = cursor.byte()?;
            cursor.colours(flags)?;
            cursor.skip(1)?;
            cursor.blocks()?;
            Block::Frame(Frame {
                left,
                top,
                width,
                height,
                transparent,
            })
        }
        0x3b => Block::Trailer,
        _ => Block::Unknown,
    };
    Some(found)
}

/// Decodes the first frame and shrinks its canvas to `edge`.
pub(super) fn decode(bytes: &[u8], structure: &Structure, edge: u32) -> Result<Raster> {
    let Structure { canvas, frame } = structure;
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::Indexed);
    options.set_memory_limit(MemoryLimit::Unlimited);
    let mut decoder = options.read_info(bytes).map_err(fault)?;
    let found = decoder
        .next_frame_info()
        .map_err(fault)?
        .ok_or_else(|| error::corrupt("it has no frame"))?;
    let transparent = found.transparent;
    if (u32::from(found.width), u32::from(found.height)) != (frame.width, frame.height) {
        return Err(error::corrupt(
            "its first frame is not where its blocks say",
        ));
    }
    let mut indices = vec![0; frame.width as usize * frame.height as usize];
    decoder.read_into_buffer(&mut indices).map_err(fault)?;
    let colours = colours(decoder.palette().map_err(fault)?, transparent);
    let mut shrinker = Shrinker::new(layout(structure), *canvas, edge);
    let mut strip = Vec::new();
    for top in (0..canvas.1 as usize).step_by(ROWS) {
        strip.clear();
        for y in top..(top + ROWS).min(canvas.1 as usize) {
            row(structure, y, &indices, &colours, &mut strip);
        }
        shrinker.push(&strip)?;
    }
    shrinker.finish()
}

fn layout(structure: &Structure) -> Layout {
    if structure.frame.transparent || !structure.frame.covers(structure.canvas) {
        Layout::Rgba
    } else {
        Layout::Rgb
    }
}

/// The colour of each index. An index past the palette is black, as it is in browsers.
fn colours(palette: &[u8], transparent: Option<u8>) -> [[u8; 4]; 256] {
    let mut colours = [[0, 0, 0, 255]; 256];
    for (colour, entry) in colours.iter_mut().zip(palette.as_chunks::<3>().0) {
        colour[..3].copy_from_slice(entry);
    }
    if let Some(index) = transparent {
        colours[usize::from(index)] = [0; 4];
    }
    colours
}

/// Appends row `y` of the canvas.
fn row(
    structure: &Structure,
    y: usize,
    indices: &[u8],
    colours: &[[u8; 4]; 256],
    out: &mut Vec<u8>,
) {
    let channels = layout(structure).channels();
    let width = structure.canvas.0 as usize;
    let start = out.len();
    out.resize(start + width * channels, 0);
    let drawn = drawn(structure, y, indices);
    let (left, visible) = (
        structure.frame.left as usize,
        out[start..].chunks_exact_mut(channels),
    );
    for (pixel, &index) in visible.skip(left).zip(drawn) {
        pixel.copy_from_slice(&colours[usize::from(index)][..channels]);
    }
}

/// The frame's indices on row `y` of the canvas; none where the frame does not reach.
fn drawn<'a>(structure: &Structure, y: usize, indices: &'a [u8]) -> &'a [u8] {
    let (top, width) = (structure.frame.top as usize, structure.frame.width as usize);
    let range: Option<Range<usize>> = y
        .checked_sub(top)
        .map(|line| line * width..(line + 1) * width);
    range
        .and_then(|range| indices.get(range))
        .unwrap_or_default()
}

fn fault(cause: DecodingError) -> Error {
    match cause {
        DecodingError::UnexpectedEof => error::truncated("its first frame is not complete"),
        // The walk has seen the frame's last block: data that end before the last pixel were cut by
        // whoever wrote them.
        cause if cause.to_string().contains("truncated") => {
            error::truncated("its first frame is not complete")
        }
        cause => error::bad_data(cause),
    }
}
