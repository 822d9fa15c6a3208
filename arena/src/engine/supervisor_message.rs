//! What a guard tells the arena, a line each.

use std::fmt;
use std::str::FromStr;

use nix::sys::signal::Signal;

use super::bounds::Excess;
use super::not_started::NotStarted;

/// What has come of an engine: [`SupervisorMessage::Exec`] first if it has come so far, [`SupervisorMessage::Gone`] last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum SupervisorMessage {
    /// Its process is about to become the program: from here on what happens is the engine's, unless
    /// that call fails.
    Exec,
    /// It has never run, for this reason.
    NotStarted(NotStarted),
    /// It has exited with this code.
    Exited(i32),
    /// This signal has killed it.
    Killed(i32),
    /// It has had too much of something, and has been ended for that.
    TooMuch(Excess),
    /// Nothing that it has started is left.
    Gone,
}

impl fmt::Display for SupervisorMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SupervisorMessage::Exec => f.write_str("exec"),
            SupervisorMessage::NotStarted(why) => write!(f, "not-started {}", why.line()),
            SupervisorMessage::Exited(code) => write!(f, "exited {code}"),
            SupervisorMessage::Killed(signal) => write!(f, "killed {signal}"),
            SupervisorMessage::TooMuch(excess) => write!(f, "too-much {excess}"),
            SupervisorMessage::Gone => f.write_str("gone"),
        }
    }
}

impl FromStr for SupervisorMessage {
    type Err = ();

    fn from_str(line: &str) -> Result<SupervisorMessage, ()> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "exec" => Ok(SupervisorMessage::Exec),
            "not-started" => rest.parse().map(SupervisorMessage::NotStarted),
            "exited" => rest.parse().map(SupervisorMessage::Exited).map_err(drop),
            "killed" => rest.parse().map(SupervisorMessage::Killed).map_err(drop),
            "too-much" => rest.parse().map(SupervisorMessage::TooMuch),
            "gone" => Ok(SupervisorMessage::Gone),
            _ => Err(()),
        }
    }
}

impl SupervisorMessage {
    /// The same for people.
    pub(super) fn in_words(&self) -> String {
        match self {
            SupervisorMessage::Exec => "has started".to_owned(),
            SupervisorMessage::NotStarted(why) => why.to_string(),
            SupervisorMessage::Exited(0) => {
                "exited with code 0 though nobody told it to quit".to_owned()
            }
            SupervisorMessage::Exited(code) => format!("exited with code {code}"),
            SupervisorMessage::Killed(number) if *number == Signal::SIGSYS as i32 => {
                format!(
                    "killed by signal {number} (SIGSYS): the sandbox ends programs made for another \
                     processor or 32 bits, which need sandbox = \"none\""
                )
            }
            SupervisorMessage::Killed(number) => match Signal::try_from(*number) {
                Ok(signal) => format!("killed by signal {number} ({signal})"),
                Err(_) => format!("killed by signal {number}"),
            },
            SupervisorMessage::TooMuch(excess) => excess.in_words(),
            SupervisorMessage::Gone => "is gone".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bounds::Bounded;
    use super::super::not_started::Stage;
    use super::*;

    #[test]
    fn news_are_read_as_they_are_written() {
        for news in [
            SupervisorMessage::Exec,
            SupervisorMessage::NotStarted(NotStarted {
                stage: Stage::Exec,
                errno: Some(2),
                detail: String::new(),
            }),
            SupervisorMessage::Exited(0),
            SupervisorMessage::Exited(7),
            SupervisorMessage::Killed(9),
            SupervisorMessage::TooMuch(Excess { of: Bounded::Memory, most: 1 << 33 }),
            SupervisorMessage::Gone,
        ] {
            assert_eq!(news.to_string().parse(), Ok(news));
        }
        for line in ["", "exited", "exited x", "left 3", "not-started", "not-started exec"] {
            assert_eq!(line.parse::<SupervisorMessage>(), Err(()), "{line}");
        }
    }
}
