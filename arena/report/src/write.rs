//! Writes the files of a results directory other than the journal, all derived from the journal and
//! the config.

use std::fs;
use std::io::{self, BufWriter, ErrorKind};
use std::path::{Path, PathBuf};

use super::{csv, html, json, sweep, tuning};
use crate::statistics::accuracy::{self, Accuracy};
use crate::statistics::candidates::Candidates;
use crate::statistics::engine_accuracy::EngineAccuracy;
use crate::statistics::outcome::{Outcome, OutcomeInput};
use crate::statistics::results::Results;
use crate::statistics::results_reader::{GameResults, TournamentResults};
use crate::statistics::rows::SessionRow;
use crate::statistics::search::EngineSearches;
use crate::statistics::session_rows::sessions;
use crate::statistics::sprt_state::Test;
use crate::statistics::stage_table::StageTable;
use crate::statistics::standings::Standings;
use crate::statistics::sweep::sweeps;
use crate::statistics::workers::WorkerGames;
use fanorona_ratings::{FitOptions, FitProgress, Intervals, Superiority};
use fanorona_tournament::analysis::file::Analyses;
use fanorona_tournament::config::Tournament;
use fanorona_tournament::diagnostics::engine_reports::EngineReports;
use fanorona_tournament::machine::Machine;
use fanorona_tournament::notation::fgn;
use fanorona_tournament::pairing::ids::EngineId;
use fanorona_tournament::progress::extent::Extent;
use fanorona_tournament::progress::{Progress, Withdrawal};
use fanorona_tournament::record::atomic_file::{self, AtomicFile};
use fanorona_tournament::record::storage::{storage, write_file};
use fanorona_tournament::record::table_writer::TableWriter;
use fanorona_tournament::record::{
    GameRecord, GameRow, Index, JournalError, Reader, RepeatedGame, StorageError,
};
use fanorona_tournament::text::table::FieldError;

/// Writes every CSV file, the FGN file and the page, from the journal's games that count, and tells
/// again and again how far the ratings are.
///
/// What does not depend on ratings is written first. Where intervals take a while, a `standings.csv`
/// with quick ones precedes the final one. The page has the workspace, if one is given.
pub fn write_all_files(
    dir: &Path,
    tournament: &Tournament,
    index: &Index,
    progress: &Progress,
    workspace: Option<&html::Workspace>,
    watch: &dyn Fn(FitProgress),
) -> Result<Results, JournalError> {
    atomic_file::sweep(dir);
    let mut page = html::Page::new(tournament).with_workspace(workspace);
    let mut workers = WorkerGames::default();
    let (all, others) = write_games(dir, tournament, index, progress, &mut page, &mut workers)?;
    match &stage_table(tournament, progress) {
        Some(StageTable::Swiss(table)) => csv::swiss(dir, &table.rows)?,
        Some(StageTable::Bracket(bracket)) => csv::bracket(dir, &bracket.rows)?,
        None => {}
    }
    let withdrawn = withdrawn(tournament, progress);
    if tournament.engines.len() > MANY {
        let quick = all.clone().standings(Intervals::Quick, watch);
        csv::standings(dir, csv::STANDINGS, &quick.with_withdrawn(withdrawn.clone()))?;
    }
    let standings = all.standings(Intervals::Profile, watch).with_withdrawn(withdrawn);
    let without_withdrawn = others.map(|others| others.standings(Intervals::Profile, watch));
    write_standings(dir, tournament, &standings, without_withdrawn.as_ref())?;
    for comparison in RepeatedGame::read_all(dir)? {
        workers.add_comparison(&comparison);
    }
    let results = Results {
        machine: Machine::read(dir),
        workers: workers.rows(),
        ..results(tournament, index, progress, standings, without_withdrawn)
    };
    if let Some(test) = &results.test {
        write_file(&dir.join(json::TEST), json::test(test).as_bytes())?;
    }
    if let Some(candidates) = &results.candidates {
        write_file(&dir.join(json::CANDIDATES), json::candidates(candidates).as_bytes())?;
    }
    if !results.workers.is_empty() {
        csv::workers(dir, &results.workers)?;
    }
    if let Some(run) = &results.tuning {
        tuning::write(dir, tournament, run)?;
    }
    if let Some(state) = &results.race {
        write_file(&dir.join(json::RACE), json::race(state).as_bytes())?;
    }
    sweep::write(dir, &results.sweeps)?;
    let mut bytes = Vec::new();
    page.write(&results, &mut bytes).expect("memory takes every byte");
    write_file(&dir.join(html::FILE), &bytes)?;
    Ok(results)
}

/// Computes the results of a tournament from its standings and its progress, without its machines.
fn results(
    tournament: &Tournament,
    index: &Index,
    progress: &Progress,
    standings: Standings,
    without_withdrawn: Option<Standings>,
) -> Results {
    let table = stage_table(tournament, progress);
    let test = progress.test().map(|test| Test {
        engine: tournament.engines[0].name.clone(),
        state: test.state(),
        estimate: test.estimate(),
        history: test.history(),
    });
    let candidates = Candidates::new(tournament, progress);
    let (tuning, race) = (progress.tuning().cloned(), progress.race());
    let extent = Extent::new(tournament, index, progress);
    // Ratings after tests would be a second answer, about the same settings.
    let sweeps = match &candidates {
        Some(_) => Vec::new(),
        None => sweeps(tournament, &standings),
    };
    let outcome = Outcome::new(&OutcomeInput {
        standings: &standings,
        table: table.as_ref(),
        test: test.as_ref(),
        candidates: candidates.as_ref(),
        tuning: tuning.as_ref(),
        race: race.as_ref(),
        sweeps: &sweeps,
        extent: &extent,
        is_over: progress.is_over() && extent.missing == 0,
        is_whole: progress.schedule().is_whole(),
    });
    Results {
        outcome,
        sweeps,
        standings,
        without_withdrawn,
        table,
        test,
        candidates,
        tuning,
        race,
        extent,
        machine: None,
        workers: Vec::new(),
    }
}

/// The table of a Swiss tournament, or the bracket of a knockout.
fn stage_table(tournament: &Tournament, progress: &Progress) -> Option<StageTable> {
    progress.stages().map(|stages| StageTable::new(tournament, stages, progress.is_over()))
}

/// From this number of engines on, intervals may take more than a moment.
const MANY: usize = 60;
/// The largest field in which every two engines are compared again after each game.
const MAX_COMPARED_LIVE: usize = 12;

/// The withdrawn engines by their names.
fn withdrawn(tournament: &Tournament, progress: &Progress) -> Vec<(String, Withdrawal)> {
    let name = |engine: EngineId| tournament.engines[engine.0].name.clone();
    progress.withdrawals().iter().map(|w| (name(w.engine), w.clone())).collect()
}

/// The counts from which standings are computed.
#[derive(Clone)]
struct Counted {
    results: TournamentResults,
    accuracy: Accuracy,
    judged: EngineAccuracy,
    searches: EngineSearches,
    reported: EngineReports,
}

impl Counted {
    fn new(results: GameResults) -> Counted {
        Counted {
            results: results.tournament(),
            accuracy: Accuracy::default(),
            judged: EngineAccuracy::default(),
            searches: EngineSearches::default(),
            reported: EngineReports::default(),
        }
    }

    /// Rates the engines.
    fn standings(self, intervals: Intervals, watch: &dyn Fn(FitProgress)) -> Standings {
        // For many engines, comparing every two would take longer than everything else.
        let superiority = Superiority::from_engine_count(self.results.engines());
        self.rated(intervals, superiority, watch)
    }

    /// Rates the engines again after a game, while others are played.
    fn standings_so_far(self) -> Standings {
        let superiority = match self.results.engines() {
            ..=MAX_COMPARED_LIVE => Superiority::OfAll,
            _ => Superiority::OfNeighbours,
        };
        self.rated(Intervals::Profile, superiority, &|_| {})
    }

    fn rated(
        self,
        intervals: Intervals,
        superiority: Superiority,
        watch: &dyn Fn(FitProgress),
    ) -> Standings {
        let results = self.results.finish();
        let options = FitOptions { superiority, intervals, ..FitOptions::default() };
        let standings = Standings::watched(&results, &options, watch);
        let standings = standings.expect("without anchors every sample can be rated");
        let standings = standings.with_accuracy(self.accuracy).with_engine_accuracy(self.judged);
        standings.with_searches(self.searches).with_reports(self.reported)
    }
}

/// The results of the games so far, without accuracy, machines, and the standings without withdrawn
/// engines. `known` holds all games if they were added one by one; otherwise, and if some do not
/// count, the games are read from the journal.
///
/// # Errors
/// Returns an error if the journal cannot be read or contradicts the config.
pub fn results_so_far(
    dir: &Path,
    tournament: &Tournament,
    index: &Index,
    progress: &Progress,
    known: Option<&TournamentResults>,
) -> Result<Results, JournalError> {
    let contradiction = |why: FieldError| storage("rate the games of", dir, io::Error::other(why));
    let all_count = || index.games().iter().all(|game| progress.counts(game));
    let mut played = Counted::new(GameResults::of_engines(tournament.names()));
    match known.filter(|_| all_count()) {
        Some(known) => played.results = known.clone(),
        None => {
            let mut journal = Reader::open(dir)?;
            for game in index.games().iter().filter(|game| progress.counts(game)) {
                let game = journal.game(game.offset)?;
                played.results.game(&GameRow::new(&game)).map_err(contradiction)?;
            }
        }
    }
    for row in sessions(tournament, index, progress) {
        played.results.session(&row).map_err(contradiction)?;
    }
    let standings = played.standings_so_far().with_withdrawn(withdrawn(tournament, progress));
    Ok(results(tournament, index, progress, standings, None))
}

/// Writes the games and sessions, and adds them to the page. Returns what all engines have played,
/// and if some are withdrawn, what the others have played against each other.
fn write_games(
    dir: &Path,
    tournament: &Tournament,
    index: &Index,
    progress: &Progress,
    page: &mut html::Page,
    workers: &mut WorkerGames,
) -> Result<(Counted, Option<Counted>), JournalError> {
    let mut journal = Reader::open(dir)?;
    let mut table = TableWriter::of::<GameRow<'_>>(dir, csv::GAMES)?;
    let mut texts = FgnFile::begin(dir, tournament)?;
    let mut values = accuracy::file::Reader::open(dir)?;
    let analyses = Analyses::read(dir)?;
    let withdrawn = withdrawn(tournament, progress);
    let is_out = |name: &str| withdrawn.iter().any(|(out, _)| out == name);
    let mut all = Counted::new(GameResults::of_engines(tournament.names()));
    let mut others = (!withdrawn.is_empty()).then(|| {
        let names = tournament.names().filter(|name| !is_out(name));
        let out = withdrawn.iter().map(|(name, _)| name.clone());
        Counted::new(GameResults::of_engines(names).without(out))
    });
    let contradiction = |why: FieldError| storage("rate the games of", dir, io::Error::other(why));
    for game in index.games().iter().filter(|game| progress.counts(game)) {
        let game = journal.game(game.offset)?;
        let row = GameRow::new(&game);
        table.row(&row)?;
        texts.add(&game)?;
        all.reported.add(&game, &game.id.to_string());
        for played in [Some(&mut all), others.as_mut()].into_iter().flatten() {
            played.results.game(&row).map_err(contradiction)?;
        }
        let of_withdrawn = [&game.white, &game.black].into_iter().any(|name| is_out(name));
        let among_others = others.as_mut().filter(|_| !of_withdrawn);
        for played in [Some(&mut all), among_others].into_iter().flatten() {
            played.searches.add(&game, &tournament.rules);
        }
        if let Some(stored) = analyses.of(&game) {
            let among_others = others.as_mut().filter(|_| !of_withdrawn);
            for played in [Some(&mut all), among_others].into_iter().flatten() {
                played.judged.add(&game, stored);
            }
        }
        let mut first_blunder = None;
        if let Some(entry) = values.of(&game)? {
            let judged = accuracy::judge(&game, &entry.values);
            let among_others = others.as_mut().filter(|_| !of_withdrawn);
            for played in [Some(&mut all), among_others].into_iter().flatten() {
                played.accuracy.add(&game, &entry.oracle, &judged);
            }
            first_blunder = judged.first_blunder;
        }
        page.add(&game, first_blunder);
        workers.add(&game);
    }
    table.finish()?;
    texts.finish()?;
    let mut table = TableWriter::of::<SessionRow>(dir, csv::SESSIONS)?;
    for row in sessions(tournament, index, progress) {
        table.row(&row)?;
        for played in [Some(&mut all), others.as_mut()].into_iter().flatten() {
            played.results.session(&row).map_err(contradiction)?;
        }
        page.add_session(&row);
    }
    table.finish()?;
    Ok((all, others))
}

/// The FGN file while it is written.
struct FgnFile {
    path: PathBuf,
    out: BufWriter<AtomicFile>,
    about: fgn::FileTags,
}

impl FgnFile {
    fn begin(dir: &Path, tournament: &Tournament) -> Result<FgnFile, StorageError> {
        let path = dir.join(fgn::FILE);
        match AtomicFile::begin(&path) {
            Ok(file) => {
                let (out, about) = (BufWriter::new(file), fgn::FileTags::tournament(tournament));
                Ok(FgnFile { path, out, about })
            }
            Err(why) => Err(storage("write", &path, why)),
        }
    }

    fn add(&mut self, game: &GameRecord) -> Result<(), StorageError> {
        let written = fgn::write_game(&mut self.out, game, &self.about);
        written.map_err(|why| storage("write", &self.path, why))
    }

    fn finish(self) -> Result<(), StorageError> {
        let file = self.out.into_inner().map_err(|why| why.into_error());
        file.and_then(AtomicFile::finish).map_err(|why| storage("write", &self.path, why))
    }
}

/// Writes the files that follow from the standings.
fn write_standings(
    dir: &Path,
    tournament: &Tournament,
    standings: &Standings,
    without_withdrawn: Option<&Standings>,
) -> Result<(), StorageError> {
    csv::standings(dir, csv::STANDINGS, standings)?;
    let names: Vec<&str> = tournament.names().collect();
    csv::crosstable(dir, standings, &names)?;
    csv::differences(dir, standings)?;
    csv::fit_checks(dir, standings)?;
    match without_withdrawn {
        Some(others) => csv::standings(dir, csv::STANDINGS_WITHOUT, others),
        None => remove(&dir.join(csv::STANDINGS_WITHOUT)),
    }
}

/// Removes a file if it exists.
fn remove(path: &Path) -> Result<(), StorageError> {
    match fs::remove_file(path) {
        Err(why) if why.kind() != ErrorKind::NotFound => Err(storage("remove", path, why)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_ratings::kind::Kind;
    use fanorona_tournament::config::{EngineConfig, Format};
    use fanorona_tournament::pairing::schedule::Schedule;
    use fanorona_tournament::record::{Header, Journal, Lock};
    use std::cell::RefCell;

    #[test]
    fn games_and_quick_standings_are_there_before_slow_ratings() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        let engines = (0..=MANY).map(|it| EngineConfig::new(format!("e{it:02}"), "x")).collect();
        let mut tournament = Tournament::new("t", dir, engines);
        (tournament.format, tournament.kinds) = (Format::Gauntlet, vec![Kind::Riatra]);
        let header = Header::new("t", "");
        let mut journal = Journal::create(Lock::take(dir).unwrap(), &header).unwrap();
        let schedule = Schedule::new(&tournament);
        for pairing in (0..schedule.len()).filter_map(|it| schedule.pairing(it)) {
            let start = "bbb/b1W/WWW w - 0 1".parse().unwrap();
            let (result, reason) = ("1/2-1/2".parse().unwrap(), "quiet".parse().unwrap());
            let [white, black] = [pairing.first, pairing.second]
                .map(|engine| tournament.engines[engine.0].name.clone());
            let id = pairing.id.0.to_string().parse().unwrap();
            let pair = Some(pairing.pair.0);
            let game =
                GameRecord { white, black, pair, ..GameRecord::new(id, &start, result, reason) };
            journal.write(&game).unwrap();
        }
        let index = Journal::read(dir, tournament.names()).unwrap().index;
        let mut progress = Progress::from_journal(&tournament, &header);
        progress.advance(&tournament, &index);
        let told = RefCell::new(Vec::new());
        let watch = |at: FitProgress| {
            let is_there = |name: &str| dir.join(name).exists();
            let there = (is_there(csv::GAMES), is_there(csv::STANDINGS));
            told.borrow_mut().push((at.done, there));
        };
        write_all_files(dir, &tournament, &index, &progress, None, &watch).unwrap();
        let told = told.into_inner();
        assert!(told.iter().all(|(_, (games, _))| *games), "{told:?}");
        // The first fit is quick; its standings are there when the second one begins.
        let begins = told.windows(2).position(|two| two[1].0 < two[0].0).unwrap() + 1;
        assert!(told[..begins].iter().all(|(_, (_, standings))| !standings), "{told:?}");
        assert!(told[begins..].iter().all(|(_, (_, standings))| *standings), "{told:?}");
    }
}
