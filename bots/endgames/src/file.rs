//! Table files: one layer of one board, once as outcomes alone and once with plies.
//!
//! Every file begins with a page of [`PAGE`] bytes, its header. The payload follows; the header has
//! its length and CRC-32. `bots/endgames/ENDGAMES.md` describes both in full.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use fanorona_protocol::rules::{BoardSize, Ruleset};
use memmap2::Mmap;
use serde::{Deserialize, Serialize};

use super::atomic_file;
use super::error::{FileError, FileProblem};
use super::file_format::{Format, FormatError, FormatProblem, Layout};
use super::index::Index;
use super::layer::Layer;
use super::outcome::Outcome;
use super::packing::{BLOCK, outcome};
use super::side_stats::SideStats;

/// The format of a table file.
const FORMAT: Format = Format {
    name: "fanorona-endgames",
    version: 1,
    layout: Layout::SealedPage(PAGE),
    noun: "an endgame table",
    remedy: "remove the file and build the table again",
};

/// Bytes before the payload.
const PAGE: usize = 1024;

/// Bytes of an entry in the table of blocks: the end of the block, counted from the end of the
/// table, and the CRC-32 of its compressed bytes.
const ENTRY: usize = 12;

/// The compression level of the plies.
const LEVEL: i32 = 3;

/// Outcomes in a byte: 3⁵ is the last power of three below 256. A divisor of [`BLOCK`].
const PER_BYTE: usize = 5;

/// The content of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Content {
    /// Win, draw or loss: five in a byte, as digits to the base of three, the first one lowest.
    Outcomes,
    /// A byte of [plies](super::packing), compressed in blocks.
    Plies,
}

impl Content {
    pub(super) const ALL: [Content; 2] = [Content::Outcomes, Content::Plies];

    /// The extension of the file name.
    fn extension(self) -> &'static str {
        match self {
            Content::Outcomes => "outcomes",
            Content::Plies => "plies",
        }
    }
}

/// The header on the first page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) content: Content,
    pub(super) board: String,
    pub(super) layer: String,
    /// The rule switches that are on; absent if there are none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) rules: String,
    /// The number of positions in the layer.
    pub(super) numbers: u64,
    /// Length of the payload in bytes.
    pub(super) payload: u64,
    /// Its CRC-32.
    pub(super) checksum: u32,
    #[serde(rename = "halves")]
    pub(super) sides: Vec<SideStats>,
}

/// The path of a table: `9x5-3v2.outcomes` in its directory.
pub(super) fn path(dir: &Path, board: BoardSize, layer: Layer, content: Content) -> PathBuf {
    dir.join(format!("{board}-{layer}.{}", content.extension()))
}

/// The rule switches that matter to a table, as on its first page.
pub(super) fn rules(rules: &Ruleset) -> String {
    let Ruleset { forced_continuation, blocked_is_draw, .. } = *rules;
    let mut rules = Ruleset::default();
    rules.forced_continuation = forced_continuation;
    rules.blocked_is_draw = blocked_is_draw;
    rules.to_string()
}

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

/// Bits of the number of blocks a cache holds.
const CACHED: u32 = 10;

/// The plies of recently unpacked blocks, of any open files.
pub(super) struct Cache {
    blocks: Vec<CachedBlock>,
}

/// A block that has been unpacked.
#[derive(Clone, Default)]
struct CachedBlock {
    /// The address of the mapped file, and the number of the block; `None` if empty.
    key: Option<(usize, usize)>,
    bytes: Vec<u8>,
}

impl Cache {
    pub(super) fn new() -> Cache {
        Cache { blocks: vec![CachedBlock::default(); 1 << CACHED] }
    }
}

/// A complete file, mapped into memory.
pub(super) struct TableFile {
    path: PathBuf,
    header: Header,
    map: Mmap,
}

impl TableFile {
    /// Opens a file that must have this content of a layer, and these rules if given. Checks
    /// everything except the checksum of the payload.
    pub(super) fn open(
        path: &Path,
        index: &Index,
        layer: Layer,
        content: Content,
        rules: Option<&Ruleset>,
    ) -> Result<TableFile, FileError> {
        let wrong = |problem| FileError::new(path, problem);
        let map = map(path).map_err(|error| FileError::new(path, error))?;
        let wrong_format = |error: FormatError| FileError::new(path, error);
        let (header, _) = FORMAT.read::<Header>(&map).map_err(wrong_format)?;
        let (found, expected) = (map.len() as u64, PAGE as u64 + header.payload);
        if found != expected {
            return Err(wrong_format(FORMAT.error(FormatProblem::Length { found, expected })));
        }
        let same = (header.content, header.numbers) == (content, index.len(layer))
            && header.board == index.size().to_string()
            && header.layer == layer.to_string();
        if !same {
            let found = format!("{} on {}", header.layer, header.board);
            let expected = format!("{layer} on {}", index.size());
            return Err(wrong(FileProblem::Other { found, expected }));
        }
        if let Some(expected) = rules.map(self::rules).filter(|rules| *rules != header.rules) {
            let by = |rules: &str| format!("the rules `{rules}`");
            let (found, expected) = (by(&header.rules), by(&expected));
            return Err(wrong(FileProblem::Rules { found, expected }));
        }
        Ok(TableFile { path: path.to_owned(), header, map })
    }

    /// The rules of the table.
    pub(super) fn rules(&self) -> Result<Ruleset, FileError> {
        let known = self.header.rules.parse().ok().filter(|read| rules(read) == self.header.rules);
        known.ok_or_else(|| self.wrong(FORMAT.damaged("header")))
    }

    /// Compares the payload with its checksum.
    pub(super) fn check(&self) -> Result<(), FileError> {
        FORMAT.check(self.payload(), self.header.checksum).map_err(|error| self.wrong(error))
    }

    /// The statistics of the layer.
    pub(super) fn sides(&self) -> &[SideStats] {
        &self.header.sides
    }

    /// The outcome of a number, in a file of outcomes.
    #[inline]
    pub(super) fn outcome(&self, number: u64) -> Outcome {
        const POWERS: [u8; PER_BYTE] = [1, 3, 9, 27, 81];
        let digits = self.map[PAGE + number as usize / PER_BYTE];
        match digits / POWERS[number as usize % PER_BYTE] % 3 {
            0 => Outcome::Loss,
            1 => Outcome::Draw,
            _ => Outcome::Win,
        }
    }

    /// The byte of a number, in a file of plies.
    pub(super) fn byte(&self, number: u64, cache: &mut Cache) -> Result<u8, FileError> {
        let (block, within) = (number as usize / BLOCK, number as usize % BLOCK);
        let key = (self.map.as_ptr() as usize, block);
        // Fibonacci hashing (Knuth, TAOCP 6.4).
        let hash = (key.0 ^ key.1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (usize::BITS - CACHED);
        let entry = &mut cache.blocks[hash];
        if entry.key != Some(key) {
            *entry = CachedBlock { key: Some(key), bytes: self.block(block)? };
        }
        Ok(entry.bytes[within])
    }

    /// The bytes of all numbers, in a file of plies.
    pub(super) fn bytes(&self) -> Result<Vec<u8>, FileError> {
        let mut bytes = Vec::with_capacity(self.header.numbers as usize);
        for block in 0..self.blocks() {
            bytes.extend_from_slice(&self.block(block)?);
        }
        Ok(bytes)
    }

    fn payload(&self) -> &[u8] {
        &self.map[PAGE..]
    }

    fn blocks(&self) -> usize {
        self.header.numbers.div_ceil(BLOCK as u64) as usize
    }

    /// The bytes of the numbers in a block of [`BLOCK`], the last one of a file shorter.
    pub(super) fn block(&self, block: usize) -> Result<Vec<u8>, FileError> {
        let (table, blocks) =
            self.payload().split_at_checked(self.blocks() * ENTRY).unwrap_or_default();
        let entry = |block: usize| -> Option<(usize, u32)> {
            let (end, checksum) = table.get(block * ENTRY..(block + 1) * ENTRY)?.split_at(8);
            let end = u64::from_le_bytes(end.try_into().ok()?);
            Some((end as usize, u32::from_le_bytes(checksum.try_into().ok()?)))
        };
        let found = || {
            let begin = if block == 0 { 0 } else { entry(block - 1)?.0 };
            let (end, checksum) = entry(block)?;
            let compressed = blocks.get(begin..end)?;
            let sound = crc32fast::hash(compressed) == checksum;
            let numbers = (self.header.numbers as usize - block * BLOCK).min(BLOCK);
            let bytes = zstd::bulk::decompress(compressed, numbers).ok();
            bytes.filter(|bytes| sound && bytes.len() == numbers)
        };
        found().ok_or_else(|| self.wrong(FORMAT.damaged(format!("block {block}"))))
    }

    fn wrong(&self, error: FormatError) -> FileError {
        FileError::new(&self.path, error)
    }
}

#[expect(unsafe_code, reason = "tables are larger than what an engine may read before it plays")]
fn map(path: &Path) -> io::Result<Mmap> {
    let file = File::open(path)?;
    // SAFETY: a table gets its name when it is complete and is never written again. Truncating an
    // open table ends the program. Nothing else here is unsound, because every byte is a valid
    // value of its type.
    unsafe { Mmap::map(&file) }
}
