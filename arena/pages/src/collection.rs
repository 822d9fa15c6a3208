//! Games that a page without a server has been given: the explorer answers from them.

use std::collections::BTreeMap;

use fanorona_tournament::notation::fgn;
use serde::Deserialize;

use super::explorer::{ExplorerRequest, ExplorerView, OpeningIndex, Source, explore};
use super::refusal::Refusal;

/// The games of some tournaments, by position.
#[derive(Debug, Default)]
pub struct Collection {
    tournaments: Vec<Tournament>,
}

/// A tournament whose games are known.
#[derive(Debug)]
struct Tournament {
    id: String,
    index: OpeningIndex,
    ratings: BTreeMap<String, f64>,
}

/// The games of a tournament as text.
#[derive(Clone, Debug, Deserialize)]
pub struct Games {
    /// The tournament, as addresses name it.
    id: String,
    /// The games in FGN, the latest one last, all by the rules of the first.
    text: String,
    /// The ratings of the engines in Elo, by name.
    #[serde(default)]
    ratings: BTreeMap<String, f64>,
}

impl Collection {
    /// Adds the games of a tournament, in place of those that it had.
    ///
    /// # Errors
    /// Returns a refusal if the text is not FGN.
    pub fn add(&mut self, games: Games) -> Result<(), Refusal> {
        let read: Result<Vec<_>, _> = fgn::Reader::new(games.text.as_bytes()).collect();
        let read = read.map_err(|why| Refusal::from_games(&why))?;
        let rules = read.first().and_then(|game| game.rules).unwrap_or_default();
        let index = OpeningIndex::of(rules, read.into_iter().map(|game| game.record));
        let Games { id, ratings, .. } = games;
        self.tournaments.retain(|known| known.id != id);
        self.tournaments.push(Tournament { id, index, ratings });
        Ok(())
    }

    /// Answers a page from the games.
    ///
    /// # Errors
    /// Returns a refusal if the position or a move of the question is invalid.
    pub fn explore(&self, request: &ExplorerRequest) -> Result<ExplorerView, Refusal> {
        let wanted = self.tournaments.iter().filter(|known| request.wants(&known.id));
        explore(
            request,
            wanted.map(|Tournament { id, index, ratings }| Source { id, index, ratings }),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_files;
    use fanorona_protocol::rules::Start;
    use fanorona_tournament::record::GameRecord;
    use serde_json::json;

    #[test]
    fn moves_are_counted_over_the_tournaments_that_are_asked_for() {
        let mut collection = Collection::default();
        for (id, mv) in [("one", "e2e3A"), ("two", "d2e3A"), ("two", "f2e3A")] {
            let (number, result) = ("1".parse().unwrap(), "1-0".parse().unwrap());
            let start = Start::TSIVY.riatra();
            let game = GameRecord {
                white: "a".to_owned(),
                black: "b".to_owned(),
                moves: mv.to_owned(),
                ..GameRecord::new(number, &start, result, "adjudicated".parse().unwrap())
            };
            let text = game_files::text(&game, &fgn::FileTags::default());
            let ratings = BTreeMap::from([("a".to_owned(), 50.0), ("b".to_owned(), -50.0)]);
            collection.add(Games { id: id.to_owned(), text, ratings }).unwrap();
        }
        let ask = |wanted: &[&str], min_elo: Option<i32>| {
            let request = json!({ "tournaments": wanted, "min_elo": min_elo });
            let request = serde_json::from_value(request).unwrap();
            let view = serde_json::to_value(collection.explore(&request).unwrap()).unwrap();
            let moves = view["moves"].as_array().unwrap().iter();
            moves.map(|mv| mv["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(ask(&["two"], None), ["f2e3A"]);
        assert_eq!(ask(&[], None).len(), 2);
        // Both players are at least that strong.
        assert_eq!(ask(&[], Some(-50)).len(), 2);
        assert_eq!(ask(&[], Some(0)).len(), 0);
        let text = "1. z9z9 1-0".to_owned();
        let broken = Games { id: "x".to_owned(), text, ratings: BTreeMap::new() };
        assert!(collection.add(broken).is_err());
    }
}
