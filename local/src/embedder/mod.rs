//! `local-conse-v1`: the embedder that needs no account, an ImageNet classifier and a sentence model joined
//! by ConSE.
//!
//! It finds common objects and similar pictures. It knows no people, logos, maps or drawings, it reads no
//! writing, and its scores do not say "not found": whoever shows its results says that it is no full
//! substitute for a hosted model.
//!
//! Texts longer than 256 tokens are read up to there. Pictures use no tokens; a text's are those of the
//! tokenizer, the two that frame it included.

mod conse;
mod labels;
mod networks;
mod picture;
mod projection;

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use async_trait::async_trait;
use common::{
    error::{Error, ErrorCode, Result},
    ports::{EmbedImage, EmbedInput, EmbedOutcome, EmbedTask, EmbedUsage, Embedded, Embedder},
};

use self::{
    conse::ImageParts,
    labels::Labels,
    networks::{Seen, Sentences, Vision},
    projection::Projection,
};

/// Name of the model, as rows carry it.
pub const MODEL: &str = "local-conse-v1";

/// The local embedder. Calls take turns, each on a blocking thread; clones share one set of models.
#[derive(Clone)]
pub struct LocalConse {
    models: Arc<Mutex<Models>>,
}

/// Everything that a call needs.
struct Models {
    vision: Vision,
    sentences: Sentences,
    labels: Labels,
    projection: Projection,
}

impl LocalConse {
    /// Loads the models from the directory where [`crate::bring::models`] put them. The first load of a
    /// directory reads all class names, which takes some seconds of CPU; later ones a fraction of one.
    ///
    /// # Errors
    /// `provider_unavailable`, with one sentence that says the remedy.
    pub async fn load(dir: &Path) -> Result<Self> {
        let dir = dir.to_owned();
        blocking(move || Models::load(&dir))
            .await
            .map(|models| Self {
                models: Arc::new(Mutex::new(models)),
            })
    }

    /// The name of the class that the image network finds likeliest: what the local model takes a picture for.
    ///
    /// # Errors
    /// `provider_rejected_image` for bytes that are no picture.
    pub async fn label(&self, image: &EmbedImage) -> Result<String> {
        let (models, image) = (Arc::clone(&self.models), image.clone());
        blocking(move || {
            let mut models = models.lock().unwrap_or_else(PoisonError::into_inner);
            let seen = models.look(&image)?;
            Ok(models.labels.names[conse::likeliest_class(&seen.logits)].clone())
        })
        .await
    }
}

#[async_trait]
impl Embedder for LocalConse {
    fn model(&self) -> &str {
        MODEL
    }

    async fn embed(
        &self,
        inputs: &[EmbedInput],
        task: EmbedTask,
        deadline: Duration,
    ) -> Result<Embedded> {
        let (models, inputs) = (Arc::clone(&self.models), inputs.to_vec());
        let end = Instant::now() + deadline;
        let work = blocking(move || {
            let mut models = models.lock().unwrap_or_else(PoisonError::into_inner);
            models.embed(&inputs, task, end)
        });
        tokio::time::timeout(deadline, work)
            .await
            .unwrap_or_else(|_elapsed| Err(too_slow()))
    }
}

impl Models {
    fn load(dir: &Path) -> Result<Self> {
        let mut sentences = Sentences::load(dir)?;
        let labels = Labels::load(dir, &mut sentences)?;
        Ok(Self {
            vision: Vision::load(dir)?,
            sentences,
            labels,
            projection: Projection::new(),
        })
    }

    /// Embeds one input after the other; gives up at `end`, so that an abandoned call frees the models.
    fn embed(&mut self, inputs: &[EmbedInput], task: EmbedTask, end: Instant) -> Result<Embedded> {
        let mut usage = EmbedUsage::default();
        let mut outcomes = Vec::with_capacity(inputs.len());
        for input in inputs {
            if Instant::now() >= end {
                return Err(too_slow());
            }
            outcomes.push(self.embed_one(input, task, &mut usage));
        }
        usage.total_tokens = usage.prompt_tokens + usage.image_tokens;
        Ok(Embedded {
            outcomes,
            usage,
            provider_request_id: None,
        })
    }

    fn embed_one(
        &mut self,
        input: &EmbedInput,
        task: EmbedTask,
        usage: &mut EmbedUsage,
    ) -> EmbedOutcome {
        match input {
            EmbedInput::Text(text) => conse::words(&self.read(text, usage)?),
            EmbedInput::Image(image) => conse::image(&self.parts(image)?),
            EmbedInput::Fused { image, text } => {
                let parts = self.parts(image)?;
                let text = self.read(text, usage)?;
                match task {
                    EmbedTask::Passage => conse::fused_passage(parts, &text),
                    EmbedTask::Query => conse::fused_query(&parts, &text),
                }
            }
        }
    }

    fn read(&mut self, text: &str, usage: &mut EmbedUsage) -> Result<Vec<f32>> {
        let read = self.sentences.read(text)?;
        usage.prompt_tokens += read.tokens;
        conse::unit(read.vector)
    }

    fn look(&mut self, image: &EmbedImage) -> Result<Seen> {
        self.vision.look(&picture::tensor(&image.webp)?)
    }

    fn parts(&mut self, image: &EmbedImage) -> Result<ImageParts> {
        let seen = self.look(image)?;
        let text = conse::text_part(&seen.logits, &self.labels.vectors)?;
        Ok(ImageParts {
            text,
            features: conse::unit(self.projection.apply(&seen.features))?,
        })
    }
}

fn too_slow() -> Error {
    Error::new(
        ErrorCode::ProviderUnavailable,
        "the local embedder did not finish in time",
    )
}

/// Runs `work` where it may block; a panic in it is an internal error.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(Error::internal)?
}
