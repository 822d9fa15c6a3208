//! Interprets what a user types as a move.
//!
//! Legal moves are numbered in the order listed. The input selects a move if it is a number, or if
//! it fits exactly one legal move: by all its points, with or without capture marks, or by its
//! beginning.

use std::fmt::Write;

use fanorona_protocol::rules::{Move, Point};

/// Longer lists of moves are grouped by stone.
const MAX_UNGROUPED: usize = 12;

/// The numbered legal moves of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveMenu {
    moves: Vec<Move>,
}

/// Why the input does not select a move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ChoiceError {
    /// The input is empty.
    #[error("type a move, its number, or `help`")]
    Empty,
    /// The number is out of range.
    #[error("move {number} does not exist: choose a number from 1 to {count}")]
    Number {
        /// As typed.
        number: String,
        /// The number of moves.
        count: usize,
    },
    /// The input fits several moves.
    #[error("`{word}` is ambiguous: {}", listed(moves))]
    Ambiguous {
        /// As typed.
        word: String,
        /// The moves it fits.
        moves: Vec<Move>,
    },
    /// A stone that can move, but not in this way.
    #[error("`{word}` is not a legal move here; legal moves from {from}: {}", listed(moves))]
    NotSo {
        /// As typed.
        word: String,
        /// The starting point of the input.
        from: Point,
        /// The legal moves from that point.
        moves: Vec<Move>,
    },
    /// No legal move begins with this input.
    #[error(
        "`{word}` is not a legal move here; the stones on these points can move: {}",
        points(stones)
    )]
    Unknown {
        /// As typed.
        word: String,
        /// The points of the stones that can move.
        stones: Vec<Point>,
    },
}

fn listed(moves: &[Move]) -> String {
    let shown = moves.iter().take(MAX_UNGROUPED).map(Move::to_string);
    let mut text = shown.collect::<Vec<_>>().join(", ");
    if moves.len() > MAX_UNGROUPED {
        text += " …";
    }
    text
}

fn points(points: &[Point]) -> String {
    points.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
}

/// The way the input fits a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fit {
    /// The input names every step.
    Whole,
    /// The input is the beginning of the move.
    Beginning,
}

impl MoveMenu {
    /// Numbers the moves in alphabetical order.
    pub fn new(mut moves: Vec<Move>) -> MoveMenu {
        moves.sort_by_cached_key(Move::to_string);
        MoveMenu { moves }
    }

    /// The moves in the order of their numbers.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The move that the input selects.
    ///
    /// ```
    /// use fanorona_arena::terminal::move_prompt::MoveMenu;
    /// use fanorona_protocol::rules::{Ruleset, Start};
    ///
    /// let menu = MoveMenu::new(Start::TSIVY.riatra().legal_moves(&Ruleset::default()));
    /// assert!(menu.choose("-5").is_err() && menu.choose("1 2").is_err());
    /// for word in ["f2e3A", "f2e3", "f2-e3", "f", "5"] {
    ///     assert_eq!(menu.choose(word).unwrap().to_string(), "f2e3A");
    /// }
    /// let error = menu.choose("d3e3").unwrap_err();
    /// assert_eq!(error.to_string(), "`d3e3` is ambiguous: d3e3A, d3e3W");
    /// ```
    ///
    /// # Errors
    /// Returns an error if the input fits no move or several; the message lists the possible moves.
    pub fn choose(&self, text: &str) -> Result<Move, ChoiceError> {
        let word = plain(text);
        if word.is_empty() {
            return Err(ChoiceError::Empty);
        }
        if text.trim().bytes().all(|byte| byte.is_ascii_digit()) {
            let place = word.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let mv = place.and_then(|place| self.moves.get(place));
            let count = self.moves.len();
            return mv.copied().ok_or(ChoiceError::Number { number: word, count });
        }
        let fits = |wanted: Fit| -> Vec<Move> {
            self.moves.iter().filter(|mv| fit(&word, mv) == Some(wanted)).copied().collect()
        };
        let word_as_typed = || text.trim().to_owned();
        let (whole, beginning) = (fits(Fit::Whole), fits(Fit::Beginning));
        match (&whole[..], &beginning[..]) {
            // An input that names every step of one move selects it, even if longer moves begin
            // with it.
            ([mv], _) | ([], [mv]) => Ok(*mv),
            ([], []) => Err(self.none(&word, word_as_typed())),
            ([], moves) | (moves, _) => {
                Err(ChoiceError::Ambiguous { word: word_as_typed(), moves: moves.to_vec() })
            }
        }
    }

    fn none(&self, word: &str, typed: String) -> ChoiceError {
        let from = word.get(..2).and_then(|point| point.parse::<Point>().ok());
        let moves: Vec<Move> =
            self.moves.iter().filter(|mv| Some(mv.from()) == from).copied().collect();
        match from {
            Some(from) if !moves.is_empty() => ChoiceError::NotSo { word: typed, from, moves },
            _ => {
                let mut stones: Vec<Point> = self.moves.iter().map(Move::from).collect();
                stones.dedup();
                ChoiceError::Unknown { word: typed, stones }
            }
        }
    }

    /// All moves with their numbers, in lines of at most `width` characters where possible, grouped
    /// by stone if there are many.
    pub fn listed(&self, width: usize) -> String {
        let numbered: Vec<(Point, String)> = (self.moves.iter().enumerate())
            .map(|(place, mv)| (mv.from(), format!("{} {mv}", place + 1)))
            .collect();
        let mut text = String::new();
        let grouped = self.moves.len() > MAX_UNGROUPED;
        let groups = numbered.chunk_by(|a, b| !grouped || a.0 == b.0);
        for group in groups {
            let head = if grouped { format!("{}:", group[0].0) } else { String::new() };
            let mut used = head.chars().count();
            text += &head;
            for (_, item) in group {
                let length = item.chars().count() + 2;
                if used + length > width && used > 4 {
                    text += "\n   ";
                    used = 3;
                }
                // Writing to a string cannot fail.
                let _ = write!(text, "  {item}");
                used += length;
            }
            text.push('\n');
        }
        text
    }
}

/// The input without separators, with capture marks in upper case.
fn plain(text: &str) -> String {
    let kept: Vec<char> =
        text.chars().filter(|c| !c.is_whitespace() && !"-–>→,.:x×".contains(*c)).collect();
    let mark = |place: usize| match kept[place] {
        'w' => 'W',
        // A column letter is always followed by its row, so other letters are capture marks.
        'a' if !kept.get(place + 1).is_some_and(char::is_ascii_digit) && place > 1 => 'A',
        letter => letter,
    };
    (0..kept.len()).map(mark).collect()
}

/// Returns the way the input fits a move: its points must agree, and its marks if it has any.
fn fit(word: &str, mv: &Move) -> Option<Fit> {
    let full = mv.to_string();
    let mut rest = word.chars().peekable();
    for letter in full.chars() {
        let mark = letter.is_ascii_uppercase();
        match rest.peek() {
            None if mark => {}
            None => return Some(Fit::Beginning),
            Some(&typed) if typed == letter => {
                rest.next();
            }
            Some(typed) if mark && !typed.is_ascii_uppercase() => {}
            Some(_) => return None,
        }
    }
    rest.next().is_none().then_some(Fit::Whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn menu(words: &str) -> MoveMenu {
        MoveMenu::new(words.split(' ').map(|word| word.parse().unwrap()).collect())
    }

    fn chosen(menu: &MoveMenu, word: &str) -> String {
        match menu.choose(word) {
            Ok(mv) => mv.to_string(),
            Err(why) => why.to_string(),
        }
    }

    #[test]
    fn a_word_may_be_short_as_long_as_it_is_clear() {
        let menu = menu("e2e3A e2e3Ad4W e2e3Ad4Wc4A f2e3A b1b2");
        for (word, mv) in [
            ("e2e3", "e2e3A"),
            ("e2e3A", "e2e3A"),
            ("e2e3a", "e2e3A"),
            ("e2-e3-d4", "e2e3Ad4W"),
            ("e2e3d4w", "e2e3Ad4W"),
            ("e2 e3 d4 c", "e2e3Ad4Wc4A"),
            ("e2e3d4c4", "e2e3Ad4Wc4A"),
            ("f", "f2e3A"),
            (" b1 ", "b1b2"),
            ("1", "b1b2"),
            ("5", "f2e3A"),
        ] {
            assert_eq!(chosen(&menu, word), mv, "{word}");
        }
    }

    #[test]
    fn an_ambiguous_answer_lists_the_possible_moves() {
        let menu = menu("e2e3A e2e3W e2d2A f2e3A a1a2");
        for (word, told) in [
            ("e2e3", "`e2e3` is ambiguous: e2e3A, e2e3W"),
            ("e", "`e` is ambiguous: e2d2A, e2e3A, e2e3W"),
            ("e2f2", "`e2f2` is not a legal move here; legal moves from e2: e2d2A, e2e3A, e2e3W"),
            ("f2e3W", "`f2e3W` is not a legal move here; legal moves from f2: f2e3A"),
            ("h1", "`h1` is not a legal move here; the stones on these points can move: a1 e2 f2"),
            (
                "castle",
                "`castle` is not a legal move here; the stones on these points can move: a1 e2 f2",
            ),
            ("é", "`é` is not a legal move here; the stones on these points can move: a1 e2 f2"),
            ("0", "move 0 does not exist: choose a number from 1 to 5"),
            (
                "99999999999999999999",
                "move 99999999999999999999 does not exist: choose a number from 1 to 5",
            ),
            ("  ", "type a move, its number, or `help`"),
        ] {
            assert_eq!(chosen(&menu, word), told, "{word}");
        }
        assert_eq!(chosen(&menu, "a1a2"), "a1a2");
    }

    #[test]
    fn few_moves_are_a_line_and_many_are_grouped() {
        assert_eq!(menu("e2e3A a1a2").listed(40), "  1 a1a2  2 e2e3A\n");
        assert_eq!(menu("e2e3A a1a2 b1b2").listed(20), "  1 a1a2  2 b1b2\n     3 e2e3A\n");
        let many = "a1a2 b1b2 b1a1 b1c1 c1c2 c1d1 c1b1 d1d2 d1e1 d1c1 e1e2 e1f1 e1d1";
        let listed = menu(many).listed(30);
        assert!(listed.starts_with("a1:  1 a1a2\nb1:  2 b1a1  3 b1b2  4 b1c1\n"), "{listed}");
        assert!(listed.lines().all(|line| line.len() <= 30));
    }
}
