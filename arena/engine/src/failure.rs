//! Failures of engines, during a game and at the start.

use std::fmt;
use std::path::PathBuf;

use fanorona_protocol::messages::{OptionSpec, OptionValueError};

use super::declarations::{MAX_OPTIONS, UnreadableOption};
use super::identity::Changed;
use super::not_started::{NotStarted, Stage};
use super::system::processes;
use fanorona_tournament::game::fault::Fault;

/// A failure of an engine: the fault and its details.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Whether the engine exceeded a bound of the config. That is its own fault, even if the
    /// machine stalled at the same time.
    pub excess: bool,
    /// The fault.
    pub fault: Fault,
    /// A description: what was expected, what happened, and for how long.
    pub detail: String,
    /// The last lines of the engine's standard error, possibly none.
    pub stderr: String,
}

impl Failure {
    pub(super) fn new(fault: Fault, detail: impl Into<String>) -> Failure {
        Failure { fault, detail: detail.into(), stderr: String::new(), excess: false }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)?;
        match self.stderr.trim_end() {
            "" => Ok(()),
            text => write!(f, "; its standard error ends with: {}", text.replace('\n', " | ")),
        }
    }
}

/// Why an engine could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The program could not be run.
    #[error("cannot run {}: {why}", .program.display())]
    NotStarted {
        /// The program.
        program: PathBuf,
        /// The failed stage and the system's error.
        why: NotStarted,
    },
    /// The engine's files changed since the tournament began.
    #[error(transparent)]
    Changed(#[from] Changed),
    /// The handshake was not completed in time, or the engine failed before.
    #[error("no `{expected}` from the engine: {}", with_output(.failure, .printed))]
    Handshake {
        /// The missing line.
        expected: &'static str,
        /// The failure.
        failure: Failure,
        /// The last lines that the engine printed, possibly none.
        printed: Vec<String>,
    },
    /// The config sets an option that the engine does not have.
    #[error("the engine has no option `{name}`; it declares {}", listed(.declared))]
    UnknownOption {
        /// The name of the option in the config.
        name: String,
        /// The options the engine declares.
        declared: Vec<String>,
    },
    /// An option is needed, but the line that declares it cannot be read.
    #[error("{line}")]
    UnreadableOption {
        /// The name of the option.
        name: String,
        /// The line.
        line: UnreadableOption,
    },
    /// The config sets an option to a value that the engine does not accept.
    #[error("option {0}")]
    OptionValue(#[from] OptionValueError),
    /// The config tunes an option with decimals, which it does not take.
    #[error(
        "the config tunes {} with type = \"float\", but the engine declares `{option}`; set type = \
         \"int\", or let the engine declare a string",
        .option.name
    )]
    TunedFloat {
        /// The option.
        option: Box<OptionSpec>,
    },
    /// The config lets the engine ponder, but it has no option for that.
    #[error(
        "the config sets `ponder = true`, but the engine does not declare the option Ponder (type \
         check); declare it, or set `ponder = false`"
    )]
    NoPondering,
    /// The tournament has special rules, but the engine has no option for them.
    #[error(
        "the tournament has the rules `{rules}`, but the engine does not declare the option Rules; \
         declare it, or set `legal_moves = true`"
    )]
    Rules {
        /// The rules that are not default.
        rules: String,
    },
}

impl StartError {
    /// The stage at which the program was not started; `None` if it was.
    pub fn stage(&self) -> Option<Stage> {
        match self {
            StartError::NotStarted { why, .. } => Some(why.stage),
            _ => None,
        }
    }

    /// Whether the arena or its machine is at fault, which says nothing about the engine: see
    /// [`NotStarted::is_ours`]. A running program that cannot create a thread reports this in its
    /// own way. An engine that exits in the handshake is therefore not at fault either while the
    /// user's process limit is nearly reached.
    pub fn is_ours(&self) -> bool {
        match self {
            StartError::NotStarted { why, .. } => why.is_ours(),
            StartError::Handshake { failure, .. } => {
                let ended = matches!(failure.fault, Fault::Crash | Fault::Disconnect);
                ended && !failure.excess && processes::are_scarce()
            }
            _ => false,
        }
    }
}

/// A failure with what the engine printed on both streams.
fn with_output(failure: &Failure, printed: &[String]) -> String {
    let Failure { detail, stderr, .. } = failure;
    let printed = match (printed, stderr.trim_end()) {
        ([], "") => "; it printed nothing".to_owned(),
        ([], _) => String::new(),
        (lines, _) => format!("; it printed: {}", lines.join(" | ")),
    };
    // The failure ends with standard error.
    let stderr = &failure.to_string()[detail.len()..];
    format!("{detail}{printed}{stderr}")
}

/// The maximum number of options listed in a message.
const MAX_LISTED: usize = 20;

/// A readable list of option names.
fn listed(declared: &[String]) -> String {
    let more = declared.len().saturating_sub(MAX_LISTED);
    let named = declared[..declared.len() - more].join(", ");
    match declared.len() {
        0 => "none".to_owned(),
        MAX_OPTIONS => format!("{named} and more; only its first {MAX_OPTIONS} options count"),
        _ if more > 0 => format!("{named} and {more} more"),
        _ => named,
    }
}
