//! The lines of a journal: its header, games and void attempts, each with a checksum.

use super::{GameRecord, VoidRecord};
use crate::pairing::shard::Shard;
use crate::text::as_text;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::io;
use std::path::{Path, PathBuf};

/// The name of the journal in a results directory.
pub(super) const FILE: &str = "journal.jsonl";

/// The format version that this arena writes and reads.
pub(super) const VERSION: u32 = 1;

/// The first entry of a journal, which names the tournament.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The format's version.
    pub version: u32,
    /// The version of the arena that created it.
    pub arena: String,
    /// The tournament's name.
    pub name: String,
    /// A checksum of the settings that affect games.
    pub config: String,
    /// The shard of the tournament that is played here.
    #[serde(with = "as_text", default, skip_serializing_if = "Shard::is_whole")]
    pub shard: Shard,
    /// The engines that did not start before the first game; the others play without them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<Broken>,
}

/// An engine that did not start before the first game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Broken {
    /// Its name.
    pub engine: String,
    /// The reason why it did not start.
    pub why: String,
}

impl Header {
    /// The header of a new journal.
    pub fn new(name: impl Into<String>, config: impl Into<String>) -> Header {
        Header {
            version: VERSION,
            arena: env!("CARGO_PKG_VERSION").to_owned(),
            name: name.into(),
            config: config.into(),
            shard: Shard::WHOLE,
            broken: Vec::new(),
        }
    }

    /// The header of a shard.
    pub fn for_shard(self, shard: Shard) -> Header {
        Header { shard, ..self }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Entry {
    Header(Header),
    Game(Box<GameRecord>),
    Void(VoidRecord),
}

/// A line to write, after the header: encoded like the entries that are read.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NewEntry<'e> {
    /// A finished game.
    Game(&'e GameRecord),
    /// A void attempt at a game.
    Void(&'e VoidRecord),
}

/// The form of a line.
#[derive(Serialize, Deserialize)]
struct Line<'l> {
    crc32: String,
    #[serde(borrow)]
    entry: &'l RawValue,
}

/// Encodes an entry as a line with its checksum.
pub(super) fn line_of(entry: &impl Serialize) -> io::Result<String> {
    let entry = serde_json::value::to_raw_value(entry)?;
    let crc32 = format!("{:08x}", crc32fast::hash(entry.get().as_bytes()));
    Ok(serde_json::to_string(&Line { crc32, entry: &entry })? + "\n")
}

/// Decodes the entry of a line, or describes the problem.
pub(super) fn entry_of(line: &[u8]) -> Result<Entry, String> {
    let line: Line<'_> = serde_json::from_slice(line).map_err(|why| why.to_string())?;
    let found = format!("{:08x}", crc32fast::hash(line.entry.get().as_bytes()));
    if found != line.crc32 {
        return Err(format!("the line's checksum is {found}, but should be {}", line.crc32));
    }
    serde_json::from_str(line.entry.get()).map_err(|why| why.to_string())
}

/// The entry of a line read from the file, and the length of the line without its newline. A last
/// line with a missing or damaged newline is complete if its checksum is correct.
pub(super) fn entry_with_end(bytes: &[u8]) -> Result<(Entry, usize), String> {
    let of = |line: &[u8]| entry_of(line).map(|entry| (entry, line.len()));
    match (bytes.strip_suffix(b"\n"), bytes.split_last()) {
        (Some(line), _) => of(line),
        (None, Some((_, line))) => of(bytes).or_else(|why| of(line).map_err(|_| why)),
        (None, None) => of(bytes),
    }
}

/// The entry at the beginning of some bytes, and its length in bytes.
pub(super) fn first_entry(bytes: &[u8]) -> Result<(Entry, usize), String> {
    let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<Line<'_>>();
    let found = values.next().ok_or("the line is empty")?;
    found.map_err(|why| why.to_string())?;
    let length = values.byte_offset();
    Ok((entry_of(&bytes[..length])?, length))
}

/// The path of the journal in a results directory.
pub(super) fn path_in(dir: &Path) -> PathBuf {
    dir.join(FILE)
}
