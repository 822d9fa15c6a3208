//! The hand-written evaluation: a formula with a few terms, for every board.

use fanorona_protocol::rules::{BoardSize, Position, Side, raw};

use super::weight::{PHASES, Weight};
use super::weights::{DEBT, RIATRA};

/// Evaluates the positions of one board size, in hundredths of a stone.
///
/// Values are from the view of the side to move. They do not change when the board is reflected or
/// rotated, or when the colours are exchanged.
///
/// A value is a weighted sum of terms: lead in stones, mobility, confinement, the placement of the
/// stones, threats, and the turn to move. The weights depend on the phase of the game: the share of
/// occupied points. The first phase of vela has its own terms, and its phase is the share of the
/// stones still to be taken by the debtor. The weights are interpolated between the [`PHASES`].
/// They were found by logistic regression (package `fanorona-training`) on positions of 9×5; shares
/// make them fit other boards.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The points at the edge, corners included.
    edge: u64,
    /// The corners.
    corners: u64,
    /// The points with diagonals.
    strong: u64,
    points: u32,
    stones_per_side: u32,
    /// The weights of the terms in units of 1 / [`UNIT`], by the number of stones of both sides.
    riatra: [[i32; RIATRA_TERMS.len()]; MOST_STONES],
    /// The weights in the first phase of vela, by the creditor's stones.
    debt: [[i32; DEBT_TERMS.len()]; MOST_STONES],
}

/// The values of a position's terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Terms {
    /// Riatra and the second phase of vela, from the view of the side to move.
    Riatra([i32; RIATRA_TERMS.len()]),
    /// The first phase of vela, from the view of the debtor, and which side that is.
    Debt([i32; DEBT_TERMS.len()], Side),
}

/// The terms of riatra; "more" means more than the enemy. The first term counts in hundredths of
/// its unit.
pub const RIATRA_TERMS: [&str; 10] = [
    "more stones, as 20 times the share of all",
    "more steps to empty points",
    "more stones that cannot move",
    "more stones on strong points",
    "more stones at the edge",
    "more stones in corners",
    "more pairs of neighbours",
    "enemy stones that could capture",
    "enemy captures that could go on",
    "being to move",
];

/// The terms of vela's first phase. The first term counts in hundredths of its unit.
pub const DEBT_TERMS: [&str; 16] = [
    "debtor's stones more than the creditor will have left, as 20 times the share of both",
    "one",
    "debtor's steps to empty points",
    "creditor's steps to empty points",
    "debtor's stones that cannot move",
    "creditor's stones that cannot move",
    "debtor's stones on strong points",
    "creditor's stones on strong points",
    "debtor's stones at the edge",
    "creditor's stones at the edge",
    "debtor's pairs of neighbours",
    "creditor's pairs of neighbours",
    "debtor's stones that can capture",
    "creditor's stones that could capture",
    "creditor's captures that could go on",
    "debtor to move, or minus one",
];

/// The weights of all terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// The weights of riatra.
    pub riatra: [Weight; RIATRA_TERMS.len()],
    /// The weights of the first phase of vela.
    pub debt: [Weight; DEBT_TERMS.len()],
}

impl Weights {
    /// The built-in weights.
    pub const SHIPPED: Weights = Weights { riatra: RIATRA, debt: DEBT };
}

/// The phases of riatra, in per cent of occupied points (all but one).
const RIATRA_PHASES: [u32; PHASES] = [10, 20, 33, 55, 85];

/// The phases of vela's first phase, in per cent of its stones that are still to be taken.
const DEBT_PHASES: [u32; PHASES] = [5, 25, 50, 75, 95];

/// The denominator of the tables of weights.
const UNIT: i32 = 1024;

/// More than the stones of any board.
const MOST_STONES: usize = 64;

/// The value of owning all stones on the board. The fewer stones there are, the larger the share of
/// one stone, and the sooner it decides: an extra stone is worth 100 of 20, but 25 of 80. In the
/// regression, this share explains results far better than the plain difference, which gets no
/// weight of its own.
const ALL_STONES: i32 = 2000;

/// The value of a stone in the material evaluation.
const STONE: i32 = 100;

/// The maximum number of the creditor's stones in vela phase two. In phase one, all others will be
/// taken in any case.
const CREDITOR_STONES: u32 = 5;

/// A point between two phases.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PhasePoint {
    /// The index of the earlier phase, below [`PHASES`] - 1.
    pub phase: usize,
    /// The distance from that phase towards the next one, from 0 to 1.
    pub part: f64,
}

impl PhasePoint {
    /// The point between phases of a share, given as a part of a whole.
    fn new(phases: &[u32; PHASES], some: u32, whole: u32) -> PhasePoint {
        let per_cent = 100.0 * f64::from(some) / f64::from(whole.max(1));
        let phase = (1..PHASES - 1).rev().find(|&phase| per_cent >= f64::from(phases[phase]));
        let phase = phase.unwrap_or(0);
        let [from, to] = [phases[phase], phases[phase + 1]].map(f64::from);
        PhasePoint { phase, part: ((per_cent - from) / (to - from)).clamp(0.0, 1.0) }
    }

    /// The interpolated weight of a term, in units of 1 / [`UNIT`].
    fn weight(self, weight: &Weight) -> i32 {
        let [from, to] = [weight[self.phase], weight[self.phase + 1]].map(f64::from);
        ((from + (to - from) * self.part) * f64::from(UNIT)).round() as i32
    }
}

impl Evaluation {
    /// The evaluation for a board size with the built-in weights.
    pub fn new(size: BoardSize) -> Evaluation {
        Evaluation::with(&Weights::SHIPPED, size)
    }

    /// The evaluation for a board size with the given weights, each within ±10,000.
    pub fn with(weights: &Weights, size: BoardSize) -> Evaluation {
        let (right, top) = (size.columns() - 1, size.rows() - 1);
        let mut evaluation = Evaluation {
            edge: 0,
            corners: 0,
            strong: 0,
            points: size.points() as u32,
            stones_per_side: size.stones_per_side(),
            riatra: [[0; _]; MOST_STONES],
            debt: [[0; _]; MOST_STONES],
        };
        for index in 0..size.points() {
            let point = raw::point(index, size).expect("the index is below the points");
            let ends = [[0, right].contains(&point.column()), [0, top].contains(&point.row())];
            evaluation.edge |= u64::from(ends.contains(&true)) << index;
            evaluation.corners |= u64::from(!ends.contains(&false)) << index;
            evaluation.strong |= u64::from(point.is_strong()) << index;
        }
        for stones in 0..MOST_STONES {
            let between = evaluation.riatra_phase(stones as u32);
            evaluation.riatra[stones] = weights.riatra.map(|weight| between.weight(&weight));
            let between = evaluation.debt_phase(stones as u32);
            evaluation.debt[stones] = weights.debt.map(|weight| between.weight(&weight));
            // The first term is in hundredths.
            evaluation.riatra[stones][0] /= 100;
            evaluation.debt[stones][0] /= 100;
        }
        evaluation
    }

    fn riatra_phase(&self, stones: u32) -> PhasePoint {
        PhasePoint::new(&RIATRA_PHASES, stones, self.points - 1)
    }

    fn debt_phase(&self, creditor: u32) -> PhasePoint {
        let still = |stones: u32| stones.saturating_sub(CREDITOR_STONES);
        PhasePoint::new(&DEBT_PHASES, still(creditor), still(self.stones_per_side))
    }

    /// The value of a position.
    ///
    /// ```
    /// use fanorona_bots::evaluation::Evaluation;
    /// use fanorona_protocol::rules::{BoardSize, Position};
    /// let position: Position = "2b2/5/2W2/5/1W3 w".parse().unwrap();
    /// assert!(Evaluation::new(BoardSize::DIMY).value(&position) > 0);
    /// ```
    // Inlined, it would make every call of a network save more registers.
    #[inline(never)]
    pub fn value(&self, position: &Position) -> i32 {
        let board = position.board();
        match self.terms(position) {
            Terms::Riatra(terms) => {
                let stones = board.count(Side::White) + board.count(Side::Black);
                weigh(&terms, &self.riatra[stones as usize % MOST_STONES])
            }
            Terms::Debt(terms, debtor) => {
                let stones = board.count(!debtor);
                let value = weigh(&terms, &self.debt[stones as usize % MOST_STONES]);
                if debtor == position.side_to_move() { value } else { -value }
            }
        }
    }

    /// The phase of a position.
    pub fn phase(&self, position: &Position) -> PhasePoint {
        let board = position.board();
        match position.debtor().filter(|_| position.is_vela_phase_one()) {
            None => self.riatra_phase(board.count(Side::White) + board.count(Side::Black)),
            Some(debtor) => self.debt_phase(board.count(!debtor)),
        }
    }

    /// The values of a position's terms.
    #[inline]
    pub fn terms(&self, position: &Position) -> Terms {
        let board = position.board();
        let mobility = board.mobility();
        let of = |side: Side| (mobility[side as usize], raw::stones(board, side));
        let still =
            |side: Side| board.count(side) as i32 - mobility[side as usize].movable.len() as i32;
        match position.debtor().filter(|_| position.is_vela_phase_one()) {
            None => {
                let us = position.side_to_move();
                let ((own, ours), (enemy, theirs)) = (of(us), of(!us));
                let more = |points: u64| count(ours & points) - count(theirs & points);
                let threats = board.threats(!us);
                Terms::Riatra([
                    Evaluation::stones(ours.count_ones(), theirs.count_ones()),
                    own.steps as i32 - enemy.steps as i32,
                    still(us) - still(!us),
                    more(self.strong),
                    more(self.edge),
                    more(self.corners),
                    own.pairs as i32 - enemy.pairs as i32,
                    threats.capturing.len() as i32,
                    threats.chains as i32,
                    1,
                ])
            }
            Some(debtor) => {
                let ((own, ours), (enemy, theirs)) = (of(debtor), of(!debtor));
                let threats = board.threats(!debtor);
                let terms = [
                    Evaluation::stones(ours.count_ones(), CREDITOR_STONES),
                    1,
                    own.steps as i32,
                    enemy.steps as i32,
                    still(debtor),
                    still(!debtor),
                    count(ours & self.strong),
                    count(theirs & self.strong),
                    count(ours & self.edge),
                    count(theirs & self.edge),
                    own.pairs as i32,
                    enemy.pairs as i32,
                    board.capturing(debtor).len() as i32,
                    threats.capturing.len() as i32,
                    threats.chains as i32,
                    if debtor == position.side_to_move() { 1 } else { -1 },
                ];
                Terms::Debt(terms, debtor)
            }
        }
    }

    /// The value of the stones of one side against those of the other.
    #[inline]
    pub fn stones(own: u32, enemy: u32) -> i32 {
        ALL_STONES * (own as i32 - enemy as i32) / (own + enemy).max(1) as i32
    }

    /// The value of a position by material alone, 100 for each stone of difference.
    #[inline]
    pub fn material(position: &Position) -> i32 {
        let (board, us) = (position.board(), position.side_to_move());
        STONE * (board.count(us) as i32 - board.count(!us) as i32)
    }
}

#[inline]
fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

/// The weighted sum of terms, with weights in units of 1 / [`UNIT`].
#[inline]
fn weigh<const N: usize>(terms: &[i32; N], weights: &[i32; N]) -> i32 {
    terms.iter().zip(weights).map(|(term, weight)| term * weight).sum::<i32>() / UNIT
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::rules::{Board, MAX_POINTS, Point, PointSet};
    use proptest::prelude::*;

    /// A position with its points moved and its sides named by functions; the text form carries
    /// what is not on the board.
    fn changed(
        position: &Position,
        size: BoardSize,
        to: impl Fn(Point) -> (usize, usize),
        name: impl Fn(Side) -> Side,
    ) -> Position {
        let old = position.board();
        let mut board = Board::empty(size);
        for point in PointSet::full(old.size()) {
            if let Some(side) = old.at(point) {
                let (column, row) = to(point);
                assert!(board.put(Point::new(column, row).unwrap(), name(side)));
            }
        }
        let placement = Position::from_board(board).to_string();
        let placement = placement.split_whitespace().next().unwrap();
        let debtor = position.debtor().map_or('-', |side| name(side).letter());
        format!("{placement} {} {debtor}", name(position.side_to_move()).letter()).parse().unwrap()
    }

    fn any_position() -> impl Strategy<Value = Position> {
        let size = 0..BoardSize::COUNT;
        let side = || prop::sample::select(&Side::BOTH[..]);
        let points = prop::collection::vec(0..3u8, MAX_POINTS);
        (size, points, side(), prop::option::of(side())).prop_filter_map(
            "a position has a stone",
            |(size, points, mv, debtor)| {
                let size = BoardSize::all().nth(size).unwrap();
                let mut board = Board::empty(size);
                for (point, &stone) in PointSet::full(size).into_iter().zip(&points) {
                    if let Some(&side) = Side::BOTH.get(stone as usize) {
                        board.put(point, side);
                    }
                }
                let any = Side::BOTH.into_iter().any(|side| board.count(side) > 0);
                let position = Position::from_board(board).with_debtor(debtor);
                let same = |point: Point| (point.column(), point.row());
                let name = |side: Side| if mv == Side::White { side } else { !side };
                any.then(|| changed(&position, size, same, name))
            },
        )
    }

    fn value(position: &Position) -> i32 {
        Evaluation::new(position.board().size()).value(position)
    }

    proptest! {
        #[test]
        fn symmetries_of_the_board_change_nothing(position in any_position()) {
            let size = position.board().size();
            let (right, top) = (size.columns() - 1, size.rows() - 1);
            let turned = BoardSize::new(size.rows(), size.columns()).unwrap();
            let expected = value(&position);
            let same = |side| side;
            for image in [
                changed(&position, size, |p| (right - p.column(), p.row()), same),
                changed(&position, size, |p| (p.column(), top - p.row()), same),
                changed(&position, turned, |p| (p.row(), p.column()), same),
            ] {
                prop_assert_eq!(value(&image), expected);
            }
        }

        #[test]
        fn exchanging_colours_keeps_the_value(position in any_position()) {
            let same = |point: Point| (point.column(), point.row());
            let swapped = changed(&position, position.board().size(), same, |side| !side);
            prop_assert_eq!(value(&swapped), value(&position));
            prop_assert_eq!(Evaluation::material(&swapped), Evaluation::material(&position));
        }

        #[test]
        fn in_phase_one_only_being_to_move_is_good_for_both(position in any_position()) {
            let size = position.board().size();
            let evaluation = Evaluation::new(size);
            if let Terms::Debt(terms, _) = evaluation.terms(&position) {
                let other = changed_move(&position);
                let Terms::Debt(others, _) = evaluation.terms(&other) else { unreachable!() };
                let (last, others_last) = (terms.last().unwrap(), others.last().unwrap());
                prop_assert_eq!(*last, -others_last);
                prop_assert_eq!(terms[..15].to_vec(), others[..15].to_vec());
            }
        }

        #[test]
        fn a_large_lead_has_a_high_value_on_every_board(
            (position, keep) in (any_position(), any::<prop::sample::Index>()),
        ) {
            // All of the enemy's stones but one, wherever it stands, are taken away.
            let (board, us) = (position.board(), position.side_to_move());
            prop_assume!(board.count(us) >= 5 && board.count(!us) >= 1);
            let enemies: Vec<Point> = board.stones(!us).into_iter().collect();
            let kept = *keep.get(&enemies);
            let mut bare = Board::empty(board.size());
            for point in PointSet::full(board.size()) {
                if let Some(side) = board.at(point).filter(|&side| side == us || point == kept) {
                    bare.put(point, if side == us { Side::White } else { Side::Black });
                }
            }
            let bare = Position::from_board(bare);
            prop_assert!(value(&bare) > 500, "{}: {}", bare, value(&bare));
            prop_assert!(value(&changed_move(&bare)) < -500, "{}", bare);
        }
    }

    /// The same stones with the other side to move.
    fn changed_move(position: &Position) -> Position {
        let text = position.to_string();
        let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        words[1] = (!position.side_to_move()).letter().to_string();
        words.join(" ").parse().unwrap()
    }

    #[test]
    fn terms_match_their_definitions() {
        let evaluation = Evaluation::new(BoardSize::DIMY);
        // White has a corner, another stone beside it, and two steps with each; Black has all eight from
        // the middle, and takes a1 by going to b2, from where b1 can be taken as well.
        let position: Position = "5/5/2b2/5/WW3 w".parse().unwrap();
        let expected = [2000 / 3, 2 + 2 - 8, 0, 1 - 1, 2, 1, 1, 1, 1, 1];
        assert_eq!(evaluation.terms(&position), Terms::Riatra(expected));
        // White takes c3 by going to b2.
        let expected = [-2000 / 3, 8 - 2 - 2, 0, 1 - 1, -2, -1, -1, 1, 0, 1];
        assert_eq!(evaluation.terms(&changed_move(&position)), Terms::Riatra(expected));
    }

    #[test]
    fn weights_are_interpolated_between_phases() {
        let phases = [10, 20, 33, 55, 85];
        let weight = [100, 200, 300, 400, 500];
        for (some, expected) in [(0, 100), (10, 100), (15, 150), (20, 200), (70, 450), (100, 500)] {
            assert_eq!(
                PhasePoint::new(&phases, some, 100).weight(&weight),
                expected * UNIT,
                "{some}"
            );
        }
    }
}
