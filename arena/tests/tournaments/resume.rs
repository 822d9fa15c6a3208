//! Tournaments that are interrupted and resumed.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::Duration;

use fanorona_tournament::pairing::seeds;
use nix::sys::signal::Signal;
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;

use crate::tournaments::place::{HEAD, Place, Running, on_a_real_clock, process_id, process_state};

/// Every kind of game, so that sessions are interrupted in the middle as well.
fn head() -> String {
    HEAD.replace("[\"riatra\"]", "[\"riatra\", \"session\"]")
        .replace("concurrency = 1", "concurrency = 2")
}

/// The files with the results, beside those with times.
const TABLES: [&str; 3] = ["sessions.csv", "standings.csv", "crosstable.csv"];

/// What a tournament gives.
struct Results {
    games: String,
    tables: [String; 3],
}

impl Results {
    fn of(place: &Place, dir: &str) -> Results {
        let read = |name| place.timeless_file(&format!("{dir}/{name}"));
        Results { games: place.timeless(dir), tables: TABLES.map(read) }
    }
}

/// Plays the tournament without interruption, into the directory `whole`.
fn play_whole(place: &Place) {
    let config = place.config(&head(), &[("a", ""), ("b", "first")]);
    place.play(&config, "whole");
}

/// What the tournament gives without interruption: it is played once for all tests.
fn uninterrupted() -> &'static Results {
    static WHOLE: OnceLock<Results> = OnceLock::new();
    WHOLE.get_or_init(|| {
        let place = Place::new();
        play_whole(&place);
        Results::of(&place, "whole")
    })
}

/// A config of the same tournament, played slowly enough to be interrupted.
fn slow(place: &Place) -> String {
    place.config(&head(), &[("a", "think=4"), ("b", "first think=4")])
}

/// Resumes the directory `out`, which must then hold the whole tournament.
fn resumed(place: &Place) {
    place.arena_ends(0, &["resume", "out", "--strict"]);
    let (whole, out) = (uninterrupted(), Results::of(place, "out"));
    assert_eq!(out.games, whole.games);
    for ((name, found), expected) in TABLES.iter().zip(out.tables).zip(&whole.tables) {
        assert_eq!(found, *expected, "{name}");
    }
}

#[test]
fn a_signal_keeps_finished_games() {
    let place = Place::new();
    let whole = &uninterrupted().games;
    for (signal, code) in [(Signal::SIGINT, 130), (Signal::SIGTERM, 143), (Signal::SIGHUP, 129)] {
        let config = slow(&place);
        let mut running = place.start(&["run", &config, "--out", "out"]);
        running.until_journalled("out", 3);
        running.signal(signal);
        let done = running.wait();
        assert_eq!(done.code, Some(code), "{}", done.stderr);
        assert_eq!(done.last_line(), "stopped; resume with: arena resume out");
        // Finished games have their files, and equal those of the whole tournament.
        let part = place.timeless("out");
        assert_eq!(place.journalled("out"), part.lines().count() - 1);
        assert!(part.lines().count() > 3 && part.lines().count() < whole.lines().count());
        assert!(part.lines().all(|row| whole.contains(row)));
        assert!(!place.table("out/standings.csv").is_empty());
        resumed(&place);
        // A complete tournament is not played again.
        resumed(&place);
        fs::remove_dir_all(place.path("out")).unwrap();
    }
}

/// Engines so slow that a game takes more than a second.
fn very_slow(place: &Place, finish_timeout: &str) -> String {
    let head = format!("{}finish_timeout = \"{finish_timeout}\"\n", head());
    place.config(&head, &[("a", "think=50"), ("b", "first think=50")])
}

#[test]
fn the_first_signal_finishes_the_games_in_progress() {
    let place = Place::new();
    let config = very_slow(&place, "60s");
    let mut running = place.start(&["run", &config, "--out", "out"]);
    running.until_journalled("out", 1);
    running.signal(Signal::SIGINT);
    running.until_it_tells("no further game begins");
    let before = place.journalled("out");
    let done = running.wait();
    assert_eq!(done.code, Some(130), "{}", done.stderr);
    assert_eq!(done.last_line(), "stopped; resume with: arena resume out");
    // Two games are in progress, and no third one has begun; one may have ended before the signal.
    let after = place.journalled("out");
    assert!((before + 1..=before + 2).contains(&after), "{before} {after}");
    resumed(&place);
}

#[test]
fn the_second_signal_stops_at_once() {
    let place = Place::new();
    // Neither a game nor the timeout for finishing one ends before the test gives up.
    let config = very_slow(&place, "10m");
    let text = fs::read_to_string(&config).unwrap().replace("think=50", "think=60000");
    fs::write(&config, text.replace("stall = \"1s\"", "stall = \"10m\"")).unwrap();
    let mut running = place.start(&["run", &config, "--out", "out"]);
    running.until(|place| place.path("out/journal.jsonl").exists());
    running.signal(Signal::SIGINT);
    running.until_it_tells("Ctrl-C again");
    running.signal(Signal::SIGINT);
    let done = running.wait();
    assert_eq!((done.code, place.journalled("out")), (Some(130), 0), "{}", done.stderr);
    assert_eq!(done.last_line(), "stopped; resume with: arena resume out");
}

/// Starts a tournament with this beginning of the config, and returns when an engine thinks.
fn thinking<'p>(place: &'p Place, head: &str) -> Running<'p> {
    let asked = format!("think=100 log={}", place.text("asked"));
    let config = place.config(head, &[("a", &asked), ("b", "first think=100")]);
    let mut running = place.start(&["run", &config, "--out", "out"]);
    let read = |place: &Place| fs::read_to_string(place.path("asked")).unwrap_or_default();
    running.until(|place| read(place).contains("\ngo "));
    running
}

/// The arena is stopped for a while, as on a machine that sleeps.
#[test]
fn a_stall_of_the_arena_costs_no_engine_time() {
    let _alone = on_a_real_clock();
    let place = Place::new();
    let head = HEAD.replace("depth=1", "2s").replace("rounds = 2", "rounds = 1");
    let mut running = thinking(&place, &head);
    running.signal(Signal::SIGSTOP);
    // Longer than the limit. An undisturbed move takes 100 ms, so 1.9 s of the limit are slack for a
    // busy machine.
    sleep(Duration::from_millis(3500));
    running.signal(Signal::SIGCONT);
    running.until_it_tells("game 1 is void and played again: the arena's machine stalled");
    let done = running.wait();
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let games = place.games("out", "max-plies=40");
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(|game| game["offender"].is_empty()), "{}", done.stderr);
    // The attempt is in the journal beside both games, but not in games.csv.
    let journal = fs::read_to_string(place.path("out/journal.jsonl")).unwrap();
    assert_eq!((journal.matches("\"void\":{").count(), place.journalled("out")), (1, 3));
}

/// Ctrl-Z stops the arena and its engines, and no engine exceeds its time because of it.
#[test]
fn a_suspended_arena_suspends_its_engines() {
    let _alone = on_a_real_clock();
    let place = Place::new();
    let head = HEAD.replace("depth=1", "2s").replace("rounds = 2", "rounds = 1");
    let mut running = thinking(&place, &head);
    running.suspend();
    running.until(|place| {
        let engines = place.processes();
        engines.iter().all(|engine| process_state(process_id(engine)) == Some('T'))
    });
    // Longer than the limit; an undisturbed move takes 100 ms, which leaves 1.9 s of slack.
    sleep(Duration::from_millis(3500));
    assert_eq!(place.journalled("out"), 0);
    running.signal(Signal::SIGCONT);
    let done = running.wait();
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(done.stderr.contains("stalled"), "{}", done.stderr);
    let games = place.games("out", "max-plies=40");
    assert!(games.iter().all(|game| game["offender"].is_empty()), "{}", done.stderr);
}

/// The void attempts of an earlier run do not count against a game.
#[test]
fn a_game_whose_attempts_were_void_is_played_when_it_is_resumed() {
    let place = Place::new();
    let config = place.config(HEAD, &[("a", ""), ("b", "first")]);
    place.play(&config, "out");
    let whole = place.timeless("out");
    let path = place.path("out/journal.jsonl");
    let journal = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = journal.lines().map(str::to_owned).collect();
    let entry = r#"{"void":{"id":"4","why":"a test"}}"#;
    let void =
        format!(r#"{{"crc32":"{:08x}","entry":{entry}}}"#, crc32fast::hash(entry.as_bytes()));
    lines.truncate(4);
    lines.extend([void.clone(), void.clone(), void]);
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    place.arena_ends(0, &["resume", "out"]);
    assert_eq!(place.timeless("out"), whole);
}

#[test]
fn a_resumed_tournament_can_be_interrupted() {
    let place = Place::new();
    let config = slow(&place);
    for games in 1.. {
        let args: &[&str] =
            if games == 1 { &["run", &config, "--out", "out"] } else { &["resume", "out"] };
        let mut running = place.start(args);
        running.until_journalled("out", 3 * games);
        running.signal(Signal::SIGTERM);
        assert_eq!(running.wait().code, Some(143));
        if games == 2 {
            break;
        }
    }
    resumed(&place);
}

#[test]
fn a_killed_arena_loses_no_finished_game() {
    let place = Place::new();
    let config = slow(&place);
    let mut running = place.start(&["run", &config, "--out", "out"]);
    running.until_journalled("out", 4);
    running.signal(Signal::SIGKILL);
    assert_eq!(running.wait().status.signal(), Some(9));
    let finished = place.journalled("out");
    assert!(finished >= 4);
    resumed(&place);
}

/// Kills an arena a number of times, each time at another moment, and resumes it in between.
fn killed_at_random(kills: u32) {
    let place = Place::new();
    let whole = &uninterrupted().games;
    let config = slow(&place);
    let go_on = || {
        let begun = place.path("out/journal.jsonl").exists();
        if begun { vec!["resume", "out"] } else { vec!["run", &config, "--out", "out"] }
    };
    for kill in 0..kills {
        let mut running = place.start(&go_on());
        // From the start of the program to the middle of its games.
        let moment = seeds::derive(1, &["kill", &kill.to_string()]) % 400_000;
        if running.goes_on_for(Duration::from_micros(moment)) {
            running.signal(Signal::SIGKILL);
            running.wait();
        } else {
            // All games were finished by then: try again.
            assert_eq!(running.wait().code, Some(0), "before kill {kill}");
            assert_eq!(place.timeless("out"), *whole, "before kill {kill}");
            fs::remove_dir_all(place.path("out")).unwrap();
        }
    }
    place.arena_ends(0, &go_on());
    resumed(&place);
}

#[test]
fn an_arena_killed_at_any_time_resumes() {
    killed_at_random(8);
}

#[test]
#[ignore = "takes a minute; the same with fewer kills is always run"]
fn an_arena_killed_many_times_resumes() {
    killed_at_random(100);
}

/// Engines that would outlive their input do not outlive the arena.
#[test]
fn a_killed_arena_leaves_no_engine_behind() {
    let place = Place::new();
    let engines = [("a", "think=4 stubborn daemon-at-start"), ("b", "deaf at=6")];
    let config = place.config(&HEAD.replace("1s", "30s"), &engines);
    let mut running = place.start(&["run", &config, "--out", "out"]);
    running.until(|place| place.path("out/journal.jsonl").exists());
    assert_eq!(place.processes().len(), 3, "two engines and a process of the first");
    running.signal(Signal::SIGKILL);
    assert_eq!(running.wait().status.signal(), Some(9));
}

#[test]
fn a_signal_before_the_first_game_leaves_nothing() {
    let place = Place::new();
    let config = place.config(HEAD, &[("a", "mute stubborn"), ("b", "")]);
    let mut running = place.start(&["run", &config, "--out", "out"]);
    running.until(|place| place.processes().len() == 2);
    running.signal(Signal::SIGINT);
    let done = running.wait();
    assert_eq!(done.code, Some(130), "{}", done.stderr);
    assert!(!place.path("out").exists());
}

#[test]
fn torn_and_missing_ends_are_played_again() {
    let place = Place::new();
    play_whole(&place);
    let journal = fs::read(place.path("whole/journal.jsonl")).unwrap();
    let header = journal.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    // In the middle of the last line; after the first game; only the header.
    for (end, torn) in [(journal.len() - 40, true), (header + 1000, true), (header, false)] {
        let _ = fs::remove_dir_all(place.path("out"));
        fs::create_dir(place.path("out")).unwrap();
        fs::copy(place.path("whole/config.toml"), place.path("out/config.toml")).unwrap();
        fs::copy(place.path("whole/machine.json"), place.path("out/machine.json")).unwrap();
        fs::write(place.path("out/journal.jsonl"), &journal[..end]).unwrap();
        let done = place.arena_ends(0, &["resume", "out"]);
        let note = "the last line of out/journal.jsonl is incomplete";
        assert_eq!(done.stderr.contains(note), torn, "{}", done.stderr);
        assert_eq!(place.timeless("out"), uninterrupted().games);
    }
}

/// The same rounds would begin otherwise.
#[test]
fn an_openings_file_that_has_changed_is_noticed() {
    let place = Place::new();
    let file = "openings = { source = \"file\", path = \"o.txt\" }";
    let head = HEAD.replace("openings = { source = \"random\", plies = 2 }", file);
    let config = place.config(&head, &[("a", ""), ("b", "first")]);
    place.write("o.txt", "startpos e2e3A\nstartpos f2e3A\n");
    place.arena_ends(0, &["run", &config, "--shard", "1/2", "--out", "one"]);
    place.arena_ends(0, &["resume", "one"]);
    place.write("o.txt", "startpos e2e3A\nstartpos d2e3A\n");
    let what = "the openings file has changed (checksum ";
    place.arena_ends(2, &["resume", "one"]).complains(&[what, "--force"]);
    place.arena_ends(0, &["run", &config, "--shard", "2/2", "--out", "two"]);
    let merge = ["merge", "one", "two", "--out", "out"];
    place.arena_ends(2, &merge).complains(&["two: ", what, "--force"]);
    let done = place.arena_ends(0, &["resume", "one", "--force"]);
    assert!(done.stderr.contains(&format!("note: {what}")), "{}", done.stderr);
    place.arena_ends(0, &merge);
}

#[test]
fn resume_refuses_a_changed_config() {
    let place = Place::new();
    play_whole(&place);
    let path = place.path("whole/journal.jsonl");
    let journal = fs::read_to_string(&path).unwrap();

    fs::write(&path, journal.replacen("\"moves\":\"", "\"moves\":\"a", 1)).unwrap();
    let done = place.arena_ends(2, &["resume", "whole"]);
    done.complains(&["journal.jsonl:2:", "checksum", "restore the file"]);
    fs::write(&path, &journal).unwrap();

    // As if the program had been rebuilt in the meantime.
    let programs = place.path("whole/machine.json");
    let machine = fs::read_to_string(&programs).unwrap();
    let sum = machine.split("\"sha256\": \"").nth(1).unwrap()[..8].to_owned();
    fs::write(&programs, machine.replacen(&sum, "00000000", 1)).unwrap();
    let done = place.arena_ends(2, &["resume", "whole"]);
    done.complains(&["the program of engine `a`", "has changed", "--force"]);
    let done = place.arena_ends(0, &["resume", "whole", "--force"]);
    assert!(done.stderr.contains("note: the program of engine `a`"), "{}", done.stderr);
    // The times of the runs may differ.
    let engines = |text: &str| text.parse::<serde_json::Value>().unwrap()["engines"].clone();
    assert_eq!(engines(&fs::read_to_string(&programs).unwrap()), engines(&machine));

    let config = fs::read_to_string(place.path("whole/config.toml")).unwrap();
    fs::write(place.path("whole/config.toml"), config.replace("rounds = 2", "rounds = 3")).unwrap();
    let done = place.arena_ends(2, &["resume", "whole"]);
    done.complains(&["has changed since this tournament began", "--force"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), journal);
    place.arena_ends(0, &["resume", "whole", "--force"]);
    assert!(place.journalled("whole") > journal.lines().count() - 1);

    place.arena_ends(2, &["resume", "nowhere"]).complains(&["nowhere/config.toml"]);
}

#[test]
fn a_second_arena_is_refused_while_the_first_writes() {
    let place = Place::new();
    let config = slow(&place);
    let mut running = place.start(&["run", &config, "--out", "out"]);
    running.until_journalled("out", 1);
    let second = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["resume", "out"])
        .current_dir(place.path(""))
        .output()
        .unwrap();
    assert_eq!(second.status.code(), Some(2));
    let complaint = String::from_utf8(second.stderr).unwrap();
    let holder = format!("is being written by another arena: process {} on ", running.id());
    assert!(complaint.contains(&holder), "{complaint}");
    assert!(complaint.contains(" since 2"), "{complaint}");
    running.signal(Signal::SIGINT);
    assert_eq!(running.wait().code, Some(130));
}

/// The journal itself is locked, so removing the lock file does not matter.
#[test]
fn a_removed_lock_file_does_not_admit_a_second_arena() {
    let place = Place::new();
    let config = slow(&place);
    let mut running = place.start(&["run", &config, "--out", "out"]);
    running.until_journalled("out", 1);
    fs::remove_file(place.path("out/journal.lock")).unwrap();
    let second = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["resume", "out"])
        .current_dir(place.path(""))
        .output()
        .unwrap();
    let complaint = String::from_utf8(second.stderr).unwrap();
    assert_eq!(second.status.code(), Some(2), "{complaint}");
    assert!(complaint.contains("is being written by another arena"), "{complaint}");
    assert_eq!(running.wait().code, Some(0));
    let whole = &uninterrupted().games;
    assert_eq!(place.timeless("out"), *whole);
}

/// Two arenas start in one directory; the slower one does not touch the games of the other.
#[test]
fn the_second_arena_changes_nothing() {
    let place = Place::new();
    let slow = place.config(HEAD, &[("a", "slow-start=5000"), ("b", "")]);
    let text = fs::read_to_string(&slow).unwrap();
    let slow = place.write("slow.toml", &text);
    let quick = place.config(HEAD, &[("c", ""), ("d", "first")]);
    let second = place.start(&["run", &slow, "--out", "out"]);
    let first = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["run", &quick, "--out", "out"])
        .current_dir(place.path(""))
        .output()
        .unwrap();
    assert_eq!(first.status.code(), Some(0));
    let read = || {
        let files = ["config.toml", "machine.json", "journal.jsonl", "games.csv"];
        files.map(|name| fs::read(place.path("out").join(name)).unwrap())
    };
    let before = read();
    let done = second.wait();
    assert_eq!(done.code, Some(2), "{}", done.stderr);
    done.complains(&["out already holds a tournament"]);
    assert_eq!(read(), before);
}

/// The number of games at once may change between runs.
#[test]
fn a_tournament_resumes_with_more_games_at_once() {
    let place = Place::new();
    let whole = &uninterrupted().games;
    let config = slow(&place);
    let mut running = place.start(&["run", &config, "--out", "out"]);
    running.until_journalled("out", 2);
    running.signal(Signal::SIGTERM);
    assert_eq!(running.wait().code, Some(143));
    let done = place.arena_ends(0, &["resume", "out", "--concurrency", "4", "--json"]);
    assert!(done.stdout.lines().next().unwrap().contains("\"concurrency\":4"), "{}", done.stdout);
    assert_eq!(place.timeless("out"), *whole);
}

/// The arena reacts to signals while it writes results. Here writing waits forever for a pipe
/// without a writer.
#[test]
fn writing_results_is_stopped_by_the_second_signal() {
    let place = Place::new();
    let config = slow(&place);
    let mut running = place.start(&["run", &config, "--out", "out"]);
    running.until(|place| place.path("out/journal.jsonl").exists());
    mkfifo(&place.path("out/values.csv"), Mode::S_IRWXU).unwrap();
    running.signal(Signal::SIGTERM);
    // The first signal has stopped the games; the second may come before the results are written.
    while running.goes_on_for(Duration::from_millis(300)) {
        running.signal(Signal::SIGTERM);
    }
    let done = running.wait();
    assert_eq!(done.code, Some(143), "{}", done.stderr);
    assert!(done.stderr.contains("writing the results"), "{}", done.stderr);
    assert_eq!(done.last_line(), "stopped; resume with: arena resume out");
    fs::remove_file(place.path("out/values.csv")).unwrap();
    resumed(&place);
    // No unfinished file is left either.
    let left = fs::read_dir(place.path("out")).unwrap().map(|entry| entry.unwrap().file_name());
    let drafts = left.filter(|name| name.to_string_lossy().starts_with('.'));
    assert_eq!(drafts.count(), 0);
}

/// Flipped bits anywhere in a journal, also in its header and in the ends of lines, cost only the
/// games of their lines, which are played again.
#[test]
fn a_salvage_keeps_undamaged_games_and_replays_the_rest() {
    let place = Place::new();
    play_whole(&place);
    let copy = |to: &str| {
        let mut command = Command::new("cp");
        command.args(["-r", "whole", to]).current_dir(place.path(""));
        assert!(command.status().unwrap().success());
    };
    let journal = fs::read(place.path("whole/journal.jsonl")).unwrap();
    let ends: Vec<usize> = (0..journal.len()).filter(|&at| journal[at] == b'\n').collect();
    let random = |words: &[&str], most: usize| seeds::derive(7, words) as usize % most;
    for round in 0..8 {
        let mut bytes = journal.clone();
        let of_round = round.to_string();
        for flip in 0..=round / 2 {
            let flip = flip.to_string();
            let at = match round {
                // The first round damages the header, the second the end of a line.
                0 => random(&[&flip], ends[0]),
                1 => ends[random(&[&flip], ends.len())],
                _ => random(&["byte", &of_round, &flip], bytes.len()),
            };
            bytes[at] ^= 1 << random(&["bit", &of_round, &flip], 8);
        }
        copy("damaged");
        fs::write(place.path("damaged/journal.jsonl"), &bytes).unwrap();
        let refused = place.arena(&["resume", "damaged"]);
        if refused.code == Some(2) {
            refused.complains(&["arena resume damaged --salvage NEW"]);
        }
        fs::write(place.path("damaged/journal.jsonl"), &bytes).unwrap();
        let done = place.arena_ends(0, &["resume", "damaged", "--salvage", "out", "--strict"]);
        // Lost games are listed, and all others are kept.
        let kept = done
            .stderr
            .lines()
            .find_map(|line| line.split_once(" kept in out; ")?.0.split(' ').next());
        let kept: usize = kept.unwrap_or_else(|| panic!("{}", done.stderr)).parse().unwrap();
        let lost = done.stderr.lines().filter(|line| line.starts_with("lost: ")).count();
        assert!(kept + lost >= ends.len() - 1, "{}", done.stderr);
        assert!(lost > 0 || round == 1, "{}", done.stderr);
        assert_eq!(fs::read(place.path("damaged/journal.jsonl")).unwrap(), bytes);
        resumed(&place);
        for dir in ["damaged", "out"] {
            fs::remove_dir_all(place.path(dir)).unwrap();
        }
    }
}

/// Each lost game is listed with its line.
#[test]
fn a_salvage_lists_lost_games() {
    let place = Place::new();
    let config = place.config(&head(), &[("a", ""), ("b", "first")]);
    place.play(&config, "out");
    let right = place.timeless("out");
    let path = place.path("out/journal.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    // The line of the second game of a session, and a line that is not text.
    let of_session = |number: u32| {
        let end = format!(".{number}\",\"pair\"");
        lines.iter().position(|line| line.contains(&end))
    };
    let at = of_session(2).unwrap();
    let id = lines[at].split("\"id\":\"").nth(1).unwrap().split('"').next().unwrap();
    let damaged = lines[at].replacen("\"moves\":\"", "\"moves\":\"a", 1);
    let mut bytes = text.replacen(lines[at], &damaged, 1).into_bytes();
    let first = lines[0].len() + 1;
    bytes[first..first + 20].fill(0xff);
    fs::write(&path, &bytes).unwrap();
    let done = place.arena_ends(0, &["resume", "out", "--salvage", "new"]);
    assert!(done.stderr.contains("lost: line 2 (game "), "{}", done.stderr);
    let line = format!("lost: line {} (game {id}): the line's checksum is", at + 1);
    assert!(done.stderr.contains(&line), "{}", done.stderr);
    let next = format!("(game {}.3): undamaged, but", id.split('.').next().unwrap());
    assert!(done.stderr.contains(&next), "{}", done.stderr);
    assert!(done.stderr.contains("games and sessions are missing, and played now"));
    assert_eq!(fs::read(&path).unwrap(), bytes);
    assert_eq!(place.timeless("new"), right);
    // Nothing but the events is printed on standard output.
    let done = place.arena_ends(0, &["resume", "out", "--salvage", "third", "--json"]);
    assert!(done.stdout.lines().all(|line| line.starts_with("{\"event\":")), "{}", done.stdout);
    // It does not overwrite a tournament, and rejects the config of another one.
    place
        .arena_ends(2, &["resume", "out", "--salvage", "new"])
        .complains(&["holds a tournament", "--salvage"]);
    let config = fs::read_to_string(place.path("out/config.toml")).unwrap();
    fs::write(place.path("out/config.toml"), config.replace("rounds = 2", "rounds = 3")).unwrap();
    let done = place.arena_ends(2, &["resume", "out", "--salvage", "other"]);
    done.complains(&["has changed since this tournament began"]);
}

/// Runs a tournament on a full disk. A limit on the size of files simulates the disk; at this limit
/// the system ends programs that do not handle its signal. The limit can be lifted again.
fn on_a_full_disk<'p>(place: &'p Place, storage_timeout: &str) -> Running<'p> {
    let head = format!("{}storage_timeout = \"{storage_timeout}\"\n", head());
    let config = place.config(&head, &[("a", ""), ("b", "first")]);
    let mut command = Command::new("bash");
    let arena = env!("CARGO_BIN_EXE_arena");
    let script = format!("ulimit -S -f 6; exec '{arena}' run '{config}' --out out");
    command.args(["-c", &script]);
    place.spawn(command)
}

#[test]
fn writing_continues_when_the_disk_has_room_again() {
    let place = Place::new();
    let whole = &uninterrupted().games;
    let mut running = on_a_full_disk(&place, "60s");
    running.until_it_tells("free some disk space");
    let pid = running.id().to_string();
    let lifted = Command::new("prlimit").args(["--fsize=unlimited", "--pid", &pid]).status();
    assert!(lifted.unwrap().success());
    let done = running.wait();
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(done.stderr.contains("can be written again"), "{}", done.stderr);
    assert_eq!(place.timeless("out"), *whole);
}

#[test]
fn a_full_disk_keeps_finished_games() {
    let place = Place::new();
    let done = on_a_full_disk(&place, "200ms").wait();
    assert_eq!(done.code, Some(74), "{}", done.stderr);
    done.complains(&["journal.jsonl", "arena resume out"]);
    assert!(place.journalled("out") > 0);
    // The line that did not fit leaves no trace.
    assert!(fs::read(place.path("out/journal.jsonl")).unwrap().ends_with(b"\n"));
    resumed(&place);
}
