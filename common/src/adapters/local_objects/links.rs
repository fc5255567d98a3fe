//! Signed links to objects of the local store, as S3 presigns them: whoever has one reads the object,
//! with the pinned type and name, until it ends.

use std::{collections::BTreeMap, fmt};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use futures_util::StreamExt;
use time::OffsetDateTime;
use url::form_urlencoded;

use super::{LocalObjects, stream};
use crate::{
    domain::{
        byte_range::{RequestedRange, requested_range},
        keys::ObjectKey,
        signing::{Purpose, TokenKeys},
    },
    error::{Error, Result},
    ports::{ByteStream, SignGet, SignedUrl, safe_media_headers},
};

/// What paths of links begin with.
const PATH_PREFIX: &str = "/local-objects/";

/// The answer to a read through a link.
pub struct SignedRead {
    /// 200, 206 for a part, or 416 for a range behind the end.
    pub status: u16,
    /// All headers of the answer, names in lower case, the length included.
    pub headers: BTreeMap<&'static str, String>,
    /// The bytes; none for 416.
    pub body: ByteStream,
}

impl fmt::Debug for SignedRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignedRead")
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}

impl LocalObjects {
    /// Answers a GET of a link: `path` and `query` as they came in the request line, `range` as the
    /// `Range` header.
    ///
    /// # Errors
    /// `not_found`, in the same words, for a forged, changed or ended link and for a missing object;
    /// `store_unavailable`.
    pub async fn open_signed(
        &self,
        path: &str,
        query: &str,
        range: Option<&str>,
    ) -> Result<SignedRead> {
        let missing = || Error::not_found("object");
        let key = path
            .strip_prefix(PATH_PREFIX)
            .filter(|key| ObjectKey::parse(key).is_some());
        let key = key.ok_or_else(missing)?;
        let link = Link::read(key, query).ok_or_else(missing)?;
        // Both are judged before either answers.
        let is_genuine = link.is_genuine(&self.keys);
        let is_alive = self.clock.now().unix_timestamp() < link.expires;
        if !(is_genuine & is_alive) {
            return Err(missing());
        }
        let (header, file) = self.open(key).await?.ok_or_else(missing)?;
        let mut headers = safe_media_headers(&link.content_type, &link.file_name);
        headers.insert("accept-ranges", "bytes".to_owned());
        let asked = range.map_or(RequestedRange::Whole, |range| {
            requested_range(range, header.bytes)
        });
        let (status, part) = match asked {
            RequestedRange::Whole => (200, 0..header.bytes),
            RequestedRange::Part(part) => {
                let content_range =
                    format!("bytes {}-{}/{}", part.start, part.end - 1, header.bytes);
                headers.insert("content-range", content_range);
                (206, part)
            }
            RequestedRange::Unsatisfiable => {
                headers.insert("content-range", format!("bytes */{}", header.bytes));
                headers.insert("content-length", "0".to_owned());
                let body = futures_util::stream::empty().boxed();
                return Ok(SignedRead {
                    status: 416,
                    headers,
                    body,
                });
            }
        };
        headers.insert("content-length", (part.end - part.start).to_string());
        let body = stream(&header, file, Some(part)).await?;
        Ok(SignedRead {
            status,
            headers,
            body,
        })
    }
}

/// Signs a link that begins with `base_url`.
pub(super) fn sign(
    base_url: &str,
    keys: &TokenKeys,
    now: OffsetDateTime,
    request: &SignGet<'_>,
) -> Result<SignedUrl> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    if request.file_name.is_empty() || !request.file_name.chars().all(is_plain) {
        return Err(Error::internal(
            "a link names a file with other than letters, digits, dot and dash",
        ));
    }
    if !request
        .content_type
        .bytes()
        .all(|byte| byte.is_ascii_graphic())
    {
        return Err(Error::internal("a link pins an impossible type"));
    }
    // Whole seconds, rounded down: a link never lives longer than it was to.
    let end = now.saturating_add(request.ttl.try_into().map_err(Error::internal)?);
    let expires = end.unix_timestamp();
    let kid = keys.signing_kid();
    let text = signed_text(
        request.key,
        expires,
        kid,
        request.content_type,
        request.file_name,
    );
    let tag = keys.sign(Purpose::LocalLink, text.as_bytes()).tag;
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("exp", &expires.to_string())
        .append_pair("kid", kid)
        .append_pair("ct", request.content_type)
        .append_pair("fn", request.file_name)
        .append_pair("sig", &URL_SAFE_NO_PAD.encode(tag))
        .finish();
    Ok(SignedUrl {
        url: format!("{base_url}{PATH_PREFIX}{}?{query}", request.key),
        expires_at: OffsetDateTime::from_unix_timestamp(expires).map_err(Error::internal)?,
    })
}

/// What a signature covers; none of the parts can hold a line break.
fn signed_text(key: &str, expires: i64, kid: &str, content_type: &str, file_name: &str) -> String {
    format!("GET\n{key}\n{expires}\n{kid}\n{content_type}\n{file_name}")
}

/// A link taken apart, not yet believed.
struct Link<'a> {
    key: &'a str,
    expires: i64,
    kid: String,
    content_type: String,
    file_name: String,
    tag: Vec<u8>,
}

impl<'a> Link<'a> {
    /// Reads a query that has each parameter once and no other.
    fn read(key: &'a str, query: &str) -> Option<Self> {
        let mut given = BTreeMap::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if given
                .insert(name.into_owned(), value.into_owned())
                .is_some()
            {
                return None;
            }
        }
        let link = Self {
            key,
            expires: given.remove("exp")?.parse().ok()?,
            kid: given.remove("kid")?,
            content_type: given.remove("ct")?,
            file_name: given.remove("fn")?,
            tag: URL_SAFE_NO_PAD.decode(given.remove("sig")?).ok()?,
        };
        given.is_empty().then_some(link)
    }

    fn is_genuine(&self, keys: &TokenKeys) -> bool {
        let text = signed_text(
            self.key,
            self.expires,
            &self.kid,
            &self.content_type,
            &self.file_name,
        );
        keys.verify(Purpose::LocalLink, &self.kid, text.as_bytes(), &self.tag)
    }
}
