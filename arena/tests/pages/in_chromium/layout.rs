//! Pages on small and large screens.

use super::{colours, nothing_is_wrong, open_filled, screen};
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
    for (width, height) in [(390, 844), (1280, 800), (1920, 1080)] {
        screen(&mut browser, width, height);
        for scheme in ["light", "dark"] {
            colours(&mut browser, scheme);
            let (page, replay) = (format!("/t/{id}"), format!("/t/{id}#g=1"));
            for path in
                ["/", &page, &replay, "/play", "/learn", "/analyse", "/explorer", "/puzzles"]
            {
                open_filled(&mut browser, &server, path);
                let needed = browser.value("document.documentElement.scrollWidth");
                assert!(needed.as_u64().unwrap() <= width, "{path}: {needed} of {width}");
                nothing_is_wrong(&mut browser, &server);
            }
        }
    }
}
