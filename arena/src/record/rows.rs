//! Reads games from a `games.csv`.

use std::io::Read;

use csv::StringRecord;
use fanorona_protocol::rules::Position;

use super::GameRecord;
use crate::ratings::kind::Kind;
use crate::text::input_file;

/// Why a row or file is invalid.
#[derive(Debug, thiserror::Error)]
pub enum RowError {
    /// The file is not valid CSV.
    #[error("{0}")]
    Csv(#[from] csv::Error),
    /// A column that is needed to replay games is missing.
    #[error("line 1: the column `{0}` is missing")]
    Column(&'static str),
    /// A field has an invalid value.
    #[error("line {line}: the column `{column}`: {why}")]
    Field {
        /// The line, from 1.
        line: u64,
        /// The column.
        column: &'static str,
        /// The problem.
        why: String,
    },
}

/// An iterator over the games of a file with their line numbers. The file does not contain times or
/// scores of single moves.
#[derive(Debug)]
pub struct Rows<R> {
    reader: csv::Reader<input_file::Rows<R>>,
    columns: StringRecord,
}

impl<R: Read> Rows<R> {
    /// Reads the header line.
    ///
    /// If the file is not valid CSV, or lacks a column that is needed to replay games.
    pub fn new(input: R) -> Result<Rows<R>, RowError> {
        let mut reader = csv::Reader::from_reader(input_file::Rows::new(input));
        let columns = reader.headers()?.clone();
        reader.get_mut().next_row();
        let columns: StringRecord = columns.iter().map(current_name).collect();
        for needed in ["game", "white", "black", "result", "reason", "start", "moves"] {
            if !columns.iter().any(|column| column == needed) {
                return Err(RowError::Column(needed));
            }
        }
        Ok(Rows { reader, columns })
    }

    fn game(&self, fields: &StringRecord) -> Result<(u64, GameRecord), RowError> {
        let row = Row {
            columns: &self.columns,
            fields,
            line: fields.position().map_or(0, |position| position.line()),
        };
        let start: Position = row.parsed("start")?;
        let game = GameRecord::new(
            row.parsed("game")?,
            &start,
            row.parsed("result")?,
            row.parsed("reason")?,
        );
        if let Some(kind) = row.optional::<Kind>("kind")?.filter(|kind| *kind != game.kind) {
            let why = format!("the kind is {kind}, but the start is that of a {}", game.kind);
            return Err(row.wrong("kind", why));
        }
        let (white, black) = (row.text("white"), row.text("black"));
        let offender = row.text("offender");
        let game = GameRecord {
            pair: row.optional("pair")?,
            white: white.to_owned(),
            black: black.to_owned(),
            start: row.text("start").to_owned(),
            moves: row.text("moves").to_owned(),
            book: row.optional("book")?.unwrap_or(0),
            white_ms: row.optional("white_ms")?.unwrap_or(0),
            black_ms: row.optional("black_ms")?.unwrap_or(0),
            adjudicated_by: row.optional("adjudicated_by")?,
            ..game
        };
        let Some(game) = game.with_offender(offender) else {
            let why = format!("`{offender}` is neither {white} nor {black}");
            return Err(row.wrong("offender", why));
        };
        if game.book as usize > game.plies() {
            let why =
                format!("the opening has {} moves, but the game only {}", game.book, game.plies());
            return Err(row.wrong("book", why));
        }
        Ok((row.line, game))
    }
}

impl<R: Read> Iterator for Rows<R> {
    type Item = Result<(u64, GameRecord), RowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut fields = StringRecord::new();
        let read = self.reader.read_record(&mut fields);
        self.reader.get_mut().next_row();
        match read {
            Ok(false) => None,
            Ok(true) => Some(self.game(&fields)),
            Err(why) => Some(Err(why.into())),
        }
    }
}

/// The current name of a column; older files have other names.
fn current_name(column: &str) -> &str {
    match column {
        "turns" => "moves",
        column => column,
    }
}

struct Row<'r> {
    columns: &'r StringRecord,
    fields: &'r StringRecord,
    line: u64,
}

impl Row<'_> {
    /// A field; empty if the file does not have the column.
    fn text(&self, column: &str) -> &str {
        let place = self.columns.iter().position(|name| name == column);
        place.and_then(|place| self.fields.get(place)).unwrap_or("")
    }

    fn parsed<T: std::str::FromStr>(&self, column: &'static str) -> Result<T, RowError>
    where
        T::Err: std::fmt::Display,
    {
        self.text(column).parse().map_err(|why: T::Err| self.wrong(column, why.to_string()))
    }

    fn optional<T: std::str::FromStr>(&self, column: &'static str) -> Result<Option<T>, RowError>
    where
        T::Err: std::fmt::Display,
    {
        if self.text(column).is_empty() { Ok(None) } else { self.parsed(column).map(Some) }
    }

    fn wrong(&self, column: &'static str, why: String) -> RowError {
        RowError::Field { line: self.line, column, why }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "game,kind,white,black,result,reason,offender,book,start,moves\n";
    const START: &str = "bbb/b1W/WWW w - 0 1";

    fn read(text: &str) -> Result<Vec<(u64, GameRecord)>, String> {
        let rows = Rows::new(text.as_bytes()).map_err(|why| why.to_string())?;
        rows.map(|row| row.map_err(|why| why.to_string())).collect()
    }

    #[test]
    fn a_row_is_a_game() {
        let text = format!("{HEAD}7.2,riatra,a,b,0-1,time,a,0,{START},c1b2A\n");
        let (line, game) = read(&text).unwrap().remove(0);
        assert_eq!((line, game.id.to_string(), game.offender), (2, "7.2".into(), Some('w')));
        assert_eq!((&*game.start, &*game.moves, game.plies()), (START, "c1b2A", 1));
        assert_eq!((game.white_ms, game.times), (0, Vec::new()));
    }

    #[test]
    fn errors_name_line_and_column() {
        for (text, expected) in [
            ("white,black,result\na,b,1-0\n".to_owned(), "line 1: the column `game` is missing"),
            (format!("{HEAD}x,riatra,a,b,0-1,time,a,0,{START},\n"), "line 2: the column `game`"),
            (format!("{HEAD}1,vela,a,b,0-1,time,a,0,{START},\n"), "`kind`: the kind is vela"),
            (format!("{HEAD}1,riatra,a,b,0-1,time,c,0,{START},\n"), "`c` is neither a nor b"),
            (
                format!("{HEAD}1,riatra,a,b,0-1,time,a,2,{START},c1b2A\n"),
                "`book`: the opening has 2 moves",
            ),
            (format!("{HEAD}1,riatra,a,b,0-1,time,a,0,bbb w,\n"), "line 2: the column `start`"),
            (format!("{HEAD}1,riatra\n"), "line: 2"),
        ] {
            let error = read(&text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
