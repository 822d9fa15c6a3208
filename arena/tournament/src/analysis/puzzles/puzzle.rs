//! A puzzle and attempts to solve it.

use fanorona_protocol::rules::{Move, Position, Ruleset};
use serde::{Deserialize, Serialize};

use crate::text::as_text;

/// A position in which exactly one move wins, apart from moves that lead to the same position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Puzzle {
    /// A name that is unique in its file and depends only on the position and the rules.
    pub id: String,
    /// The position. The solver plays the side to move.
    pub fen: Position,
    /// The rules; the usual ones if the file names none.
    #[serde(default, skip_serializing_if = "as_text::is_default")]
    pub rules: Ruleset,
    /// The certainty of the solution.
    pub kind: PuzzleKind,
    /// The length of the win in plies, if tables prove it. The solution may end before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
    /// The difficulty, about 600 to 2500, like a rating of players.
    pub rating: u32,
    /// The right first moves.
    pub solution: Vec<Branch>,
    /// The source of the position.
    pub source: String,
}

/// The certainty of a solution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PuzzleKind {
    /// Proven by endgame tables.
    Exact,
    /// The judgement of an engine.
    Tactical,
}

/// Right moves of the solver that lead to the same position, and what follows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Branch {
    /// These moves, of which each is right.
    pub moves: Vec<Move>,
    /// The opponent's reply; `None` if the puzzle is solved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<Move>,
    /// The right moves after the reply.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<Branch>,
}

/// The result of an attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attempt {
    /// The last move is wrong, or there is none.
    Wrong,
    /// All moves are right, and the opponent replies to the last one.
    Right {
        /// The reply.
        reply: Move,
    },
    /// All moves are right, and the last one solves the puzzle.
    Solved,
}

impl Puzzle {
    /// Judges the solver's moves so far, without the opponent's replies.
    ///
    /// ```
    /// use fanorona_tournament::analysis::puzzles::{Attempt, read};
    ///
    /// let line = concat!(
    ///     r#"{"id":"x1","fen":"9/9/9/9/4WbW2 w - 0 1","kind":"exact","plies":1,"#,
    ///     r#""rating":600,"solution":[{"moves":["e1d1W"]}],"source":"example"}"#,
    /// );
    /// let puzzles = read(line.as_bytes()).unwrap();
    /// assert_eq!(puzzles[0].try_moves(&["e1d1W".parse().unwrap()]), Attempt::Solved);
    /// assert_eq!(puzzles[0].try_moves(&["g1h1W".parse().unwrap()]), Attempt::Wrong);
    /// ```
    pub fn try_moves(&self, moves: &[Move]) -> Attempt {
        let mut branches = &self.solution;
        let mut reached = Attempt::Wrong;
        for mv in moves {
            if reached == Attempt::Solved {
                return Attempt::Wrong;
            }
            let Some(branch) = branches.iter().find(|branch| branch.moves.contains(mv)) else {
                return Attempt::Wrong;
            };
            branches = &branch.then;
            reached = match branch.reply {
                Some(reply) => Attempt::Right { reply },
                None => Attempt::Solved,
            };
        }
        reached
    }

    /// The main line: the first right move, the reply, and so on.
    pub fn main_line(&self) -> Vec<Move> {
        let (mut line, mut branches) = (Vec::new(), &self.solution);
        while let Some(branch) = branches.first() {
            line.extend(branch.moves.first());
            line.extend(branch.reply);
            branches = &branch.then;
        }
        line
    }

    /// The name of a position under these rules.
    pub fn id_of(kind: PuzzleKind, fen: &Position, rules: &Ruleset) -> String {
        let letter = match kind {
            PuzzleKind::Exact => 'x',
            PuzzleKind::Tactical => 't',
        };
        format!("{letter}{:08x}", crc32fast::hash(format!("{fen} {rules}").as_bytes()))
    }
}
