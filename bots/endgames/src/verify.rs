//! Comparing tables with the rules.
//!
//! A table is right when every position's value follows from those of its moves: won in one ply
//! more than the shortest loss it can hand over, else drawn if it can hand over a draw, else lost
//! in one ply more than the longest win it must hand over, and lost at once without a move. That is
//! not only necessary: the plies of wins and losses lead down to the end of the game, and whoever
//! holds a draw can hold it for ever. So tables of which every position has been looked at are
//! proven, by nothing but the rules and this comparison.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use fanorona_protocol::messages::Value;
use fanorona_protocol::rules::{BoardSize, Position};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::error::FileError;
use super::file::Cache;
use super::layer::Layer;
use super::outcome::Outcome;
use super::tables::Tables;
use super::threads;

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

/// A position whose value does not follow from those of its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{} on {board}, {position}: the table says {found}, the moves say {expected}{}", .layer,
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
    /// The value that follows from its moves.
    pub expected: Value,
}

/// What is to be said where the outcome kept for a position is not that of its value.
struct Aside<'m>(&'m Outcome, &'m Value);

impl fmt::Display for Aside<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Outcome::of_value(*self.1) == Some(*self.0) {
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

/// How much of a layer is looked at, and by how many.
#[derive(Clone, Copy, Debug)]
pub struct Inspection {
    /// Positions to look at; all, if there are no more.
    pub sample: u64,
    /// What a sample is drawn by.
    pub seed: u64,
    /// Threads that share the work, at least one; they do not change which positions are drawn.
    pub threads: usize,
}

/// Positions that a thread looks at between two steps.
const CHUNK: u64 = 1 << 14;

/// What a thread has at hand.
struct Worker {
    cache: Cache,
    /// The first of its chunks that has a fault, and the fault.
    fault: Option<(u64, VerifyError)>,
}

/// Compares a layer's files with their checksums, and its positions with the rules. Of all faults
/// the same one is found first, by however many threads. `step` is told how many positions more have
/// been looked at. A whole layer is looked at sooner when it is [unpacked](Tables::unpack).
///
/// # Errors
/// When a position is wrong, or a file damaged.
pub fn verify(
    tables: &Tables,
    layer: Layer,
    inspection: &Inspection,
    step: impl Fn(u64) + Sync,
) -> Result<Verified, VerifyError> {
    tables.check(layer)?;
    let len = tables.len(layer);
    let all = inspection.sample >= len;
    let positions = inspection.sample.min(len);
    let look_at_chunk = |chunk: u64, cache: &mut Cache| {
        let items = chunk * CHUNK..((chunk + 1) * CHUNK).min(positions);
        let count = items.end - items.start;
        if all {
            let mut items = tables.positions(layer, items);
            items.try_for_each(|(number, position)| {
                look_at(tables, layer, number, &position, cache)
            })?;
        } else {
            let mut random = ChaCha8Rng::seed_from_u64(inspection.seed);
            random.set_stream(chunk);
            for _ in items {
                let number = random.random_range(0..len);
                look_at(tables, layer, number, &tables.position(layer, number), cache)?;
            }
        }
        step(count);
        Ok(())
    };
    let least = AtomicU64::new(u64::MAX);
    let worker = || Worker { cache: Cache::new(), fault: None };
    let mut workers: Vec<Worker> = (0..inspection.threads.max(1)).map(|_| worker()).collect();
    let work = |worker: &mut Worker, chunk: usize| {
        let chunk = chunk as u64;
        // What comes behind a fault does not matter any more.
        if chunk > least.load(Ordering::Relaxed) {
            return;
        }
        if let Err(fault) = look_at_chunk(chunk, &mut worker.cache) {
            least.fetch_min(chunk, Ordering::Relaxed);
            worker.fault.get_or_insert((chunk, fault));
        }
    };
    threads::share(&mut workers, positions.div_ceil(CHUNK) as usize, work, |_| {});
    let faults = workers.into_iter().filter_map(|worker| worker.fault);
    match faults.min_by_key(|(chunk, _)| *chunk) {
        Some((_, fault)) => Err(fault),
        None => Ok(Verified { layer, positions, all }),
    }
}

fn look_at(
    tables: &Tables,
    layer: Layer,
    number: u64,
    position: &Position,
    cache: &mut Cache,
) -> Result<(), VerifyError> {
    let rules = tables.rules();
    let (found, beside) = tables.stored(layer, number, cache)?;
    let moves = position.legal_moves(rules);
    let blocked = moves.is_empty() && rules.blocked_is_draw;
    let (mut shortest, mut draw, mut longest) = (None, blocked, 0);
    for mv in moves {
        let after = position.play(rules, &mv).expect("the move is legal");
        match tables.value_with(&after, rules, cache)? {
            Value::Loss(plies) => {
                shortest = Some(shortest.map_or(plies, |least: u32| least.min(plies)));
            }
            Value::Draw => draw = true,
            Value::Win(plies) => longest = longest.max(plies + 1),
            Value::Unknown => unreachable!("moves lead to positions of no more stones"),
        }
    }
    let expected = match (shortest, draw) {
        (Some(plies), _) => Value::Win(plies + 1),
        (None, true) => Value::Draw,
        (None, false) => Value::Loss(longest),
    };
    if found == expected && Outcome::of_value(found) == Some(beside) {
        return Ok(());
    }
    let (board, position) = (tables.board(), *position);
    Err(Box::new(Mismatch { board, layer, position, found, outcome: beside, expected }).into())
}
