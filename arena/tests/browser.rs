//! The page of a tournament in a real browser: what its script shows is what the rules say.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use fanorona_arena::config::{EngineConfig, Tournament};
use fanorona_arena::contests::Contests;
use fanorona_arena::kind::Kind;
use fanorona_arena::ratings::FitOptions;
use fanorona_arena::record::GameRecord;
use fanorona_arena::report::html::Page;
use fanorona_arena::results::Results;
use fanorona_arena::standings::Standings;
use fanorona_protocol::rules::{
    BoardSize, History, Point, Position, Ruleset, Side, Start, VelaStarter,
};

/// A name that would run as a script if it could, and one that runs from right to left.
const NAMES: [&str; 2] = ["</script><script>document.title='run'</script>", "\u{202e}lrae\" 🐍"];

/// A game of turns that are drawn by no engine: long chains, and on every board both phases.
fn game(number: u64, start: Position) -> (GameRecord, Vec<Position>) {
    let rules = Ruleset::default();
    let mut history = History::new(start);
    let mut turns = Vec::new();
    let mut seed = number;
    while history.ending(&rules).is_none() && turns.len() < 150 {
        // A generator of its own, so that the games stay what they are (Knuth's MMIX constants).
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut legal = history.position().turns(&rules);
        legal.sort_by_key(|turn| turn.to_string());
        let turn = legal[(seed >> 33) as usize % legal.len()];
        history.play(&rules, &turn).unwrap();
        turns.push(turn.to_string());
    }
    let record = GameRecord {
        id: number.to_string().parse().unwrap(),
        pair: Some(number),
        kind: if start.debtor().is_some() { Kind::Vela } else { Kind::Riatra },
        white: NAMES[0].to_owned(),
        black: NAMES[1].to_owned(),
        result: "1/2-1/2".parse().unwrap(),
        reason: "adjudicated".parse().unwrap(),
        offender: None,
        adjudicated_by: None,
        detail: String::new(),
        start: start.to_string(),
        book: 1,
        white_ms: 0,
        black_ms: 0,
        idle_cpu_ms: [0; 2],
        times: vec![7; turns.len().saturating_sub(1)],
        scores: vec!["cp -35".to_owned(); turns.len().saturating_sub(1)],
        transcript: Vec::new(),
        notes: Vec::new(),
        turns: turns.join(" "),
    };
    (record, history.positions().to_vec())
}

/// A riatra and a vela on every board, in which either side owes.
fn games() -> Vec<(GameRecord, Vec<Position>)> {
    let starts = BoardSize::all().flat_map(|size| {
        let start = Start::Usual(size);
        [start.riatra(), start.vela(VelaStarter::Debtor), start.vela(VelaStarter::Creditor)]
    });
    starts.enumerate().map(|(index, start)| game(index as u64 + 1, start)).collect()
}

fn page(games: &[(GameRecord, Vec<Position>)]) -> Vec<u8> {
    let engines = NAMES.map(|name| EngineConfig::new(name, "x"));
    let tournament = Tournament::new("browser", "", engines.to_vec());
    let standings = Standings::new(&Contests::of_engines(NAMES), &FitOptions::default()).unwrap();
    let results = Results { standings, without_withdrawn: None, table: None, test: None };
    let mut page = Page::new(&tournament);
    games.iter().for_each(|(game, _)| page.add(game));
    let mut out = Vec::new();
    page.write(&results, &mut out).unwrap();
    out
}

/// A position as the page tells it to those who do not see the board.
fn told(ply: usize, position: &Position) -> String {
    let mut text = format!("Ply {ply}.");
    for (name, side) in [("White", Side::White), ("Black", Side::Black)] {
        let size = position.board().size();
        let points = (0..size.points()).filter_map(|index| Point::from_index(index, size));
        let stones = points.filter(|point| position.board().at(*point) == Some(side));
        let mut stones: Vec<String> = stones.map(|point| point.to_string()).collect();
        stones.sort();
        let stones = if stones.is_empty() { "none".to_owned() } else { stones.join(" ") };
        write!(text, " {name}: {stones}.").unwrap();
    }
    text
}

/// The page as Chromium has it after its script ran, and what it wrote to its console.
fn opened(page: &Path, hash: &str, profile: &Path) -> (String, String) {
    let browser = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--enable-logging=stderr", "--virtual-time-budget=2000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}{hash}", page.display()))
        .output()
        .expect("Chromium runs: install it, or say where it is by CHROMIUM=…");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let console = text(&output.stderr);
    let console: String = console.lines().filter(|line| line.contains("CONSOLE")).collect();
    (text(&output.stdout), console)
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn the_page_shows_what_the_rules_say() {
    let games = games();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("report.html");
    fs::write(&path, page(&games)).unwrap();
    let profile = dir.path().join("profile");
    for (game, positions) in &games {
        let last = positions.len() - 1;
        let (dom, console) = opened(&path, &format!("#g={}&p={last}", game.id), &profile);
        assert_eq!(console, "", "game {}", game.id);
        let expected = told(last, &positions[last]);
        assert!(dom.contains(&expected), "game {}: {expected} not shown", game.id);
        let stones = dom.matches("class=\"stone ").count();
        let board = positions[last].board();
        assert_eq!(stones as u32, board.count(Side::White) + board.count(Side::Black));
        assert!(dom.contains("<title>browser"), "a name has run as a script");
    }
    // An address that asks for nothing that is there.
    let (dom, console) = opened(&path, "#g=99.9&p=x", &profile);
    assert_eq!(console, "");
    assert!(dom.contains(&told(0, &games[0].1[0])), "the first game is shown");
}
