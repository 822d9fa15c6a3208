//! A tournament while it is played.

use std::fs;

use serde_json::{Value, json};

use super::{click_button, nothing_is_wrong, open};
use crate::devtools::Browser;
use crate::pages::server::Server;
use crate::pages::{CONFIG, LEAVES, bots, serve, tournament};

/// A tournament that lasts longer than a browser needs to start.
fn long() -> String {
    CONFIG.replace("rounds = 100", "rounds = 5000")
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_move_appears_on_the_board_within_a_second() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("live.toml"), long()).unwrap();
    let args = ["run", "live.toml", "--out", "out", "--serve=127.0.0.1:0"];
    let server = Server::start(dir.path(), &args);
    let id = server.until(|server| {
        server.json("/api/library")["tournaments"][0]["id"].as_str().map(str::to_owned)
    });
    let mut browser = Browser::start(&dir.path().join("profile"));
    open(&mut browser, &server, &format!("/t/{id}"));
    browser.until("document.querySelectorAll('svg .stone').length > 0", &json!(true));
    // The boards are drawn again and again; each change comes within a second of the one before.
    let changes = browser.value(
        "new Promise((done) => {
            let last = performance.now();
            const gaps = [];
            const watcher = new MutationObserver((records) => {
                // A board may also be replaced when its game ends.
                if (!records.some(({ target }) => target.closest?.('svg'))) return;
                const now = performance.now();
                gaps.push(now - last);
                last = now;
                if (gaps.length > 60) { watcher.disconnect(); done(gaps); }
            });
            watcher.observe(document.body, { childList: true, subtree: true });
            setTimeout(() => { watcher.disconnect(); done(gaps); }, 20000);
        })",
    );
    let gaps: Vec<f64> = changes.as_array().unwrap().iter().filter_map(Value::as_f64).collect();
    assert!(gaps.len() >= 5, "{gaps:?}");
    let mut sorted = gaps.clone();
    sorted.sort_by(f64::total_cmp);
    assert!(sorted[sorted.len() / 2] < 1000.0, "{gaps:?}");
    nothing_is_wrong(&mut browser, &server);
}

/// The page learns that a tournament was stopped, although nothing is written after its last game.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_stopped_tournament_is_shown_as_stopped() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("live.toml"), long()).unwrap();
    let server = serve(dir.path());
    let config = server.json("/api/library")["configs"][0]["id"].clone();
    let begun = server.post("/api/run", &json!({ "config": config })).json();
    let id = begun["id"].as_str().unwrap();
    let mut browser = Browser::start(&dir.path().join("profile"));
    open(&mut browser, &server, &format!("/t/{id}"));
    let state = "document.querySelector('.head .state')?.textContent ?? ''";
    browser.until(state, &json!("running"));
    browser.until("document.querySelectorAll('svg .stone').length > 0", &json!(true));
    let stopped = server.post(&format!("/api/t/{id}/control"), &json!({ "action": "stop" }));
    assert_eq!(stopped.status, 200, "{stopped:?}");
    browser.until(state, &json!("stopped"));
    nothing_is_wrong(&mut browser, &server);
}

/// The card of the first page and the tournament's own page make the same words.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn card_and_page_say_the_same() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("live.toml"), long()).unwrap();
    let server = serve(dir.path());
    let config = server.json("/api/library")["configs"][0]["id"].clone();
    let begun = server.post("/api/run", &json!({ "config": config })).json();
    let id = begun["id"].as_str().unwrap();
    let mut browser = Browser::start(&dir.path().join("profile"));
    open(&mut browser, &server, &format!("/t/{id}"));
    let line = "document.querySelector('.head .headline')?.textContent ?? ''";
    browser.until(&format!("/(leads|lead).*; game \\d+ of /.test({line})"), &json!(true));
    // Beside the board: who is ahead, what both engines expect, and what comes next.
    browser.until("document.querySelector('.pinned .gauge').checkVisibility()", &json!(true));
    browser.until("document.querySelectorAll('.line-board .stone').length > 20", &json!(true));
    browser.until("document.querySelectorAll('.next-games span').length > 0", &json!(true));
    let stopped = server.post(&format!("/api/t/{id}/control"), &json!({ "action": "stop" }));
    assert_eq!(stopped.status, 200, "{stopped:?}");
    browser.until(&format!("({line}).includes('; stopped after ')"), &json!(true));
    nothing_is_wrong(&mut browser, &server);
    let said = browser.value(line);
    open(&mut browser, &server, "/");
    browser.until("document.querySelector('.card .headline')?.textContent", &said);
    nothing_is_wrong(&mut browser, &server);
}

/// The curve of a tuned option grows while the tuning runs.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn the_curve_of_a_tuning_grows_with_its_iterations() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    let config = "\
format = \"tune\"
kinds = [\"riatra\"]
rounds = 20
concurrency = 2
limit = \"nodes=20\"
openings = { source = \"random\", plies = 4 }
[tune]
iterations = 5000
[tune.parameters]
Exploration = { start = 100, min = 20, max = 300, r_end = 0.5 }
[[engine]]
name = \"mcts\"
command = \"bot-mcts\"
";
    fs::write(dir.path().join("tune.toml"), config).unwrap();
    let args = ["run", "tune.toml", "--out", "out", "--serve=127.0.0.1:0"];
    let server = Server::start(dir.path(), &args);
    let id = server.until(|server| {
        server.json("/api/library")["tournaments"][0]["id"].as_str().map(str::to_owned)
    });
    let mut browser = Browser::start(&dir.path().join("profile"));
    open(&mut browser, &server, &format!("/t/{id}"));
    // The ends of the lines, as numbers: from the start value on.
    let curve = "[...document.querySelector('.tuning figure')?.querySelectorAll('.track') ?? []]
        .map((line) => parseFloat(line.getAttribute('x2')))";
    let points = |browser: &mut Browser| {
        let points = browser.value(curve);
        points.as_array().unwrap().iter().map(|it| it.as_f64().unwrap()).collect::<Vec<_>>()
    };
    // Without a reload, and never a point less.
    let mut seen = points(&mut browser);
    let begun = seen.len();
    for _ in 0..3 {
        let before = seen.len();
        browser.until(&format!("({curve}).length > {before}"), &json!(true));
        seen = points(&mut browser);
        assert!(seen.len() > before, "{seen:?}");
    }
    assert!(seen.len() > begun + 2, "{seen:?}");
    // It goes to the right, and the line above says how far it is.
    assert!(seen.windows(2).all(|two| two[0] <= two[1]), "{seen:?}");
    let said = "parseInt([...document.querySelectorAll('.tuning p.soft')]
        .map((it) => it.textContent).find((text) => / of 5,000 iterations/.test(text)))";
    browser.until(&format!("{said} >= {}", seen.len()), &json!(true));
    let hidden =
        "['standings', 'crosstable'].map((it) => document.querySelector('.part.' + it).hidden)";
    assert_eq!(browser.value(hidden), json!([true, true]), "both sides are the same engine");
    nothing_is_wrong(&mut browser, &server);
}

/// The id of the first tournament that a server shows.
fn first(server: &Server) -> String {
    server.until(|server| {
        server.json("/api/library")["tournaments"][0]["id"].as_str().map(str::to_owned)
    })
}

/// A server of a tournament whose games last some milliseconds.
fn quick_games(dir: &std::path::Path) -> (Server, String) {
    bots();
    fs::write(dir.join("live.toml"), long().replace("20ms", "nodes=20")).unwrap();
    let args = ["run", "live.toml", "--out", "out", "--serve=127.0.0.1:0"];
    let server = Server::start(dir, &args);
    let id = first(&server);
    (server, id)
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn the_page_does_not_grow_with_the_number_of_games() {
    let dir = tempfile::tempdir().unwrap();
    let (server, id) = quick_games(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    open(&mut browser, &server, &format!("/t/{id}"));
    let after = |browser: &mut Browser, games: u64| {
        let count = "(document.querySelector('.progress-line progress')?.value ?? 0)";
        browser.until(&format!("{count} >= {games}"), &json!(true));
        // The list of games is full.
        browser.until("document.querySelectorAll('.games tbody tr').length >= 100", &json!(true));
        let nodes = browser.value("document.querySelectorAll('*').length").as_u64().unwrap();
        let cards = browser.value("document.querySelectorAll('.live-card').length");
        (nodes, cards.as_u64().unwrap())
    };
    let (before, _) = after(&mut browser, 150);
    let (then, cards) = after(&mut browser, 600);
    // Two games at once, and those that have just ended.
    assert!(cards <= 4, "{cards} boards");
    // Boards and lists of moves are of different sizes, by some hundred elements.
    assert!(then < before + 1500, "{before} elements, then {then}");
    // A finished game says how it ended.
    let ended =
        "[...document.querySelectorAll('.live-card.over .note-line')].map((it) => it.textContent)";
    let ended = format!("({ended}).some((text) => /^(1–0|0–1|½–½) /.test(text))");
    browser.until(&ended, &json!(true));
    nothing_is_wrong(&mut browser, &server);
}

/// A browser opens six plain connections to a server.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn ten_windows_beside_each_other_are_all_live() {
    let dir = tempfile::tempdir().unwrap();
    let (server, id) = quick_games(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    open(&mut browser, &server, &format!("/t/{id}"));
    for _ in 0..9 {
        browser.window(&format!("http://{}/t/{id}", server.host));
    }
    browser.value("new Promise((done) => setTimeout(done, 2000))");
    open(&mut browser, &server, &format!("/t/{id}"));
    assert_eq!(browser.value("document.hidden"), json!(false));
    browser.until("document.querySelectorAll('.live-card .stone').length > 0", &json!(true));
    let moved = "new Promise((done) => new MutationObserver(() => done(true)).observe(
        document.querySelector('.live-grid'), { childList: true, subtree: true }))";
    assert_eq!(browser.value(moved), json!(true));
    nothing_is_wrong(&mut browser, &server);
}

/// The sections of the report change while the tournament is played.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn bracket_test_and_faults_grow_on_the_page() {
    bots();
    let knockout = long()
        .replace("format = \"match\"", "format = \"knockout\"")
        .replace("rounds = 5000", "rounds = 20");
    let knockout = ["three", "four"].iter().fold(knockout, |config, name| {
        config + &format!("[[engine]]\nname = \"{name}\"\ncommand = \"bot-random\"\n")
    });
    let sprt = long().replacen("[[engine]]", "[sprt]\nelo0 = 0\nelo1 = 1\n[[engine]]", 1);
    let faulty = long().replace("command = \"bot-greedy\"\n", LEAVES);
    let faulty = faulty + "[[engine]]\nname = \"three\"\ncommand = \"bot-random\"\n";
    let faulty = faulty.replace("format = \"match\"", "format = \"round-robin\"");
    let lines = "[...document.querySelectorAll('#sprt .track')]";
    let finite = format!(
        "{lines}.length > 3 && {lines}.every((line) => Number.isFinite(parseFloat(line.getAttribute('y2'))))"
    );
    let withdrawn = "document.querySelectorAll('#faults details').length >= 3
        && document.querySelector('.result .note')?.textContent.startsWith('two is withdrawn')
        && document.querySelector('.head .count').textContent.includes('not played because')";
    for (config, shown) in [
        (knockout, "document.querySelectorAll('#bracket .meeting .points').length >= 4".to_owned()),
        (sprt, finite),
        (faulty, withdrawn.to_owned()),
    ] {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("live.toml"), config.replace("20ms", "nodes=200")).unwrap();
        let args = ["run", "live.toml", "--out", "out", "--serve=127.0.0.1:0"];
        let server = Server::start(dir.path(), &args);
        let id = first(&server);
        let mut browser = Browser::start(&dir.path().join("profile"));
        open(&mut browser, &server, &format!("/t/{id}"));
        browser.until(&shown, &json!(true));
        nothing_is_wrong(&mut browser, &server);
    }
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn only_a_number_of_rounds_extends_a_tournament() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    tournament(dir.path());
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    open(&mut browser, &server, &format!("/t/{}", first(&server)));
    browser.until("document.querySelector('.run-controls button') !== null", &json!(true));
    let error = "document.querySelector('#app > .error p')?.textContent ?? ''";
    for answer in ["abc", "", "4.5", "1e9", "0", "-3", "1000001", "0x10"] {
        browser.value(&format!("window.prompt = () => {answer:?}"));
        browser.value("document.querySelector('#app > .error')?.remove()");
        click_button(&mut browser, "Add rounds");
        let said = browser.value(error);
        assert_eq!(said, "The number of rounds is a whole number from 1 to 1,000,000.", "{answer}");
    }
    let sent = |browser: &Browser| {
        let sent = browser.sent().filter(|request| request["method"] == "POST");
        sent.filter_map(|request| request["postData"].as_str().map(str::to_owned))
            .collect::<Vec<_>>()
    };
    assert_eq!(sent(&browser), [""; 0]);
    browser.value("window.prompt = () => ' 5 '");
    click_button(&mut browser, "Add rounds");
    browser.until("document.querySelector('.state').dataset.state !== 'finished'", &json!(true));
    assert_eq!(sent(&browser), [r#"{"rounds":5}"#]);
}

/// Games that could not be asked for are asked for when the server is back, although no other has finished.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn games_that_were_not_answered_are_asked_for_again() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    tournament(dir.path());
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    browser.call("Network.setBlockedURLs", json!({ "urls": ["*/games?*"] }));
    open(&mut browser, &server, &format!("/t/{}#about-games", first(&server)));
    browser.until("document.querySelector('#app > .error') !== null", &json!(true));
    browser.call("Network.setBlockedURLs", json!({ "urls": [] }));
    browser.value("window.dispatchEvent(new CustomEvent('server-back', { detail: false }))");
    browser.until("document.querySelectorAll('.games tbody tr').length", &json!(8));
}
