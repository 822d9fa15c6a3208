//! What the standings say, in sentences: who is stronger than whom, and what is not known yet.

use std::fmt;

use statrs::distribution::{ContinuousCDF, Normal};

use crate::kind::Kind;
use crate::ratings::{Fit, Rating, Scope, Z95};
use crate::standings::Standings;

/// The likelihood of superiority from which on one engine is called the stronger: that at which the
/// 95 % interval of the lead no longer holds zero.
pub const CERTAIN: f64 = 0.975;

/// What can be said about two engines that are neighbours in a ranking.
///
/// ```
/// use fanorona_arena::kind::Kind;
/// use fanorona_arena::ratings::Scope;
/// use fanorona_arena::verdict::Verdict;
///
/// let verdict = Verdict::new(Scope::Kind(Kind::Vela), "alphabeta", "mcts", 0.998, 40);
/// assert_eq!(verdict.to_string(), "alphabeta is stronger than mcts in vela (99.8 %)");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// In what.
    pub scope: Scope,
    /// The engine that is ahead.
    pub ahead: String,
    /// The engine after it.
    pub behind: String,
    /// The probability, 0 to 1, that `ahead` is the stronger one.
    pub certainty: f64,
    /// Whether that decides it, and else what is missing.
    pub decision: Decision,
}

/// Whether two engines can be told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// They can: see [`CERTAIN`].
    Decided,
    /// They cannot yet. `more_pairs` is about how many pairs between the two are missing, see
    /// [`more_pairs`].
    Undecided {
        /// Pairs, rounded up to two digits.
        more_pairs: Option<u64>,
    },
}

/// The verdicts on every two neighbours of every ranking that is shown, in the order of the
/// rankings.
pub fn verdicts(standings: &Standings) -> Vec<Verdict> {
    let of_fit = |fit: &Fit| {
        let neighbours = fit.engines.windows(2).filter_map(|two| of_two(standings, fit, two));
        neighbours.collect::<Vec<_>>()
    };
    standings.shown().flat_map(of_fit).collect()
}

fn of_two(standings: &Standings, fit: &Fit, two: &[Rating]) -> Option<Verdict> {
    let [ahead, behind] = two else { return None };
    let pairs = standings.pairs(fit.scope, ahead, behind);
    Some(Verdict::new(fit.scope, &ahead.engine, &behind.engine, ahead.los?, pairs))
}

impl Verdict {
    /// The verdict on two engines that have played so many pairs with each other, of which `ahead`
    /// is the stronger one with this probability, 0 to 1.
    pub fn new(scope: Scope, ahead: &str, behind: &str, certainty: f64, pairs: u64) -> Verdict {
        let decision = match certainty >= CERTAIN {
            true => Decision::Decided,
            false => Decision::Undecided { more_pairs: more_pairs(certainty, pairs) },
        };
        let (ahead, behind) = (ahead.to_owned(), behind.to_owned());
        Verdict { scope, ahead, behind, certainty, decision }
    }
}

/// About how many more pairs two engines need until one can be called the stronger, if their scores
/// go on as they are and everybody else plays on in proportion; `None` where the present pairs show
/// next to no difference, so that nobody can tell.
///
/// The lead in standard errors, z, grows with the root of the number of pairs: that a certainty of
/// [`CERTAIN`] at z = 1.96 is reached from `pairs` takes `pairs · ((1.96 / z)² − 1)` more (the usual
/// sample size of a test of a mean, by the spread found so far). It is an estimate: the lead itself
/// is one.
pub fn more_pairs(certainty: f64, pairs: u64) -> Option<u64> {
    let z = Normal::standard().inverse_cdf(certainty.clamp(0.0, 1.0));
    if z <= 0.0 || pairs == 0 {
        return None;
    }
    let times = (Z95 / z).powi(2) - 1.0;
    (times <= FORESIGHT).then(|| two_digits(((pairs as f64 * times).round() as u64).max(1)))
}

/// Nothing is said about more pairs than so many times those played.
const FORESIGHT: f64 = 100.0;

/// Rounded up to a number with two digits before the zeros.
fn two_digits(number: u64) -> u64 {
    let mut unit = 1;
    while number / unit >= 100 {
        unit *= 10;
    }
    number.div_ceil(unit) * unit
}

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word<'v> {
    /// The name of an engine, which may be any text.
    Engine(&'v str),
    /// Everything between.
    Text(String),
}

impl Verdict {
    /// The sentence in pieces, for those who show names otherwise than text.
    pub fn words(&self) -> Vec<Word<'_>> {
        let place = place(self.scope);
        let (ahead, behind) = (Word::Engine(&self.ahead), Word::Engine(&self.behind));
        let certainty = in_percent(self.certainty);
        let Decision::Undecided { more_pairs } = self.decision else {
            let [between, end] =
                [" is stronger than ".to_owned(), format!(" {place} ({certainty})")];
            return vec![ahead, Word::Text(between), behind, Word::Text(end)];
        };
        let end = match more_pairs {
            Some(1) => format!(" {place}: {certainty} for the former; about 1 more pair needed"),
            Some(pairs) => {
                format!(" {place}: {certainty} for the former; about {pairs} more pairs needed")
            }
            None => format!(" {place}: so far next to nothing tells them apart"),
        };
        let [begin, between] =
            ["undecided between ", " and "].map(|text| Word::Text(text.to_owned()));
        vec![begin, ahead, between, behind, Word::Text(end)]
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.words().iter().try_for_each(|word| match word {
            Word::Engine(name) => f.write_str(name),
            Word::Text(text) => f.write_str(text),
        })
    }
}

/// Where something holds, in a sentence.
pub(crate) fn place(scope: Scope) -> String {
    match scope {
        Scope::Kind(Kind::Session) => "in sessions".to_owned(),
        Scope::Kind(kind) => format!("in {kind}"),
        Scope::All => "over all".to_owned(),
    }
}

/// A probability in per cent, never rounded up to certainty.
pub(crate) fn in_percent(share: f64) -> String {
    match share {
        share if share > 0.9995 => "over 99.9 %".to_owned(),
        share => format!("{:.1} %", 100.0 * share),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contests::Contests;
    use crate::ratings::{FitOptions, GameResult, PairId, Score};

    fn sentence(certainty: f64, pairs: u64) -> String {
        Verdict::new(Scope::Kind(Kind::Riatra), "a", "b", certainty, pairs).to_string()
    }

    #[test]
    fn verdicts_are_sentences() {
        assert_eq!(sentence(0.975, 3), "a is stronger than b in riatra (97.5 %)");
        assert_eq!(sentence(0.999_999, 3), "a is stronger than b in riatra (over 99.9 %)");
        // One standard error ahead: 1.96² − 1 = 2.84 times as many pairs are missing.
        assert_eq!(
            sentence(0.841_345, 100),
            "undecided between a and b in riatra: 84.1 % for the former; about 290 more pairs needed"
        );
        assert_eq!(
            sentence(0.974, 3),
            "undecided between a and b in riatra: 97.4 % for the former; about 1 more pair needed"
        );
        let level = "undecided between a and b in riatra: so far next to nothing tells them apart";
        for (certainty, pairs) in [(0.5, 100), (0.501, 100), (0.3, 100), (0.9, 0)] {
            assert_eq!(sentence(certainty, pairs), level, "{certainty} {pairs}");
        }
    }

    #[test]
    fn more_pairs_than_these_would_decide_it() {
        // Twice as many standard errors are four times as many pairs.
        let z = Normal::standard().cdf(Z95 / 2.0);
        assert_eq!(more_pairs(z, 10), Some(30));
        assert_eq!(more_pairs(z, 1000), Some(3000));
        assert_eq!((two_digits(99), two_digits(101), two_digits(1230)), (99, 110, 1300));
    }

    #[test]
    fn neighbours_of_every_ranking_are_judged() {
        let names = ["strong", "equal", "weak"];
        let mut contests = Contests::of_engines(names);
        let ids = names.map(|name| contests.sample.engine(name).unwrap());
        for pair in 0..40 {
            for (first, second) in [(0, 2), (2, 0), (1, 2), (2, 1), (0, 1), (1, 0)] {
                let score = match (first, second) {
                    (_, 2) => Score::Win,
                    (2, _) => Score::Loss,
                    _ => Score::Draw,
                };
                let pair = PairId(pair * 3 + first as u64 + second as u64);
                let (first, second, kind) = (ids[first], ids[second], Kind::Vela);
                contests.sample.push(GameResult { first, second, kind, score, pair }).unwrap();
            }
        }
        let standings = Standings::new(&contests, &FitOptions::default()).unwrap();
        let said: Vec<String> = verdicts(&standings).iter().map(Verdict::to_string).collect();
        // One kind alone: what holds over all is not said again.
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0].starts_with("undecided between equal and strong in vela"), "{}", said[0]);
        assert_eq!(said[1], "strong is stronger than weak in vela (over 99.9 %)");
    }
}
