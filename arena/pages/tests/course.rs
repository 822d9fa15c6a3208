//! The course (`src/script/course.json`): every step can be done, by the rules.

use std::collections::BTreeSet;

use fanorona_pages::{Answer, Puzzles, answer};
use serde_json::{Value, json};

const COURSE: &str = include_str!("../src/script/course.json");

/// What the rules say of a position after some moves.
fn ask(start: &Value, moves: &[String]) -> Value {
    let question = json!({ "start": { "fen": start }, "moves": moves });
    let question = question.to_string();
    let said = answer("/api/rules", question.as_bytes(), &Puzzles::default());
    let said = said.expect("it is an address");
    match said.unwrap_or_else(|why| panic!("{start} {moves:?}: {why:?}")) {
        Answer::Json(text) => serde_json::from_str(&text).unwrap(),
        Answer::Text(text) => panic!("{text}"),
    }
}

fn texts(list: &Value) -> Vec<String> {
    let texts = list.as_array().into_iter().flatten();
    texts.map(|text| text.as_str().expect("a move").to_owned()).collect()
}

/// Follows every branch of a solution to its end, where the side that moved has won.
fn follow(start: &Value, moves: &[String], solution: &Value) {
    let before = ask(start, moves);
    let legal = before["legal"].as_array().unwrap();
    let offered: Vec<&str> = legal.iter().filter_map(|mv| mv["text"].as_str()).collect();
    for node in solution.as_array().expect("a solution is a list") {
        for own in texts(&node["moves"]) {
            assert!(offered.contains(&&*own), "{start} {moves:?}: {own}");
            let mut line = [moves, &[own]].concat();
            match node["reply"].as_str() {
                Some(reply) => {
                    line.push(reply.to_owned());
                    follow(start, &line, &node["then"]);
                }
                None => {
                    let over = &ask(start, &line)["over"];
                    let won = if before["side"] == "w" { "1-0" } else { "0-1" };
                    assert_eq!(over["result"], won, "{start} {line:?}");
                }
            }
        }
    }
}

/// Whether a legal move reaches a goal (`learn_goal.js`), other than by a solution.
fn reaches(start: &Value, goal: &Value, mv: &Value) -> bool {
    let steps = mv["steps"].as_array().unwrap();
    let taken: usize = steps.iter().map(|step| step["captured"].as_array().unwrap().len()).sum();
    let text = mv["text"].as_str().unwrap().to_owned();
    taken >= goal["takes"].as_u64().unwrap_or(0) as usize
        && goal["way"].as_str().is_none_or(|way| steps[0]["mark"] == way)
        && (goal["moves"].is_null() || texts(&goal["moves"]).contains(&text))
        && (goal["stays"].is_null() || ask(start, &[text])["over"].is_null())
}

#[test]
fn every_step_can_be_done() {
    let course: Value = serde_json::from_str(COURSE).unwrap();
    let known = BTreeSet::from(["takes", "way", "moves", "stays", "solution"]);
    for lesson in course.as_array().unwrap() {
        for step in lesson["steps"].as_array().unwrap() {
            let (start, goal) = (&step["start"], &step["goal"]);
            assert!(goal.as_object().unwrap().keys().all(|key| known.contains(&**key)), "{step}");
            let position = ask(start, &[]);
            let legal = position["legal"].as_array().unwrap();
            match goal["solution"].is_null() {
                true => assert!(legal.iter().any(|mv| reaches(start, goal, mv)), "{step}"),
                false => follow(start, &[], &goal["solution"]),
            }
        }
    }
}

#[test]
fn every_step_has_its_texts() {
    let course: Value = serde_json::from_str(COURSE).unwrap();
    let texts: Value = serde_json::from_str(fanorona_pages::texts("en.json").unwrap()).unwrap();
    let mut wanted = 0;
    for lesson in course.as_array().unwrap() {
        let id = lesson["id"].as_str().unwrap();
        assert!(texts[format!("learn.{id}.title")].is_string(), "{id}");
        for number in 1..=lesson["steps"].as_array().unwrap().len() {
            for part in ["task", "done"] {
                assert!(texts[format!("learn.{id}.{number}.{part}")].is_string(), "{id}.{number}");
                wanted += 1;
            }
        }
    }
    let is_of_a_step = |key: &&String| {
        key.matches('.').count() == 3 && (key.ends_with(".task") || key.ends_with(".done"))
    };
    assert_eq!(texts.as_object().unwrap().keys().filter(is_of_a_step).count(), wanted);
}
