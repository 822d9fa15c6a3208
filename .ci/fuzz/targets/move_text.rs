//! A move: it keeps its text, and a position refuses or plays it without a panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use fanorona_protocol::rules::{BoardSize, Move, Position, Ruleset};

fuzz_target!(|text: &str| {
    let Ok(mv) = text.parse::<Move>() else { return };
    assert_eq!(mv.to_string(), text);
    for size in BoardSize::all() {
        let start = Position::start(size);
        let legal = start.legal_moves(&Ruleset::default()).contains(&mv);
        assert_eq!(start.play(&Ruleset::default(), &mv).is_ok(), legal, "{mv}");
    }
});
