//! The files of a results directory beside the journal, all derived from it and the config.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use fanorona_protocol::rules::Player;

use crate::config::Tournament;
use crate::contests::Contests;
use crate::kind::Kind;
use crate::ratings::FitOptions;
use crate::record::{GameRecord, StorageError};
use crate::report::csv::{self, SessionRow};
use crate::standings::Standings;
use crate::tournament::{Plan, session_of};

/// The effective config, from which a tournament can be resumed.
pub const CONFIG: &str = "config.toml";

/// An error of the disk.
pub fn storage(what: &'static str, path: &Path, source: io::Error) -> StorageError {
    StorageError { what, path: path.to_owned(), source }
}

/// A checksum of everything in a config that games depend on: not how many are played at once, nor
/// where the files lie, nor how patient the arena is with its user and its disk.
pub fn checksum(tournament: &Tournament) -> String {
    let mut tournament = tournament.clone();
    tournament.concurrency = None;
    tournament.finish_timeout = Duration::ZERO;
    tournament.storage_timeout = Duration::ZERO;
    let base = tournament.base.clone();
    format!("{:08x}", crc32fast::hash(tournament.to_toml(&base).as_bytes()))
}

/// Writes the effective config and syncs it.
pub fn write_config(dir: &Path, plan: &Plan) -> Result<(), StorageError> {
    let absolute = fs::canonicalize(dir).map_err(|why| storage("find", dir, why))?;
    write_file(&dir.join(CONFIG), plan.tournament.to_toml(&absolute).as_bytes())
}

/// Writes every CSV file from the games so far, which are put into schedule order, and gives the
/// standings.
pub fn write(dir: &Path, plan: &Plan, games: &mut [GameRecord]) -> Result<Standings, StorageError> {
    games.sort_by_key(|game| game.id);
    let failed =
        |error: csv::CsvError| storage("write", &error.path, io::Error::other(error.source));
    csv::games(dir, games).map_err(failed)?;
    csv::sessions(dir, &sessions(plan, games)).map_err(failed)?;
    let names: Vec<String> =
        plan.tournament.engines.iter().map(|engine| engine.name.clone()).collect();
    let mut contests = Contests::of_engines(names.iter().map(String::as_str));
    let path = dir.join("games.csv");
    contests.read(&path).map_err(|error| storage("read back", &path, io::Error::other(error)))?;
    let standings = Standings::new(&contests, &FitOptions::default())
        .expect("without anchors every sample can be rated");
    csv::standings(dir, &standings).map_err(failed)?;
    csv::crosstable(dir, &standings, &names).map_err(failed)?;
    Ok(standings)
}

/// The sessions that are over.
fn sessions(plan: &Plan, games: &[GameRecord]) -> Vec<SessionRow> {
    let of_session = |game: &&GameRecord| game.id.of_session.is_some();
    let games: Vec<&GameRecord> = games.iter().filter(of_session).collect();
    let mut rows = Vec::new();
    for games in games.chunk_by(|a, b| a.id.pairing == b.id.pairing) {
        let Some(pairing) = plan.schedule.get(games[0].id.pairing) else { continue };
        debug_assert_eq!(pairing.kind, Kind::Session);
        let owned: Vec<GameRecord> = games.iter().map(|&game| game.clone()).collect();
        let name = |id: crate::schedule::EngineId| plan.tournament.engines[id.0].name.clone();
        let row = |result: &str, sets: String, velas| SessionRow {
            session: pairing.id.0,
            pair: pairing.pair.0,
            first: name(pairing.first),
            second: name(pairing.second),
            result: result.to_owned(),
            sets,
            velas,
            games: games.len(),
        };
        match session_of(plan, &pairing, &owned) {
            Some(session) if session.is_over() => {
                let result = match session.winner() {
                    Some(Player::First) => "1-0",
                    Some(Player::Second) => "0-1",
                    None => "1/2-1/2",
                };
                rows.push(row(result, session.score().to_string(), session.velas()));
            }
            Some(_) => {}
            None => rows.push(row("*", String::new(), 0)),
        }
    }
    rows
}

/// Writes a file and syncs it.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), StorageError> {
    let written = File::create(path).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.map_err(|why| storage("write", path, why))
}
