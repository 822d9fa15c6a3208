//! The page of a tournament in a real browser: what its script shows is what the rules say.

mod engine;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use fanorona_protocol::rules::{BoardSize, Game, Position, Ruleset, Side, Start, VelaStarter};
use fanorona_ratings::FitOptions;
use fanorona_report::html::Page;
use fanorona_report::statistics::outcome::Outcome;
use fanorona_report::statistics::results::Results;
use fanorona_report::statistics::results_reader::GameResults;
use fanorona_report::statistics::standings::Standings;
use fanorona_tournament::config::{EngineConfig, Tournament};
use fanorona_tournament::notation::fgn;
use fanorona_tournament::progress::extent::Extent;
use fanorona_tournament::record::GameRecord;
use serde_json::{Value, json};

use crate::devtools::Browser;

/// Names that would run as scripts if they could, and one that runs from right to left.
const NAMES: [&str; 3] = [
    "</script><script>document.title='run'</script>",
    "\"><img src=x onerror=\"document.title='run'\">",
    "\u{202e}lrae\" 🐍",
];

/// A game of moves that are drawn by no engine: long chains, and on every board both phases.
fn game(number: u64, start: Position) -> (GameRecord, Vec<Position>) {
    let mut game = Game::new(Ruleset::default(), start);
    let mut moves = Vec::new();
    let mut seed = number;
    while game.ending().is_none() && moves.len() < 150 {
        // A fixed random number generator, so that the games stay the same (Knuth's MMIX
        // constants).
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut legal = game.legal_moves();
        legal.sort_by_key(|mv| mv.to_string());
        let mv = legal[(seed >> 33) as usize % legal.len()];
        game.play(&mv).unwrap();
        moves.push(mv.to_string());
    }
    let answers = moves.len().saturating_sub(1);
    let (result, reason) = ("1/2-1/2".parse().unwrap(), "adjudicated".parse().unwrap());
    let record = GameRecord {
        pair: Some(number),
        white: NAMES[number as usize % 3].to_owned(),
        black: NAMES[(number as usize + 1) % 3].to_owned(),
        book: 1,
        times: vec![7; answers],
        scores: vec!["cp -35".to_owned(); answers],
        moves: moves.join(" "),
        ..GameRecord::new(number.to_string().parse().unwrap(), &start, result, reason)
    };
    (record, game.history().positions().to_vec())
}

/// A riatra and a vela on every board, in which either side owes.
fn games() -> Vec<(GameRecord, Vec<Position>)> {
    let starts = BoardSize::all().flat_map(|size| {
        let start = Start::Usual(size);
        [start.riatra(), start.vela(VelaStarter::Debtor), start.vela(VelaStarter::Creditor)]
    });
    starts.enumerate().map(|(index, start)| game(index as u64 + 1, start)).collect()
}

fn tournament() -> Tournament {
    let engines = NAMES.map(|name| EngineConfig::new(name, "x"));
    Tournament::new("browser", "", engines.to_vec())
}

/// The results of games, read as a file of games is.
fn results_of(games: &[(GameRecord, Vec<Position>)]) -> GameResults {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut lines = "white,black,result,kind\n".to_owned();
    for (GameRecord { white, black, result, kind, .. }, _) in games {
        writeln!(lines, "{},{},{result},{kind}", quoted(white), quoted(black)).unwrap();
    }
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("games.csv");
    fs::write(&file, lines).unwrap();
    let mut results = GameResults::of_engines(NAMES);
    results.read(&file).unwrap();
    results
}

fn page(games: &[(GameRecord, Vec<Position>)]) -> Vec<u8> {
    let tournament = tournament();
    let standings = Standings::new(&results_of(games), &FitOptions::default()).unwrap();
    let (extent, machine) = (Extent::default(), None);
    let results = Results {
        outcome: Outcome::from_games(&standings),
        standings,
        without_withdrawn: None,
        table: None,
        test: None,
        extent,
        machine,
        tuning: None,
        candidates: None,
        race: None,
        sweeps: Vec::new(),
        workers: Vec::new(),
    };
    let mut page = Page::new(&tournament);
    games.iter().for_each(|(game, _)| page.add(game, None));
    let mut out = Vec::new();
    page.write(&results, &mut out).unwrap();
    out
}

/// A position as the page tells it to those who do not see the board.
fn told(ply: usize, position: &Position) -> String {
    let mut text = format!("Ply {ply}.");
    for (name, side) in [("White", Side::White), ("Black", Side::Black)] {
        let stones = position.board().stones(side).into_iter();
        let mut stones: Vec<String> = stones.map(|point| point.to_string()).collect();
        stones.sort();
        let stones = if stones.is_empty() { "none".to_owned() } else { stones.join(" ") };
        write!(text, " {name}: {stones}.").unwrap();
    }
    text
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn the_page_shows_what_the_rules_say() {
    let games = games();
    let dir = tempfile::tempdir().unwrap();
    let (address, mut browser) = begin(dir.path(), &games);
    for (game, positions) in &games {
        let last = positions.len() - 1;
        for ply in [0, last / 2, last] {
            browser.open(&format!("{address}#g={}&p={ply}", game.id));
            browser.until(SHOWN, &json!(told(ply, &positions[ply])));
            let board = positions[ply].board();
            let stones = board.count(Side::White) + board.count(Side::Black);
            assert_eq!(browser.value("document.querySelectorAll('.stone').length"), stones);
            assert_eq!(browser.value("document.title"), "browser – Fanorona Arena", "a name ran");
            assert_eq!(browser.console(), [] as [&Value; 0], "game {}", game.id);
            let requests = browser.requests();
            assert!(requests.iter().all(|url| url.starts_with(&address)), "{requests:?}");
        }
    }
    // An address of a missing game shows the game that the page begins with.
    browser.open(&format!("{address}#g=99.9&p=x"));
    let first = browser.value("JSON.parse(document.getElementById('data').textContent).first");
    browser.until(SHOWN, &json!(told(0, &games[first.as_u64().unwrap() as usize].1[0])));
    assert_eq!(browser.console(), [] as [&Value; 0]);
}

/// Every ply, asked for by its address from the last to the first without loading the page again.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn every_ply_of_every_game_is_what_the_rules_say() {
    let games = games();
    let dir = tempfile::tempdir().unwrap();
    let (address, mut browser) = begin(dir.path(), &games);
    browser.open(&address);
    for (game, positions) in &games {
        let seen = browser.value(&every_ply(&game.id.to_string(), positions.len() - 1));
        let seen = seen.as_array().expect("a list");
        assert_eq!(seen.len(), positions.len(), "game {}", game.id);
        for ((ply, position), seen) in positions.iter().enumerate().zip(seen.iter().rev()) {
            let stones = |side| position.board().count(side);
            let expected = json!([told(ply, position), stones(Side::White), stones(Side::Black)]);
            assert_eq!(*seen, expected, "game {}, ply {ply}", game.id);
        }
    }
    assert_eq!(browser.console(), [] as [&Value; 0]);
    // The page is the only request.
    assert_eq!(browser.requests(), [&*address]);
}

/// What the page tells of every ply of a game, the last first: its text, and how many stones of
/// White and of Black are drawn.
fn every_ply(game: &str, last: usize) -> String {
    format!(
        "(async () => {{
            const seen = [];
            for (let ply = {last}; ply >= 0; ply--) {{
                const hash = `#g={game}&p=${{ply}}`;
                if (location.hash !== hash) {{
                    const followed = new Promise((done) =>
                        addEventListener('hashchange', done, {{ once: true }}));
                    location.hash = hash;
                    await followed;
                }}
                const board = document.getElementById('board');
                const count = (side) => board.querySelectorAll('.stone.' + side).length;
                seen.push([board.getAttribute('aria-label'), count('w'), count('b')]);
            }}
            return seen;
        }})()"
    )
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn hostile_names_are_names() {
    let games = games();
    let dir = tempfile::tempdir().unwrap();
    let (address, mut browser) = begin(dir.path(), &games);
    for (game, _) in &games[..NAMES.len()] {
        browser.open(&format!("{address}#g={}", game.id));
        let (white, black) = (&game.white, &game.black);
        let title = format!("Game {}: {white} – {black} 1/2-1/2", game.id);
        browser.until("document.getElementById('game-title').textContent", &json!(title));
        // The page's own data, languages and script; no name has become an element.
        assert_eq!(browser.value("document.querySelectorAll('script').length"), 3);
        assert_eq!(browser.value("document.querySelectorAll('img, iframe, object').length"), 0);
        assert_eq!(browser.value("document.title"), "browser – Fanorona Arena", "a name ran");
        assert_eq!(browser.console(), [] as [&Value; 0]);
    }
}

/// The page is as wide as a phone, and only tables are moved within a frame of their own.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_phone_has_room_for_it() {
    let dir = tempfile::tempdir().unwrap();
    let (address, mut browser) = begin(dir.path(), &games());
    for width in [360_u64, 800, 1600] {
        let screen = json!({
            "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width == 360,
        });
        browser.call("Emulation.setDeviceMetricsOverride", screen);
        browser.open(&format!("{address}#g=1&p=2"));
        let needed = browser.value("document.documentElement.scrollWidth");
        let wide = browser.value(&format!(
            "[...document.querySelectorAll('body *')]
                .filter((it) => it.getBoundingClientRect().right > {width} && !it.closest('table'))
                .map((it) => it.outerHTML.slice(0, 80)).join('\\n')"
        ));
        assert!(needed.as_u64().unwrap() <= width, "{needed} of {width}: {wide}");
    }
}

/// The board takes what the screen has to give: nearly all of a phone's width, and so much of a larger
/// screen that the buttons below it are still seen.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn the_board_fills_the_screen() {
    let dir = tempfile::tempdir().unwrap();
    let games = games();
    let usual = |(_, positions): &&(GameRecord, Vec<Position>)| {
        positions[0].board().size() == BoardSize::TSIVY
    };
    let (game, _) = games.iter().find(usual).unwrap();
    let (address, mut browser) = begin(dir.path(), &games);
    let edge = |id: &str, edge: &str| {
        format!("document.getElementById('{id}').getBoundingClientRect().{edge}")
    };
    for (width, height, least) in
        [(390_u64, 844_u64, 310.0), (1280, 800, 640.0), (1920, 1080, 1080.0)]
    {
        let screen = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width == 390,
        });
        browser.call("Emulation.setDeviceMetricsOverride", screen);
        browser.open(&format!("{address}#g={}&p=2", game.id));
        let mut number = |expression: &str| browser.value(expression).as_f64().unwrap();
        // The drawing may be narrower than its element.
        let board = number("document.querySelector('.wood').getBoundingClientRect().width");
        assert!(board >= least && board <= width as f64, "{board} of {width}");
        // Everything from the title of the game to the buttons fits on the screen.
        let needed = number(&edge("play", "bottom")) - number(&edge("game-title", "top"));
        assert!(needed <= height as f64, "{needed} of {height}");
        let is_beside = number(&edge("moves", "left")) >= number(&edge("board", "right"));
        assert_eq!(is_beside, width > 390, "the moves stand beside the board where there is room");
    }
}

/// What the tests here rely on: a page that does what ours must not is found out, and kept from it
/// by the policy that every page carries.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn a_page_that_misbehaves_is_found_out() {
    let page = String::from_utf8(page(&games())).unwrap();
    let bad = "<img src=\"http://127.0.0.1:9/x.png\"><script>document.title = 'run'</script>";
    let page = page.replacen("<body>", &format!("<body>{bad}"), 1);
    assert!(page.contains(bad));
    let dir = tempfile::tempdir().unwrap();
    let (address, mut browser) = begin(dir.path(), &[]);
    fs::write(dir.path().join("report.html"), page).unwrap();
    browser.open(&address);
    // The image and the script are blocked, and each violation is in the console.
    browser.until("document.title", &json!("browser – Fanorona Arena"));
    assert_eq!(browser.console().len(), 2);
    browser.value("console.log('here')");
    browser.value("void setTimeout(() => { throw new Error('there') })");
    browser.value("new Promise((done) => setTimeout(done, 100))");
    assert_eq!(browser.console().len(), 4);
}

/// The texts that leave the page are what the arena itself writes.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn games_and_positions_can_be_taken_along() {
    let games = games();
    let dir = tempfile::tempdir().unwrap();
    let (address, mut browser) = begin(dir.path(), &games);
    let downloads = dir.path().join("downloads");
    let allow = json!({ "behavior": "allow", "downloadPath": downloads });
    browser.call("Page.setDownloadBehavior", allow);
    let about = fgn::FileTags::tournament(&tournament());
    let press = |text: &str| {
        format!(
            "[...document.querySelectorAll('.links button')]
                .find((button) => button.textContent === '{text}').click()"
        )
    };
    for (game, positions) in [&games[0], &games[1], &games[games.len() - 1]] {
        browser.open(&format!("{address}#g={}", game.id));
        browser.value(
            "Object.defineProperty(navigator, 'clipboard', { value: {
                writeText: async (text) => { window.copied = text; } } }) && null",
        );
        for ply in [0, 1, positions.len() / 2, positions.len() - 1] {
            let hash = format!("#g={}&p={ply}", game.id);
            browser.value(&format!("location.hash = '{hash}'"));
            browser.until(SHOWN, &json!(told(ply, &positions[ply])));
            browser.value(&press("Copy FEN"));
            browser.until("window.copied", &json!(positions[ply].to_string()));
            browser
                .until("document.querySelector('.links button').textContent", &json!("Copy FEN"));
        }
        browser.value(&press("Download FGN"));
        let file = downloads.join(format!("game-{}.fgn", game.id));
        let mut written = Vec::new();
        fgn::write_game(&mut written, game, &about).unwrap();
        let end = Instant::now() + Duration::from_secs(60);
        while fs::read(&file).ok().as_ref() != Some(&written) {
            let found = fs::read_to_string(&file);
            assert!(Instant::now() < end, "{found:?}, not {}", String::from_utf8_lossy(&written));
            sleep(Duration::from_millis(20));
        }
        assert_eq!(browser.console(), [] as [&Value; 0], "the policy allows it");
    }
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn the_list_is_sorted_and_filtered_from_the_page() {
    let games = games();
    let dir = tempfile::tempdir().unwrap();
    let (address, mut browser) = begin(dir.path(), &games);
    browser.open(&address);
    let first = "document.querySelector('#rows tr').dataset.game";
    let sorts = "[...document.querySelectorAll('#list [aria-sort]')]
        .map((it) => it.textContent + ' ' + it.ariaSort).join()";
    assert_eq!(browser.value(sorts), "Game ascending");
    assert_eq!(browser.value(first), "1");
    browser.value("document.querySelector('[data-by=id]').click()");
    assert_eq!(browser.value(sorts), "Game descending");
    assert_eq!(browser.value(first), games.len().to_string());
    browser.value("document.querySelector('[data-by=plies]').click()");
    assert_eq!(browser.value(sorts), "Plies ascending");
    let plies =
        "[...document.querySelectorAll('#rows td.number')].map((it) => Number(it.textContent))";
    assert_eq!(
        browser.value(&format!("{plies}.every((it, at, all) => at === 0 || all[at - 1] <= it)")),
        true
    );
    // A cell of the crosstable shows the games of its two engines.
    let cell = "document.querySelector('#crosstable-all button')";
    let two = browser.value(&format!(
        "[{cell}.closest('tr').cells[0], {cell}.closest('table').tHead.rows[0].cells[{cell}.closest('td').cellIndex]]
            .map((head) => head.querySelector('bdi').textContent)"
    ));
    browser.value(&format!("{cell}.click()"));
    let fields = "[document.getElementById('by-engine').value, document.getElementById('by-opponent').value]";
    assert_eq!(browser.value(fields), two);
    let shown = browser.value(
        "[...document.querySelectorAll('#rows tr')].map((row) =>
            [...row.querySelectorAll('bdi')].map((name) => name.textContent).sort())",
    );
    let mut expected: Vec<String> = serde_json::from_value(two).unwrap();
    expected.sort();
    assert!(!shown.as_array().unwrap().is_empty());
    assert!(shown.as_array().unwrap().iter().all(|row| *row == json!(expected)), "{shown}");
    // A name in the ranking shows the games of its engine.
    browser.value("document.querySelector('.ranking button').click()");
    let name = "[document.querySelector('.ranking bdi').textContent, '']";
    let chosen = browser.value(name);
    assert_eq!(browser.value(fields), chosen);
    // A click on a row opens its game.
    let game = browser.value(first);
    browser.value("document.querySelector('#rows tr td').click()");
    let title = "document.getElementById('game-title').textContent.split(':')[0]";
    assert_eq!(browser.value(title), format!("Game {}", game.as_str().unwrap()));
    // `f` flips the board, wherever the focus is.
    let flipped = "document.getElementById('upper').dataset.side";
    assert_eq!(browser.value(flipped), "b");
    browser.value("document.activeElement.blur()");
    browser.press("f");
    browser.until(flipped, &json!("w"));
    assert_eq!(browser.console(), [] as [&Value; 0]);
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn tabs_are_led_by_keys_and_addresses() {
    let dir = tempfile::tempdir().unwrap();
    let (address, mut browser) = begin(dir.path(), &games());
    browser.open(&address);
    let shown = "[...document.querySelectorAll('#standings .part')]
        .filter((part) => part.offsetHeight > 0).map((part) => part.id).join()";
    let chosen = "[...document.querySelectorAll('#standings [role=tab]')]
        .map((tab) => `${tab.ariaSelected} ${tab.tabIndex}`).join()";
    assert_eq!(browser.value(shown), "standings-all");
    assert_eq!(browser.value(chosen), "true 0,false -1,false -1");
    browser.value("document.querySelector('#standings [role=tab]').focus()");
    for (key, part) in [
        ("ArrowRight", "standings-riatra"),
        ("End", "standings-vela"),
        ("ArrowRight", "standings-all"),
        ("ArrowLeft", "standings-vela"),
        ("Home", "standings-all"),
    ] {
        browser.press(key);
        browser.until(shown, &json!(part));
        browser.until("document.activeElement.hash", &json!(format!("#{part}")));
    }
    browser.open(&format!("{address}#standings-vela"));
    browser.until(shown, &json!("standings-vela"));
    // On paper all parts are there.
    browser.call("Emulation.setEmulatedMedia", json!({ "media": "print" }));
    browser.until(shown, &json!("standings-all,standings-riatra,standings-vela"));
    assert_eq!(browser.console(), [] as [&Value; 0]);
}

/// With and without moving stones the same is shown in the end.
#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn keys_lead_through_a_game() {
    let games = games();
    let (game, positions) = games.iter().find(|(_, positions)| positions.len() > 12).unwrap();
    let last = positions.len() - 1;
    let dir = tempfile::tempdir().unwrap();
    let (address, mut browser) = begin(dir.path(), &games);
    for motion in ["reduce", "no-preference"] {
        let feature = json!({ "name": "prefers-reduced-motion", "value": motion });
        browser.call("Emulation.setEmulatedMedia", json!({ "features": [feature] }));
        browser.open(&format!("{address}#g={}&p=5", game.id));
        // Opening the address of a game focuses the viewer.
        browser.until("document.activeElement.id", &json!("viewer"));
        for (key, ply) in [
            ("ArrowRight", 6),
            ("ArrowRight", 7),
            ("ArrowLeft", 6),
            ("End", last),
            ("ArrowRight", last),
            ("Home", 0),
            ("ArrowLeft", 0),
            ("ArrowRight", 1),
        ] {
            browser.press(key);
            browser.until(SHOWN, &json!(told(ply, &positions[ply])));
            let hash = format!("#g={}&p={ply}", game.id);
            browser.until("location.hash", &json!(hash));
        }
        // Playing from here reaches the next move by itself, and stops on request.
        browser.press(" ");
        browser.until("document.getElementById('play').textContent", &json!("Pause"));
        browser.until("Number(document.getElementById('ply').value) > 1", &json!(true));
        browser.press(" ");
        browser.until("document.getElementById('play').textContent", &json!("Play"));
        assert_eq!(browser.console(), [] as [&Value; 0]);
    }
}

/// What is told of the board to those who do not see it.
const SHOWN: &str = "document.getElementById('board').getAttribute('aria-label')";

/// Writes the page of some games; gives its address, and a browser.
fn begin(dir: &Path, games: &[(GameRecord, Vec<Position>)]) -> (String, Browser) {
    let path = dir.join("report.html");
    fs::write(&path, page(games)).unwrap();
    (format!("file://{}", path.display()), Browser::start(&dir.join("profile")))
}
