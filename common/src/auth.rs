//! Keys and principals: what a caller shows, and who that makes them.
//!
//! A key reads `imk_<prefix>_<secret>`. The prefix finds the row; only the SHA-256 of the secret is
//! stored, and it is compared in constant time. A [`Principal`] is made by `store` alone, from a
//! verified key.

use std::{fmt, str::FromStr};

use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

pub use crate::contract::Scope;
use crate::{
    error::{Error, ErrorCode, Result},
    ids::{IdentityId, KeyId, OwnerIdentity},
};

/// Letters of a key's public part.
const PREFIX_LEN: usize = 12;

/// Random bytes of a secret: 192 bits.
const SECRET_BYTES: usize = 24;

/// Where a key is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// A web page.
    Web,
    /// A desktop program.
    Desktop,
    /// A command line.
    Cli,
    /// The Cursor editor.
    Cursor,
    /// Anything else.
    Other,
}

impl Surface {
    /// All surfaces.
    pub const ALL: [Self; 5] = [
        Self::Web,
        Self::Desktop,
        Self::Cli,
        Self::Cursor,
        Self::Other,
    ];

    /// Its name in rows, answers and commands.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Web => "web",
            Self::Desktop => "desktop",
            Self::Cli => "cli",
            Self::Cursor => "cursor",
            Self::Other => "other",
        }
    }
}

impl FromStr for Surface {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|surface| surface.name() == text)
            .ok_or_else(|| {
                Error::new(
                    ErrorCode::InvalidArgument,
                    "a surface is one of web, desktop, cli, cursor, other",
                )
            })
    }
}

/// A key as its holder shows it. It has no `Debug` of its secret and is never serialized.
#[derive(Clone)]
pub struct KeyToken {
    prefix: String,
    secret: SecretString,
}

impl KeyToken {
    /// Makes a new key.
    ///
    /// # Errors
    /// `internal` when the operating system gives no random bytes.
    pub fn generate() -> Result<Self> {
        let mut bytes = [0_u8; PREFIX_LEN + SECRET_BYTES];
        getrandom::fill(&mut bytes).map_err(|error| Error::internal(error.to_string()))?;
        let (prefix, secret) = bytes.split_at(PREFIX_LEN);
        const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
        let prefix = prefix
            .iter()
            .map(|byte| char::from(LETTERS[usize::from(byte % 32)]))
            .collect();
        Ok(Self {
            prefix,
            secret: hex::encode(secret).into(),
        })
    }

    /// The public part.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// SHA-256 of the secret part, as stored.
    #[must_use]
    pub fn secret_sha256(&self) -> [u8; 32] {
        Sha256::digest(self.secret.expose_secret()).into()
    }

    /// Whether the stored hash is this secret's, in constant time.
    #[must_use]
    pub fn matches(&self, stored: &[u8]) -> bool {
        self.secret_sha256().ct_eq(stored).into()
    }

    /// The whole key, to be shown once.
    #[must_use]
    pub fn reveal(&self) -> String {
        format!("imk_{}_{}", self.prefix, self.secret.expose_secret())
    }

    /// Reads the value of an `Authorization` header.
    ///
    /// # Errors
    /// `unauthenticated` for anything that cannot be a key.
    pub fn from_authorization(header: Option<&str>) -> Result<Self> {
        let Some(header) = header else {
            return Err(Error::new(
                ErrorCode::Unauthenticated,
                "the Authorization header is missing",
            ));
        };
        let (scheme, token) = header.split_once(' ').unwrap_or_default();
        if !scheme.eq_ignore_ascii_case("bearer") {
            return Err(unauthenticated());
        }
        token.trim().parse()
    }
}

impl FromStr for KeyToken {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let parts = text
            .strip_prefix("imk_")
            .and_then(|rest| rest.split_once('_'));
        let Some((prefix, secret)) = parts else {
            return Err(unauthenticated());
        };
        let prefix_fits = prefix.len() == PREFIX_LEN
            && prefix
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        let secret_fits =
            secret.len() == 2 * SECRET_BYTES && secret.bytes().all(|b| b.is_ascii_hexdigit());
        if prefix_fits && secret_fits {
            Ok(Self {
                prefix: prefix.to_owned(),
                secret: secret.into(),
            })
        } else {
            Err(unauthenticated())
        }
    }
}

impl fmt::Debug for KeyToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyToken")
            .field("prefix", &self.prefix)
            .finish_non_exhaustive()
    }
}

/// The one answer to every key that does not open anything: wrong, unknown, expired or revoked.
#[must_use]
pub fn unauthenticated() -> Error {
    Error::new(ErrorCode::Unauthenticated, "the key is not valid")
}

/// Who calls: an owner identity, the key used, and what the key may do.
#[derive(Debug, Clone)]
pub struct Principal {
    pub(crate) owner: OwnerIdentity,
    pub(crate) identity: IdentityId,
    pub(crate) key: KeyId,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) surface: String,
}

impl Principal {
    /// The opaque id of the person, fit for answers.
    #[must_use]
    pub fn identity(&self) -> &IdentityId {
        &self.identity
    }

    /// The key used.
    #[must_use]
    pub fn key(&self) -> &KeyId {
        &self.key
    }

    /// Refuses a call for which the key lacks the scope.
    ///
    /// # Errors
    /// `forbidden_scope`.
    pub fn require(&self, scope: Scope) -> Result<()> {
        if self.scopes.contains(&scope) {
            return Ok(());
        }
        let message = format!("this key lacks the scope {}", scope.name());
        Err(Error::new(ErrorCode::ForbiddenScope, message).detail("scope", scope.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_reads_back_and_matches_its_own_hash_alone() {
        let key = KeyToken::generate().unwrap();
        let read: KeyToken = key.reveal().parse().unwrap();
        assert!(read.matches(&key.secret_sha256()));
        assert!(!KeyToken::generate().unwrap().matches(&key.secret_sha256()));
        assert!(!read.matches(b"short"));
    }

    #[test]
    fn only_a_bearer_key_authorizes() {
        let key = KeyToken::generate().unwrap().reveal();
        assert!(KeyToken::from_authorization(Some(&format!("bearer {key}"))).is_ok());
        for header in [
            None,
            Some(""),
            Some("Bearer"),
            Some("Basic eA=="),
            Some("Bearer imk_x_y"),
            Some(&key),
        ] {
            let code = KeyToken::from_authorization(header)
                .err()
                .map(|error| error.code());
            assert_eq!(code, Some(ErrorCode::Unauthenticated), "{header:?}");
        }
    }

    #[test]
    fn a_key_never_prints_its_secret() {
        let key = KeyToken::generate().unwrap();
        let secret = key.reveal();
        assert!(!format!("{key:?}").contains(&secret[17..]));
    }
}
