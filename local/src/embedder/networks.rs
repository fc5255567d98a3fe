//! The two networks, run by onnxruntime, which is loaded as a shared library from the models' directory.
//!
//! A process loads one runtime, the first that it is asked for, and keeps it. A network runs on one thread:
//! the same input gives the same bits, and the server's other work keeps its cores.

use std::{
    path::Path,
    sync::{Mutex, PoisonError},
};

use common::error::{Error, ErrorCode, Result};
use ort::{
    environment::Environment,
    inputs,
    logging::LogLevel,
    session::{Session, builder::SessionBuilder},
    value::TensorRef,
};
use tokenizers::{Tokenizer, TruncationParams};

use super::{conse::TEXT, picture::SIDE};
use crate::bring::file;

/// Most tokens of a text that are read; the sentence model was made for no more.
const TOKENS_MAX: usize = 256;

/// The process's runtime.
static RUNTIME: Mutex<Option<Environment>> = Mutex::new(None);

/// The runtime, loaded from `dir` unless the process has one.
fn runtime(dir: &Path) -> Result<Environment> {
    let mut runtime = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(loaded) = &*runtime {
        return Ok(loaded.clone());
    }
    let library = dir.join(file::RUNTIME);
    let builder = ort::init_from(&library).map_err(|error| unloadable(&library, error))?;
    let loaded = builder
        .with_name("image-memory")
        .with_telemetry(false)
        .build();
    let loaded = loaded.map_err(|error| unloadable(&library, error))?;
    loaded.set_log_level(LogLevel::Error);
    Ok(runtime.insert(loaded).clone())
}

fn session(dir: &Path, name: &str) -> Result<Session> {
    let model = dir.join(name);
    let commit = |builder: SessionBuilder| -> ort::Result<Session> {
        builder
            .with_intra_threads(1)?
            .with_inter_threads(1)?
            .commit_from_file(&model)
    };
    let session = Session::builder(&runtime(dir)?).and_then(commit);
    session.map_err(|error| unloadable(&model, error))
}

/// The error of a file of the models' directory that cannot be used.
pub(super) fn unloadable(
    path: &Path,
    error: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> Error {
    let sentence = format!(
        "the local embedder cannot load {}; remove its directory and start again to fetch the models anew",
        path.display()
    );
    Error::new(ErrorCode::ProviderUnavailable, sentence).because(error)
}

/// The image network.
pub(super) struct Vision(Session);

/// What the image network says of a picture.
pub(super) struct Seen {
    /// 1280 numbers.
    pub(super) features: Vec<f32>,
    /// 1000 numbers, one a class.
    pub(super) logits: Vec<f32>,
}

impl Vision {
    pub(super) fn load(dir: &Path) -> Result<Self> {
        session(dir, file::VISION).map(Self)
    }

    /// Looks at a picture, given as [`super::picture::tensor`] gives it.
    pub(super) fn look(&mut self, pixels: &[f32]) -> Result<Seen> {
        let mut look = || -> ort::Result<Seen> {
            let image = TensorRef::from_array_view(([1, 3, SIDE, SIDE], pixels))?;
            let outputs = self.0.run(inputs!["image" => image])?;
            let (_, features) = outputs["features"].try_extract_tensor::<f32>()?;
            let (_, logits) = outputs["logits"].try_extract_tensor::<f32>()?;
            Ok(Seen {
                features: features.to_vec(),
                logits: logits.to_vec(),
            })
        };
        look().map_err(Error::internal)
    }
}

/// The sentence network with its tokenizer.
pub(super) struct Sentences {
    session: Session,
    tokenizer: Tokenizer,
}

/// A text as a vector.
pub(super) struct Read {
    /// 384 numbers, not normalized.
    pub(super) vector: Vec<f32>,
    /// Tokens that were read, the two that frame every text included.
    pub(super) tokens: i64,
}

impl Sentences {
    pub(super) fn load(dir: &Path) -> Result<Self> {
        let path = dir.join(file::TOKENIZER);
        let mut tokenizer =
            Tokenizer::from_file(&path).map_err(|error| unloadable(&path, error))?;
        // The file asks for texts of exactly 128 tokens; padding them would cost time and change nothing.
        tokenizer.with_padding(None);
        let truncation = TruncationParams {
            max_length: TOKENS_MAX,
            ..TruncationParams::default()
        };
        tokenizer
            .with_truncation(Some(truncation))
            .map_err(|error| unloadable(&path, error))?;
        Ok(Self {
            session: session(dir, file::SENTENCE)?,
            tokenizer,
        })
    }

    /// Reads a text: the mean over its tokens' vectors.
    pub(super) fn read(&mut self, text: &str) -> Result<Read> {
        let encoding = self
            .tokenizer
            .encode_fast(text, true)
            .map_err(Error::internal)?;
        let ids: Vec<i64> = encoding.get_ids().iter().copied().map(i64::from).collect();
        let count = ids.len();
        let (ones, zeros) = (vec![1_i64; count], vec![0_i64; count]);
        let mut read = || -> ort::Result<Vec<f32>> {
            let row = |values| TensorRef::from_array_view(([1, count], values));
            let outputs = self.session.run(inputs![
                "input_ids" => row(ids.as_slice())?,
                "attention_mask" => row(ones.as_slice())?,
                "token_type_ids" => row(zeros.as_slice())?,
            ])?;
            let (_, states) = outputs[0].try_extract_tensor::<f32>()?;
            Ok(mean(states))
        };
        let vector = read().map_err(Error::internal)?;
        Ok(Read {
            vector,
            tokens: i64::try_from(count).map_err(Error::internal)?,
        })
    }
}

/// The mean of rows of [`TEXT`] numbers.
fn mean(rows: &[f32]) -> Vec<f32> {
    let count = (rows.len() / TEXT).max(1) as f32;
    let mut sum = vec![0.0; TEXT];
    for row in rows.chunks_exact(TEXT) {
        for (sum, value) in sum.iter_mut().zip(row) {
            *sum += value / count;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_taken_over_tokens() {
        let rows: Vec<f32> = [1.0, 3.0]
            .into_iter()
            .flat_map(|value| [value; TEXT])
            .collect();
        assert_eq!(mean(&rows), vec![2.0; TEXT]);
    }

    #[test]
    fn missing_models_are_named() {
        let dir = tempfile::tempdir().unwrap();
        let error = Sentences::load(dir.path()).err().unwrap();
        assert_eq!(error.code(), ErrorCode::ProviderUnavailable);
        assert!(
            error.message().contains("tokenizer.json"),
            "{}",
            error.message()
        );
    }
}
