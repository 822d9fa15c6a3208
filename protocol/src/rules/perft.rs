//! Perft: how many sequences of legal turns of a length there are.

use std::ops::ControlFlow;

use super::generate::{self, Effect, Mode, Sink, Stones};
use super::geometry::BoardSize;
use super::position::Position;
use super::ruleset::Ruleset;
use super::turn::{Step, Turn};

/// The number of sequences of `depth` legal turns from a position, two paths to the same position
/// being two turns. A position without a turn adds nothing to deeper counts; repetition and limits
/// play no part. Nothing is cached; the last ply is counted without being played.
///
/// ```
/// use fanorona_protocol::rules::{BoardSize, Position, Ruleset, perft};
/// assert_eq!(perft(&Position::start(BoardSize::TSIVY), &Ruleset::default(), 3), 724);
/// ```
pub fn perft(position: &Position, rules: &Ruleset, depth: u32) -> u64 {
    let node = Node {
        size: position.board().size(),
        stones: Stones::of(position.board(), position.turn()),
        owes: position.debtor().map(|debtor| debtor == position.turn()),
    };
    match depth {
        0 => 1,
        1 => position.count_turns(rules),
        _ => node.perft(rules, depth),
    }
}

/// The divide form: every legal turn with the count below it, until the visitor breaks. With a
/// depth of 0 there is none.
pub fn divide(
    position: &Position,
    rules: &Ruleset,
    depth: u32,
    mut visit: impl FnMut(&Turn, u64) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if depth == 0 {
        return ControlFlow::Continue(());
    }
    position.visit_turns(rules, |turn, effect| {
        visit(turn, perft(&position.play_unchecked(effect), rules, depth - 1))
    })
}

/// As much of a position as the count needs: no key, no counters.
#[derive(Clone, Copy)]
struct Node {
    size: BoardSize,
    stones: Stones,
    /// Whether the side to move is the debtor; `None` in riatra.
    owes: Option<bool>,
}

impl Node {
    fn perft(self, rules: &Ruleset, depth: u32) -> u64 {
        let mode = Mode::of(self.size, self.stones, self.owes, rules);
        let mut children = Children { parent: self, rules, depth: depth - 1, count: 0 };
        generate::generate(self.size, self.stones, mode, &mut children);
        children.count
    }
}

/// Counts below each turn as it is generated.
struct Children<'r> {
    parent: Node,
    rules: &'r Ruleset,
    depth: u32,
    count: u64,
}

impl Sink for Children<'_> {
    const PATHS: bool = false;

    #[inline(always)]
    fn turn(&mut self, effect: Effect, _: &[Step]) {
        let Node { size, stones, owes } = self.parent;
        let child = Node { size, stones: stones.after(effect), owes: owes.map(|owes| !owes) };
        self.count += match self.depth {
            1 => {
                let mode = Mode::of(size, child.stones, child.owes, self.rules);
                generate::count_stones(size, child.stones, mode)
            }
            depth => child.perft(self.rules, depth),
        };
    }
}
