//! A position: it keeps its text, and every legal move can be played.

#![no_main]

use libfuzzer_sys::fuzz_target;
use fanorona_protocol::rules::{Position, Ruleset, perft};

fuzz_target!(|text: &str| {
    let Ok(position) = text.parse::<Position>() else { return };
    assert_eq!(position.to_string().parse::<Position>().as_ref(), Ok(&position));
    let rules = Ruleset::default();
    let moves = position.legal_moves(&rules);
    assert_eq!(moves.len() as u64, perft(&position, &rules, 1));
    for mv in moves.iter().take(20) {
        let next = position.play(&rules, mv).expect("a generated move is legal");
        assert_eq!(next.key(), next.fresh_key());
    }
});
