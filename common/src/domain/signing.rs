//! The keyring under which our own tokens are signed: cursors, confirmations, local links.
//!
//! The first key signs and all verify, so that a rotation is: put the new key first, wait until the
//! tokens of the old one have ended, remove the old one. What is signed for one purpose is worth nothing
//! for another.

use std::fmt;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;

/// Fewest bytes of a secret.
pub const SECRET_MIN_BYTES: usize = 16;
/// Bytes of a tag.
pub const TAG_BYTES: usize = 32;
/// Longest key id, in bytes.
const KID_MAX_BYTES: usize = 32;

/// What a signature is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// A cursor of a listing or a search.
    Cursor,
    /// A token by which a caller confirms what it was shown.
    Confirmation,
    /// A link to an object of the local store.
    LocalLink,
}

impl Purpose {
    const fn name(self) -> &'static str {
        match self {
            Self::Cursor => "cursor",
            Self::Confirmation => "confirmation",
            Self::LocalLink => "local-link",
        }
    }
}

/// The keyring. Cloning it is cheap; printing it shows key ids alone.
#[derive(Clone)]
pub struct TokenKeys {
    first: TokenKey,
    others: Vec<TokenKey>,
}

#[derive(Clone)]
struct TokenKey {
    kid: String,
    secret: SecretString,
}

/// Why a text is no keyring; it never quotes a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidTokenKeys {
    /// No key at all.
    #[error("there is no key; expected kid=secret,kid2=secret2")]
    Empty,
    /// An entry without `=`.
    #[error("key {0} is not of the form kid=secret")]
    NotAPair(usize),
    /// A key id outside its grammar.
    #[error("the id of key {0} is not 1 to 32 letters, digits, dashes and underscores")]
    BadKid(usize),
    /// A secret too short to be one.
    #[error("the secret of key {0} is shorter than 16 bytes")]
    ShortSecret(usize),
    /// An id used twice.
    #[error("the id of key {0} is used twice")]
    DoubledKid(usize),
}

/// A signature and the id of its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed {
    /// Which key signed.
    pub kid: String,
    /// HMAC-SHA256.
    pub tag: [u8; TAG_BYTES],
}

impl TokenKeys {
    /// Reads `kid=secret,kid2=secret2`. A secret may hold anything but a comma; entries are trimmed.
    ///
    /// # Errors
    /// The first fault, with the place of its entry, counted from 1.
    pub fn parse(text: &str) -> Result<Self, InvalidTokenKeys> {
        let mut keys: Vec<TokenKey> = Vec::new();
        let entries = text.split(',').map(str::trim);
        for (at, entry) in entries.enumerate().filter(|(_, entry)| !entry.is_empty()) {
            let place = at + 1;
            let (kid, secret) = entry
                .split_once('=')
                .ok_or(InvalidTokenKeys::NotAPair(place))?;
            if !is_kid(kid) {
                return Err(InvalidTokenKeys::BadKid(place));
            }
            if secret.len() < SECRET_MIN_BYTES {
                return Err(InvalidTokenKeys::ShortSecret(place));
            }
            if keys.iter().any(|key| key.kid == kid) {
                return Err(InvalidTokenKeys::DoubledKid(place));
            }
            keys.push(TokenKey {
                kid: kid.to_owned(),
                secret: secret.into(),
            });
        }
        let mut keys = keys.into_iter();
        let first = keys.next().ok_or(InvalidTokenKeys::Empty)?;
        Ok(Self {
            first,
            others: keys.collect(),
        })
    }

    /// Id of the key that signs.
    #[must_use]
    pub fn signing_kid(&self) -> &str {
        &self.first.kid
    }

    /// Signs `data` for `purpose` with the first key.
    #[must_use]
    pub fn sign(&self, purpose: Purpose, data: &[u8]) -> Signed {
        let tag = self.first.mac(purpose, data).finalize().into_bytes().into();
        Signed {
            kid: self.first.kid.clone(),
            tag,
        }
    }

    /// Whether `tag` is what the key `kid` signs `data` with, compared in constant time. An unknown key
    /// verifies nothing.
    #[must_use]
    pub fn verify(&self, purpose: Purpose, kid: &str, data: &[u8], tag: &[u8]) -> bool {
        let key = std::iter::once(&self.first)
            .chain(&self.others)
            .find(|key| key.kid == kid);
        key.is_some_and(|key| key.mac(purpose, data).verify_slice(tag).is_ok())
    }

    /// Packs `payload` with its signature into one opaque base64url token. The payload is not hidden,
    /// only safe from change.
    #[must_use]
    pub fn seal(&self, purpose: Purpose, payload: &[u8]) -> String {
        let Signed { kid, tag } = self.sign(purpose, payload);
        let kid_len = u8::try_from(kid.len()).unwrap_or(u8::MAX);
        URL_SAFE_NO_PAD.encode([&[kid_len], kid.as_bytes(), tag.as_slice(), payload].concat())
    }

    /// Gives back the payload of a token that was sealed for `purpose` under one of the keys, and `None`
    /// for everything else.
    #[must_use]
    pub fn unseal(&self, purpose: Purpose, token: &str) -> Option<Vec<u8>> {
        let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
        let (kid_len, rest) = bytes.split_first()?;
        let (kid, rest) = rest.split_at_checked(usize::from(*kid_len))?;
        let (tag, payload) = rest.split_at_checked(TAG_BYTES)?;
        let kid = std::str::from_utf8(kid).ok()?;
        self.verify(purpose, kid, payload, tag)
            .then(|| payload.to_vec())
    }
}

impl TokenKey {
    fn mac(&self, purpose: Purpose, data: &[u8]) -> Hmac<Sha256> {
        let Ok(mac) = Hmac::<Sha256>::new_from_slice(self.secret.expose_secret().as_bytes()) else {
            unreachable!("HMAC takes keys of every length");
        };
        // The purpose ends at a byte that no name holds, so that no purpose and data can pass for another.
        mac.chain_update(purpose.name())
            .chain_update([0])
            .chain_update(data)
    }
}

impl fmt::Debug for TokenKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kids = std::iter::once(&self.first)
            .chain(&self.others)
            .map(|key| &key.kid);
        f.debug_list().entries(kids).finish()
    }
}

fn is_kid(kid: &str) -> bool {
    let is_letter = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    (1..=KID_MAX_BYTES).contains(&kid.len()) && kid.bytes().all(is_letter)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const OLD: &str = "old=0123456789abcdef";
    const NEW: &str = "new=fedcba9876543210==";

    fn keys(text: &str) -> TokenKeys {
        TokenKeys::parse(text).unwrap()
    }

    #[test]
    fn the_tag_is_hmac_sha256_over_purpose_and_data() {
        // Computed with another implementation: HMAC-SHA256("0123456789abcdef", "cursor\0data").
        let signed = keys(OLD).sign(Purpose::Cursor, b"data");
        assert_eq!(signed.kid, "old");
        assert_eq!(
            hex::encode(signed.tag),
            "fa038bbf30a8bf297117567e4e1ecd03ca26b8929f6a7cb71752c58bd50c3591"
        );
    }

    #[test]
    fn the_first_key_signs_and_all_verify() {
        let token = keys(OLD).seal(Purpose::Cursor, b"payload");
        let rotated = keys(&format!("{NEW}, {OLD},"));
        assert_eq!(rotated.signing_kid(), "new");
        assert_eq!(rotated.unseal(Purpose::Cursor, &token).unwrap(), b"payload");
        let token = rotated.seal(Purpose::Cursor, b"");
        assert_eq!(rotated.unseal(Purpose::Cursor, &token).unwrap(), b"");
        assert_eq!(keys(OLD).unseal(Purpose::Cursor, &token), None);
        assert_eq!(
            keys("old=another secret of old").unseal(Purpose::Cursor, &token),
            None
        );
    }

    #[test]
    fn a_signature_serves_its_purpose_alone() {
        let keys = keys(OLD);
        let token = keys.seal(Purpose::Cursor, b"x");
        for purpose in [Purpose::Confirmation, Purpose::LocalLink] {
            assert_eq!(keys.unseal(purpose, &token), None);
        }
    }

    #[test]
    fn faults_are_named_and_secrets_are_not() {
        for (text, fault) in [
            ("", InvalidTokenKeys::Empty),
            (" , ", InvalidTokenKeys::Empty),
            ("0123456789abcdef", InvalidTokenKeys::NotAPair(1)),
            (
                "a=0123456789abcdef,=0123456789abcdef",
                InvalidTokenKeys::BadKid(2),
            ),
            ("a b=0123456789abcdef", InvalidTokenKeys::BadKid(1)),
            ("a=0123456789abcde", InvalidTokenKeys::ShortSecret(1)),
            (
                "a=0123456789abcdef,a=fedcba9876543210",
                InvalidTokenKeys::DoubledKid(2),
            ),
        ] {
            assert_eq!(TokenKeys::parse(text).unwrap_err(), fault, "{text}");
        }
        assert_eq!(
            format!("{:?}", keys(&format!("{NEW},{OLD}"))),
            r#"["new", "old"]"#
        );
    }

    proptest! {
        #[test]
        fn what_was_sealed_is_unsealed(payload: Vec<u8>) {
            let keys = keys(OLD);
            let token = keys.seal(Purpose::Confirmation, &payload);
            prop_assert_eq!(keys.unseal(Purpose::Confirmation, &token), Some(payload));
        }

        #[test]
        fn no_other_text_is_a_token(text in any::<String>()) {
            prop_assert_eq!(keys(OLD).unseal(Purpose::Cursor, &text), None);
        }

        #[test]
        fn a_changed_token_is_no_token(payload: [u8; 9], at: prop::sample::Index, with in "[A-Za-z0-9_-]") {
            let keys = keys(OLD);
            let token = keys.seal(Purpose::Cursor, &payload);
            let at = at.index(token.len());
            let changed = format!("{}{with}{}", &token[..at], &token[at + 1..]);
            prop_assume!(changed != token);
            prop_assert_eq!(keys.unseal(Purpose::Cursor, &changed), None);
        }
    }
}
