//! The object store of a machine without an account: a directory, at parity with S3, signed links
//! included.
//!
//! An object is one file: a header of fixed size with type, length and hash, then the bytes. It is
//! written beside the tree, synced, and renamed into place; so a kill leaves either the old object or the
//! new one, and at worst a partial file, which the next start removes when it is a day old. One directory
//! may serve several processes.

mod files;
mod links;
mod listing;

use std::{
    fs, io,
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

use async_trait::async_trait;
use futures_util::StreamExt;
use time::{Duration, OffsetDateTime};
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio_util::io::ReaderStream;

pub use links::SignedRead;

use self::files::{HEADER_BYTES, Header, PartialFile};
use crate::{
    domain::{keys::ObjectKey, signing::TokenKeys},
    error::{Error, ErrorCode, Result},
    ports::{
        ByteStream, Clock, ListedObject, ObjectHead, ObjectStore, PutObject, SignGet, SignedUrl,
    },
};

/// Bytes of one piece of a stream.
const CHUNK_BYTES: usize = 64 * 1024;
/// Age from which a partial file belongs to no living put.
const PARTIAL_MAX_AGE: Duration = Duration::DAY;

/// A directory as object store.
pub struct LocalObjects {
    objects: PathBuf,
    partials: PathBuf,
    base_url: String,
    keys: TokenKeys,
    clock: Arc<dyn Clock>,
}

impl LocalObjects {
    /// Opens the store in the directory `root`, making it, readable for its owner alone, where it is
    /// missing. Links begin with `base_url` (scheme, host and port) and are signed with `keys`.
    ///
    /// # Errors
    /// `store_unavailable` when the directory cannot be made or read.
    pub fn new(
        root: PathBuf,
        mut base_url: String,
        keys: TokenKeys,
        clock: Arc<dyn Clock>,
    ) -> Result<Self> {
        let objects = root.join("objects");
        let mut partials = root;
        partials.push("partial");
        for directory in [&objects, &partials] {
            files::create_directory(directory).map_err(unavailable)?;
        }
        remove_old_partials(&partials, clock.now()).map_err(unavailable)?;
        base_url.truncate(base_url.trim_end_matches('/').len());
        Ok(Self {
            objects,
            partials,
            base_url,
            keys,
            clock,
        })
    }

    /// Where the object of `key` lies. Only keys of our own grammar have a place, and those cannot leave
    /// the tree.
    fn path_of(&self, key: &str) -> Result<PathBuf> {
        if ObjectKey::parse(key).is_none() {
            return Err(Error::internal(
                "a text that is no object key reached the object store",
            ));
        }
        Ok(self.objects.join(key))
    }

    /// Opens the object, its file standing at the first byte of the body.
    async fn open(&self, key: &str) -> Result<Option<(Header, tokio::fs::File)>> {
        let mut file = match tokio::fs::File::open(self.path_of(key)?).await {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(unavailable(error)),
        };
        let length = file.metadata().await.map_err(unavailable)?.len();
        let mut head = [0; HEADER_BYTES];
        file.read_exact(&mut head).await.map_err(unavailable)?;
        let header = Header::decode(&head).filter(|header| header.file_bytes() == length);
        let header =
            header.ok_or_else(|| unavailable(io::Error::other("an object's file is damaged")))?;
        Ok(Some((header, file)))
    }
}

/// Streams `range` of the body of an opened object; what lies beyond its end is left out.
async fn stream(
    header: &Header,
    mut file: tokio::fs::File,
    range: Option<Range<u64>>,
) -> Result<ByteStream> {
    let range = range.unwrap_or(0..header.bytes);
    let start = range.start.min(header.bytes);
    let length = range.end.min(header.bytes).saturating_sub(start);
    let position = io::SeekFrom::Start(HEADER_BYTES as u64 + start);
    file.seek(position).await.map_err(unavailable)?;
    Ok(ReaderStream::with_capacity(file.take(length), CHUNK_BYTES).boxed())
}

#[async_trait]
impl ObjectStore for LocalObjects {
    async fn put(&self, object: PutObject<'_>, body: ByteStream) -> Result<ObjectHead> {
        let path = self.path_of(object.key)?;
        let header = Header::of(&object)?;
        let mut partial = PartialFile::create(&self.partials)
            .await
            .map_err(unavailable)?;
        partial.write(&header, body).await?;
        partial.publish(path).await.map_err(unavailable)?;
        Ok(header.into())
    }

    async fn head(&self, key: &str) -> Result<Option<ObjectHead>> {
        Ok(self.open(key).await?.map(|(header, _)| header.into()))
    }

    async fn get(&self, key: &str, range: Option<Range<u64>>) -> Result<Option<ByteStream>> {
        match self.open(key).await? {
            Some((header, file)) => stream(&header, file, range).await.map(Some),
            None => Ok(None),
        }
    }

    async fn sign_get(&self, request: SignGet<'_>) -> Result<SignedUrl> {
        self.path_of(request.key)?;
        links::sign(&self.base_url, &self.keys, self.clock.now(), &request)
    }

    async fn delete(&self, key: &str) -> Result<()> {
        let path = self.path_of(key)?;
        let objects = self.objects.clone();
        blocking(move || files::remove(&path, &objects))
            .await
            .map_err(unavailable)
    }

    async fn list(
        &self,
        prefix: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<ListedObject>> {
        let (objects, prefix, after) = (
            self.objects.clone(),
            prefix.to_owned(),
            after.map(str::to_owned),
        );
        blocking(move || listing::list(&objects, &prefix, after.as_deref(), limit))
            .await
            .map_err(unavailable)
    }
}

/// Runs work on the file system where it may block.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(io::Error::other)?
}

/// What the caller learns of a failing file system.
fn unavailable(cause: io::Error) -> Error {
    let message = match cause.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "the object store is full",
        _ => "the object store cannot be read or written",
    };
    Error::new(ErrorCode::StoreUnavailable, message).because(cause)
}

fn remove_old_partials(directory: &Path, now: OffsetDateTime) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let modified = OffsetDateTime::from(entry.metadata()?.modified()?);
        if files::is_partial(&entry.path()) && now - modified > PARTIAL_MAX_AGE {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
