//! `local-conse-v1` on real photographs.

use std::{collections::HashSet, time::Duration};

use bytes::Bytes;
use common::{
    error::{Error, ErrorCode},
    limits::DIMENSIONS,
    ports::{EmbedImage, EmbedInput, EmbedTask, Embedded, Embedder},
};
use local::{bring, embedder::LocalConse};
use tokio::sync::OnceCell;

use crate::{dev, photos};

const MINUTE: Duration = Duration::from_secs(60);

async fn embedder() -> &'static LocalConse {
    static LOADED: OnceCell<LocalConse> = OnceCell::const_new();
    LOADED
        .get_or_init(async || {
            bring::models(&dev(), &|line| println!("{line}"))
                .await
                .unwrap();
            LocalConse::load(&dev().models()).await.unwrap()
        })
        .await
}

async fn embed(inputs: &[EmbedInput], task: EmbedTask) -> Embedded {
    embedder().await.embed(inputs, task, MINUTE).await.unwrap()
}

async fn vectors(inputs: &[EmbedInput], task: EmbedTask) -> Vec<Vec<f32>> {
    let embedded = embed(inputs, task).await;
    assert_eq!(embedded.outcomes.len(), inputs.len());
    embedded.outcomes.into_iter().map(Result::unwrap).collect()
}

async fn question(text: &str) -> Vec<f32> {
    vectors(&[EmbedInput::Text(text.into())], EmbedTask::Query)
        .await
        .remove(0)
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn images() -> Vec<EmbedInput> {
    photos::previews()
        .into_iter()
        .map(EmbedInput::Image)
        .collect()
}

/// Names of the photographs, nearest first.
fn ranked(question: &[f32], passages: &[Vec<f32>]) -> Vec<&'static str> {
    let mut ranked: Vec<_> = photos::NAMES.into_iter().zip(passages).collect();
    ranked.sort_by(|(_, a), (_, b)| dot(question, b).total_cmp(&dot(question, a)));
    ranked.into_iter().map(|(name, _)| name).collect()
}

#[tokio::test]
async fn different_pictures_get_different_labels() {
    let mut labels = HashSet::new();
    for (name, preview) in photos::NAMES.iter().zip(photos::previews()) {
        let label = embedder().await.label(&preview).await.unwrap();
        println!("{name}: {label}");
        labels.insert(label);
    }
    assert!(labels.len() >= 8, "{labels:?}");
}

#[tokio::test]
async fn words_find_the_picture_that_they_describe() {
    let passages = vectors(&images(), EmbedTask::Passage).await;
    for (words, expected) in [
        ("a cat", "chelsea.png"),
        ("a cup of coffee", "coffee.png"),
        ("a rocket launch", "rocket.jpg"),
    ] {
        assert_eq!(
            ranked(&question(words).await, &passages)[0],
            expected,
            "{words}"
        );
    }
}

#[tokio::test]
async fn an_altered_picture_finds_its_original() {
    let passages = vectors(&images(), EmbedTask::Passage).await;
    for name in photos::NAMES {
        let whole = photos::pixels(name);
        let (width, height) = (whole.width(), whole.height());
        let part = whole.crop_imm(width / 10, height / 10, width * 8 / 10, height * 8 / 10);
        let altered = EmbedInput::Image(photos::preview(&part));
        let question = vectors(&[altered], EmbedTask::Query).await.remove(0);
        assert_eq!(ranked(&question, &passages)[0], name);
    }
}

#[tokio::test]
async fn vectors_are_of_length_one_and_always_the_same() {
    let inputs = [
        images(),
        vec![
            EmbedInput::Text("a cat".into()),
            fused("chelsea.png", "Chelsea"),
        ],
    ]
    .concat();
    let first = vectors(&inputs, EmbedTask::Passage).await;
    for vector in &first {
        assert_eq!(vector.len(), DIMENSIONS);
        assert!(vector.iter().all(|value| value.is_finite()));
        assert!((dot(vector, vector) - 1.0).abs() < 1e-4);
    }
    let second = LocalConse::load(&dev().models()).await.unwrap();
    for (input, vector) in inputs.iter().zip(&first) {
        let again = second
            .embed(std::slice::from_ref(input), EmbedTask::Passage, MINUTE)
            .await
            .unwrap();
        assert_eq!(
            again.outcomes[0].as_ref().unwrap(),
            vector,
            "whatever else is in the call"
        );
    }
}

fn fused(name: &str, text: &str) -> EmbedInput {
    EmbedInput::Fused {
        image: photos::preview(&photos::pixels(name)),
        text: text.into(),
    }
}

#[tokio::test]
async fn words_of_a_passage_make_it_findable_by_them() {
    let image = EmbedInput::Image(photos::preview(&photos::pixels("brick.png")));
    let [plain, described] = vectors(
        &[image, fused("brick.png", "my grandmother's bakery")],
        EmbedTask::Passage,
    )
    .await
    .try_into()
    .unwrap();
    let words = question("the bakery of grandmother").await;
    assert!(dot(&words, &described) > dot(&words, &plain) + 0.1);
    assert!(dot(&plain, &described) > 0.5, "the picture still counts");
}

#[tokio::test]
async fn a_question_by_picture_and_words_lies_halfway() {
    let image = EmbedInput::Image(photos::preview(&photos::pixels("chelsea.png")));
    let text = EmbedInput::Text("on a sofa".into());
    let [picture, words, both] = vectors(
        &[image, text, fused("chelsea.png", "on a sofa")],
        EmbedTask::Query,
    )
    .await
    .try_into()
    .unwrap();
    let mean: Vec<f32> = picture.iter().zip(&words).map(|(a, b)| a + b).collect();
    let length = dot(&mean, &mean).sqrt();
    assert!(
        both.iter()
            .zip(&mean)
            .all(|(both, mean)| (both - mean / length).abs() < 1e-5)
    );
}

#[tokio::test]
async fn a_broken_picture_fails_alone_and_tokens_are_counted() {
    let broken = || EmbedImage {
        webp: Bytes::from_static(b"RIFF\x00\x00\x00\x00WEBP"),
    };
    let inputs = [
        EmbedInput::Text("a cat".into()),
        EmbedInput::Image(broken()),
        EmbedInput::Fused {
            image: broken(),
            text: "words".into(),
        },
        EmbedInput::Image(photos::preview(&photos::pixels("coffee.png"))),
    ];
    let embedded = embed(&inputs, EmbedTask::Passage).await;
    let codes: Vec<_> = embedded
        .outcomes
        .iter()
        .map(|outcome| outcome.as_ref().err().map(Error::code))
        .collect();
    let rejected = Some(ErrorCode::ProviderRejectedImage);
    assert_eq!(codes, [None, rejected, rejected, None]);
    // "a", "cat" and the two that frame them.
    let usage = embedded.usage;
    assert_eq!(
        (usage.total_tokens, usage.prompt_tokens, usage.image_tokens),
        (4, 4, 0)
    );
}

#[tokio::test]
async fn long_and_empty_texts_are_read_within_bounds() {
    let texts =
        ["", "word ".repeat(5_000).as_str(), "猫 🐈"].map(|text| EmbedInput::Text(text.into()));
    let embedded = embed(&texts, EmbedTask::Passage).await;
    assert!(embedded.outcomes.iter().all(Result::is_ok));
    assert!(
        (256..300).contains(&embedded.usage.prompt_tokens),
        "{:?}",
        embedded.usage
    );
}

#[tokio::test]
async fn a_call_without_time_is_given_up() {
    let call = embedder()
        .await
        .embed(&images(), EmbedTask::Passage, Duration::ZERO)
        .await;
    assert_eq!(call.unwrap_err().code(), ErrorCode::ProviderUnavailable);
}

#[tokio::test]
async fn missing_models_are_one_sentence_with_a_remedy() {
    let empty = tempfile::tempdir().unwrap();
    let error = LocalConse::load(empty.path()).await.err().unwrap();
    assert_eq!(error.code(), ErrorCode::ProviderUnavailable);
    assert!(
        error.message().contains("fetch the models anew"),
        "{}",
        error.message()
    );
}
