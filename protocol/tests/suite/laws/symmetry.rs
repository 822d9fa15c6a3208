//! Laws of symmetry, of the board and of the two sides. Both dimensions of a board are odd, so
//! mirroring it and exchanging its columns and rows keep strong points strong.

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use super::positions::{Case, position, ruleset};
use crate::naive;

/// A combination of transformations that do not change the game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symmetry {
    left_right: bool,
    top_bottom: bool,
    /// Exchanges columns and rows.
    transposed: bool,
    /// Exchanges White and Black, also as side to move and as debtor.
    colours: bool,
}

pub(crate) fn symmetries() -> impl Strategy<Value = Symmetry> {
    any::<[bool; 4]>().prop_map(|[left_right, top_bottom, transposed, colours]| Symmetry {
        left_right,
        top_bottom,
        transposed,
        colours,
    })
}

impl Symmetry {
    /// Returns the image of a position. The number of the full move does not change.
    fn of_position(self, text: &str) -> String {
        let fields: Vec<&str> = text.split(' ').collect();
        let mut rows: Vec<Vec<char>> =
            naive::rows_of(fields[0]).iter().map(|row| row.chars().collect()).collect();
        if self.left_right {
            rows.iter_mut().for_each(|row| row.reverse());
        }
        if self.top_bottom {
            rows.reverse();
        }
        if self.transposed {
            // Rows are listed from the top, columns from the left, and a1 must stay in place.
            let columns = rows[0].len();
            rows = (0..columns)
                .rev()
                .map(|column| rows.iter().rev().map(|row| row[column]).collect())
                .collect();
        }
        let rows: Vec<String> = rows
            .iter()
            .map(|row| row.iter().map(|&letter| self.of_letter(letter)).collect())
            .collect();
        let sides: String = [fields[1], fields[2]]
            .map(|field| match (self.colours, field) {
                (true, "w") => "b",
                (true, "b") => "w",
                _ => field,
            })
            .join(" ");
        format!("{} {sides} {} {}", naive::placement_of(&rows), fields[3], fields[4])
    }

    fn of_letter(self, letter: char) -> char {
        match (self.colours, letter) {
            (true, 'W') => 'b',
            (true, 'b') => 'W',
            _ => letter,
        }
    }

    /// Returns the image of a move on a board of this size.
    fn of_move(self, text: &str, (columns, rows): (u8, u8)) -> String {
        let mut image = String::new();
        let mut column = 0;
        for letter in text.bytes() {
            match letter {
                b'a'..=b'i' => column = letter - b'a',
                b'1'..=b'9' => {
                    let mut row = letter - b'1';
                    if self.left_right {
                        column = columns - 1 - column;
                    }
                    if self.top_bottom {
                        row = rows - 1 - row;
                    }
                    if self.transposed {
                        (column, row) = (row, column);
                    }
                    image.push((b'a' + column) as char);
                    image.push((b'1' + row) as char);
                }
                mark => image.push(mark as char),
            }
        }
        image
    }
}

/// Returns the position without the number of the full move, which grows after Black's moves only.
fn without_number(text: &str) -> String {
    text.rsplit_once(' ').expect("a number").0.to_owned()
}

pub(crate) fn law((case, symmetry): (Case, Symmetry)) -> TestCaseResult {
    let (before, rules) = (position(&case.position), ruleset(&case.rules));
    let image = position(&symmetry.of_position(&case.position));
    let size = before.board().size();
    let size = (size.columns() as u8, size.rows() as u8);
    let mut expected = Vec::new();
    for mv in before.legal_moves(&rules) {
        let after = before.play(&rules, &mv).expect("a generated move").to_string();
        let after = symmetry.of_position(&after);
        expected.push((symmetry.of_move(&mv.to_string(), size), without_number(&after)));
    }
    let mut found = Vec::new();
    for mv in image.legal_moves(&rules) {
        let after = image.play(&rules, &mv).expect("a generated move").to_string();
        found.push((mv.to_string(), without_number(&after)));
    }
    expected.sort();
    found.sort();
    prop_assert_eq!(found, expected);
    prop_assert_eq!(image.has_capture(), before.has_capture());
    let swapped = |winner: fanorona_protocol::rules::Side| {
        if symmetry.colours { !winner } else { winner }
    };
    let ending = rules.ending(&before).map(|end| (end.reason, end.winner.map(swapped)));
    prop_assert_eq!(rules.ending(&image).map(|end| (end.reason, end.winner)), ending);
    Ok(())
}
