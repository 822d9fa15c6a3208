//! Tables that have been built, ready to be asked.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use fanorona_protocol::messages::Value;
use fanorona_protocol::rules::{BoardSize, Move, Position, Ruleset, Side};

use super::error::FileError;
use super::file::{Cache, Storage};
use super::index::Index;
use super::layer::{Layer, MAX_STONES};
use super::outcome::{Outcome, before_move};
use super::packing;
use super::side_stats::SideStats;

/// The tables of one board.
pub struct Tables {
    pub(super) index: Index,
    /// What they were built by.
    rules: Ruleset,
    /// The most stones of which every layer is there.
    stones: usize,
    /// By the stones in all and those of the side with fewer.
    pub(super) layers: [[Option<LayerData>; MAX_STONES / 2 + 1]; MAX_STONES + 1],
    /// The plies of the longest win.
    longest: u32,
    cache: Mutex<Cache>,
}

/// A layer: where its values are.
pub(super) enum LayerData {
    /// In files.
    Files(Box<Files>),
    /// In memory, as the bytes of their plies.
    Memory { bytes: Vec<u8>, sides: Vec<SideStats> },
}

/// The two files of a layer.
pub(super) struct Files {
    pub(super) outcomes: Storage,
    pub(super) plies: Storage,
    /// The bytes of all plies, if they are unpacked.
    pub(super) unpacked: Option<Vec<u8>>,
}

impl LayerData {
    #[inline]
    fn outcome(&self, number: u64) -> Outcome {
        match self {
            LayerData::Files(files) => files.outcomes.outcome(number),
            LayerData::Memory { bytes, .. } => packing::outcome(bytes[number as usize]),
        }
    }

    /// The value of a number; `packed` finds its byte in a file of plies, where they are not in
    /// memory.
    #[inline]
    fn value(
        &self,
        number: u64,
        packed: impl FnOnce(&Storage) -> Result<u8, FileError>,
    ) -> Result<Value, FileError> {
        Ok(packing::value(match self {
            LayerData::Files(files) => match &files.unpacked {
                Some(bytes) => bytes[number as usize],
                None => packed(&files.plies)?,
            },
            LayerData::Memory { bytes, .. } => bytes[number as usize],
        }))
    }

    fn sides(&self) -> &[SideStats] {
        match self {
            LayerData::Files(files) => files.plies.sides(),
            LayerData::Memory { sides, .. } => sides,
        }
    }
}

/// Where a position is.
enum Lookup {
    /// In no layer, since a side has no stones left.
    Over(Value),
    Number(Layer, u64),
}

impl Tables {
    /// Tables in memory, by no switch: for every layer of the index the bytes of its numbers, and
    /// what they are worth.
    pub(super) fn of_memory(
        index: Index,
        memory: impl IntoIterator<Item = (Layer, Vec<u8>, Vec<SideStats>)>,
    ) -> Tables {
        let mut layers = [const { [const { None }; MAX_STONES / 2 + 1] }; MAX_STONES + 1];
        for (layer, bytes, sides) in memory {
            layers[layer.stones()][layer.fewer()] = Some(LayerData::Memory { bytes, sides });
        }
        let stones = index.stones();
        Tables::of_layers(index, Ruleset::default(), stones, layers)
    }

    pub(super) fn of_layers(
        index: Index,
        rules: Ruleset,
        stones: usize,
        layers: [[Option<LayerData>; MAX_STONES / 2 + 1]; MAX_STONES + 1],
    ) -> Tables {
        let sides = layers.iter().flatten().flatten().flat_map(LayerData::sides);
        let longest = sides.filter_map(|side| side.longest).map(|longest| longest.plies).max();
        Tables {
            index,
            rules,
            stones,
            longest: longest.unwrap_or(0).into(),
            layers,
            cache: Mutex::new(Cache::new()),
        }
    }

    /// The board they are of.
    pub fn board(&self) -> BoardSize {
        self.index.size()
    }

    /// What they were built by: the rules of riatra, with whichever of `forced_continuation` and
    /// `blocked_is_draw` they were told.
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }

    /// The most stones of which they know every position. They may know some layers with one stone
    /// more.
    pub fn stones(&self) -> usize {
        self.stones
    }

    /// The plies of the longest win they know; no loss takes longer than one ply more.
    #[inline]
    pub fn longest(&self) -> u32 {
        self.longest
    }

    /// The layers they know, from few stones to many.
    pub fn layers(&self) -> impl Iterator<Item = Layer> {
        (2..=self.index.stones()).flat_map(Layer::of_stones).filter(|&layer| self.has(layer))
    }

    /// The layer of so many stones of one side and of the other, if they know it.
    pub fn layer_of(&self, one: u32, other: u32) -> Option<Layer> {
        Layer::new(one, other).filter(|&layer| self.has(layer))
    }

    /// Whether they know a layer.
    #[inline]
    fn has(&self, layer: Layer) -> bool {
        self.layers[layer.stones()][layer.fewer()].is_some()
    }

    /// How many positions there are in a layer that they know, and what these are worth.
    pub fn sides(&self, layer: Layer) -> &[SideStats] {
        self.layer(layer).sides()
    }

    /// The position with a number below [`Tables::len`] in a layer that they know, White to move.
    pub fn position(&self, layer: Layer, number: u64) -> Position {
        self.index.position(layer, number)
    }

    /// The numbers of a layer that they know at which the side to move has so many stones.
    pub(super) fn numbers(&self, layer: Layer, own: u32) -> impl Iterator<Item = u64> {
        let masks = self.index.splits(layer).masks();
        let mine =
            move |number: &u64| masks[(number % masks.len() as u64) as usize].count_ones() == own;
        (0..self.len(layer)).filter(mine)
    }

    /// The layer and number of a position; `None` when no layer they know has it.
    pub(super) fn number(&self, position: &Position) -> Option<(Layer, u64)> {
        let board = position.board();
        let own = board.bits(position.side_to_move());
        self.index
            .number(own, board.bits(!position.side_to_move()))
            .filter(|&(layer, _)| self.has(layer))
    }

    /// The outcome of a number of a layer that they know.
    #[inline]
    pub(super) fn stored_outcome(&self, layer: Layer, number: u64) -> Outcome {
        self.layer(layer).outcome(number)
    }

    /// The positions of a layer that they know with some of its numbers, and these.
    pub(super) fn positions(
        &self,
        layer: Layer,
        numbers: Range<u64>,
    ) -> impl Iterator<Item = (u64, Position)> {
        self.index.positions(layer, numbers)
    }

    /// How many numbers a layer has: the positions that no symmetry makes equal, and a few more.
    pub fn len(&self, layer: Layer) -> u64 {
        self.index.len(layer)
    }

    /// Whether the rules of usual tables, by no switch, are those a position is played by: those of
    /// riatra and of the second phase of vela, with `forced-continuation` and `blocked-is-draw` off,
    /// and `single-first-capture` off or without effect, since both sides have lost stones.
    pub fn apply(position: &Position, rules: &Ruleset) -> bool {
        Tables::by(&Ruleset::default(), position, rules)
    }

    /// The same of tables by some rules: the two switches as these have them.
    #[inline]
    fn by(tables: &Ruleset, position: &Position, rules: &Ruleset) -> bool {
        let board = position.board();
        let most = board.count(Side::White).max(board.count(Side::Black));
        let first_capture = rules.single_first_capture && most >= board.size().stones_per_side();
        let same = (rules.forced_continuation, rules.blocked_is_draw)
            == (tables.forced_continuation, tables.blocked_is_draw);
        same && !first_capture && !position.is_vela_phase_one()
    }

    /// What a position is worth to the side to move; `None` when the tables do not know.
    #[inline]
    pub fn outcome(&self, position: &Position, rules: &Ruleset) -> Option<Outcome> {
        Some(match self.find(position, rules)? {
            Lookup::Over(Value::Loss(_)) => Outcome::Loss,
            Lookup::Over(_) => Outcome::Win,
            Lookup::Number(layer, number) => self.layer(layer).outcome(number),
        })
    }

    /// The same with the plies to the end; [`Value::Unknown`] when the tables do not know. Threads
    /// wait for each other only where plies are unpacked from a file.
    #[inline]
    pub fn value(&self, position: &Position, rules: &Ruleset) -> Result<Value, FileError> {
        match self.find(position, rules) {
            None => Ok(Value::Unknown),
            Some(Lookup::Over(value)) => Ok(value),
            Some(Lookup::Number(layer, number)) => self.layer(layer).value(number, |plies| {
                let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
                plies.byte(number, &mut cache)
            }),
        }
    }

    /// Every legal move of a position with its value for the side that plays it.
    pub fn moves(
        &self,
        position: &Position,
        rules: &Ruleset,
    ) -> Result<Vec<(Move, Value)>, FileError> {
        let mut moves = Vec::new();
        for mv in position.legal_moves(rules) {
            let after = position.play(rules, &mv).expect("the move is legal");
            moves.push((mv, before_move(self.value(&after, rules)?)));
        }
        Ok(moves)
    }

    /// The value of a position, with a cache of the caller's own.
    pub(super) fn value_with(
        &self,
        position: &Position,
        rules: &Ruleset,
        cache: &mut Cache,
    ) -> Result<Value, FileError> {
        match self.find(position, rules) {
            None => Ok(Value::Unknown),
            Some(Lookup::Over(value)) => Ok(value),
            Some(Lookup::Number(layer, number)) => {
                self.layer(layer).value(number, |plies| plies.byte(number, cache))
            }
        }
    }

    /// Where a position is; `None` when the tables do not know it.
    #[inline]
    fn find(&self, position: &Position, rules: &Ruleset) -> Option<Lookup> {
        if position.board().size() != self.board() || !Tables::by(&self.rules, position, rules) {
            return None;
        }
        let own = position.board().bits(position.side_to_move());
        let enemy = position.board().bits(!position.side_to_move());
        match (own, enemy) {
            (0, _) => Some(Lookup::Over(Value::Loss(0))),
            (_, 0) => Some(Lookup::Over(Value::Win(0))),
            _ => {
                let (layer, number) = self.index.number(own, enemy)?;
                self.has(layer).then_some(Lookup::Number(layer, number))
            }
        }
    }

    /// The value a layer keeps for one of its numbers, and the outcome it keeps beside.
    pub(super) fn stored(
        &self,
        layer: Layer,
        number: u64,
        cache: &mut Cache,
    ) -> Result<(Value, Outcome), FileError> {
        let kept = self.layer(layer);
        Ok((kept.value(number, |plies| plies.byte(number, cache))?, kept.outcome(number)))
    }

    /// Compares a layer's files with their checksums.
    pub(super) fn check(&self, layer: Layer) -> Result<(), FileError> {
        match self.layer(layer) {
            LayerData::Files(files) => files.outcomes.check().and_then(|()| files.plies.check()),
            LayerData::Memory { .. } => Ok(()),
        }
    }

    #[inline]
    fn layer(&self, layer: Layer) -> &LayerData {
        let kept = self.layers[layer.stones()][layer.fewer()].as_ref();
        kept.expect("the layer is one they know")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build_in_memory;

    /// Somebody holds the lock on the cache for ever: who asks for what is in memory does not see it.
    #[test]
    fn what_is_in_memory_is_found_without_a_lock() {
        let tables = build_in_memory(BoardSize::new(3, 3).unwrap(), 3).unwrap();
        let rules = Ruleset::default();
        let _held = tables.cache.lock().unwrap();
        std::thread::scope(|scope| {
            let (tables, rules) = (&tables, &rules);
            let (done, asked) = std::sync::mpsc::channel();
            scope.spawn(move || {
                let layer = tables.layers().last().unwrap();
                let position = tables.position(layer, 0);
                done.send(tables.value(&position, rules)).unwrap();
            });
            let value = asked.recv_timeout(std::time::Duration::from_secs(60));
            assert_ne!(value.expect("nobody waits").unwrap(), Value::Unknown);
        });
    }
}
