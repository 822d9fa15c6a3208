//! The first page and the course, in every language.

use fanorona_protocol::rules::{Move, Position, Ruleset};
use serde_json::json;

use super::by_hand::{Way, moves_are_offered};
use super::{choose_language, click, nothing_is_wrong, open, said, text, texts};
use crate::devtools::Browser;
use crate::pages::serve;

/// The first three lessons: each step with its position and a move that it accepts.
const STEPS: [(&str, &str, &str); 6] = [
    ("move.1", "8b/9/4W4/9/9 w", "e3f4"),
    ("move.2", "8b/9/3W5/9/9 w", "d3d4"),
    ("approach.1", "8b/9/2W1b4/9/9 w", "c3d3A"),
    ("approach.2", "8b/9/1W1bbb3/9/9 w", "b3c3A"),
    ("withdrawal.1", "8b/9/3bW4/9/9 w", "e3f3W"),
    ("withdrawal.2", "7b1/9/1bbbW4/9/9 w", "e3f3W"),
];

/// Makes a move in a position that the page shows.
pub(super) fn make(browser: &mut Browser, fen: &str, mv: &str) {
    let position: Position = fen.parse().unwrap();
    let mv: Move = mv.parse().unwrap();
    moves_are_offered(browser);
    Way::of(&position, &Ruleset::default(), &mv).make(browser);
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn three_lessons_are_done_from_home_in_every_language() {
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    let verdict = |browser: &mut Browser, expected: &str| {
        browser.until("document.querySelector('.verdict').textContent", &json!(expected));
    };
    for language in ["en", "fr", "mg"] {
        let texts = texts(language);
        let said = |key: &str| said(&texts, key).to_owned();
        open(&mut browser, &server, "/");
        browser.until("document.querySelector('.front .ways') !== null", &json!(true));
        choose_language(&mut browser, language);
        assert_eq!(text(&mut browser, ".front h1 + p"), said("home.what"));
        assert_eq!(text(&mut browser, ".bar nav [aria-current]"), said("page.home"));
        browser.value("localStorage.removeItem('learn')");
        click(&mut browser, ".ways a[href='/learn']");
        for (step, fen, right) in STEPS {
            browser.until("location.hash", &json!(format!("#{step}")));
            let task = said(&format!("learn.{step}.task"));
            browser.until("document.querySelector('.task')?.textContent", &json!(task));
            make(&mut browser, fen, right);
            verdict(&mut browser, &said(&format!("learn.{step}.done")));
            click(&mut browser, ".lesson .primary");
        }
        browser.until("location.hash", &json!("#choice.1"));
        assert_eq!(browser.value("JSON.parse(localStorage.getItem('learn')).length"), STEPS.len());
        // One way takes two stones, the other one: the second is not the task.
        let fen = "7b1/9/bW1bb4/9/9 w";
        make(&mut browser, fen, "b3c3W");
        verdict(&mut browser, &said("learn.wrong"));
        verdict(&mut browser, "");
        make(&mut browser, fen, "b3c3A");
        verdict(&mut browser, &said("learn.choice.1.done"));
        nothing_is_wrong(&mut browser, &server);
    }
}
