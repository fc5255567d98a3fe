//! What every object store must do, written once and run on all of them: memory, directory, S3.
//!
//! Each check works in a namespace of its own, so that a run may share its bucket with others.

use std::{io, time::Duration};

use bytes::{Bytes, BytesMut};
use futures_util::{StreamExt, stream};
use sha2::{Digest, Sha256};

use crate::{
    domain::keys::{self, EnvPrefix, Extension},
    error::{Error, ErrorCode, Result},
    ids::{NamespaceId, ObjectId, UploadId},
    ports::{ByteStream, ObjectHead, ObjectStore, PutObject, SignGet},
};

const TYPE: &str = "image/jpeg";

/// Runs every check on `store`, under keys of `env`.
///
/// # Errors
/// The store's own, where a check expects none.
///
/// # Panics
/// When the store breaks the contract.
pub async fn check(store: &dyn ObjectStore, env: &EnvPrefix) -> Result<()> {
    what_was_put_is_read(store, env).await?;
    a_missing_object_is_none(store, env).await?;
    ranges_are_half_open(store, env).await?;
    many_pieces_come_back_in_order(store, env).await?;
    a_refused_put_changes_nothing(store, env).await?;
    a_second_put_replaces(store, env).await?;
    parallel_puts_leave_one_whole(store, env).await?;
    deleting_twice_succeeds(store, env).await?;
    lists_come_in_key_order_and_pages(store, env).await?;
    a_link_says_when_it_ends(store, env).await
}

/// Keys and calls of one check.
#[derive(Debug, Clone)]
pub struct Fixture {
    env: EnvPrefix,
    namespace: NamespaceId,
}

impl Fixture {
    /// A new namespace in `env`.
    #[must_use]
    pub fn new(env: &EnvPrefix) -> Self {
        Self {
            env: env.clone(),
            namespace: NamespaceId::generate(0),
        }
    }

    /// Key of a new original.
    #[must_use]
    pub fn original(&self) -> String {
        keys::original_key(
            &self.env,
            &self.namespace,
            &ObjectId::generate(0),
            Extension::Jpg,
        )
    }

    /// What the keys of this namespace's originals begin with.
    #[must_use]
    pub fn prefix(&self) -> String {
        format!("{}{}/", keys::tenants_prefix(&self.env), self.namespace)
    }

    /// Puts `bytes`, honestly announced.
    ///
    /// # Errors
    /// The store's.
    pub async fn put(
        &self,
        store: &dyn ObjectStore,
        key: &str,
        bytes: &[u8],
    ) -> Result<ObjectHead> {
        let sha256 = sha256(bytes);
        store
            .put(announce(key, bytes.len(), &sha256), pieces(bytes, 1_000))
            .await
    }

    /// Asks for a link to `key`.
    #[must_use]
    pub fn link<'a>(&self, key: &'a str, ttl: Duration) -> SignGet<'a> {
        SignGet {
            key,
            content_type: TYPE,
            file_name: "original.jpg",
            ttl,
        }
    }
}

fn announce<'a>(key: &'a str, length: usize, sha256: &'a str) -> PutObject<'a> {
    PutObject {
        key,
        content_type: TYPE,
        content_length: length as u64,
        sha256,
    }
}

fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// `bytes` as a stream of pieces of `size`.
fn pieces(bytes: &[u8], size: usize) -> ByteStream {
    let pieces: Vec<io::Result<Bytes>> = bytes
        .chunks(size)
        .map(|piece| Ok(Bytes::copy_from_slice(piece)))
        .collect();
    stream::iter(pieces).boxed()
}

/// Bytes that repeat nowhere within a piece.
fn pattern(length: usize) -> Vec<u8> {
    (0_u32..)
        .map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()[0])
        .take(length)
        .collect()
}

async fn read(
    store: &dyn ObjectStore,
    key: &str,
    range: Option<std::ops::Range<u64>>,
) -> Result<Option<Bytes>> {
    let Some(mut body) = store.get(key, range).await? else {
        return Ok(None);
    };
    let mut bytes = BytesMut::new();
    while let Some(piece) = body.next().await {
        bytes.extend_from_slice(&piece.map_err(Error::internal)?);
    }
    Ok(Some(bytes.freeze()))
}

async fn what_was_put_is_read(store: &dyn ObjectStore, env: &EnvPrefix) -> Result<()> {
    let fixture = Fixture::new(env);
    for bytes in [&b"some bytes"[..], &[0], &[]] {
        let key = fixture.original();
        let put = fixture.put(store, &key, bytes).await?;
        assert_eq!(put.bytes, bytes.len() as u64);
        let head = store
            .head(&key)
            .await?
            .ok_or_else(|| Error::not_found("object"))?;
        assert_eq!(
            (head.bytes, head.content_type.as_str()),
            (bytes.len() as u64, TYPE)
        );
        assert!(
            head.sha256.is_none_or(|known| known == sha256(bytes)),
            "a wrong hash"
        );
        assert_eq!(read(store, &key, None).await?.as_deref(), Some(bytes));
    }
    Ok(())
}

async fn a_missing_object_is_none(store: &dyn ObjectStore, env: &EnvPrefix) -> Result<()> {
    let fixture = Fixture::new(env);
    let key = fixture.original();
    assert!(store.head(&key).await?.is_none());
    assert!(store.get(&key, None).await?.is_none());
    assert!(store.get(&key, Some(0..1)).await?.is_none());
    assert!(store.list(&fixture.prefix(), None, 10).await?.is_empty());
    Ok(())
}

async fn ranges_are_half_open(store: &dyn ObjectStore, env: &EnvPrefix) -> Result<()> {
    let fixture = Fixture::new(env);
    let key = fixture.original();
    fixture.put(store, &key, b"0123456789").await?;
    for (range, wanted) in [
        (0..10, "0123456789"),
        (0..1, "0"),
        (3..7, "3456"),
        (9..10, "9"),
        (8..99, "89"),
    ] {
        let got = read(store, &key, Some(range.clone())).await?;
        assert_eq!(got.as_deref(), Some(wanted.as_bytes()), "{range:?}");
    }
    Ok(())
}

async fn many_pieces_come_back_in_order(store: &dyn ObjectStore, env: &EnvPrefix) -> Result<()> {
    let fixture = Fixture::new(env);
    let key = fixture.original();
    let bytes = pattern(3 * 1024 * 1024 + 17);
    let hash = sha256(&bytes);
    for size in [10_007, 1024 * 1024] {
        store
            .put(announce(&key, bytes.len(), &hash), pieces(&bytes, size))
            .await?;
        assert!(
            read(store, &key, None)
                .await?
                .is_some_and(|got| got == bytes),
            "other bytes came back"
        );
        let part = read(store, &key, Some(65_535..2_000_001)).await?;
        assert!(
            part.is_some_and(|got| got == bytes[65_535..2_000_001]),
            "another part came back"
        );
    }
    Ok(())
}

/// The bodies that a store must refuse, against what was announced: `announced` bytes with their hash.
fn refused_bodies(announced: &[u8]) -> Vec<(&'static str, ByteStream)> {
    let broken =
        pieces(&announced[..4], 2).chain(stream::iter([Err(io::Error::other("connection lost"))]));
    let mut changed = announced.to_vec();
    changed[0] ^= 1;
    vec![
        ("too short", pieces(&announced[1..], 3)),
        ("too long", pieces(&[announced, b"!"].concat(), 3)),
        ("empty", pieces(&[], 1)),
        ("changed", pieces(&changed, 3)),
        ("broken off", broken.boxed()),
    ]
}

async fn a_refused_put_changes_nothing(store: &dyn ObjectStore, env: &EnvPrefix) -> Result<()> {
    let fixture = Fixture::new(env);
    let (new, old) = (fixture.original(), fixture.original());
    fixture.put(store, &old, b"old bytes").await?;
    let announced = b"announced bytes";
    let hash = sha256(announced);
    for key in [&new, &old] {
        for (what, body) in refused_bodies(announced) {
            let result = store.put(announce(key, announced.len(), &hash), body).await;
            let code = result.map_err(|error| error.code()).err();
            let refused = [Some(ErrorCode::Internal), Some(ErrorCode::StoreUnavailable)];
            assert!(refused.contains(&code), "a body {what} gave {code:?}");
        }
    }
    // Every byte as announced, but not as many.
    for length in [announced.len() - 1, announced.len() + 1] {
        let result = store
            .put(announce(&new, length, &hash), pieces(announced, 3))
            .await;
        assert!(
            result.is_err(),
            "a body of another length than {length} was stored"
        );
    }
    assert!(
        store.head(&new).await?.is_none(),
        "a refused body was stored"
    );
    assert_eq!(
        read(store, &old, None).await?.as_deref(),
        Some(&b"old bytes"[..])
    );
    assert_eq!(store.list(&fixture.prefix(), None, 10).await?.len(), 1);
    Ok(())
}

async fn a_second_put_replaces(store: &dyn ObjectStore, env: &EnvPrefix) -> Result<()> {
    let fixture = Fixture::new(env);
    let key = fixture.original();
    fixture
        .put(store, &key, b"the first and longer one")
        .await?;
    fixture.put(store, &key, b"the second").await?;
    assert_eq!(
        read(store, &key, None).await?.as_deref(),
        Some(&b"the second"[..])
    );
    Ok(())
}

async fn parallel_puts_leave_one_whole(store: &dyn ObjectStore, env: &EnvPrefix) -> Result<()> {
    let fixture = Fixture::new(env);
    let key = fixture.original();
    let bodies: Vec<Vec<u8>> = (0..8_u8)
        .map(|n| vec![n; 100_000 + usize::from(n)])
        .collect();
    let puts = bodies.iter().map(|body| fixture.put(store, &key, body));
    for result in futures_util::future::join_all(puts).await {
        result?;
    }
    let left = read(store, &key, None).await?;
    assert!(
        left.is_some_and(|left| bodies.iter().any(|body| left == *body)),
        "a mixture was stored"
    );
    Ok(())
}

async fn deleting_twice_succeeds(store: &dyn ObjectStore, env: &EnvPrefix) -> Result<()> {
    let fixture = Fixture::new(env);
    let (gone, kept) = (fixture.original(), fixture.original());
    fixture.put(store, &gone, b"gone").await?;
    fixture.put(store, &kept, b"kept").await?;
    for _ in 0..2 {
        store.delete(&gone).await?;
        assert!(store.head(&gone).await?.is_none());
        assert!(store.get(&gone, None).await?.is_none());
    }
    store.delete(&fixture.original()).await?;
    let left: Vec<String> = store
        .list(&fixture.prefix(), None, 10)
        .await?
        .into_iter()
        .map(|o| o.key)
        .collect();
    assert_eq!(left, [kept]);
    Ok(())
}

async fn lists_come_in_key_order_and_pages(store: &dyn ObjectStore, env: &EnvPrefix) -> Result<()> {
    let fixture = Fixture::new(env);
    let mut keys = Vec::new();
    for length in 1..=5 {
        let object = ObjectId::generate(0);
        let original = keys::original_key(env, &fixture.namespace, &object, Extension::Png);
        let preview = keys::preview_key(env, &fixture.namespace, &object);
        for key in [original, preview] {
            fixture.put(store, &key, &pattern(length)).await?;
            keys.push((key, length as u64));
        }
    }
    keys.sort();
    let upload = keys::staging_key(env, &fixture.namespace, &UploadId::generate(0));
    fixture.put(store, &upload, b"elsewhere").await?;

    let mut listed = Vec::new();
    loop {
        let after: Option<&str> = listed.last().map(|(key, _): &(String, u64)| key.as_str());
        let page = store.list(&fixture.prefix(), after, 3).await?;
        if page.is_empty() {
            break;
        }
        assert!(page.len() <= 3, "a page is longer than its limit");
        assert!(listed.len() < keys.len(), "paging does not end");
        listed.extend(page.into_iter().map(|object| (object.key, object.bytes)));
    }
    assert_eq!(listed, keys);
    let one = store.list(&keys[4].0, None, 10).await?;
    assert_eq!(one.len(), 1, "a whole key is a prefix of itself");
    let none = store.list(&fixture.prefix(), Some(&keys[9].0), 10).await?;
    assert!(none.is_empty(), "something came after the last key");
    Ok(())
}

async fn a_link_says_when_it_ends(store: &dyn ObjectStore, env: &EnvPrefix) -> Result<()> {
    let fixture = Fixture::new(env);
    let key = fixture.original();
    fixture.put(store, &key, b"linked").await?;
    let short = store
        .sign_get(fixture.link(&key, Duration::from_secs(60)))
        .await?;
    let long = store
        .sign_get(fixture.link(&key, Duration::from_secs(300)))
        .await?;
    assert!(short.url.contains(&key) && short.url != long.url);
    let apart = long.expires_at - short.expires_at;
    assert!(
        (apart - time::Duration::seconds(240)).abs() <= time::Duration::seconds(5),
        "{apart}"
    );
    assert!(!format!("{short:?}").contains(&key), "a link was printed");
    Ok(())
}
