//! Small pictures, built byte by byte where an encoder would not build them.

use png::{BitDepth, ColorType};

use crate::imaging::{
    raster::{Layout, Raster},
    webp::{self, Effort},
};

/// A PNG of raw samples; `palette` and `trns` as in the chunks of that name.
pub(super) struct Png<'a> {
    pub(super) size: (u32, u32),
    pub(super) colour: ColorType,
    pub(super) depth: BitDepth,
    pub(super) palette: &'a [u8],
    pub(super) trns: &'a [u8],
    /// Packed rows.
    pub(super) data: &'a [u8],
}

impl Default for Png<'_> {
    fn default() -> Self {
        Self {
            size: (1, 1),
            colour: ColorType::Rgb,
            depth: BitDepth::Eight,
            palette: &[],
            trns: &[],
            data: &[],
        }
    }
}

impl Png<'_> {
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.size.0, self.size.1);
        encoder.set_color(self.colour);
        encoder.set_depth(self.depth);
        if !self.palette.is_empty() {
            encoder.set_palette(self.palette);
        }
        if !self.trns.is_empty() {
            encoder.set_trns(self.trns);
        }
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(self.data).unwrap();
        writer.finish().unwrap();
        bytes
    }
}

/// A PNG in which each pixel's colour is given by its place.
pub(super) fn rgb_png(width: u32, height: u32, colour: impl Fn(u32, u32) -> [u8; 3]) -> Vec<u8> {
    let data: Vec<u8> = (0..height)
        .flat_map(|y| (0..width).map(move |x| (x, y)))
        .flat_map(|(x, y)| colour(x, y))
        .collect();
    Png {
        size: (width, height),
        data: &data,
        ..Png::default()
    }
    .bytes()
}

/// A PNG chunk with its checksum.
pub(super) fn png_chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut chunk = (data.len() as u32).to_be_bytes().to_vec();
    chunk.extend_from_slice(kind);
    chunk.extend_from_slice(data);
    let crc = chunk[4..].iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            if crc & 1 == 1 {
                crc >> 1 ^ 0xedb8_8320
            } else {
                crc >> 1
            }
        })
    });
    chunk.extend_from_slice(&(!crc).to_be_bytes());
    chunk
}

/// The PNG with a chunk put in right behind its header.
pub(super) fn with_png_chunk(png: &[u8], kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut bytes = png[..33].to_vec();
    bytes.extend(png_chunk(kind, data));
    bytes.extend_from_slice(&png[33..]);
    bytes
}

/// An iCCP chunk's data; the profile is stored, not compressed.
pub(super) fn iccp(profile: &[u8]) -> Vec<u8> {
    let mut data = b"p\0\0\x78\x01".to_vec();
    let mut blocks = profile.chunks(0xffff).peekable();
    while let Some(block) = blocks.next() {
        data.push(u8::from(blocks.peek().is_none()));
        data.extend_from_slice(&(block.len() as u16).to_le_bytes());
        data.extend_from_slice(&(!(block.len() as u16)).to_le_bytes());
        data.extend_from_slice(block);
    }
    let (mut a, mut b) = (1_u32, 0_u32);
    for &byte in profile {
        a = (a + u32::from(byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    data.extend_from_slice(&(b << 16 | a).to_be_bytes());
    data
}

/// A TIFF block that states an orientation.
pub(super) fn exif(orientation: u16) -> Vec<u8> {
    let mut block = b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01".to_vec();
    block.extend_from_slice(&orientation.to_be_bytes());
    block.extend_from_slice(b"\0\0\0\0\0\0");
    block
}

/// The JPEG with a segment put in right behind its beginning.
pub(super) fn with_segment(jpeg: &[u8], code: u8, data: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0xff, 0xd8, 0xff, code];
    bytes.extend_from_slice(&(data.len() as u16 + 2).to_be_bytes());
    bytes.extend_from_slice(data);
    bytes.extend_from_slice(&jpeg[2..]);
    bytes
}

/// A RIFF chunk, padded.
pub(super) fn riff_chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut chunk = kind.to_vec();
    chunk.extend_from_slice(&(data.len() as u32).to_le_bytes());
    chunk.extend_from_slice(data);
    chunk.resize(chunk.len() + (data.len() & 1), 0);
    chunk
}

/// A WebP file of these chunks.
pub(super) fn riff(chunks: &[Vec<u8>]) -> Vec<u8> {
    let mut body = b"WEBP".to_vec();
    body.extend(chunks.concat());
    riff_chunk(b"RIFF", &body)
}

/// A VP8X chunk.
pub(super) fn vp8x(flags: u8, width: u32, height: u32) -> Vec<u8> {
    let mut data = vec![flags, 0, 0, 0];
    data.extend_from_slice(&(width - 1).to_le_bytes()[..3]);
    data.extend_from_slice(&(height - 1).to_le_bytes()[..3]);
    riff_chunk(b"VP8X", &data)
}

/// The chunks of a one-coloured picture, without a file around them.
pub(super) fn webp_picture(width: u32, height: u32, colour: [u8; 4]) -> Vec<u8> {
    let pixels = colour.repeat(width as usize * height as usize);
    let raster = Raster {
        layout: Layout::Rgba,
        width,
        height,
        pixels,
    };
    let file = webp::encode(
        &raster,
        Effort {
            quality: 90.0,
            alpha_quality: 100,
            method: 0,
        },
    )
    .unwrap();
    let start = if &file[12..16] == b"VP8X" { 30 } else { 12 };
    file[start..].to_vec()
}

/// An ANMF chunk around a picture's chunks.
pub(super) fn anmf(place: (u32, u32, u32, u32), picture: &[u8]) -> Vec<u8> {
    let (left, top, width, height) = place;
    let mut data = Vec::new();
    for number in [left / 2, top / 2, width - 1, height - 1, 100] {
        data.extend_from_slice(&number.to_le_bytes()[..3]);
    }
    data.push(0);
    data.extend_from_slice(picture);
    riff_chunk(b"ANMF", &data)
}

/// One frame of a GIF: its place, its indices into four colours, and which index is transparent.
pub(super) struct GifFrame<'a> {
    pub(super) place: (u16, u16, u16, u16),
    pub(super) indices: &'a [u8],
    pub(super) transparent: Option<u8>,
}

/// A GIF with the colours black, red, green and blue.
pub(super) fn gif(canvas: (u16, u16), frames: &[GifFrame<'_>]) -> Vec<u8> {
    let mut bytes = b"GIF89a".to_vec();
    bytes.extend_from_slice(&canvas.0.to_le_bytes());
    bytes.extend_from_slice(&canvas.1.to_le_bytes());
    bytes.extend_from_slice(&[0x81, 0, 0]);
    bytes.extend_from_slice(&[0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255]);
    for frame in frames {
        let flags = u8::from(frame.transparent.is_some());
        bytes.extend_from_slice(&[
            0x21,
            0xf9,
            4,
            flags,
            10,
            0,
            frame.transparent.unwrap_or(0),
            0,
            0x2c,
        ]);
        for number in [frame.place.0, frame.place.1, frame.place.2, frame.place.3] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.push(0);
        bytes.extend(lzw(frame.indices));
    }
    bytes.push(0x3b);
    bytes
}

/// Image data in codes of three bits that are never combined: a clear code comes before every second.
fn lzw(indices: &[u8]) -> Vec<u8> {
    let codes = indices
        .chunks(2)
        .flat_map(|pair| std::iter::once(4).chain(pair.iter().copied()))
        .chain([5]);
    let bits: Vec<u8> = codes
        .flat_map(|code| [code & 1, code >> 1 & 1, code >> 2 & 1])
        .collect();
    let packed: Vec<u8> = bits
        .chunks(8)
        .map(|byte| byte.iter().rev().fold(0, |value, bit| value << 1 | bit))
        .collect();
    let mut data = vec![2];
    for block in packed.chunks(255) {
        data.push(block.len() as u8);
        data.extend_from_slice(block);
    }
    data.push(0);
    data
}
