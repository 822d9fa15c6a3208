//! Why a program was not started: which stage failed, and with which error of the system.
//!
//! Between the wish to start an engine and its program's first instruction lie a private directory,
//! a guard, and a process that confines itself. All of that is the arena's. Only the last call,
//! `exec`, has a part that is the engine's: a program that is missing, not executable or in no
//! format the system runs.

use std::error::Error;
use std::fmt;
use std::io;
use std::str::FromStr;

use nix::errno::Errno;

/// Why a program was not started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotStarted {
    /// What failed.
    pub stage: Stage,
    /// The system's error number; `None` where a stage failed without one.
    pub errno: Option<i32>,
    /// What the stage worked on, such as a path, or what else there is to say; may be empty.
    pub detail: String,
}

/// The stages of a start, in their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Making the engine's private directory.
    PrivateDirectory,
    /// Starting the guard, and the guard's own life before it starts the next process.
    Guard,
    /// Starting the process that becomes the engine, and its life up to the stages below.
    Confine,
    /// Leaving the arena's session and signals.
    Session,
    /// Setting limits of resources.
    Limits,
    /// Binding to the config's `cpus`.
    Cpus,
    /// Changing into the working directory.
    Directory,
    /// Entering the sandbox.
    Sandbox,
    /// The call that replaces the process by the program.
    Exec,
}

impl Stage {
    const ALL: [Stage; 9] = [
        Stage::PrivateDirectory,
        Stage::Guard,
        Stage::Confine,
        Stage::Session,
        Stage::Limits,
        Stage::Cpus,
        Stage::Directory,
        Stage::Sandbox,
        Stage::Exec,
    ];

    /// The word guards use.
    fn word(self) -> &'static str {
        match self {
            Stage::PrivateDirectory => "private-directory",
            Stage::Guard => "guard",
            Stage::Confine => "confine",
            Stage::Session => "session",
            Stage::Limits => "limits",
            Stage::Cpus => "cpus",
            Stage::Directory => "directory",
            Stage::Sandbox => "sandbox",
            Stage::Exec => "exec",
        }
    }

    /// What failed, for people; `None` where the error says enough.
    fn in_words(self) -> Option<&'static str> {
        Some(match self {
            Stage::PrivateDirectory => "cannot make its private directory",
            Stage::Guard => "the process that guards it did not start",
            Stage::Confine => "the process that becomes it did not start",
            Stage::Session => "cannot make a session for it",
            Stage::Limits => "cannot limit its resources",
            Stage::Cpus => "cannot bind it to the config's `cpus`",
            Stage::Directory => "cannot enter its working directory",
            Stage::Sandbox => "cannot put it into the sandbox",
            Stage::Exec => return None,
        })
    }
}

impl NotStarted {
    /// A stage that failed with an error of the system; for `map_err`.
    pub(super) fn at<E: Error + 'static>(stage: Stage) -> impl FnOnce(E) -> NotStarted {
        move |why| {
            let errno = errno(&why);
            // The number gives the words again, unless it comes with more.
            let detail = if errno.is_some() { String::new() } else { why.to_string() };
            NotStarted { stage, errno, detail }
        }
    }

    /// A stage that failed without an error of the system.
    pub(super) fn without_errno(stage: Stage, detail: impl Into<String>) -> NotStarted {
        NotStarted { stage, errno: None, detail: detail.into() }
    }

    /// The same with what the stage worked on.
    pub(super) fn on(mut self, what: impl fmt::Display) -> NotStarted {
        self.detail = match &*self.detail {
            "" => what.to_string(),
            detail => format!("{what}: {detail}"),
        };
        self
    }

    /// Whether the arena or its machine is at fault, not the engine: so it is at every stage, but for
    /// a program that is missing, not executable, or in no format the system runs.
    pub fn is_ours(&self) -> bool {
        let errno = self.errno.map(Errno::from_raw);
        let of_program = matches!(errno, Some(Errno::ENOENT | Errno::EACCES | Errno::ENOEXEC));
        !(self.stage == Stage::Exec && of_program)
    }
}

/// The number of the system's error at the bottom of an error.
fn errno(why: &(dyn Error + 'static)) -> Option<i32> {
    let mut next = Some(why);
    while let Some(why) = next {
        let number = match (why.downcast_ref::<io::Error>(), why.downcast_ref::<Errno>()) {
            (Some(why), _) => why.raw_os_error(),
            (_, Some(errno)) => Some(*errno as i32),
            _ => None,
        };
        if number.is_some() {
            return number;
        }
        next = why.source();
    }
    None
}

impl fmt::Display for NotStarted {
    /// For people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let detail = Some(self.detail.clone()).filter(|detail| !detail.is_empty());
        let system = self.errno.map(|errno| io::Error::from_raw_os_error(errno).to_string());
        let what = match (self.stage, self.errno.map(Errno::from_raw)) {
            (Stage::Exec, Some(Errno::ENOEXEC)) => {
                Some("the system cannot run this file, and a script has to begin with `#!`")
            }
            _ => self.stage.in_words(),
        };
        let parts = [what.map(str::to_owned), detail, system];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(": "))
    }
}

impl NotStarted {
    /// On one line, as guards tell it.
    pub(super) fn line(&self) -> String {
        let errno = self.errno.map_or("-".to_owned(), |errno| errno.to_string());
        format!("{} {errno} {}", self.stage.word(), self.detail.replace('\n', " "))
    }
}

impl FromStr for NotStarted {
    type Err = ();

    fn from_str(line: &str) -> Result<NotStarted, ()> {
        let mut parts = line.splitn(3, ' ');
        let mut part = || parts.next().ok_or(());
        let (word, errno, detail) = (part()?, part()?, part()?.to_owned());
        let stage = Stage::ALL.into_iter().find(|stage| stage.word() == word).ok_or(())?;
        let errno = match errno {
            "-" => None,
            errno => Some(errno.parse().map_err(drop)?),
        };
        Ok(NotStarted { stage, errno, detail })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_is_read_as_was_told() {
        for stage in Stage::ALL {
            for errno in [None, Some(28)] {
                for detail in ["", "/a directory: with words"] {
                    let why = NotStarted { stage, errno, detail: detail.into() };
                    assert_eq!(why.line().parse(), Ok(why));
                }
            }
        }
        let why = NotStarted::without_errno(Stage::Guard, "a\nb");
        assert_eq!(why.line(), "guard - a b");
        for line in ["", "exec", "exec 2", "nowhere 2 ", "exec two "] {
            assert_eq!(line.parse::<NotStarted>(), Err(()), "{line}");
        }
    }

    #[test]
    fn only_the_program_itself_can_be_at_fault() {
        let numbers = [None]
            .into_iter()
            .chain([Errno::ENOENT, Errno::EACCES, Errno::ENOEXEC].map(|errno| Some(errno as i32)))
            .chain(
                [Errno::EAGAIN, Errno::ENOSPC, Errno::ETXTBSY, Errno::ENOMEM]
                    .map(|e| Some(e as i32)),
            );
        for (place, errno) in numbers.enumerate() {
            for stage in Stage::ALL {
                let ours = NotStarted { stage, errno, detail: String::new() }.is_ours();
                let theirs = stage == Stage::Exec && (1..=3).contains(&place);
                assert_eq!(ours, !theirs, "{stage:?} {errno:?}");
            }
        }
    }

    #[test]
    fn an_error_keeps_its_number_however_deep_it_lies() {
        let bottom = io::Error::from_raw_os_error(28);
        let why = NotStarted::at(Stage::Limits)(bottom);
        assert_eq!((why.errno, &*why.detail), (Some(28), ""));
        assert_eq!(NotStarted::at(Stage::Cpus)(Errno::EINVAL).errno, Some(22));
        #[derive(Debug, thiserror::Error)]
        #[error("it is wrapped")]
        struct Wrapped(#[from] io::Error);
        let why = NotStarted::at(Stage::Sandbox)(Wrapped(io::Error::from_raw_os_error(13)));
        assert_eq!(why.errno, Some(13));
        let why = NotStarted::at(Stage::Guard)(io::Error::other("no number")).on("/dir");
        assert_eq!(why.to_string(), "the process that guards it did not start: /dir: no number");
    }
}
