//! Reads files of puzzles and checks every line by the rules.

use std::collections::{HashMap, HashSet};
use std::io::{self, BufRead};

use fanorona_protocol::rules::{Game, IllegalMove, Move, Position};

use super::puzzle::{Branch, Puzzle};
use super::symmetry::canonical;
use crate::text::input_file;

/// An error in a file of puzzles, and its line.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct PuzzleError {
    /// The line, from 1.
    pub line: usize,
    /// The problem.
    pub problem: PuzzleProblem,
}

/// The kinds of errors.
#[derive(Debug, thiserror::Error)]
pub enum PuzzleProblem {
    /// The file cannot be read.
    #[error("failed to read: {0}")]
    Unreadable(#[from] io::Error),
    /// The line is not a puzzle.
    #[error("not a puzzle: {0}")]
    Json(#[from] serde_json::Error),
    /// Two puzzles have the same name.
    #[error("puzzle {0} appears twice")]
    Twice(String),
    /// Two puzzles have the same position, possibly reflected or with colours swapped.
    #[error("puzzle {0} has the position of puzzle {1}, possibly as an image")]
    SamePosition(String, String),
    /// The game is already over.
    #[error("puzzle {0}: the game is over in its position")]
    Over(String),
    /// There is nothing to find.
    #[error("puzzle {0}: no legal first move is wrong")]
    NoChoice(String),
    /// A place of the solution without right moves.
    #[error("puzzle {0}: the solution has no move after `{1}`")]
    NoMove(String, String),
    /// A move of the solution is not legal.
    #[error("puzzle {id}: `{mv}` is not legal after `{before}`: {why}")]
    Illegal {
        /// The puzzle.
        id: String,
        /// The move.
        mv: String,
        /// The moves before it.
        before: String,
        /// The reason.
        why: Box<IllegalMove>,
    },
    /// Moves of one branch lead to different positions, or two branches to the same one.
    #[error(
        "puzzle {0}: `{1}`: moves share a branch if and only if they lead to the same position"
    )]
    Families(String, String),
    /// The solution continues after the end of the game, or stops in the middle.
    #[error(
        "puzzle {0}: `{1}`: a reply and the moves after it belong together, before the game ends"
    )]
    Reply(String, String),
}

/// Reads all puzzles of a file. Blank lines are skipped.
///
/// # Errors
/// Returns the first error.
pub fn read(input: impl BufRead) -> Result<Vec<Puzzle>, PuzzleError> {
    let (mut puzzles, mut ids, mut positions) = (Vec::new(), HashSet::new(), HashMap::new());
    for (index, line) in input_file::lines(input).enumerate() {
        let wrong = |problem| PuzzleError { line: index + 1, problem };
        let line = line.map_err(|why| wrong(why.into()))?;
        if line.trim().is_empty() {
            continue;
        }
        let puzzle: Puzzle = serde_json::from_str(&line).map_err(|why| wrong(why.into()))?;
        validate(&puzzle).map_err(wrong)?;
        if !ids.insert(puzzle.id.clone()) {
            return Err(wrong(PuzzleProblem::Twice(puzzle.id)));
        }
        let place = (canonical(&puzzle.fen), puzzle.rules.to_string());
        if let Some(other) = positions.insert(place, puzzle.id.clone()) {
            return Err(wrong(PuzzleProblem::SamePosition(puzzle.id, other)));
        }
        puzzles.push(puzzle);
    }
    Ok(puzzles)
}

/// Checks the solution of a puzzle by the rules.
fn validate(puzzle: &Puzzle) -> Result<(), PuzzleProblem> {
    let game = Game::new(puzzle.rules, puzzle.fen);
    if game.ending().is_some() {
        return Err(PuzzleProblem::Over(puzzle.id.clone()));
    }
    branches(puzzle, &puzzle.solution, &game, "")?;
    let right: Vec<&Move> = puzzle.solution.iter().flat_map(|branch| &branch.moves).collect();
    if game.legal_moves().iter().all(|mv| right.contains(&mv)) {
        return Err(PuzzleProblem::NoChoice(puzzle.id.clone()));
    }
    Ok(())
}

/// Checks the branches after the moves `before`.
fn branches(
    puzzle: &Puzzle,
    branches: &[Branch],
    game: &Game,
    before: &str,
) -> Result<(), PuzzleProblem> {
    let id = &puzzle.id;
    let mut reached: Vec<Position> = Vec::new();
    if branches.is_empty() || branches.iter().any(|branch| branch.moves.is_empty()) {
        return Err(PuzzleProblem::NoMove(id.clone(), before.to_owned()));
    }
    for branch in branches {
        let line = format!("{before} {}", branch.moves[0]).trim_start().to_owned();
        let played = |game: &Game, mv: &Move, before: &str| {
            play(game, mv).map_err(|why| PuzzleProblem::Illegal {
                id: id.clone(),
                mv: mv.to_string(),
                before: before.to_owned(),
                why: Box::new(why),
            })
        };
        let after = played(game, &branch.moves[0], before)?;
        for mv in &branch.moves[1..] {
            if played(game, mv, before)?.position() != after.position() {
                return Err(PuzzleProblem::Families(id.clone(), line));
            }
        }
        if reached.contains(after.position()) {
            return Err(PuzzleProblem::Families(id.clone(), line));
        }
        reached.push(*after.position());
        match branch.reply {
            None if branch.then.is_empty() => {}
            Some(reply) if !branch.then.is_empty() && after.ending().is_none() => {
                let after = played(&after, &reply, &line)?;
                let line = format!("{line} {reply}");
                if after.ending().is_some() {
                    return Err(PuzzleProblem::Reply(id.clone(), line));
                }
                self::branches(puzzle, &branch.then, &after, &line)?;
            }
            _ => return Err(PuzzleProblem::Reply(id.clone(), line)),
        }
    }
    Ok(())
}

fn play(game: &Game, mv: &Move) -> Result<Game, IllegalMove> {
    let mut after = game.clone();
    after.play(mv).map(|()| after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::puzzles::Attempt;

    /// A puzzle with this position and solution.
    fn line(id: &str, fen: &str, solution: &str) -> String {
        format!(
            r#"{{"id":"{id}","fen":"{fen}","kind":"exact","plies":1,"rating":700,"solution":{solution},"source":"s"}}"#
        )
    }

    const FEN: &str = "9/9/9/9/4WbW2 w - 0 1";

    fn error(text: &str) -> String {
        read(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn every_line_is_checked_by_the_rules() {
        let solved = r#"[{"moves":["e1d1W"]}]"#;
        let good = line("a", FEN, solved);
        assert_eq!(read(format!("\n{good}\n").as_bytes()).unwrap().len(), 1);
        assert_eq!(serde_json::to_string(&read(good.as_bytes()).unwrap()[0]).unwrap(), good);
        for (text, expected) in [
            ("{".to_owned(), "line 1: not a puzzle"),
            (good.replace("plies", "piles"), "unknown field `piles`"),
            (format!("{good}\n{good}"), "line 2: puzzle a appears twice"),
            (
                format!(
                    "{good}\n{}",
                    line("b", "9/9/9/9/2WbW4 w - 0 1", r#"[{"moves":["e1f1W"]}]"#)
                ),
                "line 2: puzzle b has the position of puzzle a",
            ),
            (line("a", "9/9/9/9/W8 w - 0 1", solved), "the game is over"),
            (line("a", FEN, "[]"), "no move after ``"),
            (line("a", FEN, r#"[{"moves":[]}]"#), "no move after ``"),
            (line("a", FEN, r#"[{"moves":["e1d1A"]}]"#), "`e1d1A` is not legal after ``"),
            (line("a", FEN, r#"[{"moves":["e1d1W"]},{"moves":["e1d1W"]}]"#), "share a branch"),
            (line("a", FEN, r#"[{"moves":["e1d1W"],"reply":"f1g1"}]"#), "belong together"),
            (
                line(
                    "a",
                    FEN,
                    r#"[{"moves":["e1d1W"],"reply":"f1g1","then":[{"moves":["a1b1"]}]}]"#,
                ),
                "belong together",
            ),
        ] {
            let error = error(&text);
            assert!(error.contains(expected), "{text}\n{error}");
        }
    }

    #[test]
    fn an_attempt_follows_the_branches() {
        // Two stones against one: two quiet moves, each with a reply.
        let fen = "8b/9/9/9/WW7 w - 0 1";
        let solution =
            r#"[{"moves":["a1a2"],"reply":"i5h5","then":[{"moves":["b1c1"]},{"moves":["a2a3"]}]}]"#;
        let puzzle = &read(line("a", fen, solution).as_bytes()).unwrap()[0];
        let tried = |moves: &[&str]| {
            let moves: Vec<Move> = moves.iter().map(|mv| mv.parse().unwrap()).collect();
            puzzle.try_moves(&moves)
        };
        assert_eq!(tried(&[]), Attempt::Wrong);
        assert_eq!(tried(&["a1a2"]), Attempt::Right { reply: "i5h5".parse().unwrap() });
        assert_eq!(tried(&["a1a2", "a2a3"]), Attempt::Solved);
        assert_eq!(tried(&["a1a2", "b1c1"]), Attempt::Solved);
        assert_eq!(tried(&["a1a2", "b1b2"]), Attempt::Wrong);
        assert_eq!(tried(&["a1a2", "b1c1", "a2a3"]), Attempt::Wrong);
        let line: Vec<String> = puzzle.main_line().iter().map(Move::to_string).collect();
        assert_eq!(line, ["a1a2", "i5h5", "b1c1"]);
    }
}
