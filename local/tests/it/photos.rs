//! The photographs of `tests/fixtures/photos` as previews.

use std::{fs, io::Cursor};

use common::ports::EmbedImage;
use image::{
    DynamicImage, GrayAlphaImage, GrayImage, RgbImage, RgbaImage, codecs::webp::WebPEncoder,
};
use zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions};

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
    if name.ends_with(".png") {
        png(bytes)
    } else {
        jpeg(bytes)
    }
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

fn png(bytes: Vec<u8>) -> DynamicImage {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().unwrap();
    let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut buffer).unwrap();
    let (width, height) = (info.width, info.height);
    match info.color_type {
        png::ColorType::Grayscale => GrayImage::from_raw(width, height, buffer).unwrap().into(),
        png::ColorType::GrayscaleAlpha => GrayAlphaImage::from_raw(width, height, buffer)
            .unwrap()
            .into(),
        png::ColorType::Rgb => RgbImage::from_raw(width, height, buffer).unwrap().into(),
        png::ColorType::Rgba => RgbaImage::from_raw(width, height, buffer).unwrap().into(),
        png::ColorType::Indexed => panic!("the decoder expands palettes"),
    }
}

fn jpeg(bytes: Vec<u8>) -> DynamicImage {
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = zune_jpeg::JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    let buffer = decoder.decode().unwrap();
    let (width, height) = decoder.dimensions().unwrap();
    RgbImage::from_raw(
        u32::try_from(width).unwrap(),
        u32::try_from(height).unwrap(),
        buffer,
    )
    .unwrap()
    .into()
}
