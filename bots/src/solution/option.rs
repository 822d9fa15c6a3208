//! The option and its answers.

use std::path::Path;

use fanorona_endgames::solution::Solution;
use fanorona_protocol::messages::{Info, OptionSpec, Score};

use super::Answer;
use super::solved::{ProvenMoves, SolvedGame};
use crate::bot::{Choice, Observer, OptionError, Task, effort};
use crate::endgame_option::SearchTables;

/// The option's name.
const NAME: &str = "Solution";

/// The solution selected by the option.
#[derive(Default)]
pub(crate) struct SolutionOption {
    chosen: Option<SolvedGame>,
}

impl SolutionOption {
    /// The declaration of the option.
    pub(crate) fn options() -> [OptionSpec; 1] {
        [OptionSpec::string(NAME, "")]
    }

    /// Sets the option if it is this one: a file of `solve`, or the empty string for none. Returns
    /// whether it is.
    ///
    /// # Errors
    /// Fails when the file is not an intact solution. Nothing changes then.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<bool, OptionError> {
        if !name.eq_ignore_ascii_case(NAME) {
            return Ok(false);
        }
        self.chosen = match value {
            "" => None,
            file => {
                let failed = |why| OptionError { name: NAME.to_owned(), why: Box::new(why) };
                Some(SolvedGame::new(Solution::read(Path::new(file)).map_err(failed)?))
            }
        };
        Ok(true)
    }

    /// The solution's answer to a task, with its report; `None` where it says nothing. Endings that
    /// it leaves to tables need `tables`.
    pub(crate) fn answer(
        &self,
        task: &Task<'_>,
        tables: impl FnOnce() -> Option<SearchTables>,
        observer: &mut dyn Observer,
    ) -> Option<Answer> {
        let solved = self.chosen.as_ref()?;
        let tables = tables().and_then(|tables| tables.get());
        let proven = solved.proven_moves(task.game.position(), task, tables.as_deref())?;
        let (root, score) = match proven {
            ProvenMoves::Win(root, plies) => (root, plies.map(Score::Win)),
            ProvenMoves::Hold(moves) if moves.len() == 1 => (moves[0], Some(Score::Cp(0))),
            ProvenMoves::Hold(moves) => return Some(Answer::OneOf(moves)),
        };
        let mut report = effort(0, task.budget.elapsed());
        (report.depth, report.score, report.pv) = (Some(1), score, vec![root.mv]);
        observer.info(report);
        observer.info(Info::text("move of the solution"));
        Some(Answer::Chosen(Choice { mv: root.mv, nodes: 0 }))
    }
}
