//! Salvages a damaged journal: every line with a correct checksum whose game is right, whatever
//! surrounds it.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use super::journal::Journal;
use super::journal_error::JournalError;
use super::journal_line::{Entry, Header, first_entry};
use super::own_file;
use super::storage::storage;
use super::{GameRecord, JournalBuilder, StorageError};
use crate::game::termination::Reason;
use crate::pairing::ids::GameId;
use crate::pairing::shard::Shard;
use crate::platform;

/// The beginning of every line. Quotes inside JSON strings are escaped, so no line contains it
/// twice.
const BEGINNING: &[u8] = b"{\"crc32\":\"";

/// The undamaged lines of a journal.
#[derive(Debug)]
pub struct Salvage {
    file: File,
    path: PathBuf,
    /// Their offsets and lengths, without newlines.
    lines: Vec<(u64, usize)>,
    /// The header, if it is undamaged.
    pub header: Option<Header>,
    /// The shard that a damaged header still names.
    pub shard: Option<Shard>,
    /// The number of games among the lines.
    pub games: usize,
    /// The lines that cannot be saved.
    pub losses: Vec<Loss>,
}

/// A line that cannot be saved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loss {
    /// The line of the journal, from 1.
    pub line: usize,
    /// The game of the line, if it is still readable.
    pub game: Option<String>,
    /// The problem.
    pub why: String,
}

impl Salvage {
    /// Reads the journal of a results directory without changing it. `check` says what is wrong with
    /// a game whose line is undamaged.
    ///
    /// If it cannot be read or has another format version.
    pub fn read(
        dir: &Path,
        check: impl Fn(&GameRecord) -> Result<(), String>,
    ) -> Result<Salvage, JournalError> {
        let path = Journal::path_in(dir);
        let failed = |what| {
            let path = path.clone();
            move |source| storage(what, &path, source)
        };
        let open = || own_file::open(&path).map_err(failed("open"));
        let mut salvage = Salvage {
            file: open()?,
            path: path.clone(),
            lines: Vec::new(),
            header: None,
            shard: None,
            games: 0,
            losses: Vec::new(),
        };
        let mut games = Games::default();
        let mut reader = BufReader::new(open()?);
        let (mut bytes, mut offset) = (Vec::new(), 0);
        for line in 1.. {
            bytes.clear();
            let length = own_file::read_line(&mut reader, &mut bytes).map_err(failed("read"))?;
            if length == 0 {
                break;
            }
            for (begin, piece) in pieces(&bytes) {
                salvage.take(line, offset + begin as u64, piece, &mut games, &check)?;
            }
            offset += length as u64;
        }
        let kept = games.consecutive(&mut salvage.losses);
        salvage.games = kept.len();
        salvage.lines.extend(kept);
        salvage.lines.sort_unstable();
        salvage.losses.sort_by_key(|loss| loss.line);
        Ok(salvage)
    }

    /// Reads the bytes from the beginning of one line to that of the next.
    fn take(
        &mut self,
        line: usize,
        offset: u64,
        piece: &[u8],
        games: &mut Games,
        check: impl Fn(&GameRecord) -> Result<(), String>,
    ) -> Result<(), JournalError> {
        let lost = |why: String| Loss { line, game: game_in(piece), why };
        let (entry, length) = match first_entry(piece) {
            Ok(found) => found,
            Err(why) => {
                self.shard = self.shard.or_else(|| shard_in(piece));
                self.losses.push(lost(why));
                return Ok(());
            }
        };
        let kept = (offset, length);
        match entry {
            Entry::Header(header) if header.version != Header::new("", "").version => {
                let path = self.path.clone();
                return Err(JournalError::Version { path, found: header.version });
            }
            Entry::Header(header) if self.header.is_none() => self.header = Some(header),
            Entry::Header(_) => self.losses.push(lost("a second header".to_owned())),
            Entry::Game(game) => {
                if let Err(why) = check(&game) {
                    let why = format!("its checksum is right, but it is wrong: {why}");
                    let game = Some(game.id.to_string());
                    self.losses.push(Loss { line, game, why });
                } else if !games.add(&game, line, kept) {
                    let why = format!("game {} occurs twice; the first one is kept", game.id);
                    self.losses.push(lost(why));
                }
            }
            Entry::Void(_) => self.lines.push(kept),
        }
        Ok(())
    }

    /// Writes the undamaged lines of games and void attempts to a new journal, in order.
    ///
    /// If they cannot be read again or written.
    pub fn write(&self, journal: &mut JournalBuilder) -> Result<(), StorageError> {
        for &(offset, length) in &self.lines {
            let mut line = vec![0; length];
            let read = platform::read_exact_at(&self.file, &mut line, offset);
            read.map_err(|source| storage("read", &self.path, source))?;
            line.push(b'\n');
            journal.add(&line)?;
        }
        Ok(())
    }
}

/// The games found so far, each with its line and place.
#[derive(Default)]
struct Games {
    /// The index of each game in `found`, and whether it is void because of the arena.
    known: HashMap<GameId, (usize, bool)>,
    found: Vec<(GameId, usize, (u64, usize))>,
}

impl Games {
    /// Adds a game; `false` if it is already known. A void game may have been played again; the
    /// later line counts.
    fn add(&mut self, game: &GameRecord, line: usize, kept: (u64, usize)) -> bool {
        let is_void = game.reason == Reason::Void;
        match self.known.get(&game.id).copied() {
            None => {
                self.known.insert(game.id, (self.found.len(), is_void));
                self.found.push((game.id, line, kept));
            }
            Some((place, true)) => {
                self.known.insert(game.id, (place, is_void));
                self.found[place] = (game.id, line, kept);
            }
            Some((_, false)) => return false,
        }
        true
    }

    /// The places of the games that can be kept. A game of a session depends on the previous ones,
    /// so those after a lost one are played again too.
    fn consecutive(mut self, losses: &mut Vec<Loss>) -> Vec<(u64, usize)> {
        self.found.sort_unstable();
        let of_session = |id: GameId| id.of_session.map_or(0, NonZeroU32::get);
        let mut before: Option<GameId> = None;
        let mut kept = Vec::new();
        for (id, line, place) in self.found {
            let last = before.filter(|before| before.pairing == id.pairing).map_or(0, of_session);
            if id.of_session.is_some() && of_session(id) != last + 1 {
                let why = "undamaged, but an earlier game of its session is lost".to_owned();
                losses.push(Loss { line, game: Some(id.to_string()), why });
                continue;
            }
            before = Some(id);
            kept.push(place);
        }
        kept
    }
}

/// The pieces of a line of the file with their offsets. A damaged newline joins two lines.
fn pieces(bytes: &[u8]) -> Vec<(usize, &[u8])> {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let begins = |at: &usize| bytes[*at..].starts_with(BEGINNING);
    let mut begin: Vec<usize> = (0..bytes.len()).filter(begins).collect();
    // Bytes before the first beginning are not a line, unless they are a damaged newline.
    if begin.first() != Some(&0) {
        begin.insert(0, 0);
    }
    let ends = begin.iter().skip(1).copied().chain([bytes.len()]);
    begin.iter().copied().zip(ends).map(|(begin, end)| (begin, &bytes[begin..end])).collect()
}

/// The text between a beginning and a quote, if it is short.
fn quoted<'p>(piece: &'p [u8], beginning: &[u8]) -> Option<&'p str> {
    let at = piece.windows(beginning.len()).position(|bytes| bytes == beginning)?;
    let rest = &piece[at + beginning.len()..];
    let end = rest.iter().take(32).position(|&byte| byte == b'"')?;
    std::str::from_utf8(&rest[..end]).ok()
}

/// The game that a damaged line seems to contain.
fn game_in(piece: &[u8]) -> Option<String> {
    let id: GameId = quoted(piece, b"\"id\":\"")?.parse().ok()?;
    Some(id.to_string())
}

/// The shard that a damaged header seems to name.
fn shard_in(piece: &[u8]) -> Option<Shard> {
    quoted(piece, b"\"shard\":\"")?.parse().ok()
}
