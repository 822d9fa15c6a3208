//! How the ratings moved while a tournament went on.

use std::collections::{BTreeMap, HashMap};

use fanorona_protocol::rules::Side;

use super::results_reader::score_of;
use crate::game::termination::GameResult;
use crate::ratings::kind::Kind;
use crate::ratings::{self, PairId, Sample, SampleError, Score, elo};
use crate::record::GameRecord;

/// The ratings of every kind after some of its games, spread evenly. Games are added in the order
/// of the schedule and none is kept; the memory does not grow with them.
#[derive(Clone, Debug)]
pub struct RatingHistory {
    engines: Vec<String>,
    kinds: BTreeMap<Kind, Series>,
}

/// The ratings of one kind on their way.
#[derive(Clone, Debug)]
pub struct Series {
    /// Results counted so far.
    pub results: u64,
    /// The ratings, from the first ones on.
    pub points: Vec<Point>,
    sample: Sample,
    /// Results from one point to the next.
    every: u64,
}

/// The ratings after so many results.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// How many.
    pub results: u64,
    /// By the place of the engine; `None` where there is none.
    pub elo: Vec<Option<f64>>,
}

/// Twice as many points are thinned out to half of them; so it is the most but one a track keeps.
const POINTS: usize = 32;

impl RatingHistory {
    /// Of these engines, before the first game.
    ///
    /// # Errors
    /// When two of them have one name.
    pub fn new(engines: Vec<String>) -> Result<RatingHistory, SampleError> {
        Sample::new(engines.iter().cloned())?;
        Ok(RatingHistory { engines, kinds: BTreeMap::new() })
    }

    /// The engines, by their places.
    pub fn engines(&self) -> &[String] {
        &self.engines
    }

    /// Counts a game. One of a session counts with its session, see [`RatingHistory::add_session`].
    pub fn add(&mut self, game: &GameRecord) {
        if game.id.of_session.is_some() {
            return;
        }
        let first = game.debtor().unwrap_or(Side::White);
        let Some(score) = score_of(game.result, first) else { return };
        let (first, second) = match first {
            Side::White => (&game.white, &game.black),
            Side::Black => (&game.black, &game.white),
        };
        self.push(game.kind, first, second, score, game.pair.unwrap_or(game.id.pairing.0));
    }

    /// Counts a session by its result, `Side::White` being the player who is first in it.
    pub fn add_session(&mut self, first: &str, second: &str, result: GameResult, pair: u64) {
        if let Some(score) = score_of(result, Side::White) {
            self.push(Kind::Session, first, second, score, pair);
        }
    }

    fn push(&mut self, kind: Kind, first: &str, second: &str, score: Score, pair: u64) {
        let engines = &self.engines;
        let track = self.kinds.entry(kind).or_insert_with(|| Series::new(engines));
        let (first, second) = (track.sample.engine(first), track.sample.engine(second));
        // An engine the config does not name has no place in the ratings either.
        let Some((first, second)) = first.zip(second) else { return };
        let result = ratings::GameResult { first, second, kind, score, pair: PairId(pair) };
        if track.sample.push(result).is_ok() {
            track.results += 1;
            if track.results.is_multiple_of(track.every) {
                track.mark(engines, kind);
            }
        }
    }

    /// The tracks of all kinds that were played, each with its last point at its last result.
    pub fn finish(mut self) -> Vec<(Kind, Series)> {
        for (&kind, track) in &mut self.kinds {
            if track.points.last().is_none_or(|point| point.results < track.results) {
                track.mark(&self.engines, kind);
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

    /// Rates the engines now.
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
    use crate::ratings::{FitOptions, fit};

    fn game(number: u64, white: &str, black: &str, result: &str) -> GameRecord {
        GameRecord {
            id: number.to_string().parse().unwrap(),
            pair: Some(number.div_ceil(2)),
            kind: Kind::Riatra,
            white: white.to_owned(),
            black: black.to_owned(),
            result: result.parse().unwrap(),
            reason: "no-stones".parse().unwrap(),
            offender: None,
            other_fault: None,
            adjudicated_by: None,
            detail: String::new(),
            start: "bbb/b1W/WWW w - 0 1".to_owned(),
            moves: String::new(),
            book: 0,
            white_ms: 0,
            black_ms: 0,
            idle_cpu_ms: [0; 2],
            ready_ms: [0; 2],
            times: Vec::new(),
            scores: Vec::new(),
            transcript: Vec::new(),
            notes: Vec::new(),
        }
    }

    fn trend() -> RatingHistory {
        RatingHistory::new(vec!["b".to_owned(), "a".to_owned()]).unwrap()
    }

    #[test]
    fn points_are_even_and_few_and_end_at_the_end() {
        let mut trend = trend();
        for number in 1..=1001 {
            let (white, black) = if number % 2 == 1 { ("a", "b") } else { ("b", "a") };
            trend.add(&game(number, white, black, if number < 500 { "1-0" } else { "1/2-1/2" }));
        }
        let tracks = trend.finish();
        let [(Kind::Riatra, track)] = &tracks[..] else { panic!("{tracks:?}") };
        let results: Vec<u64> = track.points.iter().map(|point| point.results).collect();
        assert!((POINTS..=2 * POINTS).contains(&results.len()), "{results:?}");
        assert_eq!(results.last(), Some(&1001));
        let (even, _) = results.split_at(results.len() - 1);
        assert!(even.windows(2).all(|two| two[1] - two[0] == even[0]), "{results:?}");
    }

    #[test]
    fn the_last_point_is_the_rating() {
        let mut trend = trend();
        let games = [game(1, "a", "b", "1-0"), game(2, "b", "a", "0-1"), game(3, "a", "b", "0-1")];
        games.iter().for_each(|game| trend.add(game));
        // Neither of them is in the ratings.
        trend.add(&game(4, "b", "a", "*"));
        trend.add(&game(5, "b", "stranger", "1-0"));
        let tracks = trend.finish();
        let track = &tracks[0].1;
        assert_eq!(track.points.len(), 3);
        let elo = |point: &Point| (point.elo[0].unwrap(), point.elo[1].unwrap());
        let (b, a) = elo(&track.points[1]);
        assert!(a > 0.0 && (a + b).abs() < 1e-6, "{a} {b}");
        assert!(elo(&track.points[2]).1 < a);
        // What the whole fit says.
        let fit = fit(&track.sample, Kind::Riatra.into(), &FitOptions::default()).unwrap();
        for (place, name) in ["b", "a"].iter().enumerate() {
            let rating = fit.engines.iter().find(|rating| rating.engine == *name).unwrap();
            assert_eq!(track.points[2].elo[place], rating.estimate.elo);
        }
    }

    #[test]
    fn sessions_count_once() {
        let mut trend = trend();
        let mut of_session = game(1, "a", "b", "1-0");
        of_session.id = "1.1".parse().unwrap();
        trend.add(&of_session);
        trend.add_session("a", "b", GameResult::Won(Side::Black), 1);
        trend.add_session("a", "b", GameResult::Void, 1);
        let tracks = trend.finish();
        let [(Kind::Session, track)] = &tracks[..] else { panic!("{tracks:?}") };
        assert!(track.points[0].elo[0] > track.points[0].elo[1]);
    }
}
