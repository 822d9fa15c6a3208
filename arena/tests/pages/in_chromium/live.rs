//! A tournament while it is played.

use std::fs;

use serde_json::{Value, json};

use super::{nothing_is_wrong, open};
use crate::devtools::Browser;
use crate::pages::server::Server;
use crate::pages::{CONFIG, bots, serve};

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
