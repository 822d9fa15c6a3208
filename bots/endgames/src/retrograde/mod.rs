//! Building tables by retrograde analysis, layer by layer.

#[cfg(feature = "files")]
mod disk;
mod lower;
mod segments;
mod solve;
mod tally;

use fanorona_protocol::rules::{BoardSize, Ruleset};

#[cfg(feature = "files")]
pub use self::disk::{Plan, build, build_by};
use self::lower::LowerLayers;
use self::solve::Solver;
use self::tally::Tally;
use super::error::FileError;
use super::index::Index;
use super::layer::{Layer, MAX_STONES};
use super::side_stats::SideStats;
use super::tables::Tables;

/// Observes the progress of a build; called by many threads at once.
pub trait BuildObserver: Sync {
    /// A group of layers begins; it needs at most `steps` steps.
    fn begin(&self, layers: &[Layer], steps: u64);
    /// This many steps are done.
    fn advance(&self, steps: u64);
    /// The current group of layers is finished and on disk.
    fn end(&self);
    /// A layer was finished before, and its files are intact.
    fn found(&self, layer: Layer);
}

/// Ignores the progress.
impl BuildObserver for () {
    fn begin(&self, _: &[Layer], _: u64) {}
    fn advance(&self, _: u64) {}
    fn end(&self) {}
    fn found(&self, _: Layer) {}
}

/// A distance or a number of moves does not fit a byte.
#[derive(Debug)]
struct TooLong;

/// An error of a build.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// An unsupported number of stones.
    #[error(
        "{stones} stones: tables have 2 to {MAX_STONES}, and fewer than {points} on this board"
    )]
    Stones {
        /// The stones requested.
        stones: usize,
        /// Points of the board.
        points: usize,
    },
    /// A requested layer without the requested number of stones.
    #[error(
        "{layer} does not have {stones} stones; all layers with fewer stones are needed anyway"
    )]
    Only {
        /// The layer.
        layer: Layer,
        /// The stones requested.
        stones: usize,
    },
    /// A layer does not fit the memory.
    #[error(
        "{layer} needs {needed} bytes of memory, but only {allowed} are allowed: raise the limit"
    )]
    Memory {
        /// The layer.
        layer: Layer,
        /// The bytes needed.
        needed: u64,
        /// The bytes allowed.
        allowed: u64,
    },
    /// A distance or a number of moves does not fit a byte.
    #[error("{0} has games with more plies or moves than a byte can count")]
    TooLong(Layer),
    /// The rules have an unsupported switch.
    #[error("no tables for the rules `{0}`: the supported switches are {known}", known = KNOWN)]
    Rules(Ruleset),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// The supported switches, for a message.
const KNOWN: &str = "`forced-continuation` and `blocked-is-draw`";

/// Builds every layer of a board up to a few stones in memory, for the default rules, with one
/// thread and without files.
pub fn build_in_memory(board: BoardSize, stones: usize) -> Result<Tables, BuildError> {
    let rules = Ruleset::default();
    if !(2..=MAX_STONES).contains(&stones) || stones >= board.points() {
        return Err(BuildError::Stones { stones, points: board.points() });
    }
    let index = Index::new(board, stones);
    let mut lower = LowerLayers::new(&index);
    let mut built = Vec::new();
    for stones in 2..=stones {
        let layers: Vec<_> = Layer::with_stones(stones).collect();
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
    Ok(Tables::from_memory(index, built))
}

/// Visits the bytes of a solved layer, pattern by pattern; returns its statistics.
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
