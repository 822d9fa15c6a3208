//! Play by a solution: the winner of a solved game wins it, and the side that holds never loses.

use std::path::Path;

use fanorona_bots::alphabeta::AlphaBeta;
use fanorona_bots::bot::{Bot, RootMove, Task};
use fanorona_bots::budget::Budget;
use fanorona_bots::random::Random;
use fanorona_endgames::solution::{Proof, Record, Solution};
use fanorona_protocol::messages::{Info, Limits, Score};
use fanorona_protocol::rules::{Game, Position, Ruleset, Side};

use crate::reports::Reports;

fn certificate(board: &str) -> String {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("solve/certificates");
    dir.join(format!("{board}.solution")).display().to_string()
}

fn start(board: &str, rules: &str) -> Game {
    Game::new(rules.parse().unwrap(), Position::start(board.parse().unwrap()))
}

fn ask(bot: &mut dyn Bot, game: &Game, nodes: u64) -> (RootMove, Vec<Info>) {
    let moves = RootMove::all(game.position(), game.rules());
    let budget = Budget::from_limits(&Limits::with_nodes(nodes));
    let mut reports = Reports::default();
    let choice = bot.choose(&Task { game, moves: &moves, budget: &budget }, &mut reports);
    (*moves.iter().find(|root| root.mv == choice.mv).unwrap(), reports.0)
}

/// Plays a game with a node for each move by `bot` against `other`, and returns the winner and all
/// scores of `bot`.
fn play(
    bot: &mut dyn Bot,
    side: Side,
    other: &mut dyn Bot,
    nodes: u64,
    board: &str,
) -> (Option<Side>, Vec<Score>) {
    let mut game = start(board, "");
    let mut scores = Vec::new();
    for _ in 0..300 {
        if let Some(ending) = game.ending() {
            return (ending.winner, scores);
        }
        let own = game.position().side_to_move() == side;
        let (root, reports) = match own {
            true => ask(bot, &game, 1),
            false => ask(other, &game, nodes),
        };
        if own {
            scores.extend(reports.iter().rev().find_map(|info| info.score));
        }
        game.play(&root.mv).unwrap();
        if game.history().occurrences() > 4 {
            break;
        }
    }
    (None, scores)
}

#[test]
fn the_winner_of_a_solved_game_wins_it_against_any_defence() {
    for board in ["3x5", "7x3", "9x3", "3x9"] {
        let mut bot = AlphaBeta::new();
        bot.set_option("EndgameTables", "none").unwrap();
        bot.set_option("Solution", &certificate(board)).unwrap();
        for seed in 0..6 {
            let mut random = Random::new();
            random.set_option("Seed", &seed.to_string()).unwrap();
            random.new_game();
            let mut strong = AlphaBeta::new();
            let other: &mut dyn Bot = if seed == 0 { &mut strong } else { &mut random };
            let (winner, scores) = play(&mut bot, Side::White, other, 2000, board);
            assert_eq!(winner, Some(Side::White), "{board} {seed}");
            // Each answer is a proven win, nearer than the one before.
            let plies = |score: &Score| match score {
                Score::Win(plies) => *plies,
                other => panic!("{board} {seed}: {other}"),
            };
            let plies: Vec<u32> = scores.iter().map(plies).collect();
            assert!(plies.windows(2).all(|two| two[1] < two[0]), "{plies:?}");
        }
    }
}

#[test]
fn the_side_that_holds_never_loses() {
    let mut losses_without = 0;
    for (round, side) in [Side::White, Side::Black].into_iter().cycle().take(8).enumerate() {
        for solution in [certificate("5x5"), String::new()] {
            let mut bot = AlphaBeta::new();
            bot.set_option("Solution", &solution).unwrap();
            let mut strong = AlphaBeta::new();
            let (winner, _) = play(&mut bot, side, &mut strong, 3000 + 700 * round as u64, "5x5");
            match solution.as_str() {
                "" => losses_without += u32::from(winner == Some(!side)),
                _ => assert_ne!(winner, Some(!side), "{round}"),
            }
        }
    }
    assert!(losses_without > 0, "the opponent is too weak for this test");
}

/// The solution of 5×5 without its endings of four stones, which are left to tables, in a file.
fn without_endings(dir: &Path) -> (Solution, String) {
    let mut solution = Solution::read(Path::new(&certificate("5x5"))).unwrap();
    solution.stones = 4;
    for proof in &mut solution.proofs {
        let has_more = |it: &&Record| (it.white() | it.black()).count_ones() > 4;
        let records = proof.records().iter().filter(has_more).copied().collect();
        *proof = Proof::new(proof.side, proof.claim, records);
    }
    let path = dir.join("5x5.solution");
    solution.write(&path).unwrap();
    (solution, path.display().to_string())
}

/// Where the answer leads to an ending that the tables know, the position is none of the set, but the
/// one before is.
#[test]
fn a_game_that_leaves_the_set_goes_on_by_the_tables() {
    let dir = tempfile::tempdir().unwrap();
    let (solution, file) = without_endings(dir.path());
    let mut bot = AlphaBeta::new();
    bot.set_option("Solution", &file).unwrap();
    let is_answered = |bot: &mut AlphaBeta, game: &Game| {
        let (_, reports) = ask(bot, game, 1);
        reports.iter().any(|info| info.string.as_deref() == Some("move of the solution"))
    };
    let rules = Ruleset::default();
    let (mut seen, mut answered, mut elsewhere) = (0, 0, 0);
    for proof in &solution.proofs {
        let stones = |it: &&Record| (it.white() | it.black()).count_ones();
        for record in proof.records().iter().filter(|it| stones(it) <= 6).take(150) {
            let before = solution.position(proof.side, *record).unwrap();
            for mv in before.legal_moves(&rules) {
                let after = before.play(&rules, &mv).unwrap();
                if rules.ending(&after).is_some() {
                    continue;
                }
                let mut game = Game::new(rules, before);
                game.play(&mv).unwrap();
                seen += 1;
                let by_game = is_answered(&mut bot, &game);
                let by_position = is_answered(&mut bot, &Game::new(rules, after));
                answered += usize::from(by_game);
                elsewhere += usize::from(by_game && !by_position);
                assert!(by_game || !by_position, "{before} {mv}");
            }
        }
    }
    assert!(
        seen > answered && answered > elsewhere && elsewhere > 10,
        "{seen} {answered} {elsewhere}"
    );
}

#[test]
fn a_solution_answers_only_its_own_game() {
    let mut bot = AlphaBeta::new();
    bot.set_option("solution", &certificate("7x3")).unwrap();
    let says = |bot: &mut AlphaBeta, game: &Game| {
        let (_, reports) = ask(bot, game, 50);
        reports.iter().any(|info| info.string.as_deref() == Some("move of the solution"))
    };
    assert!(says(&mut bot, &start("7x3", "")));
    // The limits of a game do not change what is proven.
    assert!(says(&mut bot, &start("7x3", "quiet=30")));
    assert!(!says(&mut bot, &start("7x3", "forced-continuation")));
    assert!(!says(&mut bot, &start("3x7", "")));
    let vela = Position::start("7x3".parse().unwrap()).with_debtor(Some(Side::White));
    assert!(!says(&mut bot, &Game::new(Ruleset::default(), vela)));
    bot.set_option("Skill", "3").unwrap();
    assert!(!says(&mut bot, &start("7x3", "")));
    bot.set_option("Skill", "20").unwrap();
    bot.set_option("Solution", "").unwrap();
    assert!(!says(&mut bot, &start("7x3", "")));
}

#[test]
fn other_files_are_refused_and_the_old_solution_stays() {
    let mut bot = AlphaBeta::new();
    bot.set_option("Solution", &certificate("7x3")).unwrap();
    for (file, why) in [("no such file", "no such file: "), ("Cargo.toml", "not a solution")] {
        let error = bot.set_option("Solution", file).unwrap_err().to_string();
        assert!(error.contains(why) && error.contains("Solution"), "{error}");
    }
    let (_, reports) = ask(&mut bot, &start("7x3", ""), 50);
    assert!(matches!(reports[0].score, Some(Score::Win(_))));
}
