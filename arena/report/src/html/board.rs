//! A board as a drawing that needs no script. It has the shapes of the script's boards, so that one
//! style sheet serves both.

use fanorona_protocol::rules::{Board, Direction, Move, Point, PointSet, Side};
use maud::{Markup, html};

/// The distance of two points, in the units of the drawing.
const UNIT: i64 = 100;

/// A board with a better and a worse move from its position, each with a sign.
pub(super) fn drawing(
    board: &Board,
    label: &str,
    better: (&Move, usize),
    worse: (&Move, usize),
) -> Markup {
    let size = board.size();
    let [width, height] = [size.columns(), size.rows()].map(|count| (count as i64 - 1) * UNIT);
    let at = |point: Point| [point.column() as i64 * UNIT, height - point.row() as i64 * UNIT];
    let points: Vec<Point> = PointSet::full(size).into_iter().collect();
    let neighbours = |point: Point| {
        let ahead = [Direction::East, Direction::North, Direction::NorthEast, Direction::NorthWest];
        let directions = ahead.into_iter().filter(move |it| point.is_strong() || !it.is_diagonal());
        let ends = directions.filter_map(move |direction| point.offset(direction));
        ends.filter(move |end| size.contains(*end))
    };
    let view = format!("-86 -54 {} {}", width + 140, height + 144);
    html! {
        svg class="board" viewBox=(view) role="img" aria-label=(label) {
            rect class="wood" x="-50" y="-50" width=(width + 100) height=(height + 100) rx="14" {}
            g class="lines" {
                @for &point in &points {
                    @let [x, y] = at(point);
                    @for end in neighbours(point) {
                        @let [x2, y2] = at(end);
                        line x1=(x) y1=(y) x2=(x2) y2=(y2) {}
                    }
                }
            }
            g class="points" {
                @for &point in points.iter().filter(|point| point.is_strong()) {
                    @let [x, y] = at(point);
                    circle class="strong" cx=(x) cy=(y) r="9" {}
                }
            }
            g class="names" aria-hidden="true" {
                @for (number, letter) in ('a'..).take(size.columns()).enumerate() {
                    text x=(number as i64 * UNIT) y=(height + 79) { (letter) }
                }
                @for row in 0..size.rows() {
                    text x="-68" y=(height - row as i64 * UNIT + 9) { (row + 1) }
                }
            }
            g class="stones" {
                @for &point in &points {
                    @if let Some(side) = board.at(point) { (stone(side, at(point))) }
                }
            }
            g class="hinted" {
                // On different sides, as both moves may end at the same point.
                (arrow("other", worse, -27, at))
                (arrow("best", better, 27, at))
            }
        }
    }
}

fn stone(side: Side, [x, y]: [i64; 2]) -> Markup {
    let class = match side {
        Side::White => "stone w",
        Side::Black => "stone b",
    };
    html! {
        g class=(class) transform={ "translate(" (x) " " (y) ")" } {
            circle r="39" {}
            circle class="rim" r="29" {}
        }
    }
}

/// The way of a move's stone, with a head and the move's sign at its end, this far to the right.
fn arrow(
    kind: &str,
    (mv, sign): (&Move, usize),
    right: i64,
    at: impl Fn(Point) -> [i64; 2],
) -> Markup {
    let way: Vec<[f64; 2]> = std::iter::once(mv.from())
        .chain(mv.points())
        .map(|point| at(point).map(|place| place as f64))
        .collect();
    let last = way.len() - 1;
    let ([x1, y1], [x2, y2]) = (way[last - 1], way[last]);
    let length = (x2 - x1).hypot(y2 - y1);
    let (across, down) = ((x2 - x1) / length, (y2 - y1) / length);
    // The line ends where the head begins.
    let end = [x2 - across * (HEAD + 11.0), y2 - down * (HEAD + 11.0)];
    let corner = |side: f64| {
        format!("{:.1},{:.1}", end[0] - side * down * HEAD, end[1] + side * across * HEAD)
    };
    let tip = format!("{:.1},{:.1}", x2 - across * 4.0, y2 - down * 4.0);
    let ends: Vec<[f64; 2]> = way[1..last].iter().copied().chain([end]).collect();
    html! {
        g class={ "hint " (kind) } {
            g class="shape" {
                @for (from, to) in way.iter().zip(&ends) {
                    line x1=(shown(from[0])) y1=(shown(from[1])) x2=(shown(to[0])) y2=(shown(to[1]))
                        stroke-width="16" {}
                }
                polygon points={ (tip) " " (corner(1.0)) " " (corner(-1.0)) } {}
            }
            @let [x, y] = [x2 as i64 + right, y2 as i64 - 27];
            circle cx=(x) cy=(y) r="17" {}
            text x=(x) y=(y + 8) { (sign) }
        }
    }
}

fn shown(place: f64) -> String {
    format!("{place:.1}")
}

/// Half the width of an arrow's head.
const HEAD: f64 = 21.0;

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::rules::{BoardSize, Ruleset, Start};

    #[test]
    fn a_board_has_its_lines_stones_and_moves() {
        let position = Start::TSIVY.riatra();
        let moves = position.legal_moves(&Ruleset::default());
        let drawn =
            drawing(position.board(), "The start.", (&moves[0], 1), (&moves[1], 2)).into_string();
        assert_eq!(position.board().size(), BoardSize::new(9, 5).unwrap());
        // 40 lines across, 36 upright, and one diagonal in each of the 32 squares.
        assert_eq!(drawn.matches("<line x1=").count() - drawn.matches("stroke-width").count(), 108);
        assert_eq!(drawn.matches("class=\"stone w\"").count(), 22);
        assert_eq!(drawn.matches("class=\"stone b\"").count(), 22);
        assert_eq!(drawn.matches("class=\"strong\"").count(), 23);
        assert_eq!(drawn.matches("<polygon").count(), 2);
        assert!(drawn.contains(">i</text>") && !drawn.contains(">j</text>"), "{drawn}");
    }
}
