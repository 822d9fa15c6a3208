//! Our bots as oracles, by their endgame tables: in a tournament, and about one.

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};

use fanorona_protocol::rules::{Game, Position, Ruleset, Side};

/// Plays alpha-beta against random moves on a small board, with more of a config given.
fn play(dir: &Path, more: &str) -> PathBuf {
    common::build_bots();
    let engine = |name: &str, nodes: u32| {
        format!(
            "[[engine]]\nname = \"{name}\"\ncommand = \"bot-{name}\"\nlimit = \"nodes={nodes}\"\n"
        )
    };
    let (path, out) = (dir.join("oracle.toml"), dir.join("out"));
    let engines = engine("alphabeta", 300) + &engine("random", 1) + &engine("greedy", 1);
    let head =
        "seed = 5\nrounds = 4\nconcurrency = 1\nboard = \"5x5\"\nkinds = [\"riatra\", \"vela\"]";
    fs::write(&path, format!("{head}\n{more}\n{engines}")).unwrap();
    let run = common::arena(&["run", text(&path), "--out", text(&out), "--strict"]);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(common::replay_all(&out.join("games.csv"), &Ruleset::default()), 48);
    out
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The stones of both sides at the end of a game, and whether a vela is still in its first phase.
fn end_of(row: &common::Row) -> (u32, bool) {
    let start: Position = row.get("start").parse().unwrap();
    let mut game = Game::new(Ruleset::default(), start);
    for mv in row.get("moves").split_whitespace() {
        game.play(&mv.parse().unwrap()).unwrap();
    }
    let position = game.position();
    let stones = Side::BOTH.iter().map(|&side| position.board().count(side)).sum();
    (stones, position.is_vela_phase_one())
}

#[test]
fn games_end_where_a_bot_knows_their_value() {
    let dir = tempfile::tempdir().unwrap();
    let out = play(dir.path(), "[adjudication]\noracle = \"bot-alphabeta\"");
    let rows = common::rows(&out.join("games.csv"));
    let mut adjudicated = 0;
    for row in &rows {
        let (stones, phase_one) = end_of(row);
        if row.get("reason") == "adjudicated" {
            assert_eq!(row.get("adjudicated_by"), "bot-alphabeta");
            assert!(stones <= 4 && !phase_one, "game {}", row.get("game"));
            adjudicated += 1;
        }
    }
    assert!(adjudicated * 4 > rows.len(), "{adjudicated} of {}", rows.len());
}

#[test]
fn tables_lose_no_value_and_random_play_does() {
    let dir = tempfile::tempdir().unwrap();
    let out = play(dir.path(), "");
    let report = common::arena(&["analyse", text(&out), "--oracle", "bot-alphabeta"]);
    assert!(report.status.success(), "{}", String::from_utf8_lossy(&report.stderr));
    let rows = common::rows(&out.join("standings.csv"));
    let count = |name: &str, column: &str| -> u64 {
        let mut of_all = rows.iter().filter(|row| row.get("kind") == "all");
        let row = of_all.find(|row| row.get("engine") == name).unwrap();
        row.get(column).parse().unwrap()
    };
    assert!(count("alphabeta", "known_wins") > 10);
    assert_eq!(count("alphabeta", "thrown_wins"), 0);
    assert_eq!(count("alphabeta", "thrown_draws"), 0);
    assert!(count("random", "known") > 10);
    let thrown = count("random", "thrown_wins") + count("random", "thrown_draws");
    assert!(thrown > 0 && thrown <= count("random", "known"));
    for name in ["alphabeta", "random", "greedy"] {
        let had = count(name, "known_wins") + count(name, "known_draws");
        assert!(had <= count(name, "known"), "{name}");
    }
}
