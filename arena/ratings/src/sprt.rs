//! The sequential probability ratio test (SPRT), which stops a match as soon as it is decided.
//!
//! Two hypotheses about the lead of the first engine are compared with the generalized likelihood
//! ratio: the probability of the counts under the most likely distribution with the one lead,
//! relative to that with the other. The test makes no assumption about draws, and with pairs as
//! trials none about the dependence between the games of a pair (Van den Bergh, "A practical
//! introduction to the GSPRT"; the results equal fishtest's `LLRcalc.py`).

mod brownian;
mod candidates;

use serde::{Deserialize, Serialize};
use statrs::distribution::ContinuousCDF;

use brownian::Brownian;

pub use candidates::Candidates;

use super::score::{Trials, elo_from_score, normal_cdf};
use super::{Estimate, NORMALIZED_ELO, Observed, Pentanomial, Tally, expected_score};

/// The unit of a lead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[derive(Serialize, Deserialize)]
#[derive(strum::Display, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", parse_err_ty = UnknownModel, parse_err_fn = UnknownModel::new)]
pub enum Model {
    /// Elo, the logistic scale of ratings.
    #[default]
    Logistic,
    /// Normalized Elo, in standard deviations of a game: the duration of a test then does not
    /// depend on the draw rate.
    Normalized,
}

impl Model {
    /// The unit in reports.
    pub fn unit(self) -> &'static str {
        match self {
            Model::Logistic => "Elo",
            Model::Normalized => "normalized Elo",
        }
    }
}

/// The word is not a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown model `{0}`, expected logistic or normalized")]
pub struct UnknownModel(pub String);

impl UnknownModel {
    fn new(word: &str) -> UnknownModel {
        UnknownModel(word.to_owned())
    }
}

/// The hypotheses and error probabilities of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtOptions {
    /// The lead under H0, in Elo of the model.
    pub elo0: f64,
    /// The lead under H1, greater than `elo0`.
    pub elo1: f64,
    /// The probability of accepting H1 although H0 is true.
    pub alpha: f64,
    /// The probability of accepting H0 although H1 is true.
    pub beta: f64,
    /// The unit of the leads.
    #[serde(default)]
    pub model: Model,
}

/// The options of a test are invalid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// A lead is out of range.
    #[error("a lead of {0} Elo is out of range: use a number from -400 to 400")]
    LeadOutOfRange(f64),
    /// `elo1` is not greater than `elo0`.
    #[error("elo1 must be greater than elo0, but {elo1} is not greater than {elo0}")]
    LeadsOutOfOrder {
        /// The lead under H0.
        elo0: f64,
        /// The lead under H1.
        elo1: f64,
    },
    /// An error probability is out of range.
    #[error("alpha and beta must be between 0 and 0.5, but one is {0}")]
    RiskOutOfRange(f64),
}

/// The decision of a test after some games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Decision {
    /// The lead is below `elo1`: H1 is rejected.
    #[serde(rename = "H0")]
    AcceptH0,
    /// The lead is above `elo0`: H0 is rejected.
    #[serde(rename = "H1")]
    AcceptH1,
    /// Not decided yet.
    #[serde(rename = "continue")]
    Continue,
}

/// The expected rest of a test whose lead is known.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Remaining {
    /// The lead, in Elo of the model.
    pub lead: f64,
    /// The mean number of pairs until the decision.
    pub pairs: f64,
    /// The probability of accepting H1, 0 to 1.
    pub accepts_h1: f64,
}

/// The pairs of two equal engines that draw a third of their games: the shape of the results that
/// [`Sprt::length`] assumes before there are any.
pub const THIRD_DRAWN: Pentanomial = Pentanomial { ll: 1, ld: 2, wl: 2, dd: 1, wd: 2, ww: 1 };

/// A valid test: `elo0 < elo1`, both within 400 Elo, error probabilities between 0 and a half.
///
/// ```
/// use fanorona_ratings::Pentanomial;
/// use fanorona_ratings::sprt::{Decision, Model, Sprt, SprtOptions};
///
/// let model = Model::Normalized;
/// let sprt = Sprt::new(SprtOptions { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05, model })?;
/// let llr = sprt.llr_of_pairs(&Pentanomial { ld: 2, wl: 9, wd: 4, ..Default::default() });
/// assert!((llr - 0.11637).abs() < 1e-5);
/// assert_eq!(sprt.decide(llr), Decision::Continue);
/// # Ok::<(), fanorona_ratings::sprt::SprtError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    options: SprtOptions,
}

impl Sprt {
    /// Creates a test if the options are valid.
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

    /// The options of the test.
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

    /// The decision for a log-likelihood ratio.
    pub fn decide(&self, llr: f64) -> Decision {
        if llr <= self.lower() {
            Decision::AcceptH0
        } else if llr >= self.upper() {
            Decision::AcceptH1
        } else {
            Decision::Continue
        }
    }

    /// The logarithm of the likelihood ratio of H1 to H0 with pairs as trials; 0 without pairs.
    pub fn llr_of_pairs(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        self.llr(&Observed::new(&pairs.cells()), 2.0)
    }

    /// The same with single games as trials, for matches without pairs.
    pub fn llr_of_games(&self, games: &Tally) -> f64 {
        if games.games() == 0 {
            return 0.0;
        }
        self.llr(&Observed::new(&games.cells()), 1.0)
    }

    /// The lead after the pairs of a test that stops at its bounds, in Elo of the model: the
    /// median-unbiased estimate with its 95 % interval; empty without pairs.
    ///
    /// A test stops on luck, so the mean of its pairs is biased away from the middle, and the usual
    /// interval misses the true value too often. Here the outcomes are ordered, from an early
    /// acceptance of H0 to an early acceptance of H1. The estimate is the lead at which worse and
    /// better outcomes than the observed one are equally probable; at the ends of the interval, one
    /// of them has probability 2.5 % (Siegmund 1978, "Estimation following sequential tests"; as in
    /// fishtest's `sprt.py`).
    ///
    /// The points are modelled as a Brownian motion, whose drift and variance under a lead are those
    /// of the pairs exponentially tilted to that lead, between the bounds of the ratio in points. The
    /// ratio itself is no such motion, nor has the most likely distribution a variance to go by: far from
    /// the observed lead one nearly empty cell carries both. With few pairs their variance is
    /// uncertain, so the probabilities of the ends are as much smaller as the quantile of Student's t
    /// in [`MatchStatistics`](crate::MatchStatistics) is larger than the normal one.
    pub fn estimate(&self, pairs: &Pentanomial) -> Estimate {
        let Some(trials) = Trials::new(&pairs.cells(), pairs.pairs()) else {
            return Estimate::default();
        };
        let count = pairs.pairs() as f64;
        let bounds = self.bounds(&trials.observed);
        // The motion stops at the bound, but the points jump a little beyond it.
        let level = count * (trials.score - bounds.middle);
        let within = level.clamp(bounds.lower, bounds.upper);
        let time = if within == level { 1.0 } else { within / level } * count;
        // Few pairs do not show all scores there are: one more pair is spread over them.
        let shape = trials.observed.smoothed();
        // Student's t is that of the unbiased variance.
        let unbiased = count / (count - 1.0).max(1.0);
        let under = |tilt: f64| shape.moments(&shape.exponential(tilt));
        let worse = |tilt: f64| {
            let (mean, deviation) = under(tilt);
            let motion = Brownian {
                lower: bounds.lower,
                upper: bounds.upper,
                drift: mean - bounds.middle,
                variance: (unbiased * deviation.powi(2)).max(f64::MIN_POSITIVE),
            };
            motion.worse(time, within)
        };
        let lead = |probability: f64| {
            let (mut low, mut high) = (-STEEPEST, STEEPEST);
            for _ in 0..HALVINGS {
                let middle = 0.5 * (low + high);
                if worse(middle) > probability { low = middle } else { high = middle }
            }
            let (mean, deviation) = under(0.5 * (low + high));
            let elo = match self.options.model {
                Model::Logistic => elo_from_score(mean)?,
                Model::Normalized => (mean - 0.5) / deviation / 2f64.sqrt() * NORMALIZED_ELO,
            };
            // At the end of the scale the lead is unbounded.
            (elo.abs() < FARTHEST).then_some(elo)
        };
        let outside = normal_cdf(-trials.student.inverse_cdf(0.975));
        Estimate { elo: lead(0.5), elo_low: lead(1.0 - outside), elo_high: lead(outside) }
    }

    /// The bounds of the points. The ratio is about the points beyond the middle, times the distance
    /// of the hypotheses, divided by the variance in the middle.
    fn bounds(&self, observed: &Observed<5>) -> PointBounds {
        let SprtOptions { elo0, elo1, model, .. } = self.options;
        let (middle, deviation) =
            observed.moments(&self.likeliest(observed, 0.5 * (elo0 + elo1), 2.0));
        let distance = match model {
            Model::Logistic => expected_score(elo1) - expected_score(elo0),
            Model::Normalized => (elo1 - elo0) / NORMALIZED_ELO * 2f64.sqrt() * deviation,
        };
        let points_per_ratio = deviation.powi(2) / distance;
        PointBounds {
            middle,
            lower: self.lower() * points_per_ratio,
            upper: self.upper() * points_per_ratio,
        }
    }

    /// The expected rest of the test after these pairs if the lead is `lead`. The shape of further results
    /// is that of the pairs so far; without pairs it is [`THIRD_DRAWN`]. After the decision, no
    /// pairs remain.
    pub fn remaining(&self, pairs: &Pentanomial, lead: f64) -> Remaining {
        let shape = if pairs.pairs() == 0 { &THIRD_DRAWN } else { pairs };
        let llr = self.llr_of_pairs(pairs);
        match self.decide(llr) {
            Decision::Continue => self.continued(shape, llr, lead),
            Decision::AcceptH0 => Remaining { lead, pairs: 0.0, accepts_h1: 0.0 },
            Decision::AcceptH1 => Remaining { lead, pairs: 0.0, accepts_h1: 1.0 },
        }
    }

    /// The length of the test from its beginning if the lead is `lead` and results have this shape.
    pub fn length(&self, shape: &Pentanomial, lead: f64) -> Remaining {
        self.continued(shape, 0.0, lead)
    }

    fn continued(&self, shape: &Pentanomial, llr: f64, lead: f64) -> Remaining {
        let observed = Observed::new(&shape.cells());
        let (drift, variance) = self.motion(&observed, lead);
        // The ratio jumps beyond a bound, on average by this part of a jump's deviation (Siegmund
        // 1985, "Sequential Analysis", chapter 10).
        let jump = OVERSHOOT * variance.sqrt();
        let (lower, upper) = (self.lower() - jump, self.upper() + jump);
        let (pairs, accepts_h1) = Brownian { lower, upper, drift, variance }.exit(llr);
        Remaining { lead, pairs, accepts_h1 }
    }

    /// The drift and the variance of the ratio per pair if the lead is `elo`.
    fn motion(&self, observed: &Observed<5>, elo: f64) -> (f64, f64) {
        let under = observed.distributed(&self.likeliest(observed, elo, 2.0));
        let jumps = under.logs(
            &self.likeliest(&under, self.options.elo1, 2.0),
            &self.likeliest(&under, self.options.elo0, 2.0),
        );
        under.mean_and_variance(&jumps)
    }

    fn llr<const CELLS: usize>(&self, observed: &Observed<CELLS>, games_per_trial: f64) -> f64 {
        let likeliest = |elo: f64| self.likeliest(observed, elo, games_per_trial);
        observed.ratio(&likeliest(self.options.elo1), &likeliest(self.options.elo0))
    }

    /// The most likely distribution with this lead, in Elo of the model.
    fn likeliest<const CELLS: usize>(
        &self,
        observed: &Observed<CELLS>,
        elo: f64,
        games_per_trial: f64,
    ) -> [f64; CELLS] {
        match self.options.model {
            Model::Logistic => observed.likeliest_with_mean(expected_score(elo)),
            Model::Normalized => {
                observed.likeliest_with_lead(elo / NORMALIZED_ELO * games_per_trial.sqrt())
            }
        }
    }
}

/// The bounds of the points of a test.
struct PointBounds {
    /// The share of the points from which they are counted, in the middle between the hypotheses.
    middle: f64,
    lower: f64,
    upper: f64,
}

/// A lead from here on is unbounded, in Elo of the model.
const FARTHEST: f64 = 1200.0;
/// The greatest tilt of pairs. It leaves nothing but the best or the worst of them.
const STEEPEST: f64 = 200.0;
/// The mean jump beyond a bound, in standard deviations of a jump.
const OVERSHOOT: f64 = 0.583;
/// Enough for a precision of a millionth of an Elo.
const HALVINGS: u32 = 40;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn options(elo0: f64, elo1: f64, model: Model) -> SprtOptions {
        SprtOptions { elo0, elo1, alpha: 0.05, beta: 0.1, model }
    }

    #[test]
    fn invalid_options_are_rejected() {
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

    #[test]
    fn the_expected_length_is_that_of_simulated_tests() {
        use rand::{RngExt, SeedableRng};
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(7);
        let (elo0, elo1) = (0.0, 40.0);
        let model = Model::Logistic;
        let sprt = Sprt::new(SprtOptions { elo0, elo1, alpha: 0.05, beta: 0.05, model }).unwrap();
        for lead in [0.0, 20.0, 40.0] {
            let win = expected_score(lead) - 1.0 / 6.0;
            let mut score = || match random.random::<f64>() {
                it if it < win => crate::Score::Win,
                it if it < win + 1.0 / 3.0 => crate::Score::Draw,
                _ => crate::Score::Loss,
            };
            let (mut sum, mut accepted) = (0, 0);
            let tests = 600;
            for _ in 0..tests {
                let mut pairs = Pentanomial::default();
                let decision = loop {
                    pairs.add(score(), score(), 1);
                    let decision = sprt.decide(sprt.llr_of_pairs(&pairs));
                    if decision != Decision::Continue {
                        break decision;
                    }
                };
                sum += pairs.pairs();
                accepted += u64::from(decision == Decision::AcceptH1);
            }
            let mean = sum as f64 / f64::from(tests);
            let expected = sprt.length(&THIRD_DRAWN, lead);
            assert!((mean / expected.pairs - 1.0).abs() < 0.15, "{lead}: {mean} {expected:?}");
            let share = accepted as f64 / f64::from(tests);
            assert!((share - expected.accepts_h1).abs() < 0.07, "{lead}: {share} {expected:?}");
        }
    }

    #[test]
    fn after_a_decision_nothing_remains() {
        let sprt = Sprt::new(options(0.0, 50.0, Model::Normalized)).unwrap();
        let won = Pentanomial { wl: 100, ww: 100, ..Pentanomial::default() };
        assert_eq!(sprt.remaining(&won, 0.0), Remaining { lead: 0.0, pairs: 0.0, accepts_h1: 1.0 });
        let lost = Pentanomial { wl: 100, ll: 100, ..Pentanomial::default() };
        assert_eq!(sprt.remaining(&lost, 9.0).accepts_h1, 0.0);
        let begin = sprt.remaining(&Pentanomial::default(), 50.0);
        assert_eq!(begin, sprt.length(&THIRD_DRAWN, 50.0));
        // With half of the way behind it, less remains.
        let on_the_way = Pentanomial { wl: 20, wd: 8, ..Pentanomial::default() };
        let llr = sprt.llr_of_pairs(&on_the_way);
        assert!(llr > 0.0 && sprt.decide(llr) == Decision::Continue, "{llr}");
        let rest = sprt.remaining(&on_the_way, 50.0);
        assert!(rest.pairs < sprt.length(&on_the_way, 50.0).pairs, "{rest:?}");
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
            let observed = Observed::new(&pairs.cells());
            let mean = expected_score(elo0);
            let (reached, _) = observed.moments(&observed.likeliest_with_mean(mean));
            prop_assert!((reached - mean).abs() < 1e-9);
            let lead = elo0 / NORMALIZED_ELO * 2f64.sqrt();
            let shares = observed.likeliest_with_lead(lead);
            prop_assert!((observed.lead(&shares) - lead).abs() < 1e-7);
        }
    }
}
