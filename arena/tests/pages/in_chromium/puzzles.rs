//! Puzzles, solved and failed by clicks.

use fanorona_protocol::rules::{Move, Position, Ruleset, Side};
use serde_json::{Value, json};

use super::by_hand::{Way, moves_are_offered, stones_are_shown};
use super::{choose, click_button, nothing_is_wrong, open, said, text, texts};
use crate::devtools::Browser;
use crate::pages::serve;
use crate::pages::server::Server;

/// The puzzles of the program, with their solutions.
const PUZZLES: &str = include_str!("../../../pages/src/puzzles.jsonl");

/// The puzzle that the page asks for after these puzzles.
fn next(server: &Server, rating: &Value, seen: &[&str]) -> Value {
    let view = server.post("/api/puzzles/next", &json!({ "rating": rating, "seen": seen })).json();
    puzzle_of(&view["id"])
}

/// What the browser keeps of the user's puzzles.
pub(super) fn record(browser: &mut Browser) -> Value {
    browser.value("JSON.parse(localStorage.getItem('puzzles') ?? 'null')")
}

pub(super) fn verdict(browser: &mut Browser, expected: &str) {
    browser.until("document.querySelector('.verdict').textContent", &json!(expected));
}

/// Plays the first right moves of a puzzle that is shown, to its end. `texts` are the page's.
pub(super) fn solve(browser: &mut Browser, puzzle: &Value, texts: &Value) {
    let rules = Ruleset::default();
    let mut position: Position = puzzle["fen"].as_str().unwrap().parse().unwrap();
    let mut node = &puzzle["solution"];
    let mut solved = false;
    while !solved {
        moves_are_offered(browser);
        stones_are_shown(browser, &position);
        let answer = &node[0];
        let mv: Move = answer["moves"][0].as_str().unwrap().parse().unwrap();
        Way::of(&position, &rules, &mv).make(browser);
        position = position.play(&rules, &mv).unwrap();
        solved = answer["reply"].is_null();
        if !solved {
            // The reply is played on the board, and the next move is wanted.
            let reply: Move = answer["reply"].as_str().unwrap().parse().unwrap();
            position = position.play(&rules, &reply).unwrap();
            verdict(browser, said(texts, "puzzles.right"));
            let count = position.board().stones(position.side_to_move()).len()
                + position.board().stones(!position.side_to_move()).len();
            browser.until("document.querySelectorAll('.desk .stone').length", &json!(count));
            node = &answer["then"];
        }
    }
}

/// What a page asks to find in a puzzle.
pub(super) fn task(puzzle: &Value, texts: &Value) -> String {
    let position: Position = puzzle["fen"].as_str().unwrap().parse().unwrap();
    let mover = position.side_to_move();
    let side = if mover == Side::White { "w" } else { "b" };
    let Some(plies) = puzzle["plies"].as_u64() else {
        return said(texts, &format!("puzzle.task.only.{side}")).to_owned();
    };
    let [own, other] = [mover, !mover].map(|side| position.board().count(side).to_string());
    let words = said(texts, &format!("puzzle.task.wins.{side}"));
    let words = words.replace("{plies}", &plies.to_string());
    words.replace("{own}", &own).replace("{other}", &other)
}

/// The puzzle of this name.
pub(super) fn puzzle_of(id: &Value) -> Value {
    let mut puzzles = PUZZLES.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    puzzles.find(|puzzle| puzzle["id"] == *id).expect("the puzzle is in the file")
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
    solve(&mut browser, &puzzle, &texts("en"));
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
    let task = task(&other, &texts("en"));
    browser.until("document.querySelector('.puzzle-title').textContent", &json!(task));
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
    let shown = text(&mut browser, ".verdict");
    assert!(right.iter().any(|mv| shown.contains(mv)), "{shown}: {right:?}");
    browser.until("document.querySelector('.puzzle button')?.textContent", &json!("Next puzzle"));
    assert_eq!(record(&mut browser)["failed"], 1);
    nothing_is_wrong(&mut browser, &server);
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn the_day_has_its_puzzle_themes_can_be_chosen_and_a_failed_one_comes_again() {
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    let facts = "document.querySelector('.puzzle .soft')?.textContent ?? ''";
    open(&mut browser, &server, "/puzzles#day");
    let date = browser.value("new Date().toISOString().slice(0, 10)");
    let number = browser.value("Math.floor(Date.now() / 864e5)");
    let day = server.post("/api/puzzles/day", &json!({ "day": number })).json();
    browser.until(&format!("({facts}).startsWith('Puzzle of the day, ')"), &json!(true));
    solve(&mut browser, &puzzle_of(&day["id"]), &texts("en"));
    browser.until("document.querySelector('.puzzle button')?.textContent", &json!("Next puzzle"));
    let first = record(&mut browser);
    assert_eq!((&first["days"], &first["seen"]), (&json!([date]), &json!([day["id"]])));
    assert!(text(&mut browser, ".own-rating").contains("1 day in a row"));
    assert!(first["deviation"].as_u64() < Some(350), "{first}");
    // Its themes are told once it is over.
    let themes = browser
        .value("[...document.querySelectorAll('.puzzle .theme')].map((theme) => theme.hash)");
    let words = day["themes"].as_array().unwrap().iter();
    let words: Vec<String> =
        words.map(|word| format!("#theme={}", word.as_str().unwrap())).collect();
    assert_eq!(themes, json!(words));

    // A theme: its puzzles come next.
    choose(&mut browser, "Theme", "choice");
    let wish = json!({ "rating": first["rating"], "seen": first["seen"], "theme": "choice" });
    let chosen = server.post("/api/puzzles/next", &wish).json();
    assert!(chosen["themes"].as_array().unwrap().contains(&json!("choice")), "{chosen}");
    browser.until(&format!("({facts}).includes('one of')"), &json!(true));
    assert_eq!(browser.value("location.hash"), "#theme=choice");
    let puzzle = puzzle_of(&chosen["id"]);
    let position: Position = chosen["fen"].as_str().unwrap().parse().unwrap();
    moves_are_offered(&mut browser);
    stones_are_shown(&mut browser, &position);
    click_button(&mut browser, "Show the solution");
    browser.until("document.querySelector('.puzzle button')?.textContent", &json!("Next puzzle"));
    let failed = record(&mut browser);
    assert_eq!(
        (&failed["failed"], &failed["history"][1]["outcome"]),
        (&json!(1), &json!("failed"))
    );
    let lost = first["rating"].as_i64().unwrap() - failed["rating"].as_i64().unwrap();
    assert!(lost > 0, "{first} {failed}");

    // Another one, and then the failed one again: solved, it changes the history and no rating.
    click_button(&mut browser, "Next puzzle");
    moves_are_offered(&mut browser);
    browser.value("[...document.querySelectorAll('.own-rating a.button')][0].click()");
    browser.until(&format!("({facts}).includes('tried before')"), &json!(true));
    assert_eq!(browser.value("location.hash"), format!("#id={}", chosen["id"].as_str().unwrap()));
    solve(&mut browser, &puzzle, &texts("en"));
    browser.until("document.querySelector('.puzzle button')?.textContent", &json!("Next puzzle"));
    let again = record(&mut browser);
    assert_eq!(again["history"][1]["outcome"], "solved");
    for same in ["rating", "deviation", "solved", "failed", "streak"] {
        assert_eq!(again[same], failed[same], "{same}");
    }
    nothing_is_wrong(&mut browser, &server);
}
