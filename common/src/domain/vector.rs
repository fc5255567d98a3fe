//! Vectors: which id one has, and whether one may be stored at all.

use sha2::{Digest, Sha256};

use super::status::Representation;
use crate::{
    error::{Error, ErrorCode, Result},
    ids::AssetId,
    limits::DIMENSIONS,
};

/// How far a norm may be from 1.
const NORM_TOLERANCE: f64 = 0.02;

/// The id of the vector of one asset, representation, model and size (§10.2): SHA-256 in lowercase hex.
/// Writing a vector again therefore writes over the old one.
#[must_use]
pub fn vector_id(
    asset: &AssetId,
    representation: Representation,
    model: &str,
    dimensions: usize,
) -> String {
    hex::encode(Sha256::digest(format!(
        "asset-v1::{asset}::{representation}::{model}::{dimensions}"
    )))
}

/// Checks what a provider gave: `limits::DIMENSIONS` finite values of norm 1 ± 0.02.
///
/// # Errors
/// `bad_vector`, which no repeat mends.
pub fn validate(vector: &[f32]) -> Result<()> {
    let bad = |problem: String| Err(Error::new(ErrorCode::BadVector, problem));
    if vector.len() != DIMENSIONS {
        return bad(format!(
            "a vector has {} values instead of {DIMENSIONS}",
            vector.len()
        ));
    }
    if !vector.iter().all(|value| value.is_finite()) {
        return bad("a vector holds a value that is not finite".to_owned());
    }
    let norm = vector
        .iter()
        .map(|value| f64::from(*value).powi(2))
        .sum::<f64>()
        .sqrt();
    if (norm - 1.0).abs() > NORM_TOLERANCE {
        return bad(format!("a vector has the norm {norm:.3} instead of 1"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn along_one_axis(length: f32) -> Vec<f32> {
        let mut vector = vec![0.0; DIMENSIONS];
        vector[7] = length;
        vector
    }

    #[test]
    fn the_id_follows_the_formula() {
        let asset: AssetId = "ast_01JZ0000000000000000000000".parse().unwrap();
        let id = vector_id(&asset, Representation::Visual, "m", 1024);
        let text = "asset-v1::ast_01JZ0000000000000000000000::visual::m::1024";
        assert_eq!(id, hex::encode(Sha256::digest(text)));
        assert_eq!(id.len(), 64);
        assert_ne!(id, vector_id(&asset, Representation::Fused, "m", 1024));
        assert_ne!(id, vector_id(&asset, Representation::Visual, "n", 1024));
    }

    #[test]
    fn only_finite_unit_vectors_of_the_right_size_pass() {
        for length in [1.0, -1.0, 0.981, 1.019] {
            assert!(validate(&along_one_axis(length)).is_ok(), "{length}");
        }
        let mut bad: Vec<Vec<f32>> = [
            0.0,
            0.97,
            1.03,
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::MAX,
        ]
        .map(along_one_axis)
        .to_vec();
        bad.push(vec![]);
        bad.push(along_one_axis(1.0)[..DIMENSIONS - 1].to_vec());
        bad.push([along_one_axis(1.0), vec![0.0]].concat());
        for vector in bad {
            assert_eq!(validate(&vector).unwrap_err().code(), ErrorCode::BadVector);
        }
    }

    proptest! {
        #[test]
        fn every_normalized_vector_passes(values in proptest::collection::vec(-1.0_f32..1.0, DIMENSIONS)) {
            let norm = values.iter().map(|value| value * value).sum::<f32>().sqrt();
            prop_assume!(norm > 0.1);
            let unit: Vec<f32> = values.iter().map(|value| value / norm).collect();
            prop_assert!(validate(&unit).is_ok());
        }
    }
}
