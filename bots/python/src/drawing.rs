//! Boards as text and as SVG pictures.

use std::fmt::Write;

use fanorona_protocol::rules::{Board, BoardSize, Move, Point, PointSet, Side};

/// Draws a board with box-drawing characters, White's side below.
pub(crate) fn unicode(board: &Board) -> String {
    let (columns, rows) = (board.size().columns(), board.size().rows());
    let stone = |column, row| match Point::new(column, row).and_then(|point| board.at(point)) {
        Some(Side::White) => "○",
        Some(Side::Black) => "●",
        None => "┼",
    };
    let mut text = String::new();
    for row in (0..rows).rev() {
        let points: Vec<_> = (0..columns).map(|column| stone(column, row)).collect();
        text += &format!("{} {}\n", row + 1, points.join("───"));
        if row > 0 {
            let between: Vec<_> = (0..columns)
                .map(|column| match (column + 1 == columns, (row + column) % 2) {
                    (true, _) => "│",
                    (false, 0) => "│ ╲ ",
                    (false, _) => "│ ╱ ",
                })
                .collect();
            text += &format!("  {}\n", between.concat());
        }
    }
    let names: Vec<_> =
        (0..columns).map(|column| ((b'a' + column as u8) as char).to_string()).collect();
    text + "  " + &names.join("   ")
}

/// The distance of two neighbouring points in a picture.
const GRID: usize = 60;
/// The distance of the outermost points from the edge.
const EDGE: usize = 45;

/// Draws a board as an SVG picture of this width, with a move on it if one is given. `captured` holds
/// the stones the move captures; they are on the board.
pub(crate) fn svg(board: &Board, mv: Option<(&Move, PointSet)>, width: usize) -> String {
    let size = board.size();
    let (right, bottom) =
        (GRID * (size.columns() - 1) + 2 * EDGE, GRID * (size.rows() - 1) + 2 * EDGE);
    let height = width * bottom / right;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {right} {bottom}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"15\" text-anchor=\"middle\">\
         <rect width=\"{right}\" height=\"{bottom}\" fill=\"#e9cf9f\"/>\
         <path d=\"{}\" stroke=\"#6b5432\" stroke-width=\"2\" fill=\"none\"/>",
        lines(size)
    );
    for column in 0..size.columns() {
        let name = (b'a' + column as u8) as char;
        let (x, y) = (EDGE + GRID * column, bottom - 10);
        let _ = write!(text, "<text x=\"{x}\" y=\"{y}\" fill=\"#6b5432\">{name}</text>");
    }
    for row in 0..size.rows() {
        let y = bottom - EDGE - GRID * row + 5;
        let _ = write!(text, "<text x=\"14\" y=\"{y}\" fill=\"#6b5432\">{}</text>", row + 1);
    }
    for point in PointSet::full(size) {
        let Some(side) = board.at(point) else { continue };
        let (x, y) = place(point, size);
        let fill = if side == Side::White { "#ffffff" } else { "#222222" };
        let fades = mv.is_some_and(|(_, captured)| captured.contains(point));
        let fade = if fades { " opacity=\"0.35\"" } else { "" };
        let _ = write!(
            text,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"20\" fill=\"{fill}\" stroke=\"#222222\" stroke-width=\"1.5\"{fade}/>"
        );
    }
    if let Some((mv, _)) = mv {
        let points: Vec<_> = std::iter::once(mv.from()).chain(mv.points()).collect();
        let places: Vec<_> = points.iter().map(|point| place(*point, size)).collect();
        let path: Vec<_> = places.iter().map(|(x, y)| format!("{x},{y}")).collect();
        let (x, y) = places[places.len() - 1];
        let _ = write!(
            text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"#c0392b\" stroke-width=\"5\" \
             stroke-linejoin=\"round\"/><circle cx=\"{x}\" cy=\"{y}\" r=\"8\" fill=\"#c0392b\"/>",
            path.join(" ")
        );
    }
    text + "</svg>"
}

/// The place of a point in the picture.
fn place(point: Point, size: BoardSize) -> (usize, usize) {
    (EDGE + GRID * point.column(), EDGE + GRID * (size.rows() - 1 - point.row()))
}

/// The lines of the board as an SVG path.
fn lines(size: BoardSize) -> String {
    let mut path = String::new();
    for point in PointSet::full(size) {
        for (columns, rows) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            let column = point.column().checked_add_signed(columns);
            let to = column.and_then(|column| Point::new(column, point.row() + rows));
            let to = to.filter(|to| size.contains(*to));
            let Some(to) = to.filter(|_| columns * rows as isize == 0 || point.is_strong()) else {
                continue;
            };
            let ((x, y), (to_x, to_y)) = (place(point, size), place(to, size));
            let _ = write!(path, "M{x} {y}L{to_x} {to_y}");
        }
    }
    path
}
