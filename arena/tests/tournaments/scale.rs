//! Tournaments of very many games: planned games take no memory, and played ones a few bytes.

use std::fs;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use serde_json::Value;

use crate::tournaments::place::{HEAD, Place};

const MIB: u64 = 1 << 20;

/// Interrupts a tournament with a number of rounds, each of two games, after its first games. Returns
/// the peak memory of the arena in bytes.
fn begun(place: &Place, rounds: u32) -> u64 {
    let head = HEAD.replace("rounds = 2", &format!("rounds = {rounds}"));
    let config = place.config(&head, &[("a", "think=4"), ("b", "first think=4")]);
    let mut running = place.start(&["run", &config, "--out", "out"]);
    running.until_journalled("out", 2);
    let memory = running.peak_memory().expect("the last games are still to be played");
    running.signal(Signal::SIGINT);
    assert_eq!(running.wait().code, Some(130));
    memory
}

#[test]
fn a_hundred_thousand_games_begin_without_a_list_of_them() {
    let (few, many) = (Place::new(), Place::new());
    let small = begun(&few, 2);
    let large = begun(&many, 50_000);
    println!("{small} bytes for 4 games, {large} for 100000");
    // Planned games take no memory, not even a byte each.
    assert!(large < small + 8 * MIB && large < 64 * MIB, "{small} and {large} bytes");
    assert!(many.table("out/games.csv").len() >= 2);
}

/// Writes the journal of a tournament with a number of rounds as if all had been played, and resumes
/// it. Returns the time that took and the peak memory.
fn resumed(rounds: u32) -> (Duration, u64) {
    let place = Place::new();
    begun(&place, rounds);
    let path = place.path("out/journal.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let mut lines = text.lines();
    let mut journal = lines.next().unwrap().to_owned() + "\n";
    let pair: Vec<Value> = lines.take(2).map(|line| serde_json::from_str(line).unwrap()).collect();
    for number in 1..=2 * rounds {
        let mut entry = pair[(number as usize + 1) % 2]["entry"].clone();
        entry["game"]["id"] = number.to_string().into();
        entry["game"]["pair"] = number.div_ceil(2).into();
        let entry = entry.to_string();
        let crc32 = crc32fast::hash(entry.as_bytes());
        journal.push_str(&format!("{{\"crc32\":\"{crc32:08x}\",\"entry\":{entry}}}\n"));
    }
    fs::write(&path, journal).unwrap();
    let begin = Instant::now();
    let mut running = place.start(&["resume", "out"]);
    let mut peak = 0;
    while let Some(memory) = running.peak_memory() {
        peak = memory;
        running.goes_on_for(Duration::from_millis(1));
    }
    let done = running.wait();
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert_eq!(place.table("out/games.csv").len(), 2 * rounds as usize);
    let standings = place.table("out/standings.csv");
    assert_eq!(standings[0]["games"], (2 * rounds).to_string());
    (begin.elapsed(), peak)
}

#[test]
#[ignore = "writes some hundred megabytes"]
fn a_finished_game_takes_up_a_few_bytes() {
    let (_, small) = resumed(1_000);
    let (time, large) = resumed(100_000);
    let a_game = (large.saturating_sub(small)) as f64 / 198_000.0;
    println!("200000 games read and written in {time:?}, {a_game:.1} bytes each");
    assert!(a_game < 64.0, "{a_game} bytes a game: {small} for 2000, {large} for 200000");
}
