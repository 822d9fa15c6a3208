//! What the games so far say, as every report shows it.

use super::stage_table::StageTable;
use super::standings::Standings;
use crate::ratings::Estimate;
use crate::tournament::environment::Machine;
use crate::tournament::extent::Extent;
use crate::tournament::sprt_run::State;

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
