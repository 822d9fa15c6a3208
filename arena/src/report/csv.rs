//! The CSV files of a results directory, derived from the journal's games.

use std::io::Write;
use std::path::{Path, PathBuf};

use csv::Writer;

use super::figures;
use crate::ratings::Scope;
use crate::record::GameRecord;
use crate::standings::Standings;

/// Why a file could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {source}", .path.display())]
pub struct CsvError {
    /// The file.
    pub path: PathBuf,
    /// The reason.
    pub source: csv::Error,
}

/// A finished session as `sessions.csv` has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SessionRow {
    /// Its number in the schedule.
    pub session: u64,
    /// Its pair.
    pub pair: u64,
    /// The player with White in the first riatra.
    pub first: String,
    /// The other one.
    pub second: String,
    /// The result from the first player's view; `*` where a game of it was void.
    pub result: String,
    /// Sets, like `2-1`.
    pub sets: String,
    /// Velas played.
    pub velas: u32,
    /// Games played.
    pub games: usize,
}

/// Writes `games.csv`: the games in schedule order.
pub fn games(dir: &Path, games: &[GameRecord]) -> Result<(), CsvError> {
    write(dir, "games.csv", |out| {
        out.write_record([
            "game", "pair", "session", "kind", "opening", "white", "black", "result", "reason",
            "offender", "plies", "book", "start", "turns", "white_ms", "black_ms",
        ])?;
        for game in games {
            let number = |number: Option<u64>| number.map_or(String::new(), |n| n.to_string());
            let session = game.id.of_session.map(|_| game.id.pairing.0);
            out.write_record([
                game.id.to_string(),
                number(game.pair),
                number(session),
                game.kind.to_string(),
                game.opening().map_or(String::new(), |opening| opening.to_string()),
                game.white.clone(),
                game.black.clone(),
                game.result.to_string(),
                game.reason.to_string(),
                game.offender_name().unwrap_or_default().to_owned(),
                game.plies().to_string(),
                game.book.to_string(),
                game.start.clone(),
                game.turns.clone(),
                game.white_ms.to_string(),
                game.black_ms.to_string(),
            ])?;
        }
        Ok(())
    })
}

/// Writes `sessions.csv`: the sessions in schedule order.
pub fn sessions(dir: &Path, sessions: &[SessionRow]) -> Result<(), CsvError> {
    write(dir, "sessions.csv", |out| {
        out.write_record([
            "session", "pair", "first", "second", "result", "sets", "velas", "games",
        ])?;
        for row in sessions {
            out.write_record([
                &row.session.to_string(),
                &row.pair.to_string(),
                &row.first,
                &row.second,
                &row.result,
                &row.sets,
                &row.velas.to_string(),
                &row.games.to_string(),
            ])?;
        }
        Ok(())
    })
}

/// Writes `standings.csv`: every engine's place in every scope.
pub fn standings(dir: &Path, standings: &Standings) -> Result<(), CsvError> {
    write(dir, "standings.csv", |out| {
        out.write_record([
            "rank", "engine", "kind", "elo", "elo_low", "elo_high", "games", "wins", "draws",
            "losses", "score", "faults",
        ])?;
        for fit in &standings.fits {
            for (index, rating) in fit.engines.iter().enumerate() {
                let estimate = &rating.estimate;
                out.write_record([
                    (index + 1).to_string(),
                    rating.engine.clone(),
                    fit.scope.to_string(),
                    figures::elo(estimate.elo),
                    figures::elo(estimate.elo_low),
                    figures::elo(estimate.elo_high),
                    rating.games.to_string(),
                    rating.tally.wins.to_string(),
                    rating.tally.draws.to_string(),
                    rating.tally.losses.to_string(),
                    rating.score.map_or(String::new(), |score| format!("{score:.4}")),
                    standings.faults(&rating.engine, fit.scope).to_string(),
                ])?;
            }
        }
        Ok(())
    })
}

/// Writes `crosstable.csv`: for every scope, what each engine scored against each other one, as
/// points of games; the opponents stand in the order of the config or file.
pub fn crosstable(dir: &Path, standings: &Standings, engines: &[String]) -> Result<(), CsvError> {
    write(dir, "crosstable.csv", |out| {
        let mut header = vec!["kind".to_owned(), "engine".to_owned()];
        header.extend(engines.iter().cloned());
        out.write_record(header)?;
        for fit in &standings.fits {
            for rating in &fit.engines {
                let mut row = vec![fit.scope.to_string(), rating.engine.clone()];
                for name in engines {
                    let opponent = fit.engines.iter().find(|rating| rating.engine == *name);
                    row.push(opponent.map_or(String::new(), |opponent| {
                        cell(standings, fit.scope, rating, opponent)
                    }));
                }
                out.write_record(row)?;
            }
        }
        Ok(())
    })
}

/// Points of games, like `3.5/6`; empty where two have not met.
pub(super) fn cell(
    standings: &Standings,
    scope: Scope,
    rating: &crate::ratings::Rating,
    opponent: &crate::ratings::Rating,
) -> String {
    standings.score(scope, rating, opponent).map_or(String::new(), |tally| {
        let points = figures::points(2 * tally.wins + tally.draws);
        format!("{points}/{}", tally.games())
    })
}

/// Writes a file whole and then puts it in its place, so that readers never see half of it.
fn write(
    dir: &Path,
    name: &str,
    fill: impl FnOnce(&mut Writer<Vec<u8>>) -> csv::Result<()>,
) -> Result<(), CsvError> {
    let path = dir.join(name);
    let failed = |source| CsvError { path: path.clone(), source };
    let mut out = Writer::from_writer(Vec::new());
    fill(&mut out).map_err(failed)?;
    let bytes = out.into_inner().map_err(|error| failed(error.into_error().into()))?;
    let draft = dir.join(format!(".{name}.new"));
    let put = || {
        let mut file = std::fs::File::create(&draft)?;
        file.write_all(&bytes)?;
        file.sync_data()?;
        std::fs::rename(&draft, &path)
    };
    put().map_err(|error| failed(error.into()))
}
