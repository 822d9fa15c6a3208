//! The site of files: from a host that knows nothing of the arena, and then without a network.

use std::io::{BufRead, BufReader, Write, stderr};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use fanorona_pages::files::RATINGS;
use fanorona_protocol::rules::{Game, Position, Ruleset, Start};
use serde_json::{Value, json};

use super::by_hand::{Way, moves_are_offered, stones_are_shown};
use super::play::{moves_kept, wait_for_turn};
use super::{by_click, choose, click, english, text, texts};
use crate::devtools::Browser;
use crate::pages::bots;

/// The modules of WebAssembly, which other tools build; `None` is said.
pub(super) fn modules() -> Option<PathBuf> {
    let built =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/web/wasm32-unknown-unknown/release");
    let are_there = built.join("fanorona_engines.wasm").is_file();
    if !are_there {
        let _ =
            writeln!(stderr(), "NOT RUN: the site in a browser: there is no {}", built.display());
    }
    are_there.then_some(built)
}

/// A host of static files.
pub(super) struct Host {
    child: Child,
    address: String,
}

impl Host {
    /// Writes a site and hands it out.
    pub(super) fn of_site(dir: &Path, modules: &Path) -> Host {
        Host::of_site_with(dir, modules, &[])
    }

    /// Writes a site with more than the usual, and hands it out.
    pub(super) fn of_site_with(dir: &Path, modules: &Path, more: &[&str]) -> Host {
        // The site says what they are.
        bots();
        let site = dir.join("site");
        let mut written = Command::new(env!("CARGO_BIN_EXE_arena"));
        written.arg("site").arg("--modules").arg(modules).arg("--out").arg(&site).current_dir(dir);
        written.args(more);
        let written = written.output().unwrap();
        assert!(written.status.success(), "{written:?}");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages/static_server.py");
        let mut python = Command::new("python3");
        python.arg(script).arg(&site).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = python.spawn().expect("python3 runs");
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Host { child, address: address.trim().to_owned() }
    }

    pub(super) fn page(&self, name: &str) -> String {
        format!("{}{name}", self.address)
    }

    /// Ends the host: from now on there is no network.
    pub(super) fn cut(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// No error on the console, and no request to another place.
pub(super) fn nothing_is_wrong(browser: &mut Browser, host: &Host) {
    let errors: Vec<&Value> = browser.console();
    assert!(errors.is_empty(), "{errors:?}");
    let is_own = |url: &&str| url.starts_with(&host.address) || url.starts_with("data:");
    let foreign: Vec<_> = browser.requests().into_iter().filter(|url| !is_own(url)).collect();
    assert!(foreign.is_empty(), "{foreign:?}");
}

/// Begins a game by the form as it is, or goes on with one, and makes some moves; the engine answers each.
fn play_some_moves(browser: &mut Browser, host: &Host) {
    browser.open(&host.page("play.html"));
    browser.until("document.querySelector('form.setup, .desk .status') !== null", &json!(true));
    if browser.value("document.querySelector('form.setup') !== null") == true {
        by_click(browser);
    }
    for _ in 0..3 {
        assert!(!wait_for_turn(browser), "the game is over after a few moves");
        let mut game = Game::new(Ruleset::default(), Start::TSIVY.riatra());
        let played = moves_kept(browser);
        played.iter().for_each(|mv| game.play(mv).expect("every move of the game is legal"));
        let legal = game.legal_moves();
        Way::of(game.position(), game.rules(), &legal[0]).make(browser);
        let count = "JSON.parse(sessionStorage.getItem('play')).moves.length";
        browser.until(&format!("{count} > {}", played.len() + 1), &json!(true));
    }
    nothing_is_wrong(browser, host);
}

/// The page shows an engine's lines for the start.
fn analyse(browser: &mut Browser, host: &Host) {
    browser.open(&host.page("analyse.html"));
    browser.until("document.querySelector('.engine-panel [role=switch]') !== null", &json!(true));
    click(browser, ".engine-panel .switch");
    browser.until("document.querySelectorAll('ol.lines li').length", &json!(3));
    nothing_is_wrong(browser, host);
}

/// The course begins with its first lesson.
fn learn(browser: &mut Browser, host: &Host) {
    browser.open(&host.page("learn.html"));
    browser.until("document.querySelector('.board .stone') !== null", &json!(true));
    assert!(text(browser, "main").contains(&english("learn.move.title")));
    nothing_is_wrong(browser, host);
}

/// The explorer counts the games that come with the site.
fn explore(browser: &mut Browser, host: &Host) {
    browser.open(&host.page("explorer.html"));
    let sum = "document.querySelector('.explorer-moves .sum td')?.textContent ?? ''";
    browser.until(sum, &json!("240"));
    assert!(
        browser.value("document.querySelectorAll('.explorer-moves tbody tr').length > 4") == true
    );
    let links = "document.querySelectorAll('.samples li').length > 0 && document.querySelectorAll('.samples a').length === 0";
    assert_eq!(browser.value(links), json!(true), "games without a report have no link");
    // The games whose players are both that strong.
    click(browser, ".tab-list a[href='#tab-filter']");
    let left = ["-100", "0", ""].map(|least| {
        choose(browser, &english("explorer.rated"), least);
        let least = least.parse().unwrap_or(f64::MIN);
        let strong = RATINGS.iter().filter(|(_, elo)| *elo >= least).count() as u32;
        let games = 40 * strong * strong.saturating_sub(1);
        let shown = if games == 0 { String::new() } else { games.to_string() };
        browser.until(sum, &json!(shown));
        games
    });
    assert!(left[0] > left[1] && left[2] == 240, "{left:?}");
    nothing_is_wrong(browser, host);
}

/// Waits until the service worker has the files of the site.
pub(super) fn everything_is_kept(browser: &mut Browser) {
    let is_kept = "navigator.serviceWorker.ready.then((it) => it.active !== null)";
    browser.until(is_kept, &json!(true));
    browser.until(
        "caches.keys().then(async ([name]) => (await (await caches.open(name)).keys()).length > 15)",
        &json!(true),
    );
}

/// The browser offers to install the site, and all pictures of its manifest are there.
fn can_be_installed(browser: &mut Browser) {
    let found = browser.call("Page.getInstallabilityErrors", json!({}));
    assert_eq!(found["installabilityErrors"], json!([]));
    let manifest = browser.call("Page.getAppManifest", json!({}));
    assert_eq!(manifest["errors"], json!([]), "{manifest}");
    let read = &manifest["manifest"];
    assert_eq!(
        (&read["display"], &read["name"]),
        (&json!("kStandalone"), &json!("Fanorona Arena"))
    );
    let shortcuts = read["shortcuts"].as_array().map(Vec::len);
    assert_eq!(shortcuts, Some(fanorona_pages::body::PAGES.len() - 1), "{read}");
    let written: Value = serde_json::from_str(manifest["data"].as_str().unwrap()).unwrap();
    let icons = written["icons"].as_array().unwrap().iter().map(|icon| icon["src"].clone());
    for icon in icons.chain([json!("icon-180.png")]) {
        let kept = format!("caches.match({icon}).then((found) => found?.ok ?? false)");
        assert_eq!(browser.value(&kept), json!(true), "{icon}");
    }
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_site_needs_no_arena_and_later_no_network() {
    let Some(modules) = modules() else { return };
    let dir = tempfile::tempdir().unwrap();
    let mut host = Host::of_site(dir.path(), &modules);
    let mut browser = Browser::start(&dir.path().join("profile"));
    browser.open(&host.page(""));
    browser.until("document.querySelector('#app h1') !== null", &json!(true));
    nothing_is_wrong(&mut browser, &host);
    play_some_moves(&mut browser, &host);
    analyse(&mut browser, &host);
    learn(&mut browser, &host);
    everything_is_kept(&mut browser);
    can_be_installed(&mut browser);
    host.cut();
    play_some_moves(&mut browser, &host);
    analyse(&mut browser, &host);
    learn(&mut browser, &host);
    // No page has asked for its games before.
    explore(&mut browser, &host);
}

/// The pages of a site.
const ALL: [&str; 7] =
    ["", "play.html", "learn.html", "analyse.html", "explorer.html", "puzzles.html", "solved.html"];

/// What the first answer lacks: rules of the whole style sheet that apply to something, and texts, instead of
/// which the page shows something `wrong`.
fn lacking(browser: &mut Browser, style: &str, wrong: &Value) -> Value {
    browser.value(&format!(
        "(() => {{
            const parts = (text) => {{
                let depth = 0;
                return [...text].reduce((all, letter) => {{
                    depth += (letter === '(') - (letter === ')');
                    if (letter === ',' && depth === 0) return [...all, ''];
                    return [...all.slice(0, -1), all[all.length - 1] + letter];
                }}, ['']).map((part) => part.trim());
            }};
            const selectors = (rules, at) => [...rules].flatMap((rule) => (rule.selectorText
                ? parts(rule.selectorText).map((one) => [at, one])
                : selectors(rule.cssRules ?? [], `${{at}} ${{rule.conditionText}}`)));
            const whole = new CSSStyleSheet();
            whole.replaceSync({style:?});
            const own = selectors(document.querySelector('style').sheet.cssRules, '').map(String);
            const applies = ([, one]) => document.querySelector(one.replace(/::[-\\w]+/g, '') || '*') !== null;
            const rules = selectors(whole.cssRules, '').filter((it) => applies(it) && !own.includes(String(it)));
            const texts = [...document.querySelectorAll('body :not(script)')].flatMap((element) => [
                ...[...element.childNodes].filter((it) => it.nodeType === 3).map((it) => it.data),
                ...['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name)),
            ]);
            return [rules, texts.filter((text) => {wrong}.includes(text))];
        }})()"
    ))
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn the_first_answer_is_a_whole_page() {
    let Some(modules) = modules() else { return };
    let dir = tempfile::tempdir().unwrap();
    let host = Host::of_site(dir.path(), &modules);
    let style = std::fs::read_to_string(dir.path().join("site/pages.css")).unwrap();
    let english = texts("en");
    for language in ["en", "fr", "mg"] {
        let its = texts(language);
        let is_its = |text: &Value| its.as_object().unwrap().values().any(|its| its == text);
        // Keys, and in another language texts in English.
        let foreign = |(key, text): (&String, &Value)| {
            let foreign = Some(text).filter(|text| !is_its(text)).cloned();
            [Some(json!(key)), foreign].into_iter().flatten()
        };
        let wrong: Vec<Value> = english.as_object().unwrap().iter().flat_map(foreign).collect();
        let mut browser = Browser::start(&dir.path().join(language));
        let source = format!("localStorage.setItem('language', '{language}')");
        browser.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": source }));
        let blocked = json!({ "urls": ["*_later.js", "*.wasm", "*/fr.json", "*/mg.json"] });
        browser.call("Network.setBlockedURLs", blocked);
        for page in ALL {
            browser.open(&host.page(page));
            // What could not be loaded is said at last.
            browser.until("document.querySelector('#app .error') !== null", &json!(true));
            browser.until("document.querySelector('#app h1, #app h2') !== null", &json!(true));
            let lacks = lacking(&mut browser, &style, &json!(wrong));
            assert_eq!(lacks, json!([[], []]), "{page} in {language}");
        }
    }
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn presses_before_the_rules_have_come_take_effect() {
    let Some(modules) = modules() else { return };
    let dir = tempfile::tempdir().unwrap();
    let host = Host::of_site(dir.path(), &modules);
    let open = |page: &str, profile: &str| {
        let mut browser = Browser::start(&dir.path().join(profile));
        open_slowly(&mut browser, &host.page(page));
        browser.until("document.querySelector('form, #app .hit') !== null", &json!(true));
        assert_eq!(browser.value("document.querySelector('.movable') !== null"), json!(false));
        browser
    };
    // Of this step it does not have the moves.
    let mut browser = open("learn.html#choice", "stone");
    click(&mut browser, ".hit[data-point='b3']");
    browser.until("document.querySelector('.stone.w.chosen') !== null", &json!(true));
    let mut browser = open("learn.html#choice", "help");
    click(&mut browser, ".lesson .controls button");
    browser.until("document.querySelector('.hint') !== null", &json!(true));
    let mut browser = open("play.html", "form");
    click(&mut browser, "form.setup [type=submit]");
    browser.until("document.querySelector('.desk') !== null", &json!(true));
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn stones_are_moved_before_the_rules_have_come() {
    let Some(modules) = modules() else { return };
    let dir = tempfile::tempdir().unwrap();
    let host = Host::of_site(dir.path(), &modules);
    let open = |page: &str, blocked: &[&str]| {
        let mut browser = Browser::start(&dir.path().join(format!("{page}{}", blocked.len())));
        browser.call("Network.setBlockedURLs", json!({ "urls": blocked }));
        browser.open(&host.page(page));
        browser
    };
    // Makes a move and says where the stones should be then.
    let make = |browser: &mut Browser, before: &Position, mv: Option<&str>| {
        let rules = Ruleset::default();
        let mv = mv.map_or_else(|| before.legal_moves(&rules)[0], |mv| mv.parse().unwrap());
        moves_are_offered(browser);
        Way::of(before, &rules, &mv).make(browser);
        before.play(&rules, &mv).unwrap()
    };
    let start = Start::TSIVY.riatra();
    let steps = ["8b/9/4W4/9/9 w", "8b/9/3W5/9/9 w"].map(|fen| fen.parse::<Position>().unwrap());

    // With nothing but the page.
    for page in ["learn.html", "puzzles.html", "analyse.html", "explorer.html"] {
        let mut browser = open(page, &["*_later.js", "*.wasm"]);
        let position = match page {
            "learn.html" => steps[0],
            "puzzles.html" => {
                let lists =
                    browser.value("JSON.parse(document.querySelector('#lists').textContent)");
                let all = lists.as_object().unwrap();
                let (_, next) = all.iter().find(|(asked, _)| asked.contains("/next")).unwrap();
                next["fen"].as_str().unwrap().parse().unwrap()
            }
            _ => start,
        };
        let after = make(&mut browser, &position, None);
        match page {
            // What could judge the move does not come: that is said, and the move is taken back.
            "puzzles.html" => {
                browser.until("document.querySelector('.error.at-top') !== null", &json!(true));
                moves_are_offered(&mut browser);
                stones_are_shown(&mut browser, &position);
            }
            "learn.html" => {
                browser.until("document.querySelector('.lesson .primary') !== null", &json!(true));
                stones_are_shown(&mut browser, &after);
            }
            _ => stones_are_shown(&mut browser, &after),
        }
    }

    // Without the rules alone: two steps of the course, and two plies of an analysis.
    let mut browser = open("learn.html", &["*.wasm"]);
    for (step, number) in steps.iter().zip(1..) {
        make(&mut browser, step, None);
        let done = english(&format!("learn.move.{number}.done"));
        browser.until("document.querySelector('.verdict').textContent", &json!(done));
        click(&mut browser, ".lesson .primary");
    }
    let mut browser = open("analyse.html", &["*.wasm"]);
    let after = make(&mut browser, &start, Some("e2e3A"));
    browser.until("location.hash.includes('moves=e2e3A')", &json!(true));
    let after = make(&mut browser, &after, None);
    stones_are_shown(&mut browser, &after);
}

/// Opens an address over 50 kB/s with 400 ms of latency, and waits for nothing.
fn open_slowly(browser: &mut Browser, address: &str) {
    let slow = json!({
        "offline": false, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000,
    });
    browser.call("Network.emulateNetworkConditions", slow);
    browser.call("Page.navigate", json!({ "url": address }));
}

/// How long a visitor with a slow network waits, beside the requests until the page can be used.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_slow_network_needs_one_answer() {
    let Some(modules) = modules() else { return };
    let dir = tempfile::tempdir().unwrap();
    let host = Host::of_site(dir.path(), &modules);
    // When a page is filled, has stones, and lets the user move one.
    let watch = "
        window.seen = {};
        const signs = { filled: '#app h1, #app h2', stones: '#app .stone', moves: '.movable' };
        new MutationObserver(() => {
            for (const [name, sign] of Object.entries(signs)) {
                if (document.querySelector(sign)) window.seen[name] ??= performance.now();
            }
        }).observe(document, { childList: true, subtree: true, attributes: true });";
    for page in ALL {
        let mut browser = Browser::start(&dir.path().join(format!("profile-{page}")));
        let script = json!({ "source": watch });
        browser.call("Page.addScriptToEvaluateOnNewDocument", script);
        open_slowly(&mut browser, &host.page(page));
        browser.until("window.seen?.filled > 0", &json!(true));
        let has_board =
            ["learn", "puzzles", "analyse", "explorer"].iter().any(|it| page.starts_with(it));
        let last = if has_board { "moves" } else { "stones" };
        browser.until(&format!("window.seen.{last} > 0"), &json!(true));
        let seen = browser.value(
            "(() => {
                const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
                const used = window.seen.moves ?? window.seen.filled;
                const before = performance.getEntriesByType('resource').filter((it) => /[.](css|js|json|wasm)$/.test(it.name) && it.responseEnd < used);
                return { paint, before: before.map((it) => it.name), ...window.seen };
            })()",
        );
        let seconds = |name: &str| {
            seen[name].as_f64().map_or("-".to_owned(), |ms| format!("{:.2} s", ms / 1e3))
        };
        println!(
            "{}: first picture {}, filled {}, stones {}, moves {}",
            if page.is_empty() { "home" } else { page },
            seconds("paint"),
            seconds("filled"),
            seconds("stones"),
            seconds("moves"),
        );
        // Nothing that it waits for comes beside the page.
        assert_eq!(seen["before"], json!([]), "{page}");
    }
}
