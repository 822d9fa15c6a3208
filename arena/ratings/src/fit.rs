//! Fits the ratings of all engines together.

use std::cell::{Cell, OnceCell};
use std::cmp::Ordering;
use std::collections::BTreeMap;

use nalgebra::DVector;
use serde::Serialize;

use super::ELO_PER_LOG_ODDS;
use super::comparisons::{Comparison, Comparisons};
use super::interval::{Estimate, IntervalMethod, Profile, estimate};
use super::kind::Kind;
use super::likelihood::Likelihood;
use super::nearby::{Nearby, Reach};
use super::newton::{maximise, maximise_watched};
use super::options::{Anchor, FitOptions, Intervals, Prior, Scope};
use super::recession::{RecessionCone, UnboundedDirections, advantages_are_bounded};
use super::sample::{Entrant, Sample};
use super::sandwich::Sandwich;
use super::subspace::Subspace;
use super::superiority::superiority;
use super::tally::Tally;

/// The options do not fit the sample.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FitError {
    /// The sample has no engine with this name.
    #[error("cannot anchor `{0}`: no engine with this name played")]
    UnknownAnchor(String),
    /// An engine is anchored twice.
    #[error("`{0}` is anchored twice: give it one rating")]
    DuplicateAnchor(String),
    /// The rating of an anchor is out of range.
    #[error("`{engine}` cannot be anchored at {elo}: use a number from -10000 to 10000")]
    AnchorOutOfRange {
        /// The engine's name.
        engine: String,
        /// The requested rating.
        elo: f64,
    },
}

/// One line of the standings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The engine's name.
    pub engine: String,
    /// Its rating. All fields are `None` without games.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// The number of results in the scope.
    pub games: u64,
    /// The numbers of wins, draws and losses.
    #[serde(flatten)]
    pub tally: Tally,
    /// The score as a fraction of the points, 0 to 1; `None` without games.
    pub score: Option<f64>,
    /// The probability, 0 to 1, that it is stronger than the next engine in the ranking; `None` if
    /// no next engine has games.
    pub los: Option<f64>,
}

/// The value of the first-player advantage in one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Advantage {
    /// The kind of the games that show it.
    pub kind: Kind,
    /// The advantage in Elo, for the first player.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// The number of results of the kind.
    pub games: u64,
    /// The first player's numbers of wins, draws and losses.
    #[serde(flatten)]
    pub tally: Tally,
}

/// The ratings of one scope.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The results used.
    pub scope: Scope,
    /// Every engine of the sample, strongest first, ties by name, engines without games last.
    /// Unbounded ratings are placed where the likelihood drives them.
    pub engines: Vec<Rating>,
    /// The advantages in the kinds that were played.
    pub advantages: Vec<Advantage>,
    comparisons: Comparisons,
    /// The number of results, including repeated ones.
    pub games: u64,
    /// The number of pairs, including repeated ones and single games.
    pub pairs: u64,
    /// The number of pairs that repeat others move for move, see [`Sample::push_repeat`]. Estimates
    /// do not use them.
    pub repeated_pairs: u64,
}

impl Fit {
    /// The probability, 0 to 1, that the engine of one rank is stronger than that of another. `None`
    /// for an engine against itself, for engines without games, and, except for neighbours, without
    /// [`Superiority::OfAll`](super::Superiority::OfAll).
    pub fn los(&self, rank: usize, other: usize) -> Option<f64> {
        let of_higher = self.comparisons.get(rank.min(other), rank.max(other))?.los;
        Some(if rank < other { of_higher } else { 1.0 - of_higher })
    }

    /// The lead in Elo of the engine of one rank over that of a lower one; `None` where
    /// [`Fit::los`] is. Common uncertainty cancels out, so its interval is narrower than the engines'
    /// own intervals suggest.
    pub fn lead(&self, rank: usize, lower: usize) -> Option<Estimate> {
        Some(self.comparisons.get(rank, lower)?.lead)
    }

    /// Whether every two engines with games are compared.
    pub fn compares_all(&self) -> bool {
        self.comparisons.are_all()
    }
}

/// Rates the engines of a sample by their results in the scope.
///
/// Samples with equal contents have equal fits, in whatever order the results were added.
///
/// ```
/// use fanorona_ratings::kind::Kind;
/// use fanorona_ratings::{FitOptions, ScoredGame, PairKey, Sample, Scope, Score, fit};
///
/// let mut sample = Sample::new(["greedy", "mcts"])?;
/// let (greedy, mcts) = (sample.engine("greedy").unwrap(), sample.engine("mcts").unwrap());
/// let kind = Kind::Riatra;
/// for (pair, score) in [Score::Loss, Score::Draw, Score::Loss].into_iter().enumerate() {
///     let pair = PairKey(pair as u64);
///     sample.push(ScoredGame { first: greedy, second: mcts, kind, score, pair })?;
///     sample.push(ScoredGame { first: mcts, second: greedy, kind, score: Score::Win, pair })?;
/// }
/// let fit = fit(&sample, Scope::All, &FitOptions::default())?;
/// assert_eq!(fit.engines[0].engine, "mcts");
/// assert!(fit.engines[0].los.unwrap() > 0.9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fit(sample: &Sample, scope: Scope, options: &FitOptions) -> Result<Fit, FitError> {
    fit_watched(sample, scope, options, &|_| {})
}

/// The progress of a fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitProgress<'f> {
    /// The results that it uses.
    pub scope: Scope,
    /// The number of engines with results.
    pub engines: usize,
    /// The number of intervals that are computed, and of all of them.
    pub done: usize,
    /// The number of all intervals.
    pub all: usize,
    /// The first twenty engines of the ranking and their ratings in Elo, as soon as they are known.
    pub first: &'f [(&'f str, f64)],
}

/// The engines of [`FitProgress::first`].
const FIRST_PLACES: usize = 20;

/// The same as [`fit`], and tells again and again how far it is.
pub fn fit_watched(
    sample: &Sample,
    scope: Scope,
    options: &FitOptions,
    watch: &dyn Fn(FitProgress),
) -> Result<Fit, FitError> {
    let likelihood = Likelihood::new(sample, scope, options.prior.precision());
    let anchored = anchored(sample, &likelihood, &options.anchors)?;
    let subspace = subspace(&likelihood, &anchored);
    let rated = likelihood.engines.len();
    let compared = options.superiority.comparisons(rated);
    let all = likelihood.parameters() + compared;
    let done = Cell::new(0);
    let first = OnceCell::<Vec<(&str, f64)>>::new();
    let tell = || {
        let first = first.get().map_or(&[][..], Vec::as_slice);
        watch(FitProgress { scope, engines: rated, done: done.get(), all, first });
    };
    let next = || {
        tell();
        done.set(done.get() + 1);
    };
    let start = DVector::zeros(likelihood.parameters());
    let optimum = maximise_watched(&likelihood, &subspace, &start, &tell);
    let mut ranking: Vec<usize> = (0..likelihood.engines.len()).collect();
    // Equal engines differ only by rounding errors and are ordered by name.
    let rounded = |place: usize| (optimum.point[place] * ELO_PER_LOG_ODDS * 1e6).round();
    ranking.sort_by(|&one, &other| {
        rounded(other).partial_cmp(&rounded(one)).unwrap_or(Ordering::Equal)
    });
    first.get_or_init(|| {
        let elo = |place: usize| optimum.point[place] * ELO_PER_LOG_ODDS;
        let rated = |&place: &usize| (sample.name(likelihood.engines[place]), elo(place));
        ranking.iter().take(FIRST_PLACES).map(rated).collect()
    });
    tell();

    let sandwich = Sandwich::new(&likelihood, &subspace, &optimum.point);
    let intervals = match likelihood.has_prior() {
        true => options.intervals.in_field(rated),
        // A line could be unbounded.
        false => Intervals::Profile,
    };
    let mut split = is_split(&likelihood);
    // In a split field no sandwich interval is trusted anyway.
    let unbounded = match intervals {
        _ if split && likelihood.has_prior() => None,
        Intervals::Profile => Some(UnboundedDirections::new(&likelihood, &subspace, &optimum))
            .filter(|found| !found.is_empty()),
        Intervals::Line | Intervals::Quick => {
            split |= !advantages_are_bounded(&likelihood);
            None
        }
    };
    let recession = unbounded.as_ref().and_then(|_| RecessionCone::new(&likelihood, &subspace));
    let profile = Profile {
        likelihood: &likelihood,
        subspace: &subspace,
        optimum: &optimum,
        recession: recession.as_ref(),
        intervals,
    };
    let is_large = likelihood.effort().is_none_or(|effort| effort * all > MAX_EFFORT);
    let reach = match intervals {
        Intervals::Quick => Some(Reach::Opponents),
        Intervals::Line if is_large => Some(Reach::Field),
        Intervals::Line | Intervals::Profile => None,
    };
    let anchor = anchored.keys().next().copied();
    let nearby =
        sandwich.as_ref().zip(reach).filter(|_| anchored.len() <= 1).map(|(it, reach)| {
            Nearby::new(&likelihood, &subspace, it, &optimum.point, anchor, reach)
        });
    let respond = |contrast: &DVector<f64>| match &nearby {
        Some(nearby) => nearby.response(contrast),
        None => sandwich.as_ref()?.response(contrast),
    };

    let tallies = likelihood.tallies();
    let few = |place: usize| tallies[place].points().min(tallies[place].conceded()) < ENOUGH_POINTS;
    let method = |contrast: &DVector<f64>, few: bool| {
        let is_unbounded =
            recession.is_some() || unbounded.as_ref().is_some_and(|found| found.includes(contrast));
        if split || is_unbounded || few { IntervalMethod::Wider } else { IntervalMethod::Sandwich }
    };
    let estimate_of = |place: usize| match anchored.get(&place) {
        Some(&elo) => Estimate { elo: Some(elo), elo_low: Some(elo), elo_high: Some(elo) },
        None => {
            next();
            let contrast = unit(&likelihood, place);
            let method = method(&contrast, few(place));
            estimate(&profile, respond(&contrast).as_ref(), &contrast, method)
        }
    };

    let comparison = |place: usize, other: usize| {
        next();
        let lead = unit(&likelihood, place) - unit(&likelihood, other);
        let method = method(&lead, few(place) || few(other));
        let response = respond(&lead);
        let los = superiority(&profile, response.as_ref(), &lead, method);
        Comparison { lead: estimate(&profile, response.as_ref(), &lead, method), los }
    };
    let comparisons = Comparisons::new(&ranking, options.superiority, comparison);

    let played = PlayedGames::new(sample, scope);
    let rated = ranking.iter().enumerate().map(|(rank, &place)| {
        let los = comparisons.get(rank, rank + 1).map(|it| it.los);
        let engine = likelihood.engines[place];
        Rating::new(sample.name(engine), estimate_of(place), played.of_engine(engine), los)
    });
    let unrated = sample
        .engines()
        .filter(|(id, _)| likelihood.engines.binary_search(&id.0).is_err())
        .map(|(_, name)| Rating::new(name, Estimate::default(), Tally::default(), None));
    let engines: Vec<Rating> = rated.chain(unrated).collect();

    let advantages = likelihood.kinds.iter().enumerate().map(|(number, &kind)| {
        let place = likelihood.engines.len() + number;
        let tally = played.of_first(kind);
        Advantage { kind, estimate: estimate_of(place), games: tally.games(), tally }
    });
    Ok(Fit {
        scope,
        engines,
        advantages: advantages.collect(),
        comparisons,
        games: played.games,
        pairs: played.pairs,
        repeated_pairs: played.pairs - likelihood.number_of_pairs() as u64,
    })
}

/// Only the ratings, in Elo and in the order of the sample's engines, with mean zero: the estimates
/// of [`fit`] with the default [`Prior`], but without intervals and therefore much faster. `None`
/// without games.
pub fn elo(sample: &Sample, scope: Scope) -> Vec<Option<f64>> {
    let likelihood = Likelihood::new(sample, scope, Prior::default().precision());
    let subspace = subspace(&likelihood, &BTreeMap::new());
    let optimum = maximise(&likelihood, &subspace, &DVector::zeros(likelihood.parameters()));
    let mut ratings = vec![None; sample.engines().len()];
    for (place, &engine) in likelihood.engines.iter().enumerate() {
        ratings[engine] = Some(optimum.point[place] * ELO_PER_LOG_ODDS);
    }
    ratings
}

/// The ratings of some engines in Elo, with mean zero over all, and the covariance of their errors:
/// the estimates of [`fit`] with the default [`Prior`]. `None` if one of them has no games.
///
/// The covariance is that of the sandwich. Where few games determine a rating, [`Fit`] has a wider
/// interval, and the caller should widen the variance too.
pub fn joint(
    sample: &Sample,
    scope: Scope,
    engines: &[Entrant],
) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
    let likelihood = Likelihood::new(sample, scope, Prior::default().precision());
    let subspace = subspace(&likelihood, &BTreeMap::new());
    let optimum = maximise(&likelihood, &subspace, &DVector::zeros(likelihood.parameters()));
    let sandwich = Sandwich::new(&likelihood, &subspace, &optimum.point)?;
    let places: Option<Vec<usize>> =
        engines.iter().map(|engine| likelihood.engines.binary_search(&engine.0).ok()).collect();
    let places = places?;
    let contrasts: Vec<_> = places.iter().map(|&place| unit(&likelihood, place)).collect();
    let covariance = sandwich.covariance(&contrasts);
    let elo = places.iter().map(|&place| optimum.point[place] * ELO_PER_LOG_ODDS).collect();
    let row = |row: &Vec<f64>| row.iter().map(|it| it * ELO_PER_LOG_ODDS.powi(2)).collect();
    Some((elo, covariance.iter().map(row).collect()))
}

/// The results in a scope, including repeats.
#[derive(Default)]
struct PlayedGames {
    engines: Vec<Tally>,
    firsts: BTreeMap<Kind, Tally>,
    games: u64,
    pairs: u64,
}

impl PlayedGames {
    fn new(sample: &Sample, scope: Scope) -> PlayedGames {
        let engines = vec![Tally::default(); sample.engines().len()];
        let mut played = PlayedGames { engines, ..PlayedGames::default() };
        for (pairing, games, count) in sample.pairs(scope) {
            played.pairs += count.of_all;
            for game in games.iter() {
                played.games += count.of_all;
                let tally = game.tally_of_first(count.of_all);
                let (first, second) = match game.low_is_first {
                    true => (pairing.low, pairing.high),
                    false => (pairing.high, pairing.low),
                };
                played.engines[first].add(tally);
                played.engines[second].add(tally.reversed());
                played.firsts.entry(pairing.kind).or_default().add(tally);
            }
        }
        played
    }

    fn of_engine(&self, engine: usize) -> Tally {
        self.engines[engine]
    }

    fn of_first(&self, kind: Kind) -> Tally {
        self.firsts.get(&kind).copied().unwrap_or_default()
    }
}

impl Rating {
    fn new(engine: &str, estimate: Estimate, tally: Tally, los: Option<f64>) -> Rating {
        let (engine, games, score) = (engine.to_owned(), tally.games(), tally.score());
        Rating { engine, estimate, games, tally, score, los }
    }
}

/// The anchors that played, with their ratings in Elo.
fn anchored(
    sample: &Sample,
    likelihood: &Likelihood,
    anchors: &[Anchor],
) -> Result<BTreeMap<usize, f64>, FitError> {
    let mut ratings = BTreeMap::new();
    for Anchor { engine, elo } in anchors {
        let id = sample.engine(engine).ok_or_else(|| FitError::UnknownAnchor(engine.clone()))?;
        if !(-10_000.0..=10_000.0).contains(elo) {
            return Err(FitError::AnchorOutOfRange { engine: engine.clone(), elo: *elo });
        }
        if ratings.insert(id.0, *elo).is_some() {
            return Err(FitError::DuplicateAnchor(engine.clone()));
        }
    }
    let played = ratings
        .into_iter()
        .filter_map(|(id, elo)| Some((likelihood.engines.binary_search(&id).ok()?, elo)));
    Ok(played.collect())
}

/// The subspace with these anchors, or with mean zero if no anchor played.
pub(super) fn subspace(likelihood: &Likelihood, anchored: &BTreeMap<usize, f64>) -> Subspace {
    let mut subspace = Subspace::new(likelihood.parameters());
    let mut constrain = |contrast: &DVector<f64>, value| {
        if let Some(constrained) = subspace.constrained(contrast, value) {
            subspace = constrained;
        }
    };
    for (&place, &elo) in anchored {
        constrain(&unit(likelihood, place), elo / ELO_PER_LOG_ODDS);
    }
    if anchored.is_empty() {
        let engines = likelihood.engines.len();
        let in_sum = |place, _| if place < engines { 1.0 } else { 0.0 };
        constrain(&DVector::from_fn(likelihood.parameters(), in_sum), 0.0);
    }
    subspace
}

pub(super) fn unit(likelihood: &Likelihood, place: usize) -> DVector<f64> {
    let mut unit = DVector::zeros(likelihood.parameters());
    unit[place] = 1.0;
    unit
}

/// Whether some group of engines never lost a point to the others: the graph from each engine to
/// those it scored against is not strongly connected (Ford 1957).
fn is_split(likelihood: &Likelihood) -> bool {
    let engines = likelihood.engines.len();
    let mut scored = vec![Vec::new(); engines];
    let mut conceded = vec![Vec::new(); engines];
    for row in &likelihood.rows {
        if row.tally.points() > 0.0 {
            scored[row.first].push(row.second);
            conceded[row.second].push(row.first);
        }
        if row.tally.conceded() > 0.0 {
            scored[row.second].push(row.first);
            conceded[row.first].push(row.second);
        }
    }
    [scored, conceded].iter().any(|to| reached(to) < engines)
}

/// The number of engines reachable from the first.
fn reached(to: &[Vec<usize>]) -> usize {
    let mut seen = vec![false; to.len()];
    let mut stack: Vec<usize> = (0..to.len().min(1)).collect();
    let mut count = 0;
    while let Some(place) = stack.pop() {
        if !std::mem::replace(&mut seen[place], true) {
            count += 1;
            stack.extend(&to[place]);
        }
    }
    count
}

/// An engine with fewer points won or lost gets the wider interval.
const ENOUGH_POINTS: f64 = 5.0;
/// The most operations of whole solutions for all intervals, about a second.
const MAX_EFFORT: usize = 1_000_000_000;
