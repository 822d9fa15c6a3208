//! A tournament as its results directory has it, for commands that write the report again.

use std::path::Path;

use super::directory::{load_results, note_damaged_end};
use super::error::CliError;
use crate::terminal::output::{place_line, print_line, print_wrapped};
use crate::terminal::patience::Patience;
use crate::terminal::screen;
use fanorona_report::{html, reported, terminal, write};
use fanorona_runner::session::check_config_unchanged;
use fanorona_tournament::config::{Overrides, Tournament};
use fanorona_tournament::progress::Progress;
use fanorona_tournament::record::{Contents, Index, Journal, Summary};

/// A tournament, the games in its journal, and how far it has come.
pub(super) struct RecordedTournament {
    pub(super) tournament: Tournament,
    pub(super) index: Index,
    pub(super) progress: Progress,
}

impl RecordedTournament {
    /// Reads a results directory. Fails if the config has changed since the tournament began, unless
    /// `force` is set.
    pub(super) fn read(dir: &Path, force: bool) -> Result<RecordedTournament, CliError> {
        let tournament = load_results(dir, &Overrides::default())?;
        let contents = Journal::read(dir, tournament.names())?;
        check_config_unchanged(dir, &tournament, &contents.header, force)?;
        note_damaged_end(dir, contents.torn, contents.unended.is_some());
        let Contents { header, index, .. } = contents;
        let mut progress = Progress::from_journal(&tournament, &header);
        progress.advance(&tournament, &index);
        Ok(RecordedTournament { tournament, index, progress })
    }

    /// The games that count.
    pub(super) fn games(&self) -> Vec<&Summary> {
        self.index.games().iter().filter(|game| self.progress.counts(game)).collect()
    }

    /// Writes the files of the report again, with the workspace if one is given, and prints the tables of
    /// accuracy and where the report is.
    pub(super) fn report(
        &self,
        dir: &Path,
        workspace: Option<&html::Workspace>,
    ) -> Result<(), CliError> {
        let RecordedTournament { tournament, index, progress } = self;
        let patience = Patience::on_stderr();
        let results = write::write_all_files(dir, tournament, index, progress, workspace, &|at| {
            patience.see(at);
        })?;
        if let Some(accuracy) = terminal::accuracy(&results.standings, screen::width()) {
            print_line(accuracy);
        }
        if let Some(accuracy) = terminal::engine_accuracy(&results.standings, screen::width()) {
            print_line(accuracy);
        }
        for error in reported::errors(&results.standings.reported) {
            print_wrapped(format_args!("note: {error}"));
        }
        let reported = terminal::reported(&results.standings);
        if !reported.is_empty() {
            print_wrapped(reported.trim_start());
        }
        print_line(place_line("report", &dir.join(html::FILE)));
        Ok(())
    }
}
