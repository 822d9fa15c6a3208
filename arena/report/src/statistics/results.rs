//! The results of a tournament, shared by all reports.

use super::candidates::Candidates;
use super::outcome::Outcome;
use super::sprt_state::Test;
use super::stage_table::StageTable;
use super::standings::Standings;
use super::sweep::Sweep;
use super::workers::WorkerRow;
use fanorona_tournament::machine::Machine;
use fanorona_tournament::progress::extent::Extent;
use fanorona_tournament::progress::race_run::RaceState;
use fanorona_tournament::tuning::TuningRun;

/// Everything the reports show.
#[derive(Clone, Debug)]
pub struct Results {
    /// The winner, and the certainty of it.
    pub outcome: Outcome,
    /// The standings of all engines.
    pub standings: Standings,
    /// If engines have been withdrawn: the standings of the others, from the games between them.
    pub without_withdrawn: Option<Standings>,
    /// In a tournament with stages: its own table.
    pub table: Option<StageTable>,
    /// In a match with an SPRT: the state of the test.
    pub test: Option<Test>,
    /// In a tournament of candidates: their tests.
    pub candidates: Option<Candidates>,
    /// In a tuning: its state.
    pub tuning: Option<TuningRun>,
    /// In a race: its state.
    pub race: Option<RaceState>,
    /// The families of engines that differ in some options.
    pub sweeps: Vec<Sweep>,
    /// The extent to which the tournament has been played.
    pub extent: Extent,
    /// The engines' programs, and when and where they played; `None` if `machine.json` is missing
    /// or unreadable.
    pub machine: Option<Machine>,
    /// The machines that played, if the tournament had workers.
    pub workers: Vec<WorkerRow>,
}
