//! A preview as the image network wants it: its middle, 224 pixels square, as numbers around zero.

use std::io::Cursor;

use common::error::{Error, ErrorCode, Result};
use fast_image_resize::{
    FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer,
    images::{Image, ImageRef},
};
use image::{DynamicImage, ImageFormat, ImageReader, Limits};

/// Side of the network's square input, in pixels.
pub(super) const SIDE: usize = 224;
/// What the shortest side is scaled to before the middle is cut out.
const SHORTEST: f64 = 256.0;
/// Longest edge that is decoded; previews have at most 2048.
const EDGE_MAX: u32 = 4096;

/// The square of a picture that the network sees, in the picture's pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Crop {
    left: f64,
    top: f64,
    side: f64,
}

/// The middle `SIDE` of a picture scaled to a shortest side of `SHORTEST`, without the detour of scaling what
/// is cut away.
fn centre_crop(width: u32, height: u32) -> Crop {
    let side = f64::from(width.min(height)) * (SIDE as f64 / SHORTEST);
    Crop {
        left: (f64::from(width) - side) / 2.0,
        top: (f64::from(height) - side) / 2.0,
        side,
    }
}

/// Decodes a WebP preview into `3 * SIDE * SIDE` numbers: channel by channel, row by row, each `(x - 127) / 128`.
///
/// # Errors
/// `provider_rejected_image` for bytes that are no picture.
pub(super) fn tensor(webp: &[u8]) -> Result<Vec<f32>> {
    let pixels = decode(webp)?;
    let (width, height) = (pixels.width(), pixels.height());
    let source =
        ImageRef::new(width, height, pixels.as_raw(), PixelType::U8x3).map_err(Error::internal)?;
    let mut square = Image::new(SIDE as u32, SIDE as u32, PixelType::U8x3);
    let crop = centre_crop(width, height);
    let options = ResizeOptions::new()
        .crop(crop.left, crop.top, crop.side, crop.side)
        .resize_alg(ResizeAlg::Convolution(FilterType::CatmullRom));
    Resizer::new()
        .resize(&source, &mut square, &options)
        .map_err(Error::internal)?;
    Ok(planes(square.buffer()))
}

/// Decodes and lays what is transparent over white.
fn decode(webp: &[u8]) -> Result<image::RgbImage> {
    let mut reader = ImageReader::with_format(Cursor::new(webp), ImageFormat::WebP);
    let mut limits = Limits::default();
    limits.max_image_width = Some(EDGE_MAX);
    limits.max_image_height = Some(EDGE_MAX);
    reader.limits(limits);
    let decoded = reader.decode().map_err(|error| {
        Error::new(
            ErrorCode::ProviderRejectedImage,
            "the preview cannot be decoded",
        )
        .because(error)
    })?;
    if !decoded.color().has_alpha() {
        return Ok(decoded.into_rgb8());
    }
    let with_alpha = decoded.into_rgba8();
    let mut over_white =
        DynamicImage::new_rgb8(with_alpha.width(), with_alpha.height()).into_rgb8();
    for (to, from) in over_white.pixels_mut().zip(with_alpha.pixels()) {
        let [red, green, blue, alpha] = from.0;
        to.0 = [red, green, blue].map(|channel| blend_over_white(channel, alpha));
    }
    Ok(over_white)
}

/// One channel over white, rounded to nearest.
fn blend_over_white(channel: u8, alpha: u8) -> u8 {
    let sum = u32::from(channel) * u32::from(alpha) + 255 * (255 - u32::from(alpha));
    ((sum + 127) / 255) as u8
}

/// From pixels of three channels to three planes of numbers.
fn planes(pixels: &[u8]) -> Vec<f32> {
    let mut planes = Vec::with_capacity(pixels.len());
    for channel in 0..3 {
        planes.extend(
            pixels
                .iter()
                .skip(channel)
                .step_by(3)
                .map(|value| (f32::from(*value) - 127.0) / 128.0),
        );
    }
    planes
}

#[cfg(test)]
mod tests {
    use image::{ImageEncoder, Rgba, RgbaImage, codecs::webp::WebPEncoder};

    use super::*;

    fn webp(picture: &RgbaImage) -> Vec<u8> {
        let mut bytes = Vec::new();
        let (width, height) = picture.dimensions();
        WebPEncoder::new_lossless(&mut bytes)
            .write_image(picture, width, height, image::ExtendedColorType::Rgba8)
            .unwrap();
        bytes
    }

    #[test]
    fn the_crop_is_the_middle_seven_eighths_of_the_shorter_side() {
        assert_eq!(
            centre_crop(256, 256),
            Crop {
                left: 16.0,
                top: 16.0,
                side: 224.0
            }
        );
        assert_eq!(
            centre_crop(1024, 512),
            Crop {
                left: 288.0,
                top: 32.0,
                side: 448.0
            }
        );
        assert_eq!(
            centre_crop(100, 800),
            Crop {
                left: 6.25,
                top: 356.25,
                side: 87.5
            }
        );
        for (width, height) in [(1, 1), (1, 2048), (2048, 1), (2047, 3)] {
            let crop = centre_crop(width, height);
            assert!(crop.side > 0.0 && crop.left >= 0.0 && crop.top >= 0.0);
            assert!(
                crop.left + crop.side <= f64::from(width)
                    && crop.top + crop.side <= f64::from(height)
            );
        }
    }

    #[test]
    fn a_plain_picture_becomes_three_plain_planes() {
        let numbers = tensor(&webp(&RgbaImage::from_pixel(
            300,
            70,
            Rgba([255, 127, 0, 255]),
        )))
        .unwrap();
        assert_eq!(numbers.len(), 3 * SIDE * SIDE);
        for (plane, expected) in numbers.chunks(SIDE * SIDE).zip([1.0, 0.0, -127.0 / 128.0]) {
            assert!(plane.iter().all(|value| (value - expected).abs() < 1e-6));
        }
    }

    #[test]
    fn only_the_middle_is_seen() {
        let mut picture = RgbaImage::from_pixel(640, 320, Rgba([255, 255, 255, 255]));
        for (x, _, pixel) in picture.enumerate_pixels_mut() {
            if !(170..470).contains(&x) {
                *pixel = Rgba([0, 0, 0, 255]);
            }
        }
        assert!(
            tensor(&webp(&picture))
                .unwrap()
                .iter()
                .all(|value| *value == 1.0)
        );
    }

    #[test]
    fn what_is_transparent_is_white() {
        assert!(
            tensor(&webp(&RgbaImage::from_pixel(8, 8, Rgba([0, 0, 0, 0]))))
                .unwrap()
                .iter()
                .all(|v| *v == 1.0)
        );
        assert_eq!(blend_over_white(10, 255), 10);
        assert_eq!(blend_over_white(0, 128), 127);
        assert_eq!(blend_over_white(255, 1), 255);
    }

    #[test]
    fn the_smallest_picture_works_and_what_is_none_is_rejected() {
        assert!(tensor(&webp(&RgbaImage::new(1, 1))).is_ok());
        let whole = webp(&RgbaImage::from_fn(40, 40, |x, y| {
            Rgba([x as u8, y as u8, (x * y) as u8, 255])
        }));
        for bytes in [
            &b""[..],
            b"GIF89a",
            &whole[..whole.len() / 2],
            &webp(&RgbaImage::new(4097, 1)),
        ] {
            assert_eq!(
                tensor(bytes).unwrap_err().code(),
                ErrorCode::ProviderRejectedImage
            );
        }
    }
}
