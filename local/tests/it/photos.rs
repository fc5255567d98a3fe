//! The photographs of `tests/fixtures/photos` as previews.

use std::fs;

use common::ports::EmbedImage;
use image::{DynamicImage, codecs::webp::WebPEncoder};

/// Names of the photographs, in order.
pub(crate) const NAMES: [&str; 10] = [
    "astronaut.png",
    "brick.png",
    "camera.png",
    "chelsea.png",
    "clock_motion.png",
    "coffee.png",
    "grass.png",
    "horse.png",
    "hubble_deep_field.jpg",
    "rocket.jpg",
];

/// A photograph's pixels.
pub(crate) fn pixels(name: &str) -> DynamicImage {
    let bytes = fs::read(crate::checkout().join("tests/fixtures/photos").join(name)).unwrap();
    image::load_from_memory(&bytes).unwrap()
}

/// Pixels as a lossless WebP preview.
pub(crate) fn preview(pixels: &DynamicImage) -> EmbedImage {
    let mut bytes = Vec::new();
    pixels
        .to_rgba8()
        .write_with_encoder(WebPEncoder::new_lossless(&mut bytes))
        .unwrap();
    EmbedImage { webp: bytes.into() }
}

/// All photographs as previews, in the order of [`NAMES`].
pub(crate) fn previews() -> Vec<EmbedImage> {
    NAMES.iter().map(|name| preview(&pixels(name))).collect()
}
