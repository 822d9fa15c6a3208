//! The pages in a real browser.

use std::fs;

use serde_json::{Value, json};

use crate::devtools::Browser;
use crate::server::Server;
use crate::{CONFIG, bots, serve, tournament};

/// No error on the console, and no request to another place.
fn nothing_is_wrong(browser: &Browser, server: &Server) {
    let errors: Vec<&Value> = browser.console();
    assert!(errors.is_empty(), "{errors:?}");
    let own = format!("http://{}/", server.host);
    let requests = browser.requests();
    let foreign: Vec<_> =
        requests.iter().filter(|url| !url.starts_with(&own) && !url.starts_with("data:")).collect();
    assert!(foreign.is_empty(), "{foreign:?}");
}

fn open(browser: &mut Browser, server: &Server, path: &str) {
    browser.open(&format!("http://{}{path}", server.host));
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_move_appears_on_the_board_within_a_second() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("live.toml"), CONFIG).unwrap();
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
            const watcher = new MutationObserver(() => {
                const now = performance.now();
                gaps.push(now - last);
                last = now;
                if (gaps.length > 60) { watcher.disconnect(); done(gaps); }
            });
            for (const board of document.querySelectorAll('svg')) {
                watcher.observe(board, { childList: true, subtree: true });
            }
            setTimeout(() => { watcher.disconnect(); done(gaps); }, 20000);
        })",
    );
    let gaps: Vec<f64> = changes.as_array().unwrap().iter().filter_map(Value::as_f64).collect();
    assert!(gaps.len() > 10, "{gaps:?}");
    let mut sorted = gaps.clone();
    sorted.sort_by(f64::total_cmp);
    assert!(sorted[sorted.len() / 2] < 1000.0, "{gaps:?}");
    nothing_is_wrong(&browser, &server);
}

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
    for (width, height) in [(390_u64, 844_u64), (1280, 800), (1920, 1080)] {
        let screen = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width == 390,
        });
        browser.call("Emulation.setDeviceMetricsOverride", screen);
        for scheme in ["light", "dark"] {
            let feature = json!({ "name": "prefers-color-scheme", "value": scheme });
            browser.call("Emulation.setEmulatedMedia", json!({ "features": [feature] }));
            for path in ["/", &format!("/t/{id}"), "/play", "/analyse", "/explorer"] {
                open(&mut browser, &server, path);
                browser.until("document.querySelector('#app h1, #app h2') !== null", &json!(true));
                browser.value("new Promise((done) => setTimeout(done, 700))");
                let needed = browser.value("document.documentElement.scrollWidth");
                assert!(needed.as_u64().unwrap() <= width, "{path}: {needed} of {width}");
                nothing_is_wrong(&browser, &server);
            }
        }
    }
}
