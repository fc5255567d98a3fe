//! Verdicts of the pipeline, and the small pictures that the tests build.

mod build;
mod cases;
mod colours;
mod containers;
mod jpegs;
mod pixels;
mod properties;
mod sheets;

use std::path::PathBuf;

use crate::error::ErrorCode;

use super::{Limits, Picture, Warning, inspect, process, raster::Raster, riff};

/// One of the files of `tests/cases/images`.
fn case(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/cases/images")
        .join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A picture that must be accepted.
fn accepted(bytes: &[u8]) -> Picture {
    process(bytes, None, &Limits::default()).unwrap_or_else(|error| panic!("{error:?}"))
}

/// The code with which bytes must be refused; the refusal must not depend on decoding twice.
fn refused(bytes: &[u8]) -> ErrorCode {
    process(bytes, None, &Limits::default())
        .expect_err("must be refused")
        .code()
}

fn codes(warnings: &[Warning]) -> Vec<&'static str> {
    warnings.iter().map(|warning| warning.code()).collect()
}

/// The pixels of a WebP.
fn decoded(webp: &[u8]) -> Raster {
    let limits = Limits {
        max_pixels: u64::MAX,
        ..Limits::default()
    };
    let (_, structure) = riff::read(webp, &limits).unwrap();
    riff::decode(webp, &structure, u32::from(u16::MAX)).unwrap()
}

/// The preview's pixels.
fn shown(picture: &Picture) -> Raster {
    decoded(&picture.preview.webp)
}

/// One pixel of the preview as RGBA.
fn pixel(picture: &Picture, x: u32, y: u32) -> [u8; 4] {
    rgba(&shown(picture), (x, y))
}

/// One pixel of an RGB or RGBA raster as RGBA.
fn rgba(raster: &Raster, (x, y): (u32, u32)) -> [u8; 4] {
    assert!(
        x < raster.width && y < raster.height,
        "{x} {y} is outside the picture"
    );
    let channels = raster.layout.channels();
    let at = (y as usize * raster.width as usize + x as usize) * channels;
    let mut rgba = [255; 4];
    rgba[..channels].copy_from_slice(&raster.pixels[at..at + channels]);
    rgba
}

/// The kinds of a WebP's chunks, in their order.
fn chunks(webp: &[u8]) -> Vec<&[u8]> {
    let mut kinds = Vec::new();
    let mut at = 12;
    while at + 8 <= webp.len() {
        kinds.push(&webp[at..at + 4]);
        let length = u32::from_le_bytes(webp[at + 4..at + 8].try_into().unwrap()) as usize;
        at += 8 + length + (length & 1);
    }
    kinds
}

/// Bytes without any pattern.
fn noise(count: usize) -> Vec<u8> {
    let mut state = 1_u32;
    std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    })
    .take(count)
    .collect()
}

/// Asserts that a pixel of the preview has about this colour; lossy coding is off by a few.
#[track_caller]
fn assert_pixel(picture: &Picture, (x, y): (u32, u32), wanted: [u8; 4]) {
    assert_about(pixel(picture, x, y), wanted, (x, y));
}

/// Asserts that two colours are the same but for what lossy coding costs.
#[track_caller]
fn assert_about(got: [u8; 4], wanted: [u8; 4], (x, y): (u32, u32)) {
    let far = got.iter().zip(wanted).any(|(&a, b)| a.abs_diff(b) > 14);
    assert!(!far, "pixel {x} {y} is {got:?}, not about {wanted:?}");
}
