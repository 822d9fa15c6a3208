//! A report that carries the engines: opened as a file, it analyses its own games.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::site::modules;
use super::{click, click_button};
use crate::devtools::Browser;
use crate::pages::tournament;

/// Writes such a report of a small tournament and opens it.
fn open(dir: &Path, modules: &Path) -> Browser {
    let results = tournament(dir);
    let mut arena = Command::new(env!("CARGO_BIN_EXE_arena"));
    arena.arg("report").arg(&results).arg("--with-engine").arg("--modules").arg(modules);
    let written = arena.output().unwrap();
    assert!(written.status.success(), "{written:?}");
    let mut browser = Browser::start(&dir.join("profile"));
    let offline = json!({
        "offline": true, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1,
    });
    browser.call("Network.emulateNetworkConditions", offline);
    browser.open(&format!("file://{}", results.join("report.html").display()));
    browser
}

/// No error on the console, and nothing from elsewhere.
fn nothing_is_wrong(browser: &mut Browser) {
    assert_eq!(browser.console(), [] as [&Value; 0]);
    let is_own = |url: &&str| ["file:", "data:", "blob:"].iter().any(|kind| url.starts_with(kind));
    let foreign: Vec<_> = browser.requests().into_iter().filter(|url| !is_own(url)).collect();
    assert!(foreign.is_empty(), "{foreign:?}");
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_report_analyses_its_games_from_a_file_without_a_network() {
    let Some(modules) = modules() else { return };
    let dir = tempfile::tempdir().unwrap();
    let mut browser = open(dir.path(), &modules);
    browser.value("void (location.hash = '#g=2&p=5')");
    browser.until("document.querySelector('#where').textContent.startsWith('5 /')", &json!(true));
    click(&mut browser, ".links .primary");
    // The game at the ply that was shown, with the names of its engines.
    browser
        .until("document.querySelector('#app .moves.text [aria-current]') !== null", &json!(true));
    assert_eq!(browser.value("document.querySelector('#main').checkVisibility()"), false);
    let names = browser.value("document.querySelector('#app .desk-board').innerText");
    assert!(["one", "two"].iter().all(|name| names.as_str().unwrap().contains(name)), "{names}");
    // Lines of an engine, and values of moves, as far as the rules or the tables know them.
    click(&mut browser, "#tab-lines-tab");
    click(&mut browser, ".engine-panel .switch");
    browser.until("document.querySelectorAll('ol.lines li').length", &json!(3));
    // Before the move that ends the game.
    click(&mut browser, ".walk button:nth-child(4)");
    click(&mut browser, ".walk button:nth-child(2)");
    click(&mut browser, ".values-panel label");
    browser.until("document.querySelector('ol.values .worth') !== null", &json!(true));
    click(&mut browser, ".engine-panel .switch");
    // The whole game: a graph, and an accuracy of both sides.
    browser.value(
        "(() => {
            const depth = document.querySelector('.graph-strip select');
            depth.value = '30000';
            depth.dispatchEvent(new Event('change'));
        })()",
    );
    click_button(&mut browser, "Analyse the whole game");
    let done = "document.querySelector('#tab-review table') !== null";
    // A busy machine may take long for all of it.
    for judged in (4..=52).step_by(4) {
        let far = format!("document.querySelector('.review progress')?.value >= {judged}");
        browser.until(&format!("{done} || {far}"), &json!(true));
    }
    browser.until(done, &json!(true));
    assert!(
        browser.value("document.querySelector('.graph-strip polyline').points.length").as_u64()
            > Some(5)
    );
    // The explorer knows the games of the report, and leads back to one.
    click(&mut browser, ".walk button:nth-child(1)");
    click(&mut browser, "#tab-explorer-tab");
    browser
        .until("document.querySelector('.explorer-moves tfoot .number')?.textContent", &json!("8"));
    click(&mut browser, ".samples a");
    browser.until("document.querySelector('#main').checkVisibility()", &json!(true));
    assert_eq!(browser.value("location.hash.startsWith('#g=')"), true);
    nothing_is_wrong(&mut browser);
}
