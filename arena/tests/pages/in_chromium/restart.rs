//! Pages whose server ends, or begins again.

use fanorona_protocol::rules::{BoardSize, Ruleset, Start};
use serde_json::json;

use super::by_hand::{Way, moves_are_offered};
use super::{begin_game, by_click, click_button, open, open_filled};
use crate::devtools::Browser;
use crate::pages::server::Server;
use crate::pages::{bots, serve};

/// What the page says of its server; empty if nothing is wrong.
const SAID: &str = "(() => {
    const said = document.querySelector('.lost');
    return said && !said.hidden && said.checkVisibility() ? said.textContent : '';
})()";

fn says(browser: &mut Browser, part: &str) {
    browser.until(&format!("({SAID}).includes({part:?})"), &json!(true));
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn every_page_says_that_its_server_is_gone() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    let mut browser = Browser::start(&dir.path().join("profile"));
    for path in ["/", "/play", "/analyse", "/explorer", "/puzzles"] {
        let server = serve(dir.path());
        open_filled(&mut browser, &server, path);
        assert_eq!(browser.value(SAID), "", "{path}");
        server.kill();
        says(&mut browser, "does not answer");
    }
}

/// The moves of the game as the page keeps it.
const MOVES: &str = "JSON.parse(sessionStorage.getItem('play')).moves.length";

/// A game goes on without a click once the browser has been let in by the new server, which has none of
/// the old one's engines.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_game_goes_on_with_a_server_that_was_restarted() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    let mut browser = Browser::start(&dir.path().join("profile"));
    let server = serve(dir.path());
    begin_game(&mut browser, &server, by_click);
    moves_are_offered(&mut browser);
    let host = server.host.clone();
    server.kill();
    says(&mut browser, "does not answer");
    let server = Server::start(dir.path(), &["serve", "--listen", &host]);
    says(&mut browser, "Open the address that it printed");
    browser.window(&server.address("/"));
    browser.until(SAID, &json!(""));
    browser.until("document.querySelector('#app .error')?.textContent ?? ''", &json!(""));
    assert_eq!(browser.value(MOVES), 0);
    // The engine answers a move.
    let (rules, start) = (Ruleset::default(), Start::Usual(BoardSize::DIMY).riatra());
    Way::of(&start, &rules, &start.legal_moves(&rules)[0]).make(&mut browser);
    browser.until(&format!("{MOVES} >= 2"), &json!(true));
    assert_eq!(browser.value(SAID), "");
    nothing_is_wrong_but_the_lost_server(&mut browser);
    // A page of the new server is as usual, and a reload goes on with the game.
    open(&mut browser, &server, "/");
    browser.until("document.querySelector('h1') !== null", &json!(true));
    open(&mut browser, &server, "/play");
    moves_are_offered(&mut browser);
    browser.until(&format!("{MOVES} >= 2"), &json!(true));
}

/// No value in the text of the page that is none; requests to the lost server have failed, as they must.
fn nothing_is_wrong_but_the_lost_server(browser: &mut Browser) {
    let none =
        "document.querySelector('#app').innerText.match(/.*(\\[object|undefined|NaN).*/g) ?? []";
    assert_eq!(browser.value(none), json!([]));
}

/// A game that a closed window left behind waits for the next visit.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn an_unfinished_game_waits_for_the_next_visit() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    let mut browser = Browser::start(&dir.path().join("profile"));
    let server = serve(dir.path());
    begin_game(&mut browser, &server, by_click);
    moves_are_offered(&mut browser);
    let (rules, start) = (Ruleset::default(), Start::Usual(BoardSize::DIMY).riatra());
    Way::of(&start, &rules, &start.legal_moves(&rules)[0]).make(&mut browser);
    browser.until(&format!("{MOVES} >= 2"), &json!(true));
    // A new window has the browser's storage, but nothing of the old window's own.
    open(&mut browser, &server, "/puzzles");
    browser.value("sessionStorage.clear()");
    open(&mut browser, &server, "/play");
    browser.until("document.querySelector('.resume') !== null", &json!(true));
    assert!(super::text(&mut browser, ".resume").contains("bot-greedy"));
    click_button(&mut browser, "Go on with it");
    moves_are_offered(&mut browser);
    browser.until(&format!("{MOVES} >= 2"), &json!(true));
}
