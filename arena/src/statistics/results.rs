//! The results of a tournament, shared by all reports.

use super::stage_table::StageTable;
use super::standings::Standings;
use super::sweep::Sweep;
use super::workers::WorkerRow;
use crate::ratings::Estimate;
use crate::tournament::environment::Machine;
use crate::tournament::extent::Extent;
use crate::tournament::race_run::RaceState;
use crate::tournament::sprt_run::State;
use crate::tuning::TuningRun;

/// Everything the reports show.
#[derive(Clone, Debug)]
pub struct Results {
    /// The standings of all engines.
    pub standings: Standings,
    /// If engines have been withdrawn: the standings of the others, from the games between them.
    pub without_withdrawn: Option<Standings>,
    /// In a tournament with stages: its own table.
    pub table: Option<StageTable>,
    /// In a match with an SPRT: the state of the test.
    pub test: Option<Test>,
    /// In a tuning: its state.
    pub tuning: Option<TuningRun>,
    /// In a race: its state.
    pub race: Option<RaceState>,
    /// The families of engines that differ in some options.
    pub sweeps: Vec<Sweep>,
    /// How much has been played.
    pub extent: Extent,
    /// The engines' programs, and when and where they played; `None` if `machine.json` is missing
    /// or unreadable.
    pub machine: Option<Machine>,
    /// The machines that played, if the tournament had workers.
    pub workers: Vec<WorkerRow>,
}

/// The state of the SPRT of a match.
#[derive(Clone, PartialEq, Debug)]
pub struct Test {
    /// The engine whose lead is tested.
    pub engine: String,
    /// The state.
    pub state: State,
    /// The estimated lead in Elo of the model; it accounts for stopping at the bounds.
    pub estimate: Estimate,
    /// The likelihood ratio after each number of pairs.
    pub history: Vec<(u64, f64)>,
}
