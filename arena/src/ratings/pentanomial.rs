//! Pairs of games counted by what both together gave.

use serde::Serialize;

use super::pair_score::Score;
use super::tally::{Cell, share};

/// Pairs of games from one engine's view: the same opening twice, sides swapped.
///
/// The cells are named by the two results in no order: `wd` counts pairs with a win and a draw.
/// Five scores are possible, hence the name; a win with a loss and two draws score the same but are
/// told apart here. Single games without their partner have no place in it.
///
/// ```
/// use fanorona_arena::ratings::Pentanomial;
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
    /// Counts pairs more whose two games gave these scores, in any order.
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

    /// The share of the points, 0 to 1; `None` without pairs.
    pub fn score(&self) -> Option<f64> {
        share(self.points() / 2.0, self.pairs())
    }

    /// The share of games drawn, 0 to 1; `None` without pairs.
    pub fn draw_ratio(&self) -> Option<f64> {
        share((self.ld + 2 * self.dd + self.wd) as f64 / 2.0, self.pairs())
    }

    /// The share of pairs that were level, 0 to 1; `None` without pairs.
    pub fn level_ratio(&self) -> Option<f64> {
        share((self.wl + self.dd) as f64, self.pairs())
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
    fn ratios_count_games_and_pairs_apart() {
        let pairs = Pentanomial { ll: 1, ld: 1, wl: 1, dd: 1, wd: 1, ww: 1 };
        assert_eq!(pairs.score(), Some(0.5));
        assert_eq!(pairs.draw_ratio(), Some(4.0 / 12.0));
        assert_eq!(pairs.level_ratio(), Some(2.0 / 6.0));
        assert_eq!(Pentanomial::default().score(), None);
    }
}
