//! Every file of `tests/cases/images` and what must become of it.

use std::collections::BTreeSet;

use super::*;
use crate::imaging::Format;

/// What a file must become.
enum Verdict {
    Refused(&'static str),
    Accepted {
        format: Format,
        size: (u32, u32),
        animated: bool,
        warnings: &'static [&'static str],
        /// Places of the preview and their colours.
        pixels: &'static [((u32, u32), [u8; 4])],
    },
}

use Verdict::{Accepted, Refused};

const CASES: &[(&str, Verdict)] = &[
    (
        "anim.gif",
        Accepted {
            format: Format::Gif,
            size: (16, 16),
            animated: true,
            warnings: &[],
            pixels: &[((8, 8), [255, 0, 0, 255])],
        },
    ),
    (
        "anim.webp",
        Accepted {
            format: Format::Webp,
            size: (32, 32),
            animated: true,
            warnings: &[],
            pixels: &[((16, 16), [255, 0, 0, 255])],
        },
    ),
    (
        "apng_hidden.png",
        Accepted {
            format: Format::Png,
            size: (4, 4),
            animated: true,
            warnings: &["hidden_animation"],
            pixels: &[((2, 2), [255, 0, 0, 255])],
        },
    ),
    (
        "big.jpg",
        Accepted {
            format: Format::Jpeg,
            size: (400, 300),
            animated: false,
            warnings: &[],
            pixels: &[],
        },
    ),
    (
        "big.webp",
        Accepted {
            format: Format::Webp,
            size: (400, 300),
            animated: false,
            warnings: &[],
            pixels: &[],
        },
    ),
    (
        "cmyk_adobe0.jpg",
        Accepted {
            format: Format::Jpeg,
            size: (32, 32),
            animated: false,
            warnings: &[],
            pixels: &[((16, 16), [226, 53, 53, 255])],
        },
    ),
    ("empty.jpg", Refused("empty_image")),
    (
        "exif6.jpg",
        Accepted {
            format: Format::Jpeg,
            size: (48, 64),
            animated: false,
            warnings: &[],
            pixels: &[((44, 4), [16, 30, 232, 255]), ((4, 60), [232, 30, 40, 255])],
        },
    ),
    (
        "exif_png6.png",
        Accepted {
            format: Format::Png,
            size: (48, 64),
            animated: false,
            warnings: &[],
            pixels: &[((44, 4), [16, 30, 232, 255]), ((4, 60), [232, 30, 40, 255])],
        },
    ),
    ("gif_bomb35.gif", Refused("too_many_pixels")),
    (
        "gif_flat39.gif",
        Accepted {
            format: Format::Gif,
            size: (6300, 6300),
            animated: false,
            warnings: &[],
            pixels: &[((1000, 1000), [0, 0, 0, 255])],
        },
    ),
    ("gif_screen_15000sq.gif", Refused("too_many_pixels")),
    (
        "gray.jpg",
        Accepted {
            format: Format::Jpeg,
            size: (64, 48),
            animated: false,
            warnings: &[],
            pixels: &[((32, 24), [70, 70, 70, 255])],
        },
    ),
    ("heic_named.jpg", Refused("unsupported_media_type")),
    ("html_named.gif", Refused("unsupported_media_type")),
    (
        "icc.jpg",
        Accepted {
            format: Format::Jpeg,
            size: (64, 48),
            animated: false,
            warnings: &["icc_ignored"],
            pixels: &[((32, 24), [124, 30, 139, 255])],
        },
    ),
    (
        "iccp_bomb.png",
        Accepted {
            format: Format::Png,
            size: (64, 64),
            animated: false,
            warnings: &["icc_ignored"],
            pixels: &[],
        },
    ),
    ("jpg_16000sq_hdr.jpg", Refused("too_many_pixels")),
    ("jpg_trailing_html.jpg", Refused("polyglot")),
    (
        "mpo_like.jpg",
        Accepted {
            format: Format::Jpeg,
            size: (400, 300),
            animated: false,
            warnings: &["multi_picture"],
            pixels: &[],
        },
    ),
    ("noeoi.jpg", Refused("image_truncated")),
    (
        "p16rgba.png",
        Accepted {
            format: Format::Png,
            size: (8, 8),
            animated: false,
            warnings: &[],
            pixels: &[((4, 4), [255, 128, 0, 255])],
        },
    ),
    ("png_30k.png", Refused("too_many_pixels")),
    ("png_6500sq.png", Refused("too_many_pixels")),
    ("png_badcrc.png", Refused("image_corrupt")),
    ("png_zero.png", Refused("invalid_dimensions")),
    (
        "rgb.jpg",
        Accepted {
            format: Format::Jpeg,
            size: (64, 48),
            animated: false,
            warnings: &[],
            pixels: &[((60, 44), [235, 30, 40, 255])],
        },
    ),
    ("scanbomb_prog38.jpg", Refused("decode_work_exceeded")),
    ("svg_named.png", Refused("unsupported_media_type")),
    ("trunc50.gif", Refused("image_truncated")),
    ("trunc50.jpg", Refused("image_truncated")),
    ("trunc50.png", Refused("image_truncated")),
];

#[test]
fn every_case_gets_its_verdict() {
    for (name, verdict) in CASES {
        let result = process(&case(name), None, &Limits::default());
        match (verdict, result) {
            (Refused(code), Err(error)) => {
                assert_eq!(error.code().name(), *code, "{name}: {error:?}");
            }
            (Refused(code), Ok(_)) => panic!("{name} must be refused with {code}"),
            (Accepted { .. }, Err(error)) => panic!("{name} must be accepted: {error:?}"),
            (
                Accepted {
                    format,
                    size,
                    animated,
                    warnings,
                    pixels,
                },
                Ok(picture),
            ) => {
                assert_eq!(picture.format, *format, "{name}");
                assert_eq!((picture.width, picture.height), *size, "{name}");
                assert_eq!(picture.animated, *animated, "{name}");
                assert_eq!(codes(&picture.warnings), *warnings, "{name}");
                for (place, colour) in *pixels {
                    assert_pixel(&picture, *place, *colour);
                }
            }
        }
    }
}

#[test]
fn the_table_and_the_folder_hold_the_same_files() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/cases/images");
    let files: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let table: BTreeSet<String> = CASES.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(files, table);
}

#[test]
fn inspection_and_processing_agree() {
    for (name, _) in CASES {
        let bytes = case(name);
        let header = inspect(&bytes, None, &Limits::default());
        match (header, process(&bytes, None, &Limits::default())) {
            (Ok(header), Ok(picture)) => {
                assert_eq!(
                    (header.width, header.height),
                    (picture.width, picture.height),
                    "{name}"
                );
                assert_eq!(header.animated, picture.animated, "{name}");
            }
            (Err(early), Err(late)) => assert_eq!(early.code(), late.code(), "{name}"),
            (Ok(_), Err(late)) => {
                assert!(
                    matches!(
                        late.code(),
                        ErrorCode::ImageCorrupt | ErrorCode::ImageTruncated
                    ),
                    "{name}: {late:?}"
                );
            }
            (Err(early), Ok(_)) => panic!("{name}: inspection alone refuses: {early:?}"),
        }
    }
}

#[test]
fn a_refusal_by_a_limit_names_it() {
    for (name, limit) in [
        ("png_6500sq.png", 40_000_000),
        ("gif_bomb35.gif", 40_000_000),
    ] {
        let error = inspect(&case(name), None, &Limits::default()).unwrap_err();
        assert_eq!(error.details()["limit"], limit, "{name}");
    }
    let limits = Limits {
        max_bytes: 100,
        ..Limits::default()
    };
    let error = inspect(&case("rgb.jpg"), None, &limits).unwrap_err();
    assert_eq!(
        (error.code(), error.details()["limit"].as_u64()),
        (ErrorCode::ImageTooLarge, Some(100))
    );
    let error = inspect(&case("scanbomb_prog38.jpg"), None, &Limits::default()).unwrap_err();
    assert!(error.details().contains_key("limit"));
}

#[test]
fn a_foreign_type_is_named() {
    for (name, seen) in [
        ("heic_named.jpg", "HEIC"),
        ("svg_named.png", "SVG"),
        ("html_named.gif", "HTML"),
    ] {
        let error = inspect(&case(name), None, &Limits::default()).unwrap_err();
        assert!(
            error.message().contains(seen),
            "{name}: {}",
            error.message()
        );
    }
}

#[test]
fn the_second_picture_of_an_mpo_changes_nothing() {
    let first = accepted(&case("big.jpg"));
    assert_eq!(accepted(&case("mpo_like.jpg")).preview, first.preview);
}
