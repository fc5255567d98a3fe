//! The words of the fused representation, and whether an asset has one.

use crate::limits::FUSED_TEXT_MAX;

/// What an asset says of itself, cleaned. Empty text counts as none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AssetWords<'a> {
    /// The title, only when the caller gave it: one derived from an address or a default says nothing
    /// of the picture.
    pub given_title: Option<&'a str>,
    /// The alternative text.
    pub alt_text: Option<&'a str>,
    /// The description.
    pub description: Option<&'a str>,
    /// The host of the source address.
    pub source_host: Option<&'a str>,
}

/// The words to embed beside the picture: title, alternative text, description and source host, a line
/// each, at most `limits::FUSED_TEXT_MAX` scalars. `None` when there is neither title, alternative text
/// nor description: a host alone makes no fused representation.
#[must_use]
pub fn fused_text(words: &AssetWords<'_>) -> Option<String> {
    let given = |text: Option<&'_ str>| {
        text.map(str::trim)
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    };
    let own = [
        given(words.given_title),
        given(words.alt_text),
        given(words.description),
    ];
    if own.iter().all(Option::is_none) {
        return None;
    }
    let lines: Vec<String> = own
        .into_iter()
        .chain([given(words.source_host)])
        .flatten()
        .collect();
    let text: String = lines.join("\n").chars().take(FUSED_TEXT_MAX).collect();
    Some(text.trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_order_is_title_alt_text_description_host() {
        let words = AssetWords {
            given_title: Some("Title"),
            alt_text: Some("Alt"),
            description: Some("Description"),
            source_host: Some("example.com"),
        };
        assert_eq!(
            fused_text(&words).unwrap(),
            "Title\nAlt\nDescription\nexample.com"
        );
    }

    #[test]
    fn any_word_of_its_own_makes_one_and_a_host_alone_does_not() {
        let one = Some("x");
        let host = Some("example.com");
        assert_eq!(
            fused_text(&AssetWords {
                given_title: one,
                ..Default::default()
            })
            .unwrap(),
            "x"
        );
        assert_eq!(
            fused_text(&AssetWords {
                alt_text: one,
                ..Default::default()
            })
            .unwrap(),
            "x"
        );
        let described = AssetWords {
            description: one,
            source_host: host,
            ..Default::default()
        };
        assert_eq!(fused_text(&described).unwrap(), "x\nexample.com");
        assert_eq!(
            fused_text(&AssetWords {
                source_host: host,
                ..Default::default()
            }),
            None
        );
        let blank = AssetWords {
            description: Some(" "),
            alt_text: Some(""),
            source_host: host,
            given_title: None,
        };
        assert_eq!(fused_text(&blank), None);
    }

    #[test]
    fn the_tail_is_cut_at_the_limit() {
        let long = "é".repeat(4_000);
        let words = AssetWords {
            given_title: Some("T"),
            description: Some(&long),
            source_host: Some("h"),
            alt_text: None,
        };
        let text = fused_text(&words).unwrap();
        assert_eq!(text.chars().count(), FUSED_TEXT_MAX);
        assert!(text.starts_with("T\né"));
    }

    proptest! {
        #[test]
        fn it_exists_exactly_when_there_are_own_words(
            title in proptest::option::of("[a ]{0,3}"),
            alt in proptest::option::of("[b ]{0,3}"),
            description in proptest::option::of("[c ]{0,2500}"),
            host in proptest::option::of("[d.]{0,3}"),
        ) {
            let words = AssetWords {
                given_title: title.as_deref(),
                alt_text: alt.as_deref(),
                description: description.as_deref(),
                source_host: host.as_deref(),
            };
            let own = [&title, &alt, &description].iter().any(|text| text.as_deref().is_some_and(|text| !text.trim().is_empty()));
            let text = fused_text(&words);
            prop_assert_eq!(text.is_some(), own);
            prop_assert!(text.is_none_or(|text| !text.is_empty() && text.chars().count() <= FUSED_TEXT_MAX));
        }
    }
}
