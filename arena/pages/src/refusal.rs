//! Why a page's question has no answer.

use serde::Serialize;

/// The kind of a refusal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefusalKind {
    /// The question is invalid.
    Invalid,
    /// What the question names does not exist.
    Missing,
}

/// Why a question has no answer, and what the user can do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Refusal {
    /// The kind of the refusal.
    #[serde(skip)]
    pub kind: RefusalKind,
    /// What is wrong.
    pub error: String,
    /// What the user can do about it, if anything.
    pub help: Option<String>,
}

impl Refusal {
    /// The question is invalid.
    pub fn invalid(error: impl ToString) -> Refusal {
        Refusal { kind: RefusalKind::Invalid, error: error.to_string(), help: None }
    }

    /// What the question names does not exist.
    pub fn missing(error: impl ToString) -> Refusal {
        Refusal { kind: RefusalKind::Missing, error: error.to_string(), help: None }
    }

    /// The refusal as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("texts are JSON")
    }

    /// Adds what the user can do.
    pub fn with_help(self, help: impl ToString) -> Refusal {
        Refusal { help: Some(help.to_string()), ..self }
    }
}
