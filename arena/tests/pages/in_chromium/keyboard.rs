//! A game without a mouse.

use fanorona_protocol::rules::{BoardSize, Point, Ruleset, Start};
use serde_json::json;

use super::by_hand::{Way, moves_are_offered};
use super::{begin_game, nothing_is_wrong};
use crate::devtools::Browser;
use crate::pages::{bots, serve};

/// Presses Tab until an expression holds.
fn tab_to(browser: &mut Browser, expression: &str) {
    for _ in 0..60 {
        if browser.value(expression) == true {
            return;
        }
        browser.press("Tab");
    }
    panic!("Tab does not lead to where {expression}");
}

/// The point that has the focus.
fn focused(browser: &mut Browser) -> String {
    let name = browser.value("document.activeElement.dataset.point ?? ''");
    name.as_str().unwrap().to_owned()
}

/// Goes from point to point with the arrow keys.
fn walk_to(browser: &mut Browser, point: Point) {
    let wanted = point.to_string();
    for _ in 0..20 {
        let at = focused(browser);
        let (here, there) = (at.as_bytes(), wanted.as_bytes());
        assert!(here.len() == 2, "the board has lost the focus");
        let key = match (here[0].cmp(&there[0]), here[1].cmp(&there[1])) {
            (std::cmp::Ordering::Less, _) => "ArrowRight",
            (std::cmp::Ordering::Greater, _) => "ArrowLeft",
            (_, std::cmp::Ordering::Less) => "ArrowUp",
            (_, std::cmp::Ordering::Greater) => "ArrowDown",
            _ => return,
        };
        browser.press(key);
        assert_ne!(focused(browser), at, "{key} does nothing");
    }
    panic!("the arrows do not lead to {wanted}");
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_move_is_made_by_arrows_and_enter() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let mut browser = Browser::start(&dir.path().join("profile"));
    begin_game(&mut browser, &server, |browser| {
        tab_to(browser, "document.activeElement.matches('form.setup [type=submit]')");
        browser.press("Enter");
    });
    moves_are_offered(&mut browser);
    tab_to(&mut browser, "document.activeElement.dataset.point !== undefined");
    let (rules, start) = (Ruleset::default(), Start::Usual(BoardSize::DIMY).riatra());
    let legal = start.legal_moves(&rules);
    let way = |mv: &_| Way::of(&start, &rules, mv);
    let best = legal.iter().max_by_key(|mv| (way(mv).chosen(), mv.steps().len())).unwrap();
    let way = way(best);
    assert!(way.chosen() > 0, "{best} has no choice");
    walk_to(&mut browser, way.points[0]);
    browser.press("Enter");
    let spoken = "document.querySelector('[aria-live]').textContent";
    for (index, point) in way.points.iter().enumerate().skip(1) {
        // The focus goes along with the stone.
        let before = way.points[index - 1].to_string();
        browser.until("document.querySelector('.stone.chosen')?.dataset.at ?? ''", &json!(before));
        walk_to(&mut browser, *point);
        browser.press("Enter");
        if way.choices[index - 1].is_some() {
            browser.until(&format!("{spoken}.startsWith('Two ways to take.')"), &json!(true));
            let capture = best.steps()[index - 1].capture.unwrap();
            let approach = capture == fanorona_protocol::rules::Capture::Approach;
            browser.press(if approach { "a" } else { "w" });
        }
    }
    if way.stops_early {
        let last = way.points.last().unwrap().to_string();
        browser.until("document.querySelector('.stone.chosen')?.dataset.at ?? ''", &json!(last));
        walk_to(&mut browser, *way.points.last().unwrap());
        browser.press("Enter");
    }
    let first = "JSON.parse(sessionStorage.getItem('play')).moves[0] ?? ''";
    browser.until(first, &json!(best.to_string()));
    // The reply is spoken.
    browser.until(&format!("{spoken}.startsWith('Black: ')"), &json!(true));
    nothing_is_wrong(&mut browser, &server);
}
