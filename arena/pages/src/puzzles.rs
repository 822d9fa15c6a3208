//! Puzzles for the pages: a set that is part of the program.

use std::sync::LazyLock;

use fanorona_protocol::rules::Move;
use fanorona_tournament::analysis::puzzles::{Attempt, Puzzle, PuzzleKind, read};
use serde::{Deserialize, Serialize};

use super::refusal::Refusal;

/// The puzzles, easiest first.
static PUZZLES: LazyLock<Vec<Puzzle>> = LazyLock::new(|| {
    let text = include_str!("puzzles.jsonl");
    let mut puzzles = read(text.as_bytes()).expect("a test reads them");
    puzzles.sort_by(|a, b| a.rating.cmp(&b.rating).then_with(|| a.id.cmp(&b.id)));
    puzzles
});

/// What a page asks for.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct NextRequest {
    rating: Option<u32>,
    /// The ids of the puzzles that the user has seen.
    seen: Vec<String>,
}

/// A puzzle without its solution.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PuzzleView {
    id: &'static str,
    fen: String,
    rules: String,
    kind: PuzzleKind,
    title: &'static str,
    rating: u32,
    total: usize,
}

/// The puzzle that suits a rating best among those not seen yet; when all are seen, among all.
fn next_for(rating: u32, seen: &[String]) -> Option<&'static Puzzle> {
    let distance = |puzzle: &&&Puzzle| puzzle.rating.abs_diff(rating);
    let new = PUZZLES.iter().filter(|puzzle| !seen.contains(&puzzle.id));
    let found = new.collect::<Vec<_>>();
    let found = found.iter().min_by_key(distance).copied();
    found.or_else(|| PUZZLES.iter().collect::<Vec<_>>().iter().min_by_key(distance).copied())
}

/// `/api/puzzles/next`.
pub(crate) fn next(request: &NextRequest) -> Result<PuzzleView, Refusal> {
    let found = next_for(request.rating.unwrap_or(1200), &request.seen);
    let puzzle = found.ok_or_else(|| Refusal::missing("there are no puzzles"))?;
    Ok(PuzzleView {
        id: &puzzle.id,
        fen: puzzle.fen.to_string(),
        rules: puzzle.rules.to_string(),
        kind: puzzle.kind,
        title: &puzzle.title,
        rating: puzzle.rating,
        total: PUZZLES.len(),
    })
}

/// An attempt: every move since the puzzle's position, of both sides.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct TryRequest {
    id: String,
    moves: Vec<String>,
}

/// The verdict on an attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct TryView {
    state: &'static str,
    reply: Option<String>,
    /// After a wrong move: the main line from the puzzle's position.
    solution: Option<Vec<String>>,
}

fn judge(puzzle: &Puzzle, moves: &[Move]) -> TryView {
    let own: Vec<Move> = moves.iter().copied().step_by(2).collect();
    match puzzle.try_moves(&own) {
        Attempt::Wrong => TryView {
            state: "wrong",
            reply: None,
            solution: Some(puzzle.main_line().iter().map(ToString::to_string).collect()),
        },
        Attempt::Right { reply } => {
            TryView { state: "right", reply: Some(reply.to_string()), solution: None }
        }
        Attempt::Solved => TryView { state: "solved", reply: None, solution: None },
    }
}

/// `/api/puzzles/try`.
pub(crate) fn attempt(request: &TryRequest) -> Result<TryView, Refusal> {
    let found = PUZZLES.iter().find(|puzzle| puzzle.id == request.id);
    let puzzle = found.ok_or_else(|| Refusal::missing("there is no such puzzle"))?;
    let moves = request
        .moves
        .iter()
        .map(|word| word.parse().map_err(|why| Refusal::invalid(format!("`{word}`: {why}"))));
    Ok(judge(puzzle, &moves.collect::<Result<Vec<_>, _>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_puzzle_is_solved_by_its_main_line() {
        assert!(PUZZLES.len() > 200, "{}", PUZZLES.len());
        for puzzle in PUZZLES.iter() {
            let line = puzzle.main_line();
            for length in (1..=line.len()).step_by(2) {
                let said = judge(puzzle, &line[..length]);
                let expected = if length == line.len() { "solved" } else { "right" };
                assert_eq!(said.state, expected, "{}", puzzle.id);
                assert_eq!(said.reply, line.get(length).map(ToString::to_string));
            }
        }
    }

    #[test]
    fn a_wrong_move_shows_the_solution() {
        let puzzle = &PUZZLES[0];
        let legal = puzzle.fen.legal_moves(&puzzle.rules);
        let wrong = legal.iter().find(|mv| puzzle.try_moves(&[**mv]) == Attempt::Wrong).unwrap();
        let said = judge(puzzle, &[*wrong]);
        assert_eq!(said.state, "wrong");
        assert_eq!(said.solution.unwrap()[0], puzzle.main_line()[0].to_string());
    }

    #[test]
    fn the_next_puzzle_suits_the_rating_and_is_new() {
        let first = next_for(1500, &[]).unwrap();
        let second = next_for(1500, std::slice::from_ref(&first.id)).unwrap();
        assert_ne!(first.id, second.id);
        assert!(first.rating.abs_diff(1500) <= second.rating.abs_diff(1500));
        let all: Vec<String> = PUZZLES.iter().map(|puzzle| puzzle.id.clone()).collect();
        assert!(next_for(1500, &all).is_some());
    }
}
