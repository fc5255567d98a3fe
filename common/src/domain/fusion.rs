//! Reciprocal rank fusion: one order out of the answers of several searches.
//!
//! Cosines of two representations are not comparable, ranks are. Each asset comes out once, and the order
//! is total: the same hits give the same page, in whatever order the searches answered.

use std::{cmp::Ordering, collections::BTreeMap};

use super::status::Representation;
use crate::{
    error::{Error, Result},
    ids::AssetId,
    limits::SEARCH_LEG_MAX,
};

/// How little the first ranks weigh more than those after them.
const RANK_OFFSET: f64 = 60.0;

/// The hits of one search over one representation, in any order.
#[derive(Debug, Clone, PartialEq)]
pub struct Leg {
    /// What was searched. Legs of one representation (one per owner) are ranked as one.
    pub representation: Representation,
    /// Assets with their cosine; of an asset that comes twice, the better cosine counts.
    pub hits: Vec<(AssetId, f32)>,
}

/// One asset of the fused order.
#[derive(Debug, Clone, PartialEq)]
pub struct FusedHit {
    /// The asset.
    pub asset_id: AssetId,
    /// Its best cosine, which is what callers see.
    pub score: f32,
    /// The sum of 1 / (60 + rank), which is what orders.
    pub fused: f64,
    /// Where it was found, one entry per representation.
    pub matches: Vec<Match>,
}

/// One representation in which an asset was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Match {
    /// The representation.
    pub representation: Representation,
    /// Its place among that representation's hits, from 1.
    pub rank: usize,
    /// Its cosine there.
    pub cosine: f32,
}

/// Fuses the legs: descending by fused sum, then by best cosine, then ascending by id. At most
/// `limits::SEARCH_LEG_MAX` hits of each representation count.
///
/// # Errors
/// `internal` for a cosine that is not finite: it could not be ordered.
pub fn fuse(legs: &[Leg]) -> Result<Vec<FusedHit>> {
    let mut found: BTreeMap<&AssetId, Vec<Match>> = BTreeMap::new();
    for (representation, cosines) in best_cosines(legs)? {
        let mut ranked: Vec<(&AssetId, f32)> = cosines.into_iter().collect();
        // Stable: hits of equal cosine stay in the order of their ids.
        ranked.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        for (place, (asset, cosine)) in ranked.into_iter().take(SEARCH_LEG_MAX).enumerate() {
            found.entry(asset).or_default().push(Match {
                representation,
                rank: place + 1,
                cosine,
            });
        }
    }
    let mut fused: Vec<FusedHit> = found
        .into_iter()
        .map(|(asset, matches)| hit(asset, matches))
        .collect();
    fused.sort_by(order);
    Ok(fused)
}

type Cosines<'a> = BTreeMap<&'a AssetId, f32>;

fn best_cosines(legs: &[Leg]) -> Result<BTreeMap<Representation, Cosines<'_>>> {
    let mut all: BTreeMap<Representation, Cosines<'_>> = BTreeMap::new();
    for leg in legs {
        let cosines = all.entry(leg.representation).or_default();
        for (asset, cosine) in &leg.hits {
            if !cosine.is_finite() {
                return Err(Error::internal("a search gave a cosine that is not finite"));
            }
            // Adding zero turns -0.0 into 0.0, which `total_cmp` would tell apart.
            let cosine = *cosine + 0.0;
            cosines
                .entry(asset)
                .and_modify(|best| *best = best.max(cosine))
                .or_insert(cosine);
        }
    }
    Ok(all)
}

fn hit(asset: &AssetId, matches: Vec<Match>) -> FusedHit {
    let weight = |m: &Match| 1.0 / (RANK_OFFSET + m.rank as f64);
    FusedHit {
        asset_id: asset.clone(),
        score: matches
            .iter()
            .map(|m| m.cosine)
            .fold(f32::NEG_INFINITY, f32::max),
        fused: matches.iter().map(weight).sum(),
        matches,
    }
}

fn order(one: &FusedHit, other: &FusedHit) -> Ordering {
    other
        .fused
        .total_cmp(&one.fused)
        .then_with(|| other.score.total_cmp(&one.score))
        .then_with(|| one.asset_id.cmp(&other.asset_id))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;
    use crate::error::ErrorCode;

    fn asset(n: usize) -> AssetId {
        format!("ast_01JZ{n:022}").parse().unwrap()
    }

    fn leg(representation: Representation, hits: &[(usize, f32)]) -> Leg {
        Leg {
            representation,
            hits: hits
                .iter()
                .map(|(n, cosine)| (asset(*n), *cosine))
                .collect(),
        }
    }

    fn order_of(legs: &[Leg]) -> Vec<AssetId> {
        fuse(legs)
            .unwrap()
            .into_iter()
            .map(|hit| hit.asset_id)
            .collect()
    }

    #[test]
    fn ranks_are_summed_and_the_best_cosine_is_the_score() {
        let legs = [
            leg(Representation::Visual, &[(1, 0.9), (2, 0.8)]),
            leg(Representation::Fused, &[(3, 0.5), (2, 0.85)]),
        ];
        let hits = fuse(&legs).unwrap();
        assert_eq!(
            hits.iter()
                .map(|hit| hit.asset_id.clone())
                .collect::<Vec<_>>(),
            [2, 1, 3].map(asset)
        );
        assert_eq!(hits[0].score, 0.85);
        assert!((hits[0].fused - (1.0 / 62.0 + 1.0 / 61.0)).abs() < 1e-12);
        let found: Vec<_> = hits[0]
            .matches
            .iter()
            .map(|m| (m.representation, m.rank))
            .collect();
        assert_eq!(
            found,
            [(Representation::Visual, 2), (Representation::Fused, 1)]
        );
    }

    #[test]
    fn ties_go_by_cosine_and_then_by_id() {
        let legs = [
            leg(Representation::Visual, &[(5, 0.7)]),
            leg(Representation::Fused, &[(4, 0.8)]),
        ];
        assert_eq!(order_of(&legs), [4, 5].map(asset));
        let equal = [
            leg(Representation::Visual, &[(5, 0.0)]),
            leg(Representation::Fused, &[(4, -0.0)]),
        ];
        assert_eq!(order_of(&equal), [4, 5].map(asset));
    }

    #[test]
    fn legs_of_two_owners_are_ranked_as_one() {
        let apart = [
            leg(Representation::Visual, &[(1, 0.9), (3, 0.1)]),
            leg(Representation::Visual, &[(2, 0.5), (1, 0.2)]),
        ];
        let together = [leg(Representation::Visual, &[(1, 0.9), (2, 0.5), (3, 0.1)])];
        assert_eq!(fuse(&apart).unwrap(), fuse(&together).unwrap());
    }

    #[test]
    fn a_leg_counts_to_its_limit() {
        let many: Vec<(usize, f32)> = (0..SEARCH_LEG_MAX + 5).map(|n| (n, 0.5)).collect();
        assert_eq!(
            fuse(&[leg(Representation::Visual, &many)]).unwrap().len(),
            SEARCH_LEG_MAX
        );
    }

    #[test]
    fn nothing_gives_nothing_and_no_cosine_is_not_a_number() {
        assert_eq!(fuse(&[]).unwrap(), []);
        for bad in [f32::NAN, f32::INFINITY] {
            let error = fuse(&[leg(Representation::Visual, &[(1, bad)])]).unwrap_err();
            assert_eq!(error.code(), ErrorCode::Internal);
        }
    }

    fn any_legs() -> impl Strategy<Value = Vec<Leg>> {
        // Few cosines, so that ties are frequent.
        let hits = proptest::collection::vec(
            (0usize..30, (-4i8..=4).prop_map(|n| f32::from(n) / 4.0)),
            0..40,
        );
        let one = (any::<bool>(), hits).prop_map(|(visual, hits)| {
            leg(
                if visual {
                    Representation::Visual
                } else {
                    Representation::Fused
                },
                &hits,
            )
        });
        proptest::collection::vec(one, 0..5)
    }

    proptest! {
        #[test]
        fn the_order_of_legs_and_hits_does_not_matter(
            (legs, shuffled) in any_legs().prop_flat_map(|legs| {
                let hits = legs.iter().flat_map(|leg| leg.hits.iter().map(|hit| (leg.representation, hit.clone())));
                (Just(legs.clone()), Just(hits.collect::<Vec<_>>()).prop_shuffle())
            })
        ) {
            let apart: Vec<Leg> =
                shuffled.into_iter().map(|(representation, hit)| Leg { representation, hits: vec![hit] }).collect();
            prop_assert_eq!(fuse(&legs).unwrap(), fuse(&apart).unwrap());
        }

        #[test]
        fn each_asset_comes_once_and_in_order(legs in any_legs()) {
            let hits = fuse(&legs).unwrap();
            let given: HashSet<_> = legs.iter().flat_map(|leg| leg.hits.iter().map(|(asset, _)| asset)).collect();
            let got: HashSet<_> = hits.iter().map(|hit| &hit.asset_id).collect();
            prop_assert_eq!(got.len(), hits.len());
            prop_assert_eq!(got, given);
            prop_assert!(hits.windows(2).all(|pair| order(&pair[0], &pair[1]) == Ordering::Less));
        }

        #[test]
        fn a_better_cosine_never_costs_a_place(
            legs in any_legs().prop_filter("needs a hit", |legs| legs.iter().any(|leg| !leg.hits.is_empty())),
            raise in 0.0_f32..2.0,
            which: prop::sample::Index,
        ) {
            let place = |legs: &[Leg], asset: &AssetId| order_of(legs).iter().position(|a| a == asset).unwrap();
            let full: Vec<usize> = (0..legs.len()).filter(|at| !legs[*at].hits.is_empty()).collect();
            let mut raised = legs.clone();
            let hit = &mut raised[full[which.index(full.len())]].hits[0];
            hit.1 += raise;
            let asset = hit.0.clone();
            prop_assert!(place(&raised, &asset) <= place(&legs, &asset));
        }
    }
}
