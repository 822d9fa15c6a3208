//! Building tables, layer by layer.

#[cfg(feature = "files")]
mod disk;
mod lower;
mod segments;
mod solve;
mod tally;

use fanorona_protocol::rules::{BoardSize, Ruleset};

#[cfg(feature = "files")]
pub use self::disk::{Plan, build, build_by};
use self::lower::Lower;
use self::solve::Solver;
use self::tally::Tally;
use super::error::FileError;
use super::index::Index;
use super::layer::{Layer, MAX_STONES};
use super::side_stats::SideStats;
use super::tables::Tables;

/// Is told how a build goes on, by many threads at once.
pub trait BuildObserver: Sync {
    /// Some layers are begun; `steps` will be needed at most.
    fn begin(&self, layers: &[Layer], steps: u64);
    /// So many steps have been done.
    fn advance(&self, steps: u64);
    /// The layers last begun are finished and on disk.
    fn end(&self);
    /// A layer has been finished before, and its file is sound.
    fn found(&self, layer: Layer);
}

/// Looks away.
impl BuildObserver for () {
    fn begin(&self, _: &[Layer], _: u64) {}
    fn advance(&self, _: u64) {}
    fn end(&self) {}
    fn found(&self, _: Layer) {}
}

/// A position ends later than a byte can say, or waits for more moves.
#[derive(Debug)]
struct TooLong;

/// Why tables could not be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// More or fewer stones than tables have.
    #[error(
        "{stones} stones: tables have 2 to {MAX_STONES}, and fewer than {points} on this board"
    )]
    Stones {
        /// Stones asked for.
        stones: usize,
        /// Points of the board.
        points: usize,
    },
    /// A layer to build that does not have the most stones.
    #[error("{layer} has not {stones} stones, and of those with fewer all layers are needed")]
    Only {
        /// The layer.
        layer: Layer,
        /// Stones asked for.
        stones: usize,
    },
    /// A layer does not fit the memory.
    #[error("{layer} needs {needed} bytes of memory, but only {allowed} may be used: allow more")]
    Memory {
        /// The layer.
        layer: Layer,
        /// Bytes it needs.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// A game is longer than a byte can say, or has more moves to wait for.
    #[error("a game of {0} takes more plies or moves than a byte can count")]
    TooLong(Layer),
    /// The rules have a switch that tables do not know.
    #[error("no tables by the rules `{0}`: of the switches they know {known}", known = KNOWN)]
    Rules(Ruleset),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// The switches tables may be built by, for a message.
const KNOWN: &str = "`forced-continuation` and `blocked-is-draw`";

/// Builds every layer of a board up to a few stones in memory, by no switch, with one thread and no
/// file.
pub fn build_in_memory(board: BoardSize, stones: usize) -> Result<Tables, BuildError> {
    let rules = Ruleset::default();
    if !(2..=MAX_STONES).contains(&stones) || stones >= board.points() {
        return Err(BuildError::Stones { stones, points: board.points() });
    }
    let index = Index::new(board, stones);
    let mut lower = Lower::new(&index);
    let mut built = Vec::new();
    for stones in 2..=stones {
        let layers: Vec<_> = Layer::of_stones(stones).collect();
        let list = index.patterns(stones).list();
        let solver = Solver::solve(&rules, &index, &lower, &list, &layers, 1, &())
            .map_err(|TooLong| BuildError::TooLong(layers[layers.len() - 1]))?;
        let mut solved = Vec::new();
        for layer in layers {
            let mut bytes = Vec::with_capacity(index.len(layer) as usize);
            let sides = visit_layer(&index, &solver, &list, layer, |some| {
                bytes.extend_from_slice(some);
            });
            solved.push((layer, bytes, sides));
        }
        for (layer, bytes, sides) in solved {
            lower.add(layer, bytes.clone());
            built.push((layer, bytes, sides));
        }
    }
    drop(lower);
    Ok(Tables::of_memory(index, built))
}

/// Visits the bytes of a layer that has been solved, pattern by pattern; what they are worth.
fn visit_layer(
    index: &Index,
    solver: &Solver<'_>,
    list: &[u64],
    layer: Layer,
    mut visit: impl FnMut(&[u8]),
) -> Vec<SideStats> {
    let first = solver.splits().slot(index.splits(layer).masks()[0]);
    let slots = first..first + index.splits(layer).len();
    let mut tally = Tally::new(index, layer);
    let mut class = 0;
    solver.visit(|bytes| {
        let bytes = &bytes[slots.clone()];
        tally.add(list[class], bytes);
        class += 1;
        visit(bytes);
    });
    tally.sides()
}
