//! Names, declared types, what stands before and behind a picture, and files that end early.

use super::{build::*, *};
use crate::imaging::Format;

fn code_of(bytes: &[u8], declared: Option<&str>) -> Option<&'static str> {
    inspect(bytes, declared, &Limits::default())
        .err()
        .map(|error| error.code().name())
}

#[test]
fn declared_types() {
    let png = rgb_png(2, 2, |_, _| [1, 2, 3]);
    let jpeg = case("rgb.jpg");
    let harmless = [
        "",
        " ",
        "image/png",
        "IMAGE/PNG",
        "image/x-png",
        "image/png; charset=binary",
        " image/png ;q=1",
        "image/apng",
        "application/octet-stream",
        "Application/Octet-Stream",
        "binary/octet-stream",
        "image/*",
        "*/*",
        "png",
    ];
    for declared in harmless {
        assert_eq!(code_of(&png, Some(declared)), None, "{declared:?}");
    }
    for declared in [
        "image/jpeg",
        "image/jpg",
        "image/gif",
        "image/svg+xml",
        "image/unheard-of",
        "text/html",
        "application/pdf",
    ] {
        assert_eq!(
            code_of(&png, Some(declared)),
            Some("mime_mismatch"),
            "{declared:?}"
        );
    }
    for declared in ["image/jpg", "image/pjpeg", "image/jpeg", "IMAGE/JPEG;x=y"] {
        assert_eq!(code_of(&jpeg, Some(declared)), None, "{declared:?}");
    }
    assert_eq!(code_of(&jpeg, Some("image/png")), Some("mime_mismatch"));
    assert_eq!(
        code_of(&case("svg_named.png"), Some("image/png")),
        Some("unsupported_media_type")
    );
}

#[test]
fn formats_name_themselves() {
    for format in [Format::Jpeg, Format::Png, Format::Webp, Format::Gif] {
        assert_eq!(Format::from_mime(format.mime()), Some(format));
        assert!(!format.extension().contains('.'));
    }
    assert_eq!(Format::from_mime("image/tiff"), None);
}

#[test]
fn foreign_bytes_are_named() {
    let cases: &[(&[u8], &str)] = &[
        (b"%PDF-1.7\n", "PDF"),
        (b"II*\0\x08\0\0\0", "TIFF"),
        (b"MM\0*\0\0\0\x08", "TIFF"),
        (b"\0\0\0\x1cftypavif\0\0\0\0", "AVIF"),
        (b"\0\0\0\x1cftypmif1\0\0\0\0", "HEIF"),
        (b"\0\0\0\x1cftypisom\0\0\0\0", "MP4"),
        (b"PK\x03\x04\x14\0", "ZIP"),
        (b"Rar!\x1a\x07\x01\0", "RAR"),
        (b"\x1f\x8b\x08\0\0\0", "gzip"),
        (b"7z\xbc\xaf\x27\x1c\0\x04", "7z"),
        (b"\xef\xbb\xbf \n<!DOCTYPE HTML><title>", "HTML"),
        (b"<!-- hi --><HTML>", "HTML"),
        (b"<?xml version=\"1.0\"?><svg width=\"1\"/>", "SVG"),
        (b"<?xml version=\"1.0\"?><feed/>", "XML"),
        (b"<script>alert(1)</script>", "script"),
        (b"#!/bin/sh\necho", "script"),
        (b"BM\x36\0\0\0", "BMP"),
        (b"\xff\x0a\xfa\x1f", "JPEG XL"),
        (b"RIFF\x24\0\0\0WAVEfmt ", "RIFF"),
        (b"\x7fELF\x02\x01", "program"),
        (b"just some words that nobody can look at", "text"),
        (
            b"\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0b\x0c\x0e",
            "unknown",
        ),
    ];
    for (bytes, seen) in cases {
        let error = inspect(bytes, None, &Limits::default()).unwrap_err();
        assert_eq!(error.code(), ErrorCode::UnsupportedMediaType, "{seen}");
        assert!(
            error.message().contains(seen),
            "{seen}: {}",
            error.message()
        );
    }
}

#[test]
fn documents_behind_a_picture_are_refused() {
    let zip = [b"PK\x03\x04".as_slice(), &[0; 26], b"PK\x05\x06", &[0; 18]].concat();
    let hidden_zip = [
        [7; 5000].as_slice(),
        b"PK\x05\x06",
        &[0; 16],
        &[2, 0],
        b"ab",
    ]
    .concat();
    let late_script = [[0x80; 300_000].as_slice(), b"<ScRiPt >x"].concat();
    let tar = [[b'a'; 257].as_slice(), b"ustar\0", &[0; 300]].concat();
    let documents: Vec<&[u8]> = vec![
        b"<script>alert(1)</script>",
        b"\n<!DOCTYPE html>",
        b"<HTML lang=en>",
        b"junk <svg onload=x>",
        b"\x00\x00<?php system(1);",
        b"*/=1;alert(1)//",
        b"#!/bin/sh",
        b"%PDF-1.4",
        b"\x00%PDF-1.4",
        &zip,
        &hidden_zip,
        &late_script,
        &tar,
        b"Rar!\x1a\x07\0",
        b"\x1f\x8b\x08\0",
    ];
    let png = rgb_png(2, 2, |_, _| [1, 2, 3]);
    let webp = accepted(&png).preview.webp;
    let gif = gif(
        (1, 1),
        &[GifFrame {
            place: (0, 0, 1, 1),
            indices: &[1],
            transparent: None,
        }],
    );
    for picture in [png, webp, gif, case("rgb.jpg"), case("mpo_like.jpg")] {
        for document in &documents {
            let both = [picture.as_slice(), document].concat();
            let head = String::from_utf8_lossy(&document[..document.len().min(12)]).into_owned();
            assert_eq!(
                code_of(&both, None),
                Some("polyglot"),
                "{head:?} behind {:?}",
                &picture[..4]
            );
        }
    }
}

#[test]
fn documents_before_a_picture_are_refused_as_such() {
    let jpeg = case("rgb.jpg");
    for document in [
        b"<html><body>".as_slice(),
        b"<svg/>",
        b"#!/bin/sh\n",
        b"%PDF-1.4 ... %%EOF\n",
    ] {
        assert_eq!(code_of(&[document, &jpeg].concat(), None), Some("polyglot"));
    }
    // A picture inside a PDF is part of it.
    let pdf = [b"%PDF-1.4 stream\n".as_slice(), &jpeg, b"endstream %%EOF\n"].concat();
    assert_eq!(code_of(&pdf, None), Some("unsupported_media_type"));
}

#[test]
fn other_bytes_behind_a_picture_cost_a_warning() {
    let film = [b"\0\0\0\x18ftypmp42".as_slice(), &[0x5a; 400]].concat();
    let png = rgb_png(2, 2, |_, _| [1, 2, 3]);
    for tail in [
        film.as_slice(),
        &[0; 16],
        b"<",
        b"< html",
        b"<heading>",
        b"PK",
        b"SEFH\x01",
    ] {
        for picture in [png.clone(), case("rgb.jpg"), case("anim.gif")] {
            let picture = accepted(&[picture.as_slice(), tail].concat());
            assert_eq!(codes(&picture.warnings), ["trailing_data"], "{tail:?}");
        }
    }
}

#[test]
fn warnings_are_code_and_message() {
    let json = serde_json::to_value([Warning::TrailingData]).unwrap();
    assert_eq!(json[0]["code"], "trailing_data");
    assert!(
        json[0]["message"]
            .as_str()
            .is_some_and(|message| !message.is_empty())
    );
    assert_eq!(json[0].as_object().unwrap().len(), 2);
}

#[test]
fn a_file_cut_behind_its_first_picture_is_accepted() {
    let gif = case("anim.gif");
    let first_frame = 67;
    for end in first_frame..gif.len() {
        let picture = accepted(&gif[..end]);
        assert_eq!(
            codes(&picture.warnings),
            ["truncated_after_first_frame"],
            "{end}"
        );
        assert_pixel(&picture, (8, 8), [255, 0, 0, 255]);
    }
    for end in 0..first_frame {
        assert!(
            matches!(
                refused(&gif[..end]),
                ErrorCode::ImageTruncated | ErrorCode::EmptyImage
            ),
            "{end}"
        );
    }
}

#[test]
fn an_animated_webp_cut_behind_its_first_frame_is_accepted() {
    let webp = case("anim.webp");
    let second = webp.len() - 48;
    for end in [second, second + 20, webp.len() - 1] {
        let picture = accepted(&webp[..end]);
        assert!(
            codes(&picture.warnings).contains(&"truncated_after_first_frame"),
            "{end}"
        );
    }
    for end in [13, 29, 44, second - 1] {
        assert_eq!(refused(&webp[..end]), ErrorCode::ImageTruncated, "{end}");
    }
}

#[test]
fn a_png_may_lose_its_end_but_no_picture_data() {
    let png = rgb_png(40, 40, |x, y| [x as u8, y as u8, 9]);
    let data_end = png.len() - 12;
    for end in [data_end, data_end + 3, data_end + 11] {
        assert_eq!(
            codes(&accepted(&png[..end]).warnings),
            ["truncated_after_first_frame"],
            "{end}"
        );
    }
    for end in [10, 20, 33, 40, data_end - 5, data_end - 1] {
        assert_eq!(refused(&png[..end]), ErrorCode::ImageTruncated, "{end}");
    }
}

#[test]
fn frames_and_their_pixels_have_limits() {
    let frame = || GifFrame {
        place: (0, 0, 1, 1),
        indices: &[1],
        transparent: None,
    };
    let frames: Vec<_> = std::iter::repeat_with(frame).take(6).collect();
    let limits = Limits {
        max_frames: 5,
        ..Limits::default()
    };
    let error = inspect(&gif((1, 1), &frames), None, &limits).unwrap_err();
    assert_eq!(
        (error.code(), error.details()["limit"].as_u64()),
        (ErrorCode::TooManyFrames, Some(5))
    );
    assert_eq!(
        inspect(&gif((1, 1), &frames[..5]), None, &limits)
            .unwrap()
            .frames,
        5
    );
    let limits = Limits {
        max_pixels: 100,
        ..Limits::default()
    };
    let many: Vec<_> = std::iter::repeat_with(frame).take(51).collect();
    assert_eq!(
        inspect(&gif((10, 10), &many), None, &limits)
            .unwrap_err()
            .code(),
        ErrorCode::TooManyPixels
    );
    assert!(inspect(&gif((10, 10), &many[..50]), None, &limits).is_ok());
    let wide = GifFrame {
        place: (0, 0, 60, 60),
        indices: &[1; 3600],
        transparent: None,
    };
    assert_eq!(
        inspect(&gif((10, 10), &[wide]), None, &limits)
            .unwrap_err()
            .code(),
        ErrorCode::TooManyPixels
    );
}

#[test]
fn apng_frames_are_counted() {
    let png = rgb_png(4, 4, |_, _| [200, 0, 0]);
    let control = |frames: u32| [frames.to_be_bytes(), [0; 4]].concat();
    let too_many = with_png_chunk(&png, b"acTL", &control(1001));
    assert_eq!(refused(&too_many), ErrorCode::TooManyFrames);
    // Promised frames that are not there make no animation.
    let header = inspect(
        &with_png_chunk(&png, b"acTL", &control(9)),
        None,
        &Limits::default(),
    )
    .unwrap();
    assert_eq!((header.frames, header.animated), (1, false));
}

#[test]
fn sides_have_a_limit_of_their_own() {
    let mut long = rgb_png(2, 1, |_, _| [0; 3]);
    long[16..20].copy_from_slice(&70_000_u32.to_be_bytes());
    let error = inspect(&long, None, &Limits::default()).unwrap_err();
    assert_eq!(
        (error.code(), error.details()["limit"].as_u64()),
        (ErrorCode::InvalidDimensions, Some(65_535))
    );
}
