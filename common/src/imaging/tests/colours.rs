//! Colour profiles and inks.

use moxcms::ColorProfile;
use png::ColorType;

use super::{build::*, *};

/// A flat PNG with a profile.
fn with_profile(colour: ColorType, sample: &[u8], profile: &[u8]) -> Vec<u8> {
    let png = Png {
        size: (16, 16),
        colour,
        data: &sample.repeat(256),
        ..Png::default()
    };
    with_png_chunk(&png.bytes(), b"iCCP", &iccp(profile))
}

#[test]
fn a_wide_profile_is_converted() {
    let p3 = ColorProfile::new_display_p3().encode().unwrap();
    let picture = accepted(&with_profile(ColorType::Rgb, &[60, 200, 60], &p3));
    assert!(picture.warnings.is_empty());
    // The green of Display P3 lies outside sRGB: red is clipped away.
    assert_pixel(&picture, (8, 8), [0, 203, 11, 255]);
    let alpha = accepted(&with_profile(ColorType::Rgba, &[60, 200, 60, 90], &p3));
    assert_pixel(&alpha, (8, 8), [0, 203, 11, 90]);
}

#[test]
fn the_same_profile_in_jpeg_and_webp() {
    let p3 = ColorProfile::new_display_p3().encode().unwrap();
    let plain = case("rgb.jpg");
    let (front, back) = p3.split_at(p3.len() / 2);
    let second = with_segment(
        &plain,
        0xe2,
        &[b"ICC_PROFILE\0\x02\x02".as_slice(), back].concat(),
    );
    let jpeg = accepted(&with_segment(
        &second,
        0xe2,
        &[b"ICC_PROFILE\0\x01\x02".as_slice(), front].concat(),
    ));
    assert!(jpeg.warnings.is_empty());
    assert!(
        pixel(&jpeg, 60, 44)[0] > pixel(&accepted(&plain), 60, 44)[0] + 4,
        "P3's red is redder"
    );
    let picture = webp_picture(16, 16, [60, 200, 60, 255]);
    let webp = accepted(&riff(&[
        vp8x(0x20, 16, 16),
        riff_chunk(b"ICCP", &p3),
        picture,
    ]));
    assert_pixel(&webp, (8, 8), [0, 203, 11, 255]);
}

#[test]
fn a_grey_profile_is_converted() {
    let linear = ColorProfile::new_gray_with_gamma(1.0).encode().unwrap();
    let picture = accepted(&with_profile(ColorType::Grayscale, &[55], &linear));
    assert!(picture.warnings.is_empty());
    assert_pixel(&picture, (8, 8), [128, 128, 128, 255]);
    let alpha = accepted(&with_profile(
        ColorType::GrayscaleAlpha,
        &[55, 200],
        &linear,
    ));
    assert_pixel(&alpha, (8, 8), [128, 128, 128, 200]);
    let rgb = ColorProfile::new_srgb().encode().unwrap();
    let odd = accepted(&with_profile(ColorType::Grayscale, &[90], &rgb));
    assert!(odd.warnings.is_empty());
    assert_pixel(&odd, (8, 8), [90, 90, 90, 255]);
}

#[test]
fn a_profile_that_cannot_be_used_costs_a_warning() {
    let grey = ColorProfile::new_gray_with_gamma(2.2).encode().unwrap();
    let mut damaged = ColorProfile::new_display_p3().encode().unwrap();
    damaged[130..200].fill(0xff);
    let huge = vec![0; 5 * 1024 * 1024];
    for profile in [&grey, &damaged, &huge, &Vec::new()] {
        let picture = accepted(&with_profile(ColorType::Rgb, &[60, 200, 60], profile));
        assert_eq!(codes(&picture.warnings), ["icc_ignored"]);
        assert_pixel(&picture, (8, 8), [60, 200, 60, 255]);
    }
    let part = with_segment(
        &case("rgb.jpg"),
        0xe2,
        b"ICC_PROFILE\0\x02\x03half of a profile",
    );
    assert_eq!(codes(&accepted(&part).warnings), ["icc_ignored"]);
}

#[test]
fn compressed_text_is_left_unread() {
    let png = rgb_png(4, 4, |_, _| [5, 5, 5]);
    for (kind, data) in [
        (b"zTXt", b"k\0\0not a zlib stream".as_slice()),
        (b"iTXt", b"k\0\x01\0\0\0neither"),
    ] {
        assert_eq!(
            codes(&accepted(&with_png_chunk(&png, kind, data)).warnings),
            ["compressed_text_ignored"]
        );
    }
    assert!(
        accepted(&with_png_chunk(&png, b"tEXt", b"k\0plain"))
            .warnings
            .is_empty()
    );
}

/// A CMYK profile of sixteen nodes in which paper is white and any ink is the colour given in Lab.
fn ink_profile(lab: [u8; 3]) -> Vec<u8> {
    let mut table = b"mft1\0\0\0\0\x04\x03\x02\0".to_vec();
    for at in 0..9 {
        table.extend_from_slice(&if at % 4 == 0 { 65_536_i32 } else { 0 }.to_be_bytes());
    }
    let line: Vec<u8> = (0..=255).collect();
    table.extend(line.repeat(4));
    table.extend([255, 128, 128]);
    table.extend(lab.repeat(15));
    table.extend(line.repeat(3));
    let mut profile = vec![0; 128];
    profile[8] = 2;
    profile[12..24].copy_from_slice(b"prtrCMYKLab ");
    profile[36..40].copy_from_slice(b"acsp");
    profile[68..80].copy_from_slice(&[0, 0, 0xf6, 0xd6, 0, 1, 0, 0, 0, 0, 0xd3, 0x2d]);
    profile.extend_from_slice(&1_u32.to_be_bytes());
    profile.extend_from_slice(b"A2B0\0\0\0\x90");
    profile.extend_from_slice(&(table.len() as u32).to_be_bytes());
    profile.extend(table);
    let length = profile.len() as u32;
    profile[..4].copy_from_slice(&length.to_be_bytes());
    profile
}

#[test]
fn inks_follow_their_profile() {
    let green = ink_profile([128, 60, 190]);
    let jpeg = with_segment(
        &case("cmyk_adobe0.jpg"),
        0xe2,
        &[b"ICC_PROFILE\0\x01\x01".as_slice(), &green].concat(),
    );
    let picture = accepted(&jpeg);
    assert!(picture.warnings.is_empty());
    let [r, g, b, _] = pixel(&picture, 16, 16);
    assert!(
        g > r + 40 && g > b + 40,
        "the profile turns these inks green, not {r} {g} {b}"
    );
    let rgb = ColorProfile::new_srgb().encode().unwrap();
    let wrong = with_segment(
        &case("cmyk_adobe0.jpg"),
        0xe2,
        &[b"ICC_PROFILE\0\x01\x01".as_slice(), &rgb].concat(),
    );
    let picture = accepted(&wrong);
    assert_eq!(codes(&picture.warnings), ["icc_ignored"]);
    assert_pixel(&picture, (16, 16), [226, 53, 53, 255]);
}
