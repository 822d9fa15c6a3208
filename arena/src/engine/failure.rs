//! How engines fail.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use fanorona_protocol::messages::OptionValueError;

use super::fault::Fault;
use super::identity::Changed;
use super::not_started::NotStarted;
use super::processes;

/// What an engine is at fault of, and what exactly happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Whether it has had more of something than the config allows: that is its own doing, whatever
    /// this machine did meanwhile.
    pub excess: bool,
    /// What it counts as.
    pub fault: Fault,
    /// For people: what was awaited, what came, for how long.
    pub detail: String,
    /// The last lines the engine wrote to its standard error, possibly none.
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
            text => write!(f, "; its last words on standard error: {}", text.replace('\n', " | ")),
        }
    }
}

/// Why an engine cannot take part.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The program could not be run.
    #[error("cannot run {}: {why}", .program.display())]
    NotStarted {
        /// The program.
        program: PathBuf,
        /// The stage that failed, and the system's reason.
        why: NotStarted,
    },
    /// The engine is no longer the one that began the tournament.
    #[error(transparent)]
    Changed(#[from] Changed),
    /// No end of the handshake in time, or the engine failed before it.
    #[error("no `{awaited}` from the engine: {failure}")]
    Handshake {
        /// The line that ends the handshake.
        awaited: &'static str,
        /// What happened instead.
        failure: Failure,
    },
    /// The config sets an option the engine does not have.
    #[error("the engine has no option `{name}`; it declares {}", listed(.declared))]
    UnknownOption {
        /// The option as the config writes it.
        name: String,
        /// The options it has.
        declared: Vec<String>,
    },
    /// The config sets an option to a value it does not take.
    #[error("option {0}")]
    OptionValue(#[from] OptionValueError),
    /// Rules other than the usual ones, and an engine that cannot be told.
    #[error(
        "the tournament plays by `{rules}`, and the engine declares no option Rules; let it declare \
         one, or give it `legal_moves = true`"
    )]
    Rules {
        /// What differs from the usual rules.
        rules: String,
    },
}

impl StartError {
    /// Whether the arena or its machine is at fault, which says nothing about the engine: see
    /// [`NotStarted::is_ours`]. A program that runs and then lacks a thread says so in words of its
    /// own, so one that ends in the handshake while the user's processes are nearly used up is not
    /// at fault either.
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

/// The most options kept; an engine that declares more has them ignored.
pub(super) const MAX_OPTIONS: usize = 1000;

/// The most options that are named where one is not among them.
const MAX_LISTED: usize = 20;

/// The names of options, as many as somebody would read.
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

/// A duration as people read it.
pub(super) fn shown(time: Duration) -> String {
    match time.as_millis() {
        ms if ms < 10_000 => format!("{ms} ms"),
        _ => format!("{:.1} s", time.as_secs_f64()),
    }
}
