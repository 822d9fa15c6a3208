//! Puzzles, solved and failed by clicks.

use fanorona_protocol::rules::{Move, Position, Ruleset};
use serde_json::{Value, json};

use super::by_hand::{Way, moves_are_offered, stones_are_shown};
use super::{click_button, nothing_is_wrong, open};
use crate::devtools::Browser;
use crate::pages::serve;
use crate::pages::server::Server;

/// The puzzles of the program, with their solutions.
const PUZZLES: &str = include_str!("../../../pages/src/puzzles.jsonl");

/// The puzzle that the page asks for after these puzzles.
fn next(server: &Server, rating: &Value, seen: &[&str]) -> Value {
    let view = server.post("/api/puzzles/next", &json!({ "rating": rating, "seen": seen })).json();
    let mut puzzles = PUZZLES.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    puzzles.find(|puzzle| puzzle["id"] == view["id"]).expect("the puzzle is in the file")
}

/// What the browser keeps of the user's puzzles.
fn record(browser: &mut Browser) -> Value {
    browser.value("JSON.parse(localStorage.getItem('puzzles') ?? 'null')")
}

fn verdict(browser: &mut Browser, expected: &str) {
    browser.until("document.querySelector('.verdict').textContent", &json!(expected));
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_puzzle_is_solved_and_another_one_failed() {
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    let rules = Ruleset::default();
    open(&mut browser, &server, "/puzzles");

    let puzzle = next(&server, &json!(1200), &[]);
    let mut position: Position = puzzle["fen"].as_str().unwrap().parse().unwrap();
    let mut node = &puzzle["solution"];
    let mut solved = false;
    while !solved {
        moves_are_offered(&mut browser);
        stones_are_shown(&mut browser, &position);
        let answer = &node[0];
        let mv: Move = answer["moves"][0].as_str().unwrap().parse().unwrap();
        Way::of(&position, &rules, &mv).make(&mut browser);
        position = position.play(&rules, &mv).unwrap();
        solved = answer["reply"].is_null();
        if !solved {
            // The reply is played on the board, and the next move is wanted.
            let reply: Move = answer["reply"].as_str().unwrap().parse().unwrap();
            position = position.play(&rules, &reply).unwrap();
            verdict(&mut browser, "Right. Go on.");
            let count = position.board().stones(position.side_to_move()).len()
                + position.board().stones(!position.side_to_move()).len();
            browser.until("document.querySelectorAll('.desk .stone').length", &json!(count));
            node = &answer["then"];
        }
    }
    verdict(&mut browser, "Solved.");
    browser.until("JSON.parse(localStorage.getItem('puzzles') ?? 'null')?.solved ?? 0", &json!(1));
    let first = record(&mut browser);
    assert!(first["rating"].as_u64() > Some(1200), "{first}");
    assert_eq!((&first["failed"], &first["streak"]), (&json!(0), &json!(1)));

    // A legal move that begins no solution.
    let other = next(&server, &first["rating"], &[puzzle["id"].as_str().unwrap()]);
    assert_ne!(other["id"], puzzle["id"]);
    let position: Position = other["fen"].as_str().unwrap().parse().unwrap();
    browser.until("document.querySelector('.puzzle button')?.textContent", &json!("Next puzzle"));
    click_button(&mut browser, "Next puzzle");
    browser.until("document.querySelector('.puzzle-title').textContent", &other["title"]);
    moves_are_offered(&mut browser);
    browser.until("document.querySelector('.verdict').textContent", &json!("Your move."));
    stones_are_shown(&mut browser, &position);
    let right: Vec<&str> = other["solution"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|answer| answer["moves"].as_array().unwrap())
        .map(|mv| mv.as_str().unwrap())
        .collect();
    let legal = position.legal_moves(&rules);
    let wrong = legal.iter().find(|mv| !right.contains(&&*mv.to_string())).expect("a wrong move");
    Way::of(&position, &rules, wrong).make(&mut browser);
    verdict(&mut browser, "There is a better move.");
    let failed = record(&mut browser);
    assert_eq!(
        (&failed["solved"], &failed["failed"], &failed["streak"]),
        (&json!(1), &json!(1), &json!(0))
    );
    assert!(failed["rating"].as_u64() < first["rating"].as_u64(), "{first} {failed}");
    // The position comes back, and the solution can be seen.
    moves_are_offered(&mut browser);
    stones_are_shown(&mut browser, &position);
    click_button(&mut browser, "Show the solution");
    browser.until(
        "document.querySelector('.verdict').textContent.startsWith('The solution: ')",
        &json!(true),
    );
    let shown = super::text(&mut browser, ".verdict");
    assert!(right.iter().any(|mv| shown.contains(mv)), "{shown}: {right:?}");
    browser.until("document.querySelector('.puzzle button')?.textContent", &json!("Next puzzle"));
    assert_eq!(record(&mut browser)["failed"], 1);
    nothing_is_wrong(&mut browser, &server);
}
