//! Reads games from a `games.csv`.

use std::io::Read;

use super::{GameRecord, GameRow};
use crate::text::table::{TableError, TableReader};

/// An iterator over the games of a file with their line numbers. The file does not contain times or
/// scores of single moves.
#[derive(Debug)]
pub struct Rows<R>(TableReader<R>);

impl<R: Read> Rows<R> {
    /// Reads the header line.
    ///
    /// # Errors
    /// Returns an error if the file is not valid CSV, or lacks a column that is needed to replay
    /// games.
    pub fn new(input: R) -> Result<Rows<R>, TableError> {
        let table = TableReader::new(input)?;
        table.needs(&["game", "white", "black", "result", "reason", "start", "moves"])?;
        Ok(Rows(table))
    }
}

impl<R: Read> Iterator for Rows<R> {
    type Item = Result<(u64, GameRecord), TableError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (line, row) = match self.0.next::<GameRow<'_>>().transpose()? {
            Ok(read) => read,
            Err(why) => return Some(Err(why)),
        };
        Some(row.record().map(|game| (line, game)).map_err(|why| why.in_line(line)))
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
            ("white,black,result\na,b,1-0\n".to_owned(), "line 1: there is no column `game`"),
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
