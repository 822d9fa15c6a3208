//! The ratings over the course of a tournament.

use std::collections::{BTreeMap, HashMap};

use fanorona_protocol::rules::Side;

use fanorona_ratings::kind::Kind;
use fanorona_ratings::{PairKey, Sample, SampleError, Score, ScoredGame, elo};
use fanorona_tournament::game::termination::GameResult;
use fanorona_tournament::record::GameRecord;

/// The ratings of every kind at regular intervals. Games are added in schedule order and not kept;
/// memory use is bounded.
#[derive(Clone, Debug)]
pub struct RatingHistory {
    engines: Vec<String>,
    kinds: BTreeMap<Kind, Series>,
}

/// The rating history of one kind.
#[derive(Clone, Debug)]
pub struct Series {
    /// The number of results so far.
    pub results: u64,
    /// The points of the history, the earliest first.
    pub points: Vec<Point>,
    sample: Sample,
    /// The number of results between points.
    every: u64,
}

/// The ratings after some number of results.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The number of results.
    pub results: u64,
    /// The rating of each engine by its index; `None` if it has none.
    pub elo: Vec<Option<f64>>,
}

/// Half the maximum number of points of a series: beyond it, every other point is dropped.
const POINTS: usize = 32;

impl RatingHistory {
    /// A history without games.
    ///
    /// # Errors
    /// Returns an error if two engines have the same name.
    pub fn new(engines: Vec<String>) -> Result<RatingHistory, SampleError> {
        Sample::new(engines.iter().cloned())?;
        Ok(RatingHistory { engines, kinds: BTreeMap::new() })
    }

    /// The engines, by index.
    pub fn engines(&self) -> &[String] {
        &self.engines
    }

    /// Adds a game. A session counts as a whole, see [`RatingHistory::add_session`].
    pub fn add(&mut self, game: &GameRecord) {
        if game.id.of_session.is_some() {
            return;
        }
        let first = game.debtor().unwrap_or(Side::White);
        let players = [&game.white, &game.black];
        let Some(([first, second], score)) = game.result.of_first(first, players) else { return };
        self.push(game.kind, first, second, score, game.pair.unwrap_or(game.id.pairing.0));
    }

    /// Adds a session by its result, with `Side::White` for its first player.
    pub fn add_session(&mut self, first: &str, second: &str, result: GameResult, pair: u64) {
        if let Some(score) = result.score_of(Side::White) {
            self.push(Kind::Session, first, second, score, pair);
        }
    }

    fn push(&mut self, kind: Kind, first: &str, second: &str, score: Score, pair: u64) {
        let engines = &self.engines;
        let series = self.kinds.entry(kind).or_insert_with(|| Series::new(engines));
        let (first, second) = (series.sample.engine(first), series.sample.engine(second));
        // Engines that are not in the config have no rating.
        let Some((first, second)) = first.zip(second) else { return };
        let result = ScoredGame { first, second, kind, score, pair: PairKey(pair) };
        if series.sample.push(result).is_ok() {
            series.results += 1;
            if series.results.is_multiple_of(series.every) {
                series.mark(engines, kind);
            }
        }
    }

    /// The series of all kinds that were played; each ends with a point at its last result.
    pub fn finish(mut self) -> Vec<(Kind, Series)> {
        for (&kind, series) in &mut self.kinds {
            if series.points.last().is_none_or(|point| point.results < series.results) {
                series.mark(&self.engines, kind);
            }
        }
        self.kinds.into_iter().collect()
    }
}

impl Series {
    fn new(engines: &[String]) -> Series {
        let sample = Sample::new(engines.iter().cloned()).expect("the names differ");
        Series { results: 0, points: Vec::new(), sample, every: 1 }
    }

    /// Adds a point with the current ratings.
    fn mark(&mut self, engines: &[String], kind: Kind) {
        let ratings = elo(&self.sample, kind.into());
        let by_name: HashMap<&str, Option<f64>> =
            self.sample.engines().map(|(_, name)| name).zip(ratings).collect();
        let elo = engines.iter().map(|name| by_name.get(name.as_str()).copied().flatten());
        let elo = elo.collect();
        self.points.push(Point { results: self.results, elo });
        if self.points.len() == 2 * POINTS {
            self.every *= 2;
            let every = self.every;
            self.points.retain(|point| point.results.is_multiple_of(every));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_ratings::{FitOptions, fit};

    fn game(number: u64, white: &str, black: &str, result: &str) -> GameRecord {
        let id = number.to_string().parse().unwrap();
        let start = "bbb/b1W/WWW w - 0 1".parse().unwrap();
        let (result, reason) = (result.parse().unwrap(), "no-stones".parse().unwrap());
        GameRecord {
            pair: Some(number.div_ceil(2)),
            white: white.to_owned(),
            black: black.to_owned(),
            ..GameRecord::new(id, &start, result, reason)
        }
    }

    fn history() -> RatingHistory {
        RatingHistory::new(vec!["b".to_owned(), "a".to_owned()]).unwrap()
    }

    #[test]
    fn points_are_even_and_few_and_end_at_the_end() {
        let mut history = history();
        for number in 1..=1001 {
            let (white, black) = if number % 2 == 1 { ("a", "b") } else { ("b", "a") };
            history.add(&game(number, white, black, if number < 500 { "1-0" } else { "1/2-1/2" }));
        }
        let all_series = history.finish();
        let [(Kind::Riatra, series)] = &all_series[..] else { panic!("{all_series:?}") };
        let results: Vec<u64> = series.points.iter().map(|point| point.results).collect();
        assert!((POINTS..=2 * POINTS).contains(&results.len()), "{results:?}");
        assert_eq!(results.last(), Some(&1001));
        let (even, _) = results.split_at(results.len() - 1);
        assert!(even.windows(2).all(|two| two[1] - two[0] == even[0]), "{results:?}");
    }

    #[test]
    fn the_last_point_is_the_rating() {
        let mut history = history();
        let games = [game(1, "a", "b", "1-0"), game(2, "b", "a", "0-1"), game(3, "a", "b", "0-1")];
        games.iter().for_each(|game| history.add(game));
        // Neither of these games counts for the ratings.
        history.add(&game(4, "b", "a", "*"));
        history.add(&game(5, "b", "stranger", "1-0"));
        let all_series = history.finish();
        let series = &all_series[0].1;
        assert_eq!(series.points.len(), 3);
        let elo = |point: &Point| (point.elo[0].unwrap(), point.elo[1].unwrap());
        let (b, a) = elo(&series.points[1]);
        assert!(a > 0.0 && (a + b).abs() < 1e-6, "{a} {b}");
        assert!(elo(&series.points[2]).1 < a);
        // The last point equals the fit over all games.
        let fit = fit(&series.sample, Kind::Riatra.into(), &FitOptions::default()).unwrap();
        for (place, name) in ["b", "a"].iter().enumerate() {
            let rating = fit.engines.iter().find(|rating| rating.engine == *name).unwrap();
            assert_eq!(series.points[2].elo[place], rating.estimate.elo);
        }
    }

    #[test]
    fn sessions_count_once() {
        let mut history = history();
        let mut of_session = game(1, "a", "b", "1-0");
        of_session.id = "1.1".parse().unwrap();
        history.add(&of_session);
        history.add_session("a", "b", GameResult::Won(Side::Black), 1);
        history.add_session("a", "b", GameResult::Void, 1);
        let all_series = history.finish();
        let [(Kind::Session, series)] = &all_series[..] else { panic!("{all_series:?}") };
        assert!(series.points[0].elo[0] > series.points[0].elo[1]);
    }
}
