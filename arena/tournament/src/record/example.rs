//! A small finished game, for tests and examples.

use fanorona_ratings::kind::Kind;

use super::GameRecord;

/// A game with this number, in which White captures the last stone.
///
/// # Panics
/// Panics if it is not the number of a game.
pub fn game(id: &str) -> GameRecord {
    GameRecord {
        id: id.parse().expect("the number of a game"),
        pair: Some(1),
        kind: Kind::Riatra,
        white: "a \"quoted\", name".into(),
        black: "b".into(),
        result: "1-0".parse().expect("a word of the format"),
        reason: "no-stones".parse().expect("a word of the format"),
        offender: None,
        other_fault: None,
        adjudicated_by: None,
        detail: String::new(),
        start: "bbb/b1W/WWW w - 0 1".into(),
        moves: "c1b2A".into(),
        book: 0,
        white_ms: 3,
        black_ms: 4,
        idle_cpu_ms: [0, 7],
        ready_ms: [0; 2],
        times: vec![3],
        scores: vec!["cp 5".into()],
        searches: Vec::new(),
        illegal_lines: [0; 2],
        reported: Default::default(),
        transcript: Vec::new(),
        notes: Vec::new(),
        worker: None,
        time_factor: None,
        second_opinion: None,
    }
}
