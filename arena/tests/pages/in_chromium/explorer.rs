//! The explorer as it is seen.

use std::collections::BTreeMap;

use serde_json::json;

use super::{choose, click, nothing_is_wrong, open, screen, text};
use crate::devtools::Browser;
use crate::pages::{counts, games, serve, tournament};

/// The table of the page: each move with its games and the words of its results.
fn shown(browser: &mut Browser) -> BTreeMap<String, (String, String)> {
    let rows = browser.value(
        "[...document.querySelectorAll('.explorer-moves tbody:first-of-type tr')].map((row) => [
            row.querySelector('button').dataset.move,
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
        let rows = "document.querySelectorAll('.explorer-moves tbody:first-of-type tr').length";
        browser.until(rows, &json!(counts.len()));
        assert_eq!(shown(&mut browser), expected(&counts), "after {:?}", &line[..length]);
        let Some(next) = line.get(length) else { break };
        // The next move by a click on its row.
        browser.value(&format!(
            "[...document.querySelectorAll('.explorer-moves tbody tr')]
                .find((row) => row.querySelector('button').dataset.move === {next:?})
                .setAttribute('data-next', '')"
        ));
        click(&mut browser, ".explorer-moves [data-next] button");
        browser.until("document.querySelector('.path [aria-current]')?.dataset.move", &json!(next));
    }
    assert!(text(&mut browser, ".samples").contains("one"), "the games themselves are listed");
    nothing_is_wrong(&mut browser, &server);
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn proven_values_stand_beside_the_moves() {
    let dir = tempfile::tempdir().unwrap();
    tournament(dir.path());
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    let proof = "document.querySelector('.proven span')?.textContent";
    let moves = "[...document.querySelectorAll('.explorer-moves tbody tr')].map((row) =>
        `${row.querySelector('button').dataset.move} ${row.querySelector('.proof')?.textContent}`).sort().join()";
    let expected = "d2e3A White does not win,d3e3A Draw,d3e3W White does not win,\
                    e2e3A White does not win,f2e3A Draw";
    open(&mut browser, &server, "/explorer");
    browser.until(proof, &json!("Proven: a draw with best play"));
    assert_eq!(browser.value(moves), expected);
    // The same beside the analysis.
    open(&mut browser, &server, "/analyse");
    browser.until("document.querySelector('.stone.movable') !== null", &json!(true));
    click(&mut browser, ".tab-list a[href='#tab-explorer']");
    browser.until(moves, &json!(expected));
    click(&mut browser, ".explorer-moves [data-move=f2e3A]");
    browser.until("location.hash.includes('moves=f2e3A')", &json!(true));
    browser.until(proof, &json!("Proven: a draw with best play"));
    // All of it on a page, with a line to each first move.
    let shown = "document.querySelector('.explorer-moves [data-move=f2e3A]') !== null";
    browser.until(shown, &json!(false));
    click(&mut browser, ".proven a");
    let firsts = "[...document.querySelectorAll('.first')].map((card) =>
        `${card.dataset.move} ${card.querySelector('.proof').textContent}`).sort().join()";
    browser.until(firsts, &json!(expected));
    click(&mut browser, ".first[data-move=e2e3A] .controls a");
    browser.until("document.querySelectorAll('.moves [data-ply]').length", &json!(13));
    // A game goes on from there, with the stones and the side of the position.
    open(&mut browser, &server, "/solved");
    browser.until(firsts, &json!(expected));
    click(&mut browser, ".first[data-move=e2e3A] .controls a:last-child");
    browser.until("document.querySelectorAll('.setup-board .stone').length", &json!(42));
    assert!(
        text(&mut browser, ".setup")
            .starts_with("The game goes on from this position, with Black to move.")
    );
    nothing_is_wrong(&mut browser, &server);
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn games_are_chosen_by_rating_and_kind() {
    let dir = tempfile::tempdir().unwrap();
    tournament(dir.path());
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    open(&mut browser, &server, "/explorer");
    let games = "document.querySelectorAll('.samples li').length > 0";
    browser.until(games, &json!(true));
    click(&mut browser, ".tab-list a[href='#tab-filter']");
    // No two engines are both above their mean.
    choose(&mut browser, "Both players rated", "200");
    browser.until(games, &json!(false));
    choose(&mut browser, "Both players rated", "");
    browser.until(games, &json!(true));
    click(&mut browser, ".filter fieldset label:nth-child(2)");
    browser.until("location.hash.includes('+w+w+')", &json!(true));
    nothing_is_wrong(&mut browser, &server);
}

/// Runs before a page's scripts: every move of the explorer has results with thin parts.
const THIN: &str = "
const ask = window.fetch;
window.fetch = async (...question) => {
    const answer = await ask(...question);
    if (!String(question[0]).endsWith('/api/explorer')) return answer;
    const said = await answer.json();
    said.moves.forEach((move, at) => {
        Object.assign(move, { games: 100, white: 14 + 2 * at, draws: 62, black: 24 - 2 * at });
    });
    return new Response(JSON.stringify(said));
};";

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn numbers_in_the_bars_are_whole_or_not_there() {
    let dir = tempfile::tempdir().unwrap();
    tournament(dir.path());
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    browser.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": THIN }));
    // The numbers that are seen, and those of them that are wider than their part.
    let numbers = "(() => {
        const parts = [...document.querySelectorAll('.result-bar span')];
        const widthOf = (part) => {
            const range = document.createRange();
            range.selectNodeContents(part);
            return range.getBoundingClientRect().width;
        };
        const seen = parts.filter((part) => widthOf(part) > 0);
        const cut = seen.filter((part) => widthOf(part) > part.getBoundingClientRect().width);
        return [seen.length > 0, cut.map((part) => part.textContent)];
    })()";
    for width in [360, 390, 800, 1280] {
        screen(&mut browser, width, 800);
        open(&mut browser, &server, "/explorer");
        browser.until("document.querySelectorAll('.result-bar').length > 2", &json!(true));
        assert_eq!(browser.value(numbers), json!([true, []]), "{width}");
    }
    nothing_is_wrong(&mut browser, &server);
}
