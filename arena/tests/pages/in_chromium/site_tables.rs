//! Endgame tables that a site carries for the engines in its pages.

use std::fs;
use std::path::Path;

use fanorona_endgames::{Plan, build};
use serde_json::json;

use super::site::{Host, everything_is_kept, modules, nothing_is_wrong};
use super::{english, text};
use crate::devtools::Browser;

/// Three stones against two, none of which can capture at once: the small tables, which engines build, do not
/// know it.
const POSITION: &str = "b3b/5/5/5/W1W1W w - 0 1";

/// Writes the tables of five stones on 5x5.
fn write_tables(dir: &Path) {
    let board = "5x5".parse().unwrap();
    let (only, dir) = (Vec::new(), dir.to_owned());
    build(&Plan { board, stones: 5, only, dir, threads: 2, memory: 1 << 30 }, &()).unwrap();
}

/// Opens the position and asks for the value of every move. Returns the number of moves.
fn ask(browser: &mut Browser, host: &Host) {
    let address = format!("analyse.html#fen={}", POSITION.replace(' ', "%20"));
    browser.open(&host.page(&address));
    browser.until("document.querySelector('.values-panel input') !== null", &json!(true));
    browser.value("document.querySelector('.values-panel input').click()");
}

/// How many moves have a value, and whether there is a note about others.
const KNOWN: &str = "[document.querySelectorAll('.values li').length > 8, document.querySelector('.values-panel .soft').hidden]";

/// Waits until every move has its value.
fn all_are_known(browser: &mut Browser) {
    browser.until(KNOWN, &json!([true, true]));
}

/// Waits until it is known that no move has a value.
fn none_is_known(browser: &mut Browser) {
    let note = english("values.none");
    browser.until(
        &format!("document.querySelector('.values-panel').innerText.includes({note:?})"),
        &json!(true),
    );
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_position_of_the_larger_tables_has_values_where_the_site_has_them() {
    let Some(modules) = modules() else { return };
    let dir = tempfile::tempdir().unwrap();
    let tables = dir.path().join("tables");
    fs::create_dir(&tables).unwrap();
    write_tables(&tables);
    let mut browser = Browser::start(&dir.path().join("profile"));

    let without = tempfile::tempdir().unwrap();
    let host = Host::of_site(without.path(), &modules);
    ask(&mut browser, &host);
    none_is_known(&mut browser);
    // An engine looks for tables after its answer; there are none, which is no error.
    browser.value("new Promise((done) => setTimeout(done, 500))");
    nothing_is_wrong(&mut browser, &host);
    none_is_known(&mut browser);
    drop(browser);

    let mut host = Host::of_site_with(dir.path(), &modules, &["--tables", "tables"]);
    let mut browser = Browser::start(&dir.path().join("profile"));
    browser.open(&host.page("analyse.html"));
    browser.until("document.querySelector('.engine-panel [role=switch]') !== null", &json!(true));
    browser.value("document.querySelector('.engine-panel .switch').click()");
    browser.until("document.querySelectorAll('ol.lines li').length", &json!(3));
    let are_loaded = "caches.has('fanorona-tables')";
    assert_eq!(browser.value(are_loaded), json!(false), "the start of a game needs no tables");
    ask(&mut browser, &host);
    all_are_known(&mut browser);
    nothing_is_wrong(&mut browser, &host);
    everything_is_kept(&mut browser);
    host.cut();
    ask(&mut browser, &host);
    all_are_known(&mut browser);
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_damaged_table_is_named_and_not_used() {
    let Some(modules) = modules() else { return };
    let dir = tempfile::tempdir().unwrap();
    let tables = dir.path().join("tables");
    fs::create_dir(&tables).unwrap();
    write_tables(&tables);
    let path = tables.join("5x5-3v2.plies");
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    let host = Host::of_site_with(dir.path(), &modules, &["--tables", "tables"]);
    let mut browser = Browser::start(&dir.path().join("profile"));
    ask(&mut browser, &host);
    browser.until("document.querySelector('#app > .error.at-top') !== null", &json!(true));
    let said = text(&mut browser, "#app > .error.at-top");
    assert!(said.contains("5x5-3v2.plies") && said.contains("damaged"), "{said}");
    none_is_known(&mut browser);
    let kept = "caches.open('fanorona-tables').then(async (cache) => (await cache.keys()).map(({ url }) => url.split('/').pop().split('?')[0]))";
    let kept = browser.value(kept);
    let kept = kept.as_array().unwrap();
    assert!(!kept.contains(&json!("5x5-3v2.plies")), "{kept:?}");
    assert!(kept.contains(&json!("5x5-3v2.outcomes")), "{kept:?}");
    nothing_is_wrong(&mut browser, &host);
}
