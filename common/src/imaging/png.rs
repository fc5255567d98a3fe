//! PNG: chunks are walked by hand, rows are decoded one by one by the `png` crate.
//!
//! Text is never inflated, and a profile only up to a bound. Of an APNG only the default picture is
//! decoded, whether or not the animation contains it.

use std::io::{Cursor, ErrorKind};

use png::{
    BitDepth, ColorType, Decoder, DecodingError, InterlaceInfo, Limits as PngLimits, Reader,
    Transformations,
};

use crate::error::{Error, Result};

use super::{
    Limits, Warning,
    colour::{PROFILE_MAX, Profile},
    error,
    exif::{self, Orientation},
    header::{Facts, check_size},
    raster::{Layout, Raster},
    shrink::Shrinker,
};

const SIGNATURE: usize = 8;
const ALPHA_TYPES: [u8; 2] = [4, 6];
/// Bytes that the decoder may set aside for rows and chunks.
const DECODER_BYTES: usize = 64 * 1024 * 1024;

/// What the decoder needs to know besides the bytes.
pub(super) struct Structure {
    size: (u32, u32),
}

/// One chunk, as far as the file holds it.
struct Chunk<'a> {
    kind: [u8; 4],
    data: &'a [u8],
    /// Where the next chunk begins, if this one is whole, checksum included.
    next: Option<usize>,
}

fn chunk(bytes: &[u8], at: usize) -> Option<Chunk<'_>> {
    let (length, rest) = bytes.get(at..)?.split_first_chunk::<4>()?;
    let (kind, rest) = rest.split_first_chunk::<4>()?;
    let length = u32::from_be_bytes(*length) as usize;
    let whole = rest.len() >= length.saturating_add(4);
    Some(Chunk {
        kind: *kind,
        data: &rest[..length.min(rest.len())],
        next: whole.then(|| at + 12 + length),
    })
}

/// Walks the chunks.
pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<(Facts, Structure)> {
    let header = chunk(bytes, SIGNATURE).filter(|found| found.data.len() >= 8);
    let header = header.ok_or_else(|| error::truncated("it has no header"))?;
    if &header.kind != b"IHDR" {
        return Err(error::corrupt("its first chunk is not IHDR"));
    }
    let number = |at: usize| {
        header.data.get(at..at + 4).map_or(0, |four| {
            four.iter()
                .fold(0_u64, |value, &byte| value << 8 | u64::from(byte))
        })
    };
    let size = check_size("the picture", number(0), number(4), limits)?;
    let mut walk = Walk {
        alpha: header
            .data
            .get(9)
            .is_some_and(|kind| ALPHA_TYPES.contains(kind)),
        ..Walk::default()
    };
    let mut at = header
        .next
        .ok_or_else(|| error::truncated("it has no picture data"))?;
    while !walk.ended {
        let Some(found) = chunk(bytes, at) else { break };
        let Some(next) = found.next else { break };
        walk.take(&found, limits)?;
        at = next;
    }
    let end = if walk.ended { at } else { bytes.len() };
    let facts = walk.facts(size, end, bytes.get(at..).unwrap_or_default())?;
    Ok((facts, Structure { size }))
}

/// What the chunks after the header tell.
#[derive(Default)]
struct Walk {
    alpha: bool,
    data: bool,
    data_over: bool,
    ended: bool,
    /// Frames that acTL promises and fcTL chunks that are there.
    promised: Option<u32>,
    frames: u32,
    default_is_frame: bool,
    exif: Option<Vec<u8>>,
    profile: Option<Profile>,
    compressed_text: bool,
}

impl Walk {
    fn take(&mut self, found: &Chunk<'_>, limits: &Limits) -> Result<()> {
        self.data_over |= self.data && &found.kind != b"IDAT";
        match &found.kind {
            b"IDAT" => self.data = true,
            b"IEND" => self.ended = true,
            b"tRNS" => self.alpha = true,
            b"eXIf" if self.exif.is_none() => self.exif = Some(found.data.to_vec()),
            b"iCCP" if self.profile.is_none() && !self.data => {
                self.profile = Some(profile(found.data));
            }
            b"zTXt" => self.compressed_text = true,
            b"iTXt" => self.compressed_text |= is_compressed(found.data),
            b"acTL" if !self.data => {
                let promised = found
                    .data
                    .first_chunk()
                    .map_or(0, |four| u32::from_be_bytes(*four));
                self.promised = Some(promised);
                if promised > limits.max_frames {
                    return Err(error::too_many_frames(limits));
                }
            }
            b"fcTL" => {
                self.default_is_frame |= !self.data;
                self.frames += 1;
                if self.frames > limits.max_frames {
                    return Err(error::too_many_frames(limits));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// `rest` is what follows the last whole chunk.
    fn facts(self, size: (u32, u32), end: usize, rest: &[u8]) -> Result<Facts> {
        let mut warnings = Vec::new();
        if !self.ended {
            // Whether the data that are there fill the picture is for the decoder to say.
            let cut_inside = !self.data_over && rest.get(4..8) == Some(b"IDAT");
            if !self.data || cut_inside {
                return Err(error::truncated("its picture data are not complete"));
            }
            warnings.push(Warning::TruncatedAfterFirstFrame);
        } else if !self.data {
            return Err(error::corrupt("it has no picture data"));
        }
        let animation = self
            .promised
            .map_or(0, |promised| promised.min(self.frames));
        let hidden = animation > 0 && !self.default_is_frame;
        if hidden {
            warnings.push(Warning::HiddenAnimation);
        }
        if self.compressed_text {
            warnings.push(Warning::CompressedTextIgnored);
        }
        let frames = (animation + u32::from(hidden)).max(1);
        Ok(Facts {
            size,
            frames,
            animated: frames > 1,
            has_alpha: self.alpha,
            orientation: self
                .exif
                .as_deref()
                .map_or(Orientation::Unstated, exif::orientation),
            profile: self.profile.unwrap_or(Profile::Absent),
            end,
            end_of_all: end,
            warnings,
        })
    }
}

/// Whether an iTXt chunk says that its text is compressed.
fn is_compressed(data: &[u8]) -> bool {
    let keyword = data.iter().position(|&byte| byte == 0);
    keyword.and_then(|at| data.get(at + 1)) == Some(&1)
}

/// Inflates an iCCP chunk, as far as a profile may be long.
///
/// The decoder has no way to inflate a chunk alone, so it is shown a picture of one pixel that carries
/// this chunk, under a memory limit that is the profile's bound.
fn profile(data: &[u8]) -> Profile {
    if data.len() > PROFILE_MAX {
        return Profile::Unusable;
    }
    let mut carrier =
        b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0\0\0\0\0".to_vec();
    carrier.extend_from_slice(&(data.len() as u32).to_be_bytes());
    carrier.extend_from_slice(b"iCCP");
    carrier.extend_from_slice(data);
    carrier.extend_from_slice(b"\0\0\0\0\0\0\0\0IDAT");
    let mut decoder = Decoder::new_with_limits(
        Cursor::new(carrier),
        PngLimits {
            bytes: 2 * PROFILE_MAX,
        },
    );
    decoder.ignore_checksums(true);
    let found = decoder
        .read_info()
        .ok()
        .and_then(|reader| reader.info().icc_profile.clone());
    match found {
        Some(bytes) if bytes.len() <= PROFILE_MAX => Profile::Embedded(bytes.into_owned()),
        _ => Profile::Unusable,
    }
}

/// Decodes the default picture and shrinks it to `edge`.
pub(super) fn decode(bytes: &[u8], structure: &Structure, edge: u32) -> Result<Raster> {
    let mut decoder = Decoder::new_with_limits(
        Cursor::new(bytes),
        PngLimits {
            bytes: DECODER_BYTES,
        },
    );
    decoder.set_transformations(Transformations::EXPAND);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let reader = decoder.read_info().map_err(fault)?;
    let (colour, depth) = reader.output_color_type();
    let layout = match colour {
        ColorType::Grayscale => Layout::Gray,
        ColorType::GrayscaleAlpha => Layout::GrayAlpha,
        ColorType::Rgb => Layout::Rgb,
        ColorType::Rgba => Layout::Rgba,
        ColorType::Indexed => return Err(error::corrupt("its palette cannot be expanded")),
    };
    let shrinker = Shrinker::new(layout, structure.size, edge);
    let interlaced = reader.info().interlaced;
    let pixels = structure.size.0 as usize * structure.size.1 as usize;
    let wide = depth == BitDepth::Sixteen;
    let rows = Rows {
        reader,
        layout,
        wide,
        narrow: Vec::new(),
        missing: pixels,
    };
    if interlaced {
        shrinker.whole(&rows.woven(structure.size)?)
    } else {
        rows.in_order(shrinker)
    }
}

/// The rows of the default picture, in eight bits a sample.
struct Rows<'a> {
    reader: Reader<Cursor<&'a [u8]>>,
    layout: Layout,
    /// Whether the file has sixteen bits a sample.
    wide: bool,
    narrow: Vec<u8>,
    /// Pixels that have not come yet.
    missing: usize,
}

impl Rows<'_> {
    /// Rows from top to bottom go straight on.
    fn in_order(mut self, mut shrinker: Shrinker) -> Result<Raster> {
        while let Some((row, _)) = self.next()? {
            shrinker.push(row)?;
        }
        shrinker.finish()
    }

    /// Interlaced rows are woven into the whole picture.
    fn woven(mut self, size: (u32, u32)) -> Result<Vec<u8>> {
        let channels = self.layout.channels();
        let stride = size.0 as usize * channels;
        let mut pixels = vec![0; stride * size.1 as usize];
        while let Some((row, place)) = self.next()? {
            let InterlaceInfo::Adam7(place) = place else {
                return Err(error::corrupt(
                    "its rows are not interlaced as its header says",
                ));
            };
            png::expand_interlaced_row(&mut pixels, stride, row, &place, 8 * channels as u8);
        }
        Ok(pixels)
    }

    /// The next row and its place, or the end of a complete picture whose checksums hold.
    fn next(&mut self) -> Result<Option<(&[u8], InterlaceInfo)>> {
        let row = match self.reader.next_interlaced_row() {
            Ok(row) => row,
            // The decoder looks for the chunk behind the data, which a cut file need not have.
            Err(DecodingError::IoError(cause))
                if self.missing == 0 && cause.kind() == ErrorKind::UnexpectedEof =>
            {
                None
            }
            Err(cause) => return Err(fault(cause)),
        };
        let Some(row) = row else { return Ok(None) };
        let place = *row.interlace();
        let depth = if self.wide { 2 } else { 1 };
        self.missing = self
            .missing
            .saturating_sub(row.data().len() / (self.layout.channels() * depth));
        if self.wide {
            halve(row.data(), &mut self.narrow);
            return Ok(Some((&self.narrow, place)));
        }
        Ok(Some((row.data(), place)))
    }
}

/// Sixteen bits a sample to eight, rounded.
fn halve(row: &[u8], narrow: &mut Vec<u8>) {
    let (samples, _) = row.as_chunks::<2>();
    narrow.clear();
    narrow.extend(samples.iter().map(|&sample| {
        let value = u32::from(u16::from_be_bytes(sample));
        ((value * 255 + 32_767) / 65_535) as u8
    }));
}

fn fault(cause: DecodingError) -> Error {
    match cause {
        DecodingError::IoError(cause) if cause.kind() == ErrorKind::UnexpectedEof => {
            error::truncated("its picture data are not complete")
        }
        DecodingError::LimitsExceeded => {
            error::work_exceeded("decoder memory in bytes", DECODER_BYTES as u64)
        }
        cause @ (DecodingError::IoError(_)
        | DecodingError::Format(_)
        | DecodingError::Parameter(_)) => error::bad_data(cause),
    }
}
