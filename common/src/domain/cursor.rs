//! Cursors: where the next page begins, in a token that only its own call can use.
//!
//! A cursor is bound to the caller and to the filter of its first page. It gives no access: the next
//! page checks everything anew.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{
    fingerprint::canonical_json,
    signing::{Purpose, TokenKeys},
};
use crate::{
    error::{Error, ErrorCode, Result},
    ids::QueryId,
};

/// Version of the payload; another one is refused like a forgery.
const VERSION: u8 = 1;
/// Longest token looked at, in bytes; ours stay far below.
const TOKEN_MAX_BYTES: usize = 4_096;

/// Where the next page begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Position {
    /// After so many rows of an order that is computed whole.
    #[serde(rename = "o")]
    Offset(u32),
    /// After the row with this sort key and id.
    #[serde(rename = "a")]
    After {
        /// The sort key as text, exact enough to tell rows apart (microseconds of a time).
        #[serde(rename = "k")]
        key: String,
        /// The id, which breaks ties.
        #[serde(rename = "i")]
        id: String,
    },
}

/// What a token carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    /// Where the next page begins.
    pub position: Position,
    /// The stored query vector of a search, so that no page is embedded or charged again.
    pub query_id: Option<QueryId>,
}

/// Makes and reads the cursors of one call.
#[derive(Debug)]
pub struct CursorCodec<'a> {
    keys: &'a TokenKeys,
    kind: &'static str,
    binding: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Payload {
    v: u8,
    kind: String,
    binding: String,
    position: Position,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    query: Option<QueryId>,
}

impl<'a> CursorCodec<'a> {
    /// The codec of a call: `kind` is the tool's name, `principal` says who calls, and `filter` is
    /// everything that decides which rows come and in which order, the page size and the cursor left out.
    #[must_use]
    pub fn new(keys: &'a TokenKeys, kind: &'static str, principal: &str, filter: &Value) -> Self {
        // The length keeps a principal's tail from passing for the head of a filter.
        let bound = format!("{}:{principal}{}", principal.len(), canonical_json(filter));
        Self {
            keys,
            kind,
            binding: hex::encode(Sha256::digest(bound)),
        }
    }

    /// The token for `cursor`.
    ///
    /// # Errors
    /// `internal`, when a sort key is too long for a token that could be read again.
    pub fn encode(&self, cursor: &Cursor) -> Result<String> {
        let payload = Payload {
            v: VERSION,
            kind: self.kind.to_owned(),
            binding: self.binding.clone(),
            position: cursor.position.clone(),
            query: cursor.query_id.clone(),
        };
        let payload = serde_json::to_vec(&payload).map_err(Error::internal)?;
        let token = self.keys.seal(Purpose::Cursor, &payload);
        if token.len() > TOKEN_MAX_BYTES {
            return Err(Error::internal(
                "a cursor is longer than any that would be read",
            ));
        }
        Ok(token)
    }

    /// Reads a token.
    ///
    /// # Errors
    /// `invalid_cursor`, always with the same words, for everything that this call did not make for this
    /// caller and filter.
    pub fn decode(&self, token: &str) -> Result<Cursor> {
        self.read(token).ok_or_else(|| {
            Error::new(
                ErrorCode::InvalidCursor,
                "the cursor does not belong to this call",
            )
        })
    }

    fn read(&self, token: &str) -> Option<Cursor> {
        if token.len() > TOKEN_MAX_BYTES {
            return None;
        }
        let payload = self.keys.unseal(Purpose::Cursor, token)?;
        let payload: Payload = serde_json::from_slice(&payload).ok()?;
        let is_ours =
            payload.v == VERSION && payload.kind == self.kind && payload.binding == self.binding;
        is_ours.then_some(Cursor {
            position: payload.position,
            query_id: payload.query,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    const PRINCIPAL: &str = "idn_01JZ0000000000000000000000";

    fn keys() -> TokenKeys {
        TokenKeys::parse("k=0123456789abcdef").unwrap()
    }

    fn after(key: &str) -> Cursor {
        Cursor {
            position: Position::After {
                key: key.into(),
                id: "ast_1".into(),
            },
            query_id: None,
        }
    }

    #[test]
    fn a_cursor_serves_its_caller_tool_and_filter_alone() {
        let keys = keys();
        let filter = json!({"vaults": ["avl_1"], "tag": "x"});
        let codec =
            |kind, principal, filter: &Value| CursorCodec::new(&keys, kind, principal, filter);
        let token = codec("image_asset_list", PRINCIPAL, &filter)
            .encode(&after("2026"))
            .unwrap();

        let reordered = json!({"tag": "x", "vaults": ["avl_1"]});
        let same = codec("image_asset_list", PRINCIPAL, &reordered);
        assert_eq!(same.decode(&token).unwrap(), after("2026"));

        for other in [
            codec("image_job_list", PRINCIPAL, &filter),
            codec("image_asset_list", "idn_other", &filter),
            codec(
                "image_asset_list",
                PRINCIPAL,
                &json!({"vaults": ["avl_2"], "tag": "x"}),
            ),
            codec("image_asset_list", PRINCIPAL, &json!({})),
        ] {
            assert_eq!(
                other.decode(&token).unwrap_err().code(),
                ErrorCode::InvalidCursor
            );
        }
        let foreign = TokenKeys::parse("k=another secret 01").unwrap();
        assert!(
            CursorCodec::new(&foreign, "image_asset_list", PRINCIPAL, &filter)
                .decode(&token)
                .is_err()
        );
    }

    #[test]
    fn a_well_signed_payload_of_another_shape_is_refused() {
        let keys = keys();
        let codec = CursorCodec::new(&keys, "t", PRINCIPAL, &json!({}));
        let good = json!({"v": 1, "kind": "t", "binding": codec.binding, "position": {"o": 30}});
        let decode = |payload: &Value| {
            codec.decode(&keys.seal(Purpose::Cursor, payload.to_string().as_bytes()))
        };
        assert_eq!(decode(&good).unwrap().position, Position::Offset(30));
        for (field, value) in [
            ("v", json!(2)),
            ("position", json!({"o": -1})),
            ("position", json!("x")),
            ("query", json!("aqv_x")),
            ("more", json!(1)),
        ] {
            let mut bad = good.clone();
            bad[field] = value;
            assert_eq!(
                decode(&bad).unwrap_err().code(),
                ErrorCode::InvalidCursor,
                "{field}"
            );
        }
        let elsewhere = keys.seal(Purpose::Confirmation, good.to_string().as_bytes());
        assert!(codec.decode(&elsewhere).is_err());
    }

    #[test]
    fn a_cursor_that_could_not_be_read_is_not_made() {
        let keys = keys();
        let codec = CursorCodec::new(&keys, "t", PRINCIPAL, &json!({}));
        assert_eq!(
            codec.encode(&after(&"x".repeat(4_000))).unwrap_err().code(),
            ErrorCode::Internal
        );
        assert!(codec.decode(&"A".repeat(10_000)).is_err());
    }

    proptest! {
        #[test]
        fn a_cursor_reads_back(offset: u32, key in ".{0,240}", has_offset: bool, has_query: bool) {
            let keys = keys();
            let codec = CursorCodec::new(&keys, "t", PRINCIPAL, &json!({}));
            let position =
                if has_offset { Position::Offset(offset) } else { after(&key).position };
            let cursor = Cursor { position, query_id: has_query.then(|| QueryId::generate(1)) };
            prop_assert_eq!(codec.decode(&codec.encode(&cursor).unwrap()).unwrap(), cursor);
        }

        #[test]
        fn no_text_makes_it_panic(text in any::<String>()) {
            let keys = keys();
            let codec = CursorCodec::new(&keys, "t", PRINCIPAL, &json!({}));
            prop_assert_eq!(codec.decode(&text).unwrap_err().code(), ErrorCode::InvalidCursor);
        }
    }
}
