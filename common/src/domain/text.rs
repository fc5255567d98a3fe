//! The one place where text from outside is cleaned, once, on write and before any fingerprint.
//!
//! Cleaning is idempotent: cleaned text comes through unchanged, so that what was read back can be sent
//! again. Everything hidden goes (joiners and variation selectors too: an emoji family becomes its
//! members), and a forged marker of untrusted data loses its brackets.

mod escapes;
mod json;
mod markers;

use std::collections::BTreeSet;

pub use escapes::{has_lone_surrogate_escape, has_nul_escape, legible};
pub use json::clean_json;
pub use markers::escape as escape_markers;

use super::unicode::{fold, is_break, is_hidden};
use crate::{
    error::{Error, ErrorCode, Result},
    limits,
};

/// Cleans the text of `field` and checks that at most `max` Unicode scalars are left. What is left may
/// be empty; whether that is allowed is the field's own affair.
///
/// With `multiline`, tabs stay and every kind of line break becomes `\n`; without, each becomes a
/// space. All other hidden characters are removed, then the ends are trimmed, then markers escaped.
///
/// # Errors
/// `invalid_text` for a NUL; `invalid_argument`, with `field` and `limit` as details, when too long.
pub fn clean_text(field: &'static str, text: &str, max: usize, multiline: bool) -> Result<String> {
    let clean = clean_unbounded(field, text, multiline)?;
    check_length(field, &clean, max)?;
    Ok(clean)
}

/// Cleans, folds, sorts and dedupes tags.
///
/// # Errors
/// As [`clean_text`]; `invalid_argument` for a tag without visible characters, or for more tags than
/// `limits::TAGS_MAX` after deduplication.
pub fn clean_tags(tags: Vec<String>) -> Result<Vec<String>> {
    const FIELD: &str = "tags";
    let mut clean = BTreeSet::new();
    for tag in tags {
        let folded = fold(&clean_unbounded(FIELD, &tag, false)?);
        let tag = folded.split_whitespace().collect::<Vec<_>>().join(" ");
        if tag.is_empty() {
            return Err(invalid(FIELD, "holds a tag without visible characters"));
        }
        check_length(FIELD, &tag, limits::TAG_MAX)?;
        clean.insert(tag);
    }
    if clean.len() > limits::TAGS_MAX {
        let message = format!("holds more than {} different tags", limits::TAGS_MAX);
        return Err(invalid(FIELD, &message).detail("limit", limits::TAGS_MAX));
    }
    Ok(clean.into_iter().collect())
}

/// Cleans without judging the length.
fn clean_unbounded(field: &'static str, text: &str, multiline: bool) -> Result<String> {
    if text.contains('\0') {
        return Err(contains_nul(field));
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\r' if rest.peek() == Some(&'\n') => {}
            '\t' if multiline => shown.push('\t'),
            c if is_break(c) => shown.push(if multiline { '\n' } else { ' ' }),
            c if is_hidden(c) => {}
            c => shown.push(c),
        }
    }
    Ok(markers::escape(shown.trim()))
}

fn check_length(field: &'static str, text: &str, max: usize) -> Result<()> {
    if text.chars().count() > max {
        let message = format!("is longer than {max} characters");
        return Err(invalid(field, &message).detail("limit", max));
    }
    Ok(())
}

fn contains_nul(field: &'static str) -> Error {
    Error::new(
        ErrorCode::InvalidText,
        format!("{field} contains a NUL character"),
    )
    .detail("field", field)
}

fn invalid(field: &'static str, problem: &str) -> Error {
    Error::new(ErrorCode::InvalidArgument, format!("{field} {problem}")).detail("field", field)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn line(text: &str) -> String {
        clean_text("title", text, 100, false).unwrap()
    }

    fn block(text: &str) -> String {
        clean_text("description", text, 100, true).unwrap()
    }

    #[test]
    fn hidden_characters_go() {
        for hidden in [
            '\u{1}',
            '\u{7F}',
            '\u{9B}',
            '\u{AD}',
            '\u{200B}',
            '\u{200D}',
            '\u{200E}',
            '\u{202E}',
            '\u{2060}',
            '\u{2066}',
            '\u{2069}',
            '\u{FEFF}',
            '\u{FE0F}',
            '\u{E0041}',
            '\u{E0100}',
            '\u{FFF9}',
            '\u{61C}',
            '\u{180E}',
        ] {
            assert_eq!(line(&format!("a{hidden}b")), "ab", "{hidden:?}");
            assert_eq!(block(&format!("a{hidden}b")), "ab", "{hidden:?}");
        }
        assert_eq!(line("👨\u{200D}👩\u{200D}👧"), "👨👩👧");
    }

    #[test]
    fn line_breaks_stay_breaks_or_become_spaces() {
        assert_eq!(block(" a\tb\r\nc\rd\u{2028}e\n\nf\n"), "a\tb\nc\nd\ne\n\nf");
        assert_eq!(line("a\tb\r\nc\n"), "a b c");
    }

    #[test]
    fn letters_are_kept_as_they_were_written() {
        for text in [
            "Café",
            "cafe\u{301}",
            "漢字",
            "🎉",
            "a < b << c",
            "[[UNTRUSTED",
        ] {
            assert_eq!(line(text), text);
        }
    }

    #[test]
    fn a_nul_is_refused_before_anything_else() {
        let error = clean_text("title", "a\0b", 1, false).unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidText);
        assert!(error.message().contains("title"));
    }

    #[test]
    fn length_counts_scalars_after_cleaning() {
        assert!(clean_text("title", " é\u{200B}é ", 2, false).is_ok());
        let error = clean_text("title", "ééé", 2, false).unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidArgument);
        assert!(error.message().contains("title") && error.message().contains('2'));
        assert_eq!(error.details()["limit"], 2);
    }

    fn tags(list: &[&str]) -> Result<Vec<String>> {
        clean_tags(list.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn tags_are_folded_sorted_and_unique() {
        assert_eq!(
            tags(&[
                "Zoo",
                " zoo\u{200B}",
                "Café",
                "cafe\u{301}",
                "Straße",
                "ＡＢＣ"
            ])
            .unwrap(),
            ["abc", "café", "strasse", "zoo"]
        );
        assert_eq!(tags(&[]).unwrap(), [""; 0]);
    }

    #[test]
    fn tags_are_bounded_after_deduplication() {
        let many: Vec<String> = (0..40).map(|n| format!("t{}", n % 32)).collect();
        assert_eq!(clean_tags(many).unwrap().len(), 32);
        let too_many: Vec<String> = (0..33).map(|n| format!("t{n}")).collect();
        let refused = [
            clean_tags(too_many),
            tags(&[" \u{200B}"]),
            tags(&[&"x".repeat(65)]),
            tags(&[&"ß".repeat(33)]),
        ];
        for result in refused {
            assert_eq!(result.unwrap_err().code(), ErrorCode::InvalidArgument);
        }
        assert_eq!(tags(&["a\0"]).unwrap_err().code(), ErrorCode::InvalidText);
    }

    proptest! {
        #[test]
        fn cleaning_what_is_clean_changes_nothing(
            text in "([<＜ _/\t\r\n\u{200B}]|(?i:untrusted|end)|.){0,40}",
            multiline: bool,
        ) {
            if let Ok(once) = clean_text("title", &text, 1_000, multiline) {
                prop_assert_eq!(clean_text("title", &once, 1_000, multiline).unwrap(), once);
            }
        }

        #[test]
        fn nothing_hidden_is_left(text in any::<String>(), multiline: bool) {
            if let Ok(clean) = clean_text("title", &text, usize::MAX, multiline) {
                let hidden = |c: char| is_hidden(c) && !(multiline && matches!(c, '\n' | '\t'));
                prop_assert!(!clean.contains(hidden), "{:?}", clean);
                prop_assert_eq!(clean.trim(), &clean);
            }
        }

        #[test]
        fn cleaned_tags_come_through_unchanged(list in proptest::collection::vec(".{0,20}", 0..40)) {
            if let Ok(once) = clean_tags(list) {
                prop_assert!(once.is_sorted() && once.len() <= limits::TAGS_MAX);
                prop_assert_eq!(clean_tags(once.clone()).unwrap(), once);
            }
        }
    }
}
