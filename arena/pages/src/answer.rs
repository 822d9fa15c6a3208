//! The addresses whose answers follow from the question alone. A server answers them over HTTP, and a
//! page without a server asks this function, compiled for the browser.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::refusal::Refusal;
use super::{Puzzles, choices, game_files, positions, proven, review, session, skill};

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// JSON.
    Json(String),
    /// A text for people, such as a game in FGN.
    Text(String),
}

/// Answers as JSON, by their addresses, each with its question if it has one.
pub type Lists = BTreeMap<String, Value>;

/// The addresses that [`answer`] answers.
pub const ADDRESSES: &[&str] = &[
    "/api/rules",
    "/api/boards",
    "/api/rule-switches",
    "/api/session",
    "/api/levels",
    "/api/puzzles/next",
    "/api/puzzles/one",
    "/api/puzzles/day",
    "/api/puzzles/themes",
    "/api/puzzles/try",
    "/api/fgn/read",
    "/api/fgn/write",
    "/api/chance",
    "/api/judge",
    "/api/accuracy",
    "/api/values",
    "/api/solved",
];

/// The answer to a question; `None` if this address is answered elsewhere. `body` is JSON, and empty
/// where there is nothing to ask; `puzzles` are those that the pages have.
///
/// # Errors
/// Returns a refusal if the question is invalid or names what does not exist.
pub fn answer(path: &str, body: &[u8], puzzles: &Puzzles) -> Option<Result<Answer, Refusal>> {
    Some(match path {
        "/api/rules" => ask(body, |game| positions::position(&game)),
        "/api/boards" => Ok(json(&choices::boards())),
        "/api/rule-switches" => Ok(json(choices::switches())),
        "/api/levels" => Ok(json(&skill::LADDER)),
        "/api/session" => ask(body, |played| session::session(&played)),
        "/api/puzzles/next" => ask(body, |wish| puzzles.next(&wish)),
        "/api/puzzles/one" => ask(body, |wish| puzzles.one(&wish)),
        "/api/puzzles/day" => ask(body, |wish| puzzles.day(&wish)),
        "/api/puzzles/themes" => Ok(json(&puzzles.themes())),
        "/api/puzzles/try" => ask(body, |attempt| puzzles.attempt(&attempt)),
        "/api/fgn/read" => ask(body, |text| game_files::read(&text)),
        "/api/fgn/write" => {
            question(body).and_then(|game| Ok(Answer::Text(game_files::write(game)?)))
        }
        "/api/chance" => Ok(json(&review::scale())),
        "/api/judge" => ask(body, |asked| review::judge(&asked)),
        "/api/accuracy" => ask(body, |asked| Ok(review::accuracy(&asked))),
        "/api/values" => ask(body, |asked| review::values(&asked)),
        "/api/solved" => Ok(json(&proven::solved())),
        _ => return None,
    })
}

fn question<Q: DeserializeOwned>(body: &[u8]) -> Result<Q, Refusal> {
    let why =
        |why: serde_json::Error| Refusal::invalid(format!("the question cannot be read: {why}"));
    serde_json::from_slice(body).map_err(why)
}

fn json(value: &(impl Serialize + ?Sized)) -> Answer {
    Answer::Json(serde_json::to_string(value).expect("views have only text keys"))
}

/// Answers a question, given as JSON, by a function.
///
/// # Errors
/// Returns a refusal if the question cannot be read, and that of the function.
pub fn ask<Q: DeserializeOwned, A: Serialize>(
    body: &[u8],
    of: impl FnOnce(Q) -> Result<A, Refusal>,
) -> Result<Answer, Refusal> {
    Ok(json(&of(question(body)?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_that_cannot_be_read_is_refused() {
        let none = &Puzzles::default();
        let refusal = answer("/api/rules", b"{\"start\": 1}", none).unwrap().unwrap_err();
        assert!(refusal.error.starts_with("the question cannot be read"), "{refusal:?}");
        assert!(answer("/api/engine", b"{}", none).is_none());
        assert!(ADDRESSES.iter().all(|path| answer(path, b"{}", none).is_some()));
    }
}
