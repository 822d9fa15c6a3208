//! Puzzles from the tables: the longest wins, and positions with a single right move.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use fanorona_protocol::messages::Value;
use fanorona_protocol::rules::{BoardSize, Move, Position, Ruleset, Side, raw};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::error::FileError;
use super::file::Cache;
use super::index::position;
use super::layer::Layer;
use super::outcome::Outcome;
use super::packing::{BLOCK, outcome};
use super::tables::Tables;
use super::threads;

/// The minimum number of moves in a puzzle with a single right move.
pub const MIN_MOVES: usize = 4;

/// A puzzle and its solution. White is to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// The position.
    pub position: Position,
    /// The value for White.
    pub value: Value,
    /// Every move with its value, the best first.
    pub moves: Vec<(Move, Value)>,
    /// The continuation of a win from the first move under perfect play, for some plies.
    pub line: Vec<Move>,
}

/// The length of a line in plies.
const LINE: usize = 13;

impl Puzzle {
    fn new(tables: &Tables, position: &Position) -> Result<Puzzle, FileError> {
        let moves = sorted(tables, position)?;
        let value = moves.first().map_or(Value::Loss(0), |(_, value)| *value);
        let (mut here, mut line) = (*position, Vec::new());
        while line.len() < LINE && matches!(value, Value::Win(_)) {
            let Some(&(mv, _)) = sorted(tables, &here)?.first() else { break };
            line.push(mv);
            here = here.play(tables.rules(), &mv).expect("the move is legal");
        }
        Ok(Puzzle { position: *position, value, moves, line })
    }

    /// The moves that keep the outcome, the best first.
    pub fn solutions(&self) -> impl Iterator<Item = &(Move, Value)> {
        let outcome = Outcome::from_value(self.value);
        self.moves.iter().filter(move |(_, value)| Outcome::from_value(*value) == outcome)
    }

    /// The plies of the quickest loss among the wrong moves, if all of them lose.
    pub fn refutation(&self) -> Option<u32> {
        let wrong = self
            .moves
            .iter()
            .filter(|(_, value)| Outcome::from_value(*value) != Outcome::from_value(self.value));
        let plies = |value| if let Value::Loss(plies) = value { Some(plies) } else { None };
        wrong.map(|(_, value)| plies(*value)).min().flatten()
    }
}

/// Every move of a position with its value, the best first.
fn sorted(tables: &Tables, position: &Position) -> Result<Vec<(Move, Value)>, FileError> {
    let moves = tables.moves(position, tables.rules())?;
    let mut moves = moves.expect("every move of a puzzle leads into the tables");
    moves.sort_by_key(|(_, value)| Reverse(rank(*value)));
    Ok(moves)
}

/// A number that is larger for better values: short wins, long losses.
pub fn rank(value: Value) -> i64 {
    match value {
        Value::Win(plies) => i64::from(u32::MAX) - i64::from(plies),
        Value::Loss(plies) => i64::from(plies) - i64::from(u32::MAX),
        Value::Draw => 0,
    }
}

/// The longest wins of a side with `own` stones against `enemy`, longest first, without images of
/// each other. Of equally long wins, those with the fewest winning moves come first. Empty if the
/// layer is not in the tables. The number of threads changes nothing but the time.
///
/// # Errors
/// Fails when a table is damaged.
pub fn longest_wins(
    tables: &Tables,
    (own, enemy): (u32, u32),
    count: usize,
    threads: usize,
) -> Result<Vec<Puzzle>, FileError> {
    let Some(layer) = tables.layer_of(own, enemy) else { return Ok(Vec::new()) };
    let blocks = tables.len(layer).div_ceil(BLOCK as u64) as usize;
    let worker = || Longest { count, ..Longest::default() };
    let found = share(threads, blocks, worker, |longest, block| {
        for (within, &byte) in tables.packed(layer, block)?.iter().enumerate() {
            let number = (block * BLOCK + within) as u64;
            if longest.would_keep(byte) && tables.own_stones(layer, number) == own {
                let position = tables.position(layer, number);
                // A position that is its own image may have several numbers.
                if tables.number(&position) == Some((layer, number)) {
                    longest.add(byte, number);
                }
            }
        }
        Ok(())
    })?;
    let mut longest = worker();
    for (plies, numbers) in found.into_iter().flat_map(|found| found.by_plies) {
        numbers.into_iter().for_each(|number| longest.add(plies, number));
    }
    let mut puzzles = Vec::new();
    for (_, numbers) in longest.by_plies.into_iter().rev() {
        let puzzle = |number| Puzzle::new(tables, &tables.position(layer, number));
        let mut equal = numbers.into_iter().map(puzzle).collect::<Result<Vec<_>, _>>()?;
        equal.sort_by_key(|puzzle| puzzle.solutions().count());
        puzzles.extend(equal);
    }
    puzzles.truncate(count);
    Ok(puzzles)
}

/// The numbers of the longest wins, by plies: as many as are wanted, and all that are as long as the
/// last of them.
#[derive(Default)]
struct Longest {
    count: usize,
    by_plies: BTreeMap<u8, BTreeSet<u64>>,
    held: usize,
    /// The plies of the shortest win held, once there are enough.
    least: u8,
}

impl Longest {
    /// Whether a packed value is a win that is long enough to be added.
    #[inline]
    fn would_keep(&self, byte: u8) -> bool {
        byte >= self.least && outcome(byte) == Outcome::Win
    }

    fn add(&mut self, byte: u8, number: u64) {
        if !self.would_keep(byte) {
            return;
        }
        self.by_plies.entry(byte).or_default().insert(number);
        self.held += 1;
        while let Some(least) = self.by_plies.first_entry()
            && self.held - least.get().len() >= self.count
        {
            self.held -= least.remove().len();
        }
        if self.held >= self.count {
            self.least = self.by_plies.first_key_value().map_or(0, |(&plies, _)| plies);
        }
    }
}

/// Positions of a side with `own` stones against `enemy` in which a single move wins (or draws) and
/// all others, three or more, lose, for each of some outcomes. Positions in which the wrong moves
/// take longest to lose come first, then those with the most moves. Empty if the layer is not in the
/// tables, or if the outcome is a loss. Of the layer, `part` is looked at. The number of threads
/// changes nothing but the time.
///
/// # Errors
/// Fails when a table is damaged.
pub fn single_moves<const N: usize>(
    tables: &Tables,
    (own, enemy): (u32, u32),
    outcomes: [Outcome; N],
    count: usize,
    part: Part,
    threads: usize,
) -> Result<[Vec<Puzzle>; N], FileError> {
    let Some(layer) = tables.layer_of(own, enemy) else { return Ok([const { Vec::new() }; N]) };
    let bests = || -> [HardestPuzzles; N] { std::array::from_fn(|_| HardestPuzzles::new(count)) };
    let worker = || (bests(), Cache::new());
    let found = scan(tables, layer, part, threads, worker, |(bests, cache), number, position| {
        if position.board().count(Side::White) != own {
            return Ok(());
        }
        let outcome = tables.stored_outcome(layer, number);
        let Some(kind) = outcomes.iter().position(|&wanted| wanted == outcome) else {
            return Ok(());
        };
        let hardness = single(tables, position, outcome, cache)?;
        let canonical = || tables.number(position) == Some((layer, number));
        if let Some(hardness) = hardness.filter(|_| canonical()) {
            bests[kind].add(hardness, number, *position);
        }
        Ok(())
    })?;
    let mut hardest = bests();
    for (bests, _) in found {
        hardest.iter_mut().zip(bests).for_each(|(hardest, best)| hardest.merge(best));
    }
    let mut puzzles = [const { Vec::new() }; N];
    for (puzzles, hardest) in puzzles.iter_mut().zip(hardest) {
        *puzzles = hardest.puzzles(tables)?;
    }
    Ok(puzzles)
}

/// The part of a layer to look at: one position in so many, in pieces that are spread evenly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part(u64);

impl Part {
    /// Every position.
    pub const ALL: Part = Part(1);

    /// One position in `every`, which is at least 1.
    pub fn one_in(every: u64) -> Part {
        Part(every.max(1))
    }

    /// One position in how many.
    pub fn every(self) -> u64 {
        self.0
    }
}

/// The number of positions that a thread looks at at a time.
const CHUNK: u64 = 1 << 14;

/// Shows positions of a layer to workers in threads, and returns the workers.
fn scan<W: Send>(
    tables: &Tables,
    layer: Layer,
    part: Part,
    threads: usize,
    worker: impl Fn() -> W,
    look_at: impl Fn(&mut W, u64, &Position) -> Result<(), FileError> + Sync,
) -> Result<Vec<W>, FileError> {
    let len = tables.len(layer);
    let chunks = len.div_ceil(CHUNK * part.0) as usize;
    share(threads, chunks, worker, |worker, chunk| {
        let begin = chunk as u64 * CHUNK * part.0;
        let mut positions = tables.positions(layer, begin..(begin + CHUNK).min(len));
        positions.try_for_each(|(number, position)| look_at(worker, number, &position))
    })
}

/// Shares items among workers in threads, and returns the workers. One that fails stops.
fn share<W: Send>(
    threads: usize,
    items: usize,
    worker: impl Fn() -> W,
    look_at: impl Fn(&mut W, usize) -> Result<(), FileError> + Sync,
) -> Result<Vec<W>, FileError> {
    let mut workers: Vec<(W, Result<(), FileError>)> =
        (0..threads.max(1)).map(|_| (worker(), Ok(()))).collect();
    let work = |(worker, result): &mut (W, Result<(), FileError>), item: usize| {
        if result.is_ok() {
            *result = look_at(worker, item);
        }
    };
    threads::distribute(&mut workers, items, work, |_| {});
    workers.into_iter().map(|(worker, result)| result.map(|()| worker)).collect()
}

/// The difficulty of a puzzle with a single right move: the plies of the quickest loss among the
/// other moves, and the number of moves.
type Hardness = (u32, usize);

/// The hardest puzzles with a single right move; of equal ones those with the smallest numbers.
struct HardestPuzzles {
    count: usize,
    hardest: BTreeSet<(Reverse<Hardness>, u64)>,
    positions: BTreeMap<u64, Position>,
}

impl HardestPuzzles {
    fn new(count: usize) -> HardestPuzzles {
        HardestPuzzles { count, hardest: BTreeSet::new(), positions: BTreeMap::new() }
    }

    fn add(&mut self, hardness: Hardness, number: u64, position: Position) {
        self.hardest.insert((Reverse(hardness), number));
        self.positions.insert(number, position);
        if self.hardest.len() > self.count
            && let Some((_, number)) = self.hardest.pop_last()
        {
            self.positions.remove(&number);
        }
    }

    fn merge(&mut self, mut other: HardestPuzzles) {
        for (Reverse(hardness), number) in other.hardest {
            let position = other.positions.remove(&number).expect("each has its position");
            self.add(hardness, number, position);
        }
    }

    fn puzzles(self, tables: &Tables) -> Result<Vec<Puzzle>, FileError> {
        let positions = self.hardest.iter().map(|(_, number)| &self.positions[number]);
        positions.map(|position| Puzzle::new(tables, position)).collect()
    }
}

/// The difficulty of a position, if a single move has the outcome and all others, of enough, lose.
fn single(
    tables: &Tables,
    position: &Position,
    outcome: Outcome,
    cache: &mut Cache,
) -> Result<Option<Hardness>, FileError> {
    let rules = tables.rules();
    // Outcomes are quicker to find than plies, and most positions fail by them.
    let (mut moves, mut found) = (0, 0);
    let looked = position.visit_moves(rules, |_, effect| {
        moves += 1;
        match tables.outcome(&position.apply_unchecked(effect), rules) {
            Some(Outcome::Win) => return ControlFlow::Continue(()),
            Some(Outcome::Draw) if outcome == Outcome::Draw => found += 1,
            Some(Outcome::Loss) if outcome == Outcome::Win => found += 1,
            _ => return ControlFlow::Break(()),
        }
        if found == 1 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    if looked.is_break() || found == 0 || moves < MIN_MOVES {
        return Ok(None);
    }
    let (mut refutation, mut failed) = (u32::MAX, None);
    let _ = position.visit_moves(rules, |_, effect| {
        match tables.value_with(&position.apply_unchecked(effect), rules, cache) {
            Ok(Some(Value::Win(plies))) => refutation = refutation.min(plies + 1),
            Ok(_) => {}
            Err(error) => {
                failed = Some(error);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    });
    match failed {
        Some(error) => Err(error),
        None => Ok(Some((refutation, moves))),
    }
}

/// The numbers of positions that are won, drawn, lost, or undecided within the search depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[expect(missing_docs, reason = "the names say it all")]
pub struct Count {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub open: u64,
}

impl Count {
    fn add(&mut self, outcome: Option<Outcome>, positions: u64) {
        *match outcome {
            Some(Outcome::Win) => &mut self.wins,
            Some(Outcome::Draw) => &mut self.draws,
            Some(Outcome::Loss) => &mut self.losses,
            None => &mut self.open,
        } += positions;
    }

    /// The sum of two counts.
    pub fn with(&self, other: &Count) -> Count {
        Count {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            open: self.open + other.open,
        }
    }

    /// The total.
    pub fn positions(&self) -> u64 {
        self.wins + self.draws + self.losses + self.open
    }
}

/// The outcomes of all positions of a side with `own` stones against `enemy` in which it has a
/// capture, and of those in which it has none, every image counted; then the same of a side with
/// `enemy` stones against `own`. `None` if the layer is not in the tables.
///
/// # Errors
/// Fails when a table is damaged.
pub fn census(
    tables: &Tables,
    (own, enemy): (u32, u32),
    threads: usize,
) -> Result<Option<[Census; 2]>, FileError> {
    let Some(layer) = tables.layer_of(own, enemy) else { return Ok(None) };
    let worker = || ([Census::default(); 2], (0, 0));
    let counts =
        scan(tables, layer, Part::ALL, threads, worker, |(sides, last), number, position| {
            let board = position.board();
            let pattern = raw::stones(board, Side::White) | raw::stones(board, Side::Black);
            // Neighbouring numbers divide the same pattern.
            if last.0 != pattern {
                *last = (pattern, tables.images(pattern));
            }
            let side = &mut sides[usize::from(board.count(Side::White) != own)];
            let kind = if position.has_capture() { &mut side.captures } else { &mut side.quiet };
            kind.add(Some(tables.stored_outcome(layer, number)), last.1);
            Ok(())
        })?;
    let mut sum = [Census::default(); 2];
    for (sides, _) in counts {
        for (sum, side) in sum.iter_mut().zip(sides) {
            sum.captures = sum.captures.with(&side.captures);
            sum.quiet = sum.quiet.with(&side.quiet);
        }
    }
    if own == enemy {
        sum[1] = sum[0];
    }
    Ok(Some(sum))
}

/// The outcomes of all positions of one side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Census {
    /// The positions in which it has a capture.
    pub captures: Count,
    /// The positions in which it has none.
    pub quiet: Count,
}

/// Random positions with more stones than the tables have.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Positions in which the side to move must capture: the tables know the positions after it.
    pub captures: Count,
    /// Positions without a capture.
    pub quiet: Count,
    /// Positions with a capture in which a single move wins and all others lose; the hardest first.
    pub single_wins: Vec<Puzzle>,
}

/// Draws random positions of a side with `own` stones against `enemy`, all equally likely, and
/// decides them by tables of fewer stones where a few plies suffice. This decides all positions in
/// which the side to move must capture.
///
/// # Errors
/// Fails when a table is damaged.
pub fn survey(
    tables: &Tables,
    (own, enemy): (u32, u32),
    (sample, seed): (u64, u64),
    plies: u32,
    puzzles: usize,
) -> Result<Survey, FileError> {
    let (size, rules) = (tables.board(), tables.rules());
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut captures, mut quiet) = (Count::default(), Count::default());
    let (mut best, mut cache) = (HardestPuzzles::new(puzzles), Cache::new());
    for number in 0..sample {
        let position = any(size, own, enemy, &mut random);
        if position.has_capture() {
            let outcome = proven(tables, &position, rules, 1);
            captures.add(outcome, 1);
            if outcome == Some(Outcome::Win)
                && let Some(hardness) = single(tables, &position, Outcome::Win, &mut cache)?
            {
                best.add(hardness, number, position);
            }
        } else {
            quiet.add(proven(tables, &position, rules, plies), 1);
        }
    }
    Ok(Survey { captures, quiet, single_wins: best.puzzles(tables)? })
}

/// A random position with these numbers of stones of White, who is to move, and of Black.
fn any(size: BoardSize, own: u32, enemy: u32, random: &mut ChaCha8Rng) -> Position {
    let mut draw = |count: u32, taken: u64| {
        let mut set: u64 = 0;
        while set.count_ones() < count {
            set |= (1 << random.random_range(0..size.points())) & !taken;
        }
        set
    };
    let white = draw(own, 0);
    let black = draw(enemy, white);
    position(size, white, black)
}

/// The outcome of a position for the side to move, if a search of this many plies finds it.
fn proven(tables: &Tables, position: &Position, rules: &Ruleset, plies: u32) -> Option<Outcome> {
    if let Some(outcome) = tables.outcome(position, rules) {
        return Some(outcome);
    }
    if plies == 0 {
        return None;
    }
    let (mut best, mut open) = (Outcome::Loss, false);
    let searched = position.visit_moves(rules, |_, effect| {
        match proven(tables, &position.apply_unchecked(effect), rules, plies - 1) {
            Some(Outcome::Loss) => return ControlFlow::Break(()),
            Some(Outcome::Draw) => best = Outcome::Draw,
            Some(Outcome::Win) => {}
            None => open = true,
        }
        ControlFlow::Continue(())
    });
    match (searched, open) {
        (ControlFlow::Break(()), _) => Some(Outcome::Win),
        (_, true) => None,
        (_, false) => Some(best),
    }
}
