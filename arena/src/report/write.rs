//! The files of a results directory beside the journal, all derived from it and the config.

use std::fs;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;
use std::time::Duration;

use fanorona_protocol::rules::Player;

use super::csv::{self, SessionRow};
use super::{html, json};
use crate::config::Tournament;
use crate::notation::fgn;
use crate::pairing::schedule::{EngineId, Schedule};
use crate::ratings::kind::Kind;
use crate::ratings::{Estimate, FitOptions, Superiority};
use crate::record::atomic_file::{self, Draft};
use crate::record::{Index, JournalError, Reader, StorageError, Summary};
use crate::statistics::accuracy::{self, Accuracy};
use crate::statistics::results_reader::Contests;
use crate::statistics::stage_table::StageTable;
use crate::statistics::standings::Standings;
use crate::tournament::environment::Machine;
use crate::tournament::extent::Extent;
use crate::tournament::progress::{self, Course};
use crate::tournament::sprt_run::State;

/// The effective config, from which a tournament can be resumed.
pub const CONFIG: &str = "config.toml";

/// An error of the disk.
pub fn storage(what: &'static str, path: &Path, source: io::Error) -> StorageError {
    StorageError { what, path: path.to_owned(), source }
}

/// A checksum of everything in a config that games depend on: not its title, nor how many are played
/// at once, nor where the files lie, nor how patient the arena is with its user and its disk.
pub fn checksum(tournament: &Tournament) -> String {
    format!("{:08x}", crc32fast::hash(essence(tournament).as_bytes()))
}

/// What of a config the checksum is of.
fn essence(tournament: &Tournament) -> String {
    let mut tournament = tournament.clone();
    tournament.title = None;
    tournament.concurrency = None;
    tournament.finish_timeout = Duration::ZERO;
    tournament.storage_timeout = Duration::ZERO;
    let defaults = Tournament::new("", "", Vec::new());
    tournament.shortage_timeout = defaults.shortage_timeout;
    tournament.oversubscribe = defaults.oversubscribe;
    tournament.skip_broken = defaults.skip_broken;
    let base = tournament.base.clone();
    let is_later = |line: &&str| LATER.iter().any(|key| line.starts_with(&format!("{key} = ")));
    let defaults = defaults.to_toml(Path::new(""));
    let said: Vec<&str> = defaults.lines().filter(is_later).collect();
    // A default says nothing.
    let text = tournament.to_toml(&base);
    text.lines().filter(|line| !said.contains(line)).flat_map(|line| [line, "\n"]).collect()
}

/// Keys that came after the first tournaments: where they say nothing but their defaults, the
/// checksum is that of a config without them, so that directories of older arenas are resumed.
const LATER: [&str; 7] = [
    "shortage_timeout",
    "sandbox_network",
    "max_processes",
    "max_files",
    "disk",
    "oversubscribe",
    "skip_broken",
];

/// How a config with another checksum differs: its lines that the other lacks, and the other's that
/// it lacks.
pub fn differences(found: &Tournament, expected: &Tournament) -> Vec<String> {
    let (found, expected) = (essence(found), essence(expected));
    let lacking = |text: &str, other: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !other.lines().any(|known| known == *line));
        lines.map(str::to_owned).collect()
    };
    let new = lacking(&found, &expected).into_iter().map(|line| format!("`{line}` is new"));
    let gone = lacking(&expected, &found).into_iter().map(|line| format!("`{line}` is not there"));
    let lines: Vec<String> = new.chain(gone).collect();
    if lines.is_empty() { vec!["its lines are in another order".to_owned()] } else { lines }
}

/// Writes the effective config and syncs it.
pub fn write_config(dir: &Path, tournament: &Tournament) -> Result<(), StorageError> {
    let absolute = fs::canonicalize(dir).map_err(|why| storage("find", dir, why))?;
    write_file(&dir.join(CONFIG), tournament.to_toml(&absolute).as_bytes())
}

/// What the games so far say.
#[derive(Clone, Debug)]
pub struct Results {
    /// The standings of all engines.
    pub standings: Standings,
    /// Where engines have been withdrawn, those of the others from the games between them.
    pub without_withdrawn: Option<Standings>,
    /// Of a tournament with stages, its own table.
    pub table: Option<StageTable>,
    /// Of a match under a test, how that stands.
    pub test: Option<Test>,
    /// How much has been played.
    pub extent: Extent,
    /// The programs of the engines, and when and where they played; `None` where `machine.json` is
    /// missing or says nothing.
    pub machine: Option<Machine>,
}

/// How the test of a match stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Test {
    /// The engine whose lead is tested.
    pub engine: String,
    /// How it stands.
    pub state: State,
    /// The lead, made for a test that stops at its bounds, in Elo of the model.
    pub estimate: Estimate,
    /// How the ratio came there: after so many pairs it was so much.
    pub track: Vec<(u64, f64)>,
}

/// Writes every CSV file, the games as text, and the page from the games of a journal that count.
pub fn write(
    dir: &Path,
    tournament: &Tournament,
    index: &Index,
    course: &Course,
) -> Result<Results, JournalError> {
    atomic_file::sweep(dir);
    let failed =
        |error: csv::CsvError| storage("write", &error.path, io::Error::other(error.source));
    let mut journal = Reader::open(dir)?;
    let mut games = csv::Games::begin(dir).map_err(failed)?;
    let fgn_path = dir.join(fgn::FILE);
    let unwritten = |why| storage("write", &fgn_path, why);
    let mut texts = BufWriter::new(Draft::begin(&fgn_path).map_err(unwritten)?);
    let about = fgn::About::tournament(tournament);
    let name = |engine: EngineId| tournament.engines[engine.0].name.clone();
    let withdrawn: Vec<_> =
        course.withdrawals().iter().map(|w| (name(w.engine), w.clone())).collect();
    let mut values = accuracy::file::Reader::open(dir)?;
    let (mut accuracy, mut accuracy_of_others) = (Accuracy::default(), Accuracy::default());
    let mut page = html::Page::new(tournament);
    for game in index.games().iter().filter(|game| course.counts(game)) {
        let game = journal.game(game.offset)?;
        games.add(&game).map_err(failed)?;
        fgn::write_game(&mut texts, &game, &about).map_err(unwritten)?;
        let mut first_slip = None;
        if let Some(entry) = values.of(&game)? {
            let judged = accuracy::judge(&game, &entry.values);
            accuracy.add(&game, &entry.oracle, &judged);
            if !withdrawn.iter().any(|(name, _)| *name == game.white || *name == game.black) {
                accuracy_of_others.add(&game, &entry.oracle, &judged);
            }
            first_slip = judged.first_slip;
        }
        page.add(&game, first_slip);
    }
    let written = texts.into_inner().map_err(|why| why.into_error()).and_then(Draft::finish);
    written.map_err(unwritten)?;
    games.finish().map_err(failed)?;
    let over = sessions(tournament, index, course).inspect(|row| page.add_session(row));
    csv::sessions(dir, over).map_err(failed)?;

    let standings = rated(dir, Contests::of_engines(tournament.names()))?
        .with_withdrawn(withdrawn)
        .with_accuracy(accuracy);
    csv::standings(dir, csv::STANDINGS, &standings).map_err(failed)?;
    let names: Vec<&str> = tournament.names().collect();
    csv::crosstable(dir, &standings, &names).map_err(failed)?;
    csv::differences(dir, &standings).map_err(failed)?;
    let without_withdrawn = if standings.withdrawn.is_empty() {
        remove(&dir.join(csv::STANDINGS_WITHOUT))?;
        None
    } else {
        let others = tournament.names().filter(|name| standings.withdrawal(name).is_none());
        let out = standings.withdrawn.iter().map(|(name, _)| name.clone());
        let others = rated(dir, Contests::of_engines(others).without(out))?
            .with_accuracy(accuracy_of_others);
        csv::standings(dir, csv::STANDINGS_WITHOUT, &others).map_err(failed)?;
        Some(others)
    };
    let table = course.stages().map(|stages| StageTable::new(tournament, stages, course.is_over()));
    match &table {
        Some(StageTable::Swiss(table)) => csv::swiss(dir, &table.rows).map_err(failed)?,
        Some(StageTable::Bracket(bracket)) => csv::bracket(dir, &bracket.rows).map_err(failed)?,
        None => {}
    }
    let test = course.test().map(|test| {
        let engine = tournament.engines[0].name.clone();
        Test { engine, state: test.state(), estimate: test.estimate(), track: test.track() }
    });
    if let Some(test) = &test {
        write_file(&dir.join(json::TEST), json::test(test).as_bytes())?;
    }
    let extent = Extent::new(tournament, index, course);
    let machine = Machine::read(dir);
    let results = Results { standings, without_withdrawn, table, test, extent, machine };
    let mut bytes = Vec::new();
    page.write(&results, &mut bytes).expect("memory takes every byte");
    write_file(&dir.join(html::FILE), &bytes)?;
    Ok(results)
}

/// Rates the games of a directory.
fn rated(dir: &Path, mut contests: Contests) -> Result<Standings, StorageError> {
    let path = dir.join("games.csv");
    contests.read(&path).map_err(|error| storage("read back", &path, io::Error::other(error)))?;
    // Of many engines comparing every two takes longer than everything else.
    let superiority = match contests.sample.engines().count() {
        ..=MOST_COMPARED => Superiority::OfAll,
        _ => Superiority::OfNeighbours,
    };
    let standings = Standings::new(&contests, &FitOptions { superiority, ..FitOptions::default() });
    Ok(standings.expect("without anchors every sample can be rated"))
}

/// The most engines of which every two are compared.
const MOST_COMPARED: usize = 12;

/// Removes a file that may not be there.
fn remove(path: &Path) -> Result<(), StorageError> {
    match fs::remove_file(path) {
        Err(why) if why.kind() != ErrorKind::NotFound => Err(storage("remove", path, why)),
        _ => Ok(()),
    }
}

/// The sessions that are over and count.
fn sessions(
    tournament: &Tournament,
    index: &Index,
    course: &Course,
) -> impl Iterator<Item = SessionRow> {
    let of_session = |games: &&[Summary]| {
        games[0].id().of_session.is_some() && games.iter().all(|game| course.counts(game))
    };
    let sessions = index.games().chunk_by(|a, b| a.id().pairing == b.id().pairing);
    sessions.filter(of_session).filter_map(|games| session(tournament, course.schedule(), games))
}

/// The row of a session that is over.
fn session(tournament: &Tournament, schedule: &Schedule, games: &[Summary]) -> Option<SessionRow> {
    let pairing = schedule.get(games[0].id().pairing)?;
    debug_assert_eq!(pairing.kind, Kind::Session);
    let name = |engine: EngineId| tournament.engines[engine.0].name.clone();
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
    match progress::session_of(tournament, games.iter().map(|game| game.result)) {
        Some(session) if session.is_over() => {
            let result = match session.winner() {
                Some(Player::First) => "1-0",
                Some(Player::Second) => "0-1",
                None => "1/2-1/2",
            };
            Some(row(result, session.score().to_string(), session.velas()))
        }
        Some(_) => None,
        None => Some(row("*", String::new(), 0)),
    }
}

/// Writes a file and syncs it; it is there whole or as it was before.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), StorageError> {
    let written = Draft::begin(path).and_then(|mut file| {
        file.write_all(bytes)?;
        file.finish()
    });
    written.map_err(|why| storage("write", path, why))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Overrides, parse};

    #[test]
    fn a_key_that_came_later_changes_no_checksum_by_its_default() {
        let text = "limit = \"nodes=1\"\n[[engine]]\nname = \"a\"\ncommand = \"bot-random\"\n\
                    [[engine]]\nname = \"b\"\ncommand = \"bot-greedy\"\n";
        let read = |more: &str| {
            let text = format!("{more}\n{text}");
            parse("t.toml", &text, Path::new("/base"), &Overrides::default()).unwrap()
        };
        // In the journal of an arena that knew none of these keys.
        assert_eq!(checksum(&read("")), "556ae207");
        for nothing in ["oversubscribe = false", "title = \"T\"", "storage_timeout = \"9s\""] {
            assert_eq!(checksum(&read(nothing)), checksum(&read("")), "{nothing}");
        }
        for something in ["sandbox_network = true", "max_files = 77"] {
            assert_ne!(checksum(&read(something)), checksum(&read("")), "{something}");
        }
    }
}
