//! Thousands of games at more at once than there are cores, with engines that fail now and then.

use std::fs;
use std::time::Duration;

use crate::tournaments::place::{HEAD, Place, Running};

/// Pairs of games for every two engines: thousands of games, also when some are withdrawn.
const ROUNDS: usize = 500;

/// What the arena holds now, in bytes.
fn resident(running: &Running<'_>) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", running.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kilobytes.unwrap_or_default() << 10
}

#[test]
#[ignore = "takes minutes; its figures are recorded in benches/README.md"]
fn memory_stays_flat_over_thousands_of_games() {
    let place = Place::new();
    let head = HEAD
        .replace("match", "round-robin")
        .replace("rounds = 2", &format!("rounds = {ROUNDS}"))
        .replace("concurrency = 1", "concurrency = 12")
        .replace("1s", "2s");
    // Each fails only in long games, so three faults in a row are rare.
    let engines = [
        ("good", ""),
        ("fine", "first"),
        ("crashes", "abort at=38"),
        ("cheats", "illegal at=38 noise"),
        ("hides", "daemon at=39 floods-stderr"),
    ];
    let config = place.config(&head, &engines);
    let mut running = place.start(&["run", &config, "--out", "out"]);
    running.patience = Duration::from_secs(1200);
    running.until_journalled("out", 100);
    let begin = resident(&running);
    let (mut most, mut last, mut games) = (begin, begin, 100);
    while running.goes_on_for(Duration::from_millis(50)) {
        games += 100;
        running.until_journalled_or_ended("out", games);
        // After its end it holds no resources.
        last = Some(resident(&running)).filter(|&bytes| bytes > 0).unwrap_or(last);
        most = most.max(last);
    }
    let done = running.wait();
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let games = place.games("out", "max-plies=40");
    let faults = games.iter().filter(|game| !game["offender"].is_empty()).count();
    let withdrawn = done.stdout.matches(" is withdrawn after game ").count();
    println!(
        "{} games in {:.0} s, {faults} of them faults, {withdrawn} engines withdrawn; memory of \
         the arena {:.1} MiB after 100 games, {:.1} MiB at the end, {:.1} MiB at most; no process \
         left",
        games.len(),
        done.time.as_secs_f64(),
        begin as f64 / 1048576.0,
        last as f64 / 1048576.0,
        most as f64 / 1048576.0,
    );
    assert!(faults > 0);
    // A few bytes per game, and the allocator's overhead.
    assert!(last < begin + (8 << 20), "{begin} {last}");
    let honest = |name: &str| ["good", "fine"].contains(&name);
    assert!(games.iter().all(|game| !honest(&game["offender"])));
}
