//! Engines under a time limit are suspended while their opponents think.

use std::fs;

use nix::sys::signal::Signal;

use crate::tournaments::place::{
    Done, HEAD, Place, Running, on_a_real_clock, process_id, process_state,
};

/// A game of two plies for each colour, in which each move takes a long time.
fn head(limit: &str, more: &str) -> String {
    let head = HEAD
        .replace("depth=1", limit)
        .replace("rounds = 2", "rounds = 1")
        .replace("max-plies = 40", "max-plies = 8");
    format!("margin = \"10s\"\n{more}\n{head}")
}

/// The states of an engine's processes, like `T` for a stopped one. An engine is known by its log.
fn states(place: &Place, log: &str) -> Vec<char> {
    let of_engine = |id: &&str| {
        let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        String::from_utf8_lossy(&environment).contains(&format!("log={}", place.text(log)))
    };
    let processes = place.processes();
    processes.iter().map(|it| process_id(it)).filter(of_engine).filter_map(process_state).collect()
}

fn are_stopped(place: &Place, log: &str) -> bool {
    let states = states(place, log);
    !states.is_empty() && states.iter().all(|&state| state == 'T')
}

/// Starts a game in which `busy` has moved, and now waits while `slow` thinks for a minute.
fn waits_while_the_other_thinks<'p>(place: &'p Place, busy: &str, more: &str) -> Running<'p> {
    let busy = format!("{busy} log={}", place.text("busy"));
    let slow = format!("think=60000 log={}", place.text("slow"));
    let config = place.config(&head("100s", more), &[("busy", &busy), ("slow", &slow)]);
    begins(place, &config)
}

/// Starts a tournament of `busy` and `slow` in which both have been asked for a move.
fn begins<'p>(place: &'p Place, config: &str) -> Running<'p> {
    let mut running = place.start(&["run", config, "--out", "out"]);
    let asked = |place: &Place, log| {
        fs::read_to_string(place.path(log)).is_ok_and(|text| text.contains("\ngo "))
    };
    running.until(|place| asked(place, "busy") && asked(place, "slow"));
    running
}

#[test]
fn the_processes_of_a_waiting_engine_are_stopped() {
    let place = Place::new();
    let mut running = waits_while_the_other_thinks(&place, "ponders", "");
    running.until(|place| are_stopped(place, "busy"));
    assert!(!are_stopped(&place, "slow"));
    // Whoever suspends the arena and continues it does not wake the engine.
    running.suspend();
    running.until(|place| are_stopped(place, "slow"));
    running.signal(Signal::SIGCONT);
    running.until(|place| !are_stopped(place, "slow"));
    assert!(are_stopped(&place, "busy"));
    // A stopped engine ends with the arena.
    running.signal(Signal::SIGKILL);
    running.wait();
}

#[test]
fn an_engine_that_ponders_goes_on() {
    let place = Place::new();
    let busy = format!("ponders may-ponder log={}", place.text("busy"));
    let slow = format!("think=60000 log={}", place.text("slow"));
    let engines = [place.engine("busy", &busy, "ponder = true"), place.engine("slow", &slow, "")];
    let more = "oversubscribe = true";
    let config = place.write("t.toml", &format!("{}{}", head("100s", more), engines.concat()));
    let running = begins(&place, &config);
    assert!(!are_stopped(&place, "busy"));
    running.signal(Signal::SIGKILL);
    running.wait();
    // One that only declares that it can does not.
    let place = Place::new();
    let mut running = waits_while_the_other_thinks(&place, "ponders may-ponder", "");
    running.until(|place| are_stopped(place, "busy"));
    running.signal(Signal::SIGKILL);
    running.wait();
    let place = Place::new();
    let running = waits_while_the_other_thinks(&place, "ponders", "suspend = \"never\"");
    assert!(!are_stopped(&place, "busy"));
    running.signal(Signal::SIGKILL);
    running.wait();
}

/// Plays to the end. Returns the processor time that `busy` used while the other was thinking, and
/// the time of that thinking, in milliseconds.
fn idle_time(busy: &str, limit: &str, more: &str) -> (Done, [u64; 2]) {
    let place = Place::new();
    let config = place.config(&head(limit, more), &[("busy", busy), ("good", "think=150")]);
    let done = place.arena_ends(0, &["run", &config, "--out", "out", "--strict"]);
    let journal = fs::read_to_string(place.path("out/journal.jsonl")).unwrap();
    let mut sums = [0, 0];
    for line in journal.lines().skip(1) {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let game = &line["entry"]["game"];
        let (own, other) = if game["white"] == "busy" { (0, "black_ms") } else { (1, "white_ms") };
        sums[0] += game["idle_cpu_ms"][own].as_u64().unwrap_or(0);
        sums[1] += game[other].as_u64().unwrap_or(0);
    }
    (done, sums)
}

#[test]
fn a_suspended_engine_uses_no_processor_time_of_its_opponent() {
    let _alone = on_a_real_clock();
    for more in ["", "sandbox = \"none\""] {
        let (done, [used, thought]) = idle_time("ponders", "5s", more);
        assert!(used * 10 < thought, "{more}: {used} of {thought} ms");
        assert!(!done.stderr.contains("busy used"), "{}", done.stderr);
    }
    let (_, [used, thought]) = idle_time("ponders hires=2 works=1", "5s", "");
    assert!(used * 10 < thought, "with children: {used} of {thought} ms");
    // With a limit that is not a time, nothing is suspended, and the arena warns.
    let (done, [used, _]) = idle_time("ponders", "depth=1", "");
    assert!(used > 0, "{}", done.stderr);
}

/// The same with every kind of late output, and with several games in one process.
#[test]
fn suspended_engines_play_on() {
    for script in ["again=5", "noise", "eager", "hasty", "first", "stubborn"] {
        let place = Place::new();
        let head = head("5s", "").replace("rounds = 1", "rounds = 3");
        let head = format!("quit_timeout = \"200ms\"\n{head}");
        let config = place.config(&head, &[("odd", script), ("good", "")]);
        place.arena_ends(0, &["run", &config, "--out", "out", "--strict"]);
        assert_eq!(place.games("out", "max-plies=8").len(), 6, "{script}");
    }
}
