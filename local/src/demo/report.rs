//! What the demo found: a readable table, and whether it is good enough.

use super::queries::{FIRST, R1_MIN, R3_MIN};

/// One question and its answer.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    /// What was asked, as shown.
    pub(super) asked: String,
    /// File name of the photograph that should come first.
    pub(super) wanted: String,
    /// File name, score and representations of the best results, best first.
    pub(super) results: Vec<(String, f64, String)>,
    /// Milliseconds of the call.
    pub(super) millis: u128,
}

impl Answer {
    /// Place of the wanted photograph among the results, from 1.
    #[must_use]
    fn rank(&self) -> Option<usize> {
        self.results
            .iter()
            .position(|(name, ..)| *name == self.wanted)
            .map(|place| place + 1)
    }

    fn within(&self, places: usize) -> bool {
        self.rank().is_some_and(|rank| rank <= places)
    }
}

/// The answers as a table.
#[must_use]
pub(super) fn table(title: &str, answers: &[Answer]) -> String {
    let mut lines = vec![
        format!("\n{title}"),
        format!(
            "{:<40}  {:<5}  {:>5}  best results (score, matched)",
            "asked", "rank", "ms"
        ),
    ];
    for answer in answers {
        let best: Vec<String> = answer
            .results
            .iter()
            .take(3)
            .map(|(name, score, matched)| format!("{name} ({score:.3}, {matched})"))
            .collect();
        let rank = answer
            .rank()
            .map_or_else(|| "-".to_owned(), |rank| rank.to_string());
        lines.push(format!(
            "{:<40}  {:<5}  {:>5}  {}",
            answer.asked,
            rank,
            answer.millis,
            best.join("  ")
        ));
    }
    let count = |places| {
        answers
            .iter()
            .filter(|answer| answer.within(places))
            .count()
    };
    let total = answers.len();
    lines.push(format!(
        "R@1 {}/{total}   R@3 {}/{total}",
        count(1),
        count(3)
    ));
    lines.join("\n")
}

/// What is not good enough, in sentences; empty when all is.
#[must_use]
pub(super) fn shortcomings(by_words: &[Answer], by_copy: &[Answer]) -> Vec<String> {
    let mut faults = Vec::new();
    let count = |places| {
        by_words
            .iter()
            .filter(|answer| answer.within(places))
            .count()
    };
    if count(1) < R1_MIN {
        faults.push(format!(
            "R@1 is {} and should be at least {R1_MIN}",
            count(1)
        ));
    }
    if count(3) < R3_MIN {
        faults.push(format!(
            "R@3 is {} and should be at least {R3_MIN}",
            count(3)
        ));
    }
    for name in FIRST {
        if !by_words
            .iter()
            .any(|answer| answer.wanted == name && answer.within(1))
        {
            faults.push(format!("{name} should be first for its question"));
        }
    }
    for answer in by_copy.iter().filter(|answer| !answer.within(1)) {
        faults.push(format!(
            "the altered copy of {} does not find it first",
            answer.wanted
        ));
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::{super::queries::QUERIES, *};

    fn answer(wanted: &str, first: &str) -> Answer {
        let results = vec![
            (first.to_owned(), 0.5, "visual".to_owned()),
            (wanted.to_owned(), 0.4, "visual".to_owned()),
        ];
        Answer {
            asked: "x".to_owned(),
            wanted: wanted.to_owned(),
            results,
            millis: 1,
        }
    }

    #[test]
    fn all_first_is_good_enough() {
        let all: Vec<_> = QUERIES.iter().map(|(name, _)| answer(name, name)).collect();
        assert!(shortcomings(&all, &all).is_empty());
        assert!(table("t", &all).contains("R@1 10/10"));
    }

    #[test]
    fn each_shortcoming_is_told() {
        let all: Vec<_> = QUERIES
            .iter()
            .map(|(name, _)| answer(name, "other.png"))
            .collect();
        let faults = shortcomings(&all, &all);
        // R@1, three that must be first, ten copies.
        assert_eq!(faults.len(), 1 + FIRST.len() + 10, "{faults:?}");
        assert!(shortcomings(&all[..0], &[]).len() >= 2);
    }
}
