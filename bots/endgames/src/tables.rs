//! Built tables, ready for probing.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use fanorona_protocol::messages::Value;
use fanorona_protocol::rules::{BoardSize, Move, Position, Ruleset, Side, raw};

use super::error::FileError;
use super::file::{Cache, TableFile};
use super::index::Index;
use super::layer::{Layer, MAX_STONES};
use super::outcome::{Outcome, before_move};
use super::packing::{self, BLOCK};
use super::side_stats::SideStats;

/// The tables of one board.
pub struct Tables {
    pub(super) index: Index,
    /// The rules of the tables.
    rules: Ruleset,
    /// The largest number of stones with all layers present.
    stones: usize,
    /// By the total number of stones and that of the side with fewer.
    pub(super) layers: [[Option<LayerData>; MAX_STONES / 2 + 1]; MAX_STONES + 1],
    /// The length of the longest win in plies.
    longest: u32,
    cache: Mutex<Cache>,
}

/// The values of a layer.
pub(super) enum LayerData {
    /// In files.
    Files(Box<Files>),
    /// In memory, as bytes of plies.
    Memory { bytes: Vec<u8>, sides: Vec<SideStats> },
}

/// The two files of a layer.
pub(super) struct Files {
    pub(super) outcomes: TableFile,
    pub(super) plies: TableFile,
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

    /// The value of a number; `packed` reads its byte from a file of plies that is not unpacked.
    #[inline]
    fn value(
        &self,
        number: u64,
        packed: impl FnOnce(&TableFile) -> Result<u8, FileError>,
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

/// The place of a position in the tables.
enum Lookup {
    /// In no layer, because a side has no stones left.
    Over(Value),
    Number(Layer, u64),
}

impl Tables {
    /// Tables in memory for the default rules, with the bytes and statistics of every layer of the
    /// index.
    pub(super) fn from_memory(
        index: Index,
        memory: impl IntoIterator<Item = (Layer, Vec<u8>, Vec<SideStats>)>,
    ) -> Tables {
        let mut layers = [const { [const { None }; MAX_STONES / 2 + 1] }; MAX_STONES + 1];
        for (layer, bytes, sides) in memory {
            layers[layer.stones()][layer.fewer()] = Some(LayerData::Memory { bytes, sides });
        }
        let stones = index.stones();
        Tables::from_layers(index, Ruleset::default(), stones, layers)
    }

    pub(super) fn from_layers(
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

    /// The board of the tables.
    pub fn board(&self) -> BoardSize {
        self.index.size()
    }

    /// The rules of the tables: those of riatra, with `forced_continuation` and `blocked_is_draw`
    /// on or off.
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }

    /// The largest number of stones with every position in the tables. Some layers with one stone
    /// more may be present.
    pub fn stones(&self) -> usize {
        self.stones
    }

    /// The length of the longest win in plies; no loss takes longer than one ply more.
    #[inline]
    pub fn longest(&self) -> u32 {
        self.longest
    }

    /// The layers present, from few stones to many.
    pub fn layers(&self) -> impl Iterator<Item = Layer> {
        (2..=self.index.stones()).flat_map(Layer::with_stones).filter(|&layer| self.has(layer))
    }

    /// The layer of two numbers of stones, if it is present.
    pub fn layer_of(&self, one: u32, other: u32) -> Option<Layer> {
        Layer::new(one, other).filter(|&layer| self.has(layer))
    }

    /// Whether a layer is present.
    #[inline]
    fn has(&self, layer: Layer) -> bool {
        self.layers[layer.stones()][layer.fewer()].is_some()
    }

    /// The statistics of a layer that is present.
    pub fn sides(&self, layer: Layer) -> &[SideStats] {
        self.layer(layer).sides()
    }

    /// The position with a number below [`Tables::len`] in a layer that is present, with White to
    /// move.
    pub fn position(&self, layer: Layer, number: u64) -> Position {
        self.index.position(layer, number)
    }

    /// The stones of the side to move at a number of a layer.
    pub(super) fn own_stones(&self, layer: Layer, number: u64) -> u32 {
        let masks = self.index.splits(layer).masks();
        masks[(number % masks.len() as u64) as usize].count_ones()
    }

    /// The packed values of [`BLOCK`] numbers of a layer that is present, or of those that are left,
    /// from the number `block` × [`BLOCK`] on.
    pub(super) fn packed(&self, layer: Layer, block: usize) -> Result<Cow<'_, [u8]>, FileError> {
        let of = |bytes: &'_ [u8]| {
            let begin = block * BLOCK;
            begin..bytes.len().min(begin + BLOCK)
        };
        match self.layer(layer) {
            LayerData::Files(files) => match &files.unpacked {
                Some(bytes) => Ok(Cow::Borrowed(&bytes[of(bytes)])),
                None => files.plies.block(block).map(Cow::Owned),
            },
            LayerData::Memory { bytes, .. } => Ok(Cow::Borrowed(&bytes[of(bytes)])),
        }
    }

    /// The layer and number of a position; `None` if its layer is not present.
    pub(super) fn number(&self, position: &Position) -> Option<(Layer, u64)> {
        let board = position.board();
        let own = raw::stones(board, position.side_to_move());
        self.index
            .number(own, raw::stones(board, !position.side_to_move()))
            .filter(|&(layer, _)| self.has(layer))
    }

    /// The outcome of a number of a layer that is present.
    #[inline]
    pub(super) fn stored_outcome(&self, layer: Layer, number: u64) -> Outcome {
        self.layer(layer).outcome(number)
    }

    /// The positions of a layer with some of its numbers, and the numbers.
    pub(super) fn positions(
        &self,
        layer: Layer,
        numbers: Range<u64>,
    ) -> impl Iterator<Item = (u64, Position)> {
        self.index.positions(layer, numbers)
    }

    /// The number of images of a pattern, itself among them: the positions that each of its numbers
    /// stands for.
    pub(super) fn images(&self, pattern: u64) -> u64 {
        self.index.weight(pattern)
    }

    /// The number of positions in a layer that no symmetry makes equal, and a few more.
    pub fn len(&self, layer: Layer) -> u64 {
        self.index.len(layer)
    }

    /// Whether tables for some rules apply to a position under other rules: to riatra and the second
    /// phase of vela, if the two switches of the tables agree, and `single-first-capture` is off or
    /// without effect because both sides have lost stones.
    #[inline]
    fn by(tables: &Ruleset, position: &Position, rules: &Ruleset) -> bool {
        let board = position.board();
        let most = board.count(Side::White).max(board.count(Side::Black));
        let first_capture = rules.single_first_capture && most >= board.size().stones_per_side();
        let same = (rules.forced_continuation, rules.blocked_is_draw)
            == (tables.forced_continuation, tables.blocked_is_draw);
        same && !first_capture && !position.is_vela_phase_one()
    }

    /// The outcome of a position for the side to move; `None` if the tables do not have it.
    #[inline]
    pub fn outcome(&self, position: &Position, rules: &Ruleset) -> Option<Outcome> {
        Some(match self.find(position, rules)? {
            Lookup::Over(Value::Loss(_)) => Outcome::Loss,
            Lookup::Over(_) => Outcome::Win,
            Lookup::Number(layer, number) => self.layer(layer).outcome(number),
        })
    }

    /// The value of a position with the plies to the end; `None` if the tables do not have it.
    /// Threads wait for each other only when they unpack plies from a file.
    #[inline]
    pub fn value(&self, position: &Position, rules: &Ruleset) -> Result<Option<Value>, FileError> {
        match self.find(position, rules) {
            None => Ok(None),
            Some(Lookup::Over(value)) => Ok(Some(value)),
            Some(Lookup::Number(layer, number)) => {
                let unpack = |plies: &TableFile| {
                    let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
                    plies.byte(number, &mut cache)
                };
                self.layer(layer).value(number, unpack).map(Some)
            }
        }
    }

    /// Every legal move of a position with its value for the side that plays it; `None` unless the
    /// tables know all of them.
    pub fn moves(
        &self,
        position: &Position,
        rules: &Ruleset,
    ) -> Result<Option<Vec<(Move, Value)>>, FileError> {
        let mut moves = Vec::new();
        for mv in position.legal_moves(rules) {
            let after = position.play(rules, &mv).expect("the move is legal");
            let Some(value) = self.value(&after, rules)? else { return Ok(None) };
            moves.push((mv, before_move(value)));
        }
        Ok(Some(moves))
    }

    /// The value of a position, with the caller's cache; `None` if the tables do not have it.
    pub(super) fn value_with(
        &self,
        position: &Position,
        rules: &Ruleset,
        cache: &mut Cache,
    ) -> Result<Option<Value>, FileError> {
        match self.find(position, rules) {
            None => Ok(None),
            Some(Lookup::Over(value)) => Ok(Some(value)),
            Some(Lookup::Number(layer, number)) => {
                self.layer(layer).value(number, |plies| plies.byte(number, cache)).map(Some)
            }
        }
    }

    /// The place of a position; `None` if the tables do not have it.
    #[inline]
    fn find(&self, position: &Position, rules: &Ruleset) -> Option<Lookup> {
        if position.board().size() != self.board() || !Tables::by(&self.rules, position, rules) {
            return None;
        }
        let own = raw::stones(position.board(), position.side_to_move());
        let enemy = raw::stones(position.board(), !position.side_to_move());
        match (own, enemy) {
            (0, _) => Some(Lookup::Over(Value::Loss(0))),
            (_, 0) => Some(Lookup::Over(Value::Win(0))),
            _ => {
                let (layer, number) = self.index.number(own, enemy)?;
                self.has(layer).then_some(Lookup::Number(layer, number))
            }
        }
    }

    /// The stored value of a number, and the outcome stored beside it.
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

    /// A probe in memory does not wait for the lock of the cache.
    #[test]
    fn layers_in_memory_are_read_without_a_lock() {
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
            assert!(value.expect("the probe waits for the lock").unwrap().is_some());
        });
    }
}
