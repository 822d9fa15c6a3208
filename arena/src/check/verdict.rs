//! What comes of a check.

use serde::Serialize;

/// What a check finds out: what it has seen, possibly nothing worth a word, or why it did not pass.
pub type Outcome = Result<String, CheckFailure>;

/// Why a check has not passed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckFailure {
    /// It does not apply to this engine, for this reason.
    Skipped(String),
    /// The engine has said something else.
    Wrong {
        /// What it should have said or done.
        expected: String,
        /// What it has said or done.
        got: String,
        /// What to do about it, where that is plain.
        mend: Option<String>,
    },
    /// The engine has said nothing.
    StartFailure(StartFailure),
}

/// How an engine kept what was awaited from being heard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StartFailure {
    /// What was awaited: the word its line begins with, `nothing` when none was.
    pub awaited: &'static str,
    /// What happened instead.
    pub how: How,
}

/// What happened instead of an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum How {
    /// Nothing, for so many milliseconds.
    Silent(u128),
    /// Its output ended.
    Ended,
    /// It does not read what it is told.
    Deaf,
    /// It said more than anybody reads.
    Flood,
    /// It could not be started, for this reason.
    NotStarted(String),
}

impl CheckFailure {
    /// Something else was expected.
    pub(super) fn wrong(expected: impl Into<String>, got: impl Into<String>) -> CheckFailure {
        CheckFailure::Wrong { expected: expected.into(), got: got.into(), mend: None }
    }

    /// The same, with what to do about it.
    pub(super) fn mended(
        expected: impl Into<String>,
        got: impl Into<String>,
        mend: impl Into<String>,
    ) -> CheckFailure {
        CheckFailure::Wrong { expected: expected.into(), got: got.into(), mend: Some(mend.into()) }
    }

    /// It does not apply.
    pub(super) fn skipped(why: impl Into<String>) -> CheckFailure {
        CheckFailure::Skipped(why.into())
    }
}

/// What is told of a failure.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// The last lines the engine was sent.
    pub sent: Vec<String>,
    /// What it should have said or done.
    pub expected: String,
    /// What it has said or done.
    pub got: Vec<String>,
    /// What to do about it, the likeliest first; at least one.
    pub mend: Vec<String>,
    /// The end of what it wrote to standard error, where that may say more.
    pub stderr: String,
}

/// How a check has ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum Verdict {
    /// The engine does what it should.
    Passed {
        /// What was seen, possibly nothing worth a word.
        seen: String,
    },
    /// It does not.
    Failed {
        /// The whole story.
        finding: Finding,
    },
    /// The check does not apply, and counts for nothing.
    Skipped {
        /// Why.
        why: String,
    },
}
