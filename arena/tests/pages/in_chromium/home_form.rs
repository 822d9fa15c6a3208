//! The form of the first page, which starts a tournament of each format.

use std::fs;

use serde_json::{Value, json};

use super::{choose, click, english, open};
use crate::devtools::Browser;
use crate::pages::server::Server;
use crate::pages::{bots, serve};

/// Opens the form on the first page and ticks some of the engines.
fn open_form(browser: &mut Browser, server: &Server, engines: &[&str]) {
    open(browser, server, "/");
    browser.until("document.querySelector('.start-one summary') !== null", &json!(true));
    click(browser, ".start-one summary");
    browser.value(&format!(
        "for (const tick of document.querySelectorAll('.new-tournament .tick')) {{
            const name = tick.querySelector('bdi')?.textContent;
            if (name && {engines:?}.includes(name) !== tick.querySelector('input').checked) tick.querySelector('input').click();
        }}"
    ));
}

/// Fills the field with a label.
fn fill(browser: &mut Browser, label: &str, number: &str) {
    let label = english(label);
    let filled = browser.value(&format!(
        "(() => {{
            const field = [...document.querySelectorAll('.new-tournament .field')].find((one) => one.firstChild.textContent === {label:?});
            if (!field) return false;
            const input = field.querySelector('input');
            input.value = {number:?};
            input.dispatchEvent(new Event('change', {{ bubbles: true }}));
            return true;
        }})()"
    ));
    assert_eq!(filled, json!(true), "there is no field {label}");
}

/// The labels of the fields that the chosen format has of its own.
fn own_fields(browser: &mut Browser) -> Value {
    browser.value("[...document.querySelectorAll('.of-format .field > span')].map((span) => span.textContent)")
}

const CONFIG: &str = "document.querySelector('.config-text').textContent";

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn the_form_starts_a_tournament_of_every_format() {
    bots();
    let three = ["bot-alphabeta", "bot-greedy", "bot-random"];
    let two = &three[1..];
    for (format, engines, fields, games, lines) in [
        (
            "round-robin",
            &three[..],
            &["games"][..],
            "games",
            &["format = \"round-robin\"", "rounds = 1"][..],
        ),
        ("gauntlet", &three, &["games"], "games", &["format = \"gauntlet\"", "rounds = 1"]),
        (
            "swiss",
            &three,
            &["encounter", "stages"],
            "encounter",
            &["format = \"swiss\"", "stages = 2", "rounds = 1"],
        ),
        (
            "knockout",
            &three,
            &["encounter", "tiebreaks"],
            "encounter",
            &["format = \"knockout\"", "tiebreaks = 1"],
        ),
        (
            "sprt",
            two,
            &["most", "elo0", "elo1"],
            "most",
            &["format = \"match\"", "[sprt]", "elo0 = 5.0", "elo1 = 30.0"],
        ),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let server = serve(dir.path());
        let mut browser = Browser::start(&dir.path().join("profile"));
        open_form(&mut browser, &server, engines);
        choose(&mut browser, &english("home.limit"), "10ms");
        choose(&mut browser, &english("home.format"), format);
        let labels: Vec<String> =
            fields.iter().map(|key| english(&format!("home.{key}"))).collect();
        assert_eq!(own_fields(&mut browser), json!(labels), "{format}");
        fill(&mut browser, &format!("home.{games}"), "2");
        match format {
            "knockout" => fill(&mut browser, "home.tiebreaks", "1"),
            "sprt" => {
                fill(&mut browser, "home.elo0", "5");
                fill(&mut browser, "home.elo1", "30");
            }
            _ => {}
        }
        for line in ["limit = \"10ms\""].iter().chain(lines) {
            browser.until(&format!("{CONFIG}.includes({line:?})"), &json!(true));
        }
        let shown = browser.value(CONFIG);
        click(&mut browser, ".new-tournament [type=submit]");
        let state = "document.querySelector('.head .state')?.textContent ?? ''";
        browser.until(state, &json!(english("run.finished")));
        let configs = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().path());
        let configs: Vec<_> =
            configs.filter(|path| path.extension().is_some_and(|it| it == "toml")).collect();
        assert_eq!(configs.len(), 1, "{configs:?}");
        assert_eq!(json!(fs::read_to_string(&configs[0]).unwrap()), shown);
    }
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_form_that_cannot_be_played_says_why() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    let says = |browser: &mut Browser, key: &str| {
        browser.until(CONFIG, &json!(english(&format!("refused.{key}"))));
        let refused = "document.querySelector('.new-tournament [type=submit]').disabled";
        browser.until(refused, &json!(true));
    };
    let engines = ["bot-alphabeta", "bot-greedy", "bot-random"];
    open_form(&mut browser, &server, &engines);
    choose(&mut browser, &english("home.format"), "sprt");
    says(&mut browser, "form-two");
    choose(&mut browser, &english("home.format"), "swiss");
    fill(&mut browser, "home.stages", "3");
    says(&mut browser, "form-stages");
    open_form(&mut browser, &server, &engines[..2]);
    choose(&mut browser, &english("home.format"), "sprt");
    fill(&mut browser, "home.elo1", "-5");
    says(&mut browser, "form-bounds");
    open_form(&mut browser, &server, &engines[..1]);
    says(&mut browser, "no-engines");
}
