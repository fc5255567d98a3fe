//! Opaque ids: a prefix that names the kind, then a ULID in Crockford's base 32 (§9).
//!
//! Each kind is a type of its own, so that a project's id can never stand where an asset's is wanted.
//! Ids are made by the application; no caller chooses one.

use std::{fmt, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Letters of a ULID, without its prefix.
const ULID_LEN: usize = 26;

/// Eighty random bits for a ULID; the operating system's generator is the only source.
fn random_bits() -> u128 {
    let mut bytes = [0_u8; 16];
    if let Err(error) = getrandom::fill(&mut bytes) {
        // Without randomness no id, key or lease token would be safe to hand out.
        panic!("the operating system gives no random bytes: {error}");
    }
    u128::from_le_bytes(bytes)
}

/// A text that is not an id of the wanted kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a valid {kind} id: expected `{prefix}_` and 26 letters")]
pub struct InvalidId {
    kind: &'static str,
    prefix: &'static str,
}

/// Whether `text` is `prefix`, an underscore and a canonical ULID.
fn is_id(text: &str, prefix: &str) -> bool {
    let Some(body) = text
        .strip_prefix(prefix)
        .and_then(|rest| rest.strip_prefix('_'))
    else {
        return false;
    };
    body.len() == ULID_LEN
        && ulid::Ulid::from_string(body).is_ok_and(|parsed| parsed.to_string() == body)
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal, $kind:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// The letters before the underscore.
            pub const PREFIX: &'static str = $prefix;

            /// Makes a new id. `millis` is the clock's Unix time in milliseconds; the rest is random.
            #[must_use]
            pub fn generate(millis: u64) -> Self {
                let ulid = ulid::Ulid::from_parts(millis, random_bits());
                Self(format!("{}_{ulid}", Self::PREFIX))
            }

            /// The id as text.
            #[must_use]
            pub fn as_str(&self) -> &str { &self.0 }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str { &self.0 }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(&self.0) }
        }

        impl FromStr for $name {
            type Err = InvalidId;
            fn from_str(text: &str) -> Result<Self, InvalidId> {
                if is_id(text, $prefix) { Ok(Self(text.to_owned())) } else {
                    Err(InvalidId { kind: $kind, prefix: $prefix })
                }
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> { s.serialize_str(&self.0) }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
            }
        }

        impl JsonSchema for $name {
            fn inline_schema() -> bool { true }
            fn schema_name() -> std::borrow::Cow<'static, str> { stringify!($name).into() }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "pattern": concat!("^", $prefix, "_[0-9A-HJKMNP-TV-Z]{26}$") })
            }
        }
    )*};
}

ids! {
    /// The opaque stand-in for an owner identity in object keys and logs.
    NamespaceId = "ans", "namespace";
    /// A project of a vault.
    ProjectId = "apr", "project";
    /// A folder of a project.
    FolderId = "afl", "folder";
    /// Immutable bytes of one owner.
    ObjectId = "aob", "object";
    /// The user's record over an object.
    AssetId = "ast", "asset";
    /// One embedding job.
    JobId = "aej", "job";
    /// A quota reservation.
    ReservationId = "aur", "reservation";
    /// An access boundary.
    VaultId = "avl", "vault";
    /// A key that calls.
    KeyId = "mky", "key";
    /// One line of provenance.
    ProvenanceId = "apv", "provenance";
    /// A direct upload.
    UploadId = "aul", "upload";
    /// A temporary private artifact.
    ArtifactId = "art", "artifact";
    /// A person, as shown to others; never the owner identity itself.
    IdentityId = "idn", "identity";
    /// One line of the usage ledger.
    UsageId = "aue", "usage";
    /// A query vector kept for paging.
    QueryId = "aqv", "query";
    /// One call, for the log and the answer.
    RequestId = "req", "request";
}

/// The tenant (§7.1). It comes from a verified key or a claimed row, never from a request, and is
/// shown neither in answers, nor in keys, nor in logs: its `Debug` form says nothing.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct OwnerIdentity(String);

impl OwnerIdentity {
    /// Wraps an identity that a trusted row or an administrator's command gave.
    #[must_use]
    pub fn trusted(text: String) -> Self {
        Self(text)
    }

    /// The identity as stored.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for OwnerIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OwnerIdentity(hidden)")
    }
}

/// What sets the environments of one bucket apart: `[a-z0-9-]{1,32}`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EnvPrefix(String);

/// A text that is no environment prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an environment prefix is 1 to 32 lowercase letters, digits and dashes")]
pub struct InvalidEnvPrefix;

impl EnvPrefix {
    /// The prefix as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for EnvPrefix {
    type Err = InvalidEnvPrefix;

    fn from_str(text: &str) -> Result<Self, InvalidEnvPrefix> {
        let is_letter = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        if (1..=32).contains(&text.len()) && text.bytes().all(is_letter) {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidEnvPrefix)
        }
    }
}

impl fmt::Display for EnvPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_id_reads_back() {
        let id = AssetId::generate(1_700_000_000_000);
        assert_eq!(id.as_str().parse(), Ok(id.clone()));
        assert!(id.as_str().starts_with("ast_"));
    }

    #[test]
    fn another_kind_or_another_spelling_is_refused() {
        let id = ProjectId::generate(1).to_string();
        assert!(id.parse::<AssetId>().is_err());
        assert!(id.to_lowercase().parse::<ProjectId>().is_err());
        assert!("apr_".parse::<ProjectId>().is_err());
        assert!(
            "apr_8ZZZZZZZZZZZZZZZZZZZZZZZZZ"
                .parse::<ProjectId>()
                .is_err()
        );
    }

    #[test]
    fn an_identity_never_prints_itself() {
        let owner = OwnerIdentity::trusted("ada@example.com".into());
        assert!(!format!("{owner:?}").contains("ada"));
    }

    proptest! {
        #[test]
        fn parsing_never_panics(text in ".*") {
            let _ = text.parse::<AssetId>();
        }
    }
}
