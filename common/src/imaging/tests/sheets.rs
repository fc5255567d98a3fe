//! What a model is shown: contact sheets and thumbnails, read back pixel by pixel.

use proptest::{collection::vec, prelude::*};

use super::{build::*, *};
use crate::{
    error::Error,
    imaging::{
        SHEET_MAX_BYTES, SHEET_MAX_EDGE, SHEET_TILES_MAX, THUMBNAIL_MAX_EDGE, contact_sheet,
        raster::Layout,
        sheet::{contact_sheet_below, thumbnail_below},
        thumbnail,
        webp::{self, Effort},
    },
};

const PAPER: [u8; 4] = [240, 240, 240, 255];
const BACKDROP: [u8; 4] = [128, 128, 128, 255];

/// A preview of one opaque colour.
fn plain(width: u32, height: u32, [red, green, blue]: [u8; 3]) -> Vec<u8> {
    riff(&[webp_picture(width, height, [red, green, blue, 255])])
}

/// A preview of one colour that can be seen through.
fn clear(width: u32, height: u32, colour: [u8; 4]) -> Vec<u8> {
    riff(&[
        vp8x(0x10, width, height),
        webp_picture(width, height, colour),
    ])
}

/// A preview of RGB samples, hardly changed.
fn kept(width: u32, height: u32, pixels: Vec<u8>) -> Vec<u8> {
    let raster = Raster {
        layout: Layout::Rgb,
        width,
        height,
        pixels,
    };
    let effort = Effort {
        quality: 95.0,
        alpha_quality: 100,
        method: 1,
    };
    webp::encode(&raster, effort).unwrap()
}

fn noisy(width: u32, height: u32) -> Vec<u8> {
    kept(width, height, noise((width * height * 3) as usize))
}

/// A colour of its own for each tile.
fn colour(number: u32) -> [u8; 3] {
    [number * 37, number * 91 + 60, number * 151 + 120].map(|sample| (sample % 256) as u8)
}

fn opaque([red, green, blue]: [u8; 3]) -> [u8; 4] {
    [red, green, blue, 255]
}

/// The previews as tiles, none of them blank.
fn tiles(previews: &[Vec<u8>]) -> Vec<Option<&[u8]>> {
    previews
        .iter()
        .map(|preview| Some(preview.as_slice()))
        .collect()
}

fn sheet(tiles: &[Option<&[u8]>]) -> Raster {
    decoded(&contact_sheet(tiles).unwrap())
}

/// What the plates of thirty tiles show, dot by dot.
fn plates(sheet: &Raster) -> Vec<Vec<String>> {
    let plate = |place: u32| {
        let (left, top) = (place % 6 * 180 + 3, place / 6 * 180 + 3);
        let ink = |x: u32, y: u32| {
            let [_, green, _, _] = rgba(sheet, (left + 3 + 3 * x, top + 3 + 3 * y));
            if green > 127 { '#' } else { '.' }
        };
        let width = if place < 9 { 7 } else { 13 };
        (0..9)
            .map(|y| (0..width).map(|x| ink(x, y)).collect())
            .collect()
    };
    (0..30).map(plate).collect()
}

#[track_caller]
fn assert_shows(sheet: &Raster, place: (u32, u32), wanted: [u8; 4]) {
    assert_about(rgba(sheet, place), wanted, place);
}

#[track_caller]
fn assert_code(result: Result<Vec<u8>, Error>, wanted: ErrorCode) {
    assert_eq!(result.expect_err("must be refused").code(), wanted);
}

#[test]
fn tiles_stand_in_order_row_by_row() {
    for (count, columns, size) in [
        (1, 1, (1080, 1080)),
        (2, 2, (1080, 540)),
        (5, 3, (1080, 720)),
        (30, 6, (1080, 900)),
    ] {
        let previews: Vec<_> = (1..=count).map(|n| plain(90, 80, colour(n))).collect();
        let sheet = sheet(&tiles(&previews));
        assert_eq!((sheet.width, sheet.height), size, "{count} tiles");
        let pitch = 1080 / columns;
        for number in 1..=count {
            let (column, row) = ((number - 1) % columns, (number - 1) / columns);
            let centre = (column * pitch + pitch / 2, row * pitch + pitch / 2);
            assert_shows(&sheet, centre, opaque(colour(number)));
        }
    }
}

#[test]
fn every_number_can_be_read_and_is_another() {
    let sheet = sheet(&[None; 30]);
    let drawn = plates(&sheet);
    let wanted = [
        ".............",
        "..###...###..",
        ".#...#.#...#.",
        ".....#.#...#.",
        "....#...####.",
        "...#.......#.",
        "..#.......#..",
        ".#####..##...",
        ".............",
    ];
    assert_eq!(drawn[28], wanted);
    let one = [
        ".......", "...#...", "..##...", "...#...", "...#...", "...#...", "...#...", "..###..",
        ".......",
    ];
    assert_eq!(drawn[0], one);
    let different: std::collections::BTreeSet<_> = drawn.iter().collect();
    assert_eq!(different.len(), 30);
}

#[test]
fn numbers_stand_out_on_white_and_on_black() {
    for shade in [0, 255] {
        let preview = plain(174, 174, [shade; 3]);
        let sheet = sheet(&[Some(preview.as_slice()); 30]);
        let blank = self::sheet(&[None; 30]);
        assert_eq!(plates(&sheet), plates(&blank));
        // Right of the first number: the plate's ground, then its rim.
        assert!(rgba(&sheet, (24, 17))[1] < 60);
        assert!(rgba(&sheet, (26, 17))[1] > 180);
    }
}

#[test]
fn a_blank_tile_is_grey_and_an_unused_place_is_paper() {
    let red = plain(300, 300, [220, 30, 20]);
    let mut five = [Some(red.as_slice()); 5];
    five[2] = None;
    let sheet = sheet(&five);
    for place in [(900, 180), (1070, 10), (730, 350)] {
        assert_shows(&sheet, place, BACKDROP);
    }
    for place in [(900, 540), (730, 370), (1079, 719)] {
        assert_shows(&sheet, place, PAPER);
    }
    assert_shows(&sheet, (540, 540), [220, 30, 20, 255]);
}

#[test]
fn a_picture_is_fitted_whole_and_centred() {
    // Left half red, right half blue, 696 x 348: a quarter of it is 174 x 87.
    let row = [[200, 30, 30].repeat(348), [30, 30, 200].repeat(348)].concat();
    let wide = kept(696, 348, row.repeat(348));
    let sheet = sheet(&[Some(wide.as_slice()); 30]);
    for (x, wanted) in [(185, [200, 30, 30, 255]), (354, [30, 30, 200, 255])] {
        assert_shows(&sheet, (x, 49), wanted);
        assert_shows(&sheet, (x, 128), wanted);
        assert_shows(&sheet, (x, 42), BACKDROP);
        assert_shows(&sheet, (x, 138), BACKDROP);
    }
    let small = plain(20, 10, [10, 20, 30]);
    let sheet = self::sheet(&[Some(small.as_slice())]);
    assert_shows(&sheet, (540, 540), [10, 20, 30, 255]);
    assert_shows(&sheet, (540, 550), BACKDROP);
    assert_shows(&sheet, (555, 540), BACKDROP);
}

#[test]
fn the_thinnest_pictures_are_lines() {
    let flat = plain(2048, 1, [0; 3]);
    let tall = plain(1, 2048, [0; 3]);
    let sheet = sheet(&[Some(flat.as_slice()), Some(tall.as_slice())]);
    let dark = |x, y| rgba(&sheet, (x, y))[0] < 90;
    assert!(dark(10, 269) && dark(530, 269) && !dark(270, 250) && !dark(270, 290));
    assert!(dark(809, 10) && dark(809, 530) && !dark(790, 270) && !dark(830, 270));
    for (preview, size) in [(flat, (1024, 1)), (tall, (1, 1024))] {
        let small = decoded(&thumbnail(&preview).unwrap());
        assert_eq!((small.width, small.height), size);
    }
}

#[test]
fn transparency_lies_over_grey() {
    let [half, none] = [[255, 0, 0, 128], [255, 0, 0, 0]].map(|colour| clear(200, 200, colour));
    let sheet = sheet(&[Some(half.as_slice()), Some(none.as_slice())]);
    assert_shows(&sheet, (270, 270), [192, 64, 64, 255]);
    assert_shows(&sheet, (810, 270), BACKDROP);
    let small = decoded(&thumbnail(&half).unwrap());
    assert_eq!(small.layout, Layout::Rgb);
    assert_shows(&small, (100, 100), [192, 64, 64, 255]);
}

#[test]
fn what_cannot_be_decoded_is_a_blank_tile() {
    let good = plain(60, 40, [9, 200, 90]);
    let whole = noisy(64, 64);
    let jpeg = case("rgb.jpg");
    let mut damaged = whole.clone();
    damaged[23..26].fill(0xff);
    let bad: [&[u8]; 5] = [
        b"",
        b"no picture",
        &whole[..whole.len() / 2],
        &jpeg,
        &damaged,
    ];
    let wanted = contact_sheet(&[Some(&good), None, Some(&good)]).unwrap();
    for bytes in bad {
        let got = contact_sheet(&[Some(&good), Some(bytes), Some(&good)]).unwrap();
        assert!(got == wanted, "{} bytes", bytes.len());
    }
}

#[test]
fn no_tile_and_too_many_tiles_are_our_own_fault() {
    assert_code(contact_sheet(&[]), ErrorCode::Internal);
    assert_code(
        contact_sheet(&[None; SHEET_TILES_MAX + 1]),
        ErrorCode::Internal,
    );
    assert!(contact_sheet(&[None; SHEET_TILES_MAX]).is_ok());
}

#[test]
fn noise_stays_below_the_limit_and_its_numbers_can_be_read() {
    let tile = noisy(174, 174);
    let webp = contact_sheet(&[Some(tile.as_slice()); 30]).unwrap();
    assert!(webp.len() < SHEET_MAX_BYTES, "{} bytes", webp.len());
    let sheet = decoded(&webp);
    assert_eq!((sheet.width, sheet.height), (1080, 900));
    assert_eq!(plates(&sheet), plates(&self::sheet(&[None; 30])));
    let alone = contact_sheet(&[Some(&noisy(1074, 1074))]).unwrap();
    let small = thumbnail(&noisy(1024, 1024)).unwrap();
    for webp in [alone, small] {
        assert!(webp.len() < SHEET_MAX_BYTES, "{} bytes", webp.len());
    }
}

#[test]
fn quality_is_given_up_before_size() {
    let preview = noisy(300, 300);
    let nine = [Some(preview.as_slice()); 9];
    let free = contact_sheet_below(&nine, usize::MAX).unwrap();
    let cheaper = contact_sheet_below(&nine, free.len()).unwrap();
    assert!(cheaper.len() < free.len());
    assert_eq!(decoded(&cheaper).width, 1080);
    let smaller = contact_sheet_below(&nine, 40_000).unwrap();
    assert!(smaller.len() < 40_000 && decoded(&smaller).width < 1080);
    assert_code(contact_sheet_below(&nine, 100), ErrorCode::Internal);
    assert_code(contact_sheet_below(&[None; 30], 100), ErrorCode::Internal);

    let preview = noisy(1024, 512);
    let free = thumbnail_below(&preview, usize::MAX).unwrap();
    let cheaper = thumbnail_below(&preview, free.len()).unwrap();
    assert!(cheaper.len() < free.len());
    assert_eq!(decoded(&cheaper).width, 1024);
    let smaller = thumbnail_below(&preview, 20_000).unwrap();
    let raster = decoded(&smaller);
    assert!(smaller.len() < 20_000 && raster.width < 1024 && raster.width == 2 * raster.height);
    assert_code(thumbnail_below(&preview, 100), ErrorCode::Internal);
}

#[test]
fn a_thumbnail_is_the_same_picture_and_never_larger() {
    let row = [[200, 30, 30].repeat(1024), [30, 30, 200].repeat(1024)].concat();
    let wide = kept(2048, 512, row.repeat(512));
    let small = decoded(&thumbnail(&wide).unwrap());
    assert_eq!((small.width, small.height), (1024, 256));
    assert_shows(&small, (500, 128), [200, 30, 30, 255]);
    assert_shows(&small, (524, 128), [30, 30, 200, 255]);
    let tiny = decoded(&thumbnail(&plain(31, 17, [1, 2, 3])).unwrap());
    assert_eq!((tiny.width, tiny.height), (31, 17));
}

#[test]
fn a_thumbnail_of_damage_is_refused() {
    let whole = noisy(64, 64);
    let mut damaged = whole.clone();
    damaged[23..26].fill(0xff);
    assert_code(thumbnail(&damaged), ErrorCode::ImageCorrupt);
    assert_code(
        thumbnail(&whole[..whole.len() / 2]),
        ErrorCode::ImageTruncated,
    );
    assert_code(thumbnail(&case("rgb.jpg")), ErrorCode::ImageCorrupt);
    assert_code(thumbnail(b"no picture"), ErrorCode::UnsupportedMediaType);
    assert_code(thumbnail(b""), ErrorCode::EmptyImage);
}

#[test]
fn metadata_does_not_pass() {
    let preview = riff(&[
        vp8x(0x2c, 40, 30),
        riff_chunk(b"ICCP", b"profile"),
        webp_picture(40, 30, [200, 100, 50, 255]),
        riff_chunk(b"EXIF", &exif(1)),
        riff_chunk(b"XMP ", b"<x:xmpmeta/>"),
    ]);
    assert_eq!(chunks(&preview).len(), 5);
    for webp in [
        contact_sheet(&[Some(&preview)]).unwrap(),
        thumbnail(&preview).unwrap(),
    ] {
        assert_eq!(chunks(&webp), [b"VP8 "]);
    }
}

#[test]
fn the_same_previews_give_the_same_bytes() {
    let previews = [noisy(200, 100), clear(50, 80, [1, 250, 100, 77])];
    let [first, second] = [(); 2].map(|()| contact_sheet(&tiles(&previews)).unwrap());
    assert_eq!(first, second);
    let [first, second] = [(); 2].map(|()| thumbnail(&previews[0]).unwrap());
    assert_eq!(first, second);
}

/// A preview of random size and colour, or none, or half of one.
fn any_tile() -> impl Strategy<Value = Option<Vec<u8>>> {
    let side = || prop_oneof![1_u32..40, 1_u32..1200];
    (0_u8..8, side(), side(), any::<[u8; 4]>()).prop_map(|(kind, width, height, colour)| {
        let [red, green, blue, _] = colour;
        match kind {
            0 => None,
            1 => Some(clear(width, height, colour)[..30].to_vec()),
            2 => Some(noisy(width.min(300), height.min(300))),
            3 | 4 => Some(clear(width, height, colour)),
            _ => Some(plain(width, height, [red, green, blue])),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_tiles_make_a_small_sheet(previews in vec(any_tile(), 1..=SHEET_TILES_MAX)) {
        let tiles: Vec<_> = previews.iter().map(Option::as_deref).collect();
        let webp = contact_sheet(&tiles).map_err(|error| TestCaseError::fail(format!("{error:?}")))?;
        prop_assert!(webp.len() < SHEET_MAX_BYTES);
        let sheet = decoded(&webp);
        prop_assert_eq!(sheet.width.max(sheet.height), SHEET_MAX_EDGE);
        for preview in previews.iter().flatten() {
            if let Ok(webp) = thumbnail(preview) {
                prop_assert!(webp.len() < SHEET_MAX_BYTES);
                let (small, large) = (decoded(&webp), decoded(preview));
                prop_assert!(small.width.max(small.height) <= THUMBNAIL_MAX_EDGE);
                prop_assert!(small.width <= large.width && small.height <= large.height);
            }
        }
    }
}
