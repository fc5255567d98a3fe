//! Reads the escapes of raw JSON that a parser refuses, or hands on, without saying why.

/// Whether raw JSON holds half of a surrogate pair, as an escape such as `\ud800` or as bytes. The JSON
/// parser fails on it with an error that does not name it; the caller is owed `invalid_text`.
#[must_use]
pub fn has_lone_surrogate_escape(json_bytes: &[u8]) -> bool {
    let mut high_ends_at: Option<usize> = None;
    for (at, unit) in Escapes::of(json_bytes) {
        let is_low = (0xDC00..=0xDFFF).contains(&unit);
        match high_ends_at.take() {
            Some(end) if end != at || !is_low => return true,
            None if is_low => return true,
            _ => {}
        }
        if (0xD800..=0xDBFF).contains(&unit) {
            high_ends_at = Some(at + ESCAPE_LEN);
        }
    }
    // UTF-8 has no bytes for surrogates; these are what a careless encoder writes.
    high_ends_at.is_some()
        || json_bytes
            .windows(2)
            .any(|pair| pair[0] == 0xED && (0xA0..=0xBF).contains(&pair[1]))
}

/// Whether raw JSON holds a NUL, as `\u0000` or as a byte.
#[must_use]
pub fn has_nul_escape(json_bytes: &[u8]) -> bool {
    json_bytes.contains(&0) || Escapes::of(json_bytes).any(|(_, unit)| unit == 0)
}

/// Raw JSON with U+FFFD in the place of every NUL and of every surrogate, paired ones too: a parser takes it
/// wherever it would take the original but for those. It is for learning what a refused request was about,
/// and for nothing that is kept.
#[must_use]
pub fn legible(json_bytes: &[u8]) -> String {
    let mut bytes = json_bytes.to_vec();
    for (at, unit) in Escapes::of(json_bytes) {
        if unit == 0 || (0xD800..=0xDFFF).contains(&unit) {
            bytes[at..at + ESCAPE_LEN].copy_from_slice(b"\\ufffd");
        }
    }
    String::from_utf8_lossy(&bytes).replace('\0', "\u{FFFD}")
}

/// Bytes of one `\uXXXX`.
const ESCAPE_LEN: usize = 6;

/// The well-formed `\uXXXX` escapes of raw JSON: where each begins, and its UTF-16 unit.
struct Escapes<'a> {
    json: &'a [u8],
    at: usize,
}

impl<'a> Escapes<'a> {
    const fn of(json: &'a [u8]) -> Self {
        Self { json, at: 0 }
    }
}

impl Iterator for Escapes<'_> {
    type Item = (usize, u16);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let start = self.at + self.json.get(self.at..)?.iter().position(|b| *b == b'\\')?;
            // A backslash takes the next byte with it: `\\u0041` is a backslash and letters.
            self.at = start + 2;
            if self.json.get(start + 1) != Some(&b'u') {
                continue;
            }
            let digits = self.json.get(start + 2..start + ESCAPE_LEN)?;
            if let Some(unit) = hex_unit(digits) {
                self.at = start + ESCAPE_LEN;
                return Some((start, unit));
            }
        }
    }
}

fn hex_unit(digits: &[u8]) -> Option<u16> {
    digits.iter().try_fold(0_u16, |unit, digit| {
        let value = char::from(*digit).to_digit(16)?;
        Some(unit << 4 | u16::try_from(value).ok()?)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn half_a_pair_is_found() {
        for json in [
            r#""\ud800""#,
            r#""\uDFFF""#,
            r#""\ud83d x \ude00""#,
            r#""\ud83d\ud83d\ude00""#,
            r#""\ude00\ud83d""#,
            r#""\ud83dA""#,
            r#""\ud83d\n""#,
            r#""\ud83d"#,
            r#"{"a":{"b":["\udc00"]}}"#,
        ] {
            assert!(has_lone_surrogate_escape(json.as_bytes()), "{json}");
        }
        assert!(has_lone_surrogate_escape(b"\"\xED\xA0\x80\""));
    }

    #[test]
    fn whole_pairs_and_escaped_backslashes_are_not() {
        for json in [
            r#""\ud83d\ude00""#,
            r#""\uD83D\uDE00\ud83d\ude00""#,
            r#""\\ud800""#,
            r#""\u0041é\n\"""#,
            r#""\u12"#,
            r#""\uzzzz""#,
            r#""\"#,
            "",
            "\"\u{D7FF}\u{E000}\"",
        ] {
            assert!(!has_lone_surrogate_escape(json.as_bytes()), "{json}");
        }
    }

    #[test]
    fn a_nul_is_found_however_it_is_written() {
        assert!(has_nul_escape(br#"{"title":"a\u0000b"}"#));
        assert!(has_nul_escape(b"\"a\0b\""));
        assert!(!has_nul_escape(br#""\\u0000 \u0001 0""#));
    }

    #[test]
    fn what_is_legible_says_the_rest() {
        let read = |json: &[u8]| serde_json::from_str::<serde_json::Value>(&legible(json)).ok();
        for refused in [
            &br#"{"id":7,"a":"\ud800"}"#[..],
            br#"{"id":7,"a":"\udc00\u0000x"}"#,
            b"{\"id\":7,\"a\":\"\xED\xA0\x80\"}",
            b"{\"id\":7,\"a\":\"\0\"}",
        ] {
            assert_eq!(read(refused).unwrap()["id"], 7);
        }
        assert_eq!(legible(br#"{"a":"\\ud800"}"#), r#"{"a":"\\ud800"}"#);
        assert_eq!(read(b"{"), None);
    }

    proptest! {
        #[test]
        fn lone_means_that_the_parser_refuses(
            parts in proptest::collection::vec(
                prop_oneof![
                    Just(r"\ud83d"), Just(r"\ude00"), Just(r"\u0041"), Just(r"\\"), Just("x"), Just(r"\n")
                ],
                0..8,
            ),
        ) {
            let json = format!("\"{}\"", parts.concat());
            let parsed = serde_json::from_str::<String>(&json);
            prop_assert_eq!(has_lone_surrogate_escape(json.as_bytes()), parsed.is_err());
        }

        #[test]
        fn no_bytes_make_it_panic(bytes: Vec<u8>) {
            let _ = has_lone_surrogate_escape(&bytes) || has_nul_escape(&bytes);
        }
    }
}
