//! The fixed random projection of 1280 image features to 640 numbers, which keeps their angles (Johnson and
//! Lindenstrauss).
//!
//! Every entry is +1 or -1, drawn bit by bit from SplitMix64 with one seed: no table is stored, and every
//! machine makes the same. Another seed, order or length would be another model.

/// Features that the image network gives.
pub(super) const FEATURES: usize = 1280;
/// Numbers that are kept of them.
pub(super) const PROJECTED: usize = 640;
/// Where the generator starts.
const SEED: u64 = 0x636f_6e73_655f_7631;
/// Signs that one drawn number holds.
const SIGNS: usize = 64;

/// The signs of the projection, row by row, 64 to a number, lowest bit first; a set bit is a minus.
pub(super) struct Projection(Vec<u64>);

impl Projection {
    /// Draws the signs.
    pub(super) fn new() -> Self {
        let mut state = SEED;
        Self(
            (0..FEATURES * PROJECTED / SIGNS)
                .map(|_| split_mix(&mut state))
                .collect(),
        )
    }

    /// Projects features. The length of the answer is not normalized.
    pub(super) fn apply(&self, features: &[f32]) -> Vec<f32> {
        debug_assert_eq!(features.len(), FEATURES);
        self.0
            .chunks(FEATURES / SIGNS)
            .map(|row| signed_sum(row, features))
            .collect()
    }
}

/// The sum of `features`, each with its sign.
fn signed_sum(signs: &[u64], features: &[f32]) -> f32 {
    // Four sums side by side, for additions that need not wait for each other.
    let mut sums = [0.0_f32; 4];
    for (signs, features) in signs.iter().zip(features.chunks_exact(SIGNS)) {
        let mut signs = *signs;
        for features in features.as_chunks::<4>().0 {
            for (place, (sum, feature)) in sums.iter_mut().zip(features).enumerate() {
                let sign = ((signs >> place) as u32 & 1) << 31;
                *sum += f32::from_bits(feature.to_bits() ^ sign);
            }
            signs >>= 4;
        }
    }
    sums.iter().sum()
}

/// One step of SplitMix64 (Steele, Lea and Flood, 2014).
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers in (-1, 1) that have nothing to do with the projection's own.
    fn numbers(seed: u64) -> Vec<f32> {
        let mut state = seed;
        (0..FEATURES)
            .map(|_| (split_mix(&mut state) >> 40) as f32 / (1_u64 << 23) as f32 - 1.0)
            .collect()
    }

    fn cosine(a: &[f32], b: &[f32]) -> f32 {
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
    }

    #[test]
    fn the_generator_is_the_published_one() {
        let mut state = 1_234_567;
        assert_eq!(split_mix(&mut state), 6_457_827_717_110_365_317);
        assert_eq!(split_mix(&mut state), 3_203_168_211_198_807_973);
    }

    #[test]
    fn the_signs_are_the_same_on_every_machine_and_balanced() {
        let Projection(signs) = Projection::new();
        assert_eq!(signs.len(), 12_800);
        assert_eq!(
            signs
                .iter()
                .fold(0_u64, |all, next| all.rotate_left(7) ^ next),
            FOLDED
        );
        let minus: u32 = signs.iter().map(|signs| signs.count_ones()).sum();
        assert!((minus as i64 - 409_600).abs() < 2_000, "{minus}");
    }

    /// All signs folded into one number; a change of it is a change of the model.
    const FOLDED: u64 = 4_697_593_025_113_078_021;

    #[test]
    fn one_feature_comes_out_with_the_signs_of_its_column() {
        let mut features = vec![0.0; FEATURES];
        features[65] = 2.0;
        let projection = Projection::new();
        let column: Vec<f32> = projection
            .0
            .chunks(20)
            .map(|row| if (row[1] >> 1) & 1 == 0 { 2.0 } else { -2.0 })
            .collect();
        assert_eq!(projection.apply(&features), column);
    }

    #[test]
    fn angles_are_kept() {
        let projection = Projection::new();
        let (one, other) = (numbers(1), numbers(2));
        let between: Vec<f32> = one
            .iter()
            .zip(&other)
            .map(|(a, b)| 0.8 * a + 0.6 * b)
            .collect();
        for (a, b) in [(&one, &other), (&one, &between), (&other, &between)] {
            let kept = cosine(&projection.apply(a), &projection.apply(b));
            assert!(
                (kept - cosine(a, b)).abs() < 0.12,
                "{kept} for {}",
                cosine(a, b)
            );
        }
    }
}
