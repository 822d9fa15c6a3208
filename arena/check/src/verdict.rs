//! The results of checks.

use serde::Serialize;

/// The result of a check: a remark, possibly empty, or the reason why it did not pass.
pub type Outcome = Result<String, CheckFailure>;

/// Why a check did not pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckFailure {
    /// The check does not apply to this engine.
    Skipped(String),
    /// The response was wrong.
    Wrong {
        /// The expected behaviour.
        expected: String,
        /// The actual behaviour.
        got: String,
        /// Advice on how to fix it, if the cause is clear.
        fix_hint: Option<String>,
    },
    /// The engine reported errors in its moves, and played on.
    Reported {
        /// The number of such moves, and the first errors.
        got: Vec<String>,
        /// The first error.
        first: String,
        /// Its output on standard error in the move of the first error.
        lines: Vec<String>,
    },
    /// The response is missing.
    NoReply(NoReply),
}

/// A missing response.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoReply {
    /// The first word of the expected line; empty if no particular line was expected.
    pub expected_word: &'static str,
    /// The reason.
    pub cause: Cause,
}

/// The reason why a response is missing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cause {
    /// There was no output for this number of milliseconds.
    Silent(u128),
    /// The output ended.
    Ended,
    /// The engine does not read its input.
    NotReading,
    /// The engine printed more than the limits allow.
    TooMuch,
    /// The engine could not be started, for this reason.
    NotStarted(String),
}

impl CheckFailure {
    /// A wrong response.
    pub(super) fn wrong(expected: impl Into<String>, got: impl Into<String>) -> CheckFailure {
        CheckFailure::Wrong { expected: expected.into(), got: got.into(), fix_hint: None }
    }

    /// A wrong response with a hint how to fix it.
    pub(super) fn with_hint(
        expected: impl Into<String>,
        got: impl Into<String>,
        fix_hint: impl Into<String>,
    ) -> CheckFailure {
        CheckFailure::Wrong {
            expected: expected.into(),
            got: got.into(),
            fix_hint: Some(fix_hint.into()),
        }
    }

    /// A check that does not apply, with the reason.
    pub(super) fn skipped(why: impl Into<String>) -> CheckFailure {
        CheckFailure::Skipped(why.into())
    }
}

/// The details of a failed check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FailureDetails {
    /// The last lines sent to the engine.
    pub sent: Vec<String>,
    /// The expected behaviour.
    pub expected: String,
    /// The actual behaviour.
    pub got: Vec<String>,
    /// Advice on how to fix it, the likeliest cause first; at least one.
    pub fix: Vec<String>,
    /// The end of its standard error, if it may help.
    pub stderr: String,
}

/// The result of a check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum Verdict {
    /// The engine meets the requirement.
    Passed {
        /// A remark, possibly empty.
        seen: String,
    },
    /// The engine does not meet the requirement.
    Failed {
        /// The details.
        finding: FailureDetails,
    },
    /// The check does not apply and does not count.
    Skipped {
        /// The reason.
        why: String,
    },
}
