//! A build that cannot reach other machines.

use std::path::Path;
use std::sync::Arc;

use clap::Args;

use super::Notice;
use crate::commands::error::CliError;
use fanorona_runner::{Finish, Plan, Snapshot, Venue};

/// The options for machines that play a tournament: none.
#[derive(Args, Debug, Default, Clone)]
pub(in crate::commands) struct ClusterArgs {}

impl ClusterArgs {
    /// Whether other machines play.
    pub(in crate::commands) fn is_on(&self) -> bool {
        false
    }
}

/// The machines that play a tournament.
pub(in crate::commands) enum Machines {}

impl Machines {
    /// There are none: this build cannot reach them.
    #[allow(clippy::unused_async)]
    pub(in crate::commands) async fn connect(
        _: Option<&ClusterArgs>,
    ) -> Result<Option<Machines>, CliError> {
        Ok(None)
    }

    pub(in crate::commands) async fn begin(
        &mut self,
        _: &Arc<Plan>,
        _: &Path,
        _: &Snapshot,
        _: String,
    ) -> Result<Arc<dyn Venue>, CliError> {
        match *self {}
    }

    pub(in crate::commands) async fn report(&mut self) -> Result<Notice, CliError> {
        match *self {}
    }

    pub(in crate::commands) async fn end(&self, _: Option<Finish>) {
        match *self {}
    }
}
