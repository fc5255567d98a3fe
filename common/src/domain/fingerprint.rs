//! Fingerprints of requests: two requests that mean the same have one, whatever the order of their keys.

use std::collections::BTreeMap;

use serde_json::Value;
use sha2::{Digest, Sha256};

/// SHA-256 of the canonical form, lowercase hex.
///
/// A number is its text: `1` and `1.0` differ. Leave out what does not change the meaning, and put
/// hashes in place of bytes, before calling.
#[must_use]
pub fn fingerprint(value: &Value) -> String {
    sha256_hex(canonical_json(value).as_bytes())
}

/// SHA-256 of bytes, lowercase hex.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// The JSON text with the keys of every object sorted by their bytes and no white space.
#[must_use]
pub fn canonical_json(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Object(object) => {
            out.push('{');
            for (at, (key, value)) in object
                .iter()
                .collect::<BTreeMap<_, _>>()
                .into_iter()
                .enumerate()
            {
                if at > 0 {
                    out.push(',');
                }
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                write(value, out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            out.push_str(&value.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn keys_are_sorted_at_every_level() {
        let value = json!({"b": [1, {"d": null, "c": "x\"é"}], "a": {}, "é": true, "B": 0});
        assert_eq!(
            canonical_json(&value),
            r#"{"B":0,"a":{},"b":[1,{"c":"x\"é","d":null}],"é":true}"#
        );
    }

    #[test]
    fn what_differs_in_meaning_differs() {
        let values = [
            json!({}),
            json!([]),
            json!(null),
            json!({"a": null}),
            json!({"a": "1"}),
            json!({"a": 1}),
            json!({"a": [1]}),
            json!([1, 2]),
            json!([2, 1]),
            json!("{}"),
        ];
        let all: std::collections::HashSet<String> = values.iter().map(fingerprint).collect();
        assert_eq!(all.len(), values.len());
    }

    #[test]
    fn it_is_stable_over_releases() {
        // Records of running calls are compared with it: a change here needs a migration.
        assert_eq!(
            fingerprint(&json!({"b": 1, "a": "x"})),
            hex::encode(Sha256::digest(r#"{"a":"x","b":1}"#))
        );
    }

    proptest! {
        #[test]
        fn the_order_of_keys_does_not_matter(
            pairs in proptest::collection::btree_map(".{0,5}", any::<i32>(), 0..8),
        ) {
            let forward: serde_json::Map<_, _> = pairs.iter().map(|(k, v)| (k.clone(), json!(v))).collect();
            let backward: serde_json::Map<_, _> = pairs.iter().rev().map(|(k, v)| (k.clone(), json!(v))).collect();
            let canonical = canonical_json(&Value::Object(forward.clone()));
            prop_assert_eq!(&canonical, &canonical_json(&Value::Object(backward)));
            prop_assert_eq!(serde_json::from_str::<Value>(&canonical).unwrap(), Value::Object(forward));
        }
    }
}
