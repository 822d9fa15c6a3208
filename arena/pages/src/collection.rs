//! Games that a page without a server has been given: the explorer answers from them.

use std::collections::HashMap;

use fanorona_tournament::notation::fgn;
use serde::Deserialize;

use super::explorer::{ExplorerRequest, ExplorerView, OpeningIndex, Source, explore};
use super::refusal::Refusal;

/// The games of some tournaments, by position.
#[derive(Debug, Default)]
pub struct Collection {
    tournaments: Vec<(String, OpeningIndex)>,
}

/// The games of a tournament as text.
#[derive(Clone, Debug, Deserialize)]
pub struct Games {
    /// The tournament, as addresses name it.
    id: String,
    /// The games in FGN, the latest one last, all by the rules of the first.
    text: String,
}

impl Collection {
    /// Adds the games of a tournament, in place of those that it had.
    ///
    /// # Errors
    /// Returns a refusal if the text is not FGN.
    pub fn add(&mut self, games: &Games) -> Result<(), Refusal> {
        let read: Result<Vec<_>, _> = fgn::Reader::new(games.text.as_bytes()).collect();
        let read = read.map_err(|why| Refusal::of_games(&why))?;
        let rules = read.first().and_then(|game| game.rules).unwrap_or_default();
        let index = OpeningIndex::of(rules, read.into_iter().map(|game| game.record));
        self.tournaments.retain(|(id, _)| *id != games.id);
        self.tournaments.push((games.id.clone(), index));
        Ok(())
    }

    /// Answers a page from the games.
    ///
    /// # Errors
    /// Returns a refusal if the position or a move of the question is invalid.
    pub fn explore(&self, request: &ExplorerRequest) -> Result<ExplorerView, Refusal> {
        let ratings = HashMap::new();
        let wanted = self.tournaments.iter().filter(|(id, _)| request.wants(id));
        explore(request, wanted.map(|(id, index)| Source { id, index, ratings: &ratings }))
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
            let text = game_files::text(&game, &fgn::About::default());
            collection.add(&Games { id: id.to_owned(), text }).unwrap();
        }
        let ask = |wanted: &[&str]| {
            let request = serde_json::from_value(json!({ "tournaments": wanted })).unwrap();
            let view = serde_json::to_value(collection.explore(&request).unwrap()).unwrap();
            let moves = view["moves"].as_array().unwrap().iter();
            moves.map(|mv| mv["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(ask(&["two"]), ["f2e3A"]);
        assert_eq!(ask(&[]).len(), 2);
        let broken = Games { id: "x".to_owned(), text: "1. z9z9 1-0".to_owned() };
        assert!(collection.add(&broken).is_err());
    }
}
