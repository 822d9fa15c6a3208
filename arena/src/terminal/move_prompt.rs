//! What a person types for a move, and which move is meant.
//!
//! Moves are numbered as they are listed. A word is understood when it is a number, or when it fits
//! one legal move only: its points, with or without the marks of captures, or just its beginning.

use std::fmt::Write;

use fanorona_protocol::rules::{Move, Point};

/// The most moves that are listed one after the other; more of them are grouped by stone.
const MOST_UNGROUPED: usize = 12;

/// The legal moves of a position as they are offered, in the order of their numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveMenu {
    moves: Vec<Move>,
}

/// Why no move is meant by a word.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ChoiceError {
    /// Nothing was typed.
    #[error("type a move, its number, or `help`")]
    Empty,
    /// A number that no move has.
    #[error("there is not a move {number}: they are numbered from 1 to {count}")]
    Number {
        /// As typed.
        number: String,
        /// How many moves there are.
        count: usize,
    },
    /// It could be one of several.
    #[error("`{word}` may be {}", listed(moves))]
    Ambiguous {
        /// As typed.
        word: String,
        /// The moves it fits.
        moves: Vec<Move>,
    },
    /// A stone that can be moved, but not so.
    #[error("`{word}` is not a legal move here; from {from} there is {}", listed(moves))]
    NotSo {
        /// As typed.
        word: String,
        /// Where it begins.
        from: Point,
        /// The moves that begin there.
        moves: Vec<Move>,
    },
    /// No legal move begins like this.
    #[error(
        "`{word}` is not a legal move here; the stones that can be moved are on {}",
        points(stones)
    )]
    Unknown {
        /// As typed.
        word: String,
        /// Where there are stones that can be moved.
        stones: Vec<Point>,
    },
}

fn listed(moves: &[Move]) -> String {
    let shown = moves.iter().take(MOST_UNGROUPED).map(Move::to_string);
    let mut text = shown.collect::<Vec<_>>().join(", ");
    if moves.len() > MOST_UNGROUPED {
        text += " …";
    }
    text
}

fn points(points: &[Point]) -> String {
    points.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
}

/// How a word fits a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fit {
    /// It names every step.
    Whole,
    /// The move begins so.
    Beginning,
}

impl MoveMenu {
    /// Offers moves, sorted as words.
    pub fn new(mut moves: Vec<Move>) -> MoveMenu {
        moves.sort_by_cached_key(Move::to_string);
        MoveMenu { moves }
    }

    /// The moves in their order.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The move that is meant.
    ///
    /// ```
    /// use fanorona_arena::terminal::move_prompt::MoveMenu;
    /// use fanorona_protocol::rules::{Ruleset, Start};
    ///
    /// let offer = MoveMenu::new(Start::TSIVY.riatra().legal_moves(&Ruleset::default()));
    /// for word in ["f2e3A", "f2e3", "f2-e3", "f", "5"] {
    ///     assert_eq!(offer.choose(word).unwrap().to_string(), "f2e3A");
    /// }
    /// let error = offer.choose("d3e3").unwrap_err();
    /// assert_eq!(error.to_string(), "`d3e3` may be d3e3A, d3e3W");
    /// ```
    ///
    /// # Errors
    /// When it is none, or may be one of several; says what is possible.
    pub fn choose(&self, text: &str) -> Result<Move, ChoiceError> {
        let word = plain(text);
        if word.is_empty() {
            return Err(ChoiceError::Empty);
        }
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
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
            // Whoever names every step means to stop there.
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

    /// All moves with their numbers, in lines of at most so many characters where words allow it;
    /// grouped by stone when there are many.
    pub fn listed(&self, width: usize) -> String {
        let numbered: Vec<(Point, String)> = (self.moves.iter().enumerate())
            .map(|(place, mv)| (mv.from(), format!("{} {mv}", place + 1)))
            .collect();
        let mut text = String::new();
        let grouped = self.moves.len() > MOST_UNGROUPED;
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

/// A word without what people put between points; marks in capital letters.
fn plain(text: &str) -> String {
    let kept: Vec<char> =
        text.chars().filter(|c| !c.is_whitespace() && !"-–>→,.:x×".contains(*c)).collect();
    let mark = |place: usize| match kept[place] {
        'w' => 'W',
        // A column is followed by its row.
        'a' if !kept.get(place + 1).is_some_and(char::is_ascii_digit) && place > 1 => 'A',
        letter => letter,
    };
    (0..kept.len()).map(mark).collect()
}

/// How a word fits a move: its points have to agree, its marks where there are any.
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

    fn offer(words: &str) -> MoveMenu {
        MoveMenu::new(words.split(' ').map(|word| word.parse().unwrap()).collect())
    }

    fn chosen(offer: &MoveMenu, word: &str) -> String {
        match offer.choose(word) {
            Ok(mv) => mv.to_string(),
            Err(why) => why.to_string(),
        }
    }

    #[test]
    fn a_word_may_be_short_as_long_as_it_is_clear() {
        let offer = offer("e2e3A e2e3Ad4W e2e3Ad4Wc4A f2e3A b1b2");
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
            assert_eq!(chosen(&offer, word), mv, "{word}");
        }
    }

    #[test]
    fn what_is_not_clear_is_told_what_is_possible() {
        let offer = offer("e2e3A e2e3W e2d2A f2e3A a1a2");
        for (word, told) in [
            ("e2e3", "`e2e3` may be e2e3A, e2e3W"),
            ("e", "`e` may be e2d2A, e2e3A, e2e3W"),
            ("e2f2", "`e2f2` is not a legal move here; from e2 there is e2d2A, e2e3A, e2e3W"),
            ("f2e3W", "`f2e3W` is not a legal move here; from f2 there is f2e3A"),
            ("h1", "`h1` is not a legal move here; the stones that can be moved are on a1 e2 f2"),
            (
                "castle",
                "`castle` is not a legal move here; the stones that can be moved are on a1 e2 f2",
            ),
            ("é", "`é` is not a legal move here; the stones that can be moved are on a1 e2 f2"),
            ("0", "there is not a move 0: they are numbered from 1 to 5"),
            (
                "99999999999999999999",
                "there is not a move 99999999999999999999: they are numbered from 1 to 5",
            ),
            ("  ", "type a move, its number, or `help`"),
        ] {
            assert_eq!(chosen(&offer, word), told, "{word}");
        }
        assert_eq!(chosen(&offer, "a1a2"), "a1a2");
    }

    #[test]
    fn few_moves_are_a_line_and_many_are_grouped() {
        assert_eq!(offer("e2e3A a1a2").listed(40), "  1 a1a2  2 e2e3A\n");
        assert_eq!(offer("e2e3A a1a2 b1b2").listed(20), "  1 a1a2  2 b1b2\n     3 e2e3A\n");
        let many = "a1a2 b1b2 b1a1 b1c1 c1c2 c1d1 c1b1 d1d2 d1e1 d1c1 e1e2 e1f1 e1d1";
        let listed = offer(many).listed(30);
        assert!(listed.starts_with("a1:  1 a1a2\nb1:  2 b1a1  3 b1b2  4 b1c1\n"), "{listed}");
        assert!(listed.lines().all(|line| line.len() <= 30));
    }
}
