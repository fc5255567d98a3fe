//! An object store in memory that counts its calls and fails on request.

use std::{
    collections::{BTreeMap, HashMap},
    io,
    ops::{Bound, Range},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use futures_util::{StreamExt, stream};
use sha2::{Digest, Sha256};
use time::OffsetDateTime;

use crate::{
    domain::keys::ObjectKey,
    error::{Error, ErrorCode, Result},
    ports::{
        ByteStream, Clock, ListedObject, ObjectHead, ObjectStore, PutObject, SignGet, SignedUrl,
    },
};

/// Bytes of one piece of a stream.
const CHUNK_BYTES: usize = 64 * 1024;

/// The calls of an object store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is the port's method of that name")]
pub enum Verb {
    Put,
    Head,
    Get,
    SignGet,
    Delete,
    List,
}

/// Objects in memory. Takes only keys of our own grammar, like the local store.
pub struct MemoryObjects {
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    objects: BTreeMap<String, Stored>,
    links: HashMap<String, Link>,
    calls: HashMap<Verb, usize>,
    to_fail: HashMap<Verb, usize>,
}

#[derive(Clone)]
struct Stored {
    bytes: Bytes,
    head: ObjectHead,
    modified_at: OffsetDateTime,
}

struct Link {
    key: String,
    expires_at: OffsetDateTime,
}

impl MemoryObjects {
    /// An empty store that dates its objects and links by `clock`.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            state: Mutex::default(),
        }
    }

    /// How often `verb` was called, failed calls included.
    #[must_use]
    pub fn calls(&self, verb: Verb) -> usize {
        self.state().calls.get(&verb).copied().unwrap_or_default()
    }

    /// How often anything was called.
    #[must_use]
    pub fn calls_in_all(&self) -> usize {
        self.state().calls.values().sum()
    }

    /// Makes the next `count` calls of `verb` answer `store_unavailable` and do nothing.
    pub fn fail_next(&self, verb: Verb, count: usize) {
        self.state().to_fail.insert(verb, count);
    }

    /// All keys, in order; not counted as a call.
    #[must_use]
    pub fn keys(&self) -> Vec<String> {
        self.state().objects.keys().cloned().collect()
    }

    /// The bytes under `key`; not counted as a call.
    #[must_use]
    pub fn bytes(&self, key: &str) -> Option<Bytes> {
        self.state()
            .objects
            .get(key)
            .map(|stored| stored.bytes.clone())
    }

    /// Takes an object away behind the product's back; not counted as a call.
    pub fn lose(&self, key: &str) {
        self.state().objects.remove(key);
    }

    /// What a signed link reads: nothing when it was never signed, has ended, or its object is gone.
    #[must_use]
    pub fn read_link(&self, url: &str) -> Option<Bytes> {
        let now = self.clock.now();
        let state = self.state();
        let link = state.links.get(url).filter(|link| now < link.expires_at)?;
        state
            .objects
            .get(&link.key)
            .map(|stored| stored.bytes.clone())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts the call, and fails it when that was asked for.
    fn begin(&self, verb: Verb) -> Result<()> {
        let mut state = self.state();
        *state.calls.entry(verb).or_default() += 1;
        match state.to_fail.get_mut(&verb) {
            Some(left) if *left > 0 => {
                *left -= 1;
                Err(Error::new(
                    ErrorCode::StoreUnavailable,
                    "the object store was told to fail",
                ))
            }
            _ => Ok(()),
        }
    }

    /// The same for a call on one key.
    fn begin_on(&self, verb: Verb, key: &str) -> Result<()> {
        self.begin(verb)?;
        if ObjectKey::parse(key).is_none() {
            return Err(Error::internal(
                "a text that is no object key reached the object store",
            ));
        }
        Ok(())
    }

    fn find(&self, key: &str) -> Option<Stored> {
        self.state().objects.get(key).cloned()
    }
}

#[async_trait]
impl ObjectStore for MemoryObjects {
    async fn put(&self, object: PutObject<'_>, body: ByteStream) -> Result<ObjectHead> {
        self.begin_on(Verb::Put, object.key)?;
        let bytes = collect_verified(&object, body).await?;
        let head = ObjectHead {
            bytes: object.content_length,
            content_type: object.content_type.to_owned(),
            sha256: Some(object.sha256.to_owned()),
            etag: None,
        };
        let stored = Stored {
            bytes,
            head: head.clone(),
            modified_at: self.clock.now(),
        };
        self.state().objects.insert(object.key.to_owned(), stored);
        Ok(head)
    }

    async fn head(&self, key: &str) -> Result<Option<ObjectHead>> {
        self.begin_on(Verb::Head, key)?;
        Ok(self.find(key).map(|stored| stored.head))
    }

    async fn get(&self, key: &str, range: Option<Range<u64>>) -> Result<Option<ByteStream>> {
        self.begin_on(Verb::Get, key)?;
        let Some(Stored { bytes, .. }) = self.find(key) else {
            return Ok(None);
        };
        let length = bytes.len() as u64;
        let range = range.unwrap_or(0..length);
        let end = range.end.min(length);
        let start = range.start.min(end);
        let place = |at: u64| usize::try_from(at).map_err(Error::internal);
        let part = bytes.slice(place(start)?..place(end)?);
        let chunks: Vec<_> = part
            .chunks(CHUNK_BYTES)
            .map(|chunk| Ok(part.slice_ref(chunk)))
            .collect();
        Ok(Some(stream::iter(chunks).boxed()))
    }

    async fn sign_get(&self, request: SignGet<'_>) -> Result<SignedUrl> {
        self.begin_on(Verb::SignGet, request.key)?;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
        if request.file_name.is_empty() || !request.file_name.chars().all(is_plain) {
            return Err(Error::internal("a link names a file in other letters"));
        }
        let ttl: time::Duration = request.ttl.try_into().map_err(Error::internal)?;
        let expires_at = self.clock.now() + ttl;
        let mut state = self.state();
        let url = format!(
            "https://objects.test/{}?link={}",
            request.key,
            state.links.len()
        );
        state.links.insert(
            url.clone(),
            Link {
                key: request.key.to_owned(),
                expires_at,
            },
        );
        Ok(SignedUrl { url, expires_at })
    }

    async fn delete(&self, key: &str) -> Result<()> {
        self.begin_on(Verb::Delete, key)?;
        self.lose(key);
        Ok(())
    }

    async fn list(
        &self,
        prefix: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<ListedObject>> {
        self.begin(Verb::List)?;
        let start = match after {
            Some(after) if after >= prefix => Bound::Excluded(after),
            _ => Bound::Included(prefix),
        };
        let state = self.state();
        let from_start = state.objects.range::<str, _>((start, Bound::Unbounded));
        let listed = from_start
            .take_while(|(key, _)| key.starts_with(prefix))
            .take(limit);
        Ok(listed
            .map(|(key, stored)| ListedObject {
                key: key.clone(),
                bytes: stored.head.bytes,
                modified_at: stored.modified_at,
            })
            .collect())
    }
}

async fn collect_verified(object: &PutObject<'_>, mut body: ByteStream) -> Result<Bytes> {
    let mut bytes = BytesMut::new();
    while let Some(chunk) = body.next().await {
        let ended_early = |cause: io::Error| {
            Error::new(
                ErrorCode::StoreUnavailable,
                "the bytes to store ended early",
            )
            .because(cause)
        };
        bytes.extend_from_slice(&chunk.map_err(ended_early)?);
    }
    if bytes.len() as u64 != object.content_length
        || hex::encode(Sha256::digest(&bytes)) != object.sha256
    {
        return Err(Error::internal(
            "the bytes to store have another length or SHA-256 than announced",
        ));
    }
    Ok(bytes.freeze())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::testing::{
        TestClock,
        object_store_contract::{self, Fixture},
    };

    fn store() -> (Arc<TestClock>, MemoryObjects) {
        let clock = Arc::new(TestClock::default());
        (clock.clone(), MemoryObjects::new(clock))
    }

    #[tokio::test]
    async fn it_keeps_the_contract() {
        let (_, store) = store();
        object_store_contract::check(&store, &"test".parse().unwrap())
            .await
            .unwrap();
    }

    #[tokio::test]
    async fn it_counts_calls_and_fails_on_request() {
        let (_, store) = store();
        let fixture = Fixture::new(&"test".parse().unwrap());
        let key = fixture.original();
        store.fail_next(Verb::Put, 2);
        for _ in 0..2 {
            let error = fixture.put(&store, &key, b"x").await.unwrap_err();
            assert_eq!(error.code(), ErrorCode::StoreUnavailable);
        }
        assert_eq!(store.keys(), [""; 0]);
        fixture.put(&store, &key, b"x").await.unwrap();
        assert_eq!((store.calls(Verb::Put), store.calls_in_all()), (3, 3));
        assert_eq!(store.bytes(&key).unwrap(), "x");
        store.lose(&key);
        assert_eq!(store.head(&key).await.unwrap(), None);
        assert_eq!((store.calls(Verb::Head), store.calls(Verb::Delete)), (1, 0));
    }

    #[tokio::test]
    async fn a_link_reads_until_it_ends() {
        let (clock, store) = store();
        let fixture = Fixture::new(&"test".parse().unwrap());
        let key = fixture.original();
        fixture.put(&store, &key, b"x").await.unwrap();
        let link = store
            .sign_get(fixture.link(&key, Duration::from_secs(300)))
            .await
            .unwrap();
        assert_eq!(store.read_link(&link.url).unwrap(), "x");
        assert_eq!(store.read_link(&format!("{}0", link.url)), None);
        clock.advance(Duration::from_secs(300));
        assert_eq!(store.read_link(&link.url), None);
    }
}
