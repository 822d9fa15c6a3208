//! The sequential probability ratio test: stop a match as soon as it is decided.
//!
//! Two hypotheses about the lead of the first engine are weighed by the generalized likelihood
//! ratio: how probable the counts are under the likeliest distribution that has the one lead, and
//! under the likeliest that has the other. Nothing is assumed about draws, and with pairs of games
//! as trials nothing about what the games of a pair share (Van den Bergh, "A practical introduction
//! to the GSPRT"; the same figures as fishtest's `LLRcalc.py`).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::ratings::{NORMALIZED_ELO, Pentanomial, Tally, expected_score};

/// What a lead is measured in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Elo, the logistic scale of ratings.
    #[default]
    Logistic,
    /// Normalized Elo, standard deviations of a game: a test then takes equally long whether draws
    /// are rare or common.
    Normalized,
}

impl Model {
    /// Both, with their words.
    pub(crate) const WORDS: [(&'static str, Model); 2] =
        [("logistic", Model::Logistic), ("normalized", Model::Normalized)];
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Model::Logistic => "logistic",
            Model::Normalized => "normalized",
        })
    }
}

/// A word that names no model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown model `{0}`, expected logistic or normalized")]
pub struct UnknownModel(pub String);

impl FromStr for Model {
    type Err = UnknownModel;

    fn from_str(word: &str) -> Result<Model, UnknownModel> {
        match word {
            "logistic" => Ok(Model::Logistic),
            "normalized" => Ok(Model::Normalized),
            _ => Err(UnknownModel(word.to_owned())),
        }
    }
}

/// The hypotheses and the risks, as someone wants them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtOptions {
    /// The lead under H0, in Elo of the model.
    pub elo0: f64,
    /// The lead under H1, above `elo0`.
    pub elo1: f64,
    /// The probability of accepting H1 though H0 is true.
    pub alpha: f64,
    /// The probability of accepting H0 though H1 is true.
    pub beta: f64,
    /// What the leads are measured in.
    #[serde(default)]
    pub model: Model,
}

/// Options that make no test.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// A lead off the scale.
    #[error("a lead of {0} Elo is off the scale, give one from -400 to 400")]
    LeadOutOfRange(f64),
    /// H1 is not above H0.
    #[error("elo1 is to be above elo0, but {elo1} is not above {elo0}")]
    LeadsOutOfOrder {
        /// The lead under H0.
        elo0: f64,
        /// The lead under H1.
        elo1: f64,
    },
    /// A risk that is none, or no better than a coin.
    #[error("alpha and beta lie between 0 and 0.5, but one is {0}")]
    RiskOutOfRange(f64),
}

/// What a test says after some games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Decision {
    /// The lead is no better than `elo0`.
    #[serde(rename = "H0")]
    AcceptH0,
    /// The lead is at least `elo1`.
    #[serde(rename = "H1")]
    AcceptH1,
    /// Not decided, play on.
    #[serde(rename = "continue")]
    Continue,
}

/// A test that can be applied: `elo0 < elo1`, both within 400 Elo, risks between 0 and a half.
///
/// ```
/// use fanorona_arena::ratings::Pentanomial;
/// use fanorona_arena::sprt::{Decision, Model, Sprt, SprtOptions};
///
/// let model = Model::Normalized;
/// let sprt = Sprt::new(SprtOptions { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05, model })?;
/// let llr = sprt.llr_of_pairs(&Pentanomial { ld: 2, wl: 9, wd: 4, ..Default::default() });
/// assert!((llr - 0.11637).abs() < 1e-5);
/// assert_eq!(sprt.decide(llr), Decision::Continue);
/// # Ok::<(), fanorona_arena::sprt::SprtError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    options: SprtOptions,
}

impl Sprt {
    /// The test of these hypotheses, if they make one.
    pub fn new(options: SprtOptions) -> Result<Sprt, SprtError> {
        let SprtOptions { elo0, elo1, alpha, beta, .. } = options;
        for lead in [elo0, elo1] {
            if !(-400.0..=400.0).contains(&lead) {
                return Err(SprtError::LeadOutOfRange(lead));
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::LeadsOutOfOrder { elo0, elo1 });
        }
        for risk in [alpha, beta] {
            if !(risk > 0.0 && risk < 0.5) {
                return Err(SprtError::RiskOutOfRange(risk));
            }
        }
        Ok(Sprt { options })
    }

    /// What the test was made of.
    pub fn options(&self) -> &SprtOptions {
        &self.options
    }

    /// The ratio at or below which H0 is accepted, `ln(beta / (1 - alpha))` (Wald 1945).
    pub fn lower(&self) -> f64 {
        (self.options.beta / (1.0 - self.options.alpha)).ln()
    }

    /// The ratio at or above which H1 is accepted, `ln((1 - beta) / alpha)`.
    pub fn upper(&self) -> f64 {
        ((1.0 - self.options.beta) / self.options.alpha).ln()
    }

    /// What a log-likelihood ratio says.
    pub fn decide(&self, llr: f64) -> Decision {
        if llr <= self.lower() {
            Decision::AcceptH0
        } else if llr >= self.upper() {
            Decision::AcceptH1
        } else {
            Decision::Continue
        }
    }

    /// The logarithm of the ratio of H1's likelihood to H0's, with pairs as trials; 0 without any.
    pub fn llr_of_pairs(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        self.llr(&Observed::new(pairs.cells().map(|cell| (cell.score, cell.count))), 2.0)
    }

    /// The same with single games as trials, for matches without pairs.
    pub fn llr_of_games(&self, games: &Tally) -> f64 {
        if games.games() == 0 {
            return 0.0;
        }
        self.llr(&Observed::new(games.cells().map(|cell| (cell.score, cell.count))), 1.0)
    }

    fn llr<const CELLS: usize>(&self, observed: &Observed<CELLS>, games_per_trial: f64) -> f64 {
        let likeliest = |elo: f64| match self.options.model {
            Model::Logistic => observed.likeliest_with_mean(expected_score(elo)),
            Model::Normalized => {
                observed.likeliest_with_lead(elo / NORMALIZED_ELO * games_per_trial.sqrt())
            }
        };
        let (under_h0, under_h1) = (likeliest(self.options.elo0), likeliest(self.options.elo1));
        let per_trial: f64 = observed
            .shares
            .iter()
            .zip(under_h1.iter().zip(&under_h0))
            .map(|(share, (h1, h0))| share * (h1 / h0).ln())
            .sum();
        observed.trials * per_trial
    }
}

/// What was seen, as shares of the trials.
struct Observed<const CELLS: usize> {
    scores: [f64; CELLS],
    shares: [f64; CELLS],
    trials: f64,
}

impl<const CELLS: usize> Observed<CELLS> {
    fn new(cells: [(f64, f64); CELLS]) -> Observed<CELLS> {
        let counts = cells.map(|(_, count)| if count == 0.0 { UNSEEN } else { count });
        let trials = counts.iter().sum();
        Observed {
            scores: cells.map(|(score, _)| score),
            shares: counts.map(|count| count / trials),
            trials,
        }
    }

    /// The distribution under which the observed is likeliest, of those with this mean score.
    fn likeliest_with_mean(&self, mean: f64) -> [f64; CELLS] {
        self.tilted(&self.scores.map(|score| score - mean)).unwrap_or(self.shares)
    }

    /// The same of those whose mean score is `lead` standard deviations above a half.
    ///
    /// The condition is not linear in the distribution. It is made so around a guess, and the answer
    /// is the next guess. From the uniform distribution this converges in a few rounds for leads
    /// that occur; greater ones are approached in stages, and if that misses, from what was observed.
    fn likeliest_with_lead(&self, lead: f64) -> [f64; CELLS] {
        let uniform = [1.0 / CELLS as f64; CELLS];
        let from_uniform = self.approach(uniform, 0.0, lead);
        if (self.lead(&from_uniform) - lead).abs() <= MET * (1.0 + lead.abs()) {
            return from_uniform;
        }
        self.approach(self.shares, self.lead(&self.shares), lead)
    }

    /// Goes from a distribution with about the lead `from` to one with the lead `to`.
    fn approach(&self, mut guess: [f64; CELLS], from: f64, to: f64) -> [f64; CELLS] {
        let stages = ((to - from).abs() / STAGE).ceil().clamp(1.0, MOST_STAGES) as usize;
        for stage in 1..=stages {
            let rounds = if stage < stages { ROUNDS_ON_THE_WAY } else { MOST_ROUNDS };
            let lead = from + (to - from) * stage as f64 / stages as f64;
            for _ in 0..rounds {
                let (mean, deviation) = self.moments(&guess);
                let excess = self.scores.map(|score| {
                    let away = (score - mean) / deviation;
                    score - 0.5 - lead * deviation * (1.0 + away * away) / 2.0
                });
                let Some(next) = self.tilted(&excess) else { break };
                let change =
                    next.iter().zip(&guess).map(|(next, guess)| (next / guess - 1.0).abs());
                let change = change.fold(0.0, f64::max);
                guess = next;
                if change < SETTLED {
                    break;
                }
            }
        }
        guess
    }

    /// The mean score of a distribution and the standard deviation.
    fn moments(&self, shares: &[f64; CELLS]) -> (f64, f64) {
        let mean = weighted(shares, |cell| self.scores[cell]);
        (mean, weighted(shares, |cell| (self.scores[cell] - mean).powi(2)).sqrt())
    }

    fn lead(&self, shares: &[f64; CELLS]) -> f64 {
        let (mean, deviation) = self.moments(shares);
        (mean - 0.5) / deviation
    }

    /// The distribution under which the observed is likeliest, of those under which `excess` has mean
    /// zero: `share / (1 + tilt * excess)` (Owen 1988, empirical likelihood). `None` if there is
    /// none because no cell, or every cell, is in excess.
    fn tilted(&self, excess: &[f64; CELLS]) -> Option<[f64; CELLS]> {
        let most = excess.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = excess.iter().copied().fold(f64::INFINITY, f64::min);
        if !(least < 0.0 && most > 0.0) {
            return None;
        }
        // The mean falls with the tilt, from infinity at `-1 / most` to minus infinity at
        // `-1 / least`. Without tilt it is the observed one, which tells the side of the answer. The
        // tilt is counted from the pole of that side, `tilt = distance - 1 / pole`, for where a cell
        // that was hardly seen has to carry the mean it is very close to it.
        let observed = weighted(&self.shares, |cell| excess[cell]);
        let pole = if observed > 0.0 { least } else { most };
        let (mut low, mut high) = (pole.recip().min(0.0), pole.recip().max(0.0));
        let mut distance = pole.recip();
        let weight =
            |cell: usize, distance: f64| (1.0 - excess[cell] / pole) + distance * excess[cell];
        for _ in 0..MOST_CUTS {
            let part = |cell| excess[cell] / weight(cell, distance);
            let mean = weighted(&self.shares, part);
            let slope = -weighted(&self.shares, |cell| part(cell) * part(cell));
            if mean > 0.0 {
                low = distance;
            } else {
                high = distance;
            }
            let newton = distance - mean / slope;
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            let moved = (next - distance).abs();
            distance = next;
            if moved <= f64::EPSILON * distance.abs() {
                break;
            }
        }
        Some(std::array::from_fn(|cell| self.shares[cell] / weight(cell, distance)))
    }
}

fn weighted<const CELLS: usize>(weights: &[f64; CELLS], value: impl Fn(usize) -> f64) -> f64 {
    weights.iter().enumerate().map(|(cell, weight)| weight * value(cell)).sum()
}

/// What an empty cell counts for, as in fishtest.
const UNSEEN: f64 = 1e-3;
/// The greatest lead, in standard deviations of a trial, that is approached at once.
const STAGE: f64 = 0.25;
const ROUNDS_ON_THE_WAY: usize = 4;
const MOST_ROUNDS: usize = 100;
const MOST_STAGES: f64 = 1000.0;
/// How close to the lead is close enough, relative.
const MET: f64 = 1e-9;
/// A relative change of probabilities that counts as none.
const SETTLED: f64 = 1e-13;
const MOST_CUTS: usize = 200;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn options(elo0: f64, elo1: f64, model: Model) -> SprtOptions {
        SprtOptions { elo0, elo1, alpha: 0.05, beta: 0.1, model }
    }

    #[test]
    fn nonsense_is_refused() {
        let refusal = |options| Sprt::new(options).unwrap_err();
        let good = options(0.0, 5.0, Model::Logistic);
        assert_eq!(
            refusal(SprtOptions { elo1: 0.0, ..good }),
            SprtError::LeadsOutOfOrder { elo0: 0.0, elo1: 0.0 }
        );
        assert_eq!(refusal(SprtOptions { elo1: 2e3, ..good }), SprtError::LeadOutOfRange(2e3));
        assert_eq!(refusal(SprtOptions { alpha: 0.0, ..good }), SprtError::RiskOutOfRange(0.0));
        assert_eq!(refusal(SprtOptions { beta: 0.5, ..good }), SprtError::RiskOutOfRange(0.5));
        assert!(Sprt::new(SprtOptions { elo0: f64::NAN, ..good }).is_err());
        assert!(Sprt::new(SprtOptions { beta: f64::NAN, ..good }).is_err());
    }

    #[test]
    fn decisions_follow_the_bounds() {
        let sprt = Sprt::new(options(0.0, 5.0, Model::Logistic)).unwrap();
        assert_eq!(sprt.decide(sprt.lower()), Decision::AcceptH0);
        assert_eq!(sprt.decide(sprt.upper()), Decision::AcceptH1);
        assert_eq!(sprt.decide(0.0), Decision::Continue);
        assert_eq!(sprt.llr_of_pairs(&Pentanomial::default()), 0.0);
        assert_eq!(sprt.llr_of_games(&Tally::default()), 0.0);
    }

    fn count() -> impl Strategy<Value = u64> {
        prop_oneof![Just(0), 1..5u64, 1..500u64, 1..1_000_000u64]
    }

    proptest! {
        #[test]
        fn the_constraint_is_met_and_the_ratio_is_a_number(
            counts in [count(), count(), count(), count(), count()],
            elo0 in -399.0..399.0f64,
            step in 0.1..300.0f64,
        ) {
            let [ll, ld, wl, wd, ww] = counts;
            let pairs = Pentanomial { ll, ld, wl, dd: 0, wd, ww };
            let games = Tally { wins: ww, draws: wl, losses: ll };
            for model in [Model::Logistic, Model::Normalized] {
                let sprt = Sprt::new(options(elo0, (elo0 + step).min(400.0), model)).unwrap();
                prop_assert!(sprt.llr_of_pairs(&pairs).is_finite());
                prop_assert!(sprt.llr_of_games(&games).is_finite());
            }
            let observed = Observed::new(pairs.cells().map(|cell| (cell.score, cell.count)));
            let mean_of = |shares: &[f64; 5]| weighted(shares, |cell| observed.scores[cell]);
            let mean = expected_score(elo0);
            prop_assert!((mean_of(&observed.likeliest_with_mean(mean)) - mean).abs() < 1e-9);
            let lead = elo0 / NORMALIZED_ELO * 2f64.sqrt();
            let shares = observed.likeliest_with_lead(lead);
            prop_assert!((observed.lead(&shares) - lead).abs() < 1e-7);
        }
    }
}
