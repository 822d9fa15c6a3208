//! Reads CSV tables with a header line, row by row. Columns are found by their names, so a table
//! may have them in any order, and others beside them.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::Read;

use csv::{DeserializeErrorKind, ErrorKind, StringRecord};
use serde::Deserialize;

use super::{input_file, safe_text};

/// Why a table cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// It is not valid CSV, or reading fails.
    #[error("it is not a valid CSV file: {0}")]
    Csv(#[from] csv::Error),
    /// A required column is missing.
    #[error("line 1: there is no column `{column}`; the columns are {}", listed(.found))]
    Column {
        /// The missing column.
        column: &'static str,
        /// The existing columns.
        found: Vec<String>,
    },
    /// A field has an invalid value.
    #[error("line {line}: the column {why}")]
    Field {
        /// The line, from 1.
        line: u64,
        /// The column, and the problem.
        why: FieldError,
    },
}

/// The names of the first columns, each of at most this many characters.
fn listed(names: &[String]) -> String {
    const MAX_LISTED: usize = 10;
    const MAX_LENGTH: usize = 40;
    let name = |name: &String| match name.char_indices().nth(MAX_LENGTH) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.clone(),
    };
    let shown: Vec<String> = names.iter().take(MAX_LISTED).map(name).collect();
    match names.len().saturating_sub(MAX_LISTED) {
        0 if names.is_empty() => "none".to_owned(),
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// A field of a row has an invalid value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{column}`: {why}")]
pub struct FieldError {
    /// The name of the column.
    pub column: String,
    /// Why the value cannot be one of the column.
    pub why: String,
}

impl FieldError {
    /// An error in this column.
    pub fn new(column: &str, why: impl Display) -> FieldError {
        FieldError { column: column.to_owned(), why: why.to_string() }
    }

    /// The error in a row of a table.
    pub fn in_line(self, line: u64) -> TableError {
        TableError::Field { line, why: self }
    }
}

/// The characters with which a text becomes a formula in a spreadsheet.
pub(crate) const FORMULA: [char; 4] = ['=', '+', '-', '@'];

/// A text that others have chosen, such as the name that an engine gives itself, as a cell that no
/// spreadsheet takes for a formula.
pub fn plain_cell(text: &str) -> Cow<'_, str> {
    match text.starts_with(FORMULA) {
        true => Cow::Owned(format!("'{text}")),
        false => Cow::Borrowed(text),
    }
}

/// A table that is read row by row; only one row is in memory.
#[derive(Debug)]
pub struct TableReader<R> {
    reader: csv::Reader<input_file::Rows<R>>,
    columns: StringRecord,
    fields: StringRecord,
    is_made_safe: bool,
}

impl<R: Read> TableReader<R> {
    /// Reads the header line.
    pub fn new(input: R) -> Result<TableReader<R>, TableError> {
        let input = input_file::Rows::new(input);
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::Headers).from_reader(input);
        let columns = reader.headers()?.clone();
        reader.get_mut().next_row();
        Ok(TableReader { reader, columns, fields: StringRecord::new(), is_made_safe: false })
    }

    /// The same table with all texts made [safe](safe_text) to show.
    pub fn made_safe(self) -> TableReader<R> {
        TableReader { is_made_safe: true, ..self }
    }

    /// Whether the table has a column.
    pub fn has(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column == name)
    }

    /// Requires columns.
    pub fn needs(&self, names: &[&'static str]) -> Result<(), TableError> {
        match names.iter().find(|name| !self.has(name)) {
            None => Ok(()),
            Some(column) => {
                let found = self.columns.iter().map(str::to_owned).collect();
                Err(TableError::Column { column, found })
            }
        }
    }

    /// The next row with its line number, from 1; `None` at the end.
    pub fn next<'t, T: Deserialize<'t>>(&'t mut self) -> Result<Option<(u64, T)>, TableError> {
        let more = self.reader.read_record(&mut self.fields)?;
        self.reader.get_mut().next_row();
        if !more {
            return Ok(None);
        }
        let position = self.fields.position().cloned();
        let line = position.as_ref().map_or(0, csv::Position::line);
        if self.is_made_safe && self.fields.iter().any(|field| field.contains(safe_text::is_unsafe))
        {
            self.fields = self.fields.iter().map(safe_text::line).collect();
            self.fields.set_position(position);
        }
        match self.fields.deserialize(Some(&self.columns)) {
            Ok(row) => Ok(Some((line, row))),
            Err(why) => Err(self.invalid(line, why)),
        }
    }

    /// The error for a field that has another type.
    fn invalid(&self, line: u64, why: csv::Error) -> TableError {
        let ErrorKind::Deserialize { err, .. } = why.kind() else { return why.into() };
        let Some(place) = err.field() else { return why.into() };
        let at = |record: &StringRecord| record.get(place as usize).unwrap_or("").to_owned();
        let problem = match err.kind() {
            DeserializeErrorKind::ParseInt(_) => {
                format!("`{}` is not a number", at(&self.fields))
            }
            other => other.to_string(),
        };
        FieldError::new(&at(&self.columns), problem).in_line(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize, PartialEq, Eq, Debug, Default)]
    #[serde(default)]
    struct Row<'t> {
        name: &'t str,
        count: Option<u32>,
    }

    #[test]
    fn columns_are_found_by_name() {
        let text = "other, count ,name\nx,7,a\n\"y\nz\",,\"b\u{1b}\"\n";
        let mut table = TableReader::new(text.as_bytes()).unwrap().made_safe();
        assert!(table.has("name") && !table.has("title"));
        assert_eq!(table.next().unwrap(), Some((2, Row { name: "a", count: Some(7) })));
        assert_eq!(table.next().unwrap(), Some((3, Row { name: "b\\u{1b}", count: None })));
        assert_eq!(table.next::<Row>().unwrap(), None);
    }

    #[test]
    fn errors_name_the_place() {
        let read = |text: &str| {
            let mut table = TableReader::new(text.as_bytes())?;
            table.needs(&["name"])?;
            while table.next::<Row>()?.is_some() {}
            Ok(())
        };
        for (text, expected) in [
            ("", "line 1: there is no column `name`; the columns are none"),
            ("a,b\n", "no column `name`; the columns are a, b"),
            // Another sort of file: what stands in its first line says enough by its beginning.
            (
                &format!("<!DOCTYPE html>{}\n", "x".repeat(9000)),
                "are <!DOCTYPE html>xxxxxxxxxxxxxxxxxxxxxxxxx…",
            ),
            (&format!("a{}\n", ",b".repeat(99)), ", b, b, b and 90 more"),
            ("name,count\na,1\nb,x\n", "line 3: the column `count`: `x` is not a number"),
            ("name,count\na\n", "line: 2"),
        ] {
            let error: TableError = read(text).unwrap_err();
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
}
