//! Engines that play with endgame tables.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

use fanorona_bots::alphabeta::AlphaBeta;
use fanorona_bots::bot::{Bot, Choice, RootMove, Task};
use fanorona_bots::budget::Budget;
use fanorona_bots::endgame_option::SMALL;
use fanorona_bots::mcts::{Leaf, Mcts, Settings};
use fanorona_bots::session;
use fanorona_endgames::{self as endgame, Layer, Outcome, Plan, Tables};
use fanorona_protocol::messages::{Info, Limits, Score, Value};
use fanorona_protocol::rules::{BoardSize, Game, Move, Position, Ruleset};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::reports::Reports;

/// A bot's choice in a game, and its last report.
fn ask(bot: &mut dyn Bot, game: &Game, nodes: u64) -> (Choice, Info) {
    let moves = RootMove::all(game.position(), game.rules());
    let budget = Budget::from_limits(&Limits::with_nodes(nodes));
    let task = Task { game, moves: &moves, budget: &budget };
    let mut reports = Reports(Vec::new());
    let choice = bot.choose(&task, &mut reports);
    (choice, reports.0.pop().expect("a search ends with a report"))
}

fn with_tables(mut bot: impl Bot + 'static, value: &str) -> Box<dyn Bot> {
    bot.set_option("EndgameTables", value).unwrap();
    Box::new(bot)
}

/// All engines that use tables, with some tables.
fn engines(value: &str) -> Vec<Box<dyn Bot>> {
    let playouts = Settings { leaf: Leaf::Playout, ..Settings::default() };
    vec![
        with_tables(AlphaBeta::new(), value),
        with_tables(Mcts::new(), value),
        with_tables(Mcts::with(playouts), value),
    ]
}

fn tables(board: &str, stones: usize) -> Tables {
    endgame::build_in_memory(board.parse().unwrap(), stones).unwrap()
}

/// A directory with tables of 5x5.
fn in_files(stones: usize) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let (board, path) = (BoardSize::DIMY, dir.path().to_owned());
    let plan = Plan { board, stones, only: Vec::new(), dir: path, threads: 1, memory: 1 << 30 };
    endgame::build(&plan, &()).unwrap();
    dir
}

/// Some positions of a layer with an outcome, drawn at random.
fn some(tables: &Tables, layer: &str, outcome: Outcome, count: usize) -> Vec<Position> {
    let layer: Layer = layer.parse().unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let rules = Ruleset::default();
    let numbers = std::iter::repeat_with(|| random.random_range(0..tables.len(layer)));
    let positions = numbers.map(|number| tables.position(layer, number));
    positions.filter(|p| tables.outcome(p, &rules) == Some(outcome)).take(count).collect()
}

/// Plays a game to its end: the engine for the side to move first, random moves or another engine
/// for the other.
fn play(
    engine: &mut dyn Bot,
    mut enemy: Option<&mut dyn Bot>,
    start: Position,
    random: &mut ChaCha8Rng,
) -> Game {
    let mut game = Game::new(Ruleset::default(), start);
    while game.ending().is_none() {
        let mv = if game.moves().len().is_multiple_of(2) {
            ask(engine, &game, 300).0.mv
        } else if let Some(enemy) = enemy.as_deref_mut() {
            ask(enemy, &game, 300).0.mv
        } else {
            let moves = game.legal_moves();
            moves[random.random_range(0..moves.len())]
        };
        game.play(&mv).unwrap();
    }
    game
}

#[test]
fn wins_are_shortest_and_losses_longest() {
    let (tables, rules) = (tables("9x5", SMALL), Ruleset::default());
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for mut engine in engines("") {
        let mut enemy = with_tables(AlphaBeta::new(), "");
        for layer in ["2v1", "3v1", "2v2"] {
            for start in some(&tables, layer, Outcome::Win, 8) {
                let Some(Value::Win(plies)) = tables.value(&start, &rules).unwrap() else {
                    panic!()
                };
                let (_, told) = ask(&mut *engine, &Game::new(rules, start), 300);
                assert_eq!(told.score, Some(Score::Win(plies)), "{start}");
                // Against the longest resistance the game takes exactly this long, against any
                // other no longer.
                let game = play(&mut *engine, Some(&mut *enemy), start, &mut random);
                assert_eq!(game.history().plies(), plies, "{start}");
                assert_eq!(game.ending().unwrap().winner, Some(start.side_to_move()));
                let game = play(&mut *engine, None, start, &mut random);
                assert!(game.history().plies() <= plies, "{start}");
                assert_eq!(game.ending().unwrap().winner, Some(start.side_to_move()));
            }
        }
    }
}

#[test]
fn drawn_positions_are_never_lost() {
    let tables = tables("9x5", SMALL);
    let mut random = ChaCha8Rng::seed_from_u64(2);
    for mut engine in engines("") {
        let mut enemy = with_tables(AlphaBeta::new(), "");
        for layer in ["2v1", "2v2", "3v1"] {
            for start in some(&tables, layer, Outcome::Draw, 4) {
                let game = play(&mut *engine, Some(&mut *enemy), start, &mut random);
                assert_eq!(game.ending().unwrap().winner, None, "{start}");
                let game = play(&mut *engine, None, start, &mut random);
                assert_ne!(game.ending().unwrap().winner, Some(!start.side_to_move()), "{start}");
            }
        }
    }
}

/// Proofs of a search that reaches the tables agree with larger tables.
#[test]
fn proofs_of_a_search_agree_with_the_tables() {
    let (known, rules) = (tables("5x5", 6), Ruleset::default());
    let (mut proven, mut asked) = (0, 0);
    for mut engine in engines("") {
        for layer in ["3v2", "4v2", "3v3"] {
            for outcome in Outcome::ALL {
                for start in some(&known, layer, outcome, 12) {
                    engine.new_game();
                    let (choice, told) = ask(&mut *engine, &Game::new(rules, start), 20_000);
                    // Some searches end before they reach the tables.
                    let hits = told.tbhits.unwrap();
                    assert!(hits > 0 || told.nodes < Some(100), "{start}");
                    asked += usize::from(hits > 0);
                    let value = known.value(&start, &rules).unwrap();
                    let after = start.play(&rules, &choice.mv).unwrap();
                    let kept = known.outcome(&after, &rules);
                    match told.score.unwrap() {
                        Score::Win(plies) => {
                            assert!(matches!(value, Some(Value::Win(least)) if least <= plies));
                            assert_eq!(kept, Some(Outcome::Loss), "{start}");
                            proven += 1;
                        }
                        Score::Loss(plies) => {
                            assert!(matches!(value, Some(Value::Loss(most)) if most <= plies));
                            proven += 1;
                        }
                        Score::Cp(_) => {}
                    }
                }
            }
        }
    }
    assert!(proven > 120 && asked > 300, "{proven} {asked}");
}

#[test]
fn a_directory_of_the_same_tables_plays_the_same() {
    let dir = in_files(SMALL);
    let (known, rules) = (tables("5x5", 5), Ruleset::default());
    let here = engines("").into_iter().zip(engines(dir.path().to_str().unwrap()));
    for (mut memory, mut files) in here {
        for start in some(&known, "3v2", Outcome::Draw, 5) {
            let told = [&mut memory, &mut files].map(|bot| {
                bot.new_game();
                let (choice, info) = ask(&mut **bot, &Game::new(rules, start), 3000);
                (choice, info.score, info.tbhits, info.pv)
            });
            assert_eq!(told[0], told[1]);
        }
    }
}

#[test]
fn a_damaged_table_is_reported_and_the_game_continues() {
    let dir = in_files(3);
    let plies = dir.path().join("5x5-2v1.plies");
    let mut bytes = std::fs::read(&plies).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&plies, bytes).unwrap();
    let rules = Ruleset::default();
    // The root is in the damaged layer, or the search reaches it.
    for start in ["5/2b2/5/W3W/5 w", "5/2b2/3b1/W3W/5 w"] {
        let game = Game::new(rules, start.parse().unwrap());
        for mut engine in engines(dir.path().to_str().unwrap()) {
            let moves = RootMove::all(game.position(), &rules);
            let budget = Budget::from_limits(&Limits::with_nodes(3000));
            let task = Task { game: &game, moves: &moves, budget: &budget };
            let mut reports = Reports(Vec::new());
            let choice = engine.choose(&task, &mut reports);
            assert!(choice.nodes > 100, "{start}");
            let told: Vec<String> = reports.0.iter().map(Info::to_string).collect();
            let why = "this move is played without tables";
            assert!(told.iter().any(|line| line.contains(why)), "{start} {told:?}");
        }
    }
}

#[test]
fn tables_are_not_probed_under_other_rules_or_when_switched_off() {
    for (value, rules, asked) in [
        ("", "", true),
        ("", "quiet=20 repetition=2", true),
        ("", "forced-continuation", false),
        ("", "blocked-is-draw", false),
        ("none", "", false),
    ] {
        let rules: Ruleset = rules.parse().unwrap();
        let game = Game::new(rules, "5/5/1W3/5/b1b2 w".parse().unwrap());
        for mut engine in engines(value) {
            let (_, told) = ask(&mut *engine, &game, 300);
            assert_eq!(told.tbhits.unwrap_or(0) > 0, asked, "{value} {rules}");
            assert_eq!(engine.value(&game).is_some(), asked, "{value} {rules}");
        }
    }
}

/// White wins in 29 plies, the first capture of which comes late.
const LONG: &str = "9/9/W8/1b7/3W5 w";

#[test]
fn a_win_that_a_limit_may_prevent_has_no_value() {
    for (quiet, rules, value) in [
        (0, "", Some(Value::Win(29))),
        (71, "", Some(Value::Win(29))),
        (72, "", None),
        (72, "quiet=0", Some(Value::Win(29))),
        (0, "max-plies=29", Some(Value::Win(29))),
        (0, "max-plies=28", None),
        (100, "", Some(Value::Draw)),
    ] {
        let rules: Ruleset = rules.parse().unwrap();
        let game = Game::new(rules, format!("{LONG} - {quiet} 1").parse().unwrap());
        for mut engine in engines("") {
            assert_eq!(engine.value(&game), value, "{quiet} {rules}");
            if value.is_none() {
                let (choice, told) = ask(&mut *engine, &game, 300);
                assert!(matches!(told.score, Some(Score::Cp(_))), "{told:?}");
                // It tries to win anyway.
                let after = game.position().play(&rules, &choice.mv).unwrap();
                let tables = tables("9x5", SMALL);
                assert_eq!(tables.value(&after, &rules).unwrap(), Some(Value::Loss(28)));
            }
        }
    }
}

/// The paikas of a position and the positions after them.
fn paikas(position: &Position) -> Vec<(Move, Position)> {
    let rules = Ruleset::default();
    let moves = position.legal_moves(&rules).into_iter();
    let after = moves.map(|mv| (mv, position.play(&rules, &mv).unwrap()));
    after.filter(|(_, after)| after.quiet_plies() > 0).collect()
}

/// Four moves that return to the same position.
fn round(start: &Position) -> Vec<[Move; 4]> {
    let mut found = Vec::new();
    for (out, away) in paikas(start) {
        for (reply, there) in paikas(&away) {
            for (back, home) in paikas(&there) {
                let last = paikas(&home).into_iter().find(|(_, after)| after == start);
                found.extend(last.map(|(mv, _)| [out, reply, back, mv]));
            }
        }
    }
    found
}

#[test]
fn a_win_that_a_repetition_may_prevent_has_no_value() {
    let (rules, endless) = (Ruleset::default(), "repetition=0".parse().unwrap());
    let known = tables("9x5", SMALL);
    let mut looked_at = 0;
    for mut bot in engines("") {
        for start in some(&known, "3v1", Outcome::Win, 30) {
            for moves in round(&start).into_iter().take(4) {
                // Two rounds without the last move.
                let mut game = Game::new(rules, start);
                moves.iter().for_each(|mv| game.play(mv).unwrap());
                moves[..3].iter().for_each(|mv| game.play(mv).unwrap());
                let now = known.value(game.position(), &rules).unwrap();
                let Some(Value::Loss(plies)) = now else { continue };
                game.set_rules(endless);
                assert_eq!(bot.value(&game), now);
                game.set_rules(rules);
                // Some or none of the repeated positions are on the winning line.
                let twice = &game.history().positions()[..4];
                let nearer = twice.iter().any(|p| match known.value(p, &rules).unwrap() {
                    Some(Value::Win(there)) => {
                        p.side_to_move() == start.side_to_move() && there < plies
                    }
                    Some(Value::Loss(there)) => {
                        p.side_to_move() != start.side_to_move() && there < plies
                    }
                    _ => false,
                });
                let expected = if nearer { None } else { now };
                assert_eq!(bot.value(&game), expected, "{start}");
                looked_at += usize::from(nearer);
            }
        }
    }
    assert!(looked_at > 10, "{looked_at}");
}

/// In the first game the shortest win, and every other one, runs into a third repetition. In the second
/// one loss does, and another is certain.
#[test]
fn a_root_in_the_tables_counts_earlier_repetitions() {
    let won = ("W2/3/3/1b1/3 b - 0 1", "b2a2 a5b5 a2b2 b5a5 b2a2 a5b5");
    let lost = ("1b3/2W2/3W1 b - 0 1", "b3a3 c2d2 a3b3 d2c2 b3a3 c2d2 a3b3 d2e2");
    for ((fen, moves), best) in [(won, None), (lost, Some("b3c3"))] {
        let mut game = Game::new(Ruleset::default(), fen.parse().unwrap());
        moves.split(' ').for_each(|mv| game.play(&mv.parse().unwrap()).unwrap());
        for mut bot in engines("") {
            let (choice, info) = ask(&mut *bot, &game, 1000);
            assert_eq!(bot.value(&game), None);
            assert!(matches!(info.score, Some(Score::Cp(_))), "{} {:?}", bot.name(), info.score);
            let played = choice.mv.to_string();
            assert!(best.is_none_or(|best| best == played), "{} {played}", bot.name());
        }
    }
}

#[derive(Clone, Default)]
struct Printed(Arc<Mutex<Vec<u8>>>);

impl Write for Printed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The lines an engine prints.
fn talk(bot: Box<dyn Bot>, input: &str) -> Vec<String> {
    let printed = Printed::default();
    session::serve(bot, io::Cursor::new(input.to_owned()), printed.clone()).unwrap();
    let text = String::from_utf8(printed.0.lock().unwrap().clone()).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn a_session_reports_unusable_tables() {
    let empty = tempfile::tempdir().unwrap();
    let damaged = tempfile::tempdir().unwrap();
    for name in ["9x5-1v1.plies", "9x5-1v1.outcomes"] {
        std::fs::write(damaged.path().join(name), "nothing of use").unwrap();
    }
    let missing = Path::new("/nowhere/to/be/found");
    for (dir, why) in [
        (missing, "directory not found: name a directory filled by `endgames build`"),
        (empty.path(), "no endgame tables here: build them with `endgames build --out DIR`"),
        (damaged.path(), "not an endgame table: remove the file and build the table again"),
    ] {
        let dir = dir.display();
        let input = format!(
            "setoption name EndgameTables value {dir}\nisready\nposition fen {LONG}\nquery value\nquit\n"
        );
        for engine in engines("") {
            let lines = talk(engine, &input);
            let told = format!("info string option EndgameTables keeps its value: {dir}");
            assert!(lines[0].starts_with(&told) && lines[0].ends_with(why), "{lines:?}");
            // The small tables are still in use.
            assert_eq!(lines[1..], ["readyok", "response win 29"]);
        }
    }
}
