//! Limits as the arena sends and enforces them.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::tournaments::place::{HEAD, Place, on_a_real_clock};

/// Plays two engines under a limit, the second with further lines in its config. Returns the `go`
/// lines of each.
fn asked(limit: &str, second: &str) -> (Place, [Vec<String>; 2]) {
    let place = Place::new();
    let head = HEAD.replace("depth=1", limit).replace("rounds = 2", "rounds = 1");
    let engine =
        |name: &str, lines: &str| place.engine(name, &format!("log={}", place.text(name)), lines);
    let engines = engine("one", "") + &engine("two", second);
    let config = place.write("t.toml", &format!("{head}{engines}"));
    place.arena_ends(0, &["run", &config, "--out", "out", "--strict"]);
    let of = |name: &str| {
        let text = fs::read_to_string(place.path(name)).unwrap();
        text.lines().filter(|line| line.starts_with("go")).map(str::to_owned).collect()
    };
    let both = [of("one"), of("two")];
    (place, both)
}

#[test]
fn limits_without_a_clock_are_sent_unchanged() {
    for (limit, line) in
        [("5s", "go movetime 5000"), ("depth=4", "go depth 4"), ("nodes=9", "go nodes 9")]
    {
        let (_, [one, two]) = asked(limit, "");
        assert!(one.iter().chain(&two).all(|asked| asked == line), "{limit}: {one:?} {two:?}");
    }
}

#[test]
fn each_engine_may_have_its_own_limit() {
    let (_, [one, two]) = asked("nodes=9", "limit = \"5s+0.1s\"");
    assert!(one.iter().all(|asked| asked == "go nodes 9"), "{one:?}");
    // The engine without a clock reports no time to its opponent.
    assert!(two.iter().all(|asked| asked.split(' ').count() == 5), "{two:?}");
    assert!(two.iter().any(|asked| asked.starts_with("go p1time 5")), "{two:?}");
    assert!(two.iter().any(|asked| asked.starts_with("go p2time 5")), "{two:?}");
}

#[test]
fn clocks_lose_time_and_gain_increments() {
    let _alone = on_a_real_clock();
    let place = Place::new();
    let head = HEAD.replace("depth=1", "10s+0.01s").replace("rounds = 2", "rounds = 1");
    let log = place.text("log");
    let config = place.config(&head, &[("slow", &format!("think=40 log={log}")), ("quick", "")]);
    place.arena_ends(0, &["run", &config, "--out", "out", "--strict"]);
    let text = fs::read_to_string(&log).unwrap();
    let first_game = text.split("uginewgame\n").nth(1).unwrap();
    let clocks: Vec<[u64; 2]> = first_game
        .lines()
        .filter_map(|line| line.strip_prefix("go p1time "))
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!(
                (words[1], words[3], words[4], words[5], words[6]),
                ("p2time", "p1inc", "10", "p2inc", "10")
            );
            [words[0].parse().unwrap(), words[2].parse().unwrap()]
        })
        .collect();
    assert_eq!(clocks[0], [10_000, 10_000]);
    for pair in clocks.windows(2) {
        assert!(pair[1][0] <= pair[0][0] + 10, "{clocks:?}");
        assert!(pair[1][1] <= pair[0][1] + 10, "{clocks:?}");
    }
    // A move takes at least 40 ms, of which the increment returns 10. Half of that is slack: on a
    // busy machine the arena stalls, and does not charge the engine for the time of a stall.
    let moves = clocks.len() as u64 - 1;
    let last = clocks.last().expect("a game has moves");
    assert!(last[0] + 15 * moves <= clocks[0][0], "{clocks:?}");
    let game = &place.games("out", "max-plies=40")[0];
    let thought: u64 = game["white_ms"].parse().unwrap();
    assert!(thought >= 20 * moves, "{thought} ms in {moves} moves");
}

#[test]
fn stages_are_told_and_fill_the_clocks() {
    let (place, _) = asked("3/20s+2/9s+4s+1ms", "");
    let number = |line: &str, word: &str| {
        let mut words = line.split(' ').skip_while(|found| *found != word).skip(1);
        words.next().map(|number| number.parse::<u64>().unwrap())
    };
    for (name, colours) in [("one", ["p1time", "p2time"]), ("two", ["p2time", "p1time"])] {
        let log = fs::read_to_string(place.path(name)).unwrap();
        for (game, own) in log.split("uginewgame\n").skip(1).zip(colours) {
            let asked: Vec<&str> = game.lines().filter(|line| line.starts_with("go ")).collect();
            assert!(asked.len() > 5, "{name}: {asked:?}");
            let told: Vec<_> = asked.iter().map(|line| number(line, "movestogo")).collect();
            assert_eq!(told[..5], [Some(3), Some(2), Some(1), Some(2), Some(1)], "{asked:?}");
            assert!(told[5..].iter().all(Option::is_none), "{asked:?}");
            let clock: Vec<_> = asked.iter().map(|line| number(line, own).unwrap()).collect();
            // Each stage adds its time to what is left: moves take far less than they may.
            assert!(clock[0] == 20_000 && clock[2] <= 20_002, "{clock:?}");
            assert!((20_000..=29_003).contains(&clock[3]), "{clock:?}");
            assert!((24_000..=33_005).contains(&clock[5]), "{clock:?}");
        }
    }
    let fgn = fs::read_to_string(place.path("out/games.fgn")).unwrap();
    assert_eq!(fgn.matches("[TimeControl \"3/20s+2/9s+4s+1ms\"]").count(), 2, "{fgn}");
    place.arena_ends(0, &["resume", "out"]);
    let again = place.arena_ends(0, &["replay", "out", "1"]);
    assert!(again.stderr.contains("with time limits"), "{}", again.stderr);
    let convert = |from: &str| place.arena_ends(0, &["convert", from, "--to", "pgn"]);
    for from in ["out", "out/games.fgn"] {
        let pgn = convert(from);
        let tag = "[TimeControl \"3/20+0.001:2/9+0.001:4+0.001\"]";
        assert_eq!(pgn.stdout.matches(tag).count(), 2, "{}", pgn.stdout);
        assert!(!pgn.stderr.contains("time limits"), "{}", pgn.stderr);
    }
}

#[test]
fn a_stage_that_begins_saves_an_engine_and_one_that_does_not_is_no_help() {
    let place = Place::new();
    let head = HEAD.replace("depth=1", "2/500ms").replace("max-plies = 40", "max-plies = 24");
    let head = head.replace("rounds = 2", "rounds = 1") + "margin = \"0ms\"\n";
    let quick = place.engine("quick", "", "limit = \"depth=1\"");
    // Eleven moves take twice the time of a stage, and two moves less than half of it.
    let slow = place.engine("slow", "think=100", "");
    let config = place.write("slow.toml", &format!("{head}{slow}{quick}"));
    place.arena_ends(0, &["run", &config, "--out", "slow", "--strict"]);
    let late = place.engine("late", "think=300", "");
    let config = place.write("late.toml", &format!("{head}{late}{quick}"));
    place.arena_ends(3, &["run", &config, "--out", "late", "--strict"]);
    for game in place.games("late", "max-plies=24") {
        assert_eq!((&*game["reason"], &*game["offender"]), ("time", "late"), "{game:?}");
        let asked: usize = game["plies"].parse::<usize>().unwrap() - 2;
        assert!(asked.div_ceil(2) <= 2, "the first stage has two moves: {game:?}");
    }
}

#[test]
fn a_flag_falls() {
    let place = Place::new();
    let head = HEAD.replace("depth=1", "400ms+0ms").replace("rounds = 2", "rounds = 1");
    let slow = place.engine("slow", "think=150", "");
    let quick = place.engine("quick", "", "limit = \"depth=1\"");
    let config = place.write("t.toml", &format!("{head}margin = \"0ms\"\n{slow}{quick}"));
    let done = place.arena_ends(3, &["run", &config, "--out", "out", "--strict"]);
    let line = done.stderr.lines().find(|line| line.contains("game 1 ")).unwrap();
    assert!(line.contains("no bestmove within the "), "{line}");
    assert!(line.contains(" ms left on its clock + 0 ms margin; "), "{line}");
    for game in place.games("out", "max-plies=40") {
        assert_eq!((&*game["reason"], &*game["offender"]), ("time", "slow"));
        // The time is enough for two moves, but not for three.
        let asked: usize = game["plies"].parse::<usize>().unwrap() - 2;
        assert!(asked.div_ceil(2) <= 3, "{game:?}");
        let won = if game["white"] == "slow" { "0-1" } else { "1-0" };
        assert_eq!(game["result"], won);
    }
}

/// The arena stalls three times for less than a second while the engine continues to think.
#[test]
fn short_stalls_of_the_arena_are_not_charged() {
    let _alone = on_a_real_clock();
    let place = Place::new();
    let head = HEAD
        .replace("depth=1", "20s+0ms")
        .replace("rounds = 2", "rounds = 1")
        .replace("max-plies = 40", "max-plies = 3");
    let log = place.text("log");
    let engines = [("slow", &*format!("think=3000 log={log}")), ("quick", "")];
    let config = place.config(&head, &engines);
    let mut running = place.start(&["run", &config, "--out", "out", "--strict"]);
    running.until(|_| fs::read_to_string(&log).is_ok_and(|text| text.contains("\ngo ")));
    for _ in 0..3 {
        running.signal(Signal::SIGSTOP);
        std::thread::sleep(Duration::from_millis(700));
        running.signal(Signal::SIGCONT);
        std::thread::sleep(Duration::from_millis(100));
    }
    let done = running.wait();
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(!done.stderr.contains("void"), "{}", done.stderr);
    let games = place.games("out", "max-plies=3");
    let game = games.iter().find(|game| game["white"] == "slow").unwrap();
    let charged: u64 = game["white_ms"].parse().unwrap();
    // The engine thinks for three seconds, of which 2.1 do not count. The slack is 1.1 seconds: the
    // engine may wake late, and so may this test between two signals, which moves the last stall
    // behind the answer.
    assert!(charged < 2000, "{charged} ms");
}

#[test]
fn the_margin_excuses_lateness() {
    let place = Place::new();
    let head = HEAD.replace("depth=1", "10ms").replace("rounds = 2", "rounds = 1");
    let engines = [("slow", "think=30"), ("quick", "")];
    let config = place.config(&format!("{head}margin = \"5s\"\n"), &engines);
    place.arena_ends(0, &["run", &config, "--out", "out", "--strict"]);
}

/// Processes that use one processor while they are not stopped, each in a session of its own: the
/// kernel may divide a processor among sessions.
struct ForeignLoad(Vec<Child>);

impl ForeignLoad {
    /// The load, stopped, and the number of the processor.
    fn new(processes: usize) -> (ForeignLoad, usize) {
        let here = sched_getaffinity(Pid::from_raw(0)).unwrap();
        let cpu = (0..CpuSet::count()).find(|&cpu| here.is_set(cpu).unwrap()).unwrap();
        let mut only = CpuSet::new();
        only.set(cpu).unwrap();
        let process = |_| {
            let mut shell = Command::new("setsid");
            shell.args(["sh", "-c", "while :; do :; done"]).stdin(Stdio::null());
            let shell = shell.spawn().expect("there is a setsid");
            sched_setaffinity(Pid::from_raw(shell.id() as i32), &only).unwrap();
            shell
        };
        let load = ForeignLoad((0..processes).map(process).collect());
        load.signal(Signal::SIGSTOP);
        (load, cpu)
    }

    fn signal(&self, signal: Signal) {
        for process in &self.0 {
            kill(Pid::from_raw(process.id() as i32), signal).unwrap();
        }
    }
}

impl Drop for ForeignLoad {
    fn drop(&mut self) {
        for process in &mut self.0 {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

/// Whether the test cannot be run because the kernel does not report waiting.
fn waiting_is_unknown(test: &str) -> bool {
    let unknown = !fanorona_engine::waiting_is_reported();
    if unknown {
        eprintln!("NOT RUN: {test}: the kernel has no schedstat");
    }
    unknown
}

/// Plays two games of an engine that works on one processor, with this load on the same one from its first
/// move on.
fn starved(place: &Place, load: usize, limit: &str, script: &str) {
    let _alone = on_a_real_clock();
    let (load, cpu) = ForeignLoad::new(load);
    let head = HEAD
        .replace("depth=1", limit)
        .replace("rounds = 2", "rounds = 1")
        .replace("max-plies = 40", "max-plies = 6");
    let log = place.text("log");
    let bound = place.engine("bound", &format!("{script} log={log}"), &format!("cpus = \"{cpu}\""));
    let quick = place.engine("quick", "", "limit = \"depth=1\"");
    let config = place.write("t.toml", &format!("margin = \"0ms\"\n{head}{bound}{quick}"));
    let mut running = place.start(&["run", &config, "--out", "out"]);
    // The games need the load, not what the arena does before and after them.
    for game in 1..=2 {
        let asked = |_: &Place| {
            fs::read_to_string(&log).is_ok_and(|text| text.matches("\ngo ").count() >= game)
        };
        running.until(asked);
        load.signal(Signal::SIGCONT);
        running.until_journalled_or_ended("out", game);
        load.signal(Signal::SIGSTOP);
    }
    let done = running.wait();
    assert_eq!(done.code, Some(0), "{}", done.stderr);
}

#[test]
fn waiting_for_a_processor_that_others_use_is_not_charged() {
    if waiting_is_unknown("foreign load") {
        return;
    }
    // The engine gets a quarter of the processor at most, so that each move takes 240 ms or more.
    for limit in ["200ms", "400ms+0ms"] {
        let place = Place::new();
        let clocks = place.text("clocks");
        starved(&place, 3, limit, &format!("works=60 clocks={clocks}"));
        let games = place.games("out", "max-plies=6");
        let charged: u64 = games
            .iter()
            .map(|game| {
                assert_eq!(game["offender"], "", "{game:?}");
                let own = if game["white"] == "bound" { "white_ms" } else { "black_ms" };
                game[own].parse::<u64>().unwrap()
            })
            .sum();
        let taken = fs::read_to_string(clocks).unwrap();
        let taken: Vec<u64> = taken.lines().map(|time| time.parse().unwrap()).collect();
        let (moves, taken): (u64, u64) = (taken.len() as u64, taken.iter().sum());
        assert!(moves > 0 && charged >= 59 * moves, "{charged} ms for {moves} moves");
        assert!(charged < taken / 2, "{charged} of {taken} ms");
    }
}

#[test]
fn waiting_for_processes_of_its_own_is_charged() {
    if waiting_is_unknown("own load") {
        return;
    }
    for crowd in ["crowds=7", "hires=7"] {
        let place = Place::new();
        // On a processor of its own each move takes 480 ms, and 60 without the crowd.
        starved(&place, 0, "120ms", &format!("works=60 {crowd}"));
        for game in place.games("out", "max-plies=6") {
            assert_eq!((&*game["reason"], &*game["offender"]), ("time", "bound"), "{crowd}");
        }
        // Others may use the processor as well: the crowd gains nothing by that.
        let place = Place::new();
        starved(&place, 2, "120ms", &format!("works=60 {crowd}"));
        for game in place.games("out", "max-plies=6") {
            assert_eq!((&*game["reason"], &*game["offender"]), ("time", "bound"), "{crowd}");
        }
    }
}
