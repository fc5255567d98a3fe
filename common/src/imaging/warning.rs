//! What was passed over while a picture was accepted.

use serde::{Serialize, Serializer, ser::SerializeStruct};

/// Something about an accepted picture that its owner may want to know. As JSON it is
/// `{"code", "message"}`; codes are stable, sentences are not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Warning {
    /// The colour profile is damaged, too large or of another kind of picture.
    IccIgnored,
    /// The Exif orientation is not a number from 1 to 8.
    OrientationInvalid,
    /// Compressed text chunks were left unread.
    CompressedTextIgnored,
    /// Bytes follow the picture that are no known document.
    TrailingData,
    /// More JPEG pictures follow the first one.
    MultiPicture,
    /// The PNG holds an animation that its default picture is no part of.
    HiddenAnimation,
    /// The file ends early, after the first picture.
    TruncatedAfterFirstFrame,
}

impl Warning {
    /// The stable name.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::IccIgnored => "icc_ignored",
            Self::OrientationInvalid => "orientation_invalid",
            Self::CompressedTextIgnored => "compressed_text_ignored",
            Self::TrailingData => "trailing_data",
            Self::MultiPicture => "multi_picture",
            Self::HiddenAnimation => "hidden_animation",
            Self::TruncatedAfterFirstFrame => "truncated_after_first_frame",
        }
    }

    /// One sentence for people: lower case, no full stop.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::IccIgnored => {
                "the colour profile could not be used; the colours were taken as sRGB"
            }
            Self::OrientationInvalid => {
                "the orientation is not a number from 1 to 8; the picture was not turned"
            }
            Self::CompressedTextIgnored => "compressed text in the file was left unread",
            Self::TrailingData => "bytes after the end of the picture were left unread",
            Self::MultiPicture => "the file holds several pictures; the preview shows the first",
            Self::HiddenAnimation => {
                "the preview shows the default picture, which the animation does not contain"
            }
            Self::TruncatedAfterFirstFrame => "the file ends early; its first picture is complete",
        }
    }
}

impl Serialize for Warning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Warning", 2)?;
        object.serialize_field("code", self.code())?;
        object.serialize_field("message", self.message())?;
        object.end()
    }
}
