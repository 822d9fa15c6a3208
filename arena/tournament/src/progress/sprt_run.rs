//! The SPRT of a match: counts pairs in schedule order until one hypothesis is accepted.
//!
//! Every pair is a trial: two riatras with the same opening and colours swapped, two velas with
//! roles swapped, or two sessions. Pairs of all kinds count equally; to test one kind, play only
//! that kind. A pair with a void game is not a trial. Neither is a pair whose two games repeat
//! earlier ones move for move: otherwise deterministic engines would decide the test by playing the
//! same pair again and again.

use std::collections::HashSet;

use serde::Serialize;

use crate::pairing::ids::PairId;
use crate::record::Fingerprint;
use fanorona_ratings::sprt::{Decision, Remaining, Sprt, SprtOptions};
use fanorona_ratings::{Estimate, Pentanomial, Score};

/// The state of a running SPRT.
#[derive(Clone, PartialEq, Debug)]
pub struct SprtRun {
    sprt: Sprt,
    pairs: Pentanomial,
    /// Pairs whose games both repeat earlier ones. They are not trials.
    repeated_pairs: u64,
    /// The first game of the current pair: the score of the match's first engine, and whether the
    /// game repeats an earlier one.
    half: Option<(PairId, Score, bool)>,
    /// The fingerprints of the games and sessions so far.
    known: HashSet<Fingerprint>,
    llr: f64,
    history: RatioHistory,
}

/// The history of the likelihood ratio, sampled at regular numbers of pairs. The number of samples
/// is bounded.
#[derive(Clone, PartialEq, Debug)]
struct RatioHistory {
    every: u64,
    points: Vec<(u64, f64)>,
}

/// The minimal number of samples of a long history; the maximum is twice as many.
const POINTS: usize = 200;

impl RatioHistory {
    /// Adds the ratio after `pairs` pairs, one more than before.
    fn add(&mut self, pairs: u64, llr: f64) {
        if pairs.is_multiple_of(self.every) {
            self.points.push((pairs, llr));
        }
        if self.points.len() > 2 * POINTS {
            self.every *= 2;
            let every = self.every;
            self.points.retain(|(pairs, _)| pairs.is_multiple_of(every));
        }
    }
}

/// The state of the SPRT, with the field names of `sprt.json`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct State {
    /// The hypotheses and error rates.
    #[serde(flatten)]
    pub options: SprtOptions,
    /// H0 is accepted at or below this ratio.
    pub lower: f64,
    /// H1 is accepted at or above this ratio.
    pub upper: f64,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// The accepted hypothesis; `continue` while there is none.
    pub decision: Decision,
    /// The number of pairs.
    pub pairs: u64,
    /// The pairs by the first engine's score.
    pub pentanomial: Pentanomial,
    /// Further pairs whose games both repeat earlier ones move for move. The SPRT does not count
    /// them.
    pub repeated_pairs: u64,
}

impl State {
    /// The accepted hypothesis; `None` if there is none. A test rejects one hypothesis and says no
    /// more: if the true lead is half way between `elo0` and `elo1`, it accepts H1 in half of the cases.
    pub fn accepted(&self) -> Option<&'static str> {
        match self.decision {
            Decision::AcceptH0 => Some("H0"),
            Decision::AcceptH1 => Some("H1"),
            Decision::Continue => None,
        }
    }

    /// The unit of the lead.
    pub fn unit(&self) -> &'static str {
        self.options.model.unit()
    }
}

impl SprtRun {
    /// An SPRT before the first pair.
    pub fn new(sprt: Sprt) -> SprtRun {
        let history = RatioHistory { every: 1, points: vec![(0, 0.0)] };
        SprtRun {
            sprt,
            pairs: Pentanomial::default(),
            repeated_pairs: 0,
            half: None,
            known: HashSet::new(),
            llr: 0.0,
            history,
        }
    }

    /// Adds a game or session: the first engine's score, `None` if void, and its fingerprint if the
    /// moves are known. Returns whether this completes a counted pair.
    pub fn add(&mut self, pair: PairId, score: Option<Score>, game: Option<Fingerprint>) -> bool {
        let repeats = game.is_some_and(|game| !self.known.insert(game));
        match (self.half.take(), score) {
            (Some((begun, _, true)), Some(_)) if begun == pair && repeats => {
                self.repeated_pairs += 1;
                false
            }
            (Some((begun, one, _)), Some(other)) if begun == pair => {
                self.pairs.add(one, other, 1);
                self.llr = self.sprt.llr_of_pairs(&self.pairs);
                self.history.add(self.pairs.pairs(), self.llr);
                true
            }
            (_, score) => {
                self.half = score.map(|score| (pair, score, repeats));
                false
            }
        }
    }

    /// The number of counted pairs.
    pub fn pairs(&self) -> u64 {
        self.pairs.pairs()
    }

    /// The number of pairs, counted or repeated.
    pub fn complete_pairs(&self) -> u64 {
        self.pairs() + self.repeated_pairs
    }

    /// The log-likelihood ratio.
    pub(crate) fn llr(&self) -> f64 {
        self.llr
    }

    /// The test.
    pub(crate) fn sprt(&self) -> &Sprt {
        &self.sprt
    }

    /// Continues with another error: the same hypotheses, other bounds.
    pub(crate) fn retest(&mut self, sprt: Sprt) {
        self.sprt = sprt;
    }

    /// The expected rest of the test if the lead is `lead`, in Elo of the model.
    pub fn remaining(&self, lead: f64) -> Remaining {
        self.sprt.remaining(&self.pairs, lead)
    }

    /// The accepted hypothesis, if any.
    pub fn decision(&self) -> Decision {
        self.sprt.decide(self.llr)
    }

    /// The ratio after each number of pairs from zero to all; a long test is sampled at regular
    /// steps.
    pub fn history(&self) -> Vec<(u64, f64)> {
        let mut history = self.history.points.clone();
        if history.last().is_some_and(|(pairs, _)| *pairs < self.pairs()) {
            history.push((self.pairs(), self.llr));
        }
        history
    }

    /// The estimated lead after the pairs so far, see [`Sprt::estimate`].
    pub fn estimate(&self) -> Estimate {
        self.sprt.estimate(&self.pairs)
    }

    /// The current state.
    pub fn state(&self) -> State {
        State {
            options: *self.sprt.options(),
            lower: self.sprt.lower(),
            upper: self.sprt.upper(),
            llr: self.llr,
            decision: self.decision(),
            pairs: self.pairs(),
            pentanomial: self.pairs,
            repeated_pairs: self.repeated_pairs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::GameRecord;
    use crate::record::example::game;
    use fanorona_ratings::sprt::Model;

    fn test() -> SprtRun {
        let (elo0, elo1) = (0.0, 100.0);
        let model = Model::Logistic;
        let options = SprtOptions { elo0, elo1, alpha: 0.05, beta: 0.05, model };
        SprtRun::new(Sprt::new(options).unwrap())
    }

    #[test]
    fn pairs_are_counted_when_they_are_whole() {
        let mut test = test();
        assert!(!test.add(PairId(1), Some(Score::Win), None));
        assert_eq!((test.state().pairs, test.state().llr), (0, 0.0));
        assert!(test.add(PairId(1), Some(Score::Draw), None));
        assert_eq!(test.state().pentanomial, Pentanomial { wd: 1, ..Default::default() });
        assert!(test.state().llr > 0.0);
    }

    #[test]
    fn a_pair_with_a_void_game_is_none() {
        let mut test = test();
        assert!(!test.add(PairId(1), Some(Score::Win), None));
        assert!(!test.add(PairId(1), None, None));
        assert!(!test.add(PairId(2), None, None));
        assert!(!test.add(PairId(2), Some(Score::Win), None));
        assert!(!test.add(PairId(3), Some(Score::Loss), None));
        assert!(test.add(PairId(3), Some(Score::Loss), None));
        assert_eq!(test.state().pentanomial, Pentanomial { ll: 1, ..Default::default() });
    }

    #[test]
    fn a_pair_that_repeats_another_is_no_trial() {
        let mut test = test();
        let games = ["c1b2A", "c1b2W", "c1c2"]
            .map(|moves| GameRecord { moves: moves.into(), ..game("1") }.fingerprint());
        assert!(games.iter().all(Option::is_some));
        let [one, two, three] = games;
        for (pair, games, counts) in [
            (1, [one, two], true),
            (2, [one, two], false),
            (3, [two, three], true),
            (4, [three, one], false),
            (5, [None, None], true),
        ] {
            assert!(!test.add(PairId(pair), Some(Score::Win), games[0]));
            assert_eq!(test.add(PairId(pair), Some(Score::Draw), games[1]), counts, "{pair}");
        }
        let state = test.state();
        assert_eq!((state.pairs, state.repeated_pairs), (3, 2));
        assert_eq!(state.pentanomial, Pentanomial { wd: 3, ..Default::default() });
    }

    #[test]
    fn the_way_there_is_kept_in_few_points() {
        let mut test = test();
        assert_eq!(test.history(), [(0, 0.0)]);
        for pair in 1..=1001 {
            let other = if pair % 2 == 0 { Score::Win } else { Score::Loss };
            test.add(PairId(pair), Some(Score::Draw), None);
            test.add(PairId(pair), Some(other), None);
            let history = test.history();
            assert_eq!(history.last(), Some(&(pair, test.state().llr)));
            assert!(history.windows(2).all(|two| two[0].0 < two[1].0));
            assert!(
                history.len() <= 2 * POINTS + 1 && history.len() as u64 > pair.min(POINTS as u64)
            );
        }
    }

    #[test]
    fn it_says_what_is_true_in_the_end() {
        for (score, expected) in
            [(Score::Win, Decision::AcceptH1), (Score::Loss, Decision::AcceptH0)]
        {
            let mut test = test();
            let mut pair = 0;
            while test.decision() == Decision::Continue {
                pair += 1;
                assert!(pair < 100, "{test:?}");
                test.add(PairId(pair), Some(score), None);
                test.add(PairId(pair), Some(score), None);
            }
            assert_eq!(test.decision(), expected);
        }
    }
}
