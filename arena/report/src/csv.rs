//! The CSV files of a results directory, derived from the games in the journal.

use std::collections::BTreeMap;
use std::path::Path;

use super::figures;
use crate::statistics::accuracy::Counts;
use crate::statistics::phase::Phase;
use crate::statistics::rows::{BracketRow, SwissRow};
use crate::statistics::standings::{Difference, Standings};
use crate::statistics::workers::{Residual, WorkerRow};
use fanorona_ratings::{Pentanomial, Rating};
use fanorona_tournament::record::StorageError;
use fanorona_tournament::record::table_writer::TableWriter;

/// The file with the games in schedule order.
pub const GAMES: &str = "games.csv";

/// The file with the sessions in schedule order.
pub const SESSIONS: &str = "sessions.csv";

/// Writes `swiss.csv`: the engines in ranking order.
pub fn swiss(dir: &Path, rows: &[SwissRow]) -> Result<(), StorageError> {
    let mut file = TableWriter::begin(dir, "swiss.csv")?;
    file.fields(["rank", "engine", "points", "opponents_points", "byes"])?;
    for (index, row) in rows.iter().enumerate() {
        file.fields([
            &(index + 1).to_string(),
            &row.engine,
            &figures::points(row.points),
            &figures::points(row.opponents),
            &row.byes.to_string(),
        ])?;
    }
    file.finish()
}

/// Writes `workers.csv`: the machines that played, and how their games fit together.
pub fn workers(dir: &Path, rows: &[WorkerRow]) -> Result<(), StorageError> {
    let mut file = TableWriter::begin(dir, "workers.csv")?;
    file.fields([
        "worker",
        "games",
        "faults",
        "time_losses",
        "without_result",
        "compared",
        "alarms",
        "time_factor",
        "results_chi_square",
        "results_degrees",
        "results_p",
        "faults_chi_square",
        "faults_degrees",
        "faults_p",
    ])?;
    let p = |residual: &Residual| residual.p.map_or(String::new(), |p| format!("{p:.6}"));
    for row in rows {
        file.fields([
            &row.worker,
            &row.games.to_string(),
            &row.faults.to_string(),
            &row.time_losses.to_string(),
            &row.without_result.to_string(),
            &row.compared.to_string(),
            &row.alarms.to_string(),
            &row.time_factor.map_or(String::new(), |factor| format!("{factor:.3}")),
            &format!("{:.3}", row.results.chi_square),
            &row.results.degrees.to_string(),
            &p(&row.results),
            &format!("{:.3}", row.fault_residual.chi_square),
            &row.fault_residual.degrees.to_string(),
            &p(&row.fault_residual),
        ])?;
    }
    file.finish()
}

/// Writes `bracket.csv`: the encounters by stage.
pub fn bracket(dir: &Path, rows: &[BracketRow]) -> Result<(), StorageError> {
    let mut file = TableWriter::begin(dir, "bracket.csv")?;
    file.fields([
        "stage",
        "encounter",
        "engine",
        "opponent",
        "points",
        "opponent_points",
        "winner",
        "by",
    ])?;
    for row in rows {
        let (winner, by) = match &row.winner {
            Some((winner, by)) => (winner.clone(), by.to_string()),
            None => Default::default(),
        };
        file.fields([
            &row.stage.to_string(),
            &row.encounter.to_string(),
            &row.engines[0],
            &row.engines[1],
            &figures::points(row.points[0]),
            &figures::points(row.points[1]),
            &winner,
            &by,
        ])?;
    }
    file.finish()
}

/// The file with the standings of all engines.
pub const STANDINGS: &str = "standings.csv";

/// The file with the standings of the other engines if some have been withdrawn.
pub(crate) const STANDINGS_WITHOUT: &str = "standings-without-withdrawn.csv";

/// Writes standings to one of these files: every engine's rank in every scope.
pub fn standings(dir: &Path, name: &str, standings: &Standings) -> Result<(), StorageError> {
    let mut file = TableWriter::begin(dir, name)?;
    file.fields([
        "rank",
        "engine",
        "kind",
        "elo",
        "elo_low",
        "elo_high",
        "games",
        "wins",
        "draws",
        "losses",
        "score",
        "faults",
        "withdrawn",
        "known",
        "known_wins",
        "thrown_wins",
        "known_draws",
        "thrown_draws",
        "mean_depth",
        "opening_depth",
        "middle_depth",
        "end_depth",
        "mean_nps",
        "opening_nps",
        "middle_nps",
        "end_nps",
        "mean_ms",
        "opening_ms",
        "middle_ms",
        "end_ms",
    ])?;
    for fit in &standings.fits {
        for (index, rating) in fit.engines.iter().enumerate() {
            let estimate = &rating.estimate;
            let withdrawal = standings.withdrawal(&rating.engine);
            let counts = standings.accuracy.of(&rating.engine, fit.scope);
            let count = |of: fn(&Counts) -> u64| {
                counts.map_or(String::new(), |counts| of(&counts).to_string())
            };
            let searches = standings.searches.of(&rating.engine, fit.scope);
            let phases = Phase::ALL.map(|phase| *searches.phase(phase));
            let whole_and_phases = || [searches.whole()].into_iter().chain(phases);
            let depths = whole_and_phases().map(|it| figures::places(it.depth(), 2));
            let speeds = whole_and_phases().map(|it| figures::places(it.nps(), 0));
            let times = whole_and_phases().map(|it| figures::places(it.mean_ms(), 1));
            let row = [
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
                withdrawal.map_or(String::new(), |withdrawal| {
                    withdrawal.after().map_or("0".to_owned(), |game| game.to_string())
                }),
                count(|counts| counts.known),
                count(|counts| counts.wins),
                count(|counts| counts.thrown_wins),
                count(|counts| counts.draws),
                count(|counts| counts.thrown_draws),
            ];
            file.fields(row.into_iter().chain(depths).chain(speeds).chain(times))?;
        }
    }
    file.finish()
}

/// Writes `crosstable.csv`: for every scope, the points of each engine against each opponent and their
/// games, a row for every two. Opponents come in the order of the config or file. Points and games
/// have columns of their own, as spreadsheets take `2/2` for a date.
pub fn crosstable(dir: &Path, standings: &Standings, engines: &[&str]) -> Result<(), StorageError> {
    let mut file = TableWriter::begin(dir, "crosstable.csv")?;
    file.fields(["kind", "engine", "opponent", "points", "games"])?;
    for fit in &standings.fits {
        let by_name: BTreeMap<&str, &Rating> =
            fit.engines.iter().map(|rating| (&*rating.engine, rating)).collect();
        let opponents: Vec<&Rating> =
            engines.iter().filter_map(|name| by_name.get(name).copied()).collect();
        for rating in &fit.engines {
            for opponent in &opponents {
                let Some(tally) = standings.score(fit.scope, rating, opponent) else { continue };
                file.fields([
                    &*fit.scope.to_string(),
                    &rating.engine,
                    &opponent.engine,
                    &figures::points(2 * tally.wins + tally.draws),
                    &tally.games().to_string(),
                ])?;
            }
        }
    }
    file.finish()
}

/// Writes `fit.csv`: for every scope, the points of every two engines against what their ratings
/// expect, with the difference in standard deviations.
pub(crate) fn fit_checks(dir: &Path, standings: &Standings) -> Result<(), StorageError> {
    let mut file = TableWriter::begin(dir, "fit.csv")?;
    file.fields(["kind", "engine", "opponent", "games", "points", "expected", "z"])?;
    for fit in &standings.fits {
        for pairing in standings.check(fit).into_iter().flat_map(|check| check.pairings) {
            file.fields([
                fit.scope.to_string(),
                pairing.engine,
                pairing.opponent,
                pairing.games.to_string(),
                pairing.points.to_string(),
                format!("{:.3}", pairing.expected),
                pairing.z.map_or(String::new(), |z| format!("{z:.3}")),
            ])?;
        }
    }
    file.finish()
}

/// Writes `differences.csv`: for every scope, the lead of each engine over each lower-ranked one,
/// and their pairs by the first one's score. Fields are empty if two engines were not compared: in
/// a field of more than 60 only neighbours are, and in one of more than 200 only they are listed.
pub fn differences(dir: &Path, standings: &Standings) -> Result<(), StorageError> {
    let mut file = TableWriter::begin(dir, "differences.csv")?;
    file.fields([
        "kind",
        "engine",
        "opponent",
        "elo",
        "elo_low",
        "elo_high",
        "los",
        "pairs",
        "ll",
        "ld",
        "wl",
        "dd",
        "wd",
        "ww",
        "repeated_pairs",
    ])?;
    for fit in &standings.fits {
        for Difference { engine, opponent, lead, los, pentanomial, repeated_pairs } in
            standings.differences(fit)
        {
            let elo = |value| if los.is_some() { figures::elo(value) } else { String::new() };
            let Pentanomial { ll, ld, wl, dd, wd, ww } = pentanomial;
            let counts = [pentanomial.pairs(), ll, ld, wl, dd, wd, ww, repeated_pairs];
            let leads = [lead.elo, lead.elo_low, lead.elo_high].map(elo);
            let los = los.map_or(String::new(), |los| format!("{los:.4}"));
            let row = [fit.scope.to_string(), engine, opponent].into_iter().chain(leads);
            file.fields(row.chain([los]).chain(counts.map(|count| count.to_string())))?;
        }
    }
    file.finish()
}
