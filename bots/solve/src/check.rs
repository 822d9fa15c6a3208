//! The checker: decides whether the positions of a solution prove its value, using only the rules
//! and the tables.
//!
//! It shares no code with the search, except for the symmetries of boards, which the tables need as
//! well. It generates and plays moves by the rules and does not know how the sets were found, so an
//! error of the search cannot mislead it. In every position of a set the other side is to move:
//!
//! - *A side wins* if, after every move there, it has won by the rules or by a table, or has a move
//!   to a position where it has won by the rules, by a table, or in the set with a smaller rank.
//!   Ranks decrease, so the game ends with a win.
//! - *A side holds* if, after every move there, it has not lost by the rules or by a table, or has a
//!   move to a position where it has not lost by the rules, by a table, or in the set. It can stay in
//!   the set forever, and endless play is a draw.
//!
//! The same must be true of the start, or of one move there if the side itself begins. And the sets
//! must prove the value: one set for a side that wins, or one for each side that holds. A set of one
//! side that holds proves that this side does not lose.

use std::fmt;

use fanorona_protocol::rules::{Move, Position, Side, raw};

use fanorona_endgames::Tables;
use fanorona_endgames::solution::{Claim, GameValue, Images, Proof, Record, Solution};

/// The reason why a solution is wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Flaw {
    /// The solution lacks the sets that its value needs.
    #[error("the solution lacks a set that its value ({0}) needs")]
    Unsupported(GameValue),
    /// Tables are missing.
    #[error("it needs tables of {stones} stones, but these have {found}: build the rest")]
    Tables {
        /// The stones of the endings.
        stones: usize,
        /// The stones in the tables.
        found: usize,
    },
    /// A claim does not follow for the start.
    #[error("the set of {} does not prove it for the start", ProofName(.0, .1))]
    Start(Side, Claim),
    /// A record is not a position.
    #[error("the set of {} has a record that is not a position of the board", ProofName(.0, .1))]
    NoPosition(Side, Claim),
    /// A position does not keep the claim.
    #[error(transparent)]
    Position(Box<WrongPosition>),
}

/// A position that does not keep the claim of its set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the set of {}: {position}{}: {problem}", ProofName(side, claim), Rank(*claim, *rank))]
pub struct WrongPosition {
    /// The side of the set.
    pub side: Side,
    /// The claim of the set.
    pub claim: Claim,
    /// The position.
    pub position: Position,
    /// The rank of the position.
    pub rank: u32,
    /// The problem.
    pub problem: Problem,
}

/// A problem of a position in a set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Problem {
    /// The game is over with the wrong result.
    #[error("the game is over here with another result")]
    Over,
    /// The other side has a move after which nothing keeps the claim.
    #[error("no answer to `{0}` keeps the claim")]
    Move(Move),
}

struct ProofName<'a>(&'a Side, &'a Claim);

impl fmt::Display for ProofName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let claim = match self.1 {
            Claim::Wins => "wins",
            Claim::Holds => "holds",
        };
        write!(f, "\"{} {claim}\"", self.0)
    }
}

struct Rank(Claim, u32);

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Claim::Wins => write!(f, ", rank {}", self.1),
            Claim::Holds => Ok(()),
        }
    }
}

/// Checks a solution. Calls `step` for every position.
pub fn check(
    solution: &Solution,
    tables: Option<&Tables>,
    mut step: impl FnMut(),
) -> Result<(), Flaw> {
    let proven = |side, claim| {
        solution.proofs.iter().any(|proof| proof.side == side && proof.claim == claim)
    };
    if !solution.value.sets().iter().all(|&(side, claim)| proven(side, claim)) {
        return Err(Flaw::Unsupported(solution.value));
    }
    let found = tables.map_or(0, Tables::stones);
    if found < solution.stones {
        return Err(Flaw::Tables { stones: solution.stones, found });
    }
    for proof in &solution.proofs {
        let images = Images::new(solution.start.board().size());
        Checker { solution, proof, tables, images }.check(&mut step)?;
    }
    Ok(())
}

/// Whether a set proves its claim for the start of a solution.
pub(super) fn proves_start(solution: &Solution, proof: &Proof, tables: Option<&Tables>) -> bool {
    let images = Images::new(solution.start.board().size());
    Checker { solution, proof, tables, images }.proves_start()
}

/// The checker of one set.
struct Checker<'s> {
    solution: &'s Solution,
    proof: &'s Proof,
    tables: Option<&'s Tables>,
    images: Images,
}

impl Checker<'_> {
    fn check(&self, step: &mut impl FnMut()) -> Result<(), Flaw> {
        let Proof { side, claim, .. } = *self.proof;
        if !self.proves_start() {
            return Err(Flaw::Start(side, claim));
        }
        for &record in self.proof.records() {
            let rank = record.rank();
            let position = self.solution.position(side, record);
            let position = position.ok_or(Flaw::NoPosition(side, claim))?;
            if let Some(problem) = self.problem(&position, rank) {
                let wrong = WrongPosition { side, claim, position, rank, problem };
                return Err(Flaw::Position(Box::new(wrong)));
            }
            step();
        }
        Ok(())
    }

    fn proves_start(&self) -> bool {
        let start = &self.solution.start;
        match start.side_to_move() == self.proof.side {
            true => self.is_kept(start, u32::MAX),
            false => self.problem(start, u32::MAX).is_none(),
        }
    }

    /// The problem of a position with the other side to move, if it has one.
    fn problem(&self, position: &Position, rank: u32) -> Option<Problem> {
        let rules = &self.solution.rules;
        if rules.ending(position).is_some() {
            return (self.over(position) != Some(true)).then_some(Problem::Over);
        }
        let mut moves = position.legal_moves(rules).into_iter();
        moves.find(|mv| !self.is_kept(&self.after(position, mv), rank)).map(Problem::Move)
    }

    /// Whether the claim is kept by the end of the game or by a move of the side of the set: to an end,
    /// an ending of the tables, or a position in the set with a rank below this one.
    fn is_kept(&self, position: &Position, rank: u32) -> bool {
        self.over(position).unwrap_or_else(|| {
            position.legal_moves(&self.solution.rules).iter().any(|mv| {
                let next = self.after(position, mv);
                self.over(&next).unwrap_or_else(|| {
                    let is_below = |next| self.proof.claim == Claim::Holds || next < rank;
                    self.rank(&next).is_some_and(is_below)
                })
            })
        })
    }

    fn after(&self, position: &Position, mv: &Move) -> Position {
        position.play(&self.solution.rules, mv).expect("the move is legal")
    }

    /// Whether the claim is true of a position, if the rules or the tables decide it.
    fn over(&self, position: &Position) -> Option<bool> {
        let rules = &self.solution.rules;
        let winner = match (rules.ending(position), self.tables) {
            (Some(ending), _) => ending.winner,
            (None, None) => return None,
            (None, Some(tables)) => {
                tables.outcome(position, rules)?.winner(position.side_to_move())
            }
        };
        Some(match self.proof.claim {
            Claim::Wins => winner == Some(self.proof.side),
            Claim::Holds => winner != Some(!self.proof.side),
        })
    }

    /// The rank of a position, or of its image, in the set.
    fn rank(&self, position: &Position) -> Option<u32> {
        let board = position.board();
        let (white, black) = (raw::stones(board, Side::White), raw::stones(board, Side::Black));
        self.proof.find(self.images.record(white, black, 0)).map(Record::rank)
    }
}
