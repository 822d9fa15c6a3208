//! Counts of what the stones of a side can do with one step, for evaluation functions.

use super::board::Board;
use super::geometry::{lines, with_size};
use super::point_set::PointSet;
use super::side::Side;
use super::steps::{Captures, Stones, before};

/// The mobility of the stones of one side. It does not matter whose turn it is and whether a
/// capture is compulsory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mobility {
    /// The number of steps to neighbouring empty points.
    pub steps: u32,
    /// The stones that have at least one such step.
    pub movable: PointSet,
    /// The number of pairs of own stones that are neighbours along a line.
    pub pairs: u32,
}

/// The captures one side would have if it were to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threats {
    /// The stones that have a capturing step.
    pub capturing: PointSet,
    /// The number of pairs of a stone and a direction in which a capturing step can be followed by
    /// another one.
    pub chains: u32,
}

impl Board {
    /// Returns the mobility of both sides, White first.
    #[inline]
    pub fn mobility(&self) -> [Mobility; 2] {
        let Stones { own: white, enemy: black } = Stones::new(self, Side::White);
        with_size!(self.size(), I => {
            let empty = lines::<I>().board & !(white | black);
            // The steps, the movable stones and the pairs of each side.
            let mut sides = [(0, 0, 0); 2];
            for d in 0..8 {
                let before_empty = before::<I>(d, empty);
                for ((steps, movable, pairs), stones) in sides.iter_mut().zip([white, black]) {
                    let movers = stones & before_empty;
                    *steps += movers.count_ones();
                    *movable |= movers;
                    if d < 4 {
                        *pairs += (stones & before::<I>(d, stones)).count_ones();
                    }
                }
            }
            sides.map(|(steps, movable, pairs)| {
                Mobility { steps, movable: PointSet::from_board_bits(movable, self.size()), pairs }
            })
        })
    }

    /// Returns the captures a side would have if it were to move.
    #[inline]
    pub fn threats(&self, side: Side) -> Threats {
        let stones = Stones::new(self, side);
        with_size!(self.size(), I => {
            let empty = stones.empty::<I>();
            // Stones on the empty points are imagined, to find the second step of a chain.
            let captures = Captures::new::<I>(stones.own | empty, stones.enemy, empty);
            let onward = captures.onward::<I>();
            let (mut all, mut chains) = (0, 0);
            for (d, onward) in onward.into_iter().enumerate() {
                let capturing = stones.own & (captures.approach[d] | captures.withdrawal[d]);
                all |= capturing;
                chains += (capturing & onward).count_ones();
            }
            Threats { capturing: PointSet::from_board_bits(all, self.size()), chains }
        })
    }

    /// Returns the stones of a side that could capture if it were to move.
    #[inline]
    pub fn capturing(&self, side: Side) -> PointSet {
        let stones = Stones::new(self, side);
        let capturing = with_size!(self.size(), I => {
            Captures::new::<I>(stones.own, stones.enemy, stones.empty::<I>()).any()
        });
        PointSet::from_board_bits(capturing, self.size())
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

    /// Returns the next point along a line.
    fn next(board: &Board, from: Point, direction: Direction) -> Option<Point> {
        let to = from.offset(direction).filter(|to| board.size().contains(*to));
        to.filter(|_| from.is_strong() || !direction.is_diagonal())
    }

    /// Computes the mobility point by point.
    fn naive_mobility(board: &Board, side: Side) -> Mobility {
        let movable = PointSet::empty(board.size());
        let (mut found, mut neighbours) = (Mobility { steps: 0, movable, pairs: 0 }, 0);
        for from in PointSet::full(board.size()) {
            for direction in Direction::ALL {
                let to = next(board, from, direction).filter(|_| board.at(from) == Some(side));
                match to.map(|to| board.at(to)) {
                    Some(None) => {
                        found.steps += 1;
                        found.movable.insert(from);
                    }
                    Some(Some(other)) if other == side => neighbours += 1,
                    _ => {}
                }
            }
        }
        // The loop finds each pair from both ends.
        Mobility { pairs: neighbours / 2, ..found }
    }

    /// Computes the threats from the legal moves.
    fn naive_threats(board: &Board, side: Side) -> Threats {
        let placement = Position::from_board(*board).to_string();
        let placement = placement.split_whitespace().next().unwrap();
        let position: Position = format!("{placement} {}", side.letter()).parse().unwrap();
        let moves = position.legal_moves(&Ruleset::default());
        let (mut capturing, mut chains) = (PointSet::empty(board.size()), HashSet::new());
        for mv in moves.iter().filter(|mv| mv.is_capture()) {
            capturing.insert(mv.from());
            if mv.steps().len() > 1 {
                chains.insert((mv.from(), mv.steps()[0].direction as u8));
            }
        }
        Threats { capturing, chains: chains.len() as u32 }
    }

    proptest! {
        #[test]
        fn mobility_agrees_with_a_point_by_point_count(board in any_board()) {
            prop_assert_eq!(board.mobility(), Side::BOTH.map(|side| naive_mobility(&board, side)));
        }

        #[test]
        fn threats_agree_with_the_generator(board in any_board()) {
            for side in Side::BOTH {
                prop_assert_eq!(board.threats(side), naive_threats(&board, side));
                prop_assert_eq!(board.capturing(side), board.threats(side).capturing);
            }
        }
    }
}
