//! Why a page's question has no answer.

use std::collections::BTreeMap;

use fanorona_protocol::rules::{SetupError, SetupErrors};
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
    /// The same for a page in another language; `null` where the text in English has to do.
    pub said: Option<Said>,
}

/// What is wrong as a code with its values: a page makes a sentence of it in its language
/// (`refused.CODE` among its texts).
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Said {
    code: &'static str,
    #[serde(flatten)]
    values: BTreeMap<&'static str, String>,
}

impl Said {
    /// A code with its values.
    pub fn new<'v>(
        code: &'static str,
        values: impl IntoIterator<Item = (&'static str, &'v dyn std::fmt::Display)>,
    ) -> Said {
        let values = values.into_iter().map(|(name, value)| (name, value.to_string()));
        Said { code, values: values.collect() }
    }
}

impl From<&SetupError> for Said {
    fn from(error: &SetupError) -> Said {
        match error {
            SetupError::Empty => Said::new("fen-empty", []),
            SetupError::Stone { row, found, .. } => {
                Said::new("fen-stone", [("row", row as _), ("found", found as _)])
            }
            SetupError::Ragged { row, found, expected, .. } => Said::new(
                "fen-ragged",
                [("row", row as _), ("found", found as _), ("expected", expected as _)],
            ),
            SetupError::Size { columns, rows } => {
                Said::new("fen-size", [("columns", columns as _), ("rows", rows as _)])
            }
            SetupError::NoStone => Said::new("fen-no-stone", []),
            SetupError::SideMissing => Said::new("fen-side-missing", []),
            SetupError::Side(found) => Said::new("fen-side", [("found", found as _)]),
            SetupError::Debtor(found) => Said::new("fen-debtor", [("found", found as _)]),
            SetupError::Quiet(found) => Said::new("fen-quiet", [("found", found as _)]),
            SetupError::FullMove(found) => Said::new("fen-full-move", [("found", found as _)]),
            SetupError::Trailing(found) => Said::new("fen-trailing", [("found", found as _)]),
        }
    }
}

impl Refusal {
    /// The question is invalid.
    pub fn invalid(error: impl ToString) -> Refusal {
        Refusal { kind: RefusalKind::Invalid, error: error.to_string(), help: None, said: None }
    }

    /// What the question names does not exist.
    pub fn missing(error: impl ToString) -> Refusal {
        Refusal { kind: RefusalKind::Missing, error: error.to_string(), help: None, said: None }
    }

    /// The position `fen` is written wrongly. The first error is said in every language.
    pub fn of_position(fen: &str, errors: &SetupErrors) -> Refusal {
        let refusal = Refusal::invalid(format!("`{fen}`: {errors}"));
        Refusal { said: errors.0.first().map(Said::from), ..refusal }
    }

    /// Adds what a page says in another language.
    pub fn said<'v>(
        self,
        code: &'static str,
        values: impl IntoIterator<Item = (&'static str, &'v dyn std::fmt::Display)>,
    ) -> Refusal {
        Refusal { said: Some(Said::new(code, values)), ..self }
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
