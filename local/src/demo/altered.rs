//! An altered copy of a picture, as it might come back from elsewhere: cropped to 80 % of each side, turned
//! by five degrees and saved as JPEG of quality 60.

use common::error::{Error, ErrorCode, Result};
use image::{RgbImage, codecs::jpeg::JpegEncoder};

/// Part of each side that is kept.
const KEPT: f32 = 0.8;

/// The turn, in degrees.
const DEGREES: f32 = 5.0;

/// JPEG quality.
const QUALITY: u8 = 60;

/// The altered copy, as JPEG.
///
/// # Errors
/// `image_corrupt` when the picture does not decode.
pub(super) fn altered(original: &[u8]) -> Result<Vec<u8>> {
    let decoded = image::load_from_memory(original).map_err(|error| {
        Error::new(ErrorCode::ImageCorrupt, "the picture does not decode").because(error)
    })?;
    let turned = turn_and_crop(&decoded.to_rgb8());
    let mut jpeg = Vec::new();
    JpegEncoder::new_with_quality(&mut jpeg, QUALITY)
        .encode_image(&turned)
        .map_err(Error::internal)?;
    Ok(jpeg)
}

/// Turns about the centre and keeps the middle: each kept pixel is read from where the turn took it from.
fn turn_and_crop(source: &RgbImage) -> RgbImage {
    let (width, height) = source.dimensions();
    let kept = |side: u32| ((side as f32 * KEPT) as u32).max(1);
    let (out_width, out_height) = (kept(width), kept(height));
    let (sin, cos) = DEGREES.to_radians().sin_cos();
    let centre = |side: u32| (side as f32 - 1.0) / 2.0;
    RgbImage::from_fn(out_width, out_height, |x, y| {
        let (dx, dy) = (x as f32 - centre(out_width), y as f32 - centre(out_height));
        sample(
            source,
            centre(width) + dx * cos - dy * sin,
            centre(height) + dx * sin + dy * cos,
        )
    })
}

/// Bilinear, with the border repeated outwards.
fn sample(source: &RgbImage, x: f32, y: f32) -> image::Rgb<u8> {
    let limit = |value: f32, side: u32| value.clamp(0.0, side as f32 - 1.0);
    let (x, y) = (limit(x, source.width()), limit(y, source.height()));
    let (left, top) = (x as u32, y as u32);
    let (right, bottom) = (
        (left + 1).min(source.width() - 1),
        (top + 1).min(source.height() - 1),
    );
    let (right_share, bottom_share) = (x.fract(), y.fract());
    let at = |x: u32, y: u32, channel: usize| f32::from(source.get_pixel(x, y).0[channel]);
    image::Rgb(std::array::from_fn(|channel| {
        let upper =
            at(left, top, channel) * (1.0 - right_share) + at(right, top, channel) * right_share;
        let lower = at(left, bottom, channel) * (1.0 - right_share)
            + at(right, bottom, channel) * right_share;
        (upper * (1.0 - bottom_share) + lower * bottom_share).round() as u8
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copy_is_smaller_and_turned_about_the_centre() {
        let mut source = RgbImage::from_pixel(101, 101, image::Rgb([0, 0, 0]));
        source.put_pixel(50, 50, image::Rgb([255, 255, 255]));
        source.put_pixel(90, 50, image::Rgb([255, 255, 255]));
        let turned = turn_and_crop(&source);
        assert_eq!(turned.dimensions(), (80, 80));
        let bright = |x: u32, y: u32| turned.get_pixel(x, y).0[0] > 40;
        // The centre lies between the four middle pixels of an even side.
        assert!((39..=40).any(|x| (39..=40).any(|y| bright(x, y))));
        // Forty to the right of the centre was turned up by about three and a half.
        assert!((78..=79).any(|x| (35..=37).any(|y| bright(x, y))));
    }

    #[test]
    fn a_picture_of_one_pixel_stays_one() {
        let one = RgbImage::from_pixel(1, 1, image::Rgb([9, 8, 7]));
        assert_eq!(turn_and_crop(&one), one);
    }
}
