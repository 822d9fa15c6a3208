//! The machines that played a tournament: their games, faults, and whether their results fit those of
//! the others.
//!
//! Games are compared within cells: the same White, Black and kind. If it does not matter who plays a
//! game, a worker's games are a random draw without replacement from those of the cell, so the sum of
//! White's points in them has a known mean and variance (the stratified test of Mantel and Haenszel
//! 1959, here summed as squares so that opposite deviations in two cells do not cancel). Each cell
//! adds one degree of freedom, and its squared deviation has mean 1 exactly.

use std::collections::BTreeMap;

use serde::Serialize;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use fanorona_protocol::rules::Side;
use fanorona_ratings::kind::Kind;
use fanorona_tournament::game::fault::Fault;
use fanorona_tournament::game::termination::{GameResult, Reason};
use fanorona_tournament::record::{GameRecord, RepeatedGame};

/// Below this probability, adjusted for the number of workers, a worker does not fit the others.
const ODD: f64 = 0.001;

/// Collects what workers have played.
#[derive(Clone, Debug, Default)]
pub struct WorkerGames {
    workers: BTreeMap<String, Counts>,
    /// By White, Black and kind.
    cells: BTreeMap<(String, String, Kind), BTreeMap<String, Moments>>,
}

/// A worker, as a row of `workers.csv`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WorkerRow {
    /// The name of the worker.
    pub worker: String,
    /// The games that it played.
    pub games: u64,
    /// The number of them that an engine lost by a fault.
    pub faults: u64,
    /// The number of these that were lost on time.
    pub time_losses: u64,
    /// The number of games without a result, by faults of the machine.
    pub without_result: u64,
    /// The games that it and another worker have both played.
    pub compared: u64,
    /// The number of them that differ although they must not.
    pub alarms: u64,
    /// The mean factor by which time limits were scaled; `None` without a time limit.
    pub time_factor: Option<f64>,
    /// The deviation of its results from those of the other workers.
    pub results: Residual,
    /// The deviation of its faults from those of the other workers.
    pub fault_residual: Residual,
}

/// A chi-square statistic.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Residual {
    /// The sum of squared deviations.
    pub chi_square: f64,
    /// The number of cells in which it could deviate.
    pub degrees: u64,
    /// The probability of at least this much if it does not matter who plays; `None` without cells.
    pub p: Option<f64>,
}

#[derive(Clone, Debug, Default)]
struct Counts {
    games: u64,
    faults: u64,
    time_losses: u64,
    without_result: u64,
    compared: u64,
    alarms: u64,
    factors: (f64, u64),
}

/// Sums over the games of a worker in a cell: White's points and the faults, with their squares.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    games: f64,
    points: [f64; 2],
    faults: [f64; 2],
}

impl WorkerGames {
    /// Adds a game. Games that the arena played itself are no worker's.
    pub fn add(&mut self, game: &GameRecord) {
        let Some(worker) = &game.worker else { return };
        let counts = self.workers.entry(worker.clone()).or_default();
        counts.games += 1;
        if let Some(factor) = game.time_factor {
            counts.factors.0 += factor;
            counts.factors.1 += 1;
        }
        let is_fault = matches!(game.reason, Reason::Fault(_));
        counts.faults += u64::from(is_fault);
        counts.time_losses += u64::from(game.reason == Reason::Fault(Fault::Time));
        let points = match game.result {
            GameResult::Won(Side::White) => 1.0,
            GameResult::Drawn => 0.5,
            GameResult::Won(Side::Black) => 0.0,
            GameResult::Void => {
                counts.without_result += u64::from(!is_fault);
                return;
            }
        };
        let cell = (game.white.clone(), game.black.clone(), game.kind);
        let moments = self.cells.entry(cell).or_default().entry(worker.clone()).or_default();
        let faults = f64::from(u8::from(is_fault));
        moments.games += 1.0;
        for (sums, value) in [(&mut moments.points, points), (&mut moments.faults, faults)] {
            sums[0] += value;
            sums[1] += value * value;
        }
    }

    /// Adds a game that two workers have played: both appear in it, because neither is known to be
    /// right.
    pub(crate) fn add_comparison(&mut self, comparison: &RepeatedGame) {
        for worker in [&comparison.kept, &comparison.other] {
            let counts = self.workers.entry(worker.clone()).or_default();
            counts.compared += 1;
            counts.alarms += u64::from(comparison.differs.is_some());
        }
    }

    /// A row for each worker; empty if the arena played all games itself.
    pub fn rows(&self) -> Vec<WorkerRow> {
        let row = |(worker, counts): (&String, &Counts)| WorkerRow {
            worker: worker.clone(),
            games: counts.games,
            faults: counts.faults,
            time_losses: counts.time_losses,
            without_result: counts.without_result,
            compared: counts.compared,
            alarms: counts.alarms,
            time_factor: (counts.factors.1 > 0).then(|| counts.factors.0 / counts.factors.1 as f64),
            results: self.residual(worker, |moments| moments.points),
            fault_residual: self.residual(worker, |moments| moments.faults),
        };
        self.workers.iter().map(row).collect()
    }

    /// The squared deviations of a worker over all cells that others have played too.
    fn residual(&self, worker: &str, sums: impl Fn(&Moments) -> [f64; 2]) -> Residual {
        let (mut chi_square, mut degrees) = (0.0, 0_u32);
        for cell in self.cells.values() {
            let Some(own) = cell.get(worker) else { continue };
            let games: f64 = cell.values().map(|moments| moments.games).sum();
            let sum: f64 = cell.values().map(|moments| sums(moments)[0]).sum();
            let squares: f64 = cell.values().map(|moments| sums(moments)[1]).sum();
            let (mean, variance) = (sum / games, squares / games - (sum / games).powi(2));
            // The variance of a sum drawn without replacement.
            let variance = own.games * variance * (games - own.games) / (games - 1.0).max(1.0);
            if variance < 1e-9 {
                continue;
            }
            chi_square += (sums(own)[0] - own.games * mean).powi(2) / variance;
            degrees += 1;
        }
        let distribution = ChiSquared::new(f64::from(degrees)).ok();
        let p = distribution.map(|distribution| distribution.sf(chi_square));
        Residual { chi_square, degrees: u64::from(degrees), p }
    }
}

impl WorkerRow {
    /// Returns the fault in its games that others have played, too, as a sentence.
    pub fn alarm(&self) -> Option<String> {
        (self.alarms > 0).then(|| {
            format!(
                "{} of {} games that both worker {} and another have played differ: see alarms.jsonl",
                self.alarms, self.compared, self.worker
            )
        })
    }

    /// Returns the deviation from the other workers, as a sentence; `workers` is their number.
    pub(crate) fn oddity(&self, workers: usize) -> Option<String> {
        let is_odd =
            |residual: &Residual| residual.p.is_some_and(|p| p * (workers.max(1) as f64) < ODD);
        let what = match (is_odd(&self.results), is_odd(&self.fault_residual)) {
            (true, true) => "results and faults",
            (true, false) => "results",
            (false, true) => "faults",
            (false, false) => return None,
        };
        Some(format!(
            "the {what} of worker {} do not fit those of the others between the same engines: look \
             at this machine before you trust its games",
            self.worker
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_tournament::record::example::game;

    fn play(games: &mut WorkerGames, worker: &str, results: &str) {
        for letter in results.chars() {
            let (result, reason, offender) = match letter {
                'w' => ("1-0", "no-stones", None),
                'b' => ("0-1", "no-stones", None),
                't' => ("0-1", "time", Some('w')),
                _ => ("1/2-1/2", "repetition", None),
            };
            games.add(&GameRecord {
                result: result.parse().unwrap(),
                reason: reason.parse().unwrap(),
                offender,
                worker: Some(worker.to_owned()),
                ..game("1")
            });
        }
    }

    #[test]
    fn equal_workers_fit_and_a_slow_one_does_not() {
        let mut games = WorkerGames::default();
        for worker in ["a", "b", "c"] {
            play(&mut games, worker, &"wbd".repeat(20));
        }
        let rows = games.rows();
        assert!(rows.iter().all(|row| row.oddity(3).is_none()), "{rows:?}");
        assert_eq!((rows[0].results.degrees, rows[0].results.chi_square), (1, 0.0));
        play(&mut games, "slow", &"tttbbd".repeat(10));
        let rows = games.rows();
        let odd: Vec<_> = rows.iter().filter(|row| row.oddity(4).is_some()).collect();
        assert_eq!(odd.len(), 1, "{rows:?}");
        assert_eq!((&*odd[0].worker, odd[0].time_losses), ("slow", 30));
        assert!(odd[0].oddity(4).unwrap().starts_with("the results and faults of worker slow"));
    }

    #[test]
    fn a_deviation_is_that_of_a_draw_without_replacement() {
        let mut games = WorkerGames::default();
        play(&mut games, "a", "ww");
        play(&mut games, "b", "bb");
        // Two of four games with mean 1/2 and variance 1/4: the variance of the sum is
        // 2 · 1/4 · 2/3 = 1/3, the deviation 1.
        let rows = games.rows();
        assert!((rows[0].results.chi_square - 3.0).abs() < 1e-12, "{rows:?}");
        assert_eq!(rows[0].fault_residual.degrees, 0);
        assert_eq!(rows[0].fault_residual.p, None);
    }

    #[test]
    fn an_alarm_names_both_workers() {
        let mut games = WorkerGames::default();
        play(&mut games, "a", "wb");
        play(&mut games, "b", "w");
        for differs in [None, Some("moves".to_owned())] {
            let (kept, other) = ("a".to_owned(), "b".to_owned());
            let game = "1".parse().unwrap();
            games.add_comparison(&RepeatedGame { game, kept, other, differs });
        }
        for row in games.rows() {
            assert_eq!((row.compared, row.alarms), (2, 1));
            let alarm = row.alarm().unwrap();
            assert!(alarm.contains(&format!("1 of 2 games that both worker {}", row.worker)));
        }
    }

    #[test]
    fn without_workers_there_is_nothing_to_say() {
        let mut games = WorkerGames::default();
        games.add(&game("1"));
        assert!(games.rows().is_empty());
    }
}
