//! A book and its file.
//!
//! A file has one line of JSON, its header, and the payload: the positions in the order of their
//! numbers. A position is its number ([`PositionId::BYTES`] bytes), the number of
//! its moves (two bytes), and its moves, the best one first. A move is the place of the position
//! after it in the list [`children`] (two bytes) and its value for the side to move (two bytes).
//! Numbers are little-endian. `bots/book/BOOK.md` describes how the values are found.

use std::sync::{Arc, LazyLock};

use fanorona_endgames::file_format::{Format, FormatError, Layout};
use fanorona_protocol::messages::Score;
use fanorona_protocol::rules::{Effect, Position, Ruleset};
use serde::{Deserialize, Serialize};

use super::position_id::{PositionId, children};
use super::value;

/// The format of a book.
const FORMAT: Format = Format {
    name: "fanorona-book",
    version: 1,
    layout: Layout::Line,
    noun: "an opening book",
    remedy: "get the file again or build one with `book build`",
};

/// The longest line of moves that is followed through a book.
const MAX_PLIES: usize = 200;

/// A move of a book and its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub effect: Effect,
    /// Its value for the side to move.
    pub score: Score,
}

/// A position of a book: its moves, as places in the list [`children`], and their values for the
/// side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookEntry {
    /// The position.
    pub id: PositionId,
    /// The moves, the best one first.
    pub moves: Vec<(u16, Score)>,
}

/// Positions with the values of their best moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Book {
    /// Nodes of each search behind the values.
    nodes: u64,
    /// The positions in the order of their numbers.
    entries: Vec<BookEntry>,
}

/// The header of a file.
#[derive(Serialize, Deserialize)]
struct Header {
    nodes: u64,
    positions: usize,
    /// The CRC-32 of the payload.
    checksum: u32,
}

impl Book {
    /// The book built into the program.
    pub fn shipped() -> Arc<Book> {
        static SHIPPED: LazyLock<Arc<Book>> = LazyLock::new(|| {
            Arc::new(Book::read(include_bytes!("tsivy.book")).expect("the built-in book is sound"))
        });
        SHIPPED.clone()
    }

    /// A book of these positions, each of them once, whose values come from searches of this many
    /// nodes.
    pub fn new(nodes: u64, mut entries: Vec<BookEntry>) -> Book {
        entries.sort_by_key(|entry| entry.id);
        Book { nodes, entries }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the book has no position.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Nodes of each search behind the values.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the values apply under some rules: those that decide about moves and results are the
    /// usual ones. The limits of a game end no game within a book.
    pub fn applies_to(rules: &Ruleset) -> bool {
        let usual = Ruleset::default();
        let Ruleset { repetition, quiet, max_plies, .. } = *rules;
        let mut limited = usual;
        (limited.repetition, limited.quiet, limited.max_plies) = (repetition, quiet, max_plies);
        // The starter of a vela only decides its first position.
        limited.vela_starter = rules.vela_starter;
        limited == *rules
    }

    /// The moves of a position, the best one first; empty if the book does not have the position.
    /// The rules must be rules that the book [applies to](Book::applies_to).
    pub fn moves(&self, position: &Position, rules: &Ruleset) -> Vec<BookMove> {
        let Some(entry) = self.entry(PositionId::new(position)) else { return Vec::new() };
        let children = children(position, rules);
        let book_move = |&(place, score): &(u16, Score)| {
            let (_, effect) = *children.get(usize::from(place))?;
            Some(BookMove { effect, score })
        };
        // A place that does not exist means that the file was made for other rules.
        entry.moves.iter().map(book_move).collect::<Option<_>>().unwrap_or_default()
    }

    fn entry(&self, id: PositionId) -> Option<&BookEntry> {
        let found = self.entries.binary_search_by_key(&id, |entry| entry.id);
        found.ok().map(|place| &self.entries[place])
    }

    /// The best moves for both sides from a position on, while the book has the position.
    pub fn line(&self, position: &Position, rules: &Ruleset) -> Vec<Effect> {
        let (mut position, mut line) = (*position, Vec::new());
        while line.len() < MAX_PLIES
            && let Some(best) = self.moves(&position, rules).first()
        {
            line.push(best.effect);
            position = position.apply_unchecked(best.effect);
        }
        line
    }

    /// The file of the book.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut payload = Vec::new();
        for BookEntry { id, moves } in &self.entries {
            payload.extend(id.to_bytes());
            payload.extend((moves.len() as u16).to_le_bytes());
            for &(place, score) in moves {
                payload.extend(place.to_le_bytes());
                payload.extend((value::from_score(score) as i16).to_le_bytes());
            }
        }
        let header = Header {
            nodes: self.nodes,
            positions: self.entries.len(),
            checksum: crc32fast::hash(&payload),
        };
        let mut bytes = FORMAT.header(&header);
        bytes.append(&mut payload);
        bytes
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Fails when the file is not a book of this version, or is damaged.
    pub fn read(bytes: &[u8]) -> Result<Book, FormatError> {
        let (Header { nodes, positions, checksum }, payload) = FORMAT.read(bytes)?;
        FORMAT.check(payload, checksum)?;
        let is_valid = |entries: &Vec<BookEntry>| {
            entries.len() == positions && entries.is_sorted_by(|one, other| one.id < other.id)
        };
        match entries(payload).filter(is_valid) {
            Some(entries) => Ok(Book { nodes, entries }),
            None => Err(FORMAT.damaged("list of positions")),
        }
    }
}

/// The positions of a payload; `None` if it ends in the middle of one.
fn entries(mut payload: &[u8]) -> Option<Vec<BookEntry>> {
    let mut entries = Vec::new();
    while !payload.is_empty() {
        let id = PositionId::from_bytes(*take(&mut payload)?);
        let count = u16::from_le_bytes(*take(&mut payload)?);
        let mut moves = Vec::with_capacity(usize::from(count));
        for _ in 0..count {
            let place = u16::from_le_bytes(*take(&mut payload)?);
            let value = i16::from_le_bytes(*take(&mut payload)?);
            moves.push((place, value::score(i32::from(value))));
        }
        entries.push(BookEntry { id, moves });
    }
    Some(entries)
}

fn take<'b, const N: usize>(bytes: &mut &'b [u8]) -> Option<&'b [u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_endgames::file_format::FormatProblem;
    use fanorona_protocol::rules::Start;

    fn start() -> Position {
        "dimy".parse::<Start>().unwrap().riatra()
    }

    /// A book of the first three plies of a game on a small board.
    fn book() -> Book {
        let rules = Ruleset::default();
        let mut position = start();
        let mut entries = Vec::new();
        for (ply, score) in [Score::Cp(-120), Score::Win(7), Score::Loss(6)].into_iter().enumerate()
        {
            let second = (1, Score::Cp(-300 - ply as i32));
            let children = children(&position, &rules);
            let moves = [(0, score), second].into_iter().take(children.len()).collect();
            entries.push(BookEntry { id: PositionId::new(&position), moves });
            position = position.apply_unchecked(children[0].1);
        }
        Book::new(7, entries)
    }

    #[test]
    fn a_book_survives_its_file() {
        let book = book();
        assert_eq!(Book::read(&book.to_bytes()), Ok(book.clone()));
        assert_eq!(book.nodes(), 7);
        let empty = Book::new(1, Vec::new());
        assert_eq!(Book::read(&empty.to_bytes()), Ok(empty));
    }

    #[test]
    fn the_shipped_book_is_written_byte_for_byte() {
        assert_eq!(Book::shipped().to_bytes(), include_bytes!("tsivy.book"));
    }

    #[test]
    fn the_line_follows_the_best_moves() {
        let (book, rules) = (book(), Ruleset::default());
        let start = start();
        let moves = book.moves(&start, &rules);
        assert_eq!(moves.len(), 2);
        assert_eq!(moves[0].score, Score::Cp(-120));
        assert_eq!(book.line(&start, &rules).len(), 3);
        assert_eq!(book.line(&start, &rules)[0], moves[0].effect);
        let vela = start.with_debtor(Some(start.side_to_move()));
        assert!(book.moves(&vela, &rules).is_empty());
    }

    #[test]
    fn symmetric_positions_are_found() {
        let (book, rules) = (book(), Ruleset::default());
        let start = start();
        let after = start.apply_unchecked(book.moves(&start, &rules)[0].effect);
        let expected = book.moves(&after, &rules);
        assert_eq!(expected[0].score, Score::Win(7));
        for symmetry in fanorona_protocol::rules::Symmetry::all(after.board().size()) {
            let image = symmetry.position(&after);
            let found = book.moves(&image, &rules);
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!(found.score, expected.score);
                let to = PositionId::new(&image.apply_unchecked(found.effect));
                assert_eq!(to, PositionId::new(&after.apply_unchecked(expected.effect)));
            }
            assert_eq!(found.len(), expected.len());
        }
    }

    #[test]
    fn damaged_books_are_refused() {
        let sound = book().to_bytes();
        let begin = sound.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        for at in begin..sound.len() {
            let mut damaged = sound.clone();
            damaged[at] ^= 0x10;
            assert_eq!(Book::read(&damaged), Err(FORMAT.damaged("payload")));
        }
        assert_eq!(Book::read(&sound[..sound.len() - 1]), Err(FORMAT.damaged("payload")));
        for foreign in [&b""[..], b"book", b"{}\n", &sound[begin..]] {
            assert_eq!(Book::read(foreign), Err(FORMAT.error(FormatProblem::Foreign)));
        }
        let text =
            String::from_utf8_lossy(&sound[..begin]).replace("\"version\":1", "\"version\":9");
        let newer = [text.as_bytes(), &sound[begin..]].concat();
        assert_eq!(
            Book::read(&newer),
            Err(FORMAT.error(FormatProblem::Version { found: 9, known: 1 }))
        );
        let cut = Book::new(7, book().entries[..2].to_vec()).to_bytes();
        let text = String::from_utf8_lossy(&cut).into_owned();
        assert!(text.contains("\"positions\":2"));
    }

    #[test]
    fn other_rules_have_no_book() {
        let mut rules = Ruleset::default();
        rules.quiet = 30;
        assert!(Book::applies_to(&rules));
        rules.set("vela-starter=creditor").unwrap();
        assert!(Book::applies_to(&rules));
        rules.forced_continuation = true;
        assert!(!Book::applies_to(&rules));
    }
}
