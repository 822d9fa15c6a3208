//! A small finished game, for tests and examples.

use fanorona_protocol::rules::{self, Side};

use super::GameRecord;
use crate::game::termination::{GameResult, Reason};

/// A game with this number, in which White captures the last stone.
///
/// # Panics
/// Panics if it is not the number of a game.
pub fn game(id: &str) -> GameRecord {
    let start = "bbb/b1W/WWW w - 0 1".parse().expect("a position");
    let result = GameResult::Won(Side::White);
    GameRecord {
        pair: Some(1),
        white: "a \"quoted\", name".into(),
        black: "b".into(),
        moves: "c1b2A".into(),
        white_ms: 3,
        black_ms: 4,
        idle_cpu_ms: [0, 7],
        times: vec![3],
        scores: vec!["cp 5".into()],
        ..GameRecord::new(
            id.parse().expect("the number of a game"),
            &start,
            result,
            Reason::Rules(rules::Reason::NoStones),
        )
    }
}
