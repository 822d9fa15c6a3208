//! A build that cannot reach other machines.

use std::path::Path;
use std::sync::Arc;

use clap::Args;

use super::Notice;
use crate::commands::error::CliError;
use fanorona_runner::{Finish, Plan, Snapshot, Venue};

/// The options for machines that play a tournament: none.
#[derive(Args, Debug, Default, Clone)]
pub(crate) struct ClusterArgs {}

impl ClusterArgs {
    /// Whether other machines play.
    pub(crate) fn is_on(&self) -> bool {
        false
    }

    /// The options as they are typed: none.
    pub(crate) fn words(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The machines that play a tournament.
pub(crate) enum Machines {}

impl Machines {
    /// There are none: this build cannot reach them.
    #[allow(clippy::unused_async)]
    pub(crate) async fn connect(_: Option<&ClusterArgs>) -> Result<Option<Machines>, CliError> {
        Ok(None)
    }

    pub(crate) async fn begin(
        &mut self,
        _: &Arc<Plan>,
        _: &Path,
        _: &Snapshot,
        _: String,
    ) -> Result<Arc<dyn Venue>, CliError> {
        match *self {}
    }

    pub(crate) async fn report(&mut self) -> Result<Notice, CliError> {
        match *self {}
    }

    pub(crate) async fn end(&self, _: Option<Finish>) {
        match *self {}
    }
}
