//! The reasons why a program was not started: the stage that failed and the system's error.
//!
//! Before the first instruction of an engine's program there are a private directory, a supervisor,
//! and a process that restricts itself. The arena is responsible for all of these. Only the last
//! call, `exec`, can fail because of the engine: if its program is missing, not executable, or in a
//! format that the system cannot run.

use std::error::Error;
use std::fmt;
use std::io;

use serde::{Deserialize, Serialize};

use super::system::start_error;

/// Why a program was not started.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NotStarted {
    /// The failed stage.
    pub stage: Stage,
    /// The system's error number; `None` if there is none.
    pub errno: Option<i32>,
    /// The object of the stage, such as a path, or another detail; can be empty.
    pub detail: String,
}

/// The stages of a start, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, strum::VariantArray)]
pub enum Stage {
    /// Creating the engine's private directory.
    PrivateDirectory,
    /// Starting the supervisor, up to its start of the next process.
    Supervisor,
    /// Starting the process that will execute the engine, up to the stages below.
    Confine,
    /// Leaving the arena's session and resetting signals.
    Session,
    /// Setting resource limits.
    Limits,
    /// Binding to the config's `cpus`.
    Cpus,
    /// Changing to the working directory.
    Directory,
    /// Entering the sandbox.
    Sandbox,
    /// Executing the program.
    Exec,
}

impl Stage {
    /// A description of the failure; `None` if the system's error is enough.
    fn description(self) -> Option<&'static str> {
        Some(match self {
            Stage::PrivateDirectory => "cannot create its private directory",
            Stage::Supervisor => "its supervisor process did not start",
            Stage::Confine => "its process did not start",
            Stage::Session => "cannot create a session for it",
            Stage::Limits => "cannot limit its resources",
            Stage::Cpus => "cannot bind it to the config's `cpus`",
            Stage::Directory => "cannot change to its working directory",
            Stage::Sandbox => "cannot apply the sandbox",
            Stage::Exec => return None,
        })
    }
}

impl NotStarted {
    /// A failed stage with an error of the system; for `map_err`.
    pub(super) fn at<E: Error + 'static>(stage: Stage) -> impl FnOnce(E) -> NotStarted {
        move |why| {
            let errno = errno(&why);
            // The error number is enough to show the text again.
            let detail = if errno.is_some() { String::new() } else { why.to_string() };
            NotStarted { stage, errno, detail }
        }
    }

    /// A failed stage without an error of the system.
    pub(super) fn without_errno(stage: Stage, detail: impl Into<String>) -> NotStarted {
        NotStarted { stage, errno: None, detail: detail.into() }
    }

    /// Adds the object of the stage to the detail.
    pub(super) fn on(mut self, what: impl fmt::Display) -> NotStarted {
        self.detail = match &*self.detail {
            "" => what.to_string(),
            detail => format!("{what}: {detail}"),
        };
        self
    }

    /// Whether the arena or its machine is at fault, not the engine. That is the case at every
    /// stage, except for a program that is missing, not executable, or in a format that the system
    /// cannot run, and for an interpreter or loader it names that is.
    pub fn is_ours(&self) -> bool {
        !(self.stage == Stage::Exec && self.errno.is_some_and(start_error::is_of_program))
    }
}

/// The system's error number at the root of an error's chain.
fn errno(why: &(dyn Error + 'static)) -> Option<i32> {
    let mut next = Some(why);
    while let Some(why) = next {
        let number = match why.downcast_ref::<io::Error>() {
            Some(why) => why.raw_os_error(),
            None => start_error::number(why),
        };
        if number.is_some() {
            return number;
        }
        next = why.source();
    }
    None
}

impl fmt::Display for NotStarted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let detail = Some(self.detail.clone()).filter(|detail| !detail.is_empty());
        if let (Stage::Exec, Some(reason)) = (self.stage, &detail) {
            // The system's text would name the wrong file.
            return f.write_str(&reason.replace('\n', " "));
        }
        let system = self.errno.map(|errno| io::Error::from_raw_os_error(errno).to_string());
        let what = match (self.stage, self.errno) {
            (Stage::Exec, Some(errno)) if start_error::is_no_program(errno) => {
                Some(start_error::NO_PROGRAM)
            }
            _ => self.stage.description(),
        };
        let parts = [what.map(str::to_owned), detail, system];
        let text = parts.into_iter().flatten().collect::<Vec<_>>().join(": ");
        f.write_str(&text.replace('\n', " "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_number_is_found_in_nested_errors() {
        let bottom = io::Error::from_raw_os_error(28);
        let why = NotStarted::at(Stage::Limits)(bottom);
        assert_eq!((why.errno, &*why.detail), (Some(28), ""));
        #[derive(Debug, thiserror::Error)]
        #[error("it is wrapped")]
        struct Wrapped(#[from] io::Error);
        let why = NotStarted::at(Stage::Sandbox)(Wrapped(io::Error::from_raw_os_error(13)));
        assert_eq!(why.errno, Some(13));
        let why = NotStarted::at(Stage::Supervisor)(io::Error::other("no number")).on("/dir");
        assert_eq!(why.to_string(), "its supervisor process did not start: /dir: no number");
        let why = NotStarted::without_errno(Stage::Supervisor, "a\nb");
        assert_eq!(why.to_string(), "its supervisor process did not start: a b");
    }
}
