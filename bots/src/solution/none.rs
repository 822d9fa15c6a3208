//! A build without files has no option `Solution`.

use fanorona_protocol::messages::OptionSpec;

use super::Answer;
use crate::bot::{Observer, OptionError, Task};
use crate::endgame_option::SearchTables;

/// No solution.
#[derive(Default)]
pub(crate) struct SolutionOption {}

impl SolutionOption {
    pub(crate) fn options() -> [OptionSpec; 0] {
        []
    }

    pub(crate) fn set(&mut self, _name: &str, _value: &str) -> Result<bool, OptionError> {
        Ok(false)
    }

    pub(crate) fn answer(
        &self,
        _task: &Task<'_>,
        _tables: impl FnOnce() -> Option<SearchTables>,
        _observer: &mut dyn Observer,
    ) -> Option<Answer> {
        None
    }
}
