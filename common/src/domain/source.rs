//! Where a picture came from, in the form that is stored and compared: an address without user info,
//! fragment and signed parameters.

use percent_encoding::percent_decode_str;
use sha2::{Digest, Sha256};
use url::Url;

use crate::error::{Error, ErrorCode, Result};

/// Longest address taken, in bytes: long enough for a presigned one, whose signature then goes.
pub const SOURCE_URL_MAX: usize = 4_096;

/// A source address as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NormalizedSource {
    /// The normalized address.
    pub url: String,
    /// Its host: lowercase, internationalized names in punycode, IPv6 in brackets.
    pub host: String,
    /// SHA-256 of the address, lowercase hex.
    pub hash: String,
}

/// Normalizes a host as [`normalize_source_url`] does: lowercase, punycode, no final dot.
///
/// # Errors
/// `invalid_argument` for what is no host.
pub fn normalize_host(host: &str) -> Result<String> {
    let host = url::Host::parse(host.strip_suffix('.').unwrap_or(host));
    host.map(|host| host.to_string()).map_err(|_| {
        Error::new(
            ErrorCode::InvalidArgument,
            "this is no host, such as example.com",
        )
    })
}

/// Normalizes an absolute http or https address: lowercase host without a final dot, no default port,
/// no user info, no fragment, no signed or secret parameters. Judges no reachability.
///
/// # Errors
/// `invalid_url`.
pub fn normalize_source_url(text: &str) -> Result<NormalizedSource> {
    let text = text.trim();
    if text.len() > SOURCE_URL_MAX {
        let message = format!("the address is longer than {SOURCE_URL_MAX} bytes");
        return Err(Error::new(ErrorCode::InvalidUrl, message).detail("limit", SOURCE_URL_MAX));
    }
    let refused = || {
        Error::new(
            ErrorCode::InvalidUrl,
            "not an absolute http or https address",
        )
    };
    if text.contains(char::is_control) {
        return Err(refused());
    }
    let mut url = Url::parse(text).map_err(|cause| refused().because(cause))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(refused());
    }
    strip_secrets(&mut url);
    let host = url.host_str().unwrap_or_default();
    let host = host.strip_suffix('.').unwrap_or(host).to_owned();
    if host.is_empty() || host.ends_with('.') || url.set_host(Some(&host)).is_err() {
        return Err(refused());
    }
    let url = String::from(url);
    let hash = hex::encode(Sha256::digest(&url));
    Ok(NormalizedSource { url, host, hash })
}

/// The address without its secrets, or `None` when `text` is no address or has none.
pub(super) fn without_secrets(text: &str) -> Option<String> {
    if !text.contains("://") || text.contains(char::is_whitespace) {
        return None;
    }
    let mut url = Url::parse(text).ok()?;
    let before = url.clone();
    strip_secrets(&mut url);
    (url != before).then(|| url.into())
}

/// Removes user info, fragment, and parameters that sign or authorize.
fn strip_secrets(url: &mut Url) {
    url.set_fragment(None);
    // These fail only for addresses without a host, which have no user info.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    let Some(query) = url.query() else { return };
    let named = || query.split('&').map(|pair| (parameter_name(pair), pair));
    let is_signed = named().any(|(name, _)| signs(&name));
    let kept: Vec<&str> = named()
        .filter(|(name, _)| {
            !(signs(name) || authorizes(name) || is_signed && goes_with_signature(name))
        })
        .map(|(_, pair)| pair)
        .collect();
    let kept = kept.join("&");
    url.set_query((!kept.is_empty()).then_some(&kept));
}

/// The name of one `name=value` pair: decoded, lowercase, without separators.
fn parameter_name(pair: &str) -> String {
    let name = pair.split_once('=').map_or(pair, |(name, _)| name);
    let decoded = percent_decode_str(name).decode_utf8_lossy();
    decoded
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Parameters that are, or belong to nothing but, a signature.
fn signs(name: &str) -> bool {
    const PREFIXES: &[&str] = &["xamz", "xgoog", "xoss", "xcos", "qsign"];
    const NAMES: &[&str] = &[
        "sig",
        "signature",
        "sign",
        "hmac",
        "awsaccesskeyid",
        "ossaccesskeyid",
        "googleaccessid",
        "keypairid",
        "hdnea",
        "hdnts",
    ];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || NAMES.contains(&name)
}

/// Parameters that let the bearer in.
fn authorizes(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "auth",
        "authorization",
        "apikey",
        "xapikey",
        "clientsecret",
        "jwt",
        "passwd",
        "password",
        "pwd",
        "secret",
        "session",
        "sessionid",
        "sid",
    ];
    NAMES.contains(&name) || name.ends_with("token")
}

/// Parameters that mean nothing without the signature beside them (CloudFront, S3, Azure).
fn goes_with_signature(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "expires", "expiry", "exp", "policy", "se", "st", "sp", "sv", "sr", "spr", "sip", "ss",
        "srt", "skoid", "sktid", "skt", "ske", "sks", "skv",
    ];
    NAMES.contains(&name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn url(text: &str) -> String {
        normalize_source_url(text).unwrap().url
    }

    #[test]
    fn two_spellings_of_one_address_are_one() {
        for (given, wanted) in [
            ("HTTPS://Example.COM", "https://example.com/"),
            (" https://example.com:443/a ", "https://example.com/a"),
            ("http://example.com:80/", "http://example.com/"),
            ("https://example.com:8443/", "https://example.com:8443/"),
            ("https://example.com./a", "https://example.com/a"),
            ("https://user:pw@example.com/a", "https://example.com/a"),
            ("https://example.com/a#b", "https://example.com/a"),
            ("https://example.com/a?", "https://example.com/a"),
            ("https://example.com/a/../b", "https://example.com/b"),
            ("https://bücher.example/", "https://xn--bcher-kva.example/"),
            (
                "https://example.com/?b=2&a=1&a=0",
                "https://example.com/?b=2&a=1&a=0",
            ),
            (
                "https://example.com/?a=%2F%20+",
                "https://example.com/?a=%2F%20+",
            ),
        ] {
            assert_eq!(url(given), wanted, "{given}");
        }
    }

    #[test]
    fn signatures_and_secrets_go() {
        for (query, wanted) in [
            ("X-Amz-Algorithm=A&x-amz-signature=b&w=3", "?w=3"),
            ("w=3&X-Goog-Signature=a", "?w=3"),
            ("X%2DAmz%2DSignature=b", ""),
            (
                "AWSAccessKeyId=a&Signature=b&Expires=1&versionId=2",
                "?versionId=2",
            ),
            ("Expires=1&Signature=b&Key-Pair-Id=c&Policy=d", ""),
            ("sv=1&se=2&sr=b&sp=r&sig=x", ""),
            ("token=a&access_token=b&api_key=c&w=3", "?w=3"),
            ("expires=1&sv=2&w=3", "?expires=1&sv=2&w=3"),
            ("design=1&key=2&broken=%zz", "?design=1&key=2&broken=%zz"),
        ] {
            let wanted = format!("https://example.com/a{wanted}");
            assert_eq!(
                url(&format!("https://example.com/a?{query}")),
                wanted,
                "{query}"
            );
        }
    }

    #[test]
    fn host_and_hash_follow_from_the_address() {
        let source = normalize_source_url("https://CDN.Example.com/a.jpg#x").unwrap();
        assert_eq!(source.host, "cdn.example.com");
        assert_eq!(
            source.hash,
            hex::encode(Sha256::digest("https://cdn.example.com/a.jpg"))
        );
        assert_eq!(normalize_source_url("http://[::1]/").unwrap().host, "[::1]");
    }

    #[test]
    fn everything_else_is_refused() {
        let long = format!("https://example.com/{}", "a".repeat(SOURCE_URL_MAX));
        for text in [
            "",
            "example.com/a",
            "/a",
            "//example.com/",
            "ftp://example.com/",
            "data:image/png;base64,AA",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "https://",
            "https://?a",
            "https://exa mple.com/",
            "https://example.com:99999/",
            "https://a\0b/",
            "https://a/\nb",
            "https://example.com../",
            long.as_str(),
        ] {
            let error = normalize_source_url(text).unwrap_err();
            assert_eq!(error.code(), ErrorCode::InvalidUrl, "{text}");
        }
    }

    proptest! {
        #[test]
        fn normalizing_twice_is_normalizing_once(
            text in "https?://([a-z]{1,3}:[a-z]{0,3}@)?[a-zA-Z.]{1,12}(:[0-9]{1,4})?(/[a-z%.]{0,4}){0,3}([?](&|=|a|sig|token|Expires|X-Amz-Date|%2D|#){0,8})?"
        ) {
            if let Ok(once) = normalize_source_url(&text) {
                prop_assert!(!once.url.contains('@') && !once.url.contains('#'));
                prop_assert_eq!(normalize_source_url(&once.url).unwrap(), once);
            }
        }

        #[test]
        fn no_text_makes_it_panic(text in any::<String>()) {
            let _ = normalize_source_url(&text);
            let _ = without_secrets(&text);
        }
    }
}
