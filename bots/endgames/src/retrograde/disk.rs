//! Building tables into files, several layers and threads at once.

use std::fs;
use std::path::PathBuf;

use fanorona_protocol::rules::{BoardSize, Ruleset};

use super::super::error::FileError;
use super::super::file::{self, Content, Header, Storage};
use super::super::index::Index;
use super::super::layer::{ColourSplits, Layer, MAX_STONES};
use super::super::threads;
use super::lower::Lower;
use super::solve::Solver;
use super::{BuildError, BuildObserver, TooLong, visit_layer};

/// What to build, and with what.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The board.
    pub board: BoardSize,
    /// The most stones of both sides, 2 to [`MAX_STONES`].
    pub stones: usize,
    /// Of the layers with the most stones those to build; all of them, if none is named.
    pub only: Vec<Layer>,
    /// Where the files go, and where finished ones are found.
    pub dir: PathBuf,
    /// Threads that share the work, at least one.
    pub threads: usize,
    /// Bytes of memory that may be used.
    pub memory: u64,
}

/// Builds every layer of a plan that is not in its directory yet, by the rules of riatra without
/// switches.
pub fn build(plan: &Plan, watch: &dyn BuildObserver) -> Result<(), BuildError> {
    build_by(plan, &Ruleset::default(), watch)
}

/// Builds every layer of a plan that is not in its directory yet, by some rules: of riatra, whose
/// switches `forced_continuation` and `blocked_is_draw` may be on and no others.
pub fn build_by(plan: &Plan, rules: &Ruleset, watch: &dyn BuildObserver) -> Result<(), BuildError> {
    let known = file::rules(rules).parse::<Ruleset>().expect("rules are read as they are written");
    if *rules != known {
        return Err(BuildError::Rules(*rules));
    }
    let Plan { board, stones, .. } = *plan;
    if !(2..=MAX_STONES).contains(&stones) || stones >= board.points() {
        return Err(BuildError::Stones { stones, points: board.points() });
    }
    if let Some(&layer) = plan.only.iter().find(|layer| layer.stones() != stones) {
        return Err(BuildError::Only { layer, stones });
    }
    fs::create_dir_all(&plan.dir).map_err(|error| FileError::io(&plan.dir, error))?;
    let index = Index::new(board, stones);
    let mut lower = Lower::new(&index);
    for stones in 2..=stones {
        let mut missing = Vec::new();
        let all = stones < plan.stones || plan.only.is_empty();
        for layer in Layer::of_stones(stones).filter(|layer| all || plan.only.contains(layer)) {
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
            for layer in Layer::of_stones(stones) {
                let path = file::path(&plan.dir, board, layer, Content::Plies);
                lower.add(
                    layer,
                    Storage::open(&path, &index, layer, Content::Plies, Some(rules))?.bytes()?,
                );
            }
        }
    }
    Ok(())
}

/// Whether both files of a layer are there, of this version, complete and sound. One that is not
/// sound is worth a word, since nothing but an accident makes it so.
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
        Storage::open(&path, index, layer, content, Some(rules))?.check()?;
    }
    Ok(true)
}

/// How many of the layers can be solved together in the memory allowed; they are of equally many
/// stones.
fn fitting(
    plan: &Plan,
    index: &Index,
    lower: &Lower<'_>,
    layers: &[Layer],
) -> Result<usize, BuildError> {
    let needed = |count: usize| {
        let classes = u64::from(index.patterns(layers[0].stones()).classes());
        let width = ColourSplits::new(&layers[..count]).len() as u64;
        // A byte a position, a pattern of eight bytes a class, the layers below, and for every
        // thread what it has still to tell.
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
    lower: &Lower<'_>,
    list: &[u64],
    layers: &[Layer],
    watch: &dyn BuildObserver,
) -> Result<(), BuildError> {
    let positions: u64 = layers.iter().map(|&layer| index.len(layer)).sum();
    // Every position is seen going forward, and again when its end is known.
    watch.begin(layers, 2 * positions);
    let solver = Solver::solve(rules, index, lower, list, layers, plan.threads, watch)
        .map_err(|TooLong| BuildError::TooLong(layers[layers.len() - 1]))?;
    let mut workers: Vec<_> = (0..plan.threads).map(|_| Vec::new()).collect();
    let write = |written: &mut Vec<_>, item: usize| {
        written.push(write_layer(plan, rules, index, &solver, list, layers[item]));
    };
    threads::share(&mut workers, layers.len(), write, |_| {});
    workers.into_iter().flatten().collect::<Result<(), _>>()?;
    watch.end();
    Ok(())
}

/// Writes both files of one of the layers that have been solved.
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
        writers.push(file::Writer::create(path, content, index.len(layer))?);
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
