//! Pages on small and large screens.

use serde_json::json;

use super::{click, colours, nothing_is_wrong, open_filled, screen, text};
use crate::devtools::Browser;
use crate::pages::{serve, tournament};

/// Every page fits on a phone and on a large screen, in both themes, and has no error.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn every_page_fits_on_every_screen() {
    let dir = tempfile::tempdir().unwrap();
    tournament(dir.path());
    let server = serve(dir.path());
    let library = server.json("/api/library");
    let id = library["tournaments"][0]["id"].as_str().unwrap();
    let mut browser = Browser::start(&dir.path().join("profile"));
    for (width, height) in [(360, 740), (390, 844), (768, 1024), (1280, 800), (1920, 1080)] {
        screen(&mut browser, width, height);
        for scheme in ["light", "dark"] {
            colours(&mut browser, scheme);
            let (page, replay) = (format!("/t/{id}"), format!("/t/{id}#g=1"));
            let game = format!("/analyse#t={id}&g=1");
            let study = ["/play", "/learn", "/analyse", &game, "/explorer", "/puzzles", "/solved"];
            for path in ["/", &page, &replay].into_iter().chain(study) {
                open_filled(&mut browser, &server, path);
                let needed = browser.value("document.documentElement.scrollWidth");
                assert!(needed.as_u64().unwrap() <= width, "{path}: {needed} of {width}");
                nothing_is_wrong(&mut browser, &server);
            }
        }
    }
}

/// The panel beside the board has the width for its lines, the board the height of the window; on a
/// phone the buttons of the moves stay in reach of a thumb.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn the_panel_of_the_analysis_keeps_its_place() {
    let dir = tempfile::tempdir().unwrap();
    tournament(dir.path());
    let server = serve(dir.path());
    let id = server.json("/api/library")["tournaments"][0]["id"].as_str().unwrap().to_owned();
    let mut browser = Browser::start(&dir.path().join("profile"));
    for (width, height) in [(360, 740), (390, 844), (1280, 800), (1920, 1080)] {
        screen(&mut browser, width, height);
        open_filled(&mut browser, &server, &format!("/analyse#t={id}&g=1"));
        let boxes = browser.value(
            "['.desk-board', '.desk-side', '.graph-strip', '.desk-side .walk'].map((it) => {
                const box = document.querySelector(it).getBoundingClientRect();
                return [box.left, box.top, box.right, box.bottom];
            })",
        );
        let side = |of: usize, edge: usize| boxes[of][edge].as_f64().unwrap();
        let (width, height) = (width as f64, height as f64);
        if width > 1000.0 {
            let panel = side(1, 2) - side(1, 0);
            assert!((420.0..=520.0).contains(&panel), "{width}: {panel}");
            assert!(side(0, 3) <= height, "{width}: the board is cut off");
            assert!(side(2, 3) <= height, "{width}: the graph is not in view");
        }
        // The tabs show one part each.
        for part in ["lines", "moves", "review", "explorer"] {
            let shown = browser.value(&format!(
                "(() => {{
                    document.querySelector('[href=\"#tab-{part}\"]').click();
                    const parts = [...document.querySelectorAll('.tab-part')];
                    return parts.filter((it) => it.checkVisibility()).map((it) => it.id).join();
                }})()"
            ));
            assert_eq!(shown, format!("tab-{part}"), "{width}");
        }
        let walk = browser.value(
            "(() => {
                window.scrollTo(0, 200);
                const box = document.querySelector('.desk-side .walk').getBoundingClientRect();
                return box.bottom <= innerHeight + 1 && box.height >= 40;
            })()",
        );
        assert_eq!(walk, true, "{width}");
        nothing_is_wrong(&mut browser, &server);
    }
}

/// On a phone the bar is one line, and its button leads to every page.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_narrow_bar_leads_to_every_page() {
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    let links =
        "[...document.querySelectorAll('.bar nav a')].filter((it) => it.checkVisibility()).length";
    screen(&mut browser, 360, 740);
    open_filled(&mut browser, &server, "/puzzles");
    let bar = browser.value("document.querySelector('.bar').getBoundingClientRect().height");
    assert!(bar.as_f64().unwrap() < 60.0, "{bar} pixels");
    assert_eq!(browser.value(links), 0);
    click(&mut browser, ".bar .menu");
    browser.until(&format!("{links} > 4"), &json!(true));
    click(&mut browser, ".bar nav a[href='/explorer']");
    browser.until("document.body?.dataset.page", &json!("explorer"));
    screen(&mut browser, 1280, 800);
    browser.until(&format!("{links} > 4"), &json!(true));
    nothing_is_wrong(&mut browser, &server);
}

/// Sounds are off until the user wants them, and stay as they were chosen.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn sounds_are_off_until_they_are_switched_on() {
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    open_filled(&mut browser, &server, "/puzzles");
    let tones = "(window.AudioContext = class {
        constructor() { this.currentTime = 0; window.tones = 0; }
        createOscillator() { return { frequency: this.ramp(), connect: (to) => to, start() { window.tones += 1; }, stop() {} }; }
        createGain() { return { gain: this.ramp(), connect: (to) => to }; }
        ramp() { return { setValueAtTime() {}, exponentialRampToValueAtTime() {} }; }
    }, window.tones ?? 0)";
    assert_eq!(browser.value(tones), 0);
    let is_on = "document.getElementById('sounds').checked";
    assert_eq!(browser.value(is_on), false);
    click(&mut browser, "#settings-button");
    click(&mut browser, "#sounds");
    // One sound says that they are on.
    browser.until("window.tones", &json!(1));
    open_filled(&mut browser, &server, "/play");
    assert_eq!(browser.value(is_on), true);
    nothing_is_wrong(&mut browser, &server);
}

/// A finished tournament begins with its result, and each tab shows its part.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_finished_tournament_begins_with_its_result() {
    let dir = tempfile::tempdir().unwrap();
    tournament(dir.path());
    let server = serve(dir.path());
    let library = server.json("/api/library");
    let id = library["tournaments"][0]["id"].as_str().unwrap();
    let mut browser = Browser::start(&dir.path().join("profile"));
    open_filled(&mut browser, &server, &format!("/t/{id}"));
    let parts = "[...document.querySelectorAll('.part.result, .tab-list')].filter((it) => it.checkVisibility())
        .map((it) => it.className.split(' ').pop())";
    assert_eq!(browser.value(parts)[0], "result");
    assert_eq!(browser.value(parts)[1], "tab-list");
    let shown = "[...document.querySelectorAll('.about > .tabs > .part')].filter((it) => !it.hidden).map((it) => it.id)";
    assert_eq!(browser.value(shown), json!(["about-standings"]));
    for (tab, what) in
        [("games", ".games tbody tr"), ("table", "#crosstable"), ("setting", "#setting")]
    {
        click(&mut browser, &format!("#about-{tab}-tab"));
        assert_eq!(browser.value(shown), json!([format!("about-{tab}")]));
        browser.until(
            &format!("document.querySelector('{what}')?.checkVisibility() ?? false"),
            &json!(true),
        );
    }
    assert_eq!(text(&mut browser, "#about-table-tab"), "Table");
    nothing_is_wrong(&mut browser, &server);
}

/// A printed tournament has every tab's part, one below the other, and nothing that is empty.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_printed_tournament_has_its_parts_and_no_empty_ones() {
    let dir = tempfile::tempdir().unwrap();
    tournament(dir.path());
    let server = serve(dir.path());
    let id = server.json("/api/library")["tournaments"][0]["id"].as_str().unwrap().to_owned();
    let mut browser = Browser::start(&dir.path().join("profile"));
    screen(&mut browser, 794, 1123);
    open_filled(&mut browser, &server, &format!("/t/{id}"));
    browser.until("document.querySelector('#crosstable') !== null", &json!(true));
    browser.call("Emulation.setEmulatedMedia", json!({ "media": "print" }));
    let shown =
        "['.bar', '.tab-list', '.replay', '.watch', '.games tbody', '#standings', '#crosstable']
        .map((it) => document.querySelector(it).checkVisibility())";
    let expected = json!([false, false, false, false, true, true, true]);
    assert_eq!(browser.value(shown), expected);
    // The list of games ends above what follows.
    let below = "document.querySelector('.games table').getBoundingClientRect().bottom
        <= document.querySelector('#standings').getBoundingClientRect().top";
    assert_eq!(browser.value(below), true);
}
