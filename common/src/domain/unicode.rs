//! What Unicode lets a caller hide: the characters that cleaning takes away, and the folding under
//! which two spellings are one.

use icu_casemap::CaseMapper;
use icu_normalizer::ComposingNormalizerBorrowed;

/// Whether `c` is never kept in stored text: it shows nothing, or changes how its neighbours show.
///
/// These are the control characters, Unicode's default-ignorable code points (zero-width and bidi
/// characters, joiners, variation selectors, tags, fillers) and the interlinear annotation marks.
/// Line breaks and tabs are control characters too; a caller that keeps them asks for them first.
pub(super) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{AD}'
                | '\u{34F}'
                | '\u{61C}'
                | '\u{115F}'..='\u{1160}'
                | '\u{17B4}'..='\u{17B5}'
                | '\u{180B}'..='\u{180F}'
                | '\u{200B}'..='\u{200F}'
                | '\u{202A}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}'
                | '\u{3164}'
                | '\u{FE00}'..='\u{FE0F}'
                | '\u{FEFF}'
                | '\u{FFA0}'
                | '\u{FFF0}'..='\u{FFFB}'
                | '\u{1BCA0}'..='\u{1BCA3}'
                | '\u{1D173}'..='\u{1D17A}'
                | '\u{E0000}'..='\u{E0FFF}'
        )
}

/// Whether `c` starts a new line, or a column, wherever it is shown.
pub(super) const fn is_break(c: char) -> bool {
    matches!(c, '\t'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Compatibility-normalized (NFKC) and fully case-folded text: two spellings that a reader takes for
/// one have one folding. Folding what is folded changes nothing.
pub(super) fn fold(text: &str) -> String {
    let normalizer = ComposingNormalizerBorrowed::new_nfkc();
    let mut folded = normalizer.normalize(text).into_owned();
    loop {
        // Folding can undo the composition, and composing can bring back something to fold.
        let cased = CaseMapper::new().fold_string(&folded).into_owned();
        let next = normalizer.normalize(&cased).into_owned();
        if next == folded {
            return folded;
        }
        folded = next;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn folding_is_stable_and_reveals_nothing_hidden_for_every_character() {
        for c in char::MIN..=char::MAX {
            let once = fold(c.encode_utf8(&mut [0; 4]));
            assert_eq!(fold(&once), once, "{c:?}");
            if !is_hidden(c) {
                assert!(!once.contains(is_hidden), "{c:?} folds to {once:?}");
            }
        }
    }

    #[test]
    fn what_carries_meaning_is_not_hidden() {
        for c in [
            'a',
            'é',
            '\u{301}',
            'ß',
            '漢',
            'ا',
            '\u{FFFC}',
            '😀',
            '\u{1F3FD}',
            ' ',
            '\u{A0}',
        ] {
            assert!(!is_hidden(c), "{c:?}");
        }
    }

    proptest! {
        #[test]
        fn folding_what_is_folded_changes_nothing(text in ".*") {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }
    }
}
