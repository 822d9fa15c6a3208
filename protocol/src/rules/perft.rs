//! Perft: how many sequences of legal moves of a length there are.

use core::ops::ControlFlow;

use super::effect::Effect;
use super::generate::{self, Mode, Sink};
use super::geometry::{BoardSize, with_size};
use super::moves::Move;
use super::position::Position;
use super::ruleset::Ruleset;
use super::steps::Stones;

/// The number of sequences of `depth` legal moves from a position, two paths to the same position
/// being two moves. A position without a move adds nothing to deeper counts; repetition and limits
/// play no part. Nothing is cached; the last ply is counted without being played.
///
/// ```
/// use fanorona_protocol::rules::{BoardSize, Position, Ruleset, perft};
/// assert_eq!(perft(&Position::start(BoardSize::TSIVY), &Ruleset::default(), 3), 724);
/// ```
pub fn perft(position: &Position, rules: &Ruleset, depth: u32) -> u64 {
    let node = Node {
        stones: Stones::of(position.board(), position.side_to_move()),
        owes: position.debtor().map(|debtor| debtor == position.side_to_move()),
    };
    with_size!(position.board().size(), I => match depth {
        0 => 1,
        _ => node.perft::<I>(rules, depth),
    })
}

/// The divide form: every legal move with the count below it, until the visitor breaks. With a
/// depth of 0 there is none.
pub fn divide(
    position: &Position,
    rules: &Ruleset,
    depth: u32,
    mut visit: impl FnMut(&Move, u64) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if depth == 0 {
        return ControlFlow::Continue(());
    }
    position.visit_moves(rules, |mv, effect| {
        visit(mv, perft(&position.play_unchecked(effect), rules, depth - 1))
    })
}

/// As much of a position as the count needs: no key, no counters.
#[derive(Clone, Copy)]
struct Node {
    stones: Stones,
    /// Whether the side to move is the debtor; `None` in riatra.
    owes: Option<bool>,
}

impl Node {
    fn perft<const I: usize>(self, rules: &Ruleset, depth: u32) -> u64 {
        let size = BoardSize::of_index::<I>();
        let mode = Mode::of(size, self.stones, self.owes, rules);
        if depth == 1 {
            return generate::count_on::<I>(self.stones, mode);
        }
        let mut children = Children::<I> { parent: self, rules, depth: depth - 1, count: 0 };
        generate::generate_on::<I, _>(self.stones, mode, &mut children);
        children.count
    }
}

/// Counts below each move as it is generated.
struct Children<'r, const I: usize> {
    parent: Node,
    rules: &'r Ruleset,
    depth: u32,
    count: u64,
}

impl<const I: usize> Sink for Children<'_, I> {
    #[inline(always)]
    fn accept(&mut self, effect: Effect) {
        let Node { stones, owes } = self.parent;
        let child = Node { stones: stones.after(effect), owes: owes.map(|owes| !owes) };
        self.count += child.perft::<I>(self.rules, self.depth);
    }
}
