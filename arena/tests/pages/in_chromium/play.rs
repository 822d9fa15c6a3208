//! Whole games against an engine, by clicks.

use fanorona_protocol::rules::{BoardSize, Game, Move, Position, Ruleset, Start};
use fanorona_tournament::record::replay;
use serde_json::{Value, json};

use super::by_hand::{Way, stones_are_shown};
use super::{begin_game, by_click, click_button, english, nothing_is_wrong, open, text};
use crate::devtools::Browser;
use crate::pages::server::Server;
use crate::pages::{bots, serve};

/// The game as the page keeps it for a reload.
fn kept(browser: &mut Browser) -> Value {
    browser.value("JSON.parse(sessionStorage.getItem('play'))")
}

/// The moves of the game as the page keeps it.
pub(super) fn moves_kept(browser: &mut Browser) -> Vec<Move> {
    let game = kept(browser);
    let moves = game["moves"].as_array().expect("a list");
    moves.iter().map(|mv| mv.as_str().unwrap().parse().unwrap()).collect()
}

/// Waits until the user is to move, or the game is over; returns whether it is over.
pub(super) fn wait_for_turn(browser: &mut Browser) -> bool {
    let state = "document.querySelector('.result:not([hidden]) h2') ? 'over'
        : document.querySelector('.status.yours') && document.querySelector('.stone.movable') ? 'yours'
        : 'wait'";
    browser.until(&format!("({state}) !== 'wait'"), &json!(true));
    browser.value(state) == "over"
}

/// What a game by clicks was made of.
#[derive(Default)]
struct Seen {
    /// Moves of several steps.
    chains: usize,
    /// Steps with a choice between approach and withdrawal.
    choices: usize,
}

/// Plays the game on the page to its end. Of the legal moves the one with the most choices is made,
/// of these the longest one.
fn play_to_the_end(browser: &mut Browser, seen: &mut Seen) -> Game {
    loop {
        let over = wait_for_turn(browser);
        let mut game = Game::new(Ruleset::default(), Start::Usual(BoardSize::DIMY).riatra());
        for mv in moves_kept(browser) {
            game.play(&mv).expect("every move of the game is legal");
        }
        stones_are_shown(browser, game.position());
        if over {
            return game;
        }
        let legal = game.legal_moves();
        let way = |mv: &Move| Way::of(game.position(), game.rules(), mv);
        let best = legal.iter().max_by_key(|mv| (way(mv).chosen(), mv.steps().len())).unwrap();
        let way = way(best);
        seen.chains += usize::from(best.steps().len() > 1);
        seen.choices += way.chosen();
        let before = game.moves().len();
        way.make(browser);
        browser.until(
            &format!("JSON.parse(sessionStorage.getItem('play')).moves.length > {before}"),
            &json!(true),
        );
        assert_eq!(moves_kept(browser)[before], *best);
    }
}

/// Every list of moves that the page sent, to the server or to the engine, is legal.
fn all_sent_moves_are_legal(browser: &Browser, played: &Game) {
    let mut longest = 0;
    let mut engine_heard = 0;
    for request in browser.sent() {
        let url = request["url"].as_str().unwrap();
        let Some(body) = request["postData"].as_str() else { continue };
        let moves: Vec<String> = if url.ends_with("/api/rules") {
            let body: Value = serde_json::from_str(body).unwrap();
            let moves = body["moves"].as_array().unwrap().iter();
            moves.map(|mv| mv.as_str().unwrap().to_owned()).collect()
        } else if url.ends_with("/lines") {
            let Some(line) = body.lines().find(|line| line.starts_with("position ")) else {
                continue;
            };
            engine_heard += 1;
            let (_, moves) = line.split_once(" moves ").unwrap_or_default();
            moves.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect()
        } else {
            continue;
        };
        let mut game = Game::new(*played.rules(), *played.start());
        for mv in &moves {
            let mv = mv.parse().unwrap_or_else(|why| panic!("{mv}: {why}"));
            game.play(&mv).unwrap_or_else(|why| panic!("{mv}: {why}"));
        }
        longest = longest.max(moves.len());
    }
    assert_eq!(longest, played.moves().len(), "the whole game was sent");
    assert!(engine_heard >= played.moves().len() / 2, "the engine was asked {engine_heard} times");
}

/// The page says in words how the game ended, and the rules agree.
fn the_result_is_shown(browser: &mut Browser, server: &Server, played: &Game) {
    let over = kept(browser)["over"].take();
    let (result, reason) = (over["result"].as_str().unwrap(), over["reason"].as_str().unwrap());
    let moves: Vec<String> = moves_kept(browser).iter().map(ToString::to_string).collect();
    let start = played.start().to_string();
    let (outcome, reason) = (result.parse().unwrap(), reason.parse().unwrap());
    replay(&Ruleset::default(), &start, &moves.join(" "), outcome, reason).unwrap();
    let words = match result {
        "1-0" => "You won",
        "0-1" => "You lost",
        _ => "Draw",
    };
    assert_eq!(text(browser, ".result h2"), words);
    let request = json!({ "start": { "fen": start }, "rules": "", "moves": moves });
    let said = server.post("/api/rules", &request).json();
    let over = &said["over"];
    let why = match over["of"].as_str() {
        Some(side) => format!("over.{}.{side}", over["reason"].as_str().unwrap()),
        None => format!("over.{}", over["reason"].as_str().unwrap()),
    };
    let whole = match result {
        "1-0" => "over.wins.w",
        "0-1" => "over.wins.b",
        _ => "over.draw",
    };
    let sentence = english(whole).replace("{why}", &english(&why));
    assert_eq!(text(browser, ".result h2 + p"), sentence);
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_game_is_played_to_its_end_by_clicks() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    let mut seen = Seen::default();
    for game in 1.. {
        begin_game(&mut browser, &server, by_click);
        let played = play_to_the_end(&mut browser, &mut seen);
        all_sent_moves_are_legal(&browser, &played);
        the_result_is_shown(&mut browser, &server, &played);
        nothing_is_wrong(&mut browser, &server);
        if seen.chains > 0 && seen.choices > 0 {
            break;
        }
        assert!(game < 5, "no chain or no choice in {game} games");
        click_button(&mut browser, "New game");
    }
    // The game that ended is still there after a reload.
    let result = text(&mut browser, ".result");
    open(&mut browser, &server, "/play");
    browser.until(
        "document.querySelector('.result:not([hidden])')?.textContent ?? ''",
        &json!(result),
    );
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_lost_riatra_is_followed_by_a_vela_of_the_loser() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    begin_game(&mut browser, &server, by_click);
    assert!(!wait_for_turn(&mut browser));
    // The engine has nothing to say of the beginning of a game.
    click_button(&mut browser, "Offer a draw");
    browser.until(
        "document.querySelector('.status').textContent",
        &json!("The engine declines: play on."),
    );
    click_button(&mut browser, "Resign");
    click_button(&mut browser, "Really resign?");
    browser.until(
        "document.querySelector('.result:not([hidden]) h2')?.textContent",
        &json!("You lost"),
    );
    browser.until(
        "document.querySelector('.result').textContent.includes('owes a vela')",
        &json!(true),
    );
    assert!(text(&mut browser, ".result").contains("you are the debtor"));
    click_button(&mut browser, "Rematch: vela");
    let role = "document.querySelector('.role:not([hidden])')?.textContent ?? ''";
    browser.until(&format!("({role}).startsWith('You are the debtor')"), &json!(true));
    let game = kept(&mut browser);
    assert_eq!((&game["kind"], &game["session"]["results"]), (&json!("vela"), &json!(["0-1"])));
    // In every vela of the usual rules the debtor has White.
    assert_eq!(game["human"], "w");
    assert_eq!(text(&mut browser, ".session .score"), "You 0 – 1 bot-greedy");
    nothing_is_wrong(&mut browser, &server);
}

/// Moves that capture nothing and come to no position twice.
fn quiet_moves(start: Position, count: usize) -> Vec<String> {
    /// Extends a path of positions until it is long enough, and the moves along it.
    fn extend(path: &mut Vec<Position>, moves: &mut Vec<String>, count: usize) -> bool {
        if moves.len() == count {
            return true;
        }
        let rules = Ruleset::default();
        let position = *path.last().expect("a start");
        for mv in position.legal_moves(&rules).iter().filter(|mv| !mv.is_capture()) {
            let Ok(after) = position.play(&rules, mv) else { continue };
            if after.has_capture() || path.iter().any(|seen| seen.board() == after.board()) {
                continue;
            }
            path.push(after);
            moves.push(mv.to_string());
            if extend(path, moves, count) {
                return true;
            }
            path.pop();
            moves.pop();
        }
        false
    }
    let mut moves = Vec::new();
    assert!(extend(&mut vec![start], &mut moves, count), "no such moves");
    moves
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_level_agrees_to_a_draw_late_in_an_even_game_and_the_result_is_kept() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    open(&mut browser, &server, "/play");
    // The levels are there with their strength, and nothing has been played.
    browser.until("document.querySelectorAll('.ladder label').length", &json!(8));
    let levels = server.json("/api/levels");
    let second = text(&mut browser, ".ladder label:nth-of-type(2)");
    assert!(second.contains("−684") && second.contains("98 of 100"), "{second} {levels}");
    assert!(!second.contains("won"), "{second}");
    let start: Position = "8b/9/9/9/W8 w - 0 1".parse().unwrap();
    let moves = quiet_moves(start, 30);
    let scores: Vec<&str> = (0..30).map(|ply| if ply % 2 == 1 { "12" } else { "" }).collect();
    let game = json!({
        "setup": {
            "board": "tsivy", "kind": "riatra", "rules": "", "engine": "bot-greedy", "skill": null,
            "level": 2, "clock": { "type": "none" }, "human": "w",
        },
        "start": start.to_string(), "moves": moves, "times": vec![0; 30], "scores": scores,
    });
    browser.value(&format!("sessionStorage.setItem('play', {:?})", game.to_string()));
    open(&mut browser, &server, "/play");
    assert!(!wait_for_turn(&mut browser));
    assert!(text(&mut browser, ".strip.top").contains("Collector"));
    click_button(&mut browser, "Offer a draw");
    browser
        .until("document.querySelector('.result:not([hidden]) h2')?.textContent", &json!("Draw"));
    browser
        .until("document.querySelector('.result').textContent.includes('1 drawn')", &json!(true));
    let results = browser.value("JSON.parse(localStorage.getItem('play-results'))");
    assert_eq!(results["levels"], json!({ "2": { "won": 0, "drawn": 1, "lost": 0 } }));
    assert!(results["deviation"].as_f64() < Some(350.0), "{results}");
    // A reload does not count it again, and the list of levels has it.
    open(&mut browser, &server, "/play");
    browser
        .until("document.querySelector('.result:not([hidden]) h2')?.textContent", &json!("Draw"));
    let again = browser.value("JSON.parse(localStorage.getItem('play-results'))");
    assert_eq!(again, results);
    // One click begins the review.
    browser.value("document.querySelector('.result a.button').click()");
    browser.until(
        "document.querySelector('.review .head')?.textContent ?? ''",
        &json!("Analyse againQuickNormalThorough"),
    );
    nothing_is_wrong(&mut browser, &server);
    open(&mut browser, &server, "/play");
    browser.until("document.querySelector('.result:not([hidden])') !== null", &json!(true));
    click_button(&mut browser, "New game");
    browser.until("document.querySelectorAll('.ladder label').length", &json!(8));
    assert!(text(&mut browser, ".ladder label:nth-of-type(2)").contains("1 drawn"));
    assert!(text(&mut browser, ".strength").contains("Your strength by these games"));
}

/// Begins a game on the board of 5×5 against the lowest level, with these choices besides.
fn begin_against_a_level(browser: &mut Browser, server: &Server, choices: Value) {
    let mut all = json!({ "board": "dimy", "level": 1 });
    all.as_object_mut().unwrap().extend(choices.as_object().cloned().unwrap());
    open(browser, server, "/play");
    browser.value(&format!("localStorage.setItem('play-choices', {:?})", all.to_string()));
    open(browser, server, "/play");
    browser.until("document.querySelectorAll('.setup-board .stone').length", &json!(24));
    by_click(browser);
    assert!(!wait_for_turn(browser));
}

/// Requests to these addresses fail from now on.
fn block(browser: &mut Browser, addresses: &[&str]) {
    browser.call("Network.setBlockedURLs", json!({ "urls": addresses }));
}

/// Resigns, which takes two presses.
fn resign(browser: &mut Browser) {
    click_button(browser, "Resign");
    click_button(browser, "Really resign?");
    browser.until(
        "document.querySelector('.result:not([hidden]) h2')?.textContent",
        &json!("You lost"),
    );
}

/// The buttons of the result.
const RESULT_BUTTONS: &str =
    "[...document.querySelectorAll('.result button')].map((one) => one.textContent).join()";

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_session_goes_on_when_the_server_was_away_at_the_end_of_a_game() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    let next = json!("Next game,Save as FGN");
    begin_against_a_level(&mut browser, &server, json!({ "kind": "session" }));
    // The page asks again when the server is back.
    block(&mut browser, &["*/api/*"]);
    browser.until("document.querySelector('.lost:not([hidden])') !== null", &json!(true));
    resign(&mut browser);
    assert_eq!(browser.value(RESULT_BUTTONS), "Save as FGN");
    block(&mut browser, &[]);
    browser.until(RESULT_BUTTONS, &next);
    assert_eq!(browser.value("document.querySelector('#app .error') === null"), true);
    click_button(&mut browser, "Next game");
    assert!(!wait_for_turn(&mut browser));
    // And after a reload, where the page did not see that the server was away.
    block(&mut browser, &["*/api/session*"]);
    resign(&mut browser);
    browser.until("document.querySelector('.desk .error') !== null", &json!(true));
    block(&mut browser, &[]);
    open(&mut browser, &server, "/play");
    let goes_on = "['Next game', 'New session']
        .some((text) => document.querySelector('.result button')?.textContent === text)";
    browser.until(goes_on, &json!(true));
    assert_eq!(kept(&mut browser)["session"]["results"].as_array().map(Vec::len), Some(2));
}

/// What the page says of the result from its first word on, each time with the stones on the board.
const WATCH_RESULT: &str = "
    window.said = [];
    new MutationObserver(() => {
        const result = document.querySelector('.result:not([hidden])');
        const stones = document.querySelectorAll('.desk .stone').length;
        if (result?.textContent) window.said.push([result.textContent, stones]);
    }).observe(document, { subtree: true, childList: true, attributes: true });";

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn the_result_is_said_after_its_move_and_only_what_is_true() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    browser.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH_RESULT }));
    // One move takes the last stone: the user's, or the engine's.
    for (human, words) in [("w", "You won"), ("b", "You lost")] {
        let start: Position = "5/5/5/5/W1b2 w - 0 1".parse().unwrap();
        let game = json!({
            "setup": {
                "board": "dimy", "kind": "riatra", "rules": "", "engine": "bot-greedy",
                "skill": null, "level": 2, "clock": { "type": "none" }, "human": human,
            },
            "start": start.to_string(), "moves": [],
        });
        // Another page keeps no game when it is left.
        open(&mut browser, &server, "/puzzles");
        browser.value(&format!("sessionStorage.setItem('play', {:?})", game.to_string()));
        open(&mut browser, &server, "/play");
        if human == "w" {
            assert!(!wait_for_turn(&mut browser));
            let capture = "a1b1A".parse().unwrap();
            Way::of(&start, &Ruleset::default(), &capture).make(&mut browser);
        }
        browser.until(
            "document.querySelector('.result:not([hidden]) h2')?.textContent",
            &json!(words),
        );
        let said = browser.value("window.said");
        for one in said.as_array().expect("a list") {
            assert!(!one[0].as_str().unwrap().contains("does not count"), "{said}");
            assert_eq!(one[1], 1, "the result is said before its move is seen: {said}");
        }
        assert_eq!(kept(&mut browser)["counted"], true);
    }
    nothing_is_wrong(&mut browser, &server);
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn no_game_begins_from_a_position_that_is_none() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    begin_against_a_level(&mut browser, &server, json!({}));
    let start: Position = Start::Usual(BoardSize::DIMY).riatra();
    let rules = Ruleset::default();
    Way::of(&start, &rules, &start.legal_moves(&rules)[0]).make(&mut browser);
    assert!(!wait_for_turn(&mut browser));
    let moves = moves_kept(&mut browser);
    for (address, why) in [
        ("/play#fen=%22%3E", "Row 1 has"),
        ("/play#fen=8b/9/9/9/W8+w+-+0+1&rules=nonsense", "nonsense"),
    ] {
        open(&mut browser, &server, address);
        let error = "document.querySelector('#app .error')?.textContent ?? ''";
        browser.until(&format!("({error}).includes({why:?})"), &json!(true));
        // The usual start is offered, and the game that goes on.
        let choices = text(&mut browser, "form.setup");
        assert!(!choices.contains("from this position"), "{choices}");
        assert_eq!(browser.value("document.querySelectorAll('.setup-board .stone').length"), 24);
        assert!(text(&mut browser, ".resume").contains("not finished"));
        assert_eq!(moves_kept(&mut browser), moves);
    }
    // A position that is one takes nothing away before the game begins, either.
    open(&mut browser, &server, "/play#fen=8b/9/9/9/W8+w+-+0+1");
    browser.until("document.querySelectorAll('.setup-board .stone').length", &json!(2));
    click_button(&mut browser, "Go on with it");
    assert!(!wait_for_turn(&mut browser));
    assert_eq!(moves_kept(&mut browser), moves);
    assert_eq!(browser.value("location.hash"), "");
}

/// As an earlier version kept one.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_kept_game_that_cannot_go_on_is_given_up() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    let game = json!({
        "setup": {
            "board": "dimy", "kind": "riatra", "rules": "", "engine": "bot-greedy", "skill": null,
            "level": 2, "clock": { "type": "none" }, "human": "w",
        },
        "start": "\">", "moves": [],
    });
    open(&mut browser, &server, "/play");
    browser.value(&format!("sessionStorage.setItem('play', {:?})", game.to_string()));
    open(&mut browser, &server, "/play");
    browser.until("document.querySelector('form.setup') !== null", &json!(true));
    assert!(text(&mut browser, "#app .error").contains("Row 1 has"));
    assert_eq!(kept(&mut browser), Value::Null);
}
