//! The messages from a supervisor to the arena, one per line, as JSON.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::bounds::Excess;
use super::not_started::NotStarted;
use super::system;

/// A message about an engine. The first is [`SupervisorMessage::Exec`] if the start gets that far;
/// the last is [`SupervisorMessage::Gone`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
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
        f.write_str(&serde_json::to_string(self).expect("a message is JSON"))
    }
}

impl FromStr for SupervisorMessage {
    type Err = serde_json::Error;

    fn from_str(line: &str) -> serde_json::Result<SupervisorMessage> {
        serde_json::from_str(line)
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
    use strum::VariantArray;

    use super::*;
    use crate::bounds::Resource;
    use crate::not_started::Stage;

    #[test]
    fn messages_survive_a_round_trip() {
        let mut messages = vec![
            SupervisorMessage::Exec,
            SupervisorMessage::Exited(0),
            SupervisorMessage::Exited(7),
            SupervisorMessage::Killed(9),
            SupervisorMessage::Gone,
        ];
        for &resource in Resource::VARIANTS {
            messages.push(SupervisorMessage::TooMuch(Excess { resource, limit: 1 << 33 }));
        }
        for &stage in Stage::VARIANTS {
            for (errno, detail) in [(None, ""), (Some(28), "/a directory: with\nlines")] {
                let why = NotStarted { stage, errno, detail: detail.to_owned() };
                messages.push(SupervisorMessage::NotStarted(why));
            }
        }
        for message in messages {
            let line = message.to_string();
            assert!(!line.contains('\n'), "{line}");
            assert_eq!(line.parse::<SupervisorMessage>().ok(), Some(message));
        }
        for line in ["", "exited", "{\"exited\":\"x\"}", "\"left\"", "{\"not-started\":{}}"] {
            assert!(line.parse::<SupervisorMessage>().is_err(), "{line}");
        }
    }
}
