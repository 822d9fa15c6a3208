//! What the stones of a side could do with one step, for evaluations.

use super::board::Board;
use super::geometry::{lines, with_size};
use super::side::Side;
use super::steps::{Captures, Stones, before};

/// How free the stones of one side are, whether or not it is to move or has to capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mobility {
    /// How many steps to adjacent empty points there are.
    pub steps: u32,
    /// The stones that have one, bit *i* being the point with
    /// [`Point::index`](super::Point::index) *i*.
    pub movable: u64,
    /// How many pairs of the stones are neighbours along a line.
    pub pairs: u32,
}

/// What one side would capture with if it were to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threats {
    /// The stones with a step that captures, as bits.
    pub capturing: u64,
    /// From how many stones, in how many directions together, a step captures after which the stone
    /// could capture again.
    pub chains: u32,
}

impl Board {
    /// Returns how free the stones of each side are, White's first.
    #[inline]
    pub fn mobility(&self) -> [Mobility; 2] {
        let Stones { own: white, enemy: black } = Stones::of(self, Side::White);
        with_size!(self.size(), I => {
            let empty = lines::<I>().board & !(white | black);
            let mut sides = [Mobility::default(); 2];
            for d in 0..8 {
                let before_empty = before::<I>(d, empty);
                for (side, stones) in sides.iter_mut().zip([white, black]) {
                    let movers = stones & before_empty;
                    side.steps += movers.count_ones();
                    side.movable |= movers;
                    if d < 4 {
                        side.pairs += (stones & before::<I>(d, stones)).count_ones();
                    }
                }
            }
            sides
        })
    }

    /// Returns what a side would capture with if it were to move.
    #[inline]
    pub fn threats(&self, side: Side) -> Threats {
        let stones = Stones::of(self, side);
        with_size!(self.size(), I => {
            let empty = stones.empty::<I>();
            // With those that stones would have on the empty points, for what follows a step.
            let captures = Captures::of::<I>(stones.own | empty, stones.enemy, empty);
            let onward = captures.onward::<I>();
            let mut threats = Threats { capturing: 0, chains: 0 };
            for (d, onward) in onward.into_iter().enumerate() {
                let capturing = stones.own & (captures.approach[d] | captures.withdrawal[d]);
                threats.capturing |= capturing;
                threats.chains += (capturing & onward).count_ones();
            }
            threats
        })
    }

    /// Returns the stones of a side that could capture if it were to move, as bits.
    #[inline]
    pub fn capturing_bits(&self, side: Side) -> u64 {
        let stones = Stones::of(self, side);
        with_size!(self.size(), I => {
            Captures::of::<I>(stones.own, stones.enemy, stones.empty::<I>()).any()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{BoardSize, Direction, MAX_POINTS, Point, Position, Ruleset};
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn any_board() -> impl Strategy<Value = Board> {
        let points = prop::collection::vec(0..4u8, MAX_POINTS);
        (0..BoardSize::COUNT, points).prop_filter_map("a stone", |(size, points)| {
            let size = BoardSize::all().nth(size).unwrap();
            let mut board = Board::empty(size);
            for (index, &stone) in points.iter().enumerate().take(size.points()) {
                if let Some(&side) = Side::BOTH.get(usize::from(stone)) {
                    board.put(Point::from_index(index, size).unwrap(), side);
                }
            }
            Side::BOTH.into_iter().any(|side| board.count(side) > 0).then_some(board)
        })
    }

    /// The next point along a line.
    fn next(board: &Board, from: Point, direction: Direction) -> Option<Point> {
        let to = from.offset(direction).filter(|to| to.index(board.size()).is_some());
        to.filter(|_| from.is_strong() || !direction.is_diagonal())
    }

    /// Mobility point by point.
    fn walked(board: &Board, side: Side) -> Mobility {
        let (mut found, mut neighbours) = (Mobility::default(), 0);
        for index in 0..board.size().points() {
            let from = Point::from_index(index, board.size()).unwrap();
            for direction in Direction::ALL {
                let to = next(board, from, direction).filter(|_| board.at(from) == Some(side));
                match to.map(|to| board.at(to)) {
                    Some(None) => {
                        found.steps += 1;
                        found.movable |= 1 << index;
                    }
                    Some(Some(other)) if other == side => neighbours += 1,
                    _ => {}
                }
            }
        }
        // Each pair was met from both ends.
        Mobility { pairs: neighbours / 2, ..found }
    }

    /// Threats by the legal moves.
    fn generated(board: &Board, side: Side) -> Threats {
        let placement = Position::of_board(*board).to_string();
        let placement = placement.split_whitespace().next().unwrap();
        let position: Position = format!("{placement} {}", side.letter()).parse().unwrap();
        let moves = position.legal_moves(&Ruleset::default());
        let (mut capturing, mut chains) = (0, HashSet::new());
        for mv in moves.iter().filter(|mv| mv.is_capture()) {
            capturing |= 1 << mv.from().index(board.size()).unwrap();
            if mv.steps().len() > 1 {
                chains.insert((mv.from(), mv.steps()[0].direction as u8));
            }
        }
        Threats { capturing, chains: chains.len() as u32 }
    }

    proptest! {
        #[test]
        fn mobility_is_what_a_walk_over_the_board_finds(board in any_board()) {
            prop_assert_eq!(board.mobility(), Side::BOTH.map(|side| walked(&board, side)));
        }

        #[test]
        fn threats_are_the_captures_of_the_generator(board in any_board()) {
            for side in Side::BOTH {
                prop_assert_eq!(board.threats(side), generated(&board, side));
                prop_assert_eq!(board.capturing_bits(side), board.threats(side).capturing);
            }
        }
    }
}
