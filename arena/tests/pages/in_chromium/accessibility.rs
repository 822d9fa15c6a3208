//! The rules of axe-core (https://github.com/dequelabs/axe-core) on every page.

use std::io::{Write, stderr};

use serde_json::{Value, json};

use super::{
    begin_game, by_click, click, click_button, colours, nothing_is_wrong, open_filled, screen,
};
use crate::devtools::Browser;
use crate::pages::server::Server;
use crate::pages::{serve, tournament};

/// The violations on the page as it is now: rule, what it says, and the elements.
fn violations(browser: &mut Browser, axe: &str) -> Vec<String> {
    // The pages' policy forbids scripts from elsewhere; the protocol runs them all the same.
    browser.value(&format!("{axe}; undefined"));
    let found = browser.value(
        "axe.run(document, { resultTypes: ['violations'] }).then(({ violations, passes }) => ({
            passes: passes.length,
            violations: violations.map(({ id, help, nodes }) => `${id} (${help}): ` +
                nodes.slice(0, 4).map(({ html, any, all, none }) => html.slice(0, 200) + ' ' +
                    [...any, ...all, ...none].map(({ message }) => message).join('; ')).join(' | ')),
        }))",
    );
    assert!(found["passes"].as_u64() > Some(10), "axe-core has looked at nothing: {found}");
    let found: &Vec<Value> = found["violations"].as_array().unwrap();
    found.iter().map(|one| one.as_str().unwrap().to_owned()).collect()
}

/// Pages that show something only after clicks.
fn after_clicks(browser: &mut Browser, server: &Server, name: &str) {
    match name {
        "a game" => {
            begin_game(browser, server, by_click);
            browser.until("document.querySelector('.stone.movable') !== null", &json!(true));
        }
        _ => {
            open_filled(browser, server, "/play");
            browser.until("document.querySelector('.bar .help') !== null", &json!(true));
            click(browser, ".bar .help");
            browser.until("document.querySelector('dialog').open", &json!(true));
        }
    }
}

#[test]
#[ignore = "needs Chromium, and AXE=axe.min.js (npm pack axe-core)"]
fn every_page_keeps_the_rules_of_axe() {
    let Some(path) = std::env::var_os("AXE") else {
        // Not through what captures a test's output. If standard error is closed, the note is dropped.
        let _ =
            writeln!(stderr(), "NOT RUN: the rules of axe-core: AXE does not name its axe.min.js");
        return;
    };
    let axe = std::fs::read_to_string(path).expect("AXE names a file");
    let dir = tempfile::tempdir().unwrap();
    tournament(dir.path());
    let server = serve(dir.path());
    let library = server.json("/api/library");
    let id = library["tournaments"][0]["id"].as_str().unwrap();
    let (page, replay) = (format!("/t/{id}"), format!("/t/{id}#g=1"));
    let analysed = format!("/analyse#t={id}&g=1");
    let names = [
        "/",
        &page,
        &replay,
        "/analyse",
        &analysed,
        "/explorer",
        "/solved",
        "/puzzles",
        "/play",
        "/learn",
        "keys",
        "a game",
    ];
    let mut browser = Browser::start(&dir.path().join("profile"));
    let mut wrong = Vec::new();
    for (width, height) in [(390, 844), (1280, 800)] {
        screen(&mut browser, width, height);
        for scheme in ["light", "dark"] {
            colours(&mut browser, scheme);
            for name in names {
                if name.starts_with('/') {
                    open_filled(&mut browser, &server, name);
                } else {
                    after_clicks(&mut browser, &server, name);
                }
                let found = violations(&mut browser, &axe);
                wrong.extend(found.iter().map(|one| format!("{name} {width} {scheme}: {one}")));
                nothing_is_wrong(&mut browser, &server);
                if name == "a game" {
                    click_button(&mut browser, "New game");
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
