//! JPEG: what data are there, what decoding costs, how colours are coded.

use super::{build::*, *};

/// Where a fixture's Adobe segment names its transform.
const TRANSFORM: usize = 17;

#[test]
fn every_adobe_transform_keeps_red_red() {
    let stored_as_is = case("cmyk_adobe0.jpg");
    assert_eq!(&stored_as_is[6..11], b"Adobe");
    assert_pixel(&accepted(&stored_as_is), (16, 16), [226, 53, 53, 255]);
    // The same numbers read as YCbCr and black: what matters is that all readings agree with libjpeg's,
    // by which every number but 0 means YCCK.
    let as_ycck: Vec<[u8; 4]> = [1, 2, 3, 255]
        .into_iter()
        .map(|transform| {
            let mut bytes = stored_as_is.clone();
            bytes[TRANSFORM] = transform;
            pixel(&accepted(&bytes), 16, 16)
        })
        .collect();
    assert!(
        as_ycck.iter().all(|colour| *colour == as_ycck[0]),
        "{as_ycck:?}"
    );
    assert_ne!(as_ycck[0], [226, 53, 53, 255]);
}

#[test]
fn without_adobe_ink_is_stored_upright() {
    // The segment goes: 255 is then full ink, and the picture is the negative of itself.
    let bytes = [&[0xff, 0xd8][..], &case("cmyk_adobe0.jpg")[18..]].concat();
    assert_pixel(&accepted(&bytes), (16, 16), [1, 8, 8, 255]);
}

#[test]
fn ycck_red_is_red() {
    // Ink of pure red is (0, 255, 255, 0); Adobe stores it upside down and then as YCbCr of the
    // uninverted red, with black apart: the conversion must undo both.
    let mut pixels = ycbcr_of([20, 200, 200]).to_vec();
    pixels.push(245);
    crate::imaging::jpeg::inks(&mut pixels, true, true);
    for (got, wanted) in pixels.iter().zip([20, 200, 200, 10]) {
        assert!(got.abs_diff(wanted) <= 2, "{pixels:?}");
    }
}

fn ycbcr_of([r, g, b]: [u8; 3]) -> [u8; 3] {
    let [r, g, b] = [r, g, b].map(f64::from);
    let y = 0.299 * r + 0.587 * g + 0.114 * b;
    [y, 128.0 + 0.564 * (b - y), 128.0 + 0.713 * (r - y)].map(|sample| sample.round() as u8)
}

#[test]
fn three_components_can_be_rgb() {
    let as_ycbcr = accepted(&case("rgb.jpg"));
    let mut adobe = b"Adobe\0\x64\0\0\0\0\0".to_vec();
    let jfif_wins = with_segment(&case("rgb.jpg"), 0xee, &adobe);
    assert_eq!(accepted(&jfif_wins).preview, as_ycbcr.preview);
    let without_jfif = [&[0xff, 0xd8][..], &case("rgb.jpg")[20..]].concat();
    let as_rgb = accepted(&with_segment(&without_jfif, 0xee, &adobe));
    assert_ne!(as_rgb.preview, as_ycbcr.preview);
    for transform in [1, 2, 77] {
        adobe[11] = transform;
        assert_eq!(
            accepted(&with_segment(&without_jfif, 0xee, &adobe)).preview,
            as_ycbcr.preview,
            "{transform}"
        );
    }
}

#[test]
fn data_that_end_early_are_found_wherever_they_end() {
    let whole = case("rgb.jpg");
    let data = 624..whole.len() - 2;
    for end in data.step_by(7) {
        let mut cut = whole[..end].to_vec();
        assert_eq!(
            refused(&cut),
            ErrorCode::ImageTruncated,
            "no end marker after {end}"
        );
        cut.extend_from_slice(&[0xff, 0xd9]);
        assert_eq!(
            refused(&cut),
            ErrorCode::ImageTruncated,
            "an end marker put behind {end}"
        );
    }
}

#[test]
fn a_progressive_scan_that_ends_early_is_found() {
    let bomb = case("scanbomb_prog38.jpg");
    let limits = Limits::default();
    // The first scan alone is a picture; half of it, closed by an end marker, is not.
    let first = [&bomb[..113_243], &[0xff, 0xd9]].concat();
    assert!(inspect(&first, None, &limits).is_ok());
    let half = [&bomb[..60_000], &[0xff, 0xd9]].concat();
    assert_eq!(refused(&half), ErrorCode::ImageTruncated);
    let into_third = [&bomb[..113_335], &[0xff, 0xd9]].concat();
    assert_eq!(refused(&into_third), ErrorCode::ImageTruncated);
}

#[test]
fn scans_are_counted_before_anything_is_decoded() {
    let bomb = case("scanbomb_prog38.jpg");
    let error = inspect(&bomb, None, &Limits::default()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::DecodeWorkExceeded);
    // The same many scans of a small picture fall to the other limit.
    let mut small = bomb;
    small[163..167].copy_from_slice(&[0, 8, 0, 8]);
    let error = inspect(&small, None, &Limits::default()).unwrap_err();
    assert_eq!(
        (error.code(), error.details()["limit"].as_u64()),
        (ErrorCode::DecodeWorkExceeded, Some(100))
    );
}

#[test]
fn codings_that_no_browser_shows_are_named() {
    let bytes = case("rgb.jpg");
    for (code, seen) in [
        (0xc3, "lossless"),
        (0xc9, "arithmetic"),
        (0xc6, "hierarchical"),
    ] {
        let mut other = bytes.clone();
        other[159] = code;
        let error = inspect(&other, None, &Limits::default()).unwrap_err();
        assert_eq!(error.code(), ErrorCode::UnsupportedMediaType);
        assert!(error.message().contains(seen), "{}", error.message());
    }
    let mut twelve = bytes;
    twelve[162] = 12;
    assert_eq!(refused(&twelve), ErrorCode::UnsupportedMediaType);
}

#[test]
fn a_header_without_sense_is_damage() {
    let bytes = case("rgb.jpg");
    for (at, value) in [
        (169, 0x00),
        (168, 3),
        (167, 9),
        (613, 9),
        (614, 9),
        (615, 0x77),
    ] {
        let mut broken = bytes.clone();
        broken[at] = value;
        let code = refused(&broken);
        assert!(
            matches!(
                code,
                ErrorCode::ImageCorrupt
                    | ErrorCode::ImageTruncated
                    | ErrorCode::UnsupportedMediaType
            ),
            "byte {at}: {code:?}"
        );
    }
}

/// Small pictures of one slope of colours, each coded in another way.
const CODINGS: [&str; 12] = [
    "full",
    "half_width",
    "half_height",
    "quarter",
    "quarter_width",
    "optimized",
    "restarts",
    "separate",
    "rgb_components",
    "progressive",
    "progressive_restarts",
    "grey_progressive",
];

fn coded(name: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/cases/jpegs");
    std::fs::read(folder.join(name).with_extension("jpg")).unwrap()
}

#[test]
fn every_coding_shows_the_same_picture() {
    for name in CODINGS {
        let picture = accepted(&coded(name));
        assert_eq!((picture.width, picture.height), (77, 51), "{name}");
        for (x, y) in [(8, 8), (38, 25), (68, 8), (8, 43), (68, 43)] {
            let wanted =
                [x * 3, y * 5, (x + y) * 3 / 2 + 20].map(|sample| sample.min(255) as i32 + 6);
            let got = pixel(&picture, x, y).map(i32::from);
            if name == "grey_progressive" {
                let grey = (299 * wanted[0] + 587 * wanted[1] + 114 * wanted[2]) / 1000;
                assert!(
                    (got[0] - grey).abs() < 20 && got[0] == got[1],
                    "{name} {x} {y}: {got:?}"
                );
            } else {
                let far = got
                    .iter()
                    .zip(wanted)
                    .any(|(got, wanted)| (got - wanted).abs() > 36);
                assert!(!far, "{name} {x} {y}: {got:?}, not about {wanted:?}");
            }
        }
    }
}

#[test]
fn whatever_the_coding_missing_data_are_missed() {
    for name in CODINGS {
        let whole = coded(name);
        let start = whole
            .windows(2)
            .position(|two| two == [0xff, 0xda])
            .unwrap()
            + 16;
        for end in start..whole.len() - 2 {
            // A progressive picture may lack whole scans: then it is only less sharp.
            let marks = |at: usize| matches!(whole[at..], [0xff, 0xc4 | 0xda, ..]);
            let between_scans = name.contains("progressive") && (marks(end) || marks(end - 1));
            let cut = [&whole[..end], &[0xff, 0xd9]].concat();
            match process(&cut, None, &Limits::default()) {
                Ok(_) => assert!(between_scans, "{name} cut at {end} was accepted"),
                Err(error) => assert!(
                    matches!(
                        error.code(),
                        ErrorCode::ImageTruncated | ErrorCode::ImageCorrupt
                    ),
                    "{name} cut at {end}: {error:?}"
                ),
            }
        }
    }
}

#[test]
fn what_the_decoder_would_show_wrongly_is_refused() {
    assert_eq!(
        refused(&coded("separate_quarter")),
        ErrorCode::UnsupportedMediaType
    );
    assert_eq!(
        refused(&coded("odd_ratios")),
        ErrorCode::UnsupportedMediaType
    );
}
