//! The statistics of a match of two engines, from counted results.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use super::ELO_PER_LOG_ODDS;
use super::observed::Observed;
use super::pentanomial::Pentanomial;
use super::tally::{Cell, Tally};

/// Normalized Elo per unit of score divided by its standard deviation per game (Van den Bergh,
/// "Normalized Elo"; fishtest and fastchess use the same scale).
pub(crate) const NORMALIZED_ELO: f64 = 2.0 * ELO_PER_LOG_ODDS;

/// The Elo difference at which the fraction `score` of the points is expected, `400 log10(s / (1 -
/// s))`; `None` unless `0 < score < 1`, because it is unbounded at the ends.
///
/// ```
/// use fanorona_ratings::elo_from_score;
///
/// assert_eq!(elo_from_score(0.5), Some(0.0));
/// assert_eq!(elo_from_score(1.0), None);
/// ```
pub fn elo_from_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

/// The expected score with a lead of `elo`, the inverse of [`elo_from_score`].
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / ELO_PER_LOG_ODDS).exp())
}

/// The statistics of a match from the first engine's view.
///
/// Score, variance and Elo are computed as in fastchess (`elo_wdl.cpp`, `elo_pentanomial.cpp`) and
/// fishtest (`stat_util.py`). The variance is that of the sample, divided by the number of trials
/// and not one less. With pairs as trials, luck common to both games (the opening) is accounted
/// for.
///
/// Intervals and the likelihood of superiority are also valid for few trials. The signed root of
/// the likelihood ratio between the observed counts and the most likely counts with another mean is
/// compared with Student's t with n - 1 degrees of freedom (Owen 1988, "Empirical likelihood ratio
/// confidence intervals for a single functional", and 2001, section 2.6, for the calibration). With
/// many trials this is the usual interval of the mean. With few trials it takes into account that
/// an unseen score is possible, so identical trials still leave uncertainty. If few trials differ
/// from all others, the degrees of freedom are twice (Σd²)² / Σd⁴, with the distances d from the
/// mean, as in a fit of ratings.
///
/// ```
/// use fanorona_ratings::{MatchStatistics, Tally};
///
/// let tally = Tally { wins: 10, draws: 15, losses: 5 };
/// let statistics = MatchStatistics::from_games(&tally).expect("there are games");
/// assert!((statistics.elo.unwrap() - 58.45).abs() < 0.01);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MatchStatistics {
    /// The number of trials: pairs, or games if pairs are unknown.
    pub trials: u64,
    /// The score as a fraction of the points, 0 to 1.
    pub score: f64,
    /// The variance of the score over trials.
    pub variance: f64,
    /// The Elo difference; `None` if unbounded (one side won all points).
    pub elo: Option<f64>,
    /// The lower end of its 95 % interval; `None` if unbounded.
    pub elo_low: Option<f64>,
    /// The upper end of its 95 % interval; `None` if unbounded.
    pub elo_high: Option<f64>,
    /// Normalized Elo, the lead in standard deviations of a game; `None` if unbounded (the same
    /// side won every trial with the same score).
    pub nelo: Option<f64>,
    /// The lower end of its 95 % interval; `None` if unbounded.
    pub nelo_low: Option<f64>,
    /// The upper end of its 95 % interval; `None` if unbounded.
    pub nelo_high: Option<f64>,
    /// The likelihood of superiority: the probability, 0 to 1, that the first engine is stronger.
    pub los: f64,
    /// The fraction of drawn games, 0 to 1.
    pub draw_ratio: f64,
}

impl MatchStatistics {
    /// The statistics with single games as trials; `None` without games.
    pub fn from_games(tally: &Tally) -> Option<MatchStatistics> {
        MatchStatistics::from_cells(&tally.cells(), tally.games(), 1.0, tally.draw_ratio()?)
    }

    /// The statistics with pairs as trials; `None` without pairs.
    pub fn from_pairs(pairs: &Pentanomial) -> Option<MatchStatistics> {
        MatchStatistics::from_cells(&pairs.cells(), pairs.pairs(), 2.0, pairs.draw_ratio()?)
    }

    /// The likelihood of superiority alone (`los`) with pairs as trials; `None` without pairs. It
    /// costs a hundredth of all the statistics.
    pub fn los_of_pairs(pairs: &Pentanomial) -> Option<f64> {
        Some(Trials::new(&pairs.cells(), pairs.pairs())?.los())
    }

    fn from_cells<const CELLS: usize>(
        cells: &[Cell; CELLS],
        trials: u64,
        games_per_trial: f64,
        draw_ratio: f64,
    ) -> Option<MatchStatistics> {
        let seen = Trials::new(cells, trials)?;
        let Trials { score, variance, observed, .. } = &seen;
        let (score, variance, width) = (*score, *variance, seen.student.inverse_cdf(0.975));

        let low = end(score, 0.0, width, |mean| seen.root_at_mean(mean));
        let high = end(score, 1.0, width, |mean| seen.root_at_mean(mean));

        let lead = seen.lead();
        let normalized =
            if seen.spread { Some(lead / variance.sqrt()) } else { (lead == 0.0).then_some(0.0) };
        let of_lead = |lead: f64| observed.root(&observed.likeliest_with_lead(lead));
        // The likelihood decreases on both sides of the observed lead, or on one side of an
        // unbounded one.
        let peak = normalized.unwrap_or(MAX_NORMALIZED_LEAD.copysign(lead));
        let nelo = |normalized: f64| {
            (normalized.abs() < MAX_NORMALIZED_LEAD)
                .then(|| normalized / games_per_trial.sqrt() * NORMALIZED_ELO)
        };

        Some(MatchStatistics {
            trials,
            score,
            variance,
            elo: elo_from_score(score),
            elo_low: elo_from_score(low),
            elo_high: elo_from_score(high),
            nelo: normalized.and_then(nelo),
            nelo_low: nelo(end(peak, -MAX_NORMALIZED_LEAD, width, of_lead)),
            nelo_high: nelo(end(peak, MAX_NORMALIZED_LEAD, width, of_lead)),
            los: seen.los(),
            draw_ratio,
        })
    }
}

/// The trials of a match with what all its statistics need.
pub(super) struct Trials<const CELLS: usize> {
    pub(super) score: f64,
    variance: f64,
    /// Whether the trials have more than one score.
    spread: bool,
    pub(super) observed: Observed<CELLS>,
    /// The distribution of the signed root of the likelihood ratio.
    pub(super) student: StudentsT,
}

impl<const CELLS: usize> Trials<CELLS> {
    /// Describes the trials; `None` without any.
    pub(super) fn new(cells: &[Cell; CELLS], trials: u64) -> Option<Trials<CELLS>> {
        if trials == 0 {
            return None;
        }
        let n = trials as f64;
        let score = cells.iter().map(|cell| cell.count * cell.score).sum::<f64>() / n;
        let power = |power| -> f64 {
            cells.iter().map(|cell| cell.count * (cell.score - score).powi(power)).sum()
        };
        let spread = cells.iter().filter(|cell| cell.count > 0.0).count() > 1;
        let degrees = match spread {
            true => (n - 1.0).min((2.0 * power(2).powi(2) / power(4)).max(MIN_DEGREES)),
            false => n - 1.0,
        };
        // A single trial has no degree of freedom: it is treated like two.
        let degrees = degrees.max(1.0);
        let student = StudentsT::new(0.0, 1.0, degrees).expect("there is a degree of freedom");
        let variance = power(2) / n;
        Some(Trials { score, variance, spread, observed: Observed::new(cells), student })
    }

    /// The points above a half.
    fn lead(&self) -> f64 {
        self.score - 0.5
    }

    /// The distance of the observation from the likeliest distribution with this mean.
    fn root_at_mean(&self, mean: f64) -> f64 {
        self.observed.root(&self.observed.likeliest_with_mean(mean))
    }

    fn los(&self) -> f64 {
        let lead = self.lead();
        if lead == 0.0 { 0.5 } else { self.student.cdf(self.root_at_mean(0.5).copysign(lead)) }
    }
}

/// The minimum degrees of freedom if few trials differ from many equal ones.
const MIN_DEGREES: f64 = 4.0;

/// The point between the observed value and the farthest possible one at which the root of the
/// likelihood ratio reaches `width`; the farthest if it never does.
///
/// Once the point is enclosed, the Illinois variant of false position finds it (Dowell and Jarratt
/// 1971): the root is nearly linear there, and every evaluation is a fit of its own.
fn end(seen: f64, farthest: f64, width: f64, root: impl Fn(f64) -> f64) -> f64 {
    let mut step = STEP.copysign(farthest - seen);
    let (mut inner, mut short) = (seen, -width);
    let mut outer = seen + step;
    // What the root exceeds the width by at `outer`; nothing is known of the farthest point.
    let mut beyond = None;
    while (farthest - outer) * step > 0.0 {
        let excess = root(outer) - width;
        if excess >= 0.0 {
            beyond = Some(excess);
            break;
        }
        step *= 2.0;
        (inner, short) = (outer, excess);
        outer += step;
    }
    if beyond.is_none() {
        outer = farthest;
    }
    // The end of the enclosure that the last step moved.
    let mut moved = None;
    for _ in 0..MAX_ITERATIONS {
        let point = match beyond {
            Some(beyond) => inner - short * (outer - inner) / (beyond - short),
            None => 0.5 * (inner + outer),
        };
        let excess = root(point) - width;
        let last = if excess < 0.0 { inner } else { outer };
        if excess < 0.0 {
            (inner, short) = (point, excess);
            beyond = beyond.map(|beyond| if moved == Some(false) { 0.5 * beyond } else { beyond });
        } else {
            (outer, beyond) = (point, Some(excess));
            short *= if moved == Some(true) { 0.5 } else { 1.0 };
        }
        moved = Some(excess >= 0.0);
        if excess == 0.0 || (point - last).abs() <= f64::EPSILON * (1.0 + point.abs()) {
            return point;
        }
    }
    outer
}

/// The first step of the search for an end, as a fraction of the points or in standard deviations.
const STEP: f64 = 0.02;
/// A lead of this many standard deviations counts as unbounded.
const MAX_NORMALIZED_LEAD: f64 = 10.0;
/// The most steps of false position.
const MAX_ITERATIONS: usize = 60;

/// The probability that a standard normal variable is below `x`.
pub(super) fn normal_cdf(x: f64) -> f64 {
    Normal::standard().cdf(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Z95;

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
        let sweep = MatchStatistics::from_games(&Tally { wins: 3, draws: 0, losses: 0 }).unwrap();
        assert_eq!((sweep.elo, sweep.elo_high, sweep.nelo), (None, None, None));
        assert!(sweep.elo_low.unwrap() < 0.0, "three games are not a proof: {sweep:?}");
        assert!((0.85..0.975).contains(&sweep.los), "{sweep:?}");
        let swept = MatchStatistics::from_games(&Tally { wins: 0, draws: 0, losses: 3 }).unwrap();
        assert!((swept.los - (1.0 - sweep.los)).abs() < 1e-12);
        let longer = MatchStatistics::from_games(&Tally { wins: 12, draws: 0, losses: 0 }).unwrap();
        assert!(longer.elo_low.unwrap() > 50.0 && longer.los > 0.999, "{longer:?}");
    }

    #[test]
    fn tied_trials_leave_uncertainty() {
        let level = MatchStatistics::from_games(&Tally { wins: 0, draws: 8, losses: 0 }).unwrap();
        assert_eq!((level.elo, level.nelo, level.los), (Some(0.0), Some(0.0), 0.5));
        assert_eq!(level.draw_ratio, 1.0);
        // One win in eight games would not be unusual.
        assert!(level.elo_low.unwrap() < -40.0 && level.elo_high.unwrap() > 40.0, "{level:?}");
        assert!((level.elo_low.unwrap() + level.elo_high.unwrap()).abs() < 1e-6, "{level:?}");
        assert!(MatchStatistics::from_games(&Tally::default()).is_none());
    }

    #[test]
    fn many_trials_have_the_usual_interval() {
        let pairs = Pentanomial { ll: 3, ld: 90, wl: 200, dd: 50, wd: 110, ww: 5 };
        let statistics = MatchStatistics::from_pairs(&pairs).unwrap();
        let margin = Z95 * (statistics.variance / statistics.trials as f64).sqrt();
        for (ours, usual) in [(statistics.elo_low, -margin), (statistics.elo_high, margin)] {
            let usual = elo_from_score(statistics.score + usual).unwrap();
            assert!((ours.unwrap() - usual).abs() < 0.1, "{ours:?} {usual}");
        }
    }
}
