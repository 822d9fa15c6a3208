//! Puzzles found in games and in endgames, and those that are shipped.

use std::fs;
use std::io::BufReader;
use std::path::Path;

use fanorona_protocol::rules::Move;
use fanorona_tournament::analysis::puzzles::{Attempt, Puzzle, PuzzleKind, read};

use crate::tournaments::analyse::analyst;
use crate::tournaments::place::Place;

/// The puzzles that are shipped with the arena.
fn shipped() -> Vec<Puzzle> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("pages/src/puzzles.jsonl");
    read(BufReader::new(fs::File::open(path).unwrap())).unwrap()
}

/// The solver's moves of the main line.
fn own_moves(puzzle: &Puzzle) -> Vec<Move> {
    puzzle.main_line().into_iter().step_by(2).collect()
}

#[test]
fn shipped_puzzles_are_valid_and_of_many_difficulties() {
    let puzzles = shipped();
    assert!(puzzles.len() >= 1000, "{}", puzzles.len());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("pages/src/puzzles.jsonl");
    let size = fs::metadata(path).unwrap().len();
    assert!(size < 400_000, "every page that solves puzzles carries them: {size}");
    for kind in [PuzzleKind::Exact, PuzzleKind::Tactical] {
        let of_kind: Vec<&Puzzle> = puzzles.iter().filter(|puzzle| puzzle.kind == kind).collect();
        assert!(of_kind.len() >= 100, "{kind:?}: {}", of_kind.len());
        let ratings = of_kind.iter().map(|puzzle| puzzle.rating);
        let (least, most) = (ratings.clone().min().unwrap(), ratings.max().unwrap());
        assert!(most >= least + 500, "{kind:?}: {least} to {most}");
    }
    for puzzle in &puzzles {
        let moves = own_moves(puzzle);
        assert!(moves.len() >= 2, "{}", puzzle.id);
        assert_eq!(puzzle.try_moves(&moves), Attempt::Solved, "{}", puzzle.id);
        for count in 1..moves.len() {
            let said = puzzle.try_moves(&moves[..count]);
            assert!(matches!(said, Attempt::Right { .. }), "{}: {said:?}", puzzle.id);
        }
        let right = &puzzle.solution[0].moves;
        assert_eq!(puzzle.solution.len(), 1, "{}: one family wins", puzzle.id);
        let legal = puzzle.fen.legal_moves(&puzzle.rules);
        let wrong = legal.iter().find(|mv| !right.contains(mv)).unwrap();
        assert_eq!(puzzle.try_moves(&[*wrong]), Attempt::Wrong, "{}", puzzle.id);
    }
}

/// A game that begins in a position with one good move, by an engine that looks two plies ahead: of
/// White's three stones two hang, one after the other.
const GAME: &str = "\
[White \"a\"]
[Black \"b\"]
[FEN \"b8/9/b2WWWW2/2W6/8W w - 0 1\"]
[Termination \"resign\"]

1. d3d4 a3a4 2. d4d5 a4b4 0-1

";

#[test]
fn games_without_tactics_give_no_puzzles() {
    let place = Place::new();
    place.write("games.fgn", GAME);
    let greedy = analyst("greedy");
    let args = ["puzzles", "games.fgn", "--engine", &greedy, "--nodes", "9", "--out", "p.jsonl"];
    let done = place.arena_ends(0, &args);
    assert!(done.stdout.contains("0 puzzles: p.jsonl"), "{}", done.stdout);
    assert_eq!(fs::read_to_string(place.path("p.jsonl")).unwrap(), "");
}

#[test]
fn a_wrong_question_names_its_error() {
    let place = Place::new();
    let greedy = analyst("greedy");
    let refused = |code: i32, args: &[&str], words: &[&str]| {
        let all = [&["puzzles", "--engine", &greedy, "--out", "p.jsonl"], args].concat();
        place.arena_ends(code, &all).complains(words);
    };
    refused(2, &[], &["<DIR>"]);
    refused(2, &["nowhere.fgn"], &["nowhere.fgn"]);
    refused(2, &["--endgames", "4", "--nodes", "9"], &["exact values"]);
    refused(2, &["--endgames", "2"], &["3..=10"]);
    // An engine that knows no values gives no puzzles.
    refused(0, &["--endgames", "3", "--count", "1", "--board", "3x3"], &["knows no values"]);
    assert_eq!(fs::read_to_string(place.path("p.jsonl")).unwrap(), "");
}
