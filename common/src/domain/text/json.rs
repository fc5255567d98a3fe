//! Cleans `sourceRef` and `metadata`: small JSON objects whose texts are cleaned like any other text and
//! which hold no secrets.

use serde_json::{Map, Value};

use super::{clean_unbounded, contains_nul, invalid};
use crate::{
    domain::{source::without_secrets, unicode::fold},
    error::{Error, Result},
    limits,
};

/// Cleans a caller's JSON object: keys and strings as text, strings that are URLs without user info,
/// fragment and signed parameters. The order of keys stays.
///
/// # Errors
/// `invalid_text` for a NUL anywhere; `invalid_argument` for anything but an object, for a key that
/// looks like a secret, is empty or doubled after cleaning, and beyond `limits::JSON_MAX_DEPTH`,
/// `JSON_MAX_KEYS` or `JSON_MAX_BYTES`.
pub fn clean_json(field: &'static str, value: &Value) -> Result<Value> {
    if has_nul(value) {
        return Err(contains_nul(field));
    }
    let Value::Object(object) = value else {
        return Err(invalid(field, "is not a JSON object"));
    };
    let clean = Value::Object(Cleaner { field, keys: 0 }.object(object, 1)?);
    if clean.to_string().len() > limits::JSON_MAX_BYTES {
        return Err(beyond(field, "bytes of JSON", limits::JSON_MAX_BYTES));
    }
    Ok(clean)
}

fn has_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(items) => items.iter().any(has_nul),
        Value::Object(object) => object
            .iter()
            .any(|(key, value)| key.contains('\0') || has_nul(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn beyond(field: &'static str, what: &str, limit: usize) -> Error {
    invalid(field, &format!("holds more than {limit} {what}")).detail("limit", limit)
}

/// One walk through one value; counts keys on the way.
struct Cleaner {
    field: &'static str,
    keys: usize,
}

impl Cleaner {
    fn value(&mut self, value: &Value, depth: usize) -> Result<Value> {
        match value {
            Value::String(text) => {
                let clean = clean_unbounded(self.field, text, true)?;
                Ok(Value::String(without_secrets(&clean).unwrap_or(clean)))
            }
            Value::Array(items) => {
                self.check_depth(depth)?;
                items
                    .iter()
                    .map(|item| self.value(item, depth + 1))
                    .collect()
            }
            Value::Object(object) => Ok(Value::Object(self.object(object, depth)?)),
            Value::Null | Value::Bool(_) | Value::Number(_) => Ok(value.clone()),
        }
    }

    fn object(&mut self, object: &Map<String, Value>, depth: usize) -> Result<Map<String, Value>> {
        self.check_depth(depth)?;
        let mut clean = Map::with_capacity(object.len());
        for (key, value) in object {
            self.keys += 1;
            if self.keys > limits::JSON_MAX_KEYS {
                return Err(beyond(self.field, "keys", limits::JSON_MAX_KEYS));
            }
            let key = self.key(key)?;
            let value = self.value(value, depth + 1)?;
            if clean.insert(key, value).is_some() {
                return Err(invalid(
                    self.field,
                    "holds two keys that clean to the same text",
                ));
            }
        }
        Ok(clean)
    }

    fn key(&self, key: &str) -> Result<String> {
        let key = clean_unbounded(self.field, key, false)?;
        if key.is_empty() {
            return Err(invalid(
                self.field,
                "holds a key without visible characters",
            ));
        }
        if let Some(kind) = secret_kind(&key) {
            let message = format!("holds a key that looks like a secret ({kind}); leave it out");
            return Err(invalid(self.field, &message));
        }
        Ok(key)
    }

    fn check_depth(&self, depth: usize) -> Result<()> {
        if depth > limits::JSON_MAX_DEPTH {
            return Err(beyond(self.field, "levels", limits::JSON_MAX_DEPTH));
        }
        Ok(())
    }
}

/// Words that name a secret wherever they stand in a key.
const SECRET_ANYWHERE: &[&str] = &[
    "authorization",
    "cookie",
    "password",
    "passwd",
    "passphrase",
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "clientsecret",
    "credential",
    "accesstoken",
    "refreshtoken",
    "authtoken",
    "sessiontoken",
];
/// Words that name a secret at the end of a key; inside one they are also ordinary words (`tokenCount`).
const SECRET_AT_END: &[&str] = &["token", "secret", "signature", "jwt"];
/// Words that name a secret only when they are the whole key.
const SECRET_ALONE: &[&str] = &["auth", "bearer", "pwd", "sig", "sessionid", "csrf"];

/// The word by which a key names a secret; letters alone count, not case, width or separators.
fn secret_kind(key: &str) -> Option<&'static str> {
    let letters: String = fold(key).chars().filter(|c| c.is_alphanumeric()).collect();
    let singular = letters.strip_suffix('s').unwrap_or(&letters);
    let first = |words: &[&'static str], fits: &dyn Fn(&str) -> bool| {
        words.iter().copied().find(|word| fits(word))
    };
    first(SECRET_ANYWHERE, &|word| letters.contains(word))
        .or_else(|| {
            first(SECRET_AT_END, &|word| {
                letters.ends_with(word) || singular.ends_with(word)
            })
        })
        .or_else(|| first(SECRET_ALONE, &|word| letters == word || singular == word))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::error::ErrorCode;

    fn clean(value: &Value) -> Result<Value> {
        clean_json("metadata", value)
    }

    fn refusal(value: &Value) -> ErrorCode {
        let error = clean(value).unwrap_err();
        assert_eq!(error.details().unwrap()["field"], "metadata");
        error.code()
    }

    #[test]
    fn texts_are_cleaned_and_the_rest_is_kept() {
        let given = json!({" b\u{200B}": " x\r\ny ", "a": [1, 2.5, true, null, "<<<UNTRUSTED"]});
        let wanted = json!({"b": "x\ny", "a": [1, 2.5, true, null, "[[UNTRUSTED"]});
        assert_eq!(clean(&given).unwrap().to_string(), wanted.to_string());
        assert_eq!(clean(&json!({})).unwrap(), json!({}));
    }

    #[test]
    fn only_objects_are_taken() {
        for value in [json!([]), json!("x"), json!(1), json!(null), json!(true)] {
            assert_eq!(refusal(&value), ErrorCode::InvalidArgument);
        }
    }

    #[test]
    fn a_nul_is_found_at_any_depth_in_keys_and_values() {
        for value in [
            json!({"a": "x\0"}),
            json!({"a\0": 1}),
            json!({"a": {"b": {"c": {"d": {"e": ["\0"]}}}}}),
        ] {
            assert_eq!(refusal(&value), ErrorCode::InvalidText);
        }
    }

    #[test]
    fn depth_keys_and_bytes_are_bounded() {
        assert!(clean(&json!({"a": {"b": {"c": {"d": 1}}}})).is_ok());
        assert_eq!(
            refusal(&json!({"a": {"b": {"c": {"d": {}}}}})),
            ErrorCode::InvalidArgument
        );
        assert_eq!(
            refusal(&json!({"a": [[[[1]]]]})),
            ErrorCode::InvalidArgument
        );

        let keys =
            |count: usize| Value::Object((0..count).map(|n| (n.to_string(), json!(0))).collect());
        assert!(clean(&keys(64)).is_ok());
        assert_eq!(refusal(&keys(65)), ErrorCode::InvalidArgument);
        assert_eq!(
            refusal(&json!({"a": keys(32), "b": keys(31)})),
            ErrorCode::InvalidArgument
        );

        let bytes = |count: usize| json!({"a": "x".repeat(count - r#"{"a":""}"#.len())});
        assert!(clean(&bytes(8 * 1024)).is_ok());
        assert_eq!(refusal(&bytes(8 * 1024 + 1)), ErrorCode::InvalidArgument);
    }

    #[test]
    fn keys_must_be_visible_and_different() {
        assert_eq!(refusal(&json!({" ": 1})), ErrorCode::InvalidArgument);
        assert_eq!(
            refusal(&json!({"a": 1, "a\u{200B}": 2})),
            ErrorCode::InvalidArgument
        );
    }

    #[test]
    fn keys_that_name_secrets_are_refused() {
        for key in [
            "authorization",
            "Proxy-Authorization",
            "Cookie",
            "set_cookie",
            "PASSWORD",
            "userPassword",
            "passwordHash",
            "token",
            "accessToken",
            "csrf_token",
            "tokens",
            "secret",
            "client-secret",
            "api_key",
            "X-API-Key",
            "apikeys",
            "signature",
            "X-Amz-Signature",
            "private.key",
            "pwd",
            "ｐａｓｓｗｏｒｄ",
            "pass\u{200B}word",
            "credentials",
            "jwt",
            "sig",
        ] {
            assert_eq!(
                refusal(&json!({key: "x"})),
                ErrorCode::InvalidArgument,
                "{key}"
            );
            assert_eq!(
                refusal(&json!({"a": [{key: 1}]})),
                ErrorCode::InvalidArgument,
                "{key}"
            );
        }
    }

    #[test]
    fn ordinary_keys_are_not() {
        for key in [
            "tokenCount",
            "author",
            "design",
            "signatureStyle",
            "key",
            "keyword",
            "passage",
            "secretary",
        ] {
            assert!(clean(&json!({key: "x"})).is_ok(), "{key}");
        }
    }

    #[test]
    fn urls_lose_their_secrets_and_other_strings_nothing() {
        let given = json!({
            "pageUrl": "https://u:p@example.com/a?x=1&X-Amz-Signature=abc#top",
            "plain": "https://example.com",
            "db": "postgres://u:p@db.example.com/x",
            "text": "see #4 at user@example.com?token=1",
        });
        let wanted = json!({
            "pageUrl": "https://example.com/a?x=1",
            "plain": "https://example.com",
            "db": "postgres://db.example.com/x",
            "text": "see #4 at user@example.com?token=1",
        });
        assert_eq!(clean(&given).unwrap(), wanted);
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            ".{0,20}".prop_map(Value::from),
            "https?://(u:p@)?[a-z]{1,5}/[a-z]{0,3}[?]?(token=1|a=b)?(#x)?".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                proptest::collection::vec((".{0,8}", inner), 0..6)
                    .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn cleaning_what_is_clean_changes_nothing(value in any_json()) {
            if let Ok(once) = clean(&value) {
                prop_assert_eq!(clean(&once).unwrap().to_string(), once.to_string());
            }
        }
    }
}
