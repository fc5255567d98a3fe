//! Names what bytes are by looking at them, and finds documents that hide before or behind a picture.

use crate::error::{Error, ErrorCode, Result};

use super::{Format, error};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
const JPEG: &[u8] = b"\xff\xd8\xff";
/// How far into a text its kind is looked for.
const TEXT_HEAD: usize = 4096;
/// A ZIP archive's closing record lies this close to the end: 22 bytes and a comment.
const ZIP_TAIL: usize = 22 + 65_535;

/// The accepted format of `bytes`, which must not be empty.
///
/// Errors: `unsupported_media_type` naming what was seen, `polyglot` when a picture follows a page, a
/// PDF or an archive, `image_truncated` when no more than part of a signature is there.
pub(super) fn identify(bytes: &[u8]) -> Result<Format> {
    if let Some(format) = picture(bytes) {
        return match format {
            Format::Gif if is_text(&bytes[6.min(bytes.len())..]) => Err(fake_gif(bytes)),
            _ => Ok(format),
        };
    }
    if bytes.len() < 12
        && [PNG, JPEG, b"GIF8", b"RIFF"]
            .iter()
            .any(|known| starts_alike(bytes, known))
    {
        return Err(error::truncated(
            "it holds no more than the beginning of a signature",
        ));
    }
    let seen = foreign(bytes);
    if hides_a_picture(bytes, seen) {
        Err(error::polyglot(seen, "before"))
    } else {
        Err(error::unsupported(seen))
    }
}

/// Whether the type that a caller declared may stand beside the bytes' own. Nothing, a type that says
/// nothing, parameters, letter case and old aliases do no harm.
pub(super) fn check_declared(format: Format, declared: Option<&str>) -> Result<()> {
    let declared = declared.unwrap_or_default();
    let essence = declared.split(';').next().unwrap_or_default().trim();
    let says_nothing = !essence.contains('/')
        || [
            "application/octet-stream",
            "binary/octet-stream",
            "image/*",
            "*/*",
        ]
        .iter()
        .any(|vague| essence.eq_ignore_ascii_case(vague));
    if says_nothing || Format::from_mime(essence) == Some(format) {
        return Ok(());
    }
    Err(Error::new(
        ErrorCode::MimeMismatch,
        format!("the bytes are {}, another type was declared", format.mime()),
    )
    .detail("seen", format.mime()))
}

/// The document in the bytes behind a picture, if one of those that make a file two things at once.
pub(super) fn document_behind(tail: &[u8]) -> Option<&'static str> {
    if tail.is_empty() {
        return None;
    }
    if tail.starts_with(b"*/") || tail.trim_ascii_start().starts_with(b"#!") {
        return Some("a script");
    }
    archive(tail)
        .or_else(|| closes_as_zip(tail).then_some("a ZIP archive"))
        .or_else(|| buried(tail))
}

/// The picture signature that the bytes begin with.
fn picture(bytes: &[u8]) -> Option<Format> {
    if bytes.starts_with(JPEG) {
        Some(Format::Jpeg)
    } else if bytes.starts_with(PNG) {
        Some(Format::Png)
    } else if bytes.len() > 4 && bytes.starts_with(b"GIF8") && bytes[4].is_ascii_digit() {
        Some(Format::Gif)
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        Some(Format::Webp)
    } else {
        None
    }
}

fn starts_alike(bytes: &[u8], known: &[u8]) -> bool {
    let length = bytes.len().min(known.len());
    bytes[..length] == known[..length]
}

/// Whether all of the first bytes are printable text; a real header is not.
fn is_text(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(512)];
    head.len() >= 8
        && head
            .iter()
            .all(|&byte| matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..=0x7e))
}

/// A page or script behind nothing but a GIF signature is that page; the signature makes no picture.
fn fake_gif(bytes: &[u8]) -> Error {
    let text = &bytes[6..];
    let seen = markup(text).or_else(|| buried(text)).unwrap_or("a script");
    error::unsupported(seen)
}

/// What bytes without a picture's signature are.
fn foreign(bytes: &[u8]) -> &'static str {
    boxed_media(bytes)
        .or_else(|| by_signature(bytes))
        .or_else(|| archive(bytes))
        .or_else(|| markup(bytes))
        .unwrap_or(if is_text(bytes) {
            "text"
        } else {
            "of an unknown type"
        })
}

/// ISO base media files tell themselves apart by their brand.
fn boxed_media(bytes: &[u8]) -> Option<&'static str> {
    if bytes.get(4..8)? != b"ftyp" {
        return None;
    }
    Some(match bytes.get(8..12)? {
        b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"hevx" => "HEIC",
        b"mif1" | b"msf1" => "HEIF",
        b"avif" | b"avis" => "AVIF",
        b"crx " => "a CR3 raw photograph",
        b"qt  " => "a QuickTime film",
        _ => "an MP4 film",
    })
}

fn by_signature(bytes: &[u8]) -> Option<&'static str> {
    const KNOWN: &[(&[u8], &str)] = &[
        (b"%PDF-", "PDF"),
        (b"%!PS", "PostScript"),
        (b"II*\0", "TIFF"),
        (b"MM\0*", "TIFF"),
        (b"II+\0", "TIFF"),
        (b"MM\0+", "TIFF"),
        (b"BM", "BMP"),
        (b"\0\0\x01\0", "an icon file"),
        (b"8BPS", "a Photoshop document"),
        (b"\xff\x0a", "JPEG XL"),
        (b"\0\0\0\x0cJXL \r\n\x87\n", "JPEG XL"),
        (b"\0\0\0\x0cjP  \r\n\x87\n", "JPEG 2000"),
        (b"\xff\x4f\xff\x51", "JPEG 2000"),
        (b"\x8aMNG\r\n\x1a\n", "MNG"),
        (b"\x8bJNG\r\n\x1a\n", "JNG"),
        (b"qoif", "QOI"),
        (b"\x76\x2f\x31\x01", "OpenEXR"),
        (b"\x1aE\xdf\xa3", "a Matroska or WebM film"),
        (b"RIFF", "a RIFF file other than WebP"),
        (b"OggS", "Ogg media"),
        (b"ID3", "MP3 sound"),
        (b"\x7fELF", "a program"),
        (b"MZ", "a program"),
        (b"#!", "a script"),
    ];
    KNOWN
        .iter()
        .find(|(signature, _)| bytes.starts_with(signature))
        .map(|(_, name)| *name)
}

fn archive(bytes: &[u8]) -> Option<&'static str> {
    const KNOWN: &[(&[u8], &str)] = &[
        (b"PK\x03\x04", "a ZIP archive"),
        (b"PK\x05\x06", "a ZIP archive"),
        (b"PK\x07\x08", "a ZIP archive"),
        (b"Rar!\x1a\x07", "a RAR archive"),
        (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
        (b"\x1f\x8b\x08", "a gzip archive"),
        (b"BZh", "a bzip2 archive"),
        (b"\xfd7zXZ\0", "an xz archive"),
        (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    ];
    if bytes.get(257..262) == Some(b"ustar") {
        return Some("a tar archive");
    }
    KNOWN
        .iter()
        .find(|(signature, _)| bytes.starts_with(signature))
        .map(|(_, name)| *name)
}

/// The kind of a text that begins like markup.
fn markup(bytes: &[u8]) -> Option<&'static str> {
    let text = bytes
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(bytes)
        .trim_ascii_start();
    if !text.starts_with(b"<") {
        return None;
    }
    let head = text[..text.len().min(TEXT_HEAD)].to_ascii_lowercase();
    if [b"<!doctype html".as_slice(), b"<html"]
        .iter()
        .any(|tag| find(&head, tag).is_some())
    {
        return Some("HTML");
    }
    if find(&head, b"<svg").is_some() {
        return Some("SVG");
    }
    Some(buried(text).unwrap_or(if head.starts_with(b"<?xml") {
        "XML"
    } else {
        "markup"
    }))
}

/// A document whose readers search for its beginning, anywhere in `bytes`.
fn buried(bytes: &[u8]) -> Option<&'static str> {
    const TAGS: &[(&[u8], &str)] = &[
        (b"!doctype html", "HTML"),
        (b"html", "HTML"),
        (b"head", "HTML"),
        (b"body", "HTML"),
        (b"iframe", "HTML"),
        (b"script", "a script"),
        (b"?php", "a script"),
        (b"svg", "SVG"),
    ];
    let mut rest = bytes;
    while let Some(at) = rest
        .iter()
        .position(|byte| matches!(byte, b'<' | b'%' | b'R' | b'7'))
    {
        let here = &rest[at..];
        rest = &here[1..];
        let found = match here[0] {
            b'<' => TAGS
                .iter()
                .find(|(tag, _)| opens_tag(rest, tag))
                .map(|(_, name)| *name),
            b'%' => here.starts_with(b"%PDF-").then_some("PDF"),
            b'R' => here.starts_with(b"Rar!\x1a\x07").then_some("a RAR archive"),
            _ => here
                .starts_with(b"7z\xbc\xaf\x27\x1c")
                .then_some("a 7z archive"),
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Whether `bytes` go on as the tag: its name in any letter case, then something that ends a name.
fn opens_tag(bytes: &[u8], name: &[u8]) -> bool {
    // Most bytes are no tag at all, and there may be millions of them.
    bytes.first().map(u8::to_ascii_lowercase) == name.first().copied()
        && bytes
            .get(..name.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(name))
        && bytes
            .get(name.len())
            .is_none_or(|next| next.is_ascii_whitespace() || matches!(next, b'>' | b'/'))
}

/// Whether the bytes end as a ZIP archive does; whatever stands before it does not matter to a reader.
fn closes_as_zip(bytes: &[u8]) -> bool {
    let tail = &bytes[bytes.len().saturating_sub(ZIP_TAIL)..];
    (0..tail.len().saturating_sub(21)).any(|at| {
        let record = &tail[at..];
        record.starts_with(b"PK\x05\x06")
            && record.len() >= 22 + usize::from(u16::from_le_bytes([record[20], record[21]]))
    })
}

/// Whether a picture stands behind a document, so that the file is both. Pictures inside a PDF or an
/// archive belong to it.
fn hides_a_picture(bytes: &[u8], seen: &str) -> bool {
    let behind = match seen {
        "HTML" | "SVG" | "XML" | "markup" | "a script" | "text" => Some(0),
        "PDF" => rfind(bytes, b"%%EOF").map(|at| at + 5),
        "a ZIP archive" => rfind(bytes, b"PK\x05\x06").map(|at| at + 22),
        _ => None,
    };
    let Some(rest) = behind.and_then(|from| bytes.get(from..)) else {
        return false;
    };
    [JPEG, PNG, b"GIF87a", b"GIF89a"]
        .iter()
        .any(|signature| find(rest, signature).is_some())
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    let first = *wanted.first()?;
    let mut from = 0;
    while let Some(at) = bytes.get(from..)?.iter().position(|&byte| byte == first) {
        if bytes[from + at..].starts_with(wanted) {
            return Some(from + at);
        }
        from += at + 1;
    }
    None
}

fn rfind(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    (0..bytes.len())
        .rev()
        .find(|&at| bytes[at..].starts_with(wanted))
}
