//! Pixels of a JPEG whose data are known to be complete.

use std::{
    borrow::Cow,
    panic::{AssertUnwindSafe, catch_unwind},
};

use zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions};
use zune_jpeg::JpegDecoder;

use crate::error::Result;

use super::{
    super::{
        error,
        raster::{Layout, Raster},
        shrink::Shrinker,
    },
    Structure, scan,
};

/// Adobe's numbers for how colours are coded: RGB or CMYK as they are, YCbCr, YCbCr and black.
const AS_IS: u8 = 0;
const YCBCR: u8 = 1;
const YCCK: u8 = 2;

/// Checks the data of every scan, decodes the picture and shrinks it to `edge`.
pub(in crate::imaging) fn decode(bytes: &[u8], structure: &Structure, edge: u32) -> Result<Raster> {
    scan::check(bytes, structure)?;
    let coding = coding(structure);
    let bytes = restated(bytes, structure, coding);
    let (space, layout) = match (structure.frame.components.len(), coding) {
        (1, _) => (ColorSpace::Luma, Layout::Gray),
        (3, _) => (ColorSpace::RGB, Layout::Rgb),
        (_, YCCK) => (ColorSpace::YCCK, Layout::Cmyk),
        _ => (ColorSpace::CMYK, Layout::Cmyk),
    };
    // The decoder is fuzzed, but it has had slices out of bounds: a picture that makes it panic is a
    // damaged picture, not the end of the process.
    let decoded = catch_unwind(AssertUnwindSafe(|| pixels(&bytes, space)));
    let mut pixels =
        decoded.unwrap_or_else(|_| Err(error::corrupt("its picture data are not valid")))?;
    let size = structure.frame.size;
    if pixels.len() != size.0 as usize * size.1 as usize * layout.channels() {
        return Err(error::corrupt(
            "its picture has another size than its header says",
        ));
    }
    if layout == Layout::Cmyk {
        inks(&mut pixels, coding == YCCK, structure.transform.is_some());
    }
    Shrinker::new(layout, size, edge).whole(&pixels)
}

fn pixels(bytes: &[u8], space: ColorSpace) -> Result<Vec<u8>> {
    let options = DecoderOptions::default()
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX))
        .set_strict_mode(false)
        .jpeg_set_out_colorspace(space);
    JpegDecoder::new_with_options(ZCursor::new(bytes), options)
        .decode()
        .map_err(|cause| {
            error::corrupt("its picture data are not valid").because(cause.to_string())
        })
}

/// How the colours are coded, by the rules that libjpeg set: a JFIF header means YCbCr, then Adobe's
/// segment decides, then the components' names.
fn coding(structure: &Structure) -> u8 {
    let components = &structure.frame.components;
    let named_rgb = components.iter().map(|component| component.id).eq(*b"RGB");
    match (components.len(), structure.transform) {
        (3, _) if structure.jfif => YCBCR,
        (3, None) if !named_rgb => YCBCR,
        (_, None | Some(AS_IS)) => AS_IS,
        (3, _) => YCBCR,
        _ => YCCK,
    }
}

/// The file as the decoder understands it. It knows only three of Adobe's numbers and looks at nothing
/// else, so a file that states another coding than the one meant is restated.
fn restated<'a>(bytes: &'a [u8], structure: &Structure, coding: u8) -> Cow<'a, [u8]> {
    if structure.frame.components.len() == 1
        || structure
            .adobe
            .iter()
            .all(|&at| bytes.get(at) == Some(&coding))
    {
        return Cow::Borrowed(bytes);
    }
    let mut copy = bytes.to_vec();
    for &at in &structure.adobe {
        if let Some(stated) = copy.get_mut(at) {
            *stated = coding;
        }
    }
    Cow::Owned(copy)
}

/// Turns decoded samples into ink, in place. Adobe stores ink upside down: 255 is none.
pub(in crate::imaging) fn inks(pixels: &mut [u8], ycck: bool, adobe: bool) {
    let (pixels, _) = pixels.as_chunks_mut::<4>();
    for pixel in pixels {
        if ycck {
            let [y, cb, cr, k] = *pixel;
            let [r, g, b] = rgb(y, cb, cr);
            *pixel = [255 - r, 255 - g, 255 - b, k];
        }
        if adobe {
            *pixel = pixel.map(|sample| 255 - sample);
        }
    }
}

/// JFIF's YCbCr to RGB, with sixteen bits behind the point.
fn rgb(y: u8, cb: u8, cr: u8) -> [u8; 3] {
    let (y, cb, cr) = (i32::from(y) << 16, i32::from(cb) - 128, i32::from(cr) - 128);
    let sample = |value: i32| ((value + (1 << 15)) >> 16).clamp(0, 255) as u8;
    [
        sample(y + 91_881 * cr),
        sample(y - 22_554 * cb - 46_802 * cr),
        sample(y + 116_130 * cb),
    ]
}
