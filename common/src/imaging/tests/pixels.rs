//! What the preview shows: samples of every depth, transparency, orientation, size.

use png::{BitDepth, ColorType};

use super::{build::*, *};
use crate::imaging::{preview, preview_bound, raster::Layout};

/// Rows of equal samples, long enough that the lossy preview shows their colour.
fn flat(samples: &[u8], pixels: usize) -> Vec<u8> {
    samples.repeat(pixels)
}

#[test]
fn png_samples_of_every_kind_keep_their_colour() {
    let rgb = Png {
        size: (16, 16),
        data: &flat(&[200, 40, 90], 256),
        ..Png::default()
    };
    assert_pixel(&accepted(&rgb.bytes()), (8, 8), [200, 40, 90, 255]);
    let grey_alpha = Png {
        colour: ColorType::GrayscaleAlpha,
        data: &flat(&[180, 100], 256),
        ..rgb
    };
    assert_pixel(&accepted(&grey_alpha.bytes()), (8, 8), [180, 180, 180, 100]);
    let sixteen = Png {
        depth: BitDepth::Sixteen,
        data: &flat(&[0xc8, 0xff, 0x28, 0x01, 0x5a, 0x5a], 256),
        ..Png {
            size: (16, 16),
            ..Png::default()
        }
    };
    assert_pixel(&accepted(&sixteen.bytes()), (8, 8), [201, 40, 90, 255]);
}

#[test]
fn one_bit_a_pixel_is_black_and_white() {
    let rows = [[0xff, 0x00]; 16].concat();
    let png = Png {
        size: (16, 16),
        colour: ColorType::Grayscale,
        depth: BitDepth::One,
        data: &rows,
        ..Png::default()
    };
    let picture = accepted(&png.bytes());
    assert_pixel(&picture, (2, 8), [255, 255, 255, 255]);
    assert_pixel(&picture, (13, 8), [0, 0, 0, 255]);
}

#[test]
fn a_palette_keeps_its_transparency() {
    let rows = [[0b0001_0001; 2], [0b0001_0001; 2]].concat();
    let png = Png {
        size: (8, 2),
        colour: ColorType::Indexed,
        depth: BitDepth::Two,
        palette: &[0, 0, 255, 255, 128, 0],
        trns: &[0, 77],
        data: &rows,
    };
    let header = inspect(&png.bytes(), None, &Limits::default()).unwrap();
    assert!(header.has_alpha);
    let picture = accepted(&png.bytes());
    assert_eq!(pixel(&picture, 0, 0)[3], 0);
    assert_eq!(pixel(&picture, 1, 0)[3], 77);
}

#[test]
fn a_colour_of_rgb_can_be_transparent() {
    let data = [[9, 9, 9].repeat(8), [200, 200, 200].repeat(8)].concat();
    let png = Png {
        size: (8, 2),
        trns: &[0, 9, 0, 9, 0, 9],
        data: &data,
        ..Png::default()
    };
    let picture = accepted(&png.bytes());
    assert_eq!(
        (pixel(&picture, 4, 0)[3], pixel(&picture, 4, 1)[3]),
        (0, 255)
    );
}

#[test]
fn interlaced_rows_are_woven() {
    // A picture whose eight Adam7 passes each bring pixels, written pass by pass.
    let colour = |x: u32, y: u32| [(x * 12) as u8, (y * 12) as u8, 60];
    let straight = rgb_png(21, 19, colour);
    let mut raw = Vec::new();
    for (left, top, across, down) in [
        (0, 0, 8, 8),
        (4, 0, 8, 8),
        (0, 4, 4, 8),
        (2, 0, 4, 4),
        (0, 2, 2, 4),
        (1, 0, 2, 2),
        (0, 1, 1, 2),
    ] {
        for y in (top..19).step_by(down) {
            raw.push(0);
            raw.extend((left..21).step_by(across).flat_map(|x| colour(x, y)));
        }
    }
    // An iCCP chunk's data hold a zlib stream behind three bytes.
    let stream = &iccp(&raw)[3..];
    let mut interlaced = b"\x89PNG\r\n\x1a\n".to_vec();
    interlaced.extend(png_chunk(
        b"IHDR",
        &[0, 0, 0, 21, 0, 0, 0, 19, 8, 2, 0, 0, 1],
    ));
    interlaced.extend(png_chunk(b"IDAT", stream));
    interlaced.extend(png_chunk(b"IEND", &[]));
    assert_eq!(accepted(&interlaced).preview, accepted(&straight).preview);
}

#[test]
fn a_gif_frame_lies_where_its_canvas_says() {
    let indices: Vec<u8> = (0..64).map(|at| if at % 8 < 4 { 1 } else { 2 }).collect();
    let frame = GifFrame {
        place: (6, 4, 8, 8),
        indices: &indices,
        transparent: Some(2),
    };
    let picture = accepted(&gif((20, 16), &[frame]));
    assert_eq!(
        (picture.width, picture.height, picture.animated),
        (20, 16, false)
    );
    assert_eq!(pixel(&picture, 2, 2)[3], 0, "outside the frame");
    assert_pixel(&picture, (7, 8), [255, 0, 0, 255]);
    assert_eq!(pixel(&picture, 12, 8)[3], 0, "the transparent colour");
}

#[test]
fn a_gif_frame_that_leaves_its_canvas_is_clipped() {
    let indices = [3; 100];
    let frame = GifFrame {
        place: (4, 4, 10, 10),
        indices: &indices,
        transparent: None,
    };
    let picture = accepted(&gif((8, 8), &[frame]));
    assert_pixel(&picture, (6, 6), [0, 0, 255, 255]);
    assert_eq!(pixel(&picture, 1, 1)[3], 0);
}

#[test]
fn an_animated_webp_shows_its_first_frame_on_its_canvas() {
    let red = webp_picture(16, 16, [220, 30, 30, 255]);
    let green = webp_picture(32, 24, [30, 200, 30, 255]);
    let chunks = [
        vp8x(0x12, 32, 24),
        riff_chunk(b"ANIM", &[0; 6]),
        anmf((8, 4, 16, 16), &red),
        anmf((0, 0, 32, 24), &green),
    ];
    let picture = accepted(&riff(&chunks));
    assert_eq!(
        (picture.width, picture.height, picture.animated),
        (32, 24, true)
    );
    assert_pixel(&picture, (16, 12), [220, 30, 30, 255]);
    assert_eq!(pixel(&picture, 2, 2)[3], 0);
    assert_eq!(pixel(&picture, 29, 21)[3], 0);
}

#[test]
fn webp_alpha_is_kept() {
    let half = webp_picture(32, 32, [30, 60, 200, 128]);
    let chunks = [vp8x(0x10, 32, 32), half];
    assert_pixel(&accepted(&riff(&chunks)), (16, 16), [30, 60, 200, 128]);
}

/// A picture whose four corners tell which way up it is.
fn corners(x: u32, y: u32) -> [u8; 3] {
    match (x < 16, y < 12) {
        (true, true) => [230, 20, 20],
        (false, true) => [20, 200, 20],
        (true, false) => [20, 20, 230],
        (false, false) => [230, 230, 20],
    }
}

#[test]
fn every_orientation_of_every_format_is_turned_upright() {
    const UPRIGHT: [[usize; 4]; 8] = [
        [0, 1, 2, 3],
        [1, 0, 3, 2],
        [3, 2, 1, 0],
        [2, 3, 0, 1],
        [0, 2, 1, 3],
        [2, 0, 3, 1],
        [3, 1, 2, 0],
        [1, 3, 0, 2],
    ];
    let stored = [
        corners(0, 0),
        corners(31, 0),
        corners(0, 23),
        corners(31, 23),
    ];
    let png = rgb_png(32, 24, corners);
    let webp = accepted(&png).preview.webp[12..].to_vec();
    for (number, order) in (1..=8_u16).zip(UPRIGHT) {
        let in_png = with_png_chunk(&png, b"eXIf", &exif(number));
        let in_webp = riff(&[
            vp8x(0x08, 32, 24),
            webp.clone(),
            riff_chunk(b"EXIF", &exif(number)),
        ]);
        for bytes in [in_png, in_webp] {
            let picture = accepted(&bytes);
            let (width, height) = if number > 4 { (24, 32) } else { (32, 24) };
            assert_eq!((picture.width, picture.height), (width, height), "{number}");
            assert_eq!(
                (picture.preview.width, picture.preview.height),
                (width, height),
                "{number}"
            );
            let places = [
                (3, 3),
                (width - 4, 3),
                (3, height - 4),
                (width - 4, height - 4),
            ];
            for (place, from) in places.into_iter().zip(order) {
                let [r, g, b] = stored[from];
                assert_pixel(&picture, place, [r, g, b, 255]);
            }
            assert!(picture.warnings.is_empty());
        }
    }
}

#[test]
fn jpeg_orientation_counts_and_an_invalid_one_does_not() {
    let jpeg = case("rgb.jpg");
    for number in 1..=8 {
        let turned = with_segment(
            &jpeg,
            0xe1,
            &[b"Exif\0\0".as_slice(), &exif(number)].concat(),
        );
        let header = inspect(&turned, None, &Limits::default()).unwrap();
        assert_eq!(u16::from(header.orientation), number);
        assert_eq!(
            (header.width, header.height),
            if number > 4 { (48, 64) } else { (64, 48) }
        );
        assert_eq!((accepted(&turned).preview.width > 48), number < 5);
    }
    for number in [0, 9, 700] {
        let turned = with_segment(
            &jpeg,
            0xe1,
            &[b"Exif\0\0".as_slice(), &exif(number)].concat(),
        );
        let picture = accepted(&turned);
        assert_eq!(codes(&picture.warnings), ["orientation_invalid"]);
        assert_eq!(picture.preview, accepted(&jpeg).preview);
    }
}

#[test]
fn a_preview_is_never_enlarged_and_no_side_is_empty() {
    let long = accepted(&rgb_png(20_000, 1, |x, _| [(x / 100) as u8, 0, 0]));
    assert_eq!((long.width, long.height), (20_000, 1));
    assert_eq!((long.preview.width, long.preview.height), (2048, 1));
    let small = accepted(&rgb_png(3, 5, |_, _| [1, 2, 3]));
    assert_eq!((small.preview.width, small.preview.height), (3, 5));
    let limits = Limits {
        preview_max_edge: 10,
        ..Limits::default()
    };
    let tiny = process(&rgb_png(300, 200, |_, _| [9, 9, 9]), None, &limits).unwrap();
    assert_eq!((tiny.preview.width, tiny.preview.height), (10, 7));
}

#[test]
fn strips_leave_no_seams() {
    // Tall enough for several strips; a slope must stay a slope across their borders.
    let picture = accepted(&rgb_png(2600, 3000, |_, y| [(y / 12) as u8; 3]));
    let raster = shown(&picture);
    let column: Vec<u8> = raster
        .pixels
        .chunks_exact(raster.width as usize * 3)
        .map(|row| row[3000])
        .collect();
    for (y, pair) in column.windows(2).enumerate() {
        assert!(
            pair[0].abs_diff(pair[1]) <= 6,
            "row {y} jumps from {} to {}",
            pair[0],
            pair[1]
        );
    }
    assert!(column[0] < 8 && column[column.len() - 1] > 242);
}

#[test]
fn a_preview_holds_pixels_and_nothing_else() {
    let jpeg = with_segment(
        &case("exif6.jpg"),
        0xe1,
        b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>",
    );
    let with_alpha = Png {
        size: (9, 9),
        colour: ColorType::Rgba,
        data: &[7, 8, 9, 100].repeat(81),
        ..Png::default()
    };
    for bytes in [jpeg, case("icc.jpg"), with_alpha.bytes()] {
        let webp = accepted(&bytes).preview.webp;
        let allowed = [b"VP8X", b"ALPH", b"VP8 "];
        for kind in chunks(&webp) {
            assert!(allowed.iter().any(|allowed| kind == *allowed), "{kind:?}");
        }
        for mark in [b"Exif".as_slice(), b"ICC", b"xmp", b"II*\0"] {
            assert!(!webp.windows(mark.len()).any(|window| window == mark));
        }
    }
}

#[test]
fn no_preview_is_larger_than_its_bound() {
    for size in [(1, 1), (64, 64), (501, 333)] {
        let pixels = size.0 as usize * size.1 as usize;
        let data = noise(4 * pixels);
        let png = Png {
            size,
            colour: ColorType::Rgba,
            data: &data,
            ..Png::default()
        }
        .bytes();
        let picture = accepted(&png);
        assert!(
            picture.preview.webp.len() as u64 <= preview_bound(size.0, size.1, &Limits::default())
        );
        assert_eq!(
            preview_bound(size.0, size.1, &Limits::default()),
            preview_bound(size.1, size.0, &Limits::default())
        );
    }
    // A bound that no quality can meet is met by a smaller picture.
    let raster = Raster {
        layout: Layout::Rgb,
        width: 400,
        height: 300,
        pixels: noise(360_000),
    };
    let squeezed = preview::encode(&raster, 0).unwrap();
    assert!(squeezed.webp.len() <= 4096 && squeezed.width < 400);
}
