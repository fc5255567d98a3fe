//! The 1000 classes as sentence vectors: read once by the sentence network, then kept beside the models.
//!
//! The kept file begins with a hash of all that the vectors come from; with any other hash, length or damage
//! it is made anew. Failing to keep it costs the next start some seconds and nothing else.

use std::{fs, io, path::Path};

use common::error::Result;
use sha2::{Digest, Sha256};

use super::{
    conse::{CLASSES, TEXT, unit},
    networks::{Sentences, unloadable},
};
use crate::bring::{file, staging};

/// The kept file.
const KEPT: &str = "label-vectors.bin";
/// Bytes of a hash.
const HASH: usize = 32;

/// The classes' names and vectors.
pub(super) struct Labels {
    /// One name a class.
    pub(super) names: Vec<String>,
    /// [`TEXT`] numbers a class.
    pub(super) vectors: Vec<f32>,
}

impl Labels {
    /// Reads the names, and reads or makes the vectors.
    pub(super) fn load(dir: &Path, sentences: &mut Sentences) -> Result<Self> {
        let path = dir.join(file::LABELS);
        let text = fs::read_to_string(&path).map_err(|error| unloadable(&path, error))?;
        let names: Vec<String> = text.lines().map(str::to_owned).collect();
        if names.len() != CLASSES {
            return Err(unloadable(
                &path,
                format!("{} class names instead of {CLASSES}", names.len()),
            ));
        }
        let stamp =
            staging::stamp_of(dir).ok_or_else(|| unloadable(dir, "the directory has no stamp"))?;
        let origin = origin(&stamp, &text);
        if let Some(vectors) = fs::read(dir.join(KEPT))
            .ok()
            .and_then(|bytes| decode(&bytes, &origin))
        {
            return Ok(Self { names, vectors });
        }
        let mut vectors = Vec::with_capacity(CLASSES * TEXT);
        for name in &names {
            vectors.extend(unit(sentences.read(&sentence(name))?.vector)?);
        }
        if let Err(error) = keep(dir, &encode(&vectors, &origin)) {
            tracing::warn!(%error, "could not keep the vectors of the classes; they will be made again");
        }
        Ok(Self { names, vectors })
    }
}

/// How a class is put to the sentence network.
fn sentence(name: &str) -> String {
    format!("a photo of a {name}")
}

/// What the vectors come from: packages and conversion, names, and the sentence around them.
fn origin(stamp: &[u8], names: &str) -> [u8; HASH] {
    Sha256::new()
        .chain_update(stamp)
        .chain_update(names)
        .chain_update(sentence(""))
        .finalize()
        .into()
}

fn encode(vectors: &[f32], origin: &[u8; HASH]) -> Vec<u8> {
    origin
        .iter()
        .copied()
        .chain(vectors.iter().flat_map(|value| value.to_le_bytes()))
        .collect()
}

/// The vectors, if the bytes are whole and of this origin.
fn decode(bytes: &[u8], origin: &[u8; HASH]) -> Option<Vec<f32>> {
    let (found, numbers) = bytes.split_at_checked(HASH)?;
    if found != origin || numbers.len() != CLASSES * TEXT * size_of::<f32>() {
        return None;
    }
    let (numbers, _) = numbers.as_chunks();
    let vectors: Vec<f32> = numbers.iter().copied().map(f32::from_le_bytes).collect();
    let whole = vectors.chunks(TEXT).all(|vector| {
        let length: f32 = vector.iter().map(|value| value * value).sum();
        (length - 1.0).abs() < 1e-3
    });
    whole.then_some(vectors)
}

/// Writes the file beside its place first, so that no reader ever sees half of it.
fn keep(dir: &Path, bytes: &[u8]) -> io::Result<()> {
    let unfinished = dir.join(format!(".{KEPT}.{}", std::process::id()));
    let kept = fs::write(&unfinished, bytes).and_then(|()| fs::rename(&unfinished, dir.join(KEPT)));
    if kept.is_err() {
        // Best effort: what could not be written can often not be removed either.
        let _ = fs::remove_file(&unfinished);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vectors() -> Vec<f32> {
        let mut vectors = vec![0.0; CLASSES * TEXT];
        for class in 0..CLASSES {
            vectors[class * TEXT + class % TEXT] = 1.0;
        }
        vectors
    }

    #[test]
    fn kept_vectors_are_read_back_for_the_same_origin_alone() {
        let made = origin(b"packages 1", "tench\n");
        let bytes = encode(&vectors(), &made);
        assert_eq!(decode(&bytes, &made), Some(vectors()));
        assert_eq!(decode(&bytes, &origin(b"packages 2", "tench\n")), None);
        assert_eq!(decode(&bytes, &origin(b"packages 1", "trout\n")), None);
    }

    #[test]
    fn a_damaged_file_is_not_used() {
        let made = origin(b"", "");
        let mut bytes = encode(&vectors(), &made);
        assert_eq!(decode(&bytes[..bytes.len() - 1], &made), None);
        assert_eq!(decode(&bytes[..10], &made), None);
        bytes[HASH..HASH + 4].copy_from_slice(&2.0_f32.to_le_bytes());
        assert_eq!(decode(&bytes, &made), None);
        bytes[HASH..HASH + 4].copy_from_slice(&f32::NAN.to_le_bytes());
        assert_eq!(decode(&bytes, &made), None);
    }

    #[test]
    fn keeping_leaves_one_file_and_replaces_it_whole() {
        let dir = tempfile::tempdir().unwrap();
        keep(dir.path(), b"1").unwrap();
        keep(dir.path(), b"2").unwrap();
        assert_eq!(fs::read(dir.path().join(KEPT)).unwrap(), b"2");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
