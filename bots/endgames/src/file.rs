//! Table files: one layer of one board, once as outcomes alone and once with plies.
//!
//! Every file begins with a page of [`PAGE`] bytes, its header. The payload follows; the header has
//! its length and CRC-32. `bots/endgames/ENDGAMES.md` describes both in full.

#[cfg(feature = "files")]
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use fanorona_protocol::rules::{BoardSize, Ruleset};
#[cfg(feature = "files")]
use memmap2::Mmap;
use serde::{Deserialize, Serialize};

use super::error::{FileError, FileProblem};
use super::file_format::{Format, FormatError, FormatProblem, Layout};
use super::index::Index;
use super::layer::Layer;
use super::outcome::Outcome;
use super::packing::BLOCK;
use super::side_stats::SideStats;

/// The format of a table file.
pub(super) const FORMAT: Format = Format {
    name: "fanorona-endgames",
    version: 1,
    layout: Layout::SealedPage(PAGE),
    noun: "an endgame table",
    remedy: "remove the file and build the table again",
};

/// Bytes before the payload.
pub(super) const PAGE: usize = 1024;

/// Bytes of an entry in the table of blocks: the end of the block, counted from the end of the
/// table, and the CRC-32 of its compressed bytes.
pub(super) const ENTRY: usize = 12;

/// Outcomes in a byte: 3⁵ is the last power of three below 256. A divisor of [`BLOCK`].
pub(super) const PER_BYTE: usize = 5;

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

/// The bytes of a file.
pub(super) enum Bytes {
    /// Of a file on disk.
    #[cfg(feature = "files")]
    Mapped(Mmap),
    /// Of a file that the program has got in another way, and keeps.
    Kept(&'static [u8]),
}

impl Deref for Bytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            #[cfg(feature = "files")]
            Bytes::Mapped(map) => map,
            Bytes::Kept(bytes) => bytes,
        }
    }
}

/// A complete file.
pub(super) struct TableFile {
    path: PathBuf,
    header: Header,
    bytes: Bytes,
}

impl TableFile {
    /// Opens a file; see [`TableFile::of`].
    #[cfg(feature = "files")]
    pub(super) fn open(
        path: &Path,
        index: &Index,
        layer: Layer,
        content: Content,
        rules: Option<&Ruleset>,
    ) -> Result<TableFile, FileError> {
        TableFile::of(map(path).map(Bytes::Mapped), path, index, layer, content, rules)
    }

    /// Reads the file of a path, which must have this content of a layer, and these rules if given.
    /// Checks everything except the checksum of the payload.
    pub(super) fn of(
        bytes: io::Result<Bytes>,
        path: &Path,
        index: &Index,
        layer: Layer,
        content: Content,
        rules: Option<&Ruleset>,
    ) -> Result<TableFile, FileError> {
        let wrong = |problem| FileError::new(path, problem);
        let bytes = bytes.map_err(|error| FileError::new(path, error))?;
        let wrong_format = |error: FormatError| FileError::new(path, error);
        let (header, _) = FORMAT.read::<Header>(&bytes).map_err(wrong_format)?;
        let (found, expected) = (bytes.len() as u64, PAGE as u64 + header.payload);
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
        let least = match content {
            Content::Outcomes => header.numbers.div_ceil(PER_BYTE as u64),
            Content::Plies => 0,
        };
        if header.payload < least {
            return Err(wrong_format(FORMAT.damaged("header")));
        }
        if let Some(expected) = rules.map(self::rules).filter(|rules| *rules != header.rules) {
            let by = |rules: &str| format!("the rules `{rules}`");
            let (found, expected) = (by(&header.rules), by(&expected));
            return Err(wrong(FileProblem::Rules { found, expected }));
        }
        Ok(TableFile { path: path.to_owned(), header, bytes })
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
        let digits = self.bytes[PAGE + number as usize / PER_BYTE];
        match digits / POWERS[number as usize % PER_BYTE] % 3 {
            0 => Outcome::Loss,
            1 => Outcome::Draw,
            _ => Outcome::Win,
        }
    }

    /// The byte of a number, in a file of plies.
    pub(super) fn byte(&self, number: u64, cache: &mut Cache) -> Result<u8, FileError> {
        let (block, within) = (number as usize / BLOCK, number as usize % BLOCK);
        let key = (self.bytes.as_ptr() as usize, block);
        // Fibonacci hashing (Knuth, TAOCP 6.4).
        let hash =
            ((key.0 ^ key.1) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - CACHED);
        let entry = &mut cache.blocks[hash as usize];
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
        &self.bytes[PAGE..]
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
            unpack(compressed, numbers).filter(|bytes| sound && bytes.len() == numbers)
        };
        found().ok_or_else(|| self.wrong(FORMAT.damaged(format!("block {block}"))))
    }

    fn wrong(&self, error: FormatError) -> FileError {
        FileError::new(&self.path, error)
    }
}

/// Unpacks a block of this many numbers.
#[cfg(feature = "files")]
fn unpack(block: &[u8], numbers: usize) -> Option<Vec<u8>> {
    zstd::bulk::decompress(block, numbers).ok()
}

/// Unpacks a block of this many numbers without a C library.
#[cfg(all(not(feature = "files"), target_family = "wasm"))]
fn unpack(block: &[u8], numbers: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; numbers];
    let count = ruzstd::decoding::FrameDecoder::new().decode_all(block, &mut bytes).ok()?;
    (count == numbers).then_some(bytes)
}

/// Fails: this build has no files.
#[cfg(not(any(feature = "files", target_family = "wasm")))]
fn unpack(_: &[u8], _: usize) -> Option<Vec<u8>> {
    None
}

#[cfg(feature = "files")]
#[expect(unsafe_code, reason = "tables are larger than what an engine may read before it plays")]
pub(super) fn map(path: &Path) -> io::Result<Mmap> {
    let file = File::open(path)?;
    // SAFETY: a table gets its name when it is complete and is never written again. Truncating an
    // open table ends the program. Nothing else here is unsound, because every byte is a valid
    // value of its type.
    unsafe { Mmap::map(&file) }
}
