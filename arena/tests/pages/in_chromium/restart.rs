//! Pages whose server ends, or begins again.

use serde_json::json;

use super::{begin_game, by_click, click_button, open, open_filled};
use crate::devtools::Browser;
use crate::pages::server::Server;
use crate::pages::{bots, serve};

/// What the page says of its server; empty if nothing is wrong.
const SAID: &str = "(() => {
    const said = document.querySelector('.lost');
    return said && !said.hidden && said.checkVisibility() ? said.textContent : '';
})()";

fn says(browser: &mut Browser, part: &str) {
    browser.until(&format!("({SAID}).includes({part:?})"), &json!(true));
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn every_page_says_that_its_server_is_gone() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    let mut browser = Browser::start(&dir.path().join("profile"));
    for path in ["/", "/play", "/analyse", "/explorer", "/puzzles"] {
        let server = serve(dir.path());
        open_filled(&mut browser, &server, path);
        assert_eq!(browser.value(SAID), "", "{path}");
        server.kill();
        says(&mut browser, "does not answer");
    }
}

/// The buttons of a page work again once the browser has been let in by the new server.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_page_goes_on_with_a_server_that_was_restarted() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    let mut browser = Browser::start(&dir.path().join("profile"));
    let server = serve(dir.path());
    begin_game(&mut browser, &server, by_click);
    browser.until("document.querySelector('.stone.movable') !== null", &json!(true));
    let host = server.host.clone();
    server.kill();
    says(&mut browser, "does not answer");
    let server = Server::start(dir.path(), &["serve", "--listen", &host]);
    says(&mut browser, "Open the address that it printed");
    browser.window(&server.address("/"));
    browser.until(SAID, &json!(""));
    let gone = "document.querySelector('#app .error')?.textContent ?? ''";
    browser.until(&format!("({gone}).includes('The engine has ended')"), &json!(true));
    click_button(&mut browser, "Start it again");
    browser.until(gone, &json!(""));
    assert_eq!(browser.value(SAID), "");
    // A page of the new server is as usual.
    open(&mut browser, &server, "/");
    browser.until("document.querySelector('h1')?.textContent", &json!("Fanorona"));
}
