//! An embedder whose sense is plain: colour. A picture's vector is its mean colour and a coarse layout,
//! a word's is the colour it names, so that "red" finds what is red.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_trait::async_trait;

use crate::{
    error::{Error, ErrorCode, Result},
    limits::DIMENSIONS,
    ports::{EmbedInput, EmbedTask, EmbedUsage, Embedded, Embedder},
};

/// Cells of the coarse layout, per side.
const GRID: u32 = 4;

/// A colour-blind person's opposite. Counts its calls and can be told to fail.
#[derive(Default)]
pub struct ColourEmbedder {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    calls: Vec<(usize, EmbedTask)>,
    failures: Vec<Failure>,
}

/// How a coming call fails.
#[derive(Debug, Clone)]
pub enum Failure {
    /// The whole call.
    Call(ErrorCode),
    /// Its first input alone.
    FirstInput(ErrorCode),
    /// Its first vector has the wrong length.
    BadVector,
}

impl ColourEmbedder {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the next calls fail, one each, in this order.
    pub fn fail_next(&self, failures: impl IntoIterator<Item = Failure>) {
        self.state().failures.extend(failures);
    }

    /// Inputs and task of each call so far.
    #[must_use]
    pub fn calls(&self) -> Vec<(usize, EmbedTask)> {
        self.state().calls.clone()
    }
}

#[async_trait]
impl Embedder for ColourEmbedder {
    fn model(&self) -> &str {
        "colour-test-v1"
    }

    async fn embed(&self, inputs: &[EmbedInput], task: EmbedTask, _: Duration) -> Result<Embedded> {
        let failure = {
            let mut state = self.state();
            state.calls.push((inputs.len(), task));
            if state.failures.is_empty() {
                None
            } else {
                Some(state.failures.remove(0))
            }
        };
        if let Some(Failure::Call(code)) = failure {
            return Err(Error::new(code, "told to fail"));
        }
        let mut outcomes: Vec<_> = inputs.iter().map(vector).collect();
        match (failure, outcomes.first_mut()) {
            (Some(Failure::FirstInput(code)), Some(first)) => {
                *first = Err(Error::new(code, "told to fail"));
            }
            (Some(Failure::BadVector), Some(first)) => *first = Ok(vec![1.0]),
            _ => {}
        }
        let count = i64::try_from(inputs.len()).unwrap_or(i64::MAX);
        let usage = EmbedUsage {
            total_tokens: 10 * count,
            prompt_tokens: 3 * count,
            image_tokens: 7 * count,
        };
        Ok(Embedded {
            outcomes,
            usage,
            provider_request_id: Some("test-call".to_owned()),
        })
    }
}

fn vector(input: &EmbedInput) -> Result<Vec<f32>> {
    Ok(unit(match input {
        EmbedInput::Text(text) => words(text),
        EmbedInput::Image(image) => picture(&image.webp)?,
        EmbedInput::Fused { image, text } => {
            let (image, text) = (unit(picture(&image.webp)?), unit(words(text)));
            image
                .iter()
                .zip(&text)
                .map(|(image, text)| image + text)
                .collect()
        }
    }))
}

/// The colours that a text names, in the first three dimensions; other words in a few more.
fn words(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0; DIMENSIONS];
    for word in text
        .to_lowercase()
        .split(|letter: char| !letter.is_alphanumeric())
    {
        let slot = match word {
            "" => continue,
            "red" => 0,
            "green" => 1,
            "blue" => 2,
            other => {
                512 + other
                    .bytes()
                    .fold(7_usize, |hash, byte| (hash * 31 + usize::from(byte)) % 500)
            }
        };
        vector[slot] += 1.0;
    }
    vector[DIMENSIONS - 1] += 1e-3;
    vector
}

fn picture(webp: &[u8]) -> Result<Vec<f32>> {
    let decoded = image::load_from_memory(webp).map_err(|error| {
        Error::new(
            ErrorCode::ProviderRejectedImage,
            "the preview does not decode",
        )
        .because(error)
    })?;
    let small = decoded.to_rgb8();
    let small = image::imageops::thumbnail(&small, GRID, GRID);
    let mut vector = vec![0.0; DIMENSIONS];
    for (cell, pixel) in small.pixels().enumerate() {
        for (channel, value) in pixel.0.iter().enumerate() {
            let value = f32::from(*value) / 255.0;
            vector[channel] += value / 16.0;
            vector[8 + cell * 3 + channel] = value * 0.1;
        }
    }
    vector[DIMENSIONS - 1] += 1e-3;
    Ok(vector)
}

fn unit(vector: Vec<f32>) -> Vec<f32> {
    let norm = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    vector.into_iter().map(|value| value / norm).collect()
}
