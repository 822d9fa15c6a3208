//! The messages from a supervisor to the arena, one per line.

use std::fmt;
use std::str::FromStr;

use super::bounds::Excess;
use super::not_started::NotStarted;
use super::system;

/// A message about an engine. The first is [`SupervisorMessage::Exec`] if the start gets that far;
/// the last is [`SupervisorMessage::Gone`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum SupervisorMessage {
    /// The process is about to execute the engine's program. Later failures are the engine's,
    /// unless this call fails.
    Exec,
    /// The program was not run, for this reason.
    NotStarted(NotStarted),
    /// The engine exited with this code.
    Exited(i32),
    /// The engine was killed by this signal.
    Killed(i32),
    /// The engine exceeded a bound and was killed for it.
    TooMuch(Excess),
    /// No process of the engine is left.
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
    /// A description for users.
    pub(super) fn description(&self) -> String {
        match self {
            SupervisorMessage::Exec => "has started".to_owned(),
            SupervisorMessage::NotStarted(why) => why.to_string(),
            SupervisorMessage::Exited(0) => {
                "exited with code 0 without a `quit` command".to_owned()
            }
            SupervisorMessage::Exited(code) => format!("exited with code {code}"),
            SupervisorMessage::Killed(number) => system::killed(*number),
            SupervisorMessage::TooMuch(excess) => excess.description(),
            SupervisorMessage::Gone => "has ended".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Resource;
    use crate::not_started::Stage;

    #[test]
    fn messages_survive_a_round_trip() {
        for message in [
            SupervisorMessage::Exec,
            SupervisorMessage::NotStarted(NotStarted {
                stage: Stage::Exec,
                errno: Some(2),
                detail: String::new(),
            }),
            SupervisorMessage::Exited(0),
            SupervisorMessage::Exited(7),
            SupervisorMessage::Killed(9),
            SupervisorMessage::TooMuch(Excess { resource: Resource::Memory, limit: 1 << 33 }),
            SupervisorMessage::Gone,
        ] {
            assert_eq!(message.to_string().parse(), Ok(message));
        }
        for line in ["", "exited", "exited x", "left 3", "not-started", "not-started exec"] {
            assert_eq!(line.parse::<SupervisorMessage>(), Err(()), "{line}");
        }
    }
}
