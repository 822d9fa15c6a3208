//! Building tables into files, several layers and threads at once.

use std::fs;
use std::path::PathBuf;

use fanorona_protocol::rules::{BoardSize, Ruleset};

use super::super::error::FileError;
use super::super::file::{self, Content, Header, TableFile};
use super::super::file_writer::TableWriter;
use super::super::index::Index;
use super::super::layer::{ColourSplits, Layer, MAX_STONES};
use super::super::tables::Tables;
use super::super::threads;
use super::lower::LowerLayers;
use super::solve::Solver;
use super::{BuildError, BuildObserver, TooLong, visit_layer};

/// A plan for a build.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The board.
    pub board: BoardSize,
    /// The maximum number of stones of both sides, 2 to [`MAX_STONES`].
    pub stones: usize,
    /// Build only these of the layers with the maximum number of stones; all of them if empty.
    pub only: Vec<Layer>,
    /// The directory of the files, including finished ones.
    pub dir: PathBuf,
    /// The number of threads, at least one.
    pub threads: usize,
    /// The memory limit in bytes.
    pub memory: u64,
}

/// Builds every layer of a plan that is not in its directory yet, for the default rules of riatra.
pub fn build(plan: &Plan, watch: &dyn BuildObserver) -> Result<(), BuildError> {
    build_by(plan, &Ruleset::default(), watch)
}

/// Builds every layer of a plan that is not in its directory yet, for the rules of riatra. Of the
/// switches, only `forced_continuation` and `blocked_is_draw` may be on.
pub fn build_by(plan: &Plan, rules: &Ruleset, watch: &dyn BuildObserver) -> Result<(), BuildError> {
    if *rules != Tables::rules_for(rules) {
        return Err(BuildError::Rules(*rules));
    }
    let Plan { board, stones, .. } = *plan;
    if !(2..=MAX_STONES).contains(&stones) || stones >= board.points() {
        return Err(BuildError::Stones { stones, points: board.points() });
    }
    if let Some(&layer) = plan.only.iter().find(|layer| layer.stones() != stones) {
        return Err(BuildError::Only { layer, stones });
    }
    fs::create_dir_all(&plan.dir).map_err(|error| FileError::new(&plan.dir, error))?;
    let index = Index::new(board, stones);
    let mut lower = LowerLayers::new(&index);
    for stones in 2..=stones {
        let mut missing = Vec::new();
        let all = stones < plan.stones || plan.only.is_empty();
        for layer in Layer::with_stones(stones).filter(|layer| all || plan.only.contains(layer)) {
            if is_finished(plan, rules, &index, layer)? {
                watch.found(layer);
            } else {
                missing.push(layer);
            }
        }
        if !missing.is_empty() {
            let list = index.patterns(stones).list();
            let mut rest = &missing[..];
            while !rest.is_empty() {
                let (now, later) = rest.split_at(fitting(plan, &index, &lower, rest)?);
                build_layers(plan, rules, &index, &lower, &list, now, watch)?;
                rest = later;
            }
        }
        if stones < plan.stones {
            for layer in Layer::with_stones(stones) {
                let path = file::path(&plan.dir, board, layer, Content::Plies);
                lower.add(
                    layer,
                    TableFile::open(&path, &index, layer, Content::Plies, Some(rules))?.bytes()?,
                );
            }
        }
    }
    Ok(())
}

/// Whether both files of a layer are present, complete and intact. A damaged file is an error,
/// because only an accident damages it.
fn is_finished(
    plan: &Plan,
    rules: &Ruleset,
    index: &Index,
    layer: Layer,
) -> Result<bool, FileError> {
    for content in Content::ALL {
        let path = file::path(&plan.dir, plan.board, layer, content);
        if !path.exists() {
            return Ok(false);
        }
        TableFile::open(&path, index, layer, content, Some(rules))?.check()?;
    }
    Ok(true)
}

/// The number of layers, all with equally many stones, that fit the memory limit together.
fn fitting(
    plan: &Plan,
    index: &Index,
    lower: &LowerLayers<'_>,
    layers: &[Layer],
) -> Result<usize, BuildError> {
    let needed = |count: usize| {
        let classes = u64::from(index.patterns(layers[0].stones()).classes());
        let width = ColourSplits::new(&layers[..count]).len() as u64;
        // One byte per position, eight bytes per class, the layers below, and the message buffer of
        // every thread.
        classes * (width + 8) + lower.bytes() + index.bytes() + plan.threads as u64 * (32 << 20)
    };
    match (1..=layers.len()).rev().find(|&count| needed(count) <= plan.memory) {
        Some(count) => Ok(count),
        None => {
            let (layer, needed) = (layers[0], needed(1));
            Err(BuildError::Memory { layer, needed, allowed: plan.memory })
        }
    }
}

/// Solves layers of equally many stones together and writes their files.
fn build_layers(
    plan: &Plan,
    rules: &Ruleset,
    index: &Index,
    lower: &LowerLayers<'_>,
    list: &[u64],
    layers: &[Layer],
    watch: &dyn BuildObserver,
) -> Result<(), BuildError> {
    let positions: u64 = layers.iter().map(|&layer| index.len(layer)).sum();
    // Every position is visited going forward, and again when its value is known.
    watch.begin(layers, 2 * positions);
    let solver = Solver::solve(rules, index, lower, list, layers, plan.threads, watch)
        .map_err(|TooLong| BuildError::TooLong(layers[layers.len() - 1]))?;
    let mut workers: Vec<_> = (0..plan.threads).map(|_| Vec::new()).collect();
    let write = |written: &mut Vec<_>, item: usize| {
        written.push(write_layer(plan, rules, index, &solver, list, layers[item]));
    };
    threads::distribute(&mut workers, layers.len(), write, |_| {});
    workers.into_iter().flatten().collect::<Result<(), _>>()?;
    watch.end();
    Ok(())
}

/// Writes both files of a solved layer.
fn write_layer(
    plan: &Plan,
    rules: &Ruleset,
    index: &Index,
    solver: &Solver<'_>,
    list: &[u64],
    layer: Layer,
) -> Result<(), FileError> {
    let mut writers = Vec::new();
    for content in Content::ALL {
        let path = file::path(&plan.dir, plan.board, layer, content);
        writers.push(TableWriter::create(path, content, index.len(layer))?);
    }
    let mut failed = Ok(());
    let sides = visit_layer(index, solver, list, layer, |bytes| {
        for writer in &mut writers {
            if failed.is_ok() {
                failed = writer.add(bytes);
            }
        }
    });
    failed?;
    for writer in writers {
        writer.finish(|content, payload, checksum| Header {
            content,
            board: plan.board.to_string(),
            layer: layer.to_string(),
            rules: file::rules(rules),
            numbers: index.len(layer),
            payload,
            checksum,
            sides: sides.clone(),
        })?;
    }
    Ok(())
}
