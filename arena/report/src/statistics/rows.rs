//! Rows of tables that statistics computes and reports write.

use serde::{Deserialize, Serialize};

use fanorona_tournament::pairing::stages::WinReason;

/// A finished session, as a row of `sessions.csv`. What a file does not contain is empty.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionRow {
    /// Its number in the schedule.
    pub session: u64,
    /// The number of the pair of sessions it belongs to.
    pub pair: Option<u64>,
    /// The player of White in the first riatra.
    pub first: String,
    /// The second player.
    pub second: String,
    /// The result from the first player's view; `*` if one of its games was void.
    pub result: String,
    /// The set score, like `2-1`.
    pub sets: String,
    /// The same as two numbers, like `1.5`: spreadsheets take `2-1` for a date.
    pub first_sets: String,
    /// The sets of the second player.
    pub second_sets: String,
    /// Velas played.
    pub velas: u32,
    /// Games played.
    pub games: usize,
}

/// An engine's place in a Swiss tournament, as a row of `swiss.csv`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SwissRow {
    /// The name of the engine.
    pub engine: String,
    /// Its half points, including those awarded for skipped games.
    pub points: u64,
    /// The half points of its opponents.
    pub opponents: u64,
    /// The number of stages without an opponent.
    pub byes: u32,
}

/// An encounter of a knockout, as a row of `bracket.csv`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BracketRow {
    /// The stage, from 1.
    pub stage: u32,
    /// The encounter within the stage, from 1.
    pub encounter: usize,
    /// The engines, in the order of the config.
    pub engines: [String; 2],
    /// Their half points, including those awarded for skipped games.
    pub points: [u64; 2],
    /// The winner and the reason; `None` until the stage is over.
    pub winner: Option<(String, WinReason)>,
}
