//! The law of faults: a fault costs the offender that game, once, with a named reason; never the
//! tournament, the opponent, or a stray process.

use fanorona_report::phrase::plain;
use std::fs;
use std::time::Duration;

use crate::tournaments::place::{HEAD, Place, Row};

/// Plays two rounds in which `bad` misbehaves once, at its fourth move, as its script says. Returns
/// that game and the line about it.
fn one_fault(vice: &str, stall: &str, expected: &str) -> (Row, String) {
    one_fault_under(&HEAD.replace("1s", stall), vice, expected)
}

/// The same with another beginning of the config.
fn one_fault_under(head: &str, vice: &str, expected: &str) -> (Row, String) {
    let place = Place::new();
    let script = format!("{vice} at=8 once={}", place.text("once"));
    let config = place.config(head, &[("bad", &script), ("good", "")]);
    let done = place.arena_ends(3, &["run", &config, "--out", "out", "--strict"]);
    let games = place.games("out", "max-plies=40");
    assert_eq!(games.len(), 4, "{vice}");
    let (faults, rest): (Vec<Row>, Vec<Row>) =
        games.into_iter().partition(|game| !game["offender"].is_empty());
    let [fault] = &faults[..] else { panic!("{vice}: {faults:?}") };
    assert_eq!(
        [&*fault["reason"], &fault["offender"], &fault["white"], &fault["result"]],
        [expected, "bad", "bad", "0-1"],
        "{vice}: {}",
        done.stderr
    );
    // The restarted engine plays the other games to an end by the rules.
    for game in rest {
        let by_rules = ["no-stones", "no-move", "repetition", "quiet", "max-plies"];
        assert!(by_rules.contains(&&*game["reason"]), "{vice}: {game:?}");
    }
    let standings = place.table("out/standings.csv");
    let faults_of = |name| -> Vec<&str> {
        standings.iter().filter(|row| row["engine"] == name).map(|row| &*row["faults"]).collect()
    };
    assert_eq!((faults_of("bad"), faults_of("good")), (vec!["1", "1"], vec!["0", "0"]));
    let line = done.stderr.lines().find(|line| line.contains("game 1 ")).unwrap();
    (fault.clone(), line.to_owned())
}

/// A fault at the ninth move of the game.
fn fault(vice: &str, stall: &str, reason: &str, detail: &str) {
    let (game, line) = one_fault(vice, stall, reason);
    assert_eq!(game["plies"], "8", "{vice}");
    assert!(line.contains(detail), "{vice}: {line}");
}

/// A second of silence at the ninth move; a busy machine may notice it later.
fn stalled(vice: &str) {
    let (game, line) = one_fault(vice, "1s", "stall");
    assert_eq!(game["plies"], "8", "{vice}");
    let noticed = milliseconds_after("no bestmove within ", &line);
    assert!((1000..10_000).contains(&noticed), "{vice}: {line}");
}

/// The number after some words.
fn milliseconds_after(words: &str, text: &str) -> u64 {
    let after = text.split(words).nth(1).unwrap_or_else(|| panic!("{text}"));
    after.split(' ').next().unwrap().parse().unwrap()
}

/// A stall timeout that no test waits for, because an arena that runs this long fails its test. So
/// the arena notices the fault by other means than this timeout.
const NEVER: &str = "10m";

const CLOCKED: &str = "margin = \"50ms\"\n";

#[test]
fn silence_is_a_stall() {
    stalled("silent");
    stalled("deaf");
}

#[test]
fn an_answer_after_the_stall_timeout_is_a_stall() {
    stalled("late=2500");
}

/// The same with a time for every move, which ends long before the stall.
fn timed_fault(vice: &str) {
    let place = Place::new();
    let script = format!("{vice} at=8 once={}", place.text("once"));
    let head = HEAD.replace("depth=1", "300ms").replace("1s", NEVER) + CLOCKED;
    let config = place.config(&head, &[("bad", &script), ("good", "")]);
    let done = place.arena_ends(0, &["run", &config, "--out", "out"]);
    let games = place.games("out", "max-plies=40");
    let fault = games.iter().find(|game| game["offender"] == "bad").expect(vice);
    assert_eq!((&*fault["reason"], &*fault["plies"]), ("time", "8"), "{vice}");
    let words = "no bestmove within 300 ms + 50 ms margin; ";
    assert!(done.stderr.contains(words), "{vice}: {}", done.stderr);
    assert!(milliseconds_after(words, &done.stderr) >= 350, "{vice}: {}", done.stderr);
}

#[test]
fn with_a_clock_the_fault_is_time() {
    timed_fault("silent");
    timed_fault("late=900");
    timed_fault("dribble");
}

#[test]
fn info_lines_are_not_an_answer() {
    stalled("dribble");
}

#[test]
fn crashes_and_disconnects_are_told_apart() {
    fault("abort", "1s", "crash", "killed by signal 6 (SIGABRT)");
    fault("segv", "1s", "crash", "killed by signal 11 (SIGSEGV)");
    fault(
        "exit=3",
        "1s",
        "crash",
        "exited with code 3; its standard error ends with: the engine's",
    );
    fault("exit=0", "1s", "disconnect", "exited with code 0");
    fault("closes", "1s", "disconnect", "closed its output");
}

#[test]
fn a_crash_is_noticed_though_a_child_holds_the_pipe() {
    // The arena does not wait for the pipe that the child holds.
    fault("orphan", NEVER, "crash", "killed by signal 6 (SIGABRT)");
    fault("daemon", NEVER, "crash", "killed by signal 6 (SIGABRT)");
}

/// Only an engine without a sandbox can.
#[test]
fn an_engine_that_kills_its_supervisor_has_crashed() {
    let head = format!("sandbox = \"none\"\n{}", HEAD.replace("1s", NEVER));
    let (_, line) = one_fault_under(&head, "kills-guard", "crash");
    assert!(line.contains("its supervisor process was killed"), "{line}");
}

#[test]
fn more_memory_than_allowed_is_a_crash() {
    let head = format!("memory = \"100MB\"\n{}", HEAD.replace("1s", NEVER));
    let (_, line) = one_fault_under(&head, "grows", "crash");
    assert!(line.contains("used more than 100MB of memory (the config's `memory`)"), "{line}");
    // Resources of its children count as well.
    let (_, line) = one_fault_under(&head, "grows-by-child", "crash");
    assert!(line.contains("used more than 100MB of memory"), "{line}");
}

#[test]
fn a_crash_that_leaves_many_processes_is_noticed() {
    fault("breeds=200", NEVER, "crash", "killed by signal 6 (SIGABRT)");
}

/// Exceeding a bound on shared resources is a fault, and the message names the bound.
#[test]
fn exceeding_a_bound_is_a_crash_that_names_the_bound() {
    let head = |line: &str| format!("{line}\n{}", HEAD.replace("1s", NEVER));
    let processes = head("max_processes = 60");
    let words = "had more than 60 processes and threads (the config's `max_processes`)";
    for vice in ["swarms=2000", "forks"] {
        let (_, line) = one_fault_under(&processes, vice, "crash");
        assert!(line.contains(words), "{line}");
    }
    let files = head("max_files = 100");
    let (_, line) = one_fault_under(&files, "fills", "crash");
    let words = "had more than 100 files in its private directory (the config's `max_files`)";
    assert!(line.contains(words), "{line}");
    let (_, line) = one_fault_under(&files, "opens", "crash");
    let words = "had more than 100 open descriptors (the config's `max_files`)";
    assert!(line.contains(words), "{line}");
    let (_, line) = one_fault_under(&head("disk = \"20MB\""), "hoards", "crash");
    let words = "had more than 20MB in its private directory (the config's `disk`)";
    assert!(line.contains(words), "{line}");
}

/// The end of an engine with very many files does not delay timed games.
#[test]
#[ignore = "it takes minutes"]
fn many_files_are_removed_while_games_continue() {
    let place = Place::new();
    let head = HEAD
        .replace("match", "round-robin")
        .replace("concurrency = 1", "concurrency = 2")
        .replace("depth=1", "100ms")
        .replace("stall = \"1s\"", "margin = \"200ms\"");
    let head = format!("max_files = 300000\nstart_timeout = \"120s\"\n{head}");
    let engines = [("bad", "litters=200000 abort at=4"), ("good", ""), ("fine", "first")];
    let mut running = place.start(&["run", &place.config(&head, &engines), "--out", "out"]);
    running.patience = Duration::from_secs(500);
    let done = running.wait();
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(!done.stderr.contains("is void"), "{}", done.stderr);
    for game in place.games("out", "max-plies=40") {
        assert!(["", "bad"].contains(&&*game["offender"]), "{game:?}");
    }
}

#[test]
fn wrong_answers_are_illegal_or_protocol_faults() {
    fault("illegal", "1s", "illegal", "is not legal");
    fault("zero", "1s", "illegal", "0000");
    fault("words", "1s", "protocol", "two words");
    fault("wordless", "1s", "protocol", "two words");
    fault("gibberish", "1s", "protocol", "Qxf7#");
    fault("bytes", "1s", "protocol", "is not a move");
}

/// The output of an engine reaches the terminal as plain text.
#[test]
fn control_characters_do_not_reach_the_terminal() {
    let (_, line) = one_fault("escapes", "1s", "protocol");
    assert!(line.contains("last words"), "{line}");
    assert!(!line.contains(char::is_control), "{line:?}");
}

#[test]
fn too_much_output_is_a_flood() {
    fault("long-line", "1s", "flood", "longer than 1048576 bytes");
    fault("endless-line", "1s", "flood", "longer than 1048576 bytes");
    fault("flood", NEVER, "flood", "64 MiB");
}

#[test]
fn an_engine_not_ready_for_a_game_stalls() {
    let (game, line) = one_fault("unready at=0", "1s", "stall");
    assert_eq!(game["plies"], "2", "the opening, and nothing after it");
    let noticed = milliseconds_after("no readyok within ", &line);
    assert!((1000..10_000).contains(&noticed), "{line}");
}

/// The arena writes `position`, `isready` and `go` at once and expects answers in this order.
#[test]
fn a_bestmove_before_its_readyok_is_a_fault() {
    let place = Place::new();
    let head = HEAD.replace("depth=1", "300ms") + CLOCKED;
    let config = place.config(&head, &[("bad", "reversed"), ("good", "")]);
    let done = place.arena_ends(0, &["run", &config, "--out", "out"]);
    for game in place.games("out", "max-plies=40") {
        assert_eq!((&*game["reason"], &*game["offender"]), ("protocol", "bad"), "{}", done.stderr);
    }
    let line = done.stderr.lines().find(|line| line.contains("game 1 ")).unwrap();
    assert!(line.contains("printed `bestmove "), "{line}");
    assert!(line.contains("before the `readyok` of the same commands"), "{line}");
}

/// The clock runs from the write, so silence before `readyok` uses time.
#[test]
fn silence_before_readyok_counts_on_the_clock() {
    let place = Place::new();
    let script = format!("silent-when-asked at=8 once={}", place.text("once"));
    let head = HEAD.replace("depth=1", "300ms") + CLOCKED;
    let config = place.config(&head, &[("bad", &script), ("good", "")]);
    let done = place.arena_ends(0, &["run", &config, "--out", "out"]);
    let games = place.games("out", "max-plies=40");
    let faults: Vec<_> = games.iter().filter(|game| game["offender"] == "bad").collect();
    let [game] = faults[..] else { panic!("{}", done.stderr) };
    assert_eq!(game["reason"], "time");
    let line = done.stderr.lines().find(|line| line.contains("no readyok within"));
    assert!(line.is_some_and(|line| line.contains("`go` was not answered")), "{}", done.stderr);
}

#[test]
fn a_crash_before_the_first_move_loses_that_game() {
    let (game, line) = one_fault("falls-over at=0", "1s", "crash");
    assert_eq!(game["plies"], "2", "the opening, and nothing after it");
    assert!(line.contains("killed by signal 6 (SIGABRT)"), "{line}");
}

#[test]
fn an_engine_that_does_not_restart_loses_the_next_game() {
    let place = Place::new();
    let once = place.text("once");
    let script = format!("abort at=8 once={once} dies-after={once}");
    let config = place.config(HEAD, &[("bad", &script), ("good", "")]);
    place.arena_ends(0, &["run", &config, "--rounds", "1", "--out", "out"]);
    let games = place.games("out", "max-plies=40");
    let reasons: Vec<_> = games.iter().map(|game| (&*game["reason"], &*game["offender"])).collect();
    assert_eq!(reasons, [("crash", "bad"), ("start", "bad")]);
    assert_eq!((&*games[1]["white"], &*games[1]["result"]), ("good", "1-0"));
}

/// An engine that crashes in every game is withdrawn after the same game at any concurrency, even if
/// other games end before.
#[test]
fn after_three_faults_in_a_row_an_engine_is_withdrawn() {
    let place = Place::new();
    let head = HEAD.replace("match", "round-robin").replace("rounds = 2", "rounds = 3");
    // On a busy machine eight games at once take a while.
    let head = head.replace("1s", "20s");
    // `d` thinks slowly, so its first game ends late. Other games end before the withdrawal is
    // decided.
    let engines = [("a", ""), ("bad", "abort at=8"), ("c", "first"), ("d", "think=10")];
    let config = place.config(&head, &engines);
    let words = "bad is withdrawn after game 5 because of faults in three games in a row: crash in game 3, \
                 crash in game 4, crash in game 5";
    for games in ["1", "8"] {
        let args = ["run", &config, "--concurrency", games, "--out", games, "--strict"];
        let done = place.arena_ends(3, &args);
        assert!(done.stderr.contains(words), "{}", done.stderr);
        assert!(done.stdout.contains(words), "{}", done.stdout);
        assert!(done.stdout.contains("Without the games of withdrawn engines:"), "{}", done.stdout);
        let page = plain(&std::fs::read_to_string(place.path(games).join("report.html")).unwrap());
        let words = words.replace("bad is", "<bdi>bad</bdi> is");
        assert!(
            page.contains(&words)
                && page.contains("Without the games of withdrawn engines</summary>")
        );
        // A skipped game counts as done.
        let passed = |line: &str| line.starts_with("[7/36]") && line.contains(" game 7 ");
        assert!(games == "8" || done.stderr.lines().any(passed), "{}", done.stderr);
    }
    // Games played beyond the decision stay in the journal.
    assert!(place.journalled("8") > place.journalled("1"));
    assert_eq!(place.journalled("1"), 18 + 3);

    let games = place.games("1", "max-plies=40");
    let of_bad = games.iter().filter(|game| game["white"] == "bad" || game["black"] == "bad");
    let of_bad: Vec<&str> = of_bad.map(|game| &*game["game"]).collect();
    assert_eq!((games.len(), of_bad), (18 + 3, vec!["3", "4", "5"]));
    for row in place.table("1/standings.csv") {
        let expected = if row["engine"] == "bad" { ["5", "3"] } else { ["", "0"] };
        assert_eq!([&*row["withdrawn"], &row["faults"]], expected);
    }
    let others = place.table("1/standings-without-withdrawn.csv");
    let others: Vec<_> =
        others.iter().map(|row| (&*row["kind"], &*row["engine"], &*row["games"])).collect();
    assert_eq!(others.len(), 2 * 3);
    assert!(others.iter().all(|&(_, name, games)| name != "bad" && games == "12"), "{others:?}");

    place.arena_ends(0, &["resume", "8"]);
    assert_eq!(place.timeless("1"), place.timeless("8"));
    for name in ["standings.csv", "standings-without-withdrawn.csv", "crosstable.csv"] {
        let read = |dir: &str| place.timeless_file(&format!("{dir}/{name}"));
        assert_eq!(read("1"), read("8"), "{name}");
    }
}

/// Both fail in every game, and every fault counts for its own engine.
#[test]
fn two_engines_that_never_start_are_both_withdrawn() {
    let place = Place::new();
    let head = HEAD.replace("rounds = 2", "rounds = 10");
    let engines = [("bad", "falls-over at=0"), ("worse", "falls-over at=0")];
    let config = place.config(&head, &engines);
    let done = place.play(&config, "out");
    for name in ["bad", "worse"] {
        let words = format!("{name} is withdrawn after game 3");
        assert!(done.stdout.contains(&words), "{}", done.stdout);
    }
    let games = place.games("out", "max-plies=40");
    assert_eq!(games.len(), 3);
    for game in &games {
        assert_eq!((&*game["result"], &*game["reason"]), ("*", "crash"));
        let both = [&*game["white"], &*game["black"]].join(" + ");
        assert_eq!(game["offender"], both);
    }
    let standings = place.table("out/standings.csv");
    assert!(standings.iter().all(|row| row["faults"] == "3"), "{standings:?}");
}

/// The engines crash in turn, so each has faults of the other between its own.
#[test]
fn an_opponents_fault_does_not_reset_the_count() {
    let place = Place::new();
    let head = HEAD.replace("rounds = 2", "rounds = 10");
    let config = place.config(&head, &[("bad", "abort at=8"), ("worse", "abort at=8")]);
    let done = place.play(&config, "out");
    assert!(done.stdout.contains(" is withdrawn after game "), "{}", done.stdout);
    assert!(place.games("out", "max-plies=40").len() <= 5);
}

/// A tournament with one remaining engine ends normally.
#[test]
fn all_opponents_may_be_withdrawn() {
    let place = Place::new();
    let head = HEAD.replace("match", "round-robin").replace("rounds = 2", "rounds = 4");
    let engines = [("bad", "abort at=8"), ("worse", "abort at=8"), ("good", "")];
    let config = place.config(&head, &engines);
    let done = place.play(&config, "out");
    for name in ["bad", "worse"] {
        assert!(done.stdout.contains(&format!("{name} is withdrawn after")), "{}", done.stdout);
    }
    assert!(place.games("out", "max-plies=40").len() < 4 * 6);
    let others = place.table("out/standings-without-withdrawn.csv");
    let others: Vec<_> = others.iter().map(|row| (&*row["engine"], &*row["games"])).collect();
    assert_eq!(others, [("good", "0")]);
}

#[test]
fn a_fault_in_a_session_loses_one_game() {
    let place = Place::new();
    let script = format!("abort at=8 once={}", place.text("once"));
    let head = HEAD.replace("riatra", "session").replace("rounds = 2", "rounds = 1");
    let config = place.config(&head, &[("bad", &script), ("good", "first")]);
    place.arena_ends(0, &["run", &config, "--out", "out"]);
    let games = place.games("out", "max-plies=40");
    let [first, second, ..] = &games[..] else { panic!("{games:?}") };
    assert_eq!((&*first["reason"], &*first["result"]), ("crash", "0-1"));
    // The loser of that game owes a vela.
    assert_eq!((&*second["kind"], &*second["white"]), ("vela", "bad"));
    assert_eq!(place.table("out/sessions.csv").len(), 2);
}

#[test]
fn faults_of_two_engines_do_not_disturb_others() {
    let place = Place::new();
    let crash = format!("abort at=8 once={}", place.text("crash"));
    let illegal = format!("illegal at=8 once={}", place.text("illegal"));
    let engines = [("bad", &*crash), ("worse", &*illegal), ("good", ""), ("fine", "first")];
    let head = HEAD.replace("match", "round-robin").replace("concurrency = 1", "concurrency = 4");
    let config = place.config(&head, &engines);
    place.arena_ends(3, &["run", &config, "--out", "out", "--strict"]);
    let games = place.games("out", "max-plies=40");
    assert_eq!(games.len(), 6 * 2 * 2);
    let mut offenders: Vec<&str> =
        games.iter().map(|game| &*game["offender"]).filter(|name| !name.is_empty()).collect();
    offenders.sort();
    assert_eq!(offenders, ["bad", "worse"]);
}

/// Two engines without faults play among many faulty ones. Their games equal those of a tournament
/// in which no engine is faulty.
#[test]
fn faulty_engines_do_not_change_the_games_of_others() {
    others_are_unchanged("gauntlet", 2);
}

/// The same where faulty engines meet each other as well, in hundreds of games.
#[test]
#[ignore = "it takes minutes"]
fn faulty_engines_do_not_change_the_games_of_others_in_a_round_robin() {
    others_are_unchanged("round-robin", 1);
}

fn others_are_unchanged(format: &str, rounds: usize) {
    let place = Place::new();
    let vices = [
        "silent",
        "deaf",
        "late=2500",
        "dribble",
        "abort",
        "segv",
        "exit=3",
        "exit=0",
        "orphan",
        "daemon",
        "kills-guard",
        "grows",
        "grows-by-child",
        "breeds=20",
        "closes",
        "illegal",
        "zero",
        "words",
        "wordless",
        "gibberish",
        "bytes",
        "escapes",
        "long-line",
        "endless-line",
        "flood",
        "unready",
    ];
    let head = HEAD
        .replace("match", format)
        .replace("concurrency = 1", "concurrency = 4")
        .replace("rounds = 2", &format!("rounds = {rounds}"));
    let head = format!("memory = \"200MB\"\n{head}");
    let honest = |name: &str| ["good", "fine"].contains(&name);
    let games = |others: &str, out: &str| -> Vec<Row> {
        let scripts = vices.map(|vice| format!("{vice} {others}"));
        let mut engines = vec![("good", "")];
        engines.extend(vices.iter().zip(&scripts).map(|(name, script)| (*name, &**script)));
        // Faulty engines play before, beside and after the games of these two.
        engines.insert(vices.len() / 2, ("fine", "first"));
        let mut running = place.start(&["run", &place.config(&head, &engines), "--out", out]);
        // Many games end after a timeout.
        running.patience = Duration::from_secs(300);
        let done = running.wait();
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        place.games(out, "max-plies=40")
    };
    let theirs = |games: &[Row]| -> Vec<[String; 3]> {
        let both = |game: &&Row| honest(&game["white"]) && honest(&game["black"]);
        let columns = |game: &Row| ["moves", "result", "reason"].map(|name| game[name].clone());
        games.iter().filter(both).map(columns).collect()
    };
    let among = games("at=4 floods-stderr absurd odd-name", "among");
    // No game is long enough to trigger the misbehaviour.
    let before = games("at=1000", "before");
    assert_eq!(theirs(&among), theirs(&before));
    assert_eq!(theirs(&among).len(), 2 * rounds);
    for game in &among {
        assert!(!honest(&game["offender"]), "{game:?}");
    }
    assert!(before.iter().all(|game| game["offender"].is_empty()));
    assert!(among.iter().filter(|game| !game["offender"].is_empty()).count() > vices.len());
}

/// It is not a fault, but the arena warns of it.
#[test]
fn thinking_on_the_opponents_time_is_a_warning() {
    let place = Place::new();
    let engines = [("busy", "ponders"), ("good", "think=100"), ("calm", "")];
    let head = HEAD
        .replace("match", "round-robin")
        .replace("rounds = 2", "rounds = 1")
        .replace("max-plies = 40", "max-plies = 16");
    let config = place.config(&head, &engines);
    let done = place.arena_ends(0, &["run", &config, "--out", "out", "--strict"]);
    let warnings: Vec<&str> =
        done.stderr.lines().filter(|line| line.starts_with("warning: ")).collect();
    // On a busy machine the engine may get less than the half of a processor that is warned of.
    let journal = fs::read_to_string(place.path("out/journal.jsonl")).unwrap();
    let [mut used, mut of] = [0, 0];
    let mut is_warned_of = false;
    for line in journal.lines().skip(1) {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let game = &line["entry"]["game"];
        let (own, time) = match (game["white"] == "busy", game["black"] == "busy") {
            (true, _) => (0, "black_ms"),
            (_, true) => (1, "white_ms"),
            _ => continue,
        };
        used += game["idle_cpu_ms"][own].as_u64().unwrap_or(0);
        of += game[time].as_u64().unwrap_or(0);
        is_warned_of |= used.min(of) >= 200 && 2 * used >= of;
    }
    assert!(used > 0, "{journal}");
    assert_eq!(warnings.len(), usize::from(is_warned_of), "{used} of {of}: {}", done.stderr);
    assert!(warnings.iter().all(|it| it.starts_with("warning: busy used ")), "{warnings:?}");
}

#[test]
fn odd_habits_are_not_faults() {
    for habit in [
        "resign at=8",
        "noise",
        "eager",
        "hasty",
        "again=5",
        "repeats-ready",
        "stubborn",
        "slow-start=300",
        "first",
        "think=2",
        "absurd",
        "garbled",
        "odd-name",
        "responds",
        "floods-stderr",
    ] {
        let place = Place::new();
        let head = format!("{HEAD}quit_timeout = \"200ms\"\n");
        let config = place.config(&head, &[("odd", habit), ("good", "")]);
        let done = place.arena_ends(0, &["run", &config, "--out", "out", "--strict"]);
        let games = place.games("out", "max-plies=40");
        assert_eq!(games.len(), 4);
        for game in &games {
            assert_eq!(game["offender"], "", "{habit}: {}", done.stderr);
            if habit.starts_with("resign") {
                let lost = if game["white"] == "odd" { "0-1" } else { "1-0" };
                assert_eq!((&*game["reason"], &*game["result"]), ("resign", lost));
            }
        }
    }
}

#[test]
fn an_engine_needs_no_options() {
    let place = Place::new();
    let head = HEAD.replace("rules = { max-plies = 40 }\n", "");
    let config = place.config(&head, &[("bare", "bare"), ("good", "first")]);
    place.arena_ends(0, &["run", &config, "--out", "out", "--strict"]);
    assert_eq!(place.games("out", "").len(), 4);
}

/// An unrequested answer does not count as the next one, so the games are the same.
#[test]
fn unrequested_answers_are_ignored() {
    let place = Place::new();
    for habit in ["", "eager", "hasty", "again=5", "repeats-ready"] {
        let config = place.config(HEAD, &[("odd", habit), ("good", "")]);
        place.play(&config, &format!("out-{habit}"));
        assert_eq!(place.timeless("out-"), place.timeless(&format!("out-{habit}")));
    }
}

#[test]
fn the_journal_has_the_details_of_a_fault() {
    let place = Place::new();
    let script = format!("exit=3 at=8 once={}", place.text("once"));
    let config = place.config(HEAD, &[("bad", &script), ("good", "")]);
    place.play(&config, "out");
    let journal = fs::read_to_string(place.path("out/journal.jsonl")).unwrap();
    let game: serde_json::Value = serde_json::from_str(journal.lines().nth(1).unwrap()).unwrap();
    let detail = game["entry"]["game"]["detail"].as_str().unwrap();
    assert!(detail.ends_with("the engine's last words"), "{detail}");
}
