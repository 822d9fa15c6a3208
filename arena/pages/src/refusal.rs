//! Why a page's question has no answer.

use std::collections::BTreeMap;
use std::fmt::Display;

use fanorona_protocol::rules::{IllegalMove, Move, ParseMoveError, Point, SetupError, SetupErrors};
use fanorona_tournament::notation::fgn::{FgnError, FgnProblem};
use serde::Serialize;

/// The kind of a refusal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefusalKind {
    /// The question is invalid.
    Invalid,
    /// The question names something that does not exist.
    Missing,
}

/// Why a question has no answer, and what the user can do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Refusal {
    /// The kind of the refusal.
    #[serde(skip)]
    pub kind: RefusalKind,
    /// The error.
    pub error: String,
    /// The user's remedy, if there is one.
    pub help: Option<String>,
    /// The same for a page in another language; `null` where the text in English has to do.
    pub said: Option<RefusalCode>,
}

/// The code of an error with its values: a page makes a sentence of it in its language
/// (`refused.CODE` among its texts).
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RefusalCode {
    pub(crate) code: &'static str,
    #[serde(flatten)]
    pub(crate) values: BTreeMap<&'static str, String>,
}

impl RefusalCode {
    /// A code with its values.
    pub fn new<'v>(
        code: &'static str,
        values: impl IntoIterator<Item = (&'static str, &'v dyn Display)>,
    ) -> RefusalCode {
        let values = values.into_iter().map(|(name, value)| (name, value.to_string()));
        RefusalCode { code, values: values.collect() }
    }
}

impl From<&SetupError> for RefusalCode {
    fn from(error: &SetupError) -> RefusalCode {
        match error {
            SetupError::Empty => RefusalCode::new("fen-empty", []),
            SetupError::Stone { row, found, .. } => {
                RefusalCode::new("fen-stone", [("row", row as _), ("found", found as _)])
            }
            SetupError::Ragged { row, found, expected, .. } => RefusalCode::new(
                "fen-ragged",
                [("row", row as _), ("found", found as _), ("expected", expected as _)],
            ),
            SetupError::Size { columns, rows } => {
                RefusalCode::new("fen-size", [("columns", columns as _), ("rows", rows as _)])
            }
            SetupError::NoStone => RefusalCode::new("fen-no-stone", []),
            SetupError::SideMissing => RefusalCode::new("fen-side-missing", []),
            SetupError::Side(found) => RefusalCode::new("fen-side", [("found", found as _)]),
            SetupError::Debtor(found) => RefusalCode::new("fen-debtor", [("found", found as _)]),
            SetupError::Quiet(found) => RefusalCode::new("fen-quiet", [("found", found as _)]),
            SetupError::FullMove(found) => {
                RefusalCode::new("fen-full-move", [("found", found as _)])
            }
            SetupError::Trailing(found) => {
                RefusalCode::new("fen-trailing", [("found", found as _)])
            }
        }
    }
}

impl From<&FgnError> for RefusalCode {
    fn from(FgnError { line, problem }: &FgnError) -> RefusalCode {
        let at: (_, &dyn Display) = ("line", line);
        match problem {
            FgnProblem::Unreadable(_) => RefusalCode::new("fgn-unreadable", [at]),
            FgnProblem::NotText => RefusalCode::new("fgn-not-text", [at]),
            FgnProblem::TooLong { what, most } => match *what {
                "line" => RefusalCode::new("fgn-long-line", [at, ("most", most)]),
                _ => RefusalCode::new("fgn-long-game", [at, ("most", most)]),
            },
            FgnProblem::Tag(found) => RefusalCode::new("fgn-tag", [at, ("found", found)]),
            FgnProblem::Value { name, found, .. } => {
                RefusalCode::new("fgn-value", [at, ("tag", name), ("found", found)])
            }
            FgnProblem::Missing(name) => RefusalCode::new("fgn-missing", [at, ("tag", name)]),
            FgnProblem::Move { number, found, .. } => {
                RefusalCode::new("fgn-move", [at, ("number", number), ("found", found)])
            }
            FgnProblem::NoResult(begin) => {
                RefusalCode::new("fgn-no-result", [("line", begin as _)])
            }
            FgnProblem::Nesting => RefusalCode::new("fgn-nesting", [at]),
            FgnProblem::AfterResult(found) => {
                RefusalCode::new("fgn-after-result", [at, ("found", found)])
            }
        }
    }
}

/// Why a move is not legal, as a code with its points.
fn illegal(why: &IllegalMove) -> (&'static str, Vec<&Point>) {
    match why {
        IllegalMove::OutsideBoard(at, _) => ("outside", vec![at]),
        IllegalMove::NotOwnStone(at, _) => ("no-stone", vec![at]),
        IllegalMove::NoLine(from, to) => ("no-line", vec![from, to]),
        IllegalMove::Occupied(at) => ("occupied", vec![at]),
        IllegalMove::MustCapture => ("must-capture", vec![]),
        IllegalMove::NothingToApproach(from, to) => ("no-approach", vec![from, to]),
        IllegalMove::NothingToWithdrawFrom(from, to) => ("no-withdrawal", vec![from, to]),
        IllegalMove::Revisited(at) => ("revisited", vec![at]),
        IllegalMove::SameDirection(at) => ("same-direction", vec![at]),
        IllegalMove::MustContinue => ("must-continue", vec![]),
        IllegalMove::SingleStepOnly => ("single-step", vec![]),
        IllegalMove::DebtorSingleStepOnly => ("debtor-single-step", vec![]),
        IllegalMove::DebtorStarved => ("debtor-starved", vec![]),
        IllegalMove::CreditorMayNotCapture => ("creditor-captures", vec![]),
        IllegalMove::MustOffer => ("must-offer", vec![]),
        _ => ("other", vec![]),
    }
}

impl Refusal {
    /// A text cannot be read as a file of games.
    pub fn from_games(error: &FgnError) -> Refusal {
        Refusal { said: Some(RefusalCode::from(error)), ..Refusal::invalid(error) }
    }

    /// A word that should be a move cannot be read as one.
    pub fn from_word(number: usize, word: &str, error: &ParseMoveError) -> Refusal {
        let refusal = Refusal::invalid(format!("move {number}: `{word}`: {error}"));
        refusal.said("not-a-move", [("number", &number as _), ("found", &word as _)])
    }

    /// The rules forbid a move; `detail` says why in English.
    pub fn from_move(number: usize, mv: &Move, why: &IllegalMove, detail: &str) -> Refusal {
        let (code, points) = illegal(why);
        let mut values: Vec<(&str, &dyn Display)> =
            vec![("number", &number), ("move", mv), ("why", &code)];
        values.extend(["from", "to"].into_iter().zip(points.into_iter().map(|it| it as _)));
        Refusal::invalid(format!("move {number}: {detail}")).said("illegal", values)
    }

    /// The question is invalid.
    pub fn invalid(error: impl ToString) -> Refusal {
        Refusal { kind: RefusalKind::Invalid, error: error.to_string(), help: None, said: None }
    }

    /// Refuses a question that names something that does not exist.
    pub fn missing(error: impl ToString) -> Refusal {
        Refusal { kind: RefusalKind::Missing, error: error.to_string(), help: None, said: None }
    }

    /// The position `fen` is written wrongly. The first error is said in every language.
    pub fn from_position(fen: &str, errors: &SetupErrors) -> Refusal {
        let refusal = Refusal::invalid(format!("`{fen}`: {errors}"));
        Refusal { said: errors.0.first().map(RefusalCode::from), ..refusal }
    }

    /// Adds what a page says in another language.
    pub fn said<'v>(
        self,
        code: &'static str,
        values: impl IntoIterator<Item = (&'static str, &'v dyn Display)>,
    ) -> Refusal {
        Refusal { said: Some(RefusalCode::new(code, values)), ..self }
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

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_tournament::notation::fgn;

    /// Returns the code of the error in a text of games.
    fn code_of(text: &[u8]) -> &'static str {
        let error = fgn::Reader::new(text).find_map(Result::err).expect("it is wrong");
        let refusal = Refusal::from_games(&error);
        assert_eq!(refusal.error, error.to_string());
        let said = refusal.said.expect("every error has a code");
        let texts = fanorona_report::messages::read(crate::texts("fr.json").unwrap());
        assert!(texts.contains_key(&format!("refused.{}", said.code)), "{said:?}");
        said.code
    }

    #[test]
    fn each_error_of_a_file_of_games_has_its_code() {
        let tags = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n";
        for (text, code) in [
            ("[White a]\n".to_owned(), "fgn-tag"),
            (tags.replace("1-0", "2-0") + "1-0\n", "fgn-value"),
            (format!("{tags}e2e9\n1-0\n"), "fgn-move"),
            (format!("{tags}e2e3A\n\n{tags}"), "fgn-no-result"),
            (format!("{tags}1-0 e2e3A\n"), "fgn-after-result"),
            (format!("{tags}{}*\n", "(".repeat(200_000)), "fgn-nesting"),
            ("x".repeat(1 << 24), "fgn-long-line"),
        ] {
            assert_eq!(code_of(text.as_bytes()), code, "{}", &text[..text.len().min(100)]);
        }
        assert_eq!(code_of(b"[White \"\xff\"]\n"), "fgn-not-text");
    }

    #[test]
    fn an_illegal_move_is_named_with_its_reason() {
        use crate::answer::answer;
        let ask = |mv: &str| {
            let question = format!("{{\"start\":{{\"board\":\"tsivy\"}},\"moves\":[\"{mv}\"]}}");
            let none = crate::Puzzles::default();
            let said = answer("/api/rules", question.as_bytes(), &none);
            said.expect("it is an address").expect_err("the move is wrong").said.expect("a code")
        };
        let illegal = ask("e2e4");
        assert_eq!(illegal.code, "not-a-move");
        let illegal = ask("a2a3");
        assert_eq!((illegal.code, &*illegal.values["why"]), ("illegal", "occupied"));
        assert_eq!(illegal.values["from"], "a3");
    }
}
