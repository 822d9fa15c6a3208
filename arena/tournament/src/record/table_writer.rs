//! Writes CSV tables. A table is complete or unchanged.

use std::io;
use std::path::{Path, PathBuf};

use csv::{StringRecord, Writer, WriterBuilder};
use serde::Serialize;

use super::StorageError;
use super::atomic_file::AtomicFile;
use super::storage::storage;

/// The names of the columns of a row type, in the order of its fields.
pub fn columns<T: Default + Serialize>() -> StringRecord {
    let mut table = Writer::from_writer(Vec::new());
    table.serialize(T::default()).expect("a row is numbers and texts");
    let bytes = table.into_inner().expect("memory takes every byte");
    csv::Reader::from_reader(&*bytes).headers().expect("it was just written").clone()
}

/// A writer of rows without a header line.
pub fn rows_to<W: io::Write>(out: W) -> Writer<W> {
    WriterBuilder::new().has_headers(false).from_writer(out)
}

/// A CSV file that is being written.
pub struct TableWriter {
    path: PathBuf,
    out: Writer<AtomicFile>,
}

impl TableWriter {
    /// Begins a file in a directory.
    pub fn begin(dir: &Path, name: &str) -> Result<TableWriter, StorageError> {
        let path = dir.join(name);
        match AtomicFile::begin(&path) {
            Ok(draft) => Ok(TableWriter { path, out: rows_to(draft) }),
            Err(why) => Err(storage("write", &path, why)),
        }
    }

    /// Begins a file in a directory with a header line for rows of this type.
    pub fn of<T: Default + Serialize>(dir: &Path, name: &str) -> Result<TableWriter, StorageError> {
        let mut table = TableWriter::begin(dir, name)?;
        table.fields(&columns::<T>())?;
        Ok(table)
    }

    /// Adds a row of texts.
    pub fn fields<F: AsRef<[u8]>>(
        &mut self,
        fields: impl IntoIterator<Item = F>,
    ) -> Result<(), StorageError> {
        let written = self.out.write_record(fields);
        written.map_err(|why| storage("write", &self.path, why.into()))
    }

    /// Adds a row.
    pub fn row(&mut self, row: &impl Serialize) -> Result<(), StorageError> {
        let written = self.out.serialize(row);
        written.map_err(|why| storage("write", &self.path, why.into()))
    }

    /// Replaces the old file.
    pub fn finish(self) -> Result<(), StorageError> {
        let TableWriter { path, out } = self;
        let finished = match out.into_inner() {
            Ok(draft) => draft.finish(),
            Err(unwritten) => Err(unwritten.into_error()),
        };
        finished.map_err(|why| storage("write", &path, why))
    }
}
