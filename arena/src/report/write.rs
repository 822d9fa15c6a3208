//! Writes the files of a results directory other than the journal, all derived from the journal and
//! the config.

use std::fs;
use std::io::{self, BufWriter, ErrorKind};
use std::path::Path;

use fanorona_protocol::rules::Player;

use super::{csv, html, json};
use crate::config::Tournament;
use crate::notation::fgn;
use crate::pairing::ids::EngineId;
use crate::pairing::schedule::Schedule;
use crate::ratings::kind::Kind;
use crate::ratings::{FitOptions, Superiority};
use crate::record::atomic_file::{self, AtomicFile};
use crate::record::storage::{storage, write_file};
use crate::record::{Index, JournalError, Reader, StorageError, Summary};
use crate::statistics::accuracy::{self, Accuracy};
use crate::statistics::results::{Results, Test};
use crate::statistics::results_reader::GameResults;
use crate::statistics::rows::SessionRow;
use crate::statistics::stage_table::StageTable;
use crate::statistics::standings::Standings;
use crate::tournament::environment::Machine;
use crate::tournament::extent::Extent;
use crate::tournament::progress::{self, Progress};

/// Writes every CSV file, the FGN file and the page, from the journal's games that count.
pub fn write_all_files(
    dir: &Path,
    tournament: &Tournament,
    index: &Index,
    progress: &Progress,
) -> Result<Results, JournalError> {
    atomic_file::sweep(dir);
    let failed =
        |error: csv::CsvError| storage("write", &error.path, io::Error::other(error.source));
    let mut journal = Reader::open(dir)?;
    let mut games = csv::Games::begin(dir).map_err(failed)?;
    let fgn_path = dir.join(fgn::FILE);
    let unwritten = |why| storage("write", &fgn_path, why);
    let mut texts = BufWriter::new(AtomicFile::begin(&fgn_path).map_err(unwritten)?);
    let about = fgn::About::tournament(tournament);
    let name = |engine: EngineId| tournament.engines[engine.0].name.clone();
    let withdrawn: Vec<_> =
        progress.withdrawals().iter().map(|w| (name(w.engine), w.clone())).collect();
    let mut values = accuracy::file::Reader::open(dir)?;
    let (mut accuracy, mut accuracy_of_others) = (Accuracy::default(), Accuracy::default());
    let mut page = html::Page::new(tournament);
    for game in index.games().iter().filter(|game| progress.counts(game)) {
        let game = journal.game(game.offset)?;
        games.add(&game).map_err(failed)?;
        fgn::write_game(&mut texts, &game, &about).map_err(unwritten)?;
        let mut first_blunder = None;
        if let Some(entry) = values.of(&game)? {
            let judged = accuracy::judge(&game, &entry.values);
            accuracy.add(&game, &entry.oracle, &judged);
            if !withdrawn.iter().any(|(name, _)| *name == game.white || *name == game.black) {
                accuracy_of_others.add(&game, &entry.oracle, &judged);
            }
            first_blunder = judged.first_blunder;
        }
        page.add(&game, first_blunder);
    }
    let written = texts.into_inner().map_err(|why| why.into_error()).and_then(AtomicFile::finish);
    written.map_err(unwritten)?;
    games.finish().map_err(failed)?;
    let over = sessions(tournament, index, progress).inspect(|row| page.add_session(row));
    csv::sessions(dir, over).map_err(failed)?;

    let standings = rated(dir, GameResults::of_engines(tournament.names()))?
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
        let others = rated(dir, GameResults::of_engines(others).without(out))?
            .with_accuracy(accuracy_of_others);
        csv::standings(dir, csv::STANDINGS_WITHOUT, &others).map_err(failed)?;
        Some(others)
    };
    let table =
        progress.stages().map(|stages| StageTable::new(tournament, stages, progress.is_over()));
    match &table {
        Some(StageTable::Swiss(table)) => csv::swiss(dir, &table.rows).map_err(failed)?,
        Some(StageTable::Bracket(bracket)) => csv::bracket(dir, &bracket.rows).map_err(failed)?,
        None => {}
    }
    let test = progress.test().map(|test| {
        let engine = tournament.engines[0].name.clone();
        Test { engine, state: test.state(), estimate: test.estimate(), history: test.history() }
    });
    if let Some(test) = &test {
        write_file(&dir.join(json::TEST), json::test(test).as_bytes())?;
    }
    let extent = Extent::new(tournament, index, progress);
    let machine = Machine::read(dir);
    let results = Results { standings, without_withdrawn, table, test, extent, machine };
    let mut bytes = Vec::new();
    page.write(&results, &mut bytes).expect("memory takes every byte");
    write_file(&dir.join(html::FILE), &bytes)?;
    Ok(results)
}

/// Rates the games of a directory.
fn rated(dir: &Path, mut game_results: GameResults) -> Result<Standings, StorageError> {
    let path = dir.join("games.csv");
    game_results
        .read(&path)
        .map_err(|error| storage("read back", &path, io::Error::other(error)))?;
    // For many engines, comparing every two would take longer than everything else.
    let superiority = match game_results.sample.engines().count() {
        ..=MAX_COMPARED => Superiority::OfAll,
        _ => Superiority::OfNeighbours,
    };
    let standings =
        Standings::new(&game_results, &FitOptions { superiority, ..FitOptions::default() });
    Ok(standings.expect("without anchors every sample can be rated"))
}

/// The maximal number of engines for which every two are compared.
const MAX_COMPARED: usize = 12;

/// Removes a file if it exists.
fn remove(path: &Path) -> Result<(), StorageError> {
    match fs::remove_file(path) {
        Err(why) if why.kind() != ErrorKind::NotFound => Err(storage("remove", path, why)),
        _ => Ok(()),
    }
}

/// The finished sessions that count.
fn sessions(
    tournament: &Tournament,
    index: &Index,
    progress: &Progress,
) -> impl Iterator<Item = SessionRow> {
    let of_session = |games: &&[Summary]| {
        games[0].id().of_session.is_some() && games.iter().all(|game| progress.counts(game))
    };
    let sessions = index.games().chunk_by(|a, b| a.id().pairing == b.id().pairing);
    sessions.filter(of_session).filter_map(|games| session(tournament, progress.schedule(), games))
}

/// The row of a finished session.
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
