//! The answers to the first questions of a page about the game: a stone can be moved before the rules have
//! come. The questions are those of the page's script, letter by letter; one that differs is asked as usual.

use serde_json::{Value, json};

use super::answer::Lists;
use super::{Answer, Puzzles, answer};

/// The course, as its page reads it.
const COURSE: &str = include_str!("script/course.json");

/// The first question of someone who has solved no puzzle (`NEWCOMER` in `glicko.js`).
const FIRST_PUZZLE: &str = r#"{"rating":1200,"seen":[],"theme":null}"#;

/// The start of a page with an empty board to study.
const USUAL: &str = r#"{"board":"tsivy","kind":"riatra"}"#;

/// The answers that a page has, by address and question.
pub(crate) fn of(page: &str) -> Lists {
    let mut answers = Lists::new();
    let mut ask = |path: &str, question: String| {
        let said = answer(path, question.as_bytes(), Puzzles::own());
        let Some(Ok(Answer::Json(said))) = said else {
            unreachable!("{path} {question}: {said:?}")
        };
        let said: Value = serde_json::from_str(&said).expect("it is JSON");
        answers.insert(format!("{path}{question}"), said.clone());
        said
    };
    match page {
        "learn" => {
            let course: Value = serde_json::from_str(COURSE).expect("it is JSON");
            let steps = course[0]["steps"].as_array().expect("a lesson has steps");
            for step in steps {
                ask("/api/rules", position(&fen(&step["start"]), "", &[]));
            }
        }
        "puzzles" => {
            let puzzle = ask("/api/puzzles/next", FIRST_PUZZLE.to_owned());
            let rules = puzzle["rules"].as_str().expect("a puzzle has rules");
            ask("/api/rules", position(&fen(&puzzle["fen"]), rules, &[]));
        }
        "analyse" => {
            let start = fen(&ask("/api/rules", position(USUAL, "", &[]))["start"]);
            let state = ask("/api/rules", position(&start, "", &[]));
            for mv in state["legal"].as_array().expect("a list") {
                ask("/api/rules", position(&start, "", &[&mv["text"]]));
            }
        }
        "explorer" => {
            ask("/api/rules", position(USUAL, "", &[]));
        }
        _ => {}
    }
    answers
}

/// A start by its notation.
fn fen(fen: &Value) -> String {
    json!({ "fen": fen }).to_string()
}

/// The question for a position.
fn position(start: &str, rules: &str, moves: &[&Value]) -> String {
    format!(r#"{{"start":{start},"rules":{},"moves":{}}}"#, json!(rules), json!(moves))
}
