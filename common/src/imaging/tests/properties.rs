//! Whatever the bytes, the pipeline ends in a verdict, and a picture is what its header says.

use proptest::{collection::vec, prelude::*, sample::Index};

use super::{build::*, *};

/// Small pictures of every format and of most ways to write it.
fn fixtures() -> Vec<Vec<u8>> {
    let names = [
        "anim.gif",
        "anim.webp",
        "apng_hidden.png",
        "cmyk_adobe0.jpg",
        "exif6.jpg",
        "exif_png6.png",
        "gray.jpg",
        "icc.jpg",
        "p16rgba.png",
        "rgb.jpg",
    ];
    let mut all: Vec<Vec<u8>> = names.into_iter().map(case).collect();
    let alpha = webp_picture(24, 18, [9, 200, 30, 90]);
    all.push(riff(&[vp8x(0x10, 24, 18), alpha]));
    all.push(
        accepted(&rgb_png(40, 30, |x, y| [x as u8 * 6, y as u8 * 8, 77]))
            .preview
            .webp,
    );
    all.push(with_png_chunk(
        &rgb_png(12, 10, |x, y| [x as u8, y as u8, 0]),
        b"iCCP",
        &iccp(&moxcms::ColorProfile::new_display_p3().encode().unwrap()),
    ));
    let bomb = case("scanbomb_prog38.jpg");
    // Its first five scans, as those of a picture of 32 x 24.
    let mut progressive = [&bomb[..113_501], &[0xff, 0xd9]].concat();
    progressive[163..167].copy_from_slice(&[0, 24, 0, 32]);
    all.push(progressive);
    all
}

/// Runs both doors and holds them against each other.
fn judged(bytes: &[u8]) -> Result<(), TestCaseError> {
    // Small enough that no mutation of a size costs time.
    let limits = Limits {
        max_pixels: 250_000,
        preview_max_edge: 256,
        ..Limits::default()
    };
    let header = inspect(bytes, None, &limits);
    match process(bytes, None, &limits) {
        Ok(picture) => {
            let header = header.map_err(|error| {
                TestCaseError::fail(format!("inspection alone refuses: {error}"))
            })?;
            prop_assert_eq!(
                (header.width, header.height),
                (picture.width, picture.height)
            );
            prop_assert_eq!(header.format, picture.format);
            prop_assert!(u64::from(picture.width) * u64::from(picture.height) <= limits.max_pixels);
            let preview = &picture.preview;
            prop_assert!(preview.width >= 1 && preview.height >= 1);
            prop_assert!(preview.width.max(preview.height) <= 256);
            prop_assert!(
                preview.webp.len() as u64
                    <= crate::imaging::preview_bound(picture.width, picture.height, &limits)
            );
        }
        Err(error) => prop_assert_ne!(error.code(), ErrorCode::Internal, "{:?}", error),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_end_in_a_verdict(bytes in vec(any::<u8>(), 0..600)) {
        judged(&bytes)?;
    }

    #[test]
    fn random_bytes_behind_a_signature_end_in_a_verdict(kind in 0_usize..5, rest in vec(any::<u8>(), 0..600)) {
        let heads: [&[u8]; 5] = [b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", b"GIF89a", b"RIFF\xff\0\0\0WEBPVP8X", b"RIFF\xff\0\0\0WEBPVP8L"];
        judged(&[heads[kind], &rest].concat())?;
    }

    #[test]
    fn changed_bytes_end_in_a_verdict(which: Index, changes in vec((any::<Index>(), any::<u8>()), 1..6)) {
        let all = fixtures();
        let mut bytes = all[which.index(all.len())].clone();
        for (place, value) in changes {
            let at = place.index(bytes.len());
            bytes[at] = value;
        }
        judged(&bytes)?;
    }

    #[test]
    fn cut_doubled_and_removed_parts_end_in_a_verdict(which: Index, from: Index, length in 1_usize..80, mode in 0_u8..3) {
        let all = fixtures();
        let bytes = &all[which.index(all.len())];
        let from = from.index(bytes.len());
        let to = (from + length).min(bytes.len());
        let changed = match mode {
            0 => bytes[..from].to_vec(),
            1 => [&bytes[..to], &bytes[from..]].concat(),
            _ => [&bytes[..from], &bytes[to..]].concat(),
        };
        judged(&changed)?;
    }

    #[test]
    fn a_jpeg_cut_anywhere_is_refused(which in 0_usize..3, end: Index) {
        let bytes = case(["rgb.jpg", "gray.jpg", "cmyk_adobe0.jpg"][which]);
        let end = end.index(bytes.len());
        prop_assert!(process(&bytes[..end], None, &Limits::default()).is_err());
    }
}
