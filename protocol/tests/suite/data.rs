//! Tests of the generator, and of the naive checker used by other tests, with legal moves and
//! counts from independent implementations.

use std::collections::BTreeMap;
use std::fs::read_to_string;
use std::path::Path;

use fanorona_protocol::rules::{Move, Position, Ruleset, divide, perft};
use serde_json::Value;

use crate::naive;

/// Returns the lines of a file in `tests/data`, each with its number.
fn lines(name: &str) -> Vec<(usize, Value)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let text = read_to_string(&path).expect("the data file exists");
    let parse = |line| serde_json::from_str(line).expect("a line is JSON");
    text.lines().enumerate().map(|(index, line)| (index + 1, parse(line))).collect()
}

fn position(line: &Value) -> Position {
    line["fen"].as_str().expect("fen").parse().expect("a legal position")
}

/// Returns every legal move with the position after it.
fn results(line: &Value) -> BTreeMap<String, String> {
    let moves = line["turns"].as_object().expect("turns");
    let text = |value: &Value| value.as_str().expect("fen").to_owned();
    moves.iter().map(|(mv, fen)| (mv.clone(), text(fen))).collect()
}

/// Returns placement, side to move and vela field, as in the data.
fn short(position: &Position) -> String {
    position.to_string().split(' ').take(3).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_position_has_the_expected_moves_and_results() {
    let rules = Ruleset::default();
    let lines = lines("positions.jsonl");
    assert!(lines.len() > 400);
    for (number, line) in lines {
        let position = position(&line);
        let mut ours = BTreeMap::new();
        let _ = position.visit_moves(&rules, |mv, effect| {
            let next = position.apply_unchecked(effect);
            assert_eq!(position.play(&rules, mv), Ok(next), "line {number}: {mv}");
            assert!(ours.insert(mv.to_string(), short(&next)).is_none(), "{mv} appears twice");
            std::ops::ControlFlow::Continue(())
        });
        let theirs = results(&line);
        assert_eq!(ours, theirs, "line {number}: {position}");
        assert_eq!(perft(&position, &rules, 1), theirs.len() as u64, "line {number}");
    }
}

#[test]
fn the_naive_checker_agrees_with_the_data() {
    for (number, line) in lines("positions.jsonl") {
        let text = position(&line).to_string();
        let short = |after: String| after.split(' ').take(3).collect::<Vec<_>>().join(" ");
        let moves = naive::moves(&text, "").into_iter();
        let naive: BTreeMap<_, _> = moves.map(|(mv, after)| (mv, short(after))).collect();
        assert_eq!(naive, results(&line), "line {number}: {text}");
    }
}

#[test]
fn every_perft_count_agrees_with_the_data() {
    for (number, line) in lines("perft.jsonl") {
        let depth = line["depth"].as_u64().expect("depth") as u32;
        let position = position(&line);
        let count = perft(&position, &Ruleset::default(), depth);
        assert_eq!(Some(count), line["count"].as_u64(), "line {number}: {position}");
    }
}

#[test]
fn the_counts_of_divide_add_up_to_perft() {
    let (position, rules) = ("bbbbb/bW1bW/WWWWW w".parse().unwrap(), Ruleset::default());
    let mut counts = BTreeMap::new();
    let _ = divide(&position, &rules, 4, |mv: &Move, count| {
        counts.insert(mv.to_string(), count);
        std::ops::ControlFlow::Continue(())
    });
    assert_eq!(counts.values().sum::<u64>(), perft(&position, &rules, 4));
    assert_eq!(counts.len(), 3);
}
