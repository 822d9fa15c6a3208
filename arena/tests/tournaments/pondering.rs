//! Engines that think in their opponents' time.

use std::fs;

use crate::tournaments::place::{HEAD, Place, on_a_real_clock};

/// Plays two games between `thinker`, which ponders with this script, and `first`, which plays the
/// first legal move after 40 ms, and returns the lines that `thinker` read.
fn played(place: &Place, code: i32, script: &str, limit: &str) -> Vec<String> {
    let head = HEAD
        .replace("depth=1", limit)
        .replace("rounds = 2", "rounds = 1")
        .replace("max-plies = 40", "max-plies = 14");
    let head = format!("oversubscribe = true\nlog = \"all\"\n{head}");
    let script = format!("may-ponder {script} log={}", place.text("log"));
    let engines = [
        place.engine("thinker", &script, "ponder = true"),
        place.engine("other", "first think=40", ""),
    ];
    let config = place.write("t.toml", &(head + &engines.concat()));
    place.arena_ends(code, &["run", &config, "--out", "out", "--strict"]);
    let log = fs::read_to_string(place.path("log")).unwrap();
    log.lines().map(str::to_owned).collect()
}

fn count(lines: &[String], begin: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(begin)).count()
}

#[test]
fn an_expected_reply_starts_the_clock_of_a_search_that_has_begun() {
    let place = Place::new();
    let lines = played(&place, 0, "foresees", "20s+10ms");
    assert_eq!(count(&lines, "setoption name Ponder value true"), 1);
    let (asked, pondered, hits) =
        (count(&lines, "go p1time"), count(&lines, "go ponder p1time"), count(&lines, "ponderhit"));
    // All of its moves but the first of each game come from a search in the opponent's time. One
    // may begin before a game ends by the opponent's move.
    assert_eq!(asked, 2, "{lines:#?}");
    assert!(hits >= 8 && (hits..=hits + 2).contains(&pondered), "{hits} of {pondered}");
    assert_eq!(count(&lines, "stop"), pondered - hits, "a search that is left is stopped");
    let games = place.games("out", "max-plies=14");
    assert_eq!(games.len(), 2);
    for game in &games {
        // Its opponent's thinking is not on its clock.
        let [own, other] = match &*game["white"] {
            "thinker" => ["white_ms", "black_ms"],
            _ => ["black_ms", "white_ms"],
        };
        let [own, other] = [own, other].map(|column| game[column].parse::<u64>().unwrap());
        assert!(own < other, "{own} ms of pondering count, of {other} ms");
    }
    // The position of a search in the opponent's time is the one that comes about.
    let at = lines.iter().position(|line| line == "ponderhit").unwrap();
    assert!(lines[at - 1].starts_with("go ponder p1time "), "{lines:#?}");
    assert_eq!(lines[at - 2], "isready");
    assert!(lines[at - 3].starts_with("position "));
}

#[test]
fn another_reply_stops_the_search_and_begins_a_new_one_in_the_same_write() {
    let place = Place::new();
    let lines = played(&place, 0, "misjudges", "20s+10ms");
    let stops: Vec<usize> = (0..lines.len()).filter(|&at| lines[at] == "stop").collect();
    let between = stops.iter().filter(|&&at| lines[at + 1].starts_with("position ")).count();
    assert!(between >= 6, "{lines:#?}");
    for &at in stops.iter().filter(|&&at| lines[at + 1].starts_with("position ")) {
        assert_eq!(lines[at + 2], "isready");
        assert!(lines[at + 3].starts_with("go p1time "), "{lines:#?}");
    }
    assert_eq!(stops.len() + count(&lines, "ponderhit"), count(&lines, "go ponder"));
    assert_eq!(place.games("out", "max-plies=14").len(), 2);
}

#[test]
fn time_runs_from_the_hit_alone() {
    let _alone = on_a_real_clock();
    // Six moves of 150 ms after the hit, and nothing of the time before.
    let place = Place::new();
    let lines = played(&place, 0, "foresees think=150", "20s+0ms");
    assert!(count(&lines, "ponderhit") >= 8, "{lines:#?}");
    for game in place.games("out", "max-plies=14") {
        let own = if game["white"] == "thinker" { "white_ms" } else { "black_ms" };
        let thought: u64 = game[own].parse().unwrap();
        // Half is slack: time in which the machine stands still is not charged.
        assert!(thought >= 6 * 75, "{thought} ms");
    }
}

#[test]
fn a_move_in_the_opponents_time_is_a_fault() {
    let place = Place::new();
    played(&place, 3, "foresees moves-early", "20s+10ms");
    for game in place.games("out", "max-plies=14") {
        assert_eq!((&*game["reason"], &*game["offender"]), ("protocol", "thinker"), "{game:?}");
    }
    let fgn = fs::read_to_string(place.path("out/games.fgn")).unwrap();
    assert!(fgn.contains("in its opponent's time"), "{fgn}");
}

#[test]
fn an_engine_that_leaves_in_the_opponents_time_has_left() {
    let place = Place::new();
    played(&place, 3, "foresees leaves", "20s+10ms");
    for game in place.games("out", "max-plies=14") {
        assert_eq!((&*game["reason"], &*game["offender"]), ("disconnect", "thinker"), "{game:?}");
    }
}

#[test]
fn pondering_needs_an_engine_a_clock_and_processors() {
    let place = Place::new();
    let both = [place.engine("a", "", ""), place.engine("b", "", "")].concat();
    let config = place.write("t.toml", &format!("ponder = true\n{HEAD}{both}"));
    let done = place.arena_ends(2, &["run", &config, "--out", "out"]);
    done.complains(&["\"a\" has the limit depth=1", "ponders under time limits"]);
    let head = HEAD.replace("depth=1", "1s");
    let config =
        place.write("t.toml", &format!("ponder = true\nsuspend = \"always\"\n{head}{both}"));
    let done = place.arena_ends(2, &["run", &config, "--out", "out"]);
    done.complains(&["suspend = \"always\" stops it meanwhile"]);
    let config =
        place.write("t.toml", &format!("ponder = true\noversubscribe = true\n{head}{both}"));
    let done = place.arena_ends(6, &["run", &config, "--out", "out"]);
    done.complains(&["does not declare the option Ponder", "`ponder = false`"]);
    let able = [place.engine("a", "may-ponder", ""), place.engine("b", "may-ponder", "")].concat();
    let head = head.replace("concurrency = 1", "concurrency = 1000");
    let config = place.write("t.toml", &format!("ponder = true\n{head}{able}"));
    let done = place.arena_ends(2, &["run", &config, "--out", "out"]);
    done.complains(&["with 2 threads of", "which ponders meanwhile, need 2000 processors"]);
}
