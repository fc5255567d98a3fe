//! The files of the local store: their header, how one is written, and how one goes.

use std::{
    fs::{self, DirBuilder, File},
    io,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};

use futures_util::StreamExt;
use sha2::{Digest, Sha256};
use tokio::io::AsyncWriteExt;

use super::{CHUNK_BYTES, blocking, unavailable};
use crate::{
    error::{Error, ErrorCode, Result},
    ports::{ByteStream, ObjectHead, PutObject},
};

/// Bytes before the body, so many in every file that a listing needs no look into it.
pub(super) const HEADER_BYTES: usize = 256;
/// First line of every file, with the version of what follows.
const MAGIC: &str = "image-memory object 1";
/// What names a file that is being written.
const PARTIAL_EXTENSION: &str = "part";
/// How often a directory may vanish under a put before the put gives up.
const PUBLISH_ATTEMPTS: usize = 32;

/// What a file says of its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header {
    /// Length of the body.
    pub(super) bytes: u64,
    sha256: String,
    content_type: String,
}

impl Header {
    /// The header of what is about to be put.
    pub(super) fn of(object: &PutObject<'_>) -> Result<Self> {
        let header = Self {
            bytes: object.content_length,
            sha256: object.sha256.to_owned(),
            content_type: object.content_type.to_owned(),
        };
        let reads_back = Self::decode(&header.encode()).as_ref() == Some(&header);
        reads_back
            .then_some(header)
            .ok_or_else(|| Error::internal("an object has an impossible type"))
    }

    /// Bytes of the whole file.
    pub(super) const fn file_bytes(&self) -> u64 {
        self.bytes.saturating_add(HEADER_BYTES as u64)
    }

    /// Four lines of text, filled up with spaces.
    fn encode(&self) -> [u8; HEADER_BYTES] {
        let lines = format!(
            "{MAGIC}\n{}\n{}\n{}\n",
            self.bytes, self.sha256, self.content_type
        );
        let mut encoded = [b' '; HEADER_BYTES];
        for (to, from) in encoded.iter_mut().zip(lines.bytes()) {
            *to = from;
        }
        encoded[HEADER_BYTES - 1] = b'\n';
        encoded
    }

    pub(super) fn decode(encoded: &[u8; HEADER_BYTES]) -> Option<Self> {
        let lines: Vec<&str> = std::str::from_utf8(encoded).ok()?.split('\n').collect();
        let [MAGIC, bytes, sha256, content_type, _, ""] = lines[..] else {
            return None;
        };
        Some(Self {
            bytes: bytes.parse().ok()?,
            sha256: sha256.to_owned(),
            content_type: content_type.to_owned(),
        })
    }
}

impl From<Header> for ObjectHead {
    fn from(header: Header) -> Self {
        Self {
            bytes: header.bytes,
            content_type: header.content_type,
            sha256: Some(header.sha256),
            etag: None,
        }
    }
}

/// A file that is being written; it goes when this is dropped before it is published.
pub(super) struct PartialFile {
    path: PathBuf,
    file: tokio::fs::File,
}

impl PartialFile {
    /// Makes a new empty file with a name of its own.
    pub(super) async fn create(directory: &Path) -> io::Result<Self> {
        let mut name = [0; 16];
        getrandom::fill(&mut name).map_err(io::Error::other)?;
        let path = directory
            .join(hex::encode(name))
            .with_extension(PARTIAL_EXTENSION);
        let file = tokio::fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)
            .await?;
        Ok(Self { path, file })
    }

    /// Writes header and body, and makes both safe from a power cut.
    pub(super) async fn write(&mut self, header: &Header, body: ByteStream) -> Result<()> {
        write_verified(&mut self.file, header, body).await?;
        self.file.sync_all().await.map_err(unavailable)
    }

    /// Moves the file to its place, in which no one sees it before it is whole.
    pub(super) async fn publish(self, target: PathBuf) -> io::Result<()> {
        blocking(move || publish(&self.path, &target)).await
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        // After publishing there is nothing here; what cannot be removed now is removed at a start.
        let _ = fs::remove_file(&self.path);
    }
}

/// Whether `path` is named like a file that is being written.
pub(super) fn is_partial(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == PARTIAL_EXTENSION)
}

/// Writes header and body to `file`; refuses a body of another length or hash than the header says, at
/// the first byte too many.
pub(super) async fn write_verified(
    file: &mut tokio::fs::File,
    header: &Header,
    mut body: ByteStream,
) -> Result<()> {
    let mut hash = Sha256::new();
    let mut written = 0_u64;
    file.write_all(&header.encode())
        .await
        .map_err(unavailable)?;
    while let Some(chunk) = body.next().await {
        let chunk = chunk.map_err(broken_body)?;
        written = written.saturating_add(chunk.len() as u64);
        if written > header.bytes {
            return Err(mismatch("length"));
        }
        for piece in chunk.chunks(CHUNK_BYTES) {
            hash.update(piece);
            file.write_all(piece).await.map_err(unavailable)?;
        }
    }
    file.flush().await.map_err(unavailable)?;
    if written != header.bytes {
        return Err(mismatch("length"));
    }
    if hex::encode(hash.finalize()) != header.sha256 {
        return Err(mismatch("SHA-256"));
    }
    Ok(())
}

fn mismatch(what: &str) -> Error {
    Error::internal(format!(
        "the bytes to store have another {what} than announced"
    ))
}

fn broken_body(cause: io::Error) -> Error {
    Error::new(
        ErrorCode::StoreUnavailable,
        "the bytes to store ended early",
    )
    .because(cause)
}

/// Makes a directory and what leads to it, for its owner alone.
pub(super) fn create_directory(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

fn publish(partial: &Path, target: &Path) -> io::Result<()> {
    let mut attempt = 1;
    loop {
        match place(partial, target) {
            // A delete has just pruned an empty directory that was made for us, or found for us.
            Err(error) if is_pruned(&error) && attempt < PUBLISH_ATTEMPTS => attempt += 1,
            result => return result,
        }
    }
}

/// Whether `error` is what a vanishing directory causes; making one that goes between the attempt and the
/// look at it is said to exist already.
fn is_pruned(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::AlreadyExists
    )
}

fn place(partial: &Path, target: &Path) -> io::Result<()> {
    let parent = target
        .parent()
        .ok_or_else(|| io::Error::other("an object has no directory"))?;
    let found = parent
        .ancestors()
        .position(Path::exists)
        .unwrap_or_default();
    create_directory(parent)?;
    fs::rename(partial, target)?;
    // A directory is as new as its entry in its parent: sync them all, up to one that was there. One
    // that is gone by now was removed with the object.
    for directory in parent.ancestors().take(found + 1) {
        ignore_missing(sync_directory(directory))?;
    }
    Ok(())
}

/// Removes a file, if it is there, and every directory below `root` that it leaves empty.
pub(super) fn remove(path: &Path, root: &Path) -> io::Result<()> {
    ignore_missing(fs::remove_file(path))?;
    let directories = path
        .ancestors()
        .skip(1)
        .take_while(|directory| *directory != root);
    for directory in directories {
        // Not empty, or a put is just using it: then it stays.
        if fs::remove_dir(directory).is_err() {
            return ignore_missing(sync_directory(directory));
        }
    }
    sync_directory(root)
}

fn sync_directory(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

fn ignore_missing(result: io::Result<()>) -> io::Result<()> {
    result.or_else(|error| {
        if is_missing(&error) {
            Ok(())
        } else {
            Err(error)
        }
    })
}

fn is_missing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}
