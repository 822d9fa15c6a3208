//! Every text that a page shows in another language is one of that language: the texts are marked
//! when the page loads them, and what stands outside the marks is from elsewhere.

use std::path::Path;

use fanorona_pages::files::RATINGS;
use serde_json::{Value, json};

use super::super::sections::{four, served};
use super::super::{CONFIG, ERRS, LEAVES, tournament};
use super::site::{Host, modules};
use super::{click, nothing_is_wrong, open, open_filled};
use crate::devtools::Browser;
use crate::pages::serve;
use crate::pages::server::Server;

/// Runs before a page's scripts: it speaks a language, with marks around what stands between the values of a
/// text.
const MARKS: &str = r"
localStorage.setItem('language', 'LANGUAGE');
const between = (part) => (/^\{\w+\}$/.test(part) || !/\p{L}/u.test(part) ? part : `⟦${part}⟧`);
const marked = (text) => text.split(/(\{\w+\})/).map(between).join('');
const formed = (text) => (typeof text === 'string' ? marked(text) : Object.fromEntries(Object.entries(text).map(([form, words]) => [form, marked(words)])));
const all = (texts) => Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, formed(text)]));
// Those with which the page begins are modules of its program, and more are added to them.
window.$modules = {};
const added = { set: (texts, key, text) => Reflect.set(texts, key, formed(text)) };
for (const name of new Set(['fr.json', 'LANGUAGE.json'])) {
    const set = (module) => Object.defineProperty(window.$modules, name, { value: () => new Proxy(all(module()), added) });
    Object.defineProperty(window.$modules, name, { set, enumerable: true, configurable: true });
}
const ask = window.fetch;
window.fetch = async (...question) => {
    const answer = await ask(...question);
    if (!String(question[0]).endsWith('LANGUAGE.json')) return answer;
    return new Response(JSON.stringify(all(await answer.json())));
};";

/// The texts of the page with words outside the marks: neither names, moves or positions, nor said to be
/// English. Every other text is one of the language.
const OUTSIDE: &str = r#"(() => {
    const known = /⟦[^⟧]*⟧|\b(?:[a-i][1-9])+(?:[AW][a-i][1-9])*[AW]?\b|\b(?:[a-i][1-9][AW]?){2,}|\b(?:Fanorona Arena|Tsivy|Dimy|Telo|Vakiloha|Lehavanana|Lehavia|Kobaka (?:Fohy|Lava)|vela|FGN|Elo|LOS|Buchholz|PNG|SVG|GIF|Home|End|Tab|Enter|Esc|Backspace|Space|min|\d*ms|[\d.+s]+s|nodes=\d+)\b|\bbot-\w+/gu;
    const names = NAMES;
    const rest = (text) => names.reduce((text, name) => text.replaceAll(name, ' '), text.replace(known, ' ')).trim();
    const isWord = (text) => /\p{L}{2,}/u.test(rest(text));
    const isLeft = (element) => element.closest('script, style, code, pre, bdi, noscript, #language, [lang=en]');
    const found = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const { currentNode: { textContent, parentElement } } = walk;
        if (!isLeft(parentElement) && isWord(textContent)) found.push(textContent.trim());
    }
    for (const name of ['title', 'aria-label', 'placeholder', 'aria-valuetext', 'data-empty']) {
        for (const element of document.querySelectorAll(`[${name}]`)) {
            if (!isLeft(element) && isWord(element.getAttribute(name))) found.push(`${name}: ${element.getAttribute(name)}`);
        }
    }
    return [...new Set(found)];
})()"#;

/// A browser that marks the texts.
fn marking(dir: &Path, language: &str) -> Browser {
    let mut browser = Browser::start(&dir.join("profile"));
    let source = MARKS.replace("LANGUAGE", language);
    browser.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": source }));
    browser
}

/// Everything that the page shows is in its language. `names` are those of engines and tournaments.
fn all_is_said(browser: &mut Browser, names: &[&str], at: &str) {
    let outside = browser.value(&OUTSIDE.replace("NAMES", &json!(names).to_string()));
    assert_eq!(outside, json!([]), "{at}");
    let marked = browser.value("document.querySelector('#app').textContent.includes('⟦')");
    assert_eq!(marked, true, "{at} has no texts");
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_site_in_french_shows_no_other_texts() {
    let Some(modules) = modules() else { return };
    let dir = tempfile::tempdir().unwrap();
    let host = Host::of_site(dir.path(), &modules);
    let mut browser = marking(dir.path(), "fr");
    // The engines of the explorer's games, a longer name before one that it begins with.
    let mut names = RATINGS.map(|(name, _)| name);
    names.sort_unstable_by_key(|name| std::cmp::Reverse(name.len()));
    let open = |browser: &mut Browser, page: &str, filled: &str| {
        browser.open(&host.page(page));
        browser.until(&format!("document.querySelector({filled:?}) !== null"), &json!(true));
        all_is_said(browser, &names, page);
    };
    open(&mut browser, "", ".front h1");
    open(&mut browser, "learn.html", ".board .stone");
    open(&mut browser, "puzzles.html", ".desk .stone.movable");
    open(&mut browser, "explorer.html", ".table-box tbody tr");
    open(&mut browser, "play.html", ".setup-board .stone");
    click(&mut browser, "form.setup [type=submit]");
    browser.until("document.querySelector('.desk .stone.movable') !== null", &json!(true));
    all_is_said(&mut browser, &[], "a game");
    // A game with mistakes, reviewed; its last move lets the opponent take many stones.
    let game = "analyse.html#fen=bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w - 0 1&review=yes&moves=\
                f2e3A f3f2A d3d4A c3d3A d4e3Af3W f4e3Ad3Wd2A e2f2Wg3Af3Wf4Ae3W g4g3Af2Ag1Wf1W";
    open(&mut browser, &game.replace(' ', "%20"), "ol.mistakes li");
    click(&mut browser, "a[href='#tab-lines']");
    click(&mut browser, ".engine-panel .switch");
    browser.until("document.querySelectorAll('ol.lines li').length", &json!(3));
    all_is_said(&mut browser, &[], "an engine's lines");
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_tournament_in_french_shows_no_other_texts() {
    let dir = tempfile::tempdir().unwrap();
    tournament(dir.path());
    let server = serve(dir.path());
    let mut browser = marking(dir.path(), "fr");
    let names = ["one", "two", "live", "small", "results"];
    let open = |browser: &mut Browser, server: &Server, path: &str| {
        open_filled(browser, server, path);
        all_is_said(browser, &names, path);
    };
    open(&mut browser, &server, "/");
    let id: Value = server.json("/api/library")["tournaments"][0]["id"].clone();
    let page = format!("/t/{}", id.as_str().unwrap());
    open(&mut browser, &server, &page);
    assert!(CONFIG.contains("name = \"live\""));
    for tab in ["standings", "table", "setting", "games"] {
        click(&mut browser, &format!("a[href='#about-{tab}']"));
        all_is_said(&mut browser, &names, tab);
    }
    click(&mut browser, ".games tbody a");
    browser.until("document.querySelector('#board .stone') !== null", &json!(true));
    all_is_said(&mut browser, &names, "a replay");
    open(&mut browser, &server, "/explorer");
}

/// Formats, a test, faults and errors that engines report, in every other language.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn the_results_of_every_format_are_said() {
    let two = CONFIG.replace("rounds = 100", "rounds = 2").replace("20ms", "nodes=50");
    let engine = "command = \"bot-greedy\"\n";
    for config in [
        two.replacen("[[engine]]", "[sprt]\nelo0 = 0\nelo1 = 1\n[[engine]]", 1),
        two.replacen(engine, LEAVES, 1),
        two.replacen(engine, ERRS, 1),
        four("format = \"knockout\"\n"),
        four("format = \"swiss\"\nstages = 2\n"),
        four("format = \"race\"\n"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let (server, id) = served(dir.path(), &config);
        for language in ["fr", "mg"] {
            let mut browser = marking(&dir.path().join(language), language);
            open_filled(&mut browser, &server, &format!("/t/{id}"));
            let shown = "[...document.querySelectorAll('a[href^=\"#about-\"]')]
                .filter((tab) => !tab.parentElement.hidden).map((tab) => tab.hash)";
            for tab in browser.value(shown).as_array().unwrap() {
                click(&mut browser, &format!("a[href={tab}]"));
                let names = ["one", "two", "three", "four", "live", "small", "results"];
                all_is_said(&mut browser, &names, &format!("{tab} in {language}\n{config}"));
            }
        }
    }
}

/// The pages make their sentence from facts. In English it is that of the report and of the terminal.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn the_outcome_in_english_is_that_of_the_report() {
    let games = "format = \"match\"\n";
    let two = CONFIG.replace("rounds = 100", "rounds = 2").replace("20ms", "nodes=50");
    for config in [
        two.clone(),
        two.replacen("[[engine]]", "[sprt]\nelo0 = 0\nelo1 = 1\n[[engine]]", 1),
        two.replace(games, "format = \"round-robin\"\n").replace("rounds = 2", "rounds = 20"),
        four("format = \"knockout\"\n"),
        four("format = \"swiss\"\nstages = 2\n"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let (server, id) = served(dir.path(), &config);
        let mut browser = Browser::start(&dir.path().join("profile"));
        open(&mut browser, &server, &format!("/t/{id}"));
        let sentence = server.json(&format!("/api/t/{id}"))["outcome"]["sentence"].clone();
        let sentence = format!("{}.", sentence.as_str().unwrap().replace('\'', "’")).to_lowercase();
        // Pages group the digits of large numbers.
        let plain = "?.textContent.toLowerCase().replace(/(\\d),(\\d)/g, '$1$2') ?? ''";
        let answer = format!("document.querySelector('#result .answer p'){plain}");
        browser.until(&answer, &json!(sentence));
        nothing_is_wrong(&mut browser, &server);
        open(&mut browser, &server, "/");
        let line = format!("document.querySelector('.card .headline'){plain}");
        browser.until(&line, &json!(sentence));
    }
}

/// Without the token and with it, at addresses of nothing; and a game that there is not.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn errors_in_french_show_no_other_texts() {
    let dir = tempfile::tempdir().unwrap();
    tournament(dir.path());
    let server = serve(dir.path());
    let mut browser = marking(dir.path(), "fr");
    let title = "document.title.replace(/[⟦⟧]/g, '')";
    browser.open(&format!("http://{}/", server.host));
    browser.until("document.documentElement.lang", &json!("fr"));
    all_is_said(&mut browser, &[], "a browser that is not let in");
    browser.until(title, &json!("Accès refusé – Fanorona Arena"));
    for path in ["/nothing", "/t/nothing", "/t/nothing/report"] {
        open(&mut browser, &server, path);
        browser.until("document.documentElement.lang", &json!("fr"));
        all_is_said(&mut browser, &[], path);
        browser.until(title, &json!("Introuvable – Fanorona Arena"));
    }
    let id: Value = server.json("/api/library")["tournaments"][0]["id"].clone();
    open(&mut browser, &server, &format!("/t/{}#g=99999", id.as_str().unwrap()));
    let error =
        "(document.querySelector('#app > .error p')?.textContent ?? '').replace(/[⟦⟧]/g, '')";
    browser.until(error, &json!("Il n’y a pas de partie terminée 99999."));
}
