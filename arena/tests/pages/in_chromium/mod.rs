//! The pages in a real browser.

mod accessibility;
mod analyse;
mod by_hand;
mod explorer;
mod home_form;
mod hostile;
mod keyboard;
mod layout;
mod learn;
mod live;
mod play;
mod puzzles;
mod report;
mod restart;
mod site;
mod site_tables;
mod translated;
mod walk;

use serde_json::{Value, json};

use crate::devtools::Browser;
use crate::pages::server::Server;

/// No error on the console, no request to another place, and no value in the text that is none.
fn nothing_is_wrong(browser: &mut Browser, server: &Server) {
    let none = browser.value(
        "document.querySelector('#app').innerText.match(/.*(\\[object|undefined|NaN).*/g) ?? []",
    );
    assert_eq!(none, json!([]), "the page shows values that are none");
    let errors: Vec<&Value> = browser.console();
    assert!(errors.is_empty(), "{errors:?}");
    let own = format!("http://{}/", server.host);
    let requests = browser.requests();
    assert!(requests.iter().any(|url| url.starts_with(&own)), "no request was seen");
    let foreign: Vec<_> =
        requests.iter().filter(|url| !url.starts_with(&own) && !url.starts_with("data:")).collect();
    assert!(foreign.is_empty(), "{foreign:?}");
}

fn open(browser: &mut Browser, server: &Server, path: &str) {
    browser.open(&server.address(path));
}

/// Opens a page and waits until it has something to show.
fn open_filled(browser: &mut Browser, server: &Server, path: &str) {
    open(browser, server, path);
    browser.until("document.querySelector('#app h1, #app h2') !== null", &json!(true));
    // Boards, tables and lists come from answers of the server.
    browser.value("new Promise((done) => setTimeout(done, 700))");
}

/// Emulates a screen. Phones have touch and no hover.
fn screen(browser: &mut Browser, width: u64, height: u64) {
    let screen = json!({
        "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500,
    });
    browser.call("Emulation.setDeviceMetricsOverride", screen);
}

/// Emulates the colours that the system asks for: `light` or `dark`.
fn colours(browser: &mut Browser, scheme: &str) {
    let feature = json!({ "name": "prefers-color-scheme", "value": scheme });
    browser.call("Emulation.setEmulatedMedia", json!({ "features": [feature] }));
}

/// Clicks in the middle of an element with the mouse. The element must not be covered by another.
fn click(browser: &mut Browser, selector: &str) {
    let place = browser.value(&format!(
        "(() => {{
            const element = document.querySelector({selector:?});
            if (!element) return null;
            element.scrollIntoView({{ block: 'center', behavior: 'instant' }});
            const box = element.getBoundingClientRect();
            const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
            const top = document.elementFromPoint(x, y);
            return {{ x, y, free: top !== null && (element.contains(top) || top.contains(element)) }};
        }})()"
    ));
    assert_eq!(place["free"], true, "{selector} cannot be clicked: {place}");
    for (kind, button) in
        [("mouseMoved", "none"), ("mousePressed", "left"), ("mouseReleased", "left")]
    {
        let params = json!({
            "type": kind, "x": place["x"], "y": place["y"], "button": button, "clickCount": 1,
        });
        browser.call("Input.dispatchMouseEvent", params);
    }
}

/// Clicks a button with this text.
fn click_button(browser: &mut Browser, text: &str) {
    let found = browser.value(&format!(
        "(() => {{
            document.querySelector('[data-test]')?.removeAttribute('data-test');
            const buttons = [...document.querySelectorAll('#app button')];
            const button = buttons.find((one) => one.textContent === {text:?} && one.checkVisibility());
            button?.setAttribute('data-test', '');
            return button !== undefined;
        }})()"
    ));
    assert_eq!(found, true, "there is no button `{text}`");
    click(browser, "[data-test]");
}

/// Chooses a value in the list with this label.
fn choose(browser: &mut Browser, label: &str, value: &str) {
    let chosen = browser.value(&format!(
        "(() => {{
            const labels = [...document.querySelectorAll('#app label.field')];
            const label = labels.find((one) => one.querySelector('span')?.textContent === {label:?});
            const list = label?.querySelector('select');
            if (!list) return null;
            list.value = {value:?};
            list.dispatchEvent(new Event('change', {{ bubbles: true }}));
            return list.value;
        }})()"
    ));
    assert_eq!(chosen, value, "{label}");
}

/// Begins a game with White against `bot-greedy` on the board of 5×5, by the form.
fn begin_game(browser: &mut Browser, server: &Server, submit: impl FnOnce(&mut Browser)) {
    open(browser, server, "/play");
    browser.until("document.querySelector('form.setup') !== null", &json!(true));
    choose(browser, "Board", "dimy");
    choose(browser, "Opponent", "bot-greedy");
    // Above the form the new board has another height.
    browser.until("document.querySelectorAll('.setup-board .stone').length", &json!(24));
    submit(browser);
}

/// Presses the form's button with the mouse.
fn by_click(browser: &mut Browser) {
    click(browser, "form.setup [type=submit]");
}

/// Chooses the language in the settings, and waits until the page is shown anew in it.
fn choose_language(browser: &mut Browser, language: &str) {
    browser.until("document.documentElement.dataset.said", &json!(""));
    browser.value(&format!(
        "(() => {{
            window.before = true;
            const list = document.querySelector('#language');
            list.value = {language:?};
            // The page is loaded again, after this has its answer.
            setTimeout(() => list.dispatchEvent(new Event('change')));
        }})()"
    ));
    let shown = "!window.before && document.querySelector('#app h1, #app h2') !== null
        ? document.documentElement.lang : null";
    browser.until(shown, &json!(language));
}

/// The texts of a language, as a page loads them.
fn texts(language: &str) -> Value {
    let text = fanorona_pages::texts(&format!("{language}.json"));
    serde_json::from_str(text.expect("there is one")).expect("texts are JSON")
}

/// A text by its key; of forms the usual one.
fn said<'t>(texts: &'t Value, key: &str) -> &'t str {
    let text = &texts[key];
    let text = text.as_str().or(text["other"].as_str());
    text.unwrap_or_else(|| panic!("there is no text {key}"))
}

/// A text of the pages in English.
fn english(key: &str) -> String {
    said(&texts("en"), key).to_owned()
}

/// The text of an element.
fn text(browser: &mut Browser, selector: &str) -> String {
    let text = browser.value(&format!("document.querySelector({selector:?})?.textContent"));
    text.as_str().unwrap_or_else(|| panic!("there is no {selector}")).to_owned()
}
