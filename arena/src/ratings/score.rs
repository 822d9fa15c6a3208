//! Statistics of one match: two engines, counted results.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

use super::pentanomial::Pentanomial;
use super::{ELO_PER_LOG_ODDS, Z95};

/// Normalized Elo in one unit of score over its standard deviation per game (Van den Bergh,
/// "Normalized Elo"; fishtest and fastchess use the same scale).
pub(crate) const NORMALIZED_ELO: f64 = 2.0 * ELO_PER_LOG_ODDS;

/// Wins, draws and losses from one engine's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// The number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points scored, a draw being half a point.
    pub fn points(&self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// Points left to the opponents.
    pub fn conceded(&self) -> f64 {
        self.losses as f64 + 0.5 * self.draws as f64
    }

    /// The share of the points, 0 to 1; `None` without games.
    pub fn score(&self) -> Option<f64> {
        share(self.points(), self.games())
    }

    /// The share of games drawn, 0 to 1; `None` without games.
    pub fn draw_ratio(&self) -> Option<f64> {
        share(self.draws as f64, self.games())
    }

    /// The same games from the other side.
    pub fn reversed(&self) -> Tally {
        Tally { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// Adds other games.
    pub fn add(&mut self, other: Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }

    pub(crate) fn cells(&self) -> [Cell; 3] {
        [(0.0, self.losses), (0.5, self.draws), (1.0, self.wins)].map(Cell::from)
    }
}

pub(super) fn share(part: f64, of: u64) -> Option<f64> {
    (of > 0).then(|| part / of as f64)
}

/// One possible score of a trial (a game, or a pair of games) and how often it came.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    /// The share of the trial's points, 0 to 1.
    pub(crate) score: f64,
    /// Trials with this score.
    pub(crate) count: f64,
}

impl From<(f64, u64)> for Cell {
    fn from((score, count): (f64, u64)) -> Cell {
        Cell { score, count: count as f64 }
    }
}

/// The Elo difference at which a share `score` of the points is expected, `400 log10(s / (1 - s))`;
/// `None` unless `0 < score < 1`, for it is unbounded at the ends.
///
/// ```
/// use fanorona_arena::ratings::elo_from_score;
///
/// assert_eq!(elo_from_score(0.5), Some(0.0));
/// assert_eq!(elo_from_score(1.0), None);
/// ```
pub fn elo_from_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

/// The share of the points expected with a lead of `elo`, the inverse of [`elo_from_score`].
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / ELO_PER_LOG_ODDS).exp())
}

/// The figures of one match from the first engine's view.
///
/// Formulas as in fastchess (`elo_wdl.cpp`, `elo_pentanomial.cpp`) and fishtest (`stat_util.py`):
/// variances are of the sample, divided by the number of trials and not one less. With pairs of
/// games as trials, luck that both games share (the opening) is accounted for.
///
/// ```
/// use fanorona_arena::ratings::{MatchStatistics, Tally};
///
/// let tally = Tally { wins: 10, draws: 15, losses: 5 };
/// let statistics = MatchStatistics::of_games(&tally).expect("there are games");
/// assert!((statistics.elo.unwrap() - 58.45).abs() < 0.01);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MatchStatistics {
    /// Trials: pairs, or games where pairs are not known.
    pub trials: u64,
    /// The share of the points, 0 to 1.
    pub score: f64,
    /// The variance of the share over trials.
    pub variance: f64,
    /// The Elo difference; `None` is unbounded (all points went one way).
    pub elo: Option<f64>,
    /// Half the width of its 95 % interval; `None` where an end is unbounded.
    pub elo_error: Option<f64>,
    /// The lower end of the 95 % interval; `None` is unbounded.
    pub elo_low: Option<f64>,
    /// The upper end of the 95 % interval; `None` is unbounded.
    pub elo_high: Option<f64>,
    /// Normalized Elo, the lead measured in standard deviations of a game; `None` is unbounded
    /// (every trial was won by the same side with the same score).
    pub nelo: Option<f64>,
    /// Half the width of the 95 % interval of normalized Elo; it knows of the number of trials
    /// only.
    pub nelo_error: f64,
    /// Likelihood of superiority: the probability, 0 to 1, that the first engine is the stronger.
    /// Where all trials ended alike, and so show no spread, it is the posterior of a uniform prior
    /// over who wins a trial, `1 - 2^-(n + 1)`; a half if they were level.
    pub los: f64,
    /// The share of games drawn, 0 to 1.
    pub draw_ratio: f64,
}

impl MatchStatistics {
    /// The figures with single games as trials; `None` without games.
    pub fn of_games(tally: &Tally) -> Option<MatchStatistics> {
        MatchStatistics::of_cells(&tally.cells(), tally.games(), 1.0, tally.draw_ratio()?)
    }

    /// The figures with pairs of games as trials; `None` without pairs.
    pub fn of_pairs(pairs: &Pentanomial) -> Option<MatchStatistics> {
        MatchStatistics::of_cells(&pairs.cells(), pairs.pairs(), 2.0, pairs.draw_ratio()?)
    }

    fn of_cells(
        cells: &[Cell],
        trials: u64,
        games_per_trial: f64,
        draw_ratio: f64,
    ) -> Option<MatchStatistics> {
        if trials == 0 {
            return None;
        }
        let n = trials as f64;
        let score = cells.iter().map(|cell| cell.count * cell.score).sum::<f64>() / n;
        let variance =
            cells.iter().map(|cell| cell.count * (cell.score - score).powi(2)).sum::<f64>() / n;
        let margin = Z95 * (variance / n).sqrt();
        let elo_low = elo_from_score(score - margin);
        let elo_high = elo_from_score(score + margin);
        let lead = score - 0.5;
        let spread = cells.iter().filter(|cell| cell.count > 0.0).count() > 1;
        let nelo = if spread {
            Some(lead / (games_per_trial * variance).sqrt() * NORMALIZED_ELO)
        } else {
            (lead == 0.0).then_some(0.0)
        };
        let los = if spread {
            normal_cdf(lead / (variance / n).sqrt())
        } else {
            let doubt = (-n - 1.0).exp2();
            if lead > 0.0 {
                1.0 - doubt
            } else if lead < 0.0 {
                doubt
            } else {
                0.5
            }
        };
        Some(MatchStatistics {
            trials,
            score,
            variance,
            elo: elo_from_score(score),
            elo_error: elo_low.zip(elo_high).map(|(low, high)| (high - low) / 2.0),
            elo_low,
            elo_high,
            nelo,
            nelo_error: Z95 / (games_per_trial * n).sqrt() * NORMALIZED_ELO,
            los,
            draw_ratio,
        })
    }
}

/// The probability that a standard normal variable is below `x`.
pub(super) fn normal_cdf(x: f64) -> f64 {
    Normal::standard().cdf(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_and_score_are_inverse() {
        for elo in [-700.0, -12.5, 0.0, 1.0, 399.0] {
            let back = elo_from_score(expected_score(elo)).unwrap();
            assert!((back - elo).abs() < 1e-9, "{elo} came back as {back}");
        }
        assert!((expected_score(400.0) - 10.0 / 11.0).abs() < 1e-15);
    }

    #[test]
    fn a_clean_sweep_is_unbounded_and_not_certain() {
        let sweep = MatchStatistics::of_games(&Tally { wins: 3, draws: 0, losses: 0 }).unwrap();
        assert_eq!((sweep.elo, sweep.elo_error, sweep.nelo), (None, None, None));
        assert_eq!(sweep.los, 1.0 - 1.0 / 16.0);
        let swept = MatchStatistics::of_games(&Tally { wins: 0, draws: 0, losses: 3 }).unwrap();
        assert_eq!(swept.los, 1.0 / 16.0);
    }

    #[test]
    fn level_trials_say_nothing() {
        let level = MatchStatistics::of_games(&Tally { wins: 0, draws: 8, losses: 0 }).unwrap();
        assert_eq!((level.elo, level.elo_error, level.nelo), (Some(0.0), Some(0.0), Some(0.0)));
        assert_eq!(level.los, 0.5);
        assert_eq!(level.draw_ratio, 1.0);
        assert!(MatchStatistics::of_games(&Tally::default()).is_none());
    }
}
