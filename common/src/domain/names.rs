//! Names of projects and folders, and titles, as the database compares them.
//!
//! Only Rust computes the comparing form: Postgres folds İ, ß and zero-width characters differently.

use std::fmt;

use sha2::{Digest, Sha256};

use super::{
    text::clean_text,
    unicode::{fold, is_break, is_hidden},
};
use crate::{
    error::{Error, ErrorCode, Result},
    limits,
};

/// Longest key in bytes. A B-tree entry of Postgres ends at about 2,700, and one letter can fold to
/// eighteen.
const KEY_MAX_BYTES: usize = 1_024;

/// The form of a name in which uniqueness is judged: never empty, at most 1,024 bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameKey(String);

impl NameKey {
    /// The key as stored.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for NameKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Computes the key of `name`: NFKC, case-folded, without hidden characters, trimmed, each run of
/// white space as one space. A key of a key is itself.
///
/// # Errors
/// `invalid_text` for a NUL; `invalid_argument` when nothing visible is left.
pub fn name_key(name: &str) -> Result<NameKey> {
    if name.contains('\0') {
        return Err(Error::new(
            ErrorCode::InvalidText,
            "the name contains a NUL character",
        ));
    }
    let visible: String = name
        .chars()
        .filter(|c| is_break(*c) || !is_hidden(*c))
        .collect();
    let folded = fold(&visible);
    let key = folded.split_whitespace().collect::<Vec<_>>().join(" ");
    if key.is_empty() {
        return Err(Error::new(
            ErrorCode::InvalidArgument,
            "the name has no visible characters",
        ));
    }
    Ok(NameKey(bounded(key)))
}

/// Cleans the name of a vault, project or folder, and computes its key.
///
/// # Errors
/// `invalid_text` for a NUL; `invalid_argument` when it is too long, or when nothing visible is left.
pub fn clean_name(field: &'static str, name: &str) -> Result<(String, NameKey)> {
    let name = clean_text(field, name, limits::NAME_MAX, false)?;
    let key = name_key(&name)?;
    Ok((name, key))
}

/// Replaces the tail of a key that is too long by its hash, so that different names keep different keys
/// and the order stays nearly the same.
fn bounded(key: String) -> String {
    if key.len() <= KEY_MAX_BYTES {
        return key;
    }
    let hash = hex::encode(Sha256::digest(&key));
    let mut end = KEY_MAX_BYTES - hash.len() - 1;
    while !key.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}~{hash}", key[..end].trim_end())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key(name: &str) -> String {
        name_key(name).unwrap().to_string()
    }

    #[test]
    fn spellings_that_look_alike_are_one_name() {
        for (one, other) in [
            ("Café", "cafe\u{301}"),
            ("a", "a\u{200B}"),
            ("STRASSE", "straße"),
            ("STRAẞE", "strasse"),
            ("İstanbul", "i\u{307}stanbul"),
            ("Ｆｕｌｌ　Ｗｉｄｔｈ", "full width"),
            ("ﬁle", "FILE"),
            ("ΟΔΟΣ", "οδος"),
            ("  two   words\u{A0}", "Two Words"),
            ("one\r\ntwo", "one two"),
            ("x\u{202E}y", "xy"),
            ("heart\u{FE0F}", "heart"),
        ] {
            assert_eq!(key(one), key(other), "{one:?} and {other:?}");
        }
        assert_eq!(key("Café"), "café");
    }

    #[test]
    fn names_that_differ_stay_apart() {
        for (one, other) in [
            ("cafe", "café"),
            ("i", "ı"),
            ("i", "İ"),
            ("ab", "a b"),
            ("1", "2"),
        ] {
            assert_ne!(key(one), key(other), "{one:?} and {other:?}");
        }
    }

    #[test]
    fn what_shows_nothing_is_refused() {
        for name in ["", " ", "\t\n", "\u{200B}", "\u{3164}\u{2060} ", "\u{3000}"] {
            assert_eq!(
                name_key(name).unwrap_err().code(),
                ErrorCode::InvalidArgument,
                "{name:?}"
            );
        }
        assert_eq!(name_key("a\0b").unwrap_err().code(), ErrorCode::InvalidText);
    }

    #[test]
    fn letters_that_fold_to_many_give_a_bounded_key_of_their_own() {
        let long = "\u{FDFA}".repeat(120);
        let one = key(&long);
        assert!(one.len() <= KEY_MAX_BYTES);
        assert_ne!(one, key(&format!("{long}!")));
        assert_eq!(key(&one), one);
    }

    proptest! {
        #[test]
        fn a_key_of_a_key_is_itself(name in ".{0,300}") {
            if let Ok(once) = name_key(&name) {
                prop_assert!(!once.as_str().is_empty() && once.as_str().len() <= KEY_MAX_BYTES);
                prop_assert_eq!(name_key(once.as_str()).unwrap(), once);
            }
        }

        #[test]
        fn case_and_hidden_characters_tell_no_names_apart(name in "[a-z ]{0,20}x", at in 0usize..20) {
            let mut disguised: Vec<char> = name.to_uppercase().chars().collect();
            disguised.insert(at.min(disguised.len()), '\u{200D}');
            let disguised: String = disguised.into_iter().collect();
            prop_assert_eq!(name_key(&disguised).unwrap(), name_key(&name).unwrap());
        }
    }
}
