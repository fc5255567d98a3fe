//! The arithmetic of ConSE (Norouzi et al., 2013): an image is described in words' space by the classes that a
//! classifier finds likely, and keeps its own features beside that.
//!
//! A vector is `[sqrt(w) * text part | sqrt(1 - w) * feature part]`, w one half. Words alone have zeros for
//! features, so that they rank images by the text part alone, and images rank images by both.

use common::{
    error::{Error, ErrorCode, Result},
    limits::DIMENSIONS,
};

use super::projection::PROJECTED;

/// Dimensions of a sentence's embedding.
pub(super) const TEXT: usize = 384;
/// Classes that the image network knows.
pub(super) const CLASSES: usize = 1000;
/// Likeliest classes that describe an image.
const TOP: usize = 20;
/// Square root of the weight of either half.
const HALF: f32 = std::f32::consts::FRAC_1_SQRT_2;

const _: () = assert!(TEXT + PROJECTED == DIMENSIONS);

/// An image in two unit vectors.
pub(super) struct ImageParts {
    /// Where its likely classes lie among sentences; [`TEXT`] numbers.
    pub(super) text: Vec<f32>,
    /// Its projected features; [`PROJECTED`] numbers.
    pub(super) features: Vec<f32>,
}

/// The text part of an image: the likeliest classes' `labels`, each times the square root of its probability.
/// `labels` holds one embedding of [`TEXT`] numbers a class, in the order of `logits`.
pub(super) fn text_part(logits: &[f32], labels: &[f32]) -> Result<Vec<f32>> {
    let mut sum = vec![0.0; TEXT];
    for (class, probability) in likeliest(&softmax(logits)) {
        let weight = probability.sqrt();
        for (sum, label) in sum
            .iter_mut()
            .zip(&labels[class * TEXT..(class + 1) * TEXT])
        {
            *sum += weight * label;
        }
    }
    unit(sum)
}

/// The [`TOP`] likeliest classes with their probabilities, likeliest first; equals in the classes' order.
fn likeliest(probabilities: &[f32]) -> Vec<(usize, f32)> {
    let mut classes: Vec<(usize, f32)> = probabilities.iter().copied().enumerate().collect();
    classes.sort_by(|(a, left), (b, right)| right.total_cmp(left).then(a.cmp(b)));
    classes.truncate(TOP);
    classes
}

/// The likeliest class.
pub(super) fn likeliest_class(logits: &[f32]) -> usize {
    likeliest(logits).first().map_or(0, |(class, _)| *class)
}

/// Probabilities of logits.
fn softmax(logits: &[f32]) -> Vec<f32> {
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers: Vec<f32> = logits.iter().map(|logit| (logit - largest).exp()).collect();
    let sum: f32 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}

/// The vector of words alone.
pub(super) fn words(text: &[f32]) -> Result<Vec<f32>> {
    let mut vector = text.to_vec();
    vector.resize(DIMENSIONS, 0.0);
    unit(vector)
}

/// The vector of an image alone.
pub(super) fn image(parts: &ImageParts) -> Result<Vec<f32>> {
    unit(
        parts
            .text
            .iter()
            .chain(&parts.features)
            .map(|value| value * HALF)
            .collect(),
    )
}

/// The vector of a stored image with its words: the words pull its text part halfway to themselves.
pub(super) fn fused_passage(parts: ImageParts, text: &[f32]) -> Result<Vec<f32>> {
    image(&ImageParts {
        text: middle(&parts.text, text)?,
        features: parts.features,
    })
}

/// The vector of a question by image and words: halfway between the two questions.
pub(super) fn fused_query(parts: &ImageParts, text: &[f32]) -> Result<Vec<f32>> {
    middle(&image(parts)?, &words(text)?)
}

/// The unit vector halfway between two.
fn middle(a: &[f32], b: &[f32]) -> Result<Vec<f32>> {
    unit(a.iter().zip(b).map(|(a, b)| a + b).collect())
}

/// The vector at length one; `bad_vector` when it has no direction.
pub(super) fn unit(mut vector: Vec<f32>) -> Result<Vec<f32>> {
    let length = vector
        .iter()
        .map(|value| f64::from(*value).powi(2))
        .sum::<f64>()
        .sqrt();
    if !length.is_finite() || length < 1e-6 {
        return Err(Error::new(
            ErrorCode::BadVector,
            "the local embedder gave a vector without direction",
        ));
    }
    for value in &mut vector {
        *value = (f64::from(*value) / length) as f32;
    }
    Ok(vector)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(length: usize, at: usize) -> Vec<f32> {
        let mut vector = vec![0.0; length];
        vector[at] = 1.0;
        vector
    }

    fn dot(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    /// Class `n` is described by axis `n % TEXT`.
    fn labels() -> Vec<f32> {
        (0..CLASSES)
            .flat_map(|class| axis(TEXT, class % TEXT))
            .collect()
    }

    #[test]
    fn likely_classes_weigh_by_the_root_of_their_probability() {
        let mut logits = vec![-100.0; CLASSES];
        (logits[3], logits[7]) = (0.8_f32.ln(), 0.2_f32.ln());
        let text = text_part(&logits, &labels()).unwrap();
        assert!((text[3] - 0.8_f32.sqrt()).abs() < 1e-5, "{}", text[3]);
        assert!((text[7] - 0.2_f32.sqrt()).abs() < 1e-5, "{}", text[7]);
        assert_eq!(likeliest_class(&logits), 3);
    }

    #[test]
    fn only_the_twenty_likeliest_classes_count() {
        let logits: Vec<f32> = (0..CLASSES).map(|class| -(class as f32) / 1000.0).collect();
        let text = text_part(&logits, &labels()).unwrap();
        assert_eq!(text.iter().filter(|value| **value > 0.0).count(), TOP);
        assert!(text[19] > 0.0 && text[20] == 0.0);
    }

    #[test]
    fn large_logits_do_not_overflow() {
        let probabilities = softmax(&[1000.0, 999.0, -1000.0]);
        assert!((probabilities.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!(probabilities[0] > 0.7 && probabilities[2] == 0.0);
    }

    #[test]
    fn words_meet_an_images_text_part_and_images_meet_by_both() {
        let parts = |text, features| ImageParts {
            text: axis(TEXT, text),
            features: axis(PROJECTED, features),
        };
        let cat = image(&parts(0, 0)).unwrap();
        assert!((dot(&words(&axis(TEXT, 0)).unwrap(), &cat) - HALF).abs() < 1e-6);
        assert!(dot(&words(&axis(TEXT, 1)).unwrap(), &cat).abs() < 1e-6);
        assert!((dot(&image(&parts(0, 1)).unwrap(), &cat) - 0.5).abs() < 1e-6);
        assert!((dot(&image(&parts(1, 0)).unwrap(), &cat) - 0.5).abs() < 1e-6);
    }

    #[test]
    fn a_fused_passage_is_found_by_its_picture_and_by_its_words() {
        let parts = || ImageParts {
            text: axis(TEXT, 0),
            features: axis(PROJECTED, 5),
        };
        let passage = fused_passage(parts(), &axis(TEXT, 1)).unwrap();
        for word in [0, 1] {
            assert!((dot(&passage, &words(&axis(TEXT, word)).unwrap()) - 0.5).abs() < 1e-6);
        }
        assert!((passage[TEXT + 5] - HALF).abs() < 1e-6);
    }

    #[test]
    fn a_fused_question_lies_halfway_between_its_two_questions() {
        let parts = ImageParts {
            text: axis(TEXT, 0),
            features: axis(PROJECTED, 5),
        };
        let text = axis(TEXT, 1);
        let question = fused_query(&parts, &text).unwrap();
        let to_image = dot(&question, &image(&parts).unwrap());
        let to_words = dot(&question, &words(&text).unwrap());
        assert!((to_image - to_words).abs() < 1e-6);
        assert!((dot(&question, &question) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_vector_without_direction_is_refused() {
        for vector in [vec![0.0; 4], vec![f32::NAN, 1.0], vec![f32::INFINITY, 1.0]] {
            assert_eq!(unit(vector).unwrap_err().code(), ErrorCode::BadVector);
        }
    }
}
