//! Pictures that come as text: base64 in each of its lawful forms, bounded before it is decoded.

use base64::{
    Engine, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use bytes::Bytes;

use crate::{
    error::{Error, ErrorCode, Result},
    limits::BASE64_MAX_BYTES,
};

/// Longest head of a `data:` URL, before its comma.
const DATA_HEAD_MAX_BYTES: usize = 256;
const CONFIG: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, CONFIG);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, CONFIG);

/// A picture that came as text.
#[derive(Clone, PartialEq, Eq)]
pub struct DecodedImage {
    /// Its bytes, at least one.
    pub bytes: Bytes,
    /// The type that a `data:` prefix declared, parameters included; the bytes decide.
    pub declared_type: Option<String>,
}

// The bytes belong in no log.
impl std::fmt::Debug for DecodedImage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DecodedImage")
            .field("bytes", &self.bytes.len())
            .field("declared_type", &self.declared_type)
            .finish()
    }
}

/// Decodes base64 in the standard or the URL-safe alphabet, with or without padding, line breaks and a
/// `data:…;base64,` prefix.
///
/// # Errors
/// `use_upload` when more than `limits::BASE64_MAX_BYTES` would come out, judged before anything is
/// decoded; `empty_image` when nothing would; `invalid_base64` for every other text.
pub fn decode_image(text: &str) -> Result<DecodedImage> {
    let (declared_type, body) = split_data_prefix(text.trim())?;
    let body = body.trim();
    let breaks = body.bytes().filter(|byte| is_line_break(*byte)).count();
    let padding = body
        .bytes()
        .rev()
        .filter(|byte| !is_line_break(*byte))
        .take_while(|byte| *byte == b'=')
        .count();
    let letters = body.len() - breaks - padding;
    // Four letters carry three bytes, and a rest of n letters n - 1.
    if letters / 4 * 3 + (letters % 4).saturating_sub(1) > BASE64_MAX_BYTES {
        let message = format!("the image is larger than {BASE64_MAX_BYTES} bytes");
        return Err(Error::new(ErrorCode::UseUpload, message).detail("limit", BASE64_MAX_BYTES));
    }
    let engine = if body.contains(['-', '_']) {
        URL_SAFE
    } else {
        STANDARD
    };
    let decoded = if breaks == 0 {
        engine.decode(body)
    } else {
        engine.decode(
            body.bytes()
                .filter(|byte| !is_line_break(*byte))
                .collect::<Vec<_>>(),
        )
    };
    let bytes = decoded.map_err(|cause| malformed().because(cause))?;
    if bytes.is_empty() {
        return Err(Error::new(ErrorCode::EmptyImage, "the image has no bytes"));
    }
    Ok(DecodedImage {
        bytes: bytes.into(),
        declared_type,
    })
}

fn malformed() -> Error {
    Error::new(ErrorCode::InvalidBase64, "the image is not valid base64")
}

const fn is_line_break(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

/// Takes the prefix off: the declared type, and what is to be decoded.
fn split_data_prefix(text: &str) -> Result<(Option<String>, &str)> {
    const SCHEME: &str = "data:";
    const MARK: &str = ";base64";
    if !text
        .get(..SCHEME.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(SCHEME))
    {
        return Ok((None, text));
    }
    let comma = text
        .bytes()
        .take(DATA_HEAD_MAX_BYTES)
        .position(|byte| byte == b',')
        .ok_or_else(malformed)?;
    let head = text
        .get(SCHEME.len()..comma)
        .ok_or_else(malformed)?
        .trim_end();
    let mark = head.len().checked_sub(MARK.len()).ok_or_else(malformed)?;
    let (declared, found) = head.split_at_checked(mark).ok_or_else(malformed)?;
    if !found.eq_ignore_ascii_case(MARK) {
        return Err(malformed());
    }
    let declared = declared.trim();
    Ok((
        (!declared.is_empty()).then(|| declared.to_owned()),
        &text[comma + 1..],
    ))
}

#[cfg(test)]
mod tests {
    use base64::engine::general_purpose::{
        STANDARD as PADDED, STANDARD_NO_PAD, URL_SAFE as URL_PADDED, URL_SAFE_NO_PAD,
    };
    use proptest::prelude::*;

    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        decode_image(text).unwrap().bytes.to_vec()
    }

    fn code(text: &str) -> ErrorCode {
        decode_image(text).unwrap_err().code()
    }

    #[test]
    fn every_lawful_form_is_accepted() {
        let wanted = [0xFB, 0xEF, 0xFF, 0x00];
        for text in [
            "++//AA==",
            "++//AA",
            "--__AA==",
            "--__AA",
            "++//AA=",
            " ++//AA==\n",
            "++/\r\n/A\nA==",
            "++//AA=\n=",
            "data:;base64,++//AA==",
            "data:image/png;base64,++//AA",
            "DATA:image/png;BASE64,\n++//AA==",
            "data:image/png;charset=binary;base64,--__AA",
        ] {
            assert_eq!(bytes(text), wanted, "{text:?}");
        }
    }

    #[test]
    fn the_declared_type_comes_along() {
        let declared = |text: &str| decode_image(text).unwrap().declared_type;
        assert_eq!(declared("AAAA"), None);
        assert_eq!(declared("data:;base64,AAAA"), None);
        assert_eq!(
            declared("data:image/png;base64,AAAA").as_deref(),
            Some("image/png")
        );
        assert_eq!(
            declared("data:image/png;a=b;base64,AAAA").as_deref(),
            Some("image/png;a=b")
        );
    }

    #[test]
    fn everything_else_is_malformed() {
        let long_head = format!("data:image/png;a={};base64,AAAA", "x".repeat(300));
        for text in [
            "A",
            "AAAAA",
            "AB!D",
            "+-AA",
            "A=AA",
            "AAAA====",
            "AA AA",
            "AA\tAA",
            "AB==CD==",
            "data:image/png,AAAA",
            "data:AAAA",
            "data:base64,AAAA",
            "data:;base64",
            "data:image/png;base64;x,AAAA",
            "é",
            "data:é,",
            "AB==",
            "https://example.com/a.png",
            long_head.as_str(),
        ] {
            // "AB==" has bits beyond its last byte: two texts must not stand for the same bytes.
            assert_eq!(code(text), ErrorCode::InvalidBase64, "{text:?}");
        }
    }

    #[test]
    fn no_bytes_are_an_empty_image() {
        for text in ["", " \n", "data:;base64,", "data:image/png;base64,\r\n"] {
            assert_eq!(code(text), ErrorCode::EmptyImage, "{text:?}");
        }
    }

    #[test]
    fn the_limit_is_exact_in_every_form() {
        for extra in [0, 1, 2, 3] {
            let image = vec![7; BASE64_MAX_BYTES - 1 + extra];
            let wrapped = PADDED
                .encode(&image)
                .as_bytes()
                .chunks(76)
                .map(|line| std::str::from_utf8(line).unwrap())
                .collect::<Vec<_>>()
                .join("\r\n");
            for text in [
                PADDED.encode(&image),
                STANDARD_NO_PAD.encode(&image),
                wrapped,
            ] {
                let result = decode_image(&format!("data:image/png;base64,{text}"));
                if image.len() <= BASE64_MAX_BYTES {
                    assert_eq!(result.unwrap().bytes.len(), image.len());
                } else {
                    assert_eq!(result.unwrap_err().code(), ErrorCode::UseUpload);
                }
            }
        }
        // Too long is said before malformed: nothing of it is decoded.
        assert_eq!(code(&"!".repeat(6_000_000)), ErrorCode::UseUpload);
    }

    proptest! {
        #[test]
        fn each_encoding_reads_back(image in proptest::collection::vec(any::<u8>(), 1..200), width in 1usize..90) {
            for text in [PADDED.encode(&image), STANDARD_NO_PAD.encode(&image), URL_PADDED.encode(&image), URL_SAFE_NO_PAD.encode(&image)] {
                let lines: Vec<&str> = text.as_bytes().chunks(width).map(|line| std::str::from_utf8(line).unwrap()).collect();
                prop_assert_eq!(&bytes(&text), &image);
                prop_assert_eq!(&bytes(&lines.join("\n")), &image);
            }
        }

        #[test]
        fn no_text_makes_it_panic(text in "(data:)?[a-z/;,=é+_-]{0,40}|.*") {
            let _ = decode_image(&text);
        }
    }
}
