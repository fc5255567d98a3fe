//! WebP: the RIFF container is walked by hand, its pictures are decoded by libwebp (see `webp`).

use std::ops::Range;

use crate::error::Result;

use super::{
    Limits, Warning,
    colour::{PROFILE_MAX, Profile},
    error,
    exif::{self, Orientation},
    header::{Facts, check_size},
    raster::{Layout, Raster},
    shrink::Shrinker,
    webp,
};

const ANIMATION: u8 = 0x02;
/// Bytes of an ANMF chunk before its picture.
const FRAME_HEADER: usize = 16;
/// A picture is decoded at up to this many times the preview's edge; above it libwebp averages pixels
/// while it decodes, which keeps the picture small in memory.
const OVERSIZE: u32 = 2;

/// The first picture and the canvas it lies on.
pub(super) struct Structure {
    canvas: (u32, u32),
    frame: Frame,
}

/// One picture of the file.
#[derive(Clone)]
struct Frame {
    left: u32,
    top: u32,
    width: u32,
    height: u32,
    alpha: bool,
    /// Its ALPH chunk, if any, and its VP8 or VP8L chunk.
    data: Range<usize>,
}

struct Chunk {
    kind: [u8; 4],
    /// All of the chunk's bytes that are there, its head included.
    whole: Range<usize>,
    data: Range<usize>,
    cut: bool,
}

/// The chunk at `at`; `None` behind the last one.
fn chunk(bytes: &[u8], at: usize, end: usize) -> Option<Chunk> {
    let head = bytes.get(at..end)?.first_chunk::<8>()?;
    let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
    let wanted = at.checked_add(8)?.checked_add(length)?;
    let stop = wanted.min(end);
    Some(Chunk {
        kind: [head[0], head[1], head[2], head[3]],
        whole: at..stop,
        data: at + 8..stop,
        cut: wanted > end,
    })
}

fn number24(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 3).map_or(0, |three| {
        u32::from_le_bytes([three[0], three[1], three[2], 0])
    })
}

/// Walks the chunks.
pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<(Facts, Structure)> {
    let cut = || error::truncated("its first picture is not complete");
    let head = bytes.first_chunk::<12>().ok_or_else(cut)?;
    let promised =
        (u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize).saturating_add(8);
    let end = promised.min(bytes.len());
    let first = chunk(bytes, 12, end).ok_or_else(cut)?;
    let (canvas, animated) = canvas(bytes, &first, limits)?;
    let mut walk = Walk {
        canvas,
        animated,
        ..Walk::default()
    };
    let mut at = 12;
    while let Some(found) = chunk(bytes, at, end) {
        walk.cut |= found.cut;
        walk.take(bytes, &found, limits)?;
        at = found.data.end + (found.data.len() & 1);
    }
    walk.cut |= promised > bytes.len().saturating_add(1);
    let frame = match walk.first {
        Some(frame) => frame,
        None if walk.cut => return Err(cut()),
        None => return Err(error::corrupt("it has no picture")),
    };
    if !animated && (frame.width, frame.height) != canvas {
        return Err(error::corrupt("its picture is not of its canvas' size"));
    }
    let structure = Structure { canvas, frame };
    let close = at.max(end).min(bytes.len());
    let facts = Facts {
        size: canvas,
        frames: walk.frames,
        animated: walk.frames > 1,
        has_alpha: structure.layout().has_alpha(),
        orientation: walk.orientation.unwrap_or(Orientation::Unstated),
        profile: walk.profile.unwrap_or(Profile::Absent),
        end: close,
        end_of_all: close,
        warnings: if walk.cut {
            vec![Warning::TruncatedAfterFirstFrame]
        } else {
            Vec::new()
        },
    };
    Ok((facts, structure))
}

/// The canvas, from the extended header or from the one picture; and whether frames follow.
fn canvas(bytes: &[u8], first: &Chunk, limits: &Limits) -> Result<((u32, u32), bool)> {
    let data = &bytes[first.data.clone()];
    let (width, height) = match &first.kind {
        b"VP8X" if data.len() >= 10 => (number24(data, 4) + 1, number24(data, 7) + 1),
        b"VP8X" => return Err(error::truncated("its header is not complete")),
        b"VP8 " | b"VP8L" => {
            let (width, height, _) = bitstream(&first.kind, data)?;
            (width, height)
        }
        _ => {
            return Err(error::corrupt(
                "it begins with neither a picture nor an extended header",
            ));
        }
    };
    let animated = &first.kind == b"VP8X" && data[0] & ANIMATION != 0;
    Ok((
        check_size("the canvas", width.into(), height.into(), limits)?,
        animated,
    ))
}

/// Width, height and alpha of a VP8 or VP8L chunk's data.
fn bitstream(kind: &[u8; 4], data: &[u8]) -> Result<(u32, u32, bool)> {
    let cut = || error::truncated("its picture has no complete header");
    if kind == b"VP8L" {
        let five = data.first_chunk::<5>().ok_or_else(cut)?;
        let bits = u32::from_le_bytes([five[1], five[2], five[3], five[4]]);
        return Ok((
            (bits & 0x3fff) + 1,
            (bits >> 14 & 0x3fff) + 1,
            bits >> 28 & 1 == 1,
        ));
    }
    let ten = data.first_chunk::<10>().ok_or_else(cut)?;
    let side = |low: u8, high: u8| u32::from(u16::from_le_bytes([low, high]) & 0x3fff);
    Ok((side(ten[6], ten[7]), side(ten[8], ten[9]), false))
}

#[derive(Default)]
struct Walk {
    canvas: (u32, u32),
    animated: bool,
    cut: bool,
    frames: u32,
    first: Option<Frame>,
    /// Where a still picture's ALPH chunk begins.
    alpha: Option<usize>,
    orientation: Option<Orientation>,
    profile: Option<Profile>,
}

impl Walk {
    fn take(&mut self, bytes: &[u8], found: &Chunk, limits: &Limits) -> Result<()> {
        let data = &bytes[found.data.clone()];
        match &found.kind {
            b"EXIF" if self.orientation.is_none() => {
                self.orientation = Some(exif::orientation(data));
            }
            b"ICCP" if self.profile.is_none() => {
                let usable = !found.cut && data.len() <= PROFILE_MAX;
                self.profile = Some(if usable {
                    Profile::Embedded(data.to_vec())
                } else {
                    Profile::Unusable
                });
            }
            b"ANMF" if self.animated => {
                if self.first.is_none() {
                    self.first = Some(self.frame(bytes, found, limits)?);
                }
                self.frames += u32::from(!found.cut);
            }
            b"ALPH" if !self.animated => self.alpha = self.alpha.or(Some(found.whole.start)),
            b"VP8 " | b"VP8L" if !self.animated && self.first.is_none() => {
                let from = self.alpha.unwrap_or(found.whole.start);
                let (width, height) = self.canvas;
                self.first = Some(picture(bytes, found, from, (0, 0, width, height))?);
                self.frames = 1;
            }
            _ => {}
        }
        if self.frames > limits.max_frames {
            Err(error::too_many_frames(limits))
        } else {
            Ok(())
        }
    }

    /// The first frame of an animation.
    fn frame(&self, bytes: &[u8], found: &Chunk, limits: &Limits) -> Result<Frame> {
        let data = &bytes[found.data.clone()];
        if found.cut || data.len() < FRAME_HEADER {
            return Err(error::truncated("its first picture is not complete"));
        }
        let (left, top) = (number24(data, 0) * 2, number24(data, 3) * 2);
        let (width, height) = (number24(data, 6) + 1, number24(data, 9) + 1);
        check_size("the first frame", width.into(), height.into(), limits)?;
        if left.saturating_add(width) > self.canvas.0 || top.saturating_add(height) > self.canvas.1
        {
            return Err(error::corrupt("its first frame lies outside its canvas"));
        }
        let mut at = found.data.start + FRAME_HEADER;
        let mut from = None;
        while let Some(inner) = chunk(bytes, at, found.data.end) {
            match &inner.kind {
                b"ALPH" => from = from.or(Some(inner.whole.start)),
                b"VP8 " | b"VP8L" => {
                    return picture(
                        bytes,
                        &inner,
                        from.unwrap_or(inner.whole.start),
                        (left, top, width, height),
                    );
                }
                _ => {}
            }
            at = inner.data.end + (inner.data.len() & 1);
        }
        Err(error::corrupt("its first frame holds no picture"))
    }
}

/// The picture of a VP8 or VP8L chunk, whose own size must be that of its place.
fn picture(bytes: &[u8], found: &Chunk, from: usize, place: (u32, u32, u32, u32)) -> Result<Frame> {
    if found.cut {
        return Err(error::truncated("its first picture is not complete"));
    }
    let (left, top, width, height) = place;
    let (own_width, own_height, alpha) = bitstream(&found.kind, &bytes[found.data.clone()])?;
    if (own_width, own_height) != (width, height) {
        return Err(error::corrupt(
            "its picture is not of the size that its container states",
        ));
    }
    let alpha = alpha || (&found.kind == b"VP8 " && from < found.whole.start);
    Ok(Frame {
        left,
        top,
        width,
        height,
        alpha,
        data: from..found.whole.end,
    })
}

impl Structure {
    fn covers(&self) -> bool {
        (self.frame.width, self.frame.height) == self.canvas
    }

    fn layout(&self) -> Layout {
        if self.frame.alpha || !self.covers() {
            Layout::Rgba
        } else {
            Layout::Rgb
        }
    }
}

/// Decodes the first picture and shrinks its canvas to `edge`.
pub(super) fn decode(bytes: &[u8], structure: &Structure, edge: u32) -> Result<Raster> {
    let Structure { canvas, frame } = structure;
    let layout = structure.layout();
    let data = bytes.get(frame.data.clone()).unwrap_or_default();
    if structure.covers() {
        let size = super::shrink::fitted(canvas.0, canvas.1, edge.saturating_mul(OVERSIZE));
        let pixels = webp::decode(data, *canvas, size, layout)?;
        return Shrinker::new(layout, size, edge).whole(&pixels);
    }
    let pixels = webp::decode(
        data,
        (frame.width, frame.height),
        (frame.width, frame.height),
        layout,
    )?;
    on_canvas(structure, &pixels, Shrinker::new(layout, *canvas, edge))
}

/// Lays a frame on its transparent canvas, row by row.
fn on_canvas(structure: &Structure, pixels: &[u8], mut shrinker: Shrinker) -> Result<Raster> {
    let channels = structure.layout().channels();
    let frame = &structure.frame;
    let left = frame.left as usize * channels;
    let mut rows = pixels.chunks_exact(frame.width as usize * channels);
    let mut line = vec![0; structure.canvas.0 as usize * channels];
    for y in 0..structure.canvas.1 {
        line.fill(0);
        if let Some(row) = (y >= frame.top).then(|| rows.next()).flatten() {
            line[left..left + row.len()].copy_from_slice(row);
        }
        shrinker.push(&line)?;
    }
    shrinker.finish()
}
