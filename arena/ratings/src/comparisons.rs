//! The comparisons of engines in a ranking.

use super::interval::Estimate;
use super::options::Superiority;

/// The comparisons of every engine of a ranking with the ones below it: with the next one, or with
/// all.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Comparisons {
    /// For every rank, the comparisons with the next ranks.
    with_next: Vec<Vec<Comparison>>,
}

/// One engine compared with a lower-ranked one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Comparison {
    /// Its lead.
    pub(super) lead: Estimate,
    /// The probability that it is stronger.
    pub(super) los: f64,
}

impl Comparisons {
    /// Compares the engines of a ranking, given by their places; `comparison` compares two.
    pub(super) fn new(
        ranking: &[usize],
        superiority: Superiority,
        comparison: impl Fn(usize, usize) -> Comparison,
    ) -> Comparisons {
        let reach = superiority.reach(ranking.len());
        let of_rank = |(rank, &place): (usize, &usize)| {
            let next = ranking.iter().skip(rank + 1).take(reach);
            next.map(|&other| comparison(place, other)).collect()
        };
        Comparisons { with_next: ranking.iter().enumerate().map(of_rank).collect() }
    }

    /// Whether every two engines of the ranking are compared.
    pub(super) fn are_all(&self) -> bool {
        self.with_next.iter().rev().enumerate().all(|(lower, next)| next.len() == lower)
    }

    /// The comparison of a rank with a lower one.
    pub(super) fn get(&self, rank: usize, lower: usize) -> Option<&Comparison> {
        self.with_next.get(rank)?.get(lower.checked_sub(rank + 1)?)
    }
}
