//! The program at the command line: what it prints where, and how it ends.

use std::fs::{self, File};
use std::io::{PipeReader, Read, pipe};
use std::process::{Command, Stdio};
use std::time::Duration;

use nix::fcntl::{FcntlArg, fcntl};
use nix::sys::signal::Signal;
use serde_json::Value;

use crate::tournaments::place::{HEAD, Place, Running};

#[test]
fn every_game_is_a_line_where_nobody_watches() {
    let place = Place::new();
    let config = place.config(HEAD, &[("a", ""), ("b", "first")]);
    let done = place.play(&config, "out");
    let mut lines: Vec<&str> = done.stderr.lines().collect();
    let sandbox = lines.remove(0);
    assert!(sandbox.starts_with("note: sandbox: ") && sandbox.contains("`arena doctor`"));
    assert!(sandbox.len() <= 80, "{sandbox}");
    assert_eq!(lines.len(), 5, "{}", done.stderr);
    assert!(lines[0].starts_with("[1/4] (left: "), "{}", lines[0]);
    assert!(lines[0].contains("game 1 riatra: a - b "), "{}", lines[0]);
    assert!(lines[3].starts_with("[4/4]") && lines[3].contains("game 4"), "{}", lines[3]);
    assert!(lines[4].starts_with("[4/4] in "), "{}", lines[4]);
    assert!(done.stdout.contains("riatra: 4 games in 2 pairs"), "{}", done.stdout);
}

#[test]
fn results_go_where_they_are_told() {
    let place = Place::new();
    let config = place.config(HEAD, &[("a", ""), ("b", "first")]);
    let done = place.arena_ends(0, &["run", &config, "--rounds", "1"]);
    // The name consists of the config's name and the time.
    let dir = done.last_line().strip_prefix("results: ").unwrap();
    assert!(dir.starts_with("results/t-2"), "{dir}");
    assert_eq!(place.games(dir, "max-plies=40").len(), 2);
}

#[test]
fn a_tournament_runs_without_a_reader() {
    let place = Place::new();
    let config = place.config(HEAD, &[("a", ""), ("b", "first")]);
    let mut arena = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["run", &config, "--out", "out"])
        .current_dir(place.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop((arena.stdout.take(), arena.stderr.take()));
    assert_eq!(arena.wait().unwrap().code(), Some(0));
    assert_eq!(place.games("out", "max-plies=40").len(), 4);
}

/// Games with short limits, more than a small pipe takes words of.
fn many_games(place: &Place) -> String {
    let head = HEAD
        .replace("rounds = 2", "rounds = 20")
        .replace("depth=1", "300ms")
        .replace("stall = \"1s\"", "stall = \"2s\"\nmargin = \"300ms\"");
    place.config(&head, &[("a", ""), ("b", "first")])
}

/// Starts the arena with a stream that nobody reads: that of standard output or of standard error.
fn unread<'p>(place: &'p Place, args: &[&str], stdout: bool) -> (Running<'p>, PipeReader) {
    let (reader, writer) = pipe().unwrap();
    // The smallest possible pipe.
    fcntl(&writer, FcntlArg::F_SETPIPE_SZ(4096)).unwrap();
    let file = |name: &str| File::create(place.path(name)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.args(args);
    let running = place.spawn_with(command, |command| match stdout {
        true => command.stdout(writer).stderr(file("told")),
        false => command.stdout(file("said")).stderr(writer),
    });
    (running, reader)
}

/// Makes sure that every game was played, each at its first attempt and by the rules.
fn assert_all_played(place: &Place, games: usize) {
    let journal = fs::read_to_string(place.path("out/journal.jsonl")).unwrap();
    assert_eq!((journal.matches("\"void\":{").count(), place.journalled("out")), (0, games));
    let rows = place.games("out", "max-plies=40");
    assert!(rows.iter().all(|row| row["offender"].is_empty() && row["result"] != "*"));
    assert_eq!(rows.len(), games);
}

/// A pager, or a program that is busy: every event is there once it reads again, in order.
#[test]
fn events_that_are_read_late_cost_nothing() {
    let place = Place::new();
    let config = many_games(&place);
    let (mut running, mut reader) =
        unread(&place, &["run", &config, "--out", "out", "--json"], true);
    running.until_journalled("out", 40);
    running.until(|place| place.path("out/report.html").exists());
    // Events are still unread, so the arena waits.
    assert!(running.goes_on_for(Duration::from_millis(500)));
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    assert_eq!(running.wait().code, Some(0));
    assert_all_played(&place, 40);
    let events: Vec<Value> = text.lines().map(|line| line.parse().unwrap()).collect();
    let of = |kind: &str| events.iter().filter(|event| event["event"] == kind).collect::<Vec<_>>();
    let pairings = of("pairing");
    let done: Vec<u64> = pairings.iter().map(|event| event["done"].as_u64().unwrap()).collect();
    assert_eq!(done, (1..=40).collect::<Vec<u64>>());
    let rows = place.table("out/games.csv");
    let said: Vec<_> = of("game").iter().map(|game| game["moves"].as_str().unwrap()).collect();
    assert_eq!(said, rows.iter().map(|row| &*row["moves"]).collect::<Vec<_>>());
    assert_eq!(events.first().unwrap()["event"], "started");
    assert_eq!(events.last().unwrap()["event"], "finished");
}

/// Who never reads them again keeps the arena from ending until it is asked to.
#[test]
fn an_arena_waiting_for_a_reader_can_be_stopped() {
    let place = Place::new();
    let config = many_games(&place);
    let (mut running, _reader) = unread(&place, &["run", &config, "--out", "out", "--json"], true);
    running.until_journalled("out", 40);
    running.until(|place| place.path("out/report.html").exists());
    assert!(running.goes_on_for(Duration::from_millis(500)));
    running.signal(Signal::SIGINT);
    assert_eq!(running.wait().code, Some(130));
    assert_all_played(&place, 40);
}

/// A terminal after Ctrl-S: how far it is told is left out, and the results are there.
#[test]
fn progress_that_nobody_reads_costs_nothing() {
    let place = Place::new();
    let config = many_games(&place);
    let (running, mut reader) =
        unread(&place, &["run", &config, "--out", "out", "--rounds", "50"], false);
    // It ends by itself although nobody reads.
    assert_eq!(running.wait().code, Some(0));
    assert_all_played(&place, 100);
    let said = fs::read_to_string(place.path("said")).unwrap();
    assert!(said.ends_with("results: out\n"), "{said}");
    let mut told = String::new();
    reader.read_to_string(&mut told).unwrap();
    assert!(told.contains("game 1 riatra") && !told.contains("game 100 riatra"), "{told}");
}
