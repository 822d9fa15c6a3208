//! Rows of tables that statistics fills and reports write.

use crate::pairing::stages::By;

/// A finished session as `sessions.csv` has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SessionRow {
    /// Its number in the schedule.
    pub session: u64,
    /// Its pair.
    pub pair: u64,
    /// The player with White in the first riatra.
    pub first: String,
    /// The other one.
    pub second: String,
    /// The result from the first player's view; `*` where a game of it was void.
    pub result: String,
    /// Sets, like `2-1`.
    pub sets: String,
    /// Velas played.
    pub velas: u32,
    /// Games played.
    pub games: usize,
}

/// A place of a Swiss tournament as `swiss.csv` has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SwissRow {
    /// The engine.
    pub engine: String,
    /// Its half points, those of games it did not have to play included.
    pub points: u64,
    /// The half points of its opponents.
    pub opponents: u64,
    /// Stages without an opponent.
    pub byes: u32,
}

/// An encounter of a knockout as `bracket.csv` has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BracketRow {
    /// The stage, from 1.
    pub stage: u32,
    /// The encounter within the stage, from 1.
    pub encounter: usize,
    /// Who met, the one earlier in the config first.
    pub engines: [String; 2],
    /// Their half points, those of games they did not have to play included.
    pub points: [u64; 2],
    /// Who has gone on, and by what; `None` until the stage is over.
    pub winner: Option<(String, By)>,
}
