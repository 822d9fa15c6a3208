//! A build without files has no option `Solution`.

use std::sync::Arc;

use fanorona_endgames::Tables;
use fanorona_protocol::messages::OptionSpec;

use super::Answer;
use crate::bot::{Observer, OptionError, Task};

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
        _tables: impl FnOnce() -> Option<Arc<Tables>>,
        _observer: &mut dyn Observer,
    ) -> Option<Answer> {
        None
    }
}
