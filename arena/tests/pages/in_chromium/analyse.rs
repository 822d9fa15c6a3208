//! Positions and games that an engine judges on a page.

use fanorona_protocol::rules::{BoardSize, Move, Position, Ruleset, Start};
use serde_json::{Value, json};

use super::{by_click, click, click_button, nothing_is_wrong, open, screen};
use crate::devtools::Browser;
use crate::pages::server::Server;
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
            [...line.querySelectorAll('.pv')].map((move) => move.dataset.move)])",
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
    // Then the accuracy in each phase that was played.
    let phases: Vec<&str> = rows[4..].iter().map(|row| row[0].as_str().unwrap()).collect();
    assert!(!phases.is_empty(), "{rows:?}");
    assert!(phases.iter().all(|it| ["Opening", "Middlegame", "Ending"].contains(it)), "{phases:?}");
    // Each has its reason beside it, and stands in the list of the review.
    let reasons = "document.querySelectorAll('.moves .glyph').length
        === document.querySelectorAll('.moves .said .reason').length";
    assert_eq!(browser.value(reasons), true);
    assert_eq!(browser.value("document.querySelectorAll('.mistakes li').length"), marked);
    browser.until("document.querySelector('.graph-strip .graph').checkVisibility()", &json!(true));
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
        browser.until(&format!("({said}).includes('Row 3')"), &json!(true));
        assert_eq!(browser.value(apart), json!(true), "{width}");
        // An address has no form beside which the message could stand.
        browser.value("location.hash = '#fen=bbb/bbb/xxx w'");
        browser.until(&format!("({said}).includes('only W, b')"), &json!(true));
        assert_eq!(browser.value(apart), json!(true), "{width}");
        assert_eq!(browser.value("document.querySelectorAll('.desk .stone').length"), 44);
    }
}

/// Opens a line of moves and has it judged.
fn judge(browser: &mut Browser, server: &Server, fen: &str, moves: &str) {
    let address = format!("/analyse#fen={}&moves={moves}", fen.replace(' ', "%20"));
    open(browser, server, "/play");
    open(browser, server, &address);
    browser.until("document.querySelectorAll('.moves [data-ply]').length", &json!(1));
    click_button(browser, "Analyse the whole game");
    browser.until("document.querySelector('.review .outcome table') !== null", &json!(true));
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_mistake_says_what_it_gives_away() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    let reason = "document.querySelector('.moves .said .reason')?.textContent";
    judge(&mut browser, &server, WON, "f4g4W");
    assert_eq!(browser.value(reason), "misses a win in 3 by f4g5W: now a draw");
    // One stone each: who steps beside the other loses.
    judge(&mut browser, &server, "5/1b3/5/2W2/5 w - 0 1", "c2c3");
    let left = "leaves the drawn ending of 1 against 1: now lost in 1";
    assert_eq!(browser.value(reason), left);
    nothing_is_wrong(&mut browser, &server);
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn every_move_has_its_exact_value() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    open(&mut browser, &server, &format!("/analyse#fen={}", WON.replace(' ', "%20")));
    browser.until("document.querySelector('.stone.movable') !== null", &json!(true));
    click(&mut browser, ".values-panel label:first-of-type");
    let values = "[...document.querySelectorAll('ol.values li')].map((row) =>
        [...row.children].map((cell) => cell.textContent).join(' ')).join(', ')";
    browser.until(values, &json!("f4g5W win in 3, f2g1W draw, f4g4W draw"));
    click(&mut browser, ".values-panel label:last-of-type");
    let arrows = "['win', 'draw', 'loss'].map((kind) => document.querySelectorAll(`.hint.${kind}`).length).join()";
    browser.until(arrows, &json!("1,2,0"));
    // A move of the list is played, and the values follow.
    click(&mut browser, "ol.values [data-move=f4g4W]");
    browser.until("location.hash.includes('moves=f4g4W')", &json!(true));
    let follow = format!("!({values}).includes('f4g5W') && ({values}).includes('draw')");
    browser.until(&follow, &json!(true));
    // At the start the proof of the game knows two moves.
    set_up(&mut browser, &Start::TSIVY.riatra().to_string());
    let sorted = format!("({values}).split(', ').sort().join(', ')");
    browser.until(&sorted, &json!("d3e3A draw, f2e3A draw"));
    nothing_is_wrong(&mut browser, &server);
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn variations_stand_between_the_moves_and_keep_their_notes() {
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    let fen = WON.replace(' ', "%20");
    open(&mut browser, &server, &format!("/analyse#fen={fen}&moves=f4g5W&p=0"));
    browser.until("document.querySelector('.stone.movable') !== null", &json!(true));
    click(&mut browser, "[data-point=f4]");
    click(&mut browser, "[data-point=g4]");
    browser.until("document.querySelector('.moves .aside .move')?.dataset.move", &json!("f4g4W"));
    assert_eq!(browser.value("document.querySelector('.moves > .move').dataset.move"), "f4g5W");
    click_button(&mut browser, "?!");
    browser.value(
        "(() => {
            const field = document.querySelector('.note textarea');
            field.value = 'gives the draw';
            field.dispatchEvent(new Event('input'));
        })()",
    );
    let said = "document.querySelector('.moves .aside').textContent";
    browser.until(said, &json!("1.f4g4W?!, Inaccuracygives the draw"));
    // What is written as FGN is read again with all of it.
    browser.value(
        "(() => {
            const make = URL.createObjectURL;
            URL.createObjectURL = (blob) => {
                blob.text().then((text) => { window.saved = text; });
                return make.call(URL, blob);
            };
            document.querySelector('.share').open = true;
        })()",
    );
    click_button(&mut browser, "Download FGN");
    browser.until("typeof window.saved", &json!("string"));
    browser.value(
        "(() => {
            document.querySelector('.load').open = true;
            document.querySelector('.load textarea').value = window.saved;
        })()",
    );
    click_button(&mut browser, "Open this text");
    browser.until(said, &json!("1.f4g4W?!, Inaccuracygives the draw"));
    nothing_is_wrong(&mut browser, &server);
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_position_is_set_up_on_the_board_and_its_legality_is_explained() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    open(&mut browser, &server, "/analyse");
    browser.until("document.querySelector('.stone.movable') !== null", &json!(true));
    browser.value("document.querySelector('.load').open = true");
    click_button(&mut browser, "Place stones");
    let said = "document.querySelector('.legality')?.textContent ?? ''";
    browser.until(&format!("({said}).includes('5 moves, all of them captures')"), &json!(true));
    click_button(&mut browser, "Empty the board");
    browser.until(&format!("({said}).includes('no stone on the board')"), &json!(true));
    click(&mut browser, "[data-point=c2]");
    browser.until("document.querySelectorAll('.desk .stone.w').length", &json!(1));
    browser.until(&format!("({said}).includes('Black has no stones left')"), &json!(true));
    click(&mut browser, ".editor fieldset:first-of-type label:nth-child(2)");
    click(&mut browser, "[data-point=c5]");
    browser.until(&format!("({said}).includes('nothing to capture')"), &json!(true));
    // A second press takes the stone away again.
    click(&mut browser, "[data-point=e5]");
    click(&mut browser, "[data-point=e5]");
    browser.until("document.querySelectorAll('.desk .stone').length", &json!(2));
    click_button(&mut browser, "Analyse this position");
    let fen = "new URLSearchParams(location.hash.slice(1)).get('fen')";
    browser.until(fen, &json!("2b6/9/9/2W6/9 w - 0 1"));
    browser.until("document.querySelector('.stone.movable') !== null", &json!(true));
    // From the board a game can begin, too.
    browser.value("document.querySelector('.load').open = true");
    click_button(&mut browser, "Place stones");
    browser.until("document.querySelector('.editor a.button')?.checkVisibility()", &json!(true));
    click(&mut browser, ".editor a.button");
    browser.until("document.querySelector('form.setup') !== null", &json!(true));
    by_click(&mut browser);
    browser.until("document.querySelectorAll('.desk .stone').length", &json!(2));
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn pictures_and_films_can_be_read() {
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    let fen = WON.replace(' ', "%20");
    open(&mut browser, &server, &format!("/analyse#fen={fen}&moves=f4g4W"));
    browser.until("document.querySelectorAll('.moves [data-ply]').length", &json!(1));
    browser.value(
        "(() => {
            window.blobs = [];
            const make = URL.createObjectURL;
            URL.createObjectURL = (blob) => {
                window.blobs.push(blob);
                return make.call(URL, blob);
            };
            document.querySelector('.share').open = true;
        })()",
    );
    for (count, name) in
        ["Picture (SVG)", "Picture (PNG)", "Film of the game (GIF)"].iter().enumerate()
    {
        click_button(&mut browser, name);
        browser.until("window.blobs.length", &json!(count + 1));
    }
    let svg = browser.value(
        "window.blobs[0].text().then((text) => {
            const drawing = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
            return [drawing.nodeName, drawing.getAttribute('width'), text.includes('class='),
                text.includes('var('), drawing.querySelector('path') !== null,
                drawing.querySelectorAll('circle').length >= document.querySelectorAll('.desk .stone').length];
        })",
    );
    assert_eq!(svg, json!(["svg", "1280", false, false, true, true]));
    let frames = |place: usize, kind: &str| {
        format!(
            "(async () => {{
                const blob = window.blobs[{place}];
                const decoder = new ImageDecoder({{ data: await blob.arrayBuffer(), type: {kind:?} }});
                await decoder.tracks.ready;
                const {{ frameCount }} = decoder.tracks.selectedTrack;
                const colours = [];
                for (let frameIndex = 0; frameIndex < frameCount; frameIndex += 1) {{
                    const {{ image }} = await decoder.decode({{ frameIndex }});
                    const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
                    const context = canvas.getContext('2d');
                    context.drawImage(image, 0, 0);
                    image.close();
                    const {{ data }} = context.getImageData(0, 0, canvas.width, canvas.height);
                    colours.push(new Set(new Uint32Array(data.buffer)).size > 5);
                }}
                return [blob.type, colours];
            }})()"
        )
    };
    assert_eq!(browser.value(&frames(1, "image/png")), json!(["image/png", [true]]));
    assert_eq!(browser.value(&frames(2, "image/gif")), json!(["image/gif", [true, true]]));
    nothing_is_wrong(&mut browser, &server);
}

/// Runs before a page's scripts: the server has no room for another engine while `isFull`.
const FULL: &str = "
const ask = window.fetch;
window.isFull = true;
window.fetch = (...question) => {
    if (!window.isFull || !String(question[0]).endsWith('/api/engine')) return ask(...question);
    window.refused = true;
    return Promise.resolve(new Response('{\"error\": \"full\"}', { status: 503 }));
};";

/// An engine that could not be started is started for the next position.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn values_are_asked_of_an_engine_again_that_could_not_be_started() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    browser.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": FULL }));
    open(&mut browser, &server, "/analyse#fen=8b/9/9/9/W8+w+-+0+1&moves=a1a2");
    browser.until("document.querySelector('.stone.movable') !== null", &json!(true));
    browser.value("document.querySelector('.values-panel input').click()");
    browser.until("window.refused ?? false", &json!(true));
    browser.value("window.isFull = false");
    browser.press("ArrowLeft");
    browser.until("document.querySelectorAll('.values li').length > 0", &json!(true));
}
