//! The report's replay without a browser: its script plays every game of the reference tournament, and
//! after every move its stones stand where the rules put them.

use crate::programs;

use std::fs;
use std::path::Path;
use std::process::Command;

use fanorona_protocol::rules::{Move, Position, Ruleset};

/// Draws the placement of every frame of every game, one line per frame.
const HARNESS: &str = r#"
import { readFileSync } from 'node:fs';
import { framesOf, nameOf } from './position.js';
const games = JSON.parse(readFileSync(process.argv[2], 'utf8'));
for (const game of games) {
  const { start, frames } = framesOf(game);
  for (const frame of frames) {
    const rows = [];
    for (let row = start.rows - 1; row >= 0; row -= 1) {
      let text = '';
      for (let column = 0; column < start.columns; column += 1) {
        text += frame.stones.get(nameOf({ column, row })) || '.';
      }
      rows.push(text);
    }
    console.log(rows.join('/'));
  }
}
"#;

/// The placement as the harness draws it.
fn placement(position: &Position) -> String {
    let text = position.to_string();
    let placement = text.split(' ').next().expect("a position begins with its stones");
    let digits = |letter: char| match letter.to_digit(10) {
        Some(empty) => ".".repeat(empty as usize),
        None => letter.to_ascii_lowercase().to_string(),
    };
    placement.chars().map(digits).collect()
}

#[test]
fn the_script_plays_every_game_as_the_rules_do() {
    if !programs::are_there(&["node"], "the report's replay script") {
        return;
    }
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let rules = Ruleset::default();
    let mut reader = csv::Reader::from_path(package.join("../results/reference/games.csv"))
        .expect("the reference run is there");
    let columns = reader.headers().expect("it has a head").clone();
    let column = |name: &str| columns.iter().position(|found| found == name).expect(name);
    let (start, moves) = (column("start"), column("moves"));
    let (mut games, mut expected) = (Vec::new(), Vec::new());
    for row in reader.records() {
        let row = row.expect("every row is whole");
        let mut position: Position = row[start].parse().expect("a position");
        let mut single = 0;
        expected.push(placement(&position));
        for text in row[moves].split_whitespace() {
            single += u32::from(position.is_vela_phase_one());
            let mv: Move = text.parse().expect("a move");
            position = position.play(&rules, &mv).expect("a legal move");
            expected.push(placement(&position));
        }
        games.push(serde_json::json!({
            "start": row[start], "moves": row[moves].split_whitespace().collect::<Vec<_>>(),
            "single": single, "book": 0, "scores": [], "times": [],
        }));
    }
    let scratch = tempfile::tempdir().expect("there is room for a directory");
    // Node takes files for modules where a package says so.
    for module in fs::read_dir(package.join("report/src/html/script")).expect("it is there") {
        let module = module.expect("it can be read");
        fs::copy(module.path(), scratch.path().join(module.file_name())).expect("there is room");
    }
    let texts = package.join("report/messages/en.json");
    fs::copy(texts, scratch.path().join("en.json")).expect("there is room");
    fs::write(scratch.path().join("package.json"), r#"{"type": "module"}"#)
        .expect("it can be written");
    let [program, data] = ["harness.mjs", "games.json"].map(|name| scratch.path().join(name));
    fs::write(&program, HARNESS).expect("it can be written");
    fs::write(&data, serde_json::to_string(&games).expect("plain data"))
        .expect("it can be written");
    let output = Command::new("node").arg(&program).arg(&data).output().expect("node runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let drawn = String::from_utf8(output.stdout).expect("it prints text");
    let drawn: Vec<&str> = drawn.lines().collect();
    assert!(games.len() > 50 && expected.len() > 1000, "{} games", games.len());
    assert_eq!(drawn.len(), expected.len());
    let wrong = drawn.iter().zip(&expected).position(|(drawn, expected)| drawn != expected);
    assert_eq!(wrong.map(|at| (drawn[at], &*expected[at])), None);
}
