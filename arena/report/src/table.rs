//! Plain-text tables for a terminal, as wide as it allows.

use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};
use console::measure_text_width;

/// The table style: one line below the header, and narrow enough for eighty columns.
pub(crate) const STYLE: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// A table whose second column, the names, is left-aligned; all others are right-aligned.
pub(super) fn drawn(header: Vec<String>, rows: impl Iterator<Item = Vec<String>>) -> Table {
    let mut table = Table::new();
    table.load_style(STYLE);
    table.set_header(header);
    table.add_rows(rows);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_cell_alignment(match index {
            1 => CellAlignment::Left,
            _ => CellAlignment::Right,
        });
    }
    table
}

/// A table for a terminal of this width. Names that would take more than half of it go on below.
/// If the table does not fit, groups of expendable columns are dropped in order; if it still does not
/// fit, it stays at that width.
pub(super) fn fit_to_width(
    header: &[&str],
    rows: &[Vec<String>],
    width: usize,
    expendable: &[&[&str]],
) -> Table {
    let rows: Vec<Vec<String>> = rows.iter().map(|row| with_short_name(row, width)).collect();
    let without = |groups: usize| {
        let gone = expendable[..groups].concat();
        let kept = |cells: Vec<String>| -> Vec<String> {
            let cells = header.iter().zip(cells);
            cells.filter(|(title, _)| !gone.contains(title)).map(|(_, cell)| cell).collect()
        };
        let titles = header.iter().map(|&title| title.to_owned()).collect();
        drawn(kept(titles), rows.iter().cloned().map(kept))
    };
    let widest = (0..expendable.len()).map(without).find(|table| fits(table, width));
    widest.unwrap_or_else(|| without(expendable.len()))
}

/// A table for a terminal of this width that loses no column: those without room are in further tables
/// below it, each with the first two columns again.
pub(super) fn in_parts(header: &[String], rows: &[Vec<String>], width: usize) -> Vec<Table> {
    let rows: Vec<Vec<String>> = rows.iter().map(|row| with_short_name(row, width)).collect();
    let part = |columns: &[usize]| {
        let of = |cells: &[String]| -> Vec<String> {
            columns.iter().map(|&place| cells[place].clone()).collect()
        };
        drawn(of(header), rows.iter().map(|row| of(row)))
    };
    let (mut parts, mut columns) = (Vec::new(), vec![0, 1]);
    for next in 2..header.len() {
        let wider = [&columns[..], &[next]].concat();
        if columns.len() > 2 && !fits(&part(&wider), width) {
            parts.push(part(&columns));
            columns = vec![0, 1, next];
        } else {
            columns = wider;
        }
    }
    parts.push(part(&columns));
    parts
}

/// A row whose second cell, the name, has several lines if it is long.
fn with_short_name(row: &[String], width: usize) -> Vec<String> {
    /// Shorter names stay in one piece on narrow terminals, too.
    const LEAST: usize = 24;
    let most = (width / 2).max(LEAST);
    let mut row = row.to_vec();
    if let Some(name) = row.get_mut(1).filter(|name| measure_text_width(name) > most) {
        *name = textwrap::wrap(name, most).join("\n");
    }
    row
}

/// Whether a table fits into this width.
pub(super) fn fits(table: &Table, width: usize) -> bool {
    table.lines().all(|line| measure_text_width(line.trim_end()) <= width)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words in the first line of a table of this width.
    fn head(width: usize, name: &str) -> Vec<String> {
        let row = ["1", name, "+12", "7", "3"].map(str::to_owned).to_vec();
        let expendable: [&[&str]; 2] = [&["W", "L"], &["Elo"]];
        let table = fit_to_width(&["#", "engine", "Elo", "W", "L"], &[row], width, &expendable);
        let line = table.lines().next().unwrap();
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn columns_without_room_are_left_out_by_group() {
        let whole = drawn(
            ["#", "engine", "Elo", "W", "L"].map(str::to_owned).to_vec(),
            [["1", "ann", "+12", "7", "3"].map(str::to_owned).to_vec()].into_iter(),
        );
        let width = whole.lines().map(|line| measure_text_width(line.trim_end())).max().unwrap();
        assert_eq!(head(width, "ann"), ["#", "engine", "Elo", "W", "L"]);
        assert_eq!(head(width - 1, "ann"), ["#", "engine", "Elo"]);
        assert_eq!(head(12, "ann"), ["#", "engine"]);
        assert_eq!(head(3, "ann"), ["#", "engine"]);
    }

    #[test]
    fn columns_without_room_follow_below() {
        let header = ["#", "engine", "moves", "captures", "chain"].map(str::to_owned);
        let row = ["1", "ann", "12", "7", "3"].map(str::to_owned).to_vec();
        let parts = |width| in_parts(&header, std::slice::from_ref(&row), width);
        assert_eq!(parts(80).len(), 1);
        let narrow = parts(30);
        assert!(narrow.len() > 1, "{}", narrow[0]);
        assert!(narrow.iter().all(|part| fits(part, 30) && part.to_string().contains("ann")));
        let words: String = narrow.iter().map(Table::to_string).collect();
        assert!(header.iter().all(|title| words.contains(title)), "{words}");
    }

    #[test]
    fn long_names_go_on_below() {
        let name = "python3 a_bot_with_a_long_name.py --with many options --and more --of them";
        let row = ["1", name, "+12"].map(str::to_owned).to_vec();
        let table = fit_to_width(&["#", "engine", "Elo"], &[row], 60, &[&["Elo"]]);
        let text = table.to_string();
        assert!(fits(&table, 60) && text.contains("Elo"), "{text}");
        let words: Vec<&str> = text.split_whitespace().collect();
        assert!(name.split(' ').all(|word| words.contains(&word)), "{text}");
    }

    #[test]
    fn names_are_as_wide_as_they_are_shown() {
        let (narrow, wide) = ("aaaaaaaaaa", "ああああああああああ");
        let widest = |name: &str| (1..99).find(|&width| head(width, name).len() == 5).unwrap();
        assert_eq!(widest(wide), widest(narrow) + 10);
    }
}
