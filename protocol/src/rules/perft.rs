//! Perft: the number of sequences of legal moves of a given length.

use core::ops::ControlFlow;

use super::effect::Effect;
use super::generate::{self, Mode, Sink};
use super::geometry::{BoardSize, with_size};
use super::moves::Move;
use super::position::Position;
use super::ruleset::Ruleset;
use super::steps::Stones;

/// Returns the number of sequences of `depth` legal moves from a position.
///
/// Two paths to the same position are two moves. A position without a move adds nothing to deeper
/// counts. Repetition and limits have no effect. Nothing is cached, and the moves of the last ply
/// are counted without being played.
///
/// ```
/// use fanorona_protocol::rules::{BoardSize, Position, Ruleset, perft};
/// assert_eq!(perft(&Position::start(BoardSize::TSIVY), &Ruleset::default(), 3), 724);
/// ```
pub fn perft(position: &Position, rules: &Ruleset, depth: u32) -> u64 {
    let node = Node {
        stones: Stones::new(position.board(), position.side_to_move()),
        is_debtor: position.debtor().map(|debtor| debtor == position.side_to_move()),
    };
    with_size!(position.board().size(), I => match depth {
        0 => 1,
        _ => node.perft::<I>(rules, depth),
    })
}

/// Calls a visitor with every legal move and the perft count below it, until the visitor breaks.
/// With a depth of 0 there are no calls.
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
        visit(mv, perft(&position.apply_unchecked(effect), rules, depth - 1))
    })
}

/// The part of a position that the count needs: no key and no counters.
#[derive(Clone, Copy)]
struct Node {
    stones: Stones,
    /// Whether the side to move is the debtor; `None` in riatra.
    is_debtor: Option<bool>,
}

impl Node {
    fn perft<const I: usize>(self, rules: &Ruleset, depth: u32) -> u64 {
        let size = BoardSize::from_index::<I>();
        let mode = Mode::new(size, self.stones, self.is_debtor, rules);
        if depth == 1 {
            return generate::count_on::<I>(self.stones, mode);
        }
        let mut children = Children::<I> { parent: self, rules, depth: depth - 1, count: 0 };
        generate::generate_on::<I, _>(self.stones, mode, &mut children);
        children.count
    }
}

/// A sink that adds up the counts below each generated move.
struct Children<'r, const I: usize> {
    parent: Node,
    rules: &'r Ruleset,
    depth: u32,
    count: u64,
}

impl<const I: usize> Sink for Children<'_, I> {
    #[inline(always)]
    fn accept(&mut self, effect: Effect) {
        let Node { stones, is_debtor } = self.parent;
        let child =
            Node { stones: stones.after(effect), is_debtor: is_debtor.map(|debtor| !debtor) };
        self.count += child.perft::<I>(self.rules, self.depth);
    }
}
