//! What a position is worth without looking ahead.

use fanorona_protocol::rules::{BoardSize, Point, Position, Side};

/// The evaluation of positions of one board size, in hundredths of a stone.
///
/// Values are from the view of the side to move. They do not change when the board is reflected
/// or turned, and change their sign when nothing but the side to move is exchanged.
///
/// The form was found by logistic regression of the results of games the search played against
/// itself, the weights by matches around what the regression gave.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The points at the edge.
    edge: u64,
}

/// What all stones of the board being of one side would be worth. A stone more is the larger a
/// share the fewer there are, and decides the sooner: it is worth 100 of 20, 25 of 80. Regression
/// explains results by this share far better than by the plain difference, to which it gives no
/// weight of its own.
const ALL_STONES: i32 = 2000;

/// What each step a stone could make is worth, whether or not captures forbid it.
const STEP: i32 = 28;

/// What each stone at the edge is worth.
const EDGE: i32 = -20;

/// What a stone is worth in the plainest evaluation.
const STONE: i32 = 100;

/// The most stones a creditor can have in vela phase two. In phase one all others are to be taken
/// whatever happens, so they are not counted.
const CREDITOR_STONES: u32 = 5;

impl Evaluation {
    /// The evaluation for a board size.
    pub fn new(size: BoardSize) -> Evaluation {
        let (right, top) = (size.columns() - 1, size.rows() - 1);
        let is_edge = |&index: &usize| {
            let point = Point::from_index(index, size).expect("the index is below the points");
            [0, right].contains(&point.column()) || [0, top].contains(&point.row())
        };
        let edge = (0..size.points()).filter(is_edge).fold(0, |edge, index| edge | 1 << index);
        Evaluation { edge }
    }

    /// The value of a position.
    ///
    /// ```
    /// use fanorona_bots::evaluation::Evaluation;
    /// use fanorona_protocol::rules::{BoardSize, Position};
    /// let position: Position = "2b2/5/2W2/5/1W3 w".parse().unwrap();
    /// assert!(Evaluation::new(BoardSize::DIMY).value(&position) > 0);
    /// ```
    #[inline]
    pub fn value(&self, position: &Position) -> i32 {
        let board = position.board();
        let (us, them) = (position.turn(), !position.turn());
        let counted = |side: Side| {
            let count = board.count(side);
            let creditor = position.debtor() == Some(!side);
            if creditor { count.min(CREDITOR_STONES) } else { count }
        };
        let steps = board.steps();
        let steps = steps[us as usize] as i32 - steps[them as usize] as i32;
        let at_edge = |side: Side| (board.bits(side) & self.edge).count_ones() as i32;
        let edge = at_edge(us) - at_edge(them);
        Evaluation::stones(counted(us), counted(them)) + STEP * steps + EDGE * edge
    }

    /// What so many stones against so many are worth.
    #[inline]
    pub fn stones(own: u32, enemy: u32) -> i32 {
        ALL_STONES * (own as i32 - enemy as i32) / (own + enemy).max(1) as i32
    }

    /// The value of a position by the difference of stones alone, 100 each.
    #[inline]
    pub fn material(position: &Position) -> i32 {
        let (board, us) = (position.board(), position.turn());
        STONE * (board.count(us) as i32 - board.count(!us) as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::rules::{Board, MAX_POINTS};
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
        for index in 0..old.size().points() {
            let point = Point::from_index(index, old.size()).unwrap();
            if let Some(side) = old.at(point) {
                let (column, row) = to(point);
                assert!(board.put(Point::new(column, row).unwrap(), name(side)));
            }
        }
        let placement = Position::of_board(board).to_string();
        let placement = placement.split_whitespace().next().unwrap();
        let debtor = position.debtor().map_or('-', |side| name(side).letter());
        format!("{placement} {} {debtor}", name(position.turn()).letter()).parse().unwrap()
    }

    fn any_position() -> impl Strategy<Value = Position> {
        let size = 0..BoardSize::COUNT;
        let side = || prop::sample::select(&Side::BOTH[..]);
        let points = prop::collection::vec(0..3u8, MAX_POINTS);
        (size, points, side(), prop::option::of(side())).prop_filter_map(
            "a position has a stone",
            |(size, points, turn, debtor)| {
                let size = BoardSize::all().nth(size).unwrap();
                let mut board = Board::empty(size);
                for (index, &stone) in points.iter().enumerate().take(size.points()) {
                    if let Some(&side) = Side::BOTH.get(stone as usize) {
                        board.put(Point::from_index(index, size).unwrap(), side);
                    }
                }
                let any = Side::BOTH.into_iter().any(|side| board.count(side) > 0);
                let position = Position::of_board(board).with_debtor(debtor);
                let same = |point: Point| (point.column(), point.row());
                let name = |side: Side| if turn == Side::White { side } else { !side };
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
        fn colours_mean_nothing(position in any_position()) {
            let same = |point: Point| (point.column(), point.row());
            let swapped = changed(&position, position.board().size(), same, |side| !side);
            prop_assert_eq!(value(&swapped), value(&position));
            prop_assert_eq!(Evaluation::material(&swapped), Evaluation::material(&position));
        }

        #[test]
        fn what_is_good_for_one_is_bad_for_the_other(position in any_position()) {
            let letter = (!position.turn()).letter();
            let text = position.to_string();
            let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            words[1] = letter.to_string();
            let other: Position = words.join(" ").parse().unwrap();
            prop_assert_eq!(value(&other), -value(&position));
        }
    }
}
