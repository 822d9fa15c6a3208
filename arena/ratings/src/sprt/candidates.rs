//! Sequential tests of many candidates against one base, with one error over all of them.

use super::{Decision, Sprt, SprtError, SprtOptions};

/// A test of every candidate's lead over the same base. The probability that any candidate is accepted
/// whose lead is at most `elo0` is `alpha`, however many there are. Each candidate whose lead is at
/// least `elo1` is dropped with at most the probability `beta`.
///
/// Every candidate has an SPRT of its own. At the beginning its error is `alpha` divided by the number
/// of candidates; once some are accepted, by the number of the others (the sequential Holm procedure:
/// Bartroff and Song 2014, "Sequential tests of multiple hypotheses controlling type I and II familywise
/// error rates"). So an acceptance makes that of others easier.
///
/// The error holds because before the first wrong acceptance only candidates with a lead have been
/// accepted: every candidate without one is tested with at most `alpha` divided by their number. Without a
/// lead, a likelihood ratio is a martingale, and the probability that it ever exceeds `1 / error` is at most
/// `error` (Ville 1939), whenever one looks. The sum over these candidates is at most `alpha`, although they
/// play the same base from the same openings. Wald's bounds, as of one SPRT, allow for `alpha / (1 - beta)`;
/// jumps beyond a bound make it less. A candidate that is dropped never makes the acceptance of others easier.
///
/// ```
/// use fanorona_ratings::sprt::{Candidates, Decision, Model, SprtOptions};
///
/// let model = Model::Logistic;
/// let options = SprtOptions { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05, model };
/// let mut candidates = Candidates::new(options, 2)?;
/// // Not enough for one of two, but for the only one that is left.
/// candidates.weigh(0, 3.0);
/// assert_eq!(candidates.decision(0), Decision::Continue);
/// candidates.weigh(1, 3.8);
/// assert_eq!([0, 1].map(|it| candidates.decision(it)), [Decision::AcceptH1; 2]);
/// # Ok::<(), fanorona_ratings::sprt::SprtError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Candidates {
    options: SprtOptions,
    candidates: Vec<Candidate>,
}

/// The present test of a candidate; after its decision, the one that decided.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Candidate {
    sprt: Sprt,
    llr: f64,
    decision: Decision,
}

impl Candidates {
    /// The tests of `count` candidates before the first pair. `alpha` is the error over all of them.
    ///
    /// # Errors
    /// Returns an error if the options are invalid.
    pub fn new(options: SprtOptions, count: usize) -> Result<Candidates, SprtError> {
        // The options have to be valid for a single candidate, too.
        let one = Sprt::new(options)?;
        let candidate = Candidate { sprt: one, llr: 0.0, decision: Decision::Continue };
        let mut candidates = Candidates { options, candidates: vec![candidate; count] };
        candidates.retest();
        Ok(candidates)
    }

    /// The options, with the error over all candidates.
    pub fn options(&self) -> &SprtOptions {
        &self.options
    }

    /// The test of a candidate: its present one, or the one that decided.
    pub fn test(&self, candidate: usize) -> &Sprt {
        &self.candidates[candidate].sprt
    }

    /// The decision about a candidate.
    pub fn decision(&self, candidate: usize) -> Decision {
        self.candidates[candidate].decision
    }

    /// Takes a candidate's log-likelihood ratio after one more pair. This may decide about it, and
    /// about others, because each acceptance gives the open ones a larger error. A candidate that is
    /// decided stays so.
    pub fn weigh(&mut self, candidate: usize, llr: f64) {
        self.candidates[candidate].llr = llr;
        loop {
            let accepted = self.accepted();
            for it in self.open() {
                it.decision = it.sprt.decide(it.llr);
            }
            if self.accepted() == accepted {
                return;
            }
            self.retest();
        }
    }

    fn accepted(&self) -> usize {
        self.candidates.iter().filter(|it| it.decision == Decision::AcceptH1).count()
    }

    fn open(&mut self) -> impl Iterator<Item = &mut Candidate> {
        self.candidates.iter_mut().filter(|it| it.decision == Decision::Continue)
    }

    /// Gives every open candidate its share of the error.
    fn retest(&mut self) {
        let left = self.candidates.len() - self.accepted();
        let alpha = self.options.alpha / left.max(1) as f64;
        let sprt = Sprt { options: SprtOptions { alpha, ..self.options } };
        self.open().for_each(|it| it.sprt = sprt);
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::sprt::Model;
    use crate::{Pentanomial, Score, expected_score};

    const OPTIONS: SprtOptions =
        SprtOptions { elo0: 0.0, elo1: 60.0, alpha: 0.1, beta: 0.1, model: Model::Logistic };

    #[test]
    fn one_candidate_is_an_sprt() {
        let one = Candidates::new(OPTIONS, 1).unwrap();
        assert_eq!(one.test(0), &Sprt::new(OPTIONS).unwrap());
        assert!(Candidates::new(SprtOptions { alpha: 0.7, ..OPTIONS }, 4).is_err());
    }

    #[test]
    fn an_acceptance_gives_the_others_its_share_and_a_drop_does_not() {
        let mut four = Candidates::new(OPTIONS, 4).unwrap();
        let shares = |of: &Candidates| [0, 1, 2, 3].map(|it| of.test(it).options().alpha);
        assert_eq!(shares(&four), [0.025; 4]);
        four.weigh(3, -9.0);
        assert_eq!((four.decision(3), shares(&four)), (Decision::AcceptH0, [0.025; 4]));
        four.weigh(0, 9.0);
        assert_eq!(four.decision(0), Decision::AcceptH1);
        // The decided ones keep the test that decided.
        assert_eq!(shares(&four), [0.025, 0.1 / 3.0, 0.1 / 3.0, 0.025]);
        // What is decided stays so.
        four.weigh(3, 9.0);
        four.weigh(0, -9.0);
        assert_eq!([0, 3].map(|it| four.decision(it)), [Decision::AcceptH1, Decision::AcceptH0]);
        let before_that = four.test(1).upper();
        four.weigh(1, before_that - 1e-9);
        assert_eq!(four.decision(1), Decision::Continue);
        // The next acceptance makes this one, too.
        four.weigh(2, before_that);
        assert_eq!([1, 2].map(|it| four.decision(it)), [Decision::AcceptH1; 2]);
    }

    /// Plays pairs round by round until every candidate is decided; returns the decisions.
    fn played(leads: &[f64], random: &mut ChaCha8Rng) -> Vec<Decision> {
        let mut candidates = Candidates::new(OPTIONS, leads.len()).unwrap();
        let mut pairs = vec![Pentanomial::default(); leads.len()];
        let decisions = |of: &Candidates| (0..leads.len()).map(|it| of.decision(it)).collect();
        loop {
            let open = |it: &usize| candidates.decision(*it) == Decision::Continue;
            let open: Vec<usize> = (0..leads.len()).filter(open).collect();
            if open.is_empty() {
                return decisions(&candidates);
            }
            for it in open {
                let win = expected_score(leads[it]) - 1.0 / 6.0;
                let mut score = || match random.random::<f64>() {
                    it if it < win => Score::Win,
                    it if it < win + 1.0 / 3.0 => Score::Draw,
                    _ => Score::Loss,
                };
                pairs[it].add(score(), score(), 1);
                let llr = candidates.test(it).llr_of_pairs(&pairs[it]);
                candidates.weigh(it, llr);
            }
        }
    }

    #[test]
    fn the_error_holds_over_all_candidates_and_the_good_ones_are_found() {
        let mut random = ChaCha8Rng::seed_from_u64(11);
        // Eight candidates without a lead, and the same with two that have one.
        for (good, tournaments) in [(0, 300), (2, 300)] {
            let leads: Vec<f64> = [vec![60.0; good], vec![0.0; 8 - good]].concat();
            let (mut wrong, mut found) = (0, 0);
            for _ in 0..tournaments {
                let decisions = played(&leads, &mut random);
                let is_accepted = |it: &&Decision| **it == Decision::AcceptH1;
                wrong += usize::from(decisions[good..].iter().any(|it| is_accepted(&it)));
                found += decisions[..good].iter().filter(is_accepted).count();
            }
            // Eight separate tests with the error of the family are wrong in half of the cases. With
            // this many tournaments, 10 % are at most 42 with 99 %.
            assert!(wrong <= 42, "{good} good: {wrong} of {tournaments}");
            assert!(found * 10 >= 9 * good * tournaments, "{good} good: {found}");
        }
    }
}
