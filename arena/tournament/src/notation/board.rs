//! Draws a board as text, in every size, with its lines, strong points and last move.
//!
//! ```text
//! 3 b───b───b      A point is joined to its neighbours by the lines stones move along; the points
//!   │ ╲ │ ╱ │      where diagonals meet are the strong ones, drawn heavier when they are empty.
//! 2 b───╋───W      The stone that moved last stands in square brackets, the points it came by in
//!   │ ╱ │ ╲ │      round ones, and what it took is crossed out.
//! 1 W───W───W
//!   a   b   c
//! ```
//!
//! This module only produces text: the caller decides what the terminal can show. Colour never
//! carries information alone.

use fanorona_protocol::rules::{Board, Move, Point, PointSet, Position, Side};

/// The characters and colours of a drawing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// Use characters beyond ASCII.
    pub unicode: bool,
    /// Use escape sequences for colours.
    pub colour: bool,
    /// Draw from Black's side.
    pub flipped: bool,
}

/// The effect of a move on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The stone's starting point and every point it reached, in order.
    pub path: Vec<Point>,
    /// The captured stones.
    pub captured: PointSet,
}

impl Trace {
    /// The effect of `mv`, which leads from `before` to `after`.
    pub fn new(before: &Position, mv: &Move, after: &Position) -> Trace {
        let path = std::iter::once(mv.from()).chain(mv.points()).collect();
        let enemy = after.side_to_move();
        let captured = before.board().stones(enemy) - after.board().stones(enemy);
        Trace { path, captured }
    }
}

impl Style {
    /// The symbol of a side's stones.
    pub fn stone(&self, side: Side) -> &'static str {
        match (side, self.unicode) {
            (Side::White, true) => "○",
            (Side::Black, true) => "●",
            (Side::White, false) => "W",
            (Side::Black, false) => "b",
        }
    }

    /// The symbol of a side's stones, in the colour used on the board.
    pub fn legend(&self, side: Side) -> String {
        self.painted(self.stone(side), stone_colour(side))
    }

    /// The symbol of a captured stone.
    pub fn taken(&self) -> &'static str {
        if self.unicode { "×" } else { "x" }
    }

    /// A text in a colour, if colours are on.
    pub(crate) fn painted(&self, text: &str, colour: Colour) -> String {
        if self.colour { format!("\x1b[{}m{text}\x1b[0m", colour.code()) } else { text.to_owned() }
    }
}

/// The roles of colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// White's stones.
    White,
    /// Black's stones.
    Black,
    /// The last move.
    Mark,
    /// Captured stones, and other losses.
    Loss,
    /// Lines and other background.
    Faint,
}

impl Colour {
    /// The parameters of the escape sequence.
    fn code(self) -> &'static str {
        match self {
            Colour::White => "1;33",
            Colour::Black => "1;36",
            Colour::Mark => "1;32",
            Colour::Loss => "1;31",
            Colour::Faint => "2",
        }
    }
}

fn stone_colour(side: Side) -> Colour {
    match side {
        Side::White => Colour::White,
        Side::Black => Colour::Black,
    }
}

/// Draws a board from the top row down, every line ended by a newline, and marks the last move if
/// given. Each column takes four characters and each row two lines: the largest boards take 36
/// columns or 18 lines.
pub fn draw(board: &Board, last: Option<&Trace>, style: Style) -> String {
    let (columns, rows) = (board.size().columns(), board.size().rows());
    // Columns from left to right and rows from the top down, as seen by the reader.
    let mut across: Vec<usize> = (0..columns).collect();
    let mut down: Vec<usize> = (0..rows).rev().collect();
    if style.flipped {
        across.reverse();
        down.reverse();
    }
    let mut text = String::new();
    for (line, &row) in down.iter().enumerate() {
        let at = |column: usize| Point::new(column, row).expect("the board has the point");
        let mut cells = format!("{}{}", row + 1, edge(last, None, Some(at(across[0])), style));
        for (place, &column) in across.iter().enumerate() {
            let here = at(column);
            cells += &point(board, here, last, (place, line), style);
            let next = across.get(place + 1).map(|&next| at(next));
            cells += &edge(last, Some(here), next, style);
        }
        text += cells.trim_end();
        text.push('\n');
        let Some(&below) = down.get(line + 1) else { break };
        text += &style.painted(&between(&across, row, below, style), Colour::Faint);
        text.push('\n');
    }
    let letters = across.iter().map(|&column| (b'a' + column as u8) as char);
    let letters: Vec<String> = letters.map(String::from).collect();
    text + "  " + &letters.join("   ") + "\n"
}

/// One point: a stone, a stone just captured, or an empty point.
fn point(
    board: &Board,
    here: Point,
    last: Option<&Trace>,
    place: (usize, usize),
    style: Style,
) -> String {
    if let Some(side) = board.at(here) {
        return style.legend(side);
    }
    if last.is_some_and(|trace| trace.captured.contains(here)) {
        return style.painted(style.taken(), Colour::Loss);
    }
    let empty = match (style.unicode, here.is_strong()) {
        (false, true) => "*",
        (false, false) => "+",
        (true, strong) => {
            let size = board.size();
            let third = |place, count| match place {
                0 => 0,
                place if place + 1 == count => 2,
                _ => 1,
            };
            let (column, row) = (third(place.0, size.columns()), third(place.1, size.rows()));
            if strong { HEAVY[row][column] } else { LIGHT[row][column] }
        }
    };
    style.painted(empty, Colour::Faint)
}

/// Symbols of empty points by their row (top, middle, bottom) and column: weak points, then strong
/// points.
const LIGHT: [[&str; 3]; 3] = [["┌", "┬", "┐"], ["├", "┼", "┤"], ["└", "┴", "┘"]];
const HEAVY: [[&str; 3]; 3] = [["┏", "┳", "┓"], ["┣", "╋", "┫"], ["┗", "┻", "┛"]];

/// The characters between two points of a row, or outside the row's ends: the line, and the
/// brackets around the points of the last move.
fn edge(last: Option<&Trace>, left: Option<Point>, right: Option<Point>, style: Style) -> String {
    let line = match (left, right) {
        (Some(_), Some(_)) if style.unicode => "─",
        (Some(_), Some(_)) => "-",
        _ => " ",
    };
    let bracket = |point: Option<Point>, of_way: &'static str, of_end: &'static str| {
        let path = last.map_or(&[][..], |trace| &trace.path);
        match point {
            Some(point) if path.last() == Some(&point) => style.painted(of_end, Colour::Mark),
            Some(point) if path.contains(&point) => style.painted(of_way, Colour::Mark),
            _ => style.painted(line, Colour::Faint),
        }
    };
    match (left, right) {
        (Some(_), Some(_)) => {
            let middle = style.painted(line, Colour::Faint);
            format!("{}{middle}{}", bracket(left, ")", "]"), bracket(right, "(", "["))
        }
        (None, _) => bracket(right, "(", "["),
        (_, None) => bracket(left, ")", "]"),
    }
}

/// The lines between two rows.
fn between(across: &[usize], row: usize, below: usize, style: Style) -> String {
    let (down, rising, falling) =
        if style.unicode { ("│", "╱", "╲") } else { ("|", "/", "\\") };
    let low = row.min(below);
    let mut text = String::from(" ");
    for (place, &column) in across.iter().enumerate() {
        text += " ";
        text += down;
        let Some(&next) = across.get(place + 1) else { break };
        // The diagonal joins the two strong corners, from either side of the board.
        let corner = Point::new(column.min(next), low).expect("the board has the point");
        text += " ";
        text += if corner.is_strong() { rising } else { falling };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::rules::{BoardSize, Ruleset};

    const ASCII: Style = Style { unicode: false, colour: false, flipped: false };
    const UNICODE: Style = Style { unicode: true, ..ASCII };

    fn position(fen: &str) -> Position {
        fen.parse().unwrap()
    }

    /// Draws the position after a move.
    fn after(fen: &str, mv: &str, style: Style) -> String {
        let (before, mv) = (position(fen), mv.parse().unwrap());
        let after = before.play(&Ruleset::default(), &mv).unwrap();
        draw(after.board(), Some(&Trace::new(&before, &mv, &after)), style)
    }

    #[test]
    fn the_start_of_the_smallest_board_is_drawn() {
        let start = Position::start(BoardSize::TELO);
        let expected = "\
3 b---b---b
  | \\ | / |
2 b---*---W
  | / | \\ |
1 W---W---W
  a   b   c
";
        assert_eq!(draw(start.board(), None, ASCII), expected);
        let expected = "\
3 ●───●───●
  │ ╲ │ ╱ │
2 ●───╋───○
  │ ╱ │ ╲ │
1 ○───○───○
  a   b   c
";
        assert_eq!(draw(start.board(), None, UNICODE), expected);
    }

    #[test]
    fn from_the_other_side_everything_is_turned_around() {
        let start = Position::start(BoardSize::TELO);
        let expected = "\
1 W---W---W
  | \\ | / |
2 W---*---b
  | / | \\ |
3 b---b---b
  c   b   a
";
        assert_eq!(draw(start.board(), None, Style { flipped: true, ..ASCII }), expected);
    }

    #[test]
    fn the_last_move_is_marked() {
        let fen = "b4/b4/bW1b1/5/5 w - 0 1";
        let expected = "\
5 b---+---*---+---*
  | \\ | / | \\ | / |
4 b---*---+---*---+
  | / | \\ | / | \\ |
3 b--(+)-[W]--x---*
  | \\ | / | \\ | / |
2 +---*---+---*---+
  | / | \\ | / | \\ |
1 *---+---*---+---*
  a   b   c   d   e
";
        assert_eq!(after(fen, "b3c3A", ASCII), expected);
        let taken_behind = after(fen, "b3c3W", UNICODE);
        assert!(taken_behind.contains("3 ×──(┼)─[○]──●───┫\n"), "{taken_behind}");
    }

    #[test]
    fn every_size_is_drawn_within_forty_columns() {
        for size in BoardSize::all() {
            for style in [ASCII, UNICODE, Style { flipped: true, ..UNICODE }] {
                let drawn = draw(Position::start(size).board(), None, style);
                let lines: Vec<&str> = drawn.lines().collect();
                assert_eq!(lines.len(), 2 * size.rows());
                assert!(lines.iter().all(|line| line.chars().count() < 40));
                for side in Side::BOTH {
                    let stones = drawn.matches(style.stone(side)).count();
                    // The label of column b is not a stone.
                    let letter = usize::from(!style.unicode && side == Side::Black);
                    assert_eq!(stones - letter, size.stones_per_side() as usize, "{drawn}");
                }
            }
        }
    }

    #[test]
    fn colours_change_nothing_but_colours() {
        let fen = "b4/b4/bW1b1/5/5 w - 0 1";
        let coloured = after(fen, "b3c3A", Style { colour: true, ..UNICODE });
        let mut plain = String::new();
        let mut parts = coloured.split('\x1b');
        plain += parts.next().unwrap();
        for part in parts {
            plain += part.split_once('m').unwrap().1;
        }
        let ends: String = plain.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
        assert_eq!(ends, after(fen, "b3c3A", UNICODE));
    }
}
