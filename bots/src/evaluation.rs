//! What a position is worth without looking ahead.

use fanorona_protocol::rules::{BoardSize, MAX_POINTS, Point, Position, Ruleset, Side};

/// What a stone is worth; every other weight is in hundredths of it.
pub const STONE: i32 = 100;

/// The evaluation of positions of one board size.
///
/// Values are from the view of the side to move. They do not change when the board is reflected
/// or turned, nor when colours and side to move are exchanged.
#[derive(Clone, Debug)]
pub struct Evaluation {
    strong: u64,
    edge: u64,
}

/// The weights while stones are many and while they are few, to be mixed by their number.
#[derive(Clone, Copy, Debug)]
struct Weight {
    many: i32,
    few: i32,
}

const MOBILITY: Weight = Weight { many: 3, few: 3 };
const STRONG: Weight = Weight { many: 6, few: 10 };
const EDGE: Weight = Weight { many: -4, few: -10 };
const THREAT: Weight = Weight { many: 10, few: 10 };
const TEMPO: i32 = 10;
/// What all stones' difference is worth as a share of all stones.
const SHARE: i32 = 400;

impl Evaluation {
    /// The evaluation for a board size.
    pub fn new(size: BoardSize, _rules: &Ruleset) -> Evaluation {
        let bits = |wanted: &dyn Fn(Point) -> bool| {
            (0..size.points())
                .filter(|&index| wanted(Point::from_index(index, size).expect("on the board")))
                .fold(0, |bits, index| bits | 1 << index)
        };
        let (right, top) = (size.columns() - 1, size.rows() - 1);
        let strong = bits(&|point| point.is_strong());
        let edge = bits(&|point| {
            point.column() == 0 || point.row() == 0 || point.column() == right || point.row() == top
        });
        Evaluation { strong, edge }
    }

    /// The difference of the stones alone.
    pub fn material(position: &Position) -> i32 {
        let board = position.board();
        let (own, enemy) = (board.count(position.turn()), board.count(!position.turn()));
        STONE * (own as i32 - enemy as i32)
    }

    /// The value of a position.
    pub fn value(&self, position: &Position) -> i32 {
        let board = position.board();
        let (us, them) = (position.turn(), !position.turn());
        let (own, enemy) = (board.count(us) as i32, board.count(them) as i32);
        let all = own + enemy;
        let difference = |count: &dyn Fn(Side) -> u32| count(us) as i32 - count(them) as i32;
        let on = |mask: u64| difference(&|side| (board.bits(side) & mask).count_ones());
        let mut value = STONE * (own - enemy) + SHARE * (own - enemy) / all.max(1) + TEMPO;
        for (weight, difference) in [
            (MOBILITY, difference(&|side| board.steps(side))),
            (STRONG, on(self.strong)),
            (EDGE, on(self.edge)),
            (THREAT, difference(&|side| board.capturing_bits(side).count_ones())),
        ] {
            let mixed = weight.many * all + weight.few * (MAX_POINTS as i32 - all);
            value += mixed * difference / MAX_POINTS as i32;
        }
        value
    }
}
