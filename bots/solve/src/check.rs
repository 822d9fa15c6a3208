//! The checker: whether the positions of a solution prove what it says, by nothing but the rules
//! and the tables.
//!
//! It shares no code with the search, but for the symmetries of boards, which the tables need as
//! well. It knows positions as the rules do, asks them for their moves and plays these; it does not
//! know how the sets were found, so nothing in their history can mislead it. What it looks at,
//! position by position:
//!
//! - *A side wins* if every position of the set has a move, when that side is to move, or only
//!   moves, when the other is, to where it has won: by the rules, by a table, or in the set with a
//!   smaller rank. Ranks run out, so the game ends, and it ends well.
//! - *A side holds* if every position of the set has a move, when that side is to move, or only
//!   moves, when the other is, to where it has not lost: by the rules, by a table, or in the set.
//!   It can stay there for ever, and endless play is a draw.
//!
//! The start has to be in the set, and the sets have to prove the worth: one of a side that wins,
//! or one of each side that holds.

use std::fmt;

use fanorona_protocol::rules::{Move, Position, Setup, Side};

use fanorona_endgames::Tables;
use fanorona_endgames::solution::{Claim, GameValue, Images, Proof, Record, Solution};

/// Why a solution proves nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Flaw {
    /// The sets, whatever is in them, do not prove the worth.
    #[error("the worth, {0}, takes other sets than the solution has")]
    Unsupported(GameValue),
    /// Tables are missing.
    #[error("it leaves endings of {stones} stones to tables, but these know {found}: build them")]
    Tables {
        /// Stones of the endings.
        stones: usize,
        /// Stones the tables know.
        found: usize,
    },
    /// The start is not in a set.
    #[error("the set of {} does not have the start in it", About(.0, .1))]
    Start(Side, Claim),
    /// A record is of no position.
    #[error("the set of {} has a record that is no position of the board", About(.0, .1))]
    NoPosition(Side, Claim),
    /// A position proves nothing.
    #[error(transparent)]
    Position(Box<WrongPosition>),
}

/// A position that proves nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the set of {}: {position}{}: {problem}", About(side, claim), Rank(*claim, *rank))]
pub struct WrongPosition {
    /// About whom the set is.
    pub side: Side,
    /// What it claims.
    pub claim: Claim,
    /// The position.
    pub position: Position,
    /// Its rank.
    pub rank: u32,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a position of a set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Problem {
    /// It has the wrong end.
    #[error("the game is over here, and not as the set says")]
    Over,
    /// The side of the set is to move and has no move that keeps the claim.
    #[error("no move leads to where this is still so")]
    NoMove,
    /// The other side has a move that breaks the claim.
    #[error("`{0}` leads to where this is not known to be so")]
    Move(Move),
}

struct About<'a>(&'a Side, &'a Claim);

impl fmt::Display for About<'_> {
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

/// Checks a solution. `step` is called for every position looked at.
pub fn check(
    solution: &Solution,
    tables: Option<&Tables>,
    mut step: impl FnMut(),
) -> Result<(), Flaw> {
    let proven = |side, claim| {
        solution.proofs.iter().any(|proof| proof.side == side && proof.claim == claim)
    };
    let supported = match solution.value {
        GameValue::White => proven(Side::White, Claim::Wins),
        GameValue::Black => proven(Side::Black, Claim::Wins),
        GameValue::Draw => proven(Side::White, Claim::Holds) && proven(Side::Black, Claim::Holds),
    };
    if !supported {
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
        if self.rank(&self.solution.start).is_none() {
            return Err(Flaw::Start(side, claim));
        }
        for &record in self.proof.records() {
            let position = self.position(record).ok_or(Flaw::NoPosition(side, claim))?;
            if let Some(problem) = self.problem(&position, record.rank()) {
                let rank = record.rank();
                let wrong = WrongPosition { side, claim, position, rank, problem };
                return Err(Flaw::Position(Box::new(wrong)));
            }
            step();
        }
        Ok(())
    }

    /// What is wrong with a position of the set.
    fn problem(&self, position: &Position, rank: u32) -> Option<Problem> {
        let rules = &self.solution.rules;
        if rules.ending(position).is_some() {
            return (self.over(position) != Some(true)).then_some(Problem::Over);
        }
        let mut moves = position.legal_moves(rules).into_iter();
        let good = |mv: &Move| {
            let next = position.play(rules, mv).expect("the move is legal");
            self.over(&next).unwrap_or_else(|| {
                self.rank(&next).is_some_and(|next| self.proof.claim == Claim::Holds || next < rank)
            })
        };
        if position.side_to_move() == self.proof.side {
            (!moves.any(|mv| good(&mv))).then_some(Problem::NoMove)
        } else {
            moves.find(|mv| !good(mv)).map(Problem::Move)
        }
    }

    /// Whether the claim is true of a position that the rules or the tables know; else `None`.
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

    /// The rank of a position in the set, if it is there: as itself or as one of its images.
    fn rank(&self, position: &Position) -> Option<u32> {
        let board = position.board();
        let (white, black) = (board.bits(Side::White), board.bits(Side::Black));
        let record = self.images.record(white, black, position.side_to_move(), 0);
        self.proof.find(record).map(Record::rank)
    }

    /// The position of a record.
    fn position(&self, record: Record) -> Option<Position> {
        let size = self.solution.start.board().size();
        let (white, black) = (record.white(), record.black());
        if white & black != 0 || (white | black) >> size.points() != 0 {
            return None;
        }
        let stone = |point: usize| match (white >> point & 1, black >> point & 1) {
            (1, _) => Some(Side::White),
            (_, 1) => Some(Side::Black),
            _ => None,
        };
        let row =
            |row: usize| (0..size.columns()).map(|c| stone(row * size.columns() + c)).collect();
        let setup = Setup {
            rows: (0..size.rows()).rev().map(row).collect(),
            side_to_move: record.side_to_move(),
            debtor: self.solution.start.debtor(),
            quiet: 0,
            full_move: 1,
        };
        setup.try_into().ok()
    }
}
