//! Words of the files of cases, such as `$ada.asset`, and what stands for them.

use std::collections::BTreeMap;

use serde_json::Value;
use tests::pictures;

/// Colours of the pictures that calls bring along.
const PICTURES: [(&str, [u8; 3]); 3] = [
    ("red", [200, 20, 20]),
    ("green", [20, 200, 20]),
    ("blue", [20, 20, 200]),
];

/// Words with the `$` before them, and what stands for each.
#[derive(Debug, Clone)]
pub(crate) struct Words(BTreeMap<String, String>);

impl Words {
    /// Those that mean the same everywhere: pictures, and ids that nothing has.
    pub(crate) fn new() -> Self {
        let mut words = Self(BTreeMap::new());
        for (name, colour) in PICTURES {
            let picture = pictures::base64(&pictures::plain(colour));
            words.put(&format!("$picture.{name}"), picture);
        }
        for (kind, prefix) in [
            ("asset", "ast"),
            ("project", "apr"),
            ("folder", "afl"),
            ("vault", "avl"),
        ] {
            let id = format!("{prefix}_01ARZ3NDEKTSV4RRFFQ69G5FAV");
            words.put(&format!("$unknown.{kind}"), id);
        }
        words.put("$unknown.cursor", "bm90IGEgY3Vyc29y");
        words
    }

    pub(crate) fn put(&mut self, word: &str, filling: impl Into<String>) {
        self.0.insert(word.to_owned(), filling.into());
    }

    /// What stands for a word.
    pub(crate) fn get(&self, word: &str) -> &str {
        &self.0[word]
    }

    /// A value with the words filled in.
    ///
    /// # Panics
    /// When it holds a word that is none.
    pub(crate) fn fill(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => self.text(text).into(),
            Value::Array(items) => items.iter().map(|item| self.fill(item)).collect(),
            Value::Object(fields) => fields
                .iter()
                .map(|(name, field)| (name.clone(), self.fill(field)))
                .collect(),
            other => other.clone(),
        }
    }

    /// A text with the words filled in.
    pub(crate) fn text(&self, text: &str) -> String {
        let mut filled = text.to_owned();
        // In reverse order `$ada.project2` comes before `$ada.project`.
        for (word, filling) in self.0.iter().rev() {
            filled = filled.replace(word, filling);
        }
        let known: Vec<&String> = self.0.keys().collect();
        assert!(
            !filled.contains('$'),
            "{text:?} holds a word that is none of {known:?}"
        );
        filled
    }
}

#[test]
fn words_are_filled_in_wherever_they_stand() {
    let mut words = Words::new();
    words.put("$ada.project", "one");
    words.put("$ada.project2", "two");
    let given = serde_json::json!({ "a": ["$ada.project2 $ada.project", 3], "b": null });
    let filled = serde_json::json!({ "a": ["two one", 3], "b": null });
    assert_eq!(words.fill(&given), filled);
}

#[test]
#[should_panic(expected = "holds a word that is none")]
fn a_word_that_means_nothing_is_refused() {
    Words::new().text("$ada.picture");
}
