//! The explorer as it is seen.

use std::collections::BTreeMap;

use serde_json::json;

use super::{click, nothing_is_wrong, open, text};
use crate::devtools::Browser;
use crate::pages::{counts, games, serve, tournament};

/// The table of the page: each move with its games and the words of its results.
fn shown(browser: &mut Browser) -> BTreeMap<String, (String, String)> {
    let rows = browser.value(
        "[...document.querySelectorAll('.explorer-moves tbody tr')].map((row) => [
            row.querySelector('button').textContent,
            row.querySelector('td.number').firstChild.textContent,
            row.querySelector('.result-bar').getAttribute('aria-label')])",
    );
    let rows = rows.as_array().unwrap().iter();
    let word = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    rows.map(|row| (word(&row[0]), (word(&row[1]), word(&row[2])))).collect()
}

/// What the table has to show for these counts.
fn expected(counts: &BTreeMap<String, [u64; 4]>) -> BTreeMap<String, (String, String)> {
    let words = |[games, white, draws, black]: [u64; 4]| {
        let share = |count: u64| (100.0 * count as f64 / games as f64).round();
        let (white, draws, black) = (share(white), share(draws), share(black));
        let text = format!("{white} % White wins, {draws} % draws, {black} % Black wins");
        (games.to_string(), text)
    };
    counts.iter().map(|(mv, count)| (mv.clone(), words(*count))).collect()
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn the_explorer_shows_the_counts_of_games_csv() {
    let dir = tempfile::tempdir().unwrap();
    let results = tournament(dir.path());
    let games = games(&results);
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    open(&mut browser, &server, "/explorer");
    let line: Vec<&str> = games[0].1.split(' ').take(3).collect();
    for length in 0..=line.len() {
        let counts = counts(&games, &line[..length]);
        let all: u64 = counts.values().map(|count| count[0]).sum();
        let sum = "document.querySelector('.explorer-moves .sum td')?.textContent ?? ''";
        browser.until(sum, &json!(all.to_string()));
        let rows = "document.querySelectorAll('.explorer-moves tbody tr').length";
        browser.until(rows, &json!(counts.len()));
        assert_eq!(shown(&mut browser), expected(&counts), "after {:?}", &line[..length]);
        let Some(next) = line.get(length) else { break };
        // The next move by a click on its row.
        browser.value(&format!(
            "[...document.querySelectorAll('.explorer-moves tbody tr')]
                .find((row) => row.querySelector('button').textContent === {next:?})
                .setAttribute('data-next', '')"
        ));
        click(&mut browser, ".explorer-moves [data-next] button");
        browser.until("document.querySelector('.path [aria-current]')?.textContent", &json!(next));
    }
    assert!(text(&mut browser, ".samples").contains("one"), "the games themselves are listed");
    nothing_is_wrong(&mut browser, &server);
}
