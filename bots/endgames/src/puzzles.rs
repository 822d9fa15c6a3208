//! Puzzles from the tables: the longest wins, and positions in which one move does it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use fanorona_protocol::messages::Value;
use fanorona_protocol::rules::{BoardSize, Move, Position, Ruleset};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::error::FileError;
use super::file::Cache;
use super::index::position;
use super::outcome::Outcome;
use super::tables::Tables;

/// The fewest moves to choose from in a puzzle in which one move does it.
pub const MIN_MOVES: usize = 4;

/// A position with all there is to know of it. White is to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// The position.
    pub position: Position,
    /// What it is worth to White.
    pub value: Value,
    /// Every move with its value, the best first.
    pub moves: Vec<(Move, Value)>,
    /// How a win goes on from the first move when both sides play as well as can be, for some plies.
    pub line: Vec<Move>,
}

/// Plies of a line.
const LINE: usize = 13;

impl Puzzle {
    fn of(tables: &Tables, position: &Position) -> Result<Puzzle, FileError> {
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

    /// The moves that do not give away what the position is worth, the best first.
    pub fn solutions(&self) -> impl Iterator<Item = &(Move, Value)> {
        let outcome = Outcome::of_value(self.value);
        self.moves.iter().filter(move |(_, value)| Outcome::of_value(*value) == outcome)
    }

    /// The plies after which the first of the wrong moves is lost, if they all are.
    pub fn refutation(&self) -> Option<u32> {
        let wrong = self
            .moves
            .iter()
            .filter(|(_, value)| Outcome::of_value(*value) != Outcome::of_value(self.value));
        let plies = |value| if let Value::Loss(plies) = value { Some(plies) } else { None };
        wrong.map(|(_, value)| plies(*value)).min().flatten()
    }
}

/// Every move of a position with its value, the best first.
fn sorted(tables: &Tables, position: &Position) -> Result<Vec<(Move, Value)>, FileError> {
    let mut moves = tables.moves(position, tables.rules())?;
    moves.sort_by_key(|(_, value)| Reverse(rank(*value)));
    Ok(moves)
}

/// Larger for better values: short wins, long losses.
pub fn rank(value: Value) -> i64 {
    match value {
        Value::Win(plies) => i64::from(u32::MAX) - i64::from(plies),
        Value::Loss(plies) => i64::from(plies) - i64::from(u32::MAX),
        Value::Draw | Value::Unknown => 0,
    }
}

/// The longest wins of a side with `own` stones against `enemy`, longest first, one of those that
/// are images of each other; of equally long ones those with the fewest winning moves come first.
/// None, when the tables do not know that layer.
///
/// # Errors
/// When a table is damaged.
pub fn longest_wins(
    tables: &Tables,
    own: u32,
    enemy: u32,
    count: usize,
) -> Result<Vec<Puzzle>, FileError> {
    let Some(layer) = tables.layer_of(own, enemy) else { return Ok(Vec::new()) };
    let mut cache = Cache::new();
    // By their plies, as many as are needed of the longest and of all that are equally long.
    let mut longest: BTreeMap<u32, Vec<Position>> = BTreeMap::new();
    let mut held = 0;
    for number in tables.numbers(layer, own) {
        let (Value::Win(plies), _) = tables.stored(layer, number, &mut cache)? else { continue };
        if held >= count && longest.first_key_value().is_some_and(|(&least, _)| plies < least) {
            continue;
        }
        let position = tables.position(layer, number);
        if tables.number(&position) == Some((layer, number)) {
            longest.entry(plies).or_default().push(position);
            held += 1;
        }
        while let Some(least) = longest.first_entry().filter(|e| held - e.get().len() >= count) {
            held -= least.remove().len();
        }
    }
    let mut puzzles = Vec::new();
    for (_, positions) in longest.iter().rev() {
        let mut equal = Vec::new();
        for position in positions {
            equal.push(Puzzle::of(tables, position)?);
        }
        equal.sort_by_key(|puzzle| puzzle.solutions().count());
        puzzles.extend(equal);
    }
    puzzles.truncate(count);
    Ok(puzzles)
}

/// Positions of a side with `own` stones against `enemy` in which a single move wins, or draws, and
/// all others, three or more, lose; those in which all of these take the longest to lose come first,
/// then those with the most moves. None, when the tables do not know that layer, or when one move is
/// to lose.
///
/// # Errors
/// When a table is damaged.
pub fn single_moves(
    tables: &Tables,
    own: u32,
    enemy: u32,
    outcome: Outcome,
    count: usize,
) -> Result<Vec<Puzzle>, FileError> {
    let mut best = Best::new(count);
    let Some(layer) = tables.layer_of(own, enemy) else { return Ok(Vec::new()) };
    let mut cache = Cache::new();
    for number in tables.numbers(layer, own) {
        if tables.stored_outcome(layer, number) == outcome {
            let position = tables.position(layer, number);
            let hardness = single(tables, &position, outcome, &mut cache)?;
            let canonical = || tables.number(&position) == Some((layer, number));
            if let Some(hardness) = hardness.filter(|_| canonical()) {
                best.add(hardness, number, position);
            }
        }
    }
    best.puzzles(tables)
}

/// How hard a puzzle is in which one move does it: the plies after which the first of the others is
/// lost, and how many moves there are.
type Hardness = (u32, usize);

/// The hardest of some puzzles in which one move does it; of equals those with the least numbers.
struct Best {
    count: usize,
    hardest: BTreeSet<(Reverse<Hardness>, u64)>,
    positions: BTreeMap<u64, Position>,
}

impl Best {
    fn new(count: usize) -> Best {
        Best { count, hardest: BTreeSet::new(), positions: BTreeMap::new() }
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

    fn puzzles(self, tables: &Tables) -> Result<Vec<Puzzle>, FileError> {
        let positions = self.hardest.iter().map(|(_, number)| &self.positions[number]);
        positions.map(|position| Puzzle::of(tables, position)).collect()
    }
}

/// How hard a position is, if one move alone is worth that much and all others, of enough, lose.
fn single(
    tables: &Tables,
    position: &Position,
    outcome: Outcome,
    cache: &mut Cache,
) -> Result<Option<Hardness>, FileError> {
    let (rules, mut moves, mut found) = (tables.rules(), 0, false);
    let (mut refutation, mut failed) = (u32::MAX, None);
    let looked = position.visit_moves(rules, |_, effect| {
        moves += 1;
        match tables.value_with(&position.play_unchecked(effect), rules, cache) {
            Ok(Value::Win(plies)) => {
                refutation = refutation.min(plies + 1);
                return ControlFlow::Continue(());
            }
            Ok(Value::Draw) if outcome == Outcome::Draw && !found => found = true,
            Ok(Value::Loss(_)) if outcome == Outcome::Win && !found => found = true,
            Ok(_) => return ControlFlow::Break(()),
            Err(error) => {
                failed = Some(error);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    });
    match failed {
        Some(error) => Err(error),
        None if looked.is_break() || !found || moves < MIN_MOVES => Ok(None),
        None => Ok(Some((refutation, moves))),
    }
}

/// How many positions are won, drawn, lost, or not decided as far as has been looked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[expect(missing_docs, reason = "the names say it all")]
pub struct Count {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub open: u64,
}

impl Count {
    fn add(&mut self, outcome: Option<Outcome>) {
        *match outcome {
            Some(Outcome::Win) => &mut self.wins,
            Some(Outcome::Draw) => &mut self.draws,
            Some(Outcome::Loss) => &mut self.losses,
            None => &mut self.open,
        } += 1;
    }

    /// These and others.
    pub fn with(&self, other: &Count) -> Count {
        Count {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            open: self.open + other.open,
        }
    }

    /// All of them.
    pub fn positions(&self) -> u64 {
        self.wins + self.draws + self.losses + self.open
    }
}

/// Positions with one stone more than the tables have, or more, drawn at random.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Those in which the side to move has to capture: the tables know what comes after.
    pub captures: Count,
    /// Those in which it has not.
    pub quiet: Count,
    /// Positions in which it has to capture and one move alone wins, while all others lose; the
    /// hardest first.
    pub single_wins: Vec<Puzzle>,
}

/// Draws positions of a side with `own` stones against `enemy`, every one as likely, and decides
/// them by tables of fewer stones as far as that is possible in a few plies: all in which the side
/// to move has to capture.
///
/// # Errors
/// When a table is damaged.
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
    let (mut best, mut cache) = (Best::new(puzzles), Cache::new());
    for number in 0..sample {
        let position = any(size, own, enemy, &mut random);
        if position.has_capture() {
            let outcome = proven(tables, &position, rules, 1);
            captures.add(outcome);
            if outcome == Some(Outcome::Win)
                && let Some(hardness) = single(tables, &position, Outcome::Win, &mut cache)?
            {
                best.add(hardness, number, position);
            }
        } else {
            quiet.add(proven(tables, &position, rules, plies));
        }
    }
    Ok(Survey { captures, quiet, single_wins: best.puzzles(tables)? })
}

/// A position with so many stones of White, who is to move, and of Black.
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

/// What a position is worth to the side to move, if that can be found within so many plies.
fn proven(tables: &Tables, position: &Position, rules: &Ruleset, plies: u32) -> Option<Outcome> {
    if let Some(outcome) = tables.outcome(position, rules) {
        return Some(outcome);
    }
    if plies == 0 {
        return None;
    }
    let (mut best, mut open) = (Outcome::Loss, false);
    let searched = position.visit_moves(rules, |_, effect| {
        match proven(tables, &position.play_unchecked(effect), rules, plies - 1) {
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
