//! Verifying tables against the rules.
//!
//! A table is correct when every position's value follows from those of its moves: a win in one ply
//! more than the shortest loss it leads to; otherwise a draw if a move leads to a draw; otherwise a
//! loss in one ply more than the longest win it leads to, or at once without a move. This is not
//! only necessary but sufficient: the plies of wins and losses lead down to the end of the game,
//! and a draw can be held forever. So tables with every position verified are proven by the rules
//! and this comparison alone.

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

/// A layer verified without an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verified {
    /// The layer.
    pub layer: Layer,
    /// The number of verified positions.
    pub positions: u64,
    /// Whether these are all positions.
    pub all: bool,
}

/// A position whose value does not follow from those of its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{} on {board}, {position}: the table says {found}, the moves say {expected}{}", .layer,
    OutcomeNote(.outcome, .found)
)]
pub struct Mismatch {
    /// The board.
    pub board: BoardSize,
    /// The layer.
    pub layer: Layer,
    /// The position.
    pub position: Position,
    /// The stored value.
    pub found: Value,
    /// The outcome stored beside it.
    pub outcome: Outcome,
    /// The value that follows from its moves.
    pub expected: Value,
}

/// The part of the message about a stored outcome that does not match the value.
struct OutcomeNote<'m>(&'m Outcome, &'m Value);

impl fmt::Display for OutcomeNote<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Outcome::from_value(*self.1) == *self.0 {
            true => Ok(()),
            false => write!(f, "; the stored outcome is {:?}", self.0),
        }
    }
}

/// An error of a verification.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// A position is wrong.
    #[error(transparent)]
    Mismatch(#[from] Box<Mismatch>),
    /// A file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

/// The extent of a verification.
#[derive(Clone, Copy, Debug)]
pub struct Inspection {
    /// The number of positions to verify; all if the layer has no more.
    pub sample: u64,
    /// The seed of the sample.
    pub seed: u64,
    /// The number of threads, at least one; it does not change the sample.
    pub threads: usize,
}

/// The number of positions that a thread verifies at a time.
const CHUNK: u64 = 1 << 14;

/// The state of a thread.
struct Worker {
    cache: Cache,
    /// Its first chunk with an error, and the error.
    fault: Option<(u64, VerifyError)>,
}

/// Checks a layer's files against their checksums, and its positions against the rules. With any
/// number of threads it reports the same error first. It calls `step` with the number of positions
/// verified since the last call. A whole layer is faster when it is [unpacked](Tables::unpack).
///
/// # Errors
/// Fails when a position is wrong or a file is damaged.
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
        // Chunks after an error do not matter.
        if chunk > least.load(Ordering::Relaxed) {
            return;
        }
        if let Err(fault) = look_at_chunk(chunk, &mut worker.cache) {
            least.fetch_min(chunk, Ordering::Relaxed);
            worker.fault.get_or_insert((chunk, fault));
        }
    };
    threads::distribute(&mut workers, positions.div_ceil(CHUNK) as usize, work, |_| {});
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
        let value = tables.value_with(&after, rules, cache)?;
        match value.expect("a move does not add stones, so the tables have the position after it") {
            Value::Loss(plies) => {
                shortest = Some(shortest.map_or(plies, |least: u32| least.min(plies)));
            }
            Value::Draw => draw = true,
            Value::Win(plies) => longest = longest.max(plies + 1),
        }
    }
    let expected = match (shortest, draw) {
        (Some(plies), _) => Value::Win(plies + 1),
        (None, true) => Value::Draw,
        (None, false) => Value::Loss(longest),
    };
    if found == expected && Outcome::from_value(found) == beside {
        return Ok(());
    }
    let (board, position) = (tables.board(), *position);
    Err(Box::new(Mismatch { board, layer, position, found, outcome: beside, expected }).into())
}
