//! Verdicts of the pipeline, and the small pictures that the tests build.

mod build;
mod cases;
mod colours;
mod containers;
mod jpegs;
mod pixels;
mod properties;

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

/// The preview's pixels.
fn shown(picture: &Picture) -> Raster {
    let limits = Limits {
        max_pixels: u64::MAX,
        ..Limits::default()
    };
    let (_, structure) = riff::read(&picture.preview.webp, &limits).unwrap();
    riff::decode(&picture.preview.webp, &structure, u32::from(u16::MAX)).unwrap()
}

/// One pixel of the preview as RGBA.
fn pixel(picture: &Picture, x: u32, y: u32) -> [u8; 4] {
    let raster = shown(picture);
    assert!(
        x < raster.width && y < raster.height,
        "{x} {y} is outside the preview"
    );
    let channels = raster.layout.channels();
    let at = (y as usize * raster.width as usize + x as usize) * channels;
    let mut rgba = [255; 4];
    rgba[..channels].copy_from_slice(&raster.pixels[at..at + channels]);
    rgba
}

/// Asserts that a pixel of the preview has about this colour; lossy coding is off by a few.
#[track_caller]
fn assert_pixel(picture: &Picture, (x, y): (u32, u32), wanted: [u8; 4]) {
    let got = pixel(picture, x, y);
    let far = got.iter().zip(wanted).any(|(&a, b)| a.abs_diff(b) > 14);
    assert!(!far, "pixel {x} {y} is {got:?}, not about {wanted:?}");
}
