//! The tested engine's reports in its moves besides them, over all checks so far.

use std::sync::{Arc, Mutex};

use fanorona_protocol::messages::Reply;

use super::verdict::{CheckFailure, Outcome};
use fanorona_tournament::text::plural::counted;
use fanorona_tournament::text::safe_text;

/// The tally of a run, to which every process of the engine adds.
pub(super) type SharedTally = Arc<Mutex<MoveTally>>;

/// The maximum length of a reported error in a report, in bytes.
const MAX_SHOWN: usize = 500;

/// The errors and the output on standard error in the engine's moves.
#[derive(Clone, Default, Debug)]
pub(super) struct MoveTally {
    moves: usize,
    errors: usize,
    /// The first error, and the lines on standard error in its move.
    first: Option<(String, Vec<String>)>,
    stderr_moves: usize,
}

impl MoveTally {
    /// Adds a move with the `info` lines before it and the lines on standard error.
    pub(super) fn add(&mut self, infos: &[String], stderr: Vec<String>) {
        self.moves += 1;
        self.stderr_moves += usize::from(!stderr.is_empty());
        let error = infos.iter().find_map(|line| match line.parse() {
            Ok(Reply::Info(info)) => info.error,
            _ => None,
        });
        if let Some(text) = error {
            self.errors += 1;
            let text = || safe_text::line(safe_text::prefix(&text, MAX_SHOWN)).into_owned();
            self.first.get_or_insert_with(|| (text(), stderr));
        }
    }

    /// A failure if an error was reported.
    pub(super) fn outcome(&self) -> Outcome {
        let of =
            |count: usize| format!("in {count} of {}", counted(self.moves as u64, "move", "moves"));
        match &self.first {
            Some((first, lines)) => Err(CheckFailure::Reported {
                got: vec![format!("an error {}", of(self.errors)), format!("`info error {first}`")],
                first: first.clone(),
                lines: lines.clone(),
            }),
            None if self.stderr_moves > 0 => {
                Ok(format!("standard error {}", of(self.stderr_moves)))
            }
            None => Ok(counted(self.moves as u64, "move", "moves")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_error_among_many_moves_is_a_failure() {
        let mut tally = MoveTally::default();
        let infos = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>();
        tally.add(&infos(&["info depth 1", "info string error: none"]), Vec::new());
        assert_eq!(tally.outcome(), Ok("1 move".to_owned()));
        tally.add(&[], infos(&["depth 3"]));
        assert_eq!(tally.outcome(), Ok("standard error in 1 of 2 moves".to_owned()));
        tally.add(&infos(&["info depth 1", "info error KeyError: 7"]), infos(&["KeyError: 7"]));
        tally.add(&infos(&["info error another"]), Vec::new());
        let expected = CheckFailure::Reported {
            got: infos(&["an error in 2 of 4 moves", "`info error KeyError: 7`"]),
            first: "KeyError: 7".to_owned(),
            lines: infos(&["KeyError: 7"]),
        };
        assert_eq!(tally.outcome(), Err(expected));
    }
}
