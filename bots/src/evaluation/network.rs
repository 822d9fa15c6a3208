//! A small neural network that evaluates positions of one board size from the stones alone.
//!
//! # Shape
//!
//! Each side has a *view* of the board: one input for each point with a stone of its own, and one
//! for each point with an enemy stone. The active inputs of a view add up to [`HIDDEN`] numbers,
//! and each of them is clamped to 0..1 and squared. The output is a weighted sum of the numbers of
//! both views, the side to move first: the logarithm of the odds of winning, scaled to hundredths
//! of a stone. The weights of the inputs depend on the side's role (in riatra, debtor or creditor in
//! the first phase of vela, either in its second), those of the output on the role and the number of
//! stones.
//!
//! # Numbers
//!
//! All numbers are integers: input weights are in steps of 1 / [`ONE`], output weights in steps of
//! 1 / [`OUTPUT_ONE`]. Since a move changes few points, the sums of a view are updated only where
//! the board has changed ([`Accumulators`]).
//!
//! `bots/training/TRAINING.md` describes the file and the training.

#[cfg(target_feature = "simd128")]
mod simd128;

use std::sync::{Arc, LazyLock, OnceLock};

use fanorona_endgames::file_format::{Format, FormatError, FormatProblem, Layout};
use fanorona_protocol::rules::{BoardSize, MAX_POINTS, Position, Side, raw};
use serde::{Deserialize, Serialize};

use crate::platform::processor::Level;
#[cfg(target_feature = "simd128")]
use simd128::weigh;

/// The number of hidden numbers of a view.
pub const HIDDEN: usize = 256;

/// The number of [`Role`]s.
pub const ROLES: usize = 4;

/// The number of output groups of each role. The stones of a position select its group.
pub const GROUPS: usize = 8;

/// The integer for a hidden number of 1.
pub const ONE: i32 = 255;

/// The integer for an output weight of 1.
pub const OUTPUT_ONE: i32 = 64;

/// The largest input weight: a sum over all points fits 16 bits.
pub const MAX_INPUT: i32 = 32_767 / (MAX_POINTS as i32 + 1);

/// The largest output weight: multiplied by [`ONE`] it fits 16 bits.
pub const MAX_OUTPUT: i32 = 127;

/// The weighted sum of a view fits 32 bits.
const _: () = assert!(HIDDEN as i64 * (MAX_OUTPUT * ONE * ONE) as i64 <= i32::MAX as i64);

/// The evaluation for odds of e to 1, in hundredths of a stone.
pub const SCALE: i32 = 320;

/// The role of a side: what it plays for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It plays riatra.
    Riatra,
    /// In the first phase of a vela, the side that must take stones one by one.
    Debtor,
    /// In the first phase of a vela, the side that gives stones away.
    Creditor,
    /// It is in the second phase of a vela, where the rules are those of riatra and the positions are
    /// not.
    Settled,
}

impl Role {
    /// Every role, in the order of their numbers.
    pub const ALL: [Role; ROLES] = [Role::Riatra, Role::Debtor, Role::Creditor, Role::Settled];

    /// The role of a side in a position.
    #[inline]
    pub fn from_position(position: &Position, side: Side) -> Role {
        match position.debtor() {
            Some(debtor) if position.is_vela_phase_one() => {
                if debtor == side {
                    Role::Debtor
                } else {
                    Role::Creditor
                }
            }
            Some(_) => Role::Settled,
            None => Role::Riatra,
        }
    }

    /// The role of the other side.
    pub fn other(self) -> Role {
        match self {
            Role::Debtor => Role::Creditor,
            Role::Creditor => Role::Debtor,
            Role::Riatra | Role::Settled => self,
        }
    }

    /// The group of a position whose side to move has this role, by the stones of both sides.
    #[inline]
    pub fn group(self, own: u32, enemy: u32) -> usize {
        match self {
            Role::Riatra | Role::Settled => {
                // Positions with few stones get finer groups, because games spend most of their
                // moves there.
                const GROUP: [u8; 64] = {
                    let mut groups = [7; 64];
                    let last = [4, 6, 8, 11, 15, 20, 28];
                    let mut group = last.len();
                    while group > 0 {
                        group -= 1;
                        let mut stones = 0;
                        while stones <= last[group] {
                            groups[stones] = group as u8;
                            stones += 1;
                        }
                    }
                    groups
                };
                usize::from(GROUP[(own + enemy) as usize % 64])
            }
            Role::Debtor => (enemy.saturating_sub(6) as usize / 2).min(GROUPS - 1),
            Role::Creditor => (own.saturating_sub(6) as usize / 2).min(GROUPS - 1),
        }
    }
}

/// A row of numbers, one for each hidden number.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Row([i16; HIDDEN]);

const EMPTY_ROW: Row = Row([0; HIDDEN]);

/// The input weights of one role, own stones first. There is a row for each bit of a set of points,
/// so that no index is out of range.
type Inputs = [[Row; 64]; 2];

/// The weights.
pub struct Network {
    board: BoardSize,
    inputs: [Inputs; ROLES],
    /// The sums of a view without stones.
    biases: [Row; ROLES],
    /// By role and group, for the views of the side to move and of the other side.
    outputs: [[[Row; 2]; GROUPS]; ROLES],
    /// In units of an output: [`ONE`] squared times [`OUTPUT_ONE`].
    output_biases: [[i32; GROUPS]; ROLES],
}

/// The header of a file.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Debug)]
struct Header {
    board: String,
    hidden: usize,
    roles: usize,
    groups: usize,
    /// The CRC-32 of everything after the header.
    checksum: u32,
}

/// The format of a file.
const FORMAT: Format = Format {
    name: "fanorona-network",
    version: 1,
    layout: Layout::Line,
    noun: "a file of network weights",
    remedy: "get the file again or train the network again",
};

/// Bytes after the header of a network for a board size.
fn payload_bytes(board: BoardSize) -> usize {
    ROLES * (2 * ((1 + 2 * board.points()) * HIDDEN + GROUPS * 2 * HIDDEN) + 4 * GROUPS)
}

/// The reason why bytes are not a network.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file does not have the format of a network.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The network has another shape.
    #[error(
        "network weights of shape {0}; this program reads {board} or another board, {HIDDEN} hidden, \
         {ROLES} roles, {GROUPS} groups: train the network again",
        board = BoardSize::TSIVY
    )]
    Shape(String),
    /// A weight with which sums could overflow.
    #[error("a network weight of {0} is out of range: train the network again")]
    Range(i32),
}

impl Network {
    /// The built-in network for a board size, if there is one.
    ///
    /// # Panics
    /// Panics when a file built into this program is not a network of its shape and board.
    pub fn shipped(board: BoardSize) -> Option<Arc<Network>> {
        const FILES: [(&str, &[u8]); 3] = [
            ("9x5", include_bytes!("tsivy.network")),
            ("5x5", include_bytes!("dimy.network")),
            ("7x5", include_bytes!("7x5.network")),
        ];
        type Shipped = OnceLock<Option<Arc<Network>>>;
        static SHIPPED: LazyLock<Vec<(BoardSize, Shipped)>> =
            LazyLock::new(|| BoardSize::all().map(|size| (size, Shipped::new())).collect());
        let (_, shipped) = SHIPPED.iter().find(|(size, _)| *size == board)?;
        // Only the network that is asked for is read.
        let read = || {
            let serves = |(name, _): &&(&str, &[u8])| {
                let size: BoardSize = name.parse().expect("a board");
                size == board || (size.columns(), size.rows()) == (board.rows(), board.columns())
            };
            let (_, bytes) = FILES.iter().find(serves)?;
            match Network::read(bytes) {
                Ok(network) => network.for_board(board),
                Err(error) => panic!("the weights this program was built with: {error}"),
            }
        };
        shipped.get_or_init(read).clone()
    }

    /// This network for positions of a board size: itself for its board, and for the board with
    /// columns and rows exchanged, which has the same game, the same weights for the points where
    /// they then are. `None` for other boards.
    pub(crate) fn for_board(self: &Arc<Network>, board: BoardSize) -> Option<Arc<Network>> {
        let own = (self.board.columns(), self.board.rows());
        if board == self.board {
            return Some(self.clone());
        }
        if own != (board.rows(), board.columns()) {
            return None;
        }
        let mut inputs = self.inputs;
        for (turned, kinds) in inputs.as_flattened_mut().iter_mut().zip(self.inputs.as_flattened())
        {
            for (index, row) in turned.iter_mut().enumerate().take(board.points()) {
                let (column, line) = (index % board.columns(), index / board.columns());
                *row = kinds[column * own.0 + line];
            }
        }
        let Network { biases, outputs, output_biases, .. } = **self;
        Some(Arc::new(Network { board, inputs, biases, outputs, output_biases }))
    }

    /// The size of the boards that it evaluates.
    pub fn board(&self) -> BoardSize {
        self.board
    }

    /// Reads a file.
    pub fn read(bytes: &[u8]) -> Result<Arc<Network>, NetworkError> {
        let (board, payload) = checked_payload(bytes)?;
        Network::from_payload(board, payload)
    }

    fn from_payload(board: BoardSize, payload: &[u8]) -> Result<Arc<Network>, NetworkError> {
        let mut rest = payload;
        let mut row = |most: i32| {
            let mut row = EMPTY_ROW;
            for number in &mut row.0 {
                let (bytes, after) = rest.split_first_chunk().expect("the length is right");
                *number = i16::from_le_bytes(*bytes);
                rest = after;
                if i32::from(*number).abs() > most {
                    return Err(NetworkError::Range(i32::from(*number)));
                }
            }
            Ok(row)
        };
        let mut network = Box::new(Network {
            board,
            inputs: [[[EMPTY_ROW; 64]; 2]; ROLES],
            biases: [EMPTY_ROW; ROLES],
            outputs: [[[EMPTY_ROW; 2]; GROUPS]; ROLES],
            output_biases: [[0; GROUPS]; ROLES],
        });
        for role in 0..ROLES {
            network.biases[role] = row(MAX_INPUT)?;
            for kind in &mut network.inputs[role] {
                for input in &mut kind[..board.points()] {
                    *input = row(MAX_INPUT)?;
                }
            }
            for output in network.outputs[role].as_flattened_mut() {
                *output = row(MAX_OUTPUT)?;
            }
        }
        for (bias, bytes) in
            network.output_biases.as_flattened_mut().iter_mut().zip(rest.as_chunks().0)
        {
            *bias = i32::from_le_bytes(*bytes);
            if bias.unsigned_abs() > 1 << 28 {
                return Err(NetworkError::Range(*bias));
            }
        }
        Ok(Arc::from(network))
    }

    /// The value of a position of its board size, in hundredths of a stone from the view of the side
    /// to move.
    pub fn value(&self, position: &Position) -> i32 {
        Accumulators::new(1).value(self, position, 0)
    }

    #[inline(always)]
    fn output(&self, position: &Position, own: &Row, enemy: &Row) -> i32 {
        let (board, side) = (position.board(), position.side_to_move());
        let role = Role::from_position(position, side);
        let group = role.group(board.count(side), board.count(!side));
        let [to_own, to_enemy] = &self.outputs[role as usize][group];
        let sum = i64::from(weigh(own, to_own)) + i64::from(weigh(enemy, to_enemy));
        let bias = self.output_biases[role as usize][group];
        let odds = sum + i64::from(bias);
        (odds * i64::from(SCALE) / i64::from(ONE * ONE * OUTPUT_ONE)) as i32
    }
}

/// The weighted sum of hidden numbers, clamped and squared.
#[cfg(not(target_feature = "simd128"))]
#[inline(always)]
fn weigh(hidden: &Row, weights: &Row) -> i32 {
    let mut sum = 0;
    for (&hidden, &weight) in hidden.0.iter().zip(&weights.0) {
        let hidden = hidden.clamp(0, ONE as i16);
        // Both factors fit 16 bits, so that a register holds twice as many of them.
        sum += i32::from(hidden.wrapping_mul(weight)) * i32::from(hidden);
    }
    sum
}

impl Header {
    fn new(board: BoardSize, checksum: u32) -> Header {
        Header { board: board.to_string(), hidden: HIDDEN, roles: ROLES, groups: GROUPS, checksum }
    }
}

/// The bytes of a file of weights for a board size. For each role it has the hidden biases, a row
/// for each point with an own stone and then for each with an enemy stone, and the output weights
/// group by group, first those for the view of the side to move. All output biases follow at the
/// end. Rows are 16-bit numbers, output biases 32-bit numbers, little-endian.
pub fn file(board: BoardSize, rows: &[i16], output_biases: &[i32]) -> Vec<u8> {
    let mut payload: Vec<u8> = rows.iter().flat_map(|number| number.to_le_bytes()).collect();
    payload.extend(output_biases.iter().flat_map(|number| number.to_le_bytes()));
    let mut file = FORMAT.header(&Header::new(board, crc32fast::hash(&payload)));
    file.extend(payload);
    file
}

/// The board of a file, and what follows its header.
fn checked_payload(bytes: &[u8]) -> Result<(BoardSize, &[u8]), NetworkError> {
    let (header, payload) = FORMAT.read::<Header>(bytes)?;
    // Check the checksum last, so that a more specific error comes first.
    let readable = |board: &BoardSize| header == Header::new(*board, header.checksum);
    let Some(board) = header.board.parse().ok().filter(readable) else {
        let Header { board, hidden, roles, groups, .. } = header;
        let shape = format!("{board}, {hidden} hidden, {roles} roles, {groups} groups");
        return Err(NetworkError::Shape(shape));
    };
    let (found, expected) = (payload.len() as u64, payload_bytes(board) as u64);
    if found != expected {
        return Err(FORMAT.error(FormatProblem::Length { found, expected }).into());
    }
    FORMAT.check(payload, header.checksum)?;
    Ok((board, payload))
}

/// The inverse of [`file()`]: the board, the rows, and the output biases.
///
/// # Errors
/// Returns an error as [`Network::read`] does.
pub fn numbers(bytes: &[u8]) -> Result<(BoardSize, Vec<i16>, Vec<i32>), NetworkError> {
    Network::read(bytes)?;
    let (board, payload) = checked_payload(bytes)?;
    let (rows, biases) = payload.split_at(payload.len() - 4 * ROLES * GROUPS);
    let rows = rows.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect();
    let biases = biases.as_chunks().0.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect();
    Ok((board, rows, biases))
}

/// The sums of both sides' views of a position.
#[derive(Clone)]
struct Accumulator {
    stones: [u64; 2],
    roles: [Role; 2],
    views: [Row; 2],
    /// The value of the position for its side to move.
    value: i32,
    side_to_move: Side,
}

impl Accumulator {
    /// The sums of an empty board.
    fn empty(roles: [Role; 2], views: [Row; 2]) -> Accumulator {
        Accumulator { stones: [0; 2], roles, views, value: 0, side_to_move: Side::White }
    }
}

/// The sums of the positions last evaluated at each ply of a line.
///
/// A position is computed from the nearest of these. The choice does not change the value, so the
/// search need not announce when it leaves a line.
pub struct Accumulators {
    entries: Vec<Accumulator>,
    /// The views of the last position.
    #[cfg(not(target_feature = "simd128"))]
    views: [Row; 2],
    /// A level that the processor has.
    level: Level,
}

impl Accumulators {
    /// Accumulators for lines of up to `plies` plies, at least one.
    pub fn new(plies: usize) -> Accumulators {
        let nothing = Accumulator::empty([Role::Riatra; 2], [EMPTY_ROW; 2]);
        Accumulators {
            entries: vec![nothing; plies.max(1)],
            #[cfg(not(target_feature = "simd128"))]
            views: [EMPTY_ROW; 2],
            level: Level::best(),
        }
    }

    /// The value of a position of the network's board size at a ply of the search.
    #[inline]
    pub fn value(&mut self, network: &Network, position: &Position, ply: usize) -> i32 {
        #[cfg_attr(
            target_arch = "x86_64",
            expect(
                unsafe_code,
                reason = "searches evaluate more than anything else, and twice as fast"
            )
        )]
        match self.level {
            // SAFETY: the processor has this level.
            #[cfg(target_arch = "x86_64")]
            Level::V4 => unsafe { self.value_v4(network, position, ply) },
            // SAFETY: the processor has this level.
            #[cfg(target_arch = "x86_64")]
            Level::V3 => unsafe { self.value_v3(network, position, ply) },
            Level::Build => self.value_of_build(network, position, ply),
        }
    }

    /// Not a part of its callers, which would save registers for all levels.
    #[cfg(not(target_feature = "simd128"))]
    #[inline(never)]
    fn value_of_build(&mut self, network: &Network, position: &Position, ply: usize) -> i32 {
        self.value_at_level(network, position, ply)
    }

    /// Not a part of its callers, either. Copies of views would cost as much as their sums, so they are
    /// written where they stay.
    #[cfg(target_feature = "simd128")]
    #[inline(never)]
    fn value_of_build(&mut self, network: &Network, position: &Position, ply: usize) -> i32 {
        let Step { near, stones, roles } = match self.step_to(position, ply) {
            Ok(step) => step,
            Err(value) => return value,
        };
        let (before, rest) = self.entries.split_at_mut(ply);
        let entry = &mut rest[0];
        let had = match near {
            Near::Here => entry.stones,
            Near::Before => before[ply - 1].stones,
            Near::Empty => [0; 2],
        };
        for (side, (view, role)) in entry.views.iter_mut().zip(roles).enumerate() {
            let from = match near {
                Near::Here => None,
                Near::Before => Some(&before[ply - 1].views[side]),
                Near::Empty => Some(&network.biases[role as usize]),
            };
            let change = |stones: [u64; 2], had: [u64; 2]| {
                [stones[side] & !had[side], stones[1 - side] & !had[1 - side]]
            };
            let inputs = &network.inputs[role as usize];
            simd128::update(view, from, inputs, change(stones, had), change(had, stones));
        }
        let side_to_move = position.side_to_move();
        (entry.stones, entry.roles, entry.side_to_move) = (stones, roles, side_to_move);
        let [own, enemy] = [side_to_move, !side_to_move].map(|side| &entry.views[side as usize]);
        entry.value = network.output(position, own, enemy);
        entry.value
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni,avx2,bmi1,bmi2,popcnt")]
    fn value_v4(&mut self, network: &Network, position: &Position, ply: usize) -> i32 {
        self.value_at_level(network, position, ply)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn value_v3(&mut self, network: &Network, position: &Position, ply: usize) -> i32 {
        self.value_at_level(network, position, ply)
    }

    /// Finds the step to the sums of a position at a ply; its value if it is known already.
    #[inline(always)]
    fn step_to(&self, position: &Position, ply: usize) -> Result<Step, i32> {
        let board = position.board();
        let stones = Side::BOTH.map(|side| raw::stones(board, side));
        let roles = Side::BOTH.map(|side| Role::from_position(position, side));
        let differing = |entry: &Accumulator| {
            let [white, black] =
                [0, 1].map(|side| (entry.stones[side] ^ stones[side]).count_ones());
            if entry.roles == roles { white + black } else { u32::MAX }
        };
        let here = differing(&self.entries[ply]);
        if here == 0
            && self.entries[ply].side_to_move == position.side_to_move()
            && stones != [0; 2]
        {
            return Err(self.entries[ply].value);
        }
        let before = ply.checked_sub(1).map_or(u32::MAX, |before| differing(&self.entries[before]));
        // An empty board differs from a position by its stones.
        let near = if before.min(here) >= (stones[0] | stones[1]).count_ones() {
            Near::Empty
        } else if before < here {
            Near::Before
        } else {
            Near::Here
        };
        Ok(Step { near, stones, roles })
    }

    /// Compiled once for each level, as a part of its callers.
    #[cfg(not(target_feature = "simd128"))]
    #[inline(always)]
    fn value_at_level(&mut self, network: &Network, position: &Position, ply: usize) -> i32 {
        let Step { near, stones, roles } = match self.step_to(position, ply) {
            Ok(step) => step,
            Err(value) => return value,
        };
        let empty;
        let near = match near {
            Near::Here => &self.entries[ply],
            Near::Before => &self.entries[ply - 1],
            Near::Empty => {
                let views = roles.map(|role| network.biases[role as usize]);
                empty = Accumulator::empty(roles, views);
                &empty
            }
        };
        let added = [0, 1].map(|side| stones[side] & !near.stones[side]);
        let removed = [0, 1].map(|side| near.stones[side] & !stones[side]);
        // Not by `map`: the compiler must see these sums in the function of their level.
        let inputs = roles.map(|role| &network.inputs[role as usize]);
        for (side, view) in self.views.iter_mut().enumerate() {
            let own = |stones: [u64; 2]| [stones[side], stones[1 - side]];
            *view = updated(&near.views[side], inputs[side], own(added), own(removed));
        }
        let side_to_move = position.side_to_move();
        let [own, enemy] = [side_to_move, !side_to_move].map(|side| &self.views[side as usize]);
        let value = network.output(position, own, enemy);
        self.entries[ply] = Accumulator { stones, roles, views: self.views, value, side_to_move };
        value
    }
}

/// The sums from which those of a position are computed.
enum Near {
    /// The last ones at its ply.
    Here,
    /// The last ones at the ply before.
    Before,
    /// The sums of a board without stones.
    Empty,
}

/// A position as its sums see it, and the sums nearest to them.
struct Step {
    near: Near,
    stones: [u64; 2],
    roles: [Role; 2],
}

/// A view in which stones have been added and removed, own stones first.
#[cfg(not(target_feature = "simd128"))]
#[inline(always)]
fn updated(view: &Row, inputs: &Inputs, added: [u64; 2], removed: [u64; 2]) -> Row {
    let mut view = *view;
    for (kind, inputs) in inputs.iter().enumerate() {
        for_each_point(added[kind], |point| {
            for (number, weight) in view.0.iter_mut().zip(&inputs[point].0) {
                *number = number.wrapping_add(*weight);
            }
        });
        for_each_point(removed[kind], |point| {
            for (number, weight) in view.0.iter_mut().zip(&inputs[point].0) {
                *number = number.wrapping_sub(*weight);
            }
        });
    }
    view
}

/// Calls a function with the index of each point of a set; all indices are below 64.
#[inline(always)]
fn for_each_point(mut set: u64, mut visit: impl FnMut(usize)) {
    while set != 0 {
        visit(set.trailing_zeros() as usize % 64);
        set &= set - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::RootMove;
    use crate::mcts::PlayoutRng;
    use fanorona_protocol::rules::{Effect, Ruleset, Start};
    use proptest::prelude::*;

    fn random_move(position: &Position, random: &mut PlayoutRng) -> Option<Effect> {
        let moves = RootMove::all(position, &Ruleset::default());
        let count = moves.len() as u32;
        (count > 0).then(|| moves[random.below(count) as usize].effect)
    }

    /// The positions of a random game.
    fn line(size: BoardSize, vela: bool, random: &mut PlayoutRng) -> Vec<Position> {
        let start = if vela {
            Start::Usual(size).vela(Ruleset::default().vela_starter)
        } else {
            Start::Usual(size).riatra()
        };
        let next = |position: &Position| {
            random_move(position, random).map(|effect| position.apply_unchecked(effect))
        };
        std::iter::successors(Some(start), next).take(150).collect()
    }

    /// The board sizes with a network.
    fn sizes() -> Vec<BoardSize> {
        ["9x5", "5x5", "5x9", "7x5", "5x7"].map(|size| size.parse().unwrap()).to_vec()
    }

    fn shipped(size: BoardSize) -> Arc<Network> {
        Network::shipped(size).expect("this board has a network")
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn incremental_sums_equal_fresh_sums(
            seed: u64,
            vela: bool,
            size in prop::sample::select(sizes()),
        ) {
            let network = shipped(size);
            let mut random = PlayoutRng::new(seed);
            let mut kept = Accumulators::new(200);
            let mut line = line(size, vela, &mut random);
            // Descend the line, evaluating now and then, and go back to try others, like a search.
            for _ in 0..400 {
                let ply = line.len() - 1;
                let position = line[ply];
                if random.below(3) > 0 {
                    prop_assert_eq!(kept.value(&network, &position, ply), network.value(&position));
                }
                let next = random_move(&position, &mut random);
                match next.filter(|_| random.below(3) > 0 && line.len() < 190) {
                    Some(effect) => line.push(position.apply_unchecked(effect)),
                    None => line.truncate(line.len().saturating_sub(1 + random.below(4) as usize).max(1)),
                }
            }
        }

        #[test]
        fn exchanging_colours_keeps_the_value(
            seed: u64,
            vela: bool,
            size in prop::sample::select(sizes()),
        ) {
            let network = shipped(size);
            for position in line(size, vela, &mut PlayoutRng::new(seed)) {
                let text = position.to_string();
                let swap = |word: &str| {
                    word.chars().map(|letter| match letter {
                        'W' => 'b',
                        'b' => 'W',
                        other => other,
                    }).collect::<String>()
                };
                let words: Vec<&str> = text.split(' ').collect();
                let swapped: Vec<String> = words[..3].iter().map(|word| swap(word)).collect();
                let [board, side_to_move, debtor] = &swapped[..] else { unreachable!() };
                let swapped = format!("{board} {} {}", side_letter(side_to_move), side_letter(debtor));
                let swapped: Position = swapped.parse().unwrap();
                prop_assert_eq!(network.value(&swapped), network.value(&position));
            }
        }
    }

    /// The letter of the other side, the letters of the board having been swapped.
    fn side_letter(word: &str) -> &str {
        match word {
            "w" => "b",
            "W" => "w",
            other => other,
        }
    }

    #[test]
    fn the_side_with_more_stones_has_the_higher_value() {
        for (size, own, enemy) in [
            (BoardSize::TSIVY, "b3b3b/9/4W4/2W3W2/W3W3W w", "b3b3b/9/4W4/2W3W2/W3W3W b"),
            (BoardSize::DIMY, "b3b/5/5/5/WWWWW w", "b3b/5/5/5/WWWWW b"),
        ] {
            let [own, enemy] = [own, enemy].map(|text| shipped(size).value(&text.parse().unwrap()));
            assert!(own > 100 && enemy < -100, "{size}: {own} {enemy}");
        }
    }

    #[test]
    fn every_level_computes_the_same_value() {
        for size in sizes() {
            let network = shipped(size);
            for position in line(size, false, &mut PlayoutRng::new(3)) {
                let of_build = Accumulators::new(1).value_at_level(&network, &position, 0);
                for level in Level::available() {
                    let mut accumulators = Accumulators { level, ..Accumulators::new(1) };
                    let value = accumulators.value(&network, &position, 0);
                    assert_eq!(value, of_build, "{level:?} {position}");
                }
            }
        }
    }

    /// The same position with columns and rows exchanged.
    fn turned(position: &Position) -> Position {
        let text = position.to_string();
        let (placement, rest) = text.split_once(' ').unwrap();
        let lines: Vec<Vec<char>> = placement
            .split('/')
            .rev()
            .map(|line| {
                let empty = |letter: char| letter.to_digit(10).unwrap_or(1) as usize;
                line.chars().flat_map(|letter| vec![letter; empty(letter)]).collect()
            })
            .collect();
        let column = |index: usize| -> String {
            let letter = |line: &Vec<char>| match line[index] {
                digit if digit.is_ascii_digit() => '1',
                stone => stone,
            };
            lines.iter().map(letter).collect()
        };
        let columns: Vec<String> = (0..lines[0].len()).rev().map(column).collect();
        // Every run of empty points is written as ones here, which is not how a FEN counts them.
        let mut placement = columns.join("/");
        for run in (2..=9).rev() {
            placement = placement.replace(&"1".repeat(run), &run.to_string());
        }
        format!("{placement} {rest}").parse().unwrap()
    }

    #[test]
    fn a_board_and_its_turned_one_have_one_network() {
        for (size, other) in [("9x5", "5x9"), ("7x5", "5x7")] {
            let [size, other] = [size, other].map(|size| size.parse::<BoardSize>().unwrap());
            let [network, of_other] = [size, other].map(shipped);
            assert_eq!(of_other.board(), other);
            for vela in [false, true] {
                for position in line(other, vela, &mut PlayoutRng::new(7)) {
                    let value = network.value(&turned(&position));
                    assert_eq!(of_other.value(&position), value, "{position}");
                }
            }
            assert!(network.for_board(BoardSize::DIMY).is_none());
        }
    }

    #[test]
    fn only_these_boards_have_a_network() {
        for size in BoardSize::all() {
            let network = Network::shipped(size);
            assert_eq!(network.is_some(), sizes().contains(&size), "{size}");
            assert!(network.is_none_or(|network| network.board() == size));
        }
    }

    #[test]
    fn the_shipped_headers_are_written_byte_for_byte() {
        for bytes in [
            &include_bytes!("tsivy.network")[..],
            include_bytes!("dimy.network"),
            include_bytes!("7x5.network"),
        ] {
            let (header, payload) = FORMAT.read::<Header>(bytes).unwrap();
            assert_eq!([&FORMAT.header(&header), payload].concat(), bytes);
        }
    }

    #[test]
    fn damaged_networks_are_refused() {
        let sound = include_bytes!("tsivy.network");
        assert!(Network::read(sound).is_ok());
        let begin = sound.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        for at in (begin..sound.len()).step_by(997) {
            let mut damaged = sound.to_vec();
            damaged[at] ^= 0x10;
            assert_eq!(Network::read(&damaged).err(), Some(FORMAT.damaged("payload").into()));
        }
        let cut = &sound[..sound.len() - 1];
        let expected = payload_bytes(BoardSize::TSIVY) as u64;
        let length = FORMAT.error(FormatProblem::Length { expected, found: expected - 1 });
        assert_eq!(Network::read(cut).err(), Some(length.into()));
        for foreign in [&b""[..], b"network", b"{}\n", &sound[begin..]] {
            let expected = FORMAT.error(FormatProblem::Foreign).into();
            assert_eq!(Network::read(foreign).err(), Some(expected));
        }
    }

    #[test]
    fn another_version_or_shape_is_named() {
        let sound = include_bytes!("tsivy.network");
        let begin = sound.iter().position(|&byte| byte == b'\n').unwrap();
        let head = std::str::from_utf8(&sound[..begin]).unwrap();
        let hidden = format!("\"hidden\":{HIDDEN}");
        for (here, there, told) in [
            ("\"version\":1", "\"version\":7", "version 7"),
            (hidden.as_str(), "\"hidden\":8", "8 hidden"),
            ("\"board\":\"9x5\"", "\"board\":\"9x6\"", "9x6"),
        ] {
            assert!(head.contains(here), "{head}");
            let mut other = head.replace(here, there).into_bytes();
            other.extend(&sound[begin..]);
            let error = Network::read(&other).err().unwrap().to_string();
            assert!(error.contains(told) && error.contains("train the network again"), "{error}");
        }
        let mut other = head.replace("9x5", "5x5").into_bytes();
        other.extend(&sound[begin..]);
        let Some(NetworkError::Format(error)) = Network::read(&other).err() else { panic!() };
        assert!(matches!(error.problem, FormatProblem::Length { .. }));
    }

    #[test]
    fn weights_that_could_overflow_are_refused() {
        let board = BoardSize::TSIVY;
        let mut rows = vec![0i16; ROLES * HIDDEN * (1 + 2 * board.points() + 2 * GROUPS)];
        let biases = vec![0; ROLES * GROUPS];
        assert!(Network::read(&file(board, &rows, &biases)).is_ok());
        rows[HIDDEN] = MAX_INPUT as i16 + 1;
        let refused = Network::read(&file(board, &rows, &biases)).err();
        assert_eq!(refused, Some(NetworkError::Range(MAX_INPUT + 1)));
        rows[HIDDEN] = 0;
        *rows.last_mut().unwrap() = -1 - MAX_OUTPUT as i16;
        let refused = Network::read(&file(board, &rows, &biases)).err();
        assert_eq!(refused, Some(NetworkError::Range(-1 - MAX_OUTPUT)));
    }
}
