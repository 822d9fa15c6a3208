//! The results that ratings are computed from.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::groups::first_of_group;
use super::kind::Kind;
use super::options::Scope;
use super::pair_score::Score;
use super::pentanomial::Pentanomial;
use super::tally::Tally;

/// An engine of a [`Sample`]: its index among the sorted names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entrant(pub(super) usize);

/// The pair of a game. Equal numbers mean the same pair only for the same two engines and the same
/// kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PairKey(pub u64);

/// One finished game, or one finished session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredGame {
    /// White in riatra, the debtor in vela, the first named in a session.
    pub first: Entrant,
    /// The opponent.
    pub second: Entrant,
    /// Riatra or vela, or a session as a whole.
    pub kind: Kind,
    /// The score of `first`.
    pub score: Score,
    /// The pair it belongs to.
    pub pair: PairKey,
}

/// Collected results in constant space: pairs with equal contents are counted, not stored. Only
/// pairs with one missing game are stored individually.
///
/// A pair has one or two games. The order of results does not matter, as long as no pair has a
/// third game (which would start a new pair). Games without a known result must not be added.
///
/// ```
/// use fanorona_ratings::kind::Kind;
/// use fanorona_ratings::{ScoredGame, PairKey, Sample, Score};
///
/// let mut sample = Sample::new(["greedy", "mcts"])?;
/// let (greedy, mcts) = (sample.engine("greedy").unwrap(), sample.engine("mcts").unwrap());
/// let kind = Kind::Riatra;
/// let pair = PairKey(1);
/// sample.push(ScoredGame { first: greedy, second: mcts, kind, score: Score::Loss, pair })?;
/// sample.push(ScoredGame { first: mcts, second: greedy, kind, score: Score::Draw, pair })?;
/// assert_eq!(sample.pentanomial(mcts, greedy, kind.into()).wd, 1);
/// # Ok::<(), fanorona_ratings::SampleError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// Sorted and without duplicates.
    names: Vec<String>,
    /// The number of each name in the order of entry.
    entries: Vec<usize>,
    /// By the numbers of entry, so that a new engine moves no results.
    results: BTreeMap<Pairing, Results>,
}

/// The results of one pairing; games are given by their codes.
#[derive(Clone, Debug, Default)]
struct Results {
    /// The number of pairs with these two games, the smaller code first; in order, and only those
    /// that occur, because in a large field most engines meet once.
    whole: Vec<([u8; 2], Count)>,
    /// Games whose partner is missing.
    half: HashMap<PairKey, UnpairedGame>,
}

/// A game whose partner is missing.
#[derive(Clone, Copy, Debug)]
struct UnpairedGame {
    code: u8,
    new: bool,
}

impl Results {
    fn add_whole(&mut self, games: [u8; 2], new: bool) {
        let place = match self.whole.binary_search_by_key(&games, |(games, _)| *games) {
            Ok(place) => place,
            Err(place) => {
                self.whole.reserve_exact(1);
                self.whole.insert(place, (games, Count::default()));
                place
            }
        };
        self.whole[place].1.add(new);
    }
}

/// A number of pairs with equal contents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) of_all: u64,
    /// The pairs that contain at least one new game.
    pub(super) of_new: u64,
}

impl Count {
    fn add(&mut self, new: bool) {
        self.of_all += 1;
        self.of_new += u64::from(new);
    }
}

/// The result or the names do not fit the sample.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SampleError {
    /// Two engines have the same name.
    #[error("two engines are named `{0}`: give each a unique name")]
    DuplicateName(String),
    /// The id comes from a sample with more engines.
    #[error("engine {0:?} is not in this sample")]
    UnknownEngine(Entrant),
    /// An engine plays against itself.
    #[error("`{0}` cannot play against itself")]
    SameEngine(String),
}

impl Sample {
    /// An empty sample of these engines.
    pub fn new<N: Into<String>>(
        engines: impl IntoIterator<Item = N>,
    ) -> Result<Sample, SampleError> {
        let mut names = BTreeSet::new();
        for name in engines {
            if let Some(name) = names.replace(name.into()) {
                return Err(SampleError::DuplicateName(name));
            }
        }
        let entries = (0..names.len()).collect();
        Ok(Sample { names: names.into_iter().collect(), entries, results: BTreeMap::new() })
    }

    /// The engines, in the order of their names.
    pub fn engines(&self) -> impl ExactSizeIterator<Item = (Entrant, &str)> {
        self.names.iter().enumerate().map(|(place, name)| (Entrant(place), name.as_str()))
    }

    /// The engine with this name.
    pub fn engine(&self, name: &str) -> Option<Entrant> {
        self.names.binary_search_by(|known| known.as_str().cmp(name)).ok().map(Entrant)
    }

    /// Adds an engine if it is new. Ids obtained before are invalid afterwards and must be
    /// requested again.
    pub fn enter(&mut self, name: &str) {
        let Err(new) = self.names.binary_search_by(|known| known.as_str().cmp(name)) else {
            return;
        };
        self.entries.insert(new, self.names.len());
        self.names.insert(new, name.to_owned());
    }

    /// The names of the engines, in the order in which they were entered.
    pub fn names_as_entered(&self) -> Vec<&str> {
        let mut places: Vec<usize> = (0..self.names.len()).collect();
        places.sort_by_key(|&place| self.entries[place]);
        places.into_iter().map(|place| self.names[place].as_str()).collect()
    }

    /// Whether there are results in a scope.
    pub fn has(&self, scope: Scope) -> bool {
        self.results.keys().any(|pairing| scope.holds(pairing.kind))
    }

    /// Adds one result.
    pub fn push(&mut self, result: ScoredGame) -> Result<(), SampleError> {
        self.take(result, true)
    }

    /// Adds the result of a game that repeats an earlier game of the same players move for move. It
    /// counts as a played game, but a pair without a new game is not a new observation, and
    /// estimates do not use it.
    pub fn push_repeat(&mut self, result: ScoredGame) -> Result<(), SampleError> {
        self.take(result, false)
    }

    fn take(&mut self, result: ScoredGame, new: bool) -> Result<(), SampleError> {
        let ScoredGame { first, second, kind, score, pair } = result;
        for engine in [first, second] {
            if engine.0 >= self.names.len() {
                return Err(SampleError::UnknownEngine(engine));
            }
        }
        if first == second {
            return Err(SampleError::SameEngine(self.names[first.0].clone()));
        }
        let [first, second] = [first, second].map(|engine| self.entries[engine.0]);
        let pairing = Pairing { kind, low: first.min(second), high: first.max(second) };
        let game = PairGame { low_is_first: first < second, score }.code();
        let results = self.results.entry(pairing).or_default();
        match results.half.entry(pair) {
            Entry::Vacant(place) => {
                place.insert(UnpairedGame { code: game, new });
            }
            Entry::Occupied(place) => {
                let partner = place.remove();
                // An emptied table would keep its memory.
                if results.half.is_empty() {
                    results.half = HashMap::new();
                }
                let games = [game.min(partner.code), game.max(partner.code)];
                results.add_whole(games, new || partner.new);
            }
        }
        Ok(())
    }

    /// The wins, draws and losses of `engine` against `opponent`, in pairs or not.
    pub fn tally(&self, engine: Entrant, opponent: Entrant, scope: Scope) -> Tally {
        let mut tally = Tally::default();
        for (pairing, games, count) in self.pairs_between(engine, opponent, scope) {
            for game in games.iter() {
                tally.add(game.tally(pairing.low == engine.0, count.of_all));
            }
        }
        tally
    }

    /// The complete pairs of `engine` and `opponent` from `engine`'s view, without those that only
    /// repeat others.
    pub fn pentanomial(&self, engine: Entrant, opponent: Entrant, scope: Scope) -> Pentanomial {
        let mut pairs = Pentanomial::default();
        for (pairing, games, count) in self.pairs_between(engine, opponent, scope) {
            let Some(partner) = games.second else { continue };
            let view = |game: PairGame| game.score_of_low_or_high(pairing.low == engine.0);
            pairs.add(view(games.first), view(partner), count.of_new);
        }
        pairs
    }

    /// The number of complete pairs of two engines that only repeat others.
    pub fn repeated_pairs(&self, one: Entrant, other: Entrant, scope: Scope) -> u64 {
        let whole =
            self.pairs_between(one, other, scope).filter(|(_, games, _)| games.second.is_some());
        whole.map(|(.., count)| count.of_all - count.of_new).sum()
    }

    /// Every two engines that have met, the earlier in the order of names first.
    pub fn met(&self, scope: Scope) -> BTreeSet<(Entrant, Entrant)> {
        let pairings = self.named(scope).into_iter();
        pairings
            .map(|(named, _)| (Entrant(named.pairing.low), Entrant(named.pairing.high)))
            .collect()
    }

    /// The engines that played, in groups connected by games. The results do not compare the
    /// engines of different groups.
    pub fn groups(&self, scope: Scope) -> Vec<Vec<Entrant>> {
        let pairings = self.named(scope);
        let edges = || pairings.iter().map(|(named, _)| [named.pairing.low, named.pairing.high]);
        let first = first_of_group(self.names.len(), edges());
        let played: BTreeSet<usize> = edges().flatten().collect();
        let mut groups: BTreeMap<usize, Vec<Entrant>> = BTreeMap::new();
        for engine in played {
            groups.entry(first[engine]).or_default().push(Entrant(engine));
        }
        groups.into_values().collect()
    }

    fn pairs_between(
        &self,
        one: Entrant,
        other: Entrant,
        scope: Scope,
    ) -> impl Iterator<Item = (Pairing, PairGames, Count)> {
        let (low, high) = (one.0.min(other.0), one.0.max(other.0));
        let [one, other] = [low, high].map(|engine| self.entries[engine]);
        let kinds = Kind::ALL.iter().copied().filter(move |&kind| scope.holds(kind));
        kinds.flat_map(move |kind| {
            let entered = Pairing { kind, low: one.min(other), high: one.max(other) };
            let results = self.results.get(&entered);
            let named = Named { pairing: Pairing { kind, low, high }, is_turned: one > other };
            results.map_or_else(Vec::new, |results| pairs_of(named, results))
        })
    }

    /// Every distinct content of a pair in the scope with its count, in an order that depends only
    /// on the contents.
    pub(super) fn pairs(&self, scope: Scope) -> impl Iterator<Item = (Pairing, PairGames, Count)> {
        let pairings = self.named(scope).into_iter();
        pairings.flat_map(|(named, results)| pairs_of(named, results))
    }

    /// The results in a scope, in the order of names.
    fn named(&self, scope: Scope) -> Vec<(Named, &Results)> {
        let mut place = vec![0; self.entries.len()];
        for (name, &entry) in self.entries.iter().enumerate() {
            place[entry] = name;
        }
        let in_scope = self.results.iter().filter(|(pairing, _)| scope.holds(pairing.kind));
        let named = in_scope.map(|(&Pairing { kind, low, high }, results)| {
            let (low, high) = (place[low], place[high]);
            let pairing = Pairing { kind, low: low.min(high), high: low.max(high) };
            (Named { pairing, is_turned: low > high }, results)
        });
        let mut named: Vec<(Named, &Results)> = named.collect();
        named.sort_by_key(|(named, _)| named.pairing);
        named
    }

    pub(super) fn name(&self, engine: usize) -> &str {
        &self.names[engine]
    }
}

/// A pairing by names.
#[derive(Clone, Copy)]
struct Named {
    pairing: Pairing,
    /// Whether the engine with the earlier name entered later.
    is_turned: bool,
}

fn pairs_of(named: Named, results: &Results) -> Vec<(Pairing, PairGames, Count)> {
    let mut singles = [Count::default(); GAMES];
    for half in results.half.values() {
        singles[usize::from(half.code)].add(half.new);
    }
    let singles = (0..).zip(singles).filter(|(_, count)| count.of_all > 0);
    let singles = singles.map(|(game, count)| ([Some(game), None], count));
    let whole = results.whole.iter().map(|&(games, count)| (games.map(Some), count));
    let mut pairs: Vec<([Option<PairGame>; 2], Count)> = singles
        .chain(whole)
        .map(|(games, count)| {
            let seen = |code| PairGame::decode(code).turned(named.is_turned);
            (games.map(|code| code.map(seen)), count)
        })
        .collect();
    if named.is_turned {
        pairs.iter_mut().for_each(|(games, _)| {
            games.sort_by_key(|game| game.map_or(u8::MAX, PairGame::code));
        });
        pairs
            .sort_by_key(|(games, _)| (games[1].is_some(), games.map(|it| it.map(PairGame::code))));
    }
    let content = |([first, second], count): ([Option<PairGame>; 2], Count)| {
        let first = first.expect("a pair has a game");
        (named.pairing, PairGames { first, second }, count)
    };
    pairs.into_iter().map(content).collect()
}

/// Two engines in one kind, as indices: of the names, or in the order of entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Pairing {
    pub(super) kind: Kind,
    pub(super) low: usize,
    pub(super) high: usize,
}

/// The contents of one pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairGames {
    first: PairGame,
    second: Option<PairGame>,
}

impl PairGames {
    pub(super) fn iter(self) -> impl Iterator<Item = PairGame> {
        std::iter::once(self.first).chain(self.second)
    }
}

/// A game of a known pairing: which engine was first, and its score.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairGame {
    pub(super) low_is_first: bool,
    /// The first player's score.
    pub(super) score: Score,
}

/// The number of different games of a pairing.
const GAMES: usize = 6;

impl PairGame {
    fn code(self) -> u8 {
        self.score as u8 + if self.low_is_first { 0 } else { 3 }
    }

    fn decode(code: u8) -> PairGame {
        let score = [Score::Loss, Score::Draw, Score::Win][usize::from(code % 3)];
        PairGame { low_is_first: code < 3, score }
    }

    /// The game as seen with the engines in the other order.
    fn turned(self, is_turned: bool) -> PairGame {
        PairGame { low_is_first: self.low_is_first != is_turned, ..self }
    }

    fn score_of_low_or_high(self, low: bool) -> Score {
        if self.low_is_first == low { self.score } else { self.score.of_opponent() }
    }

    fn tally(self, low: bool, count: u64) -> Tally {
        let mut tally = Tally::default();
        match self.score_of_low_or_high(low) {
            Score::Loss => tally.losses = count,
            Score::Draw => tally.draws = count,
            Score::Win => tally.wins = count,
        }
        tally
    }

    /// `count` equal games from the first player's view.
    pub(super) fn tally_of_first(self, count: u64) -> Tally {
        self.tally(self.low_is_first, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> (Sample, Entrant, Entrant) {
        let sample = Sample::new(["b", "a"]).unwrap();
        let (a, b) = (sample.engine("a").unwrap(), sample.engine("b").unwrap());
        (sample, a, b)
    }

    fn game(first: Entrant, second: Entrant, score: Score, pair: u64) -> ScoredGame {
        ScoredGame { first, second, kind: Kind::Riatra, score, pair: PairKey(pair) }
    }

    #[test]
    fn a_pair_is_completed_after_other_games() {
        let (mut sample, a, b) = sample();
        sample.push(game(a, b, Score::Win, 1)).unwrap();
        sample.push(game(a, b, Score::Draw, 2)).unwrap();
        sample.push(game(b, a, Score::Loss, 1)).unwrap();
        let pairs = sample.pentanomial(a, b, Scope::All);
        assert_eq!(pairs, Pentanomial { ww: 1, ..Pentanomial::default() });
        let pairs = sample.pentanomial(b, a, Scope::All);
        assert_eq!(pairs, Pentanomial { ll: 1, ..Pentanomial::default() });
        assert_eq!(sample.tally(a, b, Scope::All), Tally { wins: 2, draws: 1, losses: 0 });
        assert_eq!(sample.tally(b, a, Scope::All), Tally { wins: 0, draws: 1, losses: 2 });
        assert_eq!(sample.tally(a, b, Kind::Vela.into()), Tally::default());
    }

    #[test]
    fn equal_pairs_are_counted_and_not_stored() {
        let (mut sample, a, b) = sample();
        for pair in 0..1000 {
            sample.push(game(a, b, Score::Win, pair)).unwrap();
            sample.push(game(b, a, Score::Draw, pair)).unwrap();
        }
        let results: Vec<&Results> = sample.results.values().collect();
        assert_eq!((results.len(), results[0].half.len()), (1, 0));
        assert_eq!(sample.pentanomial(a, b, Scope::All).wd, 1000);
    }

    #[test]
    fn engines_can_be_added_later() {
        let mut sample = Sample::new(["d", "b"]).unwrap();
        let play = |sample: &mut Sample, first: &str, second: &str, score, pair| {
            let id = |name| sample.engine(name).unwrap();
            let result = game(id(first), id(second), score, pair);
            sample.push(result).unwrap();
        };
        play(&mut sample, "d", "b", Score::Win, 1);
        ["c", "a", "e", "c"].into_iter().for_each(|name| sample.enter(name));
        play(&mut sample, "b", "d", Score::Draw, 1);
        play(&mut sample, "a", "d", Score::Win, 2);
        let names: Vec<_> = sample.engines().map(|(_, name)| name).collect();
        assert_eq!(names, ["a", "b", "c", "d", "e"]);
        let id = |name| sample.engine(name).unwrap();
        assert_eq!(sample.pentanomial(id("d"), id("b"), Scope::All).wd, 1);
        let lost = Tally { losses: 1, ..Tally::default() };
        assert_eq!(sample.tally(id("d"), id("a"), Scope::All), lost);
        assert_eq!(sample.tally(id("c"), id("a"), Scope::All), Tally::default());
        assert!(sample.has(Kind::Riatra.into()) && !sample.has(Kind::Vela.into()));
    }

    #[test]
    fn impossible_results_are_rejected() {
        let (mut sample, a, _) = sample();
        let stranger = Entrant(2);
        assert_eq!(
            sample.push(game(a, a, Score::Win, 1)),
            Err(SampleError::SameEngine("a".to_owned()))
        );
        assert_eq!(
            sample.push(game(a, stranger, Score::Win, 1)),
            Err(SampleError::UnknownEngine(stranger))
        );
        assert_eq!(
            Sample::new(["x", "y", "x"]).unwrap_err(),
            SampleError::DuplicateName("x".to_owned())
        );
    }
}
