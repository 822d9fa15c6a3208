//! Comparing tables with the rules.
//!
//! A table is right when every position's value follows from those of its turns: won in one ply
//! more than the shortest loss it can hand over, else drawn if it can hand over a draw, else lost
//! in one ply more than the longest win it must hand over, and lost at once without a turn. That is
//! not only necessary: the plies of wins and losses lead down to the end of the game, and whoever
//! holds a draw can hold it for ever. So tables of which every position has been looked at are
//! proven, by nothing but the rules and this comparison.

use std::fmt;

use fanorona_protocol::messages::Value;
use fanorona_protocol::rules::{BoardSize, Position};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::file::{Cache, FileError};
use super::layer::Layer;
use super::outcome::Outcome;
use super::tables::Tables;

/// What has been looked at in a layer without finding fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verified {
    /// The layer.
    pub layer: Layer,
    /// Positions looked at.
    pub positions: u64,
    /// Whether these were all.
    pub all: bool,
}

/// A position whose value does not follow from those of its turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{} on {board}, {position}: the table says {found}, the turns say {expected}{}", .layer,
    Aside(.outcome, .found)
)]
pub struct Mismatch {
    /// The board.
    pub board: BoardSize,
    /// The layer.
    pub layer: Layer,
    /// The position.
    pub position: Position,
    /// The value kept for it.
    pub found: Value,
    /// The outcome kept beside.
    pub outcome: Outcome,
    /// The value that follows from its turns.
    pub expected: Value,
}

/// What is to be said where the outcome kept for a position is not that of its value.
struct Aside<'m>(&'m Outcome, &'m Value);

impl fmt::Display for Aside<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match outcome(*self.1) == Some(*self.0) {
            true => Ok(()),
            false => write!(f, "; beside it is kept {:?}", self.0),
        }
    }
}

/// Why tables could not be verified, or are wrong.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// A position is wrong.
    #[error(transparent)]
    Mismatch(#[from] Box<Mismatch>),
    /// A file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Compares a layer's files with their checksums, and `sample` of its positions, drawn by `seed`,
/// with the rules: all of them, if there are no more. `step` is called for each.
pub fn verify(
    tables: &Tables,
    layer: Layer,
    sample: u64,
    seed: u64,
    mut step: impl FnMut(),
) -> Result<Verified, VerifyError> {
    tables.check(layer)?;
    let len = tables.len(layer);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut cache = Cache::new();
    let positions = sample.min(len);
    for item in 0..positions {
        let number = if sample >= len { item } else { random.random_range(0..len) };
        look_at(tables, layer, number, &mut cache)?;
        step();
    }
    Ok(Verified { layer, positions, all: sample >= len })
}

fn look_at(
    tables: &Tables,
    layer: Layer,
    number: u64,
    cache: &mut Cache,
) -> Result<(), VerifyError> {
    let rules = tables.rules();
    let position = tables.position(layer, number);
    let (found, beside) = tables.kept(layer, number, cache)?;
    let turns = position.turns(rules);
    let blocked = turns.is_empty() && rules.blocked_is_draw;
    let (mut shortest, mut draw, mut longest) = (None, blocked, 0);
    for turn in turns {
        let after = position.play(rules, &turn).expect("the turn is legal");
        match tables.value_with(&after, rules, cache)? {
            Value::Loss(plies) => {
                shortest = Some(shortest.map_or(plies, |least: u32| least.min(plies)));
            }
            Value::Draw => draw = true,
            Value::Win(plies) => longest = longest.max(plies + 1),
            Value::Unknown => unreachable!("turns lead to positions of no more stones"),
        }
    }
    let expected = match (shortest, draw) {
        (Some(plies), _) => Value::Win(plies + 1),
        (None, true) => Value::Draw,
        (None, false) => Value::Loss(longest),
    };
    if found == expected && outcome(found) == Some(beside) {
        return Ok(());
    }
    let board = tables.board();
    Err(Box::new(Mismatch { board, layer, position, found, outcome: beside, expected }).into())
}

/// The outcome a value speaks of.
fn outcome(value: Value) -> Option<Outcome> {
    match value {
        Value::Win(_) => Some(Outcome::Win),
        Value::Draw => Some(Outcome::Draw),
        Value::Loss(_) => Some(Outcome::Loss),
        Value::Unknown => None,
    }
}
