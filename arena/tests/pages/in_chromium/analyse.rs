//! Positions and games that an engine judges on a page.

use fanorona_protocol::rules::{BoardSize, Move, Position, Ruleset, Start};
use serde_json::{Value, json};

use super::{click, click_button, nothing_is_wrong, open, screen};
use crate::devtools::Browser;
use crate::pages::{CONFIG, bots, play, serve};

/// White takes the last two stones within three plies (see the puzzle of this position).
const WON: &str = "9/4bW3/4b4/5W3/9 w - 0 1";

/// Types a FEN and opens it.
fn set_up(browser: &mut Browser, fen: &str) {
    type_position(browser, fen);
    browser.until("new URLSearchParams(location.hash.slice(1)).get('fen')", &json!(fen));
}

fn type_position(browser: &mut Browser, fen: &str) {
    browser.value(&format!(
        "(() => {{
            document.querySelector('.load').open = true;
            const fields = [...document.querySelectorAll('.load label.field')];
            fields.find((one) => one.querySelector('span').textContent === 'FEN')
                .querySelector('input').value = {fen:?};
        }})()"
    ));
    click_button(browser, "Set position");
}

/// The engine's lines: the score and the moves of each.
fn lines(browser: &mut Browser) -> Vec<(String, Vec<Move>)> {
    let lines = browser.value(
        "[...document.querySelectorAll('.engine-panel .lines li')].map((line) => [
            line.querySelector('.value').textContent,
            [...line.querySelectorAll('.pv')].map((move) => move.textContent)])",
    );
    let moves = |moves: &Value| {
        let moves = moves.as_array().unwrap().iter();
        moves.map(|mv| mv.as_str().unwrap().parse().unwrap()).collect()
    };
    let lines = lines.as_array().unwrap().iter();
    lines.map(|line| (line[0].as_str().unwrap().to_owned(), moves(&line[1]))).collect()
}

/// Whether a text is a score from White's view: stones with a sign, or plies to a proven end.
fn is_score(text: &str) -> bool {
    let plies = text.strip_prefix("W in ").or_else(|| text.strip_prefix("B in "));
    plies.unwrap_or(text).replace('−', "-").parse::<f64>().is_ok()
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn an_engine_judges_the_position_shown() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    open(&mut browser, &server, "/analyse");
    browser.until("document.querySelector('.stone.movable') !== null", &json!(true));
    let start = Start::Usual(BoardSize::DIMY).riatra();
    set_up(&mut browser, &start.to_string());
    click(&mut browser, ".engine-panel .switch");
    let enough = "document.querySelectorAll('.engine-panel .lines li').length";
    browser.until(enough, &json!(3));
    browser.until("document.querySelectorAll('.desk .hinted .hint').length", &json!(3));
    browser.until("document.querySelector('.desk .gauge').hidden", &json!(false));
    let found = lines(&mut browser);
    let rules = Ruleset::default();
    for (score, moves) in &found {
        assert!(is_score(score), "{score}");
        assert!(!moves.is_empty(), "{score}");
        // A line is a sequence of legal moves.
        moves.iter().fold(start, |position, mv| position.play(&rules, mv).unwrap());
    }
    let mut first: Vec<String> = found.iter().map(|(_, moves)| moves[0].to_string()).collect();
    first.sort();
    first.dedup();
    assert_eq!(first.len(), 3, "{found:?}");
    let labels = "[...document.querySelectorAll('.hinted .hint text')].map((one) => one.textContent).sort().join('')";
    assert_eq!(browser.value(labels), "123");
    // It searches on while nothing is pressed.
    let depth = "Number(document.querySelector('.engine-panel .facts').textContent.match(/depth (\\d+)/)?.[1] ?? 0)";
    let before = browser.value(depth).as_u64().unwrap();
    browser.until(&format!("{depth} > {before}"), &json!(true));
    // Another position: the engine goes on with it, and proves the win.
    set_up(&mut browser, WON);
    let best = "document.querySelector('.engine-panel .lines li')?.textContent ?? ''";
    browser.until(&format!("({best}).startsWith('W in 3f4g5W')"), &json!(true));
    let won: Position = WON.parse().unwrap();
    browser.until(enough, &json!(won.legal_moves(&rules).len().min(3)));
    // Off: no lines, no arrows.
    click(&mut browser, ".engine-panel .switch");
    browser.until(enough, &json!(0));
    assert_eq!(browser.value("document.querySelectorAll('.hinted .hint').length"), 0);
    nothing_is_wrong(&mut browser, &server);
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_whole_game_is_judged() {
    let dir = tempfile::tempdir().unwrap();
    // Games of an engine that plays any move are full of mistakes.
    let config = CONFIG
        .replace("rounds = 100", "rounds = 1")
        .replace("20ms", "nodes=2000")
        .replace("bot-greedy", "bot-random");
    play(dir.path(), &config);
    let server = serve(dir.path());
    let id = server.json("/api/library")["tournaments"][0]["id"].as_str().unwrap().to_owned();
    let game = server.json(&format!("/api/t/{id}/games/1"));
    let plies = game["moves"].as_array().unwrap().len();
    let mut browser = Browser::start(&dir.path().join("profile"));
    open(&mut browser, &server, &format!("/analyse#t={id}&g=1"));
    browser.until("document.querySelectorAll('.moves [data-ply]').length", &json!(plies));
    assert_eq!(browser.value("document.querySelectorAll('.moves .glyph').length"), 0);
    browser.value(
        "(() => {
            const list = document.querySelector('.review select[aria-label=\"Thoroughness\"]');
            list.value = '30000';
            list.dispatchEvent(new Event('change'));
        })()",
    );
    click_button(&mut browser, "Analyse the whole game");
    browser.until("document.querySelector('.review .outcome table') !== null", &json!(true));
    let rows = browser.value(
        "[...document.querySelectorAll('.outcome tbody tr')]
            .map((row) => [...row.children].map((cell) => cell.textContent))",
    );
    let rows = rows.as_array().unwrap();
    assert_eq!(rows[0][0], "Accuracy");
    let mut accuracies = Vec::new();
    for side in [1, 2] {
        let cell = rows[0][side].as_str().unwrap();
        let number = cell.strip_suffix(" %").and_then(|number| number.parse::<f64>().ok());
        accuracies.push(number.unwrap_or_else(|| panic!("{rows:?}")));
    }
    assert!(accuracies.iter().all(|it| (0.0..=100.0).contains(it)), "{accuracies:?}");
    // The marks in the list are those that the table counts.
    let mut marked = 0;
    for (row, kind) in rows[1..].iter().zip(["inaccuracy", "mistake", "blunder"]) {
        let counted: u64 =
            [1, 2].iter().map(|side| row[*side].as_str().unwrap().parse::<u64>().unwrap()).sum();
        let marks = browser
            .value(&format!("document.querySelectorAll('.moves .move.{kind} .glyph').length"));
        assert_eq!(marks, counted, "{kind}");
        marked += counted;
    }
    assert!(marked > 0, "no mistake in a game of random moves: {rows:?}");
    // The players have not chosen the moves of the opening, which are as random.
    assert_eq!(browser.value("document.querySelectorAll('.moves .move.book').length"), 4);
    assert_eq!(browser.value("document.querySelectorAll('.moves .move.book .glyph').length"), 0);
    // The random player is the worse one.
    let random = if game["white"] == "two" { 0 } else { 1 };
    assert!(accuracies[random] < accuracies[1 - random], "{accuracies:?} {game}");
    // A click on the marked move shows it, with the reason.
    click(&mut browser, ".moves .move:has(.glyph)");
    browser.until(
        "document.querySelector('.moves [aria-current=step]')?.querySelector('.glyph') !== null",
        &json!(true),
    );
    assert_ne!(browser.value("document.querySelector('.moves .move:has(.glyph)').title"), "");
    nothing_is_wrong(&mut browser, &server);
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_position_as_programs_for_chess_write_it_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    let shown = "new URLSearchParams(location.hash.slice(1)).get('fen')";
    open(&mut browser, &server, "/analyse");
    browser.until("document.querySelector('.stone.movable') !== null", &json!(true));
    for fields in ["w - - 0 1", "w - -", "w -", "w"] {
        let fen = WON.replace("w - 0 1", fields);
        type_position(&mut browser, &fen);
        browser.until(shown, &json!(WON));
        let address = fen.replace(' ', "%20");
        for page in ["/analyse", "/explorer"] {
            open(&mut browser, &server, &format!("{page}#fen={address}"));
            browser.until("document.querySelectorAll('.desk .stone').length", &json!(4));
        }
        open(&mut browser, &server, "/analyse");
        browser.until("document.querySelector('.stone.movable') !== null", &json!(true));
    }
    nothing_is_wrong(&mut browser, &server);
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_message_about_a_wrong_position_covers_no_board() {
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    let said = "[...document.querySelectorAll('.error')].map((it) => it.textContent).join()";
    let apart = "(() => {
        const [board, ...errors] = ['.desk .board', '.error'].flatMap((it) =>
            [...document.querySelectorAll(it)]).map((it) => it.getBoundingClientRect());
        return errors.every((it) => it.bottom <= board.top || it.top >= board.bottom
            || it.right <= board.left || it.left >= board.right);
    })()";
    for (width, height) in [(390, 844), (1280, 800), (1920, 1080)] {
        screen(&mut browser, width, height);
        open(&mut browser, &server, "/analyse");
        browser.until("document.querySelector('.stone.movable') !== null", &json!(true));
        type_position(&mut browser, "bbbbbbbbb/bbbbbbbbb/xWbW1bWbW w - 0 1");
        browser.until(&format!("({said}).includes('row 3')"), &json!(true));
        assert_eq!(browser.value(apart), json!(true), "{width}");
        // An address has no form beside which the message could stand.
        browser.value("location.hash = '#fen=bbb/bbb/xxx w'");
        browser.until(&format!("({said}).includes('expected W, b')"), &json!(true));
        assert_eq!(browser.value(apart), json!(true), "{width}");
        assert_eq!(browser.value("document.querySelectorAll('.desk .stone').length"), 44);
    }
}
