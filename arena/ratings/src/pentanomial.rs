//! Counts of pairs of games by their combined score.

use serde::Serialize;

use super::pair_score::Score;
use super::tally::{Cell, share};

/// Pairs of games from one engine's view: the same opening twice, with sides swapped.
///
/// The fields are named by the two results in any order: `wd` counts pairs with a win and a draw.
/// There are five possible scores, hence the name; a win with a loss and two draws have the same
/// score but are counted separately. Single games without a partner are not counted.
///
/// ```
/// use fanorona_ratings::Pentanomial;
///
/// let pairs = Pentanomial { ld: 2, wl: 9, wd: 4, ..Pentanomial::default() };
/// assert_eq!(pairs.pairs(), 15);
/// assert_eq!(pairs.points(), 16.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pentanomial {
    /// Both lost.
    pub ll: u64,
    /// One lost, one drawn.
    pub ld: u64,
    /// One won, one lost.
    pub wl: u64,
    /// Both drawn.
    pub dd: u64,
    /// One won, one drawn.
    pub wd: u64,
    /// Both won.
    pub ww: u64,
}

impl Pentanomial {
    /// Adds `count` pairs with these two scores, in any order.
    pub fn add(&mut self, one: Score, other: Score, count: u64) {
        let cell = match (one.min(other), one.max(other)) {
            (Score::Loss, Score::Loss) => &mut self.ll,
            (Score::Loss, Score::Draw) => &mut self.ld,
            (Score::Loss, _) => &mut self.wl,
            (Score::Draw, Score::Draw) => &mut self.dd,
            (Score::Draw, _) => &mut self.wd,
            (Score::Win, _) => &mut self.ww,
        };
        *cell += count;
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.ll + self.ld + self.wl + self.dd + self.wd + self.ww
    }

    /// Points scored, up to two a pair.
    pub fn points(&self) -> f64 {
        0.5 * self.ld as f64
            + (self.wl + self.dd) as f64
            + 1.5 * self.wd as f64
            + 2.0 * self.ww as f64
    }

    /// The score as a fraction of the points, 0 to 1; `None` without pairs.
    pub fn score(&self) -> Option<f64> {
        share(self.points() / 2.0, self.pairs())
    }

    /// The fraction of drawn games, 0 to 1; `None` without pairs.
    pub fn draw_ratio(&self) -> Option<f64> {
        share((self.ld + 2 * self.dd + self.wd) as f64 / 2.0, self.pairs())
    }

    pub(crate) fn cells(&self) -> [Cell; 5] {
        let level = self.wl + self.dd;
        [(0.0, self.ll), (0.25, self.ld), (0.5, level), (0.75, self.wd), (1.0, self.ww)]
            .map(Cell::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_distinguish_games_and_pairs() {
        let pairs = Pentanomial { ll: 1, ld: 1, wl: 1, dd: 1, wd: 1, ww: 1 };
        assert_eq!(pairs.score(), Some(0.5));
        assert_eq!(pairs.draw_ratio(), Some(4.0 / 12.0));
        assert_eq!(Pentanomial::default().score(), None);
    }
}
