//! Writing table files.

use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::PathBuf;

use super::atomic_file;
use super::error::FileError;
use super::file::{Content, ENTRY, FORMAT, Header, PAGE, PER_BYTE};
use super::packing::{BLOCK, outcome};

/// The compression level of the plies.
const LEVEL: i32 = 3;

/// Writes a table file, which has another name until it is complete.
pub(super) struct TableWriter {
    path: PathBuf,
    part: PathBuf,
    file: BufWriter<File>,
    content: Content,
    checksum: crc32fast::Hasher,
    payload: u64,
    /// Bytes that do not fill a block yet.
    waiting: Vec<u8>,
    /// The table of blocks: the end of each, and its checksum.
    blocks: Vec<(u64, u32)>,
    compressor: zstd::bulk::Compressor<'static>,
    /// Bytes of the table of blocks.
    table: u64,
}

impl TableWriter {
    /// Starts a file with a number of positions.
    pub(super) fn create(
        path: PathBuf,
        content: Content,
        numbers: u64,
    ) -> Result<TableWriter, FileError> {
        let part = atomic_file::part_of(&path);
        let io = |error| FileError::new(&part, error);
        let mut file = BufWriter::with_capacity(1 << 20, File::create(&part).map_err(io)?);
        let table = match content {
            Content::Outcomes => 0,
            Content::Plies => numbers.div_ceil(BLOCK as u64) * ENTRY as u64,
        };
        file.seek(SeekFrom::Start(PAGE as u64 + table)).map_err(io)?;
        let compressor = zstd::bulk::Compressor::new(LEVEL).map_err(io)?;
        Ok(TableWriter {
            path,
            file,
            content,
            checksum: crc32fast::Hasher::new(),
            payload: 0,
            waiting: Vec::with_capacity(2 * BLOCK),
            blocks: Vec::new(),
            compressor,
            table,
            part,
        })
    }

    /// Adds the bytes of the next numbers.
    pub(super) fn add(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        self.waiting.extend_from_slice(bytes);
        let mut done = 0;
        while self.waiting.len() - done >= BLOCK {
            self.write_block(done, done + BLOCK)?;
            done += BLOCK;
        }
        self.waiting.drain(..done);
        Ok(())
    }

    fn write_block(&mut self, from: usize, to: usize) -> Result<(), FileError> {
        let io = |error| FileError::new(&self.part, error);
        let block = match self.content {
            Content::Plies => self.compressor.compress(&self.waiting[from..to]).map_err(io)?,
            Content::Outcomes => pack(&self.waiting[from..to]),
        };
        self.file.write_all(&block).map_err(io)?;
        self.checksum.update(&block);
        self.payload += block.len() as u64;
        self.blocks.push((self.payload, crc32fast::hash(&block)));
        Ok(())
    }

    /// Completes the file: everything is on disk before it gets its name.
    pub(super) fn finish(
        mut self,
        header: impl FnOnce(Content, u64, u32) -> Header,
    ) -> Result<(), FileError> {
        if !self.waiting.is_empty() {
            self.write_block(0, self.waiting.len())?;
        }
        let mut table = Vec::with_capacity(self.table as usize);
        if self.content == Content::Plies {
            for (end, checksum) in &self.blocks {
                table.extend_from_slice(&end.to_le_bytes());
                table.extend_from_slice(&checksum.to_le_bytes());
            }
        }
        let mut checksum = crc32fast::Hasher::new();
        checksum.update(&table);
        checksum.combine(&self.checksum);
        let header = header(self.content, self.table + self.payload, checksum.finalize());
        let mut write = || {
            self.file.seek(SeekFrom::Start(0))?;
            self.file.write_all(&FORMAT.header(&header))?;
            self.file.write_all(&table)?;
            self.file.flush()?;
            atomic_file::commit(self.file.get_ref(), &self.part, &self.path)
        };
        write().map_err(|error| FileError::new(&self.path, error))
    }
}

/// Five outcomes to a byte; the last one of a file may hold fewer.
fn pack(bytes: &[u8]) -> Vec<u8> {
    let digit = |&byte: &u8| outcome(byte) as u8;
    bytes
        .chunks(PER_BYTE)
        .map(|five| five.iter().rev().fold(0, |sum, b| 3 * sum + digit(b)))
        .collect()
}
