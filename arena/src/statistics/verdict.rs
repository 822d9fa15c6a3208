//! What the standings say, in sentences: who is stronger than whom, and what is not known yet.

use std::borrow::Cow;
use std::fmt;

use statrs::distribution::{ContinuousCDF, Normal};

use super::standings::Standings;
use crate::ratings::kind::Kind;
use crate::ratings::{Fit, MatchStatistics, Rating, Scope, Z95};

/// The likelihood of superiority from which on one engine is called the stronger: that at which the
/// 95 % interval of the lead no longer holds zero.
pub const CERTAIN: f64 = 0.975;

/// From this probability on the games of a whole field lean towards an engine.
const LEANING: f64 = 0.75;

/// What can be said about two engines that are neighbours in a ranking.
///
/// ```
/// use fanorona_arena::ratings::kind::Kind;
/// use fanorona_arena::ratings::Scope;
/// use fanorona_arena::statistics::verdict::{Direct, Verdict};
///
/// let verdict = Verdict::new(Scope::Kind(Kind::Vela), "alphabeta", "mcts", 0.998, Direct::None);
/// assert_eq!(
///     verdict.to_string(),
///     "alphabeta is stronger than mcts in vela (99.8 %, by games with others)"
/// );
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
    /// What the two have played against each other.
    pub direct: Direct,
}

/// What two neighbours have played against each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Direct {
    /// Nothing: what is known of them follows from games with others.
    None,
    /// So many different pairs.
    Pairs(u64),
    /// Pairs of which most repeat others move for move, as more of them would.
    Repeating,
    /// Pairs that alone would name one of the two the stronger, but the whole field does not.
    Contrary {
        /// The points of the engine that is ahead, in halves.
        half_points: u64,
        /// Of so many games.
        games: u64,
    },
}

/// A sentence of the summary.
#[derive(Clone, Debug, PartialEq)]
pub struct Said<'v> {
    /// Whether it says what is certain or what is not; `None` for a remark.
    pub decided: Option<bool>,
    /// The sentence in pieces, for those who show names otherwise than text.
    pub words: Vec<Word<'v>>,
}

/// What matters of standings, in a few sentences however many engines there are: of the main ranking who
/// is first, which neighbours are told apart and which are not yet, and what it takes; of every other
/// ranking that is shown who is first.
pub fn summary(standings: &Standings) -> Vec<Said<'static>> {
    let mut fits: Vec<&Fit> = standings.shown().collect();
    let Some(main) = fits.pop() else { return Vec::new() };
    let verdicts = verdicts(standings, main);
    let mut said: Vec<Said> = verdicts.first().map(Verdict::said).into_iter().collect();
    let rest = verdicts.get(1..).unwrap_or_default();
    let (decided, undecided): (Vec<_>, Vec<_>) = rest.iter().partition(|it| it.is_decided());
    said.extend(together(&decided, main.scope));
    said.extend(together(&undecided, main.scope));
    for fit in fits {
        said.extend(self::verdicts(standings, fit).first().map(Verdict::said));
    }
    let counted = |said: &Said| said.words.iter().any(|word| word.says(EVEN_CHANCE));
    if said.iter().any(counted) {
        let remark = "the numbers of pairs hold for one look at the end: to look often, and to stop as \
                      soon as somebody is called the stronger, misleads";
        said.push(Said { decided: None, words: vec![Word::Text(remark.to_owned())] });
    }
    said
}

/// Verdicts of one sort in a sentence; one alone is told as usual.
fn together(verdicts: &[&Verdict], scope: Scope) -> Option<Said<'static>> {
    let (first, decided) = (verdicts.first()?, verdicts.first()?.is_decided());
    if verdicts.len() == 1 {
        return Some(first.said());
    }
    let place = place(scope);
    let text = |text: String| Word::Text(text);
    let mut words =
        vec![text(format!("{} {place}: ", if decided { "also certain" } else { "undecided" }))];
    for (number, verdict) in verdicts.iter().take(MOST_TOLD).enumerate() {
        let certainty = in_percent(verdict.certainty);
        words.extend((number > 0).then(|| text(", ".to_owned())));
        words.push(Word::Engine(verdict.ahead.clone().into()));
        words.push(text(if decided { " over " } else { " or " }.to_owned()));
        words.push(Word::Engine(verdict.behind.clone().into()));
        words.push(text(format!(" ({certainty})")));
    }
    match verdicts.len().saturating_sub(MOST_TOLD) {
        0 => {}
        1 => words.push(text(", and 1 more pair of neighbours".to_owned())),
        more => words.push(text(format!(", and {more} more pairs of neighbours"))),
    }
    Some(Said { decided: Some(decided), words })
}

/// The most verdicts of one sort that are told one by one.
const MOST_TOLD: usize = 4;

/// The verdicts on every two neighbours of a ranking.
fn verdicts(standings: &Standings, fit: &Fit) -> Vec<Verdict> {
    fit.engines.windows(2).filter_map(|two| of_two(standings, fit, two)).collect()
}

fn of_two(standings: &Standings, fit: &Fit, two: &[Rating]) -> Option<Verdict> {
    let [ahead, behind] = two else { return None };
    let certainty = ahead.los?;
    let direct = standings.score(fit.scope, ahead, behind).map_or(Direct::None, |tally| {
        let pairs = standings.pentanomial(fit.scope, ahead, behind);
        let alone = MatchStatistics::of_pairs(&pairs).map_or(0.5, |statistics| statistics.los);
        // A field that leans the same way does not contradict it, only does not make it sure yet.
        let contradicted = alone >= CERTAIN && certainty < LEANING || alone <= 1.0 - CERTAIN;
        if certainty < CERTAIN && contradicted {
            let half_points = 2 * tally.wins + tally.draws;
            Direct::Contrary { half_points, games: tally.games() }
        } else if standings.repeated_pairs(fit.scope, ahead, behind) > pairs.pairs() {
            Direct::Repeating
        } else {
            Direct::Pairs(pairs.pairs())
        }
    });
    // Of engines that no game connects a note says that they cannot be compared.
    let compared = direct != Direct::None || standings.connected(fit.scope, ahead, behind);
    compared.then(|| Verdict::new(fit.scope, &ahead.engine, &behind.engine, certainty, direct))
}

impl Verdict {
    /// The verdict on two engines of which `ahead` is the stronger one with this probability, 0 to 1.
    pub fn new(scope: Scope, ahead: &str, behind: &str, certainty: f64, direct: Direct) -> Verdict {
        let (ahead, behind) = (ahead.to_owned(), behind.to_owned());
        Verdict { scope, ahead, behind, certainty, direct }
    }

    /// Whether the two are told apart, see [`CERTAIN`].
    pub fn is_decided(&self) -> bool {
        self.certainty >= CERTAIN
    }
}

/// About how many more pairs two engines need for an even chance that one can be called the stronger
/// then, if their scores go on as they are and everybody else plays on in proportion; `None` where the
/// present pairs show next to no difference, so that nobody can tell. With four times as many it is
/// nearly sure, as the lead is then expected to be twice the 1.96 standard errors it takes.
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
    Engine(Cow<'v, str>),
    /// Everything between.
    Text(String),
}

impl Word<'_> {
    fn says(&self, part: &str) -> bool {
        matches!(self, Word::Text(text) if text.contains(part))
    }
}

/// How a number of pairs is told.
const EVEN_CHANCE: &str = "for an even chance to decide it";

impl Verdict {
    /// The sentence, with what is missing where it is not decided.
    pub fn said(&self) -> Said<'static> {
        let place = place(self.scope);
        let [ahead, behind] =
            [&self.ahead, &self.behind].map(|name| Word::Engine(name.clone().into()));
        let certainty = in_percent(self.certainty);
        let text = |text: &str| Word::Text(text.to_owned());
        if self.is_decided() {
            let by = if self.direct == Direct::None { ", by games with others" } else { "" };
            let end = format!(" {place} ({certainty}{by})");
            let words = vec![ahead, text(" is stronger than "), behind, Word::Text(end)];
            return Said { decided: Some(true), words };
        }
        let why = match self.direct {
            Direct::None => {
                format!("they have not met, and games with others give {certainty} for the former")
            }
            Direct::Repeating => format!(
                "{certainty} for the former; more rounds would repeat games, so play other openings"
            ),
            Direct::Contrary { half_points, games } => {
                let points = half_points as f64 / 2.0;
                let others = if half_points > games { "against" } else { "for" };
                format!(
                    "the former scored {points} of {games} against the latter, and games with others \
                     speak {others} it"
                )
            }
            Direct::Pairs(pairs) => match more_pairs(self.certainty, pairs) {
                Some(more) => {
                    let pairs = if more == 1 { "pair" } else { "pairs" };
                    let sure = 4 * more;
                    format!(
                        "{certainty} for the former; about {more} more {pairs} {EVEN_CHANCE}, {sure} to \
                         be nearly sure"
                    )
                }
                None => "no measurable difference yet".to_owned(),
            },
        };
        let end = format!(" {place}: {why}");
        let words = vec![text("undecided between "), ahead, text(" and "), behind, Word::Text(end)];
        Said { decided: Some(false), words }
    }
}

impl fmt::Display for Said<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.words.iter().try_for_each(|word| match word {
            Word::Engine(name) => f.write_str(name),
            Word::Text(text) => f.write_str(text),
        })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.said().fmt(f)
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
    use crate::ratings::{FitOptions, GameResult, PairId, Score};
    use crate::statistics::results_reader::GameResults;

    fn sentence(certainty: f64, direct: Direct) -> String {
        Verdict::new(Scope::Kind(Kind::Riatra), "a", "b", certainty, direct).to_string()
    }

    #[test]
    fn verdicts_are_sentences() {
        use Direct::Pairs;
        for (certainty, direct, expected) in [
            (0.975, Pairs(3), "a is stronger than b in riatra (97.5 %)"),
            (0.999_999, Pairs(3), "a is stronger than b in riatra (over 99.9 %)"),
            // One standard error ahead: 1.96² − 1 = 2.84 times as many pairs are missing.
            (
                0.841_345,
                Pairs(100),
                "undecided between a and b in riatra: 84.1 % for the former; about 290 more pairs for \
                 an even chance to decide it, 1160 to be nearly sure",
            ),
            (
                0.974,
                Pairs(3),
                "undecided between a and b in riatra: 97.4 % for the former; about 1 more pair for an \
                 even chance to decide it, 4 to be nearly sure",
            ),
            (
                0.9,
                Direct::None,
                "undecided between a and b in riatra: they have not met, and games with others give \
                 90.0 % for the former",
            ),
            (
                0.9,
                Direct::Repeating,
                "undecided between a and b in riatra: 90.0 % for the former; more rounds would repeat \
                 games, so play other openings",
            ),
            (
                0.6,
                Direct::Contrary { half_points: 152, games: 100 },
                "undecided between a and b in riatra: the former scored 76 of 100 against the latter, \
                 and games with others speak against it",
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
        // Twice as many standard errors are four times as many pairs.
        let z = Normal::standard().cdf(Z95 / 2.0);
        assert_eq!(more_pairs(z, 10), Some(30));
        assert_eq!(more_pairs(z, 1000), Some(3000));
        assert_eq!((two_digits(99), two_digits(101), two_digits(1230)), (99, 110, 1300));
    }

    /// Pairs in vela of engines by their places, and what each of the two games gave the first.
    fn said(names: &[&str], pairs: &[(usize, usize, [Score; 2], u64)]) -> Vec<String> {
        let mut contests = GameResults::of_engines(names.iter().copied());
        let mut number = 0;
        for &(one, other, scores, times) in pairs {
            for _ in 0..times {
                number += 1;
                for (turned, score) in [(false, scores[0]), (true, scores[1])] {
                    let of = |place: usize| contests.sample.engine(names[place]).unwrap();
                    let (first, second) = if turned { (other, one) } else { (one, other) };
                    let score = if turned { score.of_opponent() } else { score };
                    let (first, second, kind) = (of(first), of(second), Kind::Vela);
                    let pair = PairId(number);
                    contests.sample.push(GameResult { first, second, kind, score, pair }).unwrap();
                }
            }
        }
        let standings = Standings::new(&contests, &FitOptions::default()).unwrap();
        summary(&standings).iter().map(Said::to_string).collect()
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
        // A gauntlet: both scored the same against the first, and never met.
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
        // By the prior `a` is far above `d`; by the games nobody knows.
        let said = said(&["a", "b", "c", "d"], &[(0, 1, WON, 20), (2, 3, WON, 20)]);
        assert!(said.iter().all(|said| !said.contains("a and c") && !said.contains("b and d")));
        assert!(said.iter().all(|said| !said.contains("games with others")), "{said:#?}");
    }

    #[test]
    fn a_circle_is_told_from_a_level_score() {
        // Each scores 76 of 100 against the next, all round.
        let circle = |one, other| [(one, other, WON, 26), (one, other, SPLIT, 24)];
        let pairs: Vec<_> = [circle(0, 1), circle(1, 2), circle(2, 0)].concat();
        let said = said(&["a", "b", "c"], &pairs);
        assert!(said[0].contains("the former scored 76 of 100 against the latter"), "{said:#?}");
        let level = self::said(&["a", "b"], &[(0, 1, LEVEL, 30)]);
        assert!(level[0].ends_with("no measurable difference yet"), "{level:#?}");
    }
}
