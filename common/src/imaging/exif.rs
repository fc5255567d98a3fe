//! The one Exif field that matters: which way up the picture is.

use exif::{Error, In, Reader, Tag};

/// Exif blocks longer than this are not read; cameras write at most 64 KiB.
const EXIF_MAX: usize = 256 * 1024;

/// What a file says about its orientation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Orientation {
    /// Nothing, or nothing readable.
    Unstated,
    /// One of the eight, from 1 to 8.
    Stated(u8),
    /// A number that stands for none of the eight.
    Invalid,
}

/// Reads the orientation of the first picture from a raw TIFF block, with or without the `Exif\0\0`
/// in front of it. Faults elsewhere in the block do not matter.
pub(super) fn orientation(block: &[u8]) -> Orientation {
    let tiff = block.strip_prefix(b"Exif\0\0").unwrap_or(block);
    if tiff.len() > EXIF_MAX {
        return Orientation::Invalid;
    }
    let mut reader = Reader::new();
    reader.continue_on_error(true);
    let read = match reader.read_raw(tiff.to_vec()) {
        Ok(read) => read,
        Err(Error::PartialResult(partial)) => partial.into_inner().0,
        Err(_) => return Orientation::Unstated,
    };
    match read.get_field(Tag::Orientation, In::PRIMARY) {
        None => Orientation::Unstated,
        Some(field) => match field.value.get_uint(0) {
            Some(value @ 1..=8) => {
                u8::try_from(value).map_or(Orientation::Invalid, Orientation::Stated)
            }
            _ => Orientation::Invalid,
        },
    }
}
