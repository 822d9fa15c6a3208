//! The lines of a journal: its header, games and void attempts, each with a checksum.

use super::{GameRecord, VoidRecord, text};
use crate::pairing::shard::Shard;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::io;
use std::path::{Path, PathBuf};

/// The name of the file in a results directory.
pub(super) const FILE: &str = "journal.jsonl";

/// The version of the format this arena writes and reads.
pub(super) const VERSION: u32 = 1;

/// What a journal says of its tournament.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The format's version.
    pub version: u32,
    /// The version of the arena that began it.
    pub arena: String,
    /// The tournament's name.
    pub name: String,
    /// A checksum of everything in the config that games depend on.
    pub config: String,
    /// The part of the tournament that is played here.
    #[serde(with = "text", default, skip_serializing_if = "Shard::is_whole")]
    pub shard: Shard,
    /// The engines that did not start before the first game, without which the others play.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<Broken>,
}

/// An engine that did not start before the first game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Broken {
    /// Its name.
    pub engine: String,
    /// For people: why it did not start.
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

    /// The same of a part of the tournament.
    pub fn of_part(self, shard: Shard) -> Header {
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

/// A line as written.
#[derive(Serialize, Deserialize)]
struct Line<'l> {
    crc32: String,
    #[serde(borrow)]
    entry: &'l RawValue,
}

/// An entry as a line with its checksum.
pub(super) fn line_of(entry: &Entry) -> io::Result<String> {
    let entry = serde_json::value::to_raw_value(entry)?;
    let crc32 = format!("{:08x}", crc32fast::hash(entry.get().as_bytes()));
    Ok(serde_json::to_string(&Line { crc32, entry: &entry })? + "\n")
}

/// What is wrong with a line, or its entry.
pub(super) fn entry_of(line: &[u8]) -> Result<Entry, String> {
    let line: Line<'_> = serde_json::from_slice(line).map_err(|why| why.to_string())?;
    let found = format!("{:08x}", crc32fast::hash(line.entry.get().as_bytes()));
    if found != line.crc32 {
        return Err(format!("the line's checksum is {found}, not {} as it says", line.crc32));
    }
    serde_json::from_str(line.entry.get()).map_err(|why| why.to_string())
}

/// The entry of a line as it lies in the file, and the length of the line without its end. A last
/// line whose newline alone is missing or damaged is whole: its checksum says so.
pub(super) fn entry_with_end(bytes: &[u8]) -> Result<(Entry, usize), String> {
    let of = |line: &[u8]| entry_of(line).map(|entry| (entry, line.len()));
    match (bytes.strip_suffix(b"\n"), bytes.split_last()) {
        (Some(line), _) => of(line),
        (None, Some((_, line))) => of(bytes).or_else(|why| of(line).map_err(|_| why)),
        (None, None) => of(bytes),
    }
}

/// The entry some bytes begin with, and how many of them it takes.
pub(super) fn first_entry(bytes: &[u8]) -> Result<(Entry, usize), String> {
    let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<Line<'_>>();
    let found = values.next().ok_or("nothing is there")?;
    found.map_err(|why| why.to_string())?;
    let length = values.byte_offset();
    Ok((entry_of(&bytes[..length])?, length))
}

/// Where the journal of a results directory lies.
pub(super) fn path_in(dir: &Path) -> PathBuf {
    dir.join(FILE)
}
