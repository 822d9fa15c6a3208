//! Sentences about the standings: which engine is stronger, and what is still undecided.

use std::fmt;

use statrs::distribution::{ContinuousCDF, Normal};

use super::standings::Standings;
use crate::phrase::{Phrase, Word, Words, list};
use fanorona_ratings::kind::Kind;
use fanorona_ratings::{Fit, MatchStatistics, Rating, Scope, Z95};

/// From this likelihood of superiority on, an engine is called stronger: the 95 % interval of the
/// lead then no longer contains zero.
pub const CERTAIN: f64 = 0.975;

/// From this probability on, the games of the whole field favour an engine.
const LEANING: f64 = 0.75;

/// The verdict on two neighbours in a ranking.
///
/// ```
/// use fanorona_ratings::kind::Kind;
/// use fanorona_ratings::Scope;
/// use fanorona_report::statistics::verdict::{HeadToHead, Verdict};
///
/// let verdict = Verdict::new(Scope::Kind(Kind::Vela), "alphabeta", "mcts", 0.998, HeadToHead::None);
/// assert_eq!(
///     verdict.to_string(),
///     "alphabeta is stronger than mcts in vela (99.8 %, by games with others)"
/// );
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The games that it rests on: those of one kind, or all.
    pub scope: Scope,
    /// The engine with the higher rank.
    pub ahead: String,
    /// The engine with the lower rank.
    pub behind: String,
    /// The probability (0 to 1) that `ahead` is stronger.
    pub certainty: f64,
    /// Their games against each other.
    pub direct: HeadToHead,
}

/// The games of two neighbours against each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HeadToHead {
    /// None: the comparison rests on games with other engines.
    None,
    /// The number of different pairs.
    Pairs(u64),
    /// Mostly pairs that repeat others move for move; further pairs would do so too.
    Repeating,
    /// Pairs that alone would decide in favour of one engine, while the whole field does not.
    Contrary {
        /// The half points of `ahead`.
        half_points: u64,
        /// The number of games.
        games: u64,
    },
}

/// A sentence of the summary.
#[derive(Clone, Debug, PartialEq)]
pub struct Sentence {
    /// Whether the sentence states something decided or undecided; `None` for a remark.
    pub decided: Option<bool>,
    /// The sentence in pieces.
    pub words: Words,
}

/// Summarises standings in a few sentences, however many engines there are. For the main ranking:
/// the first place, which neighbours are decided or undecided, and how many more pairs are needed.
/// For every other ranking shown: the first place.
pub fn summary(standings: &Standings) -> Vec<Sentence> {
    let mut fits: Vec<&Fit> = standings.shown().collect();
    let Some(main) = fits.pop() else { return Vec::new() };
    let verdicts = verdicts(standings, main);
    let mut said: Vec<Sentence> = verdicts.first().map(Verdict::said).into_iter().collect();
    let rest = verdicts.get(1..).unwrap_or_default();
    let (decided, undecided): (Vec<_>, Vec<_>) = rest.iter().partition(|it| it.is_decided());
    said.extend(together(&decided, main.scope));
    said.extend(together(&undecided, main.scope));
    for fit in fits {
        said.extend(self::verdicts(standings, fit).first().map(Verdict::said));
    }
    if said.iter().any(|said| said.words.iter().any(|word| word.is(MORE_PAIRS))) {
        said.push(Sentence { decided: None, words: vec![Phrase::new("verdict.look").into()] });
    }
    said
}

/// The verdict on the first two engines of the main ranking that are not withdrawn; `None` if they
/// cannot be compared.
pub(crate) fn first_place(standings: &Standings) -> Option<Verdict> {
    let contenders = standings.contenders();
    let [ahead, behind, ..] = contenders[..] else { return None };
    of_two(standings, standings.main(), ahead, behind)
}

/// Combines verdicts of one sort in a sentence; a single one keeps its own sentence.
fn together(verdicts: &[&Verdict], scope: Scope) -> Option<Sentence> {
    let (first, decided) = (verdicts.first()?, verdicts.first()?.is_decided());
    if verdicts.len() == 1 {
        return Some(first.said());
    }
    let [begin, joined] = match decided {
        true => [Phrase::new("verdict.certain"), Phrase::new("verdict.over")],
        false => [Phrase::new("verdict.undecided"), Phrase::new("verdict.or")],
    };
    let two = |verdict: &&Verdict| {
        let certainty = percent(verdict.certainty);
        let both = joined.clone().name("ahead", &verdict.ahead).name("behind", &verdict.behind);
        vec![both.phrase("percent", certainty).into()]
    };
    let mut words: Words = vec![begin.phrase("where", place(scope)).into()];
    words.extend(list(verdicts.iter().take(MAX_LISTED).map(two)));
    let more = verdicts.len().saturating_sub(MAX_LISTED);
    words.extend((more > 0).then(|| Phrase::new("verdict.more").text("n", more).into()));
    Some(Sentence { decided: Some(decided), words })
}

/// The maximal number of verdicts of one sort in a sentence.
pub const MAX_LISTED: usize = 4;

/// The verdicts on all neighbours in a ranking.
fn verdicts(standings: &Standings, fit: &Fit) -> Vec<Verdict> {
    let neighbours = fit.engines.windows(2);
    neighbours.filter_map(|two| of_two(standings, fit, &two[0], &two[1])).collect()
}

/// The verdict on two engines of a ranking; `None` if they cannot be compared, or if the ratings of both
/// are given: their games do not decide which is larger.
pub fn of_two(
    standings: &Standings,
    fit: &Fit,
    ahead: &Rating,
    behind: &Rating,
) -> Option<Verdict> {
    let is_given =
        |it: &Rating| it.estimate.elo_low.is_some() && it.estimate.elo_low == it.estimate.elo_high;
    if is_given(ahead) && is_given(behind) {
        return None;
    }
    let certainty = standings.superiority(fit, &ahead.engine, &behind.engine)?;
    let direct = standings.score(fit.scope, ahead, behind).map_or(HeadToHead::None, |tally| {
        let pairs = standings.pentanomial(fit.scope, ahead, behind);
        let alone = MatchStatistics::los_of_pairs(&pairs).unwrap_or(0.5);
        // A field that favours the same engine without deciding does not contradict the direct
        // games.
        let contradicted = alone >= CERTAIN && certainty < LEANING || alone <= 1.0 - CERTAIN;
        if certainty < CERTAIN && contradicted {
            let half_points = 2 * tally.wins + tally.draws;
            HeadToHead::Contrary { half_points, games: tally.games() }
        } else if standings.repeated_pairs(fit.scope, ahead, behind) > pairs.pairs() {
            HeadToHead::Repeating
        } else {
            HeadToHead::Pairs(pairs.pairs())
        }
    });
    // For unconnected engines a note says that they cannot be compared.
    let compared = direct != HeadToHead::None || standings.connected(fit.scope, ahead, behind);
    compared.then(|| Verdict::new(fit.scope, &ahead.engine, &behind.engine, certainty, direct))
}

impl Verdict {
    /// The verdict on two engines, where `ahead` is stronger with probability `certainty`, 0 to 1.
    pub fn new(
        scope: Scope,
        ahead: &str,
        behind: &str,
        certainty: f64,
        direct: HeadToHead,
    ) -> Verdict {
        let (ahead, behind) = (ahead.to_owned(), behind.to_owned());
        Verdict { scope, ahead, behind, certainty, direct }
    }

    /// Whether the verdict is decided, see [`CERTAIN`].
    pub fn is_decided(&self) -> bool {
        self.certainty >= CERTAIN
    }
}

/// About how many more pairs two engines need for an even chance of a decided verdict, if their
/// scores continue as before and all other engines play on in proportion. `None` if the current
/// pairs show no measurable difference.
///
/// The lead in standard errors, z, grows with the square root of the number of pairs. To reach z =
/// 1.96, the certainty [`CERTAIN`], it takes `pairs · ((1.96 / z)² − 1)` more pairs (the usual
/// sample size of a test of a mean, with the observed variance). This is only an estimate, as the
/// lead itself is one.
pub fn more_pairs(certainty: f64, pairs: u64) -> Option<u64> {
    let z = Normal::standard().inverse_cdf(certainty.clamp(0.0, 1.0));
    if z <= 0.0 || pairs == 0 {
        return None;
    }
    let times = (Z95 / z).powi(2) - 1.0;
    (times <= MAX_FACTOR).then(|| two_digits(((pairs as f64 * times).round() as u64).max(1)))
}

/// The number of further pairs with which a decision is nearly certain, where `more` give an even
/// chance: with four times the pairs of both together the expected lead is twice the required 1.96
/// standard errors, and 97.5 of 100 leads are above them.
fn pairs_to_be_sure(pairs: u64, more: u64) -> u64 {
    two_digits(4 * (pairs + more) - pairs)
}

/// Estimates of more than this many times the pairs played are not given.
const MAX_FACTOR: f64 = 100.0;

/// Rounds up to a number with two significant digits.
pub(crate) fn two_digits(number: u64) -> u64 {
    let mut unit = 1;
    while number / unit >= 100 {
        unit *= 10;
    }
    number.div_ceil(unit) * unit
}

/// The text with the estimated number of pairs.
const MORE_PAIRS: &str = "outcome.more-pairs";

impl Verdict {
    /// The sentence, with what is missing if it is undecided.
    pub fn said(&self) -> Sentence {
        let decided = Some(self.is_decided());
        let (place, certainty) = (place(self.scope), percent(self.certainty));
        if self.is_decided() {
            let words = vec![Word::name(&self.ahead), self.stronger().into()];
            return Sentence { decided, words };
        }
        let why = match self.direct {
            HeadToHead::None => Phrase::new("outcome.not-met"),
            HeadToHead::Repeating => Phrase::new("outcome.repeating"),
            HeadToHead::Contrary { half_points, games } => {
                let why = match half_points > games {
                    true => Phrase::new("outcome.contrary.behind"),
                    false => Phrase::new("outcome.contrary.ahead"),
                };
                why.text("points", half_points as f64 / 2.0).text("games", games)
            }
            HeadToHead::Pairs(pairs) => match more_pairs(self.certainty, pairs) {
                Some(more) => {
                    let sure = pairs_to_be_sure(pairs, more);
                    Phrase::new(MORE_PAIRS).text("n", more).text("sure", sure)
                }
                None => Phrase::new("outcome.level"),
            },
        };
        let begin = Phrase::new("outcome.undecided").phrase("where", place);
        let begin = begin.name("ahead", &self.ahead).name("behind", &self.behind);
        let words = vec![begin.into(), why.phrase("percent", certainty).into()];
        Sentence { decided, words }
    }

    /// Returns the words that it is decided, after the name of the stronger engine.
    pub(super) fn stronger(&self) -> Phrase {
        let stronger = match self.direct {
            HeadToHead::None => Phrase::new("outcome.stronger.others"),
            _ => Phrase::new("outcome.stronger"),
        };
        let stronger = stronger.name("behind", &self.behind).phrase("where", place(self.scope));
        stronger.phrase("percent", percent(self.certainty))
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.words.iter().try_for_each(|word| word.fmt(f))
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.said().fmt(f)
    }
}

/// The scope as a phrase in a sentence.
pub(crate) fn place(scope: Scope) -> Phrase {
    Phrase::new(match scope {
        Scope::Kind(Kind::Riatra) => "outcome.in.riatra",
        Scope::Kind(Kind::Vela) => "outcome.in.vela",
        Scope::Kind(Kind::Session) => "outcome.in.session",
        Scope::All => "outcome.in.all",
    })
}

/// A probability in per cent, never rounded up to 100 %.
pub(crate) fn percent(share: f64) -> Phrase {
    match share {
        share if share > 0.9995 => Phrase::new("outcome.nearly-sure"),
        share => Phrase::new("outcome.percent").text("number", format!("{:.1}", 100.0 * share)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::results_reader::GameResults;
    use fanorona_ratings::{FitOptions, PairKey, Score, ScoredGame};

    fn sentence(certainty: f64, direct: HeadToHead) -> String {
        Verdict::new(Scope::Kind(Kind::Riatra), "a", "b", certainty, direct).to_string()
    }

    #[test]
    fn verdicts_are_sentences() {
        use HeadToHead::Pairs;
        for (certainty, direct, expected) in [
            (0.975, Pairs(3), "a is stronger than b in riatra (97.5 %)"),
            (0.999_999, Pairs(3), "a is stronger than b in riatra (over 99.9 %)"),
            // At one standard error the formula gives 1.96² − 1 = 2.84 times as many more pairs.
            (
                0.841_345,
                Pairs(100),
                "undecided between a and b in riatra: 84.1 % for the former; about 290 more pairs for \
                 an even chance to decide it, 1500 to be nearly sure",
            ),
            (
                0.974,
                Pairs(3),
                "undecided between a and b in riatra: 97.4 % for the former; about 1 more pair for an \
                 even chance to decide it, 13 to be nearly sure",
            ),
            (
                0.9,
                HeadToHead::None,
                "undecided between a and b in riatra: they have not met, and games with others give \
                 90.0 % for the former",
            ),
            (
                0.9,
                HeadToHead::Repeating,
                "undecided between a and b in riatra: 90.0 % for the former; more rounds would repeat \
                 games, so play other openings",
            ),
            (
                0.6,
                HeadToHead::Contrary { half_points: 152, games: 100 },
                "undecided between a and b in riatra: the former scored 76 of 100 against the \
                 latter, but games with others favour the latter",
            ),
        ] {
            assert_eq!(sentence(certainty, direct), expected);
        }
        let level = "undecided between a and b in riatra: no measurable difference yet";
        for certainty in [0.5, 0.501, 0.3] {
            assert_eq!(sentence(certainty, Pairs(100)), level, "{certainty}");
        }
    }

    #[test]
    fn more_pairs_than_these_would_decide_it() {
        // Twice as many standard errors take four times as many pairs.
        let z = Normal::standard().cdf(Z95 / 2.0);
        assert_eq!(more_pairs(z, 10), Some(30));
        assert_eq!(more_pairs(z, 1000), Some(3000));
        assert_eq!((two_digits(99), two_digits(101), two_digits(1230)), (99, 110, 1300));
    }

    /// The summary of standings from pairs in vela, given by engine indices and the first one's
    /// scores.
    fn said(names: &[&str], pairs: &[(usize, usize, [Score; 2], u64)]) -> Vec<String> {
        let mut game_results = GameResults::of_engines(names.iter().copied());
        let mut number = 0;
        for &(one, other, scores, times) in pairs {
            for _ in 0..times {
                number += 1;
                for (turned, score) in [(false, scores[0]), (true, scores[1])] {
                    let of = |place: usize| game_results.sample.engine(names[place]).unwrap();
                    let (first, second) = if turned { (other, one) } else { (one, other) };
                    let score = if turned { score.of_opponent() } else { score };
                    let (first, second, kind) = (of(first), of(second), Kind::Vela);
                    let pair = PairKey(number);
                    game_results
                        .sample
                        .push(ScoredGame { first, second, kind, score, pair })
                        .unwrap();
                }
            }
        }
        let standings = Standings::new(&game_results, &FitOptions::default()).unwrap();
        summary(&standings).iter().map(Sentence::to_string).collect()
    }

    const LEVEL: [Score; 2] = [Score::Draw; 2];
    const WON: [Score; 2] = [Score::Win; 2];
    const SPLIT: [Score; 2] = [Score::Win, Score::Loss];

    #[test]
    fn few_sentences_tell_of_many_engines() {
        let names: Vec<String> = (0..30).map(|number| format!("e{number:02}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut pairs = Vec::new();
        for one in 0..30 {
            for other in one + 1..30 {
                let (won, split) = if other - one > 4 { (9, 3) } else { (3, 9) };
                pairs.push((one, other, WON, won));
                pairs.push((one, other, SPLIT, split));
                pairs.push((one, other, [Score::Loss; 2], 3));
            }
        }
        let said = said(&names, &pairs);
        assert!((2..=4).contains(&said.len()), "{said:#?}");
        assert!(said[0].contains("e00") && said[0].contains("e01"), "{said:#?}");
        assert!(said.iter().any(|said| said.ends_with("more pairs of neighbours")), "{said:#?}");
    }

    #[test]
    fn engines_that_never_met_are_not_called_level() {
        // A gauntlet: both have the same score against the first engine, and never met.
        let said = said(
            &["champion", "x", "y"],
            &[(0, 1, WON, 6), (0, 1, SPLIT, 30), (0, 2, WON, 6), (0, 2, SPLIT, 30)],
        );
        let last = &said[1];
        assert!(last.starts_with("undecided between x and y in vela: they have not met"), "{last}");
        assert!(said.iter().all(|said| !said.contains("no measurable difference")), "{said:#?}");
    }

    #[test]
    fn engines_that_no_game_connects_are_not_compared() {
        // The prior puts `a` far above `d`, but no games connect them.
        let said = said(&["a", "b", "c", "d"], &[(0, 1, WON, 20), (2, 3, WON, 20)]);
        assert!(said.iter().all(|said| !said.contains("a and c") && !said.contains("b and d")));
        assert!(said.iter().all(|said| !said.contains("games with others")), "{said:#?}");
    }

    #[test]
    fn a_circle_is_told_from_a_level_score() {
        // A cycle: each scores 76 of 100 against the next.
        let circle = |one, other| [(one, other, WON, 26), (one, other, SPLIT, 24)];
        let pairs: Vec<_> = [circle(0, 1), circle(1, 2), circle(2, 0)].concat();
        let said = said(&["a", "b", "c"], &pairs);
        assert!(said[0].contains("the former scored 76 of 100 against the latter"), "{said:#?}");
        let level = self::said(&["a", "b"], &[(0, 1, LEVEL, 30)]);
        assert!(level[0].ends_with("no measurable difference yet"), "{level:#?}");
    }
}
