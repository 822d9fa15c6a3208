//! What the arena's machine lacks costs no engine a game, and a tournament goes on when it is there
//! again.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use fanorona_tournament::game::termination::{GameResult, Reason};
use fanorona_tournament::record::{GameRecord, Journal, Lock, Reader};

use crate::tournaments::place::{Done, HEAD, Place};

/// Runs the arena by a shell that does something first.
fn after(place: &Place, first: &str, args: &[&str]) -> Done {
    let mut shell = Command::new("sh");
    let script = format!("{first}; exec \"$0\" \"$@\"");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_arena")]).args(args);
    place.spawn(shell).wait()
}

/// An engine that takes the arena's directory for temporary files away, and then dies, so that
/// another process of it is needed.
#[test]
fn without_room_for_private_directories_the_tournament_stops_and_goes_on_later() {
    let place = Place::new();
    let own = place.text("own");
    fs::create_dir(&own).unwrap();
    let script = format!("ruins={own} at=8 once={}", place.text("once"));
    let head = format!("{HEAD}shortage_timeout = \"300ms\"\n");
    let config = place.config(&head, &[("bad", &script), ("good", "")]);
    let first = format!("export TMPDIR='{own}'");
    let done = after(&place, &first, &["run", &config, "--out", "out"]);
    assert_eq!(done.code, Some(74), "{}\n{}", done.stdout, done.stderr);
    done.complains(&["through no fault", "private directory", "arena resume out"]);
    let games = place.games("out", "max-plies=40");
    let faults: Vec<_> = games.iter().map(|game| &*game["reason"]).collect();
    assert_eq!(faults, ["crash"], "only what the engine did itself counts");
    let journal = fs::read_to_string(place.path("out/journal.jsonl")).unwrap();
    assert_eq!(journal.matches("{\"void\":").count(), 3, "{journal}");
    fs::create_dir(&own).unwrap();
    let done = after(&place, &first, &["resume", "out"]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let games = place.games("out", "max-plies=40");
    assert_eq!(games.len(), 4);
    assert!(games[1..].iter().all(|game| game["offender"].is_empty()), "{games:?}");
}

/// Before the first game it is said at once, and not blamed on the sandbox.
#[test]
fn a_directory_for_private_directories_that_cannot_be_used_is_named() {
    let place = Place::new();
    let (file, closed) = (place.write("file", ""), place.text("closed"));
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o555)).unwrap();
    let mut unusable = vec![place.text("nowhere"), file, "/proc".to_owned()];
    if fs::write(format!("{closed}/file"), "").is_err() {
        unusable.push(closed);
    }
    for (number, dir) in unusable.iter().enumerate() {
        for sandbox in ["auto", "none"] {
            let head = format!("sandbox = \"{sandbox}\"\n{HEAD}");
            let config = place.config(&head, &[("a", ""), ("b", "first")]);
            let out = format!("out-{number}-{sandbox}");
            let first = format!("export TMPDIR='{dir}'");
            let done = after(&place, &first, &["run", &config, "--out", &out]);
            assert_eq!(done.code, Some(74), "{dir}: {}", done.stderr);
            done.complains(&["private directory", dir, "set TMPDIR to a directory"]);
            assert!(!done.stderr.contains("sandbox = \"none\""), "{}", done.stderr);
        }
        let first = format!("export TMPDIR='{dir}'");
        let done = after(&place, &first, &["check", "true"]);
        assert_eq!(done.code, Some(74), "{dir}: {}", done.stderr);
        done.complains(&["private directory", dir, "set TMPDIR to a directory"]);
    }
}

/// The same, but the room is there again while the game still waits.
#[test]
fn a_short_shortage_is_waited_for() {
    let place = Place::new();
    let own = place.text("own");
    fs::create_dir(&own).unwrap();
    let script = format!("ruins={own} at=8 once={}", place.text("once"));
    let head = format!("{HEAD}shortage_timeout = \"40s\"\n");
    let config = place.config(&head, &[("bad", &script), ("good", "")]);
    let mut shell = Command::new("sh");
    let script = format!("TMPDIR='{own}' exec \"$0\" \"$@\"");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_arena"), "run", &config, "--out", "out"]);
    let mut running = place.spawn(shell);
    running.until(|place| {
        let journal = fs::read_to_string(place.path("out/journal.jsonl"));
        journal.is_ok_and(|text| text.contains("{\"void\":"))
    });
    fs::create_dir(&own).unwrap();
    let done = running.wait();
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(done.stderr.contains("no engine is blamed"), "{}", done.stderr);
    let games = place.games("out", "max-plies=40");
    let reasons: Vec<_> = games.iter().filter(|game| !game["offender"].is_empty()).collect();
    assert_eq!((games.len(), reasons.len()), (4, 1), "{games:?}");
}

/// Too few files may be open for as many games at once as are asked for.
#[test]
fn few_open_files_are_enough_for_fewer_games_at_once() {
    let place = Place::new();
    let head = HEAD.replace("rounds = 2", "rounds = 6");
    let config = place.config(&head, &[("a", ""), ("b", "first")]);
    place.play(&config, "alone");
    let args = ["run", &config, "--out", "out", "--concurrency", "8", "--strict"];
    let done = after(&place, "ulimit -n 64", &args);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(done.stderr.contains("games are played at once instead of 8"), "{}", done.stderr);
    assert_eq!(place.timeless("out"), place.timeless("alone"));
    // The soft limit is not final: the arena raises it.
    let done = after(&place, "ulimit -Sn 64", &["run", &config, "--out", "soft", args[4], args[5]]);
    assert!(!done.stderr.contains("at once instead"), "{}", done.stderr);
    assert_eq!(place.timeless("soft"), place.timeless("alone"));
}

/// The user may start few processes: either fewer games are played at once, or none can be, and the
/// arena stops. Root is not bound, so it plays as another user, whom no other test has: its processes would
/// count.
#[test]
fn few_processes_cost_no_engine_a_game() {
    let place = Place::new();
    let user = ["--reuid=65533", "--regid=65533", "--clear-groups"];
    let mut arena = Command::new("setpriv");
    let version = arena.args(user).args([env!("CARGO_BIN_EXE_arena"), "--version"]).output();
    if !version.is_ok_and(|done| done.status.success()) {
        eprintln!("NOT RUN: few processes: setpriv, root, and programs that others may run");
        return;
    }
    let head = HEAD.replace("concurrency = 1", "concurrency = 4");
    let head = format!("{head}shortage_timeout = \"300ms\"\nstart_timeout = \"20s\"\n");
    let config = place.config(&head, &[("a", ""), ("b", "first")]);
    let everybody = fs::Permissions::from_mode(0o777);
    fs::create_dir_all(place.path("temporary")).unwrap();
    for dir in [place.path(""), place.path("temporary")] {
        fs::set_permissions(dir, everybody.clone()).unwrap();
    }
    for processes in ["8", "12", "20", "32"] {
        let mut shell = Command::new("setpriv");
        let script = format!("ulimit -u {processes} && exec \"$0\" \"$@\"");
        shell.args(user).args(["bash", "-c", &script, env!("CARGO_BIN_EXE_arena")]);
        shell.args(["run", &config, "--out", processes]);
        let done = place.spawn(shell).wait();
        assert!(matches!(done.code, Some(0 | 74)), "{processes}: {}", done.stderr);
        assert!(
            done.code == Some(0) || done.stderr.contains("through no fault"),
            "{}",
            done.stderr
        );
        if place.path(processes).join("games.csv").exists() {
            let games = place.games(processes, "max-plies=40");
            assert!(games.iter().all(|game| game["offender"].is_empty()), "{games:?}");
        }
    }
}

/// Many engines, of which only those that play have to be running.
#[test]
fn more_engines_play_than_may_run_at_once() {
    let place = Place::new();
    let names: Vec<String> = (0..12).map(|number| format!("e{number}")).collect();
    let engines: Vec<_> = names.iter().map(|name| (&**name, "first")).collect();
    let head = HEAD.replace("match", "gauntlet").replace("rounds = 2", "rounds = 1");
    let config = place.config(&head, &engines);
    let done = after(&place, "ulimit -n 64", &["run", &config, "--out", "out", "--strict"]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert_eq!(place.games("out", "max-plies=40").len(), 2 * 11);
}

/// A results directory like another, but these games of it are void.
fn with_voids(place: &Place, from: &str, to: &str, voids: &[&str]) {
    let names = ["a", "b"];
    let contents = Journal::read(&place.path(from), names).unwrap();
    let mut reader = Reader::open(&place.path(from)).unwrap();
    fs::create_dir(place.path(to)).unwrap();
    for file in ["config.toml", "machine.json"] {
        fs::copy(place.path(from).join(file), place.path(to).join(file)).unwrap();
    }
    let lock = Lock::take(&place.path(to)).unwrap();
    let mut journal = Journal::create(lock, &contents.header).unwrap();
    for summary in contents.index.games() {
        let game = reader.game(summary.offset).unwrap();
        let void = voids.contains(&&*game.id.to_string());
        let (result, reason) = (GameResult::Void, Reason::Void);
        let game =
            if void { GameRecord { result, reason, moves: String::new(), ..game } } else { game };
        journal.write(&game).unwrap();
    }
}

#[test]
fn games_without_a_result_are_said_and_played_again() {
    let place = Place::new();
    let config = place.config(HEAD, &[("a", ""), ("b", "first")]);
    place.play(&config, "whole");
    with_voids(&place, "whole", "out", &["2", "4"]);
    place.arena_ends(0, &["report", "out"]);
    assert_eq!(place.table("out/games.csv").iter().filter(|row| row["result"] == "*").count(), 2);
    let done = place.arena_ends(0, &["resume", "out", "--strict"]);
    assert!(done.stderr.contains("2 games without a result will be played again"));
    assert_eq!(place.timeless("out"), place.timeless("whole"));
    // If the journal has an entry twice, the last one counts.
    place.arena_ends(0, &["report", "out"]);
    assert_eq!(place.timeless("out"), place.timeless("whole"));
    place.arena_ends(0, &["merge", "out", "--out", "merged"]);
    assert_eq!(place.timeless("merged"), place.timeless("whole"));
    place.arena_ends(0, &["resume", "out", "--salvage", "salvaged"]);
    assert_eq!(place.timeless("salvaged"), place.timeless("whole"));
}

/// The engine of the tests that misbehaves in one game does so again when that game is repeated, so
/// that a machine that stands still does not make tests of faults fail.
#[test]
fn a_fault_is_repeated_with_its_game() {
    let place = Place::new();
    let script = format!("abort at=8 once={}", place.text("once"));
    let config = place.config(HEAD, &[("a", &script), ("b", "first")]);
    place.play(&config, "whole");
    with_voids(&place, "whole", "out", &["1", "2"]);
    place.arena_ends(0, &["resume", "out"]);
    assert_eq!(place.timeless("out"), place.timeless("whole"));
    let faults = place.games("out", "max-plies=40");
    assert_eq!(faults.iter().filter(|game| &*game["reason"] == "crash").count(), 1);
}

/// A withdrawal rests on the games before it, so these stay as they are, and the exit code and the
/// tables say so.
#[test]
fn a_game_without_a_result_stays_where_a_decision_rests_on_it() {
    let place = Place::new();
    let head = HEAD.replace("rounds = 2", "rounds = 4");
    // It behaves in the first game only.
    let script = format!("abort at=8 patient={}", place.text("once"));
    let config = place.config(&head, &[("a", &script), ("b", "")]);
    place.play(&config, "whole");
    assert_eq!(place.games("whole", "max-plies=40").len(), 4);
    with_voids(&place, "whole", "out", &["1"]);
    let done = place.arena_ends(3, &["resume", "out", "--strict"]);
    assert!(done.stdout.contains("1 of 4 games has no result (*)"), "{}", done.stdout);
    assert_eq!(place.games("out", "max-plies=40")[0]["result"], "*");
}

#[test]
fn an_engine_that_is_replaced_plays_no_further_game() {
    let place = Place::new();
    let net = place.write("net.bin", "one");
    let script = format!("replaces={net} at=8 once={}", place.text("once"));
    let bad = place.engine("bad", &script, "files = [\"net.bin\"]");
    let config = place.write("t.toml", &format!("{HEAD}{bad}{}", place.engine("good", "", "")));
    let done = place.arena_ends(2, &["run", &config, "--out", "out"]);
    done.complains(&["engine `bad`", "net.bin", "has changed", "arena resume out", "--force"]);
    assert_eq!(place.journalled("out"), 1);
    let done = place.arena_ends(2, &["resume", "out"]);
    done.complains(&["net.bin", "a file of engine `bad`", "has changed"]);
    fs::write(&net, "one").unwrap();
    place.arena_ends(0, &["resume", "out"]);
    assert_eq!(place.games("out", "max-plies=40").len(), 4);
    let machine = fs::read_to_string(place.path("out/machine.json")).unwrap();
    assert!(machine.contains("\"sha256\""), "{machine}");
}

#[test]
fn the_others_play_without_an_engine_that_does_not_start() {
    let place = Place::new();
    let head = HEAD.replace("match", "round-robin").replace("rounds = 2", "rounds = 1");
    let engines = [("dead", "dies"), ("a", ""), ("b", "first")];
    let lost = "\n[[engine]]\nname = \"lost\"\ncommand = \"no-such-engine\"\n";
    let config = place.config(&head, &engines);
    let text = fs::read_to_string(&config).unwrap() + lost;
    let config = place.write("t.toml", &text);
    let done = place.arena_ends(6, &["run", &config, "--out", "none"]);
    done.complains(&["engine `lost`", "--skip-broken"]);
    let done = place.arena_ends(0, &["run", &config, "--out", "out", "--skip-broken"]);
    for words in ["dead did not start and plays no game", "lost did not start and plays no game"] {
        assert!(done.stdout.contains(words), "{}", done.stdout);
    }
    assert_eq!(place.games("out", "max-plies=40").len(), 2);
    let withdrawn: Vec<_> = place
        .table("out/standings.csv")
        .iter()
        .filter(|row| row["kind"] == "all")
        .map(|row| (row["engine"].clone(), row["withdrawn"].clone()))
        .filter(|(_, withdrawn)| !withdrawn.is_empty())
        .collect();
    let mut names: Vec<_> = withdrawn.iter().map(|(name, at)| format!("{name}@{at}")).collect();
    names.sort();
    assert_eq!(names, ["dead@0", "lost@0"]);
    let page = fs::read_to_string(place.path("out/report.html")).unwrap();
    let note = page.find("did not start").unwrap();
    assert!(note < page.find("id=\"standings\"").unwrap(), "it comes before the standings");
    place.arena_ends(0, &["resume", "out"]);
    // Of two engines no opponent is left.
    let two = place.config(HEAD, &[("dead", "dies"), ("a", "")]);
    let done = place.arena_ends(6, &["run", &two, "--out", "two", "--skip-broken"]);
    done.complains(&["engine `dead`", "too few engines remain"]);
}

#[test]
fn more_timed_games_than_processors_need_oversubscribe() {
    let place = Place::new();
    let head = HEAD.replace("rounds = 2", "rounds = 1");
    let timed = head.replace("depth=1", "5s");
    let engines = [("a", ""), ("b", "first")];
    let config = place.config(&timed, &engines);
    let run = |config: &str, out: &str| {
        ["run", config, "--out", out, "--concurrency", "999"].map(str::to_owned)
    };
    let args = run(&config, "refused");
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = place.arena_ends(2, &args);
    done.complains(&["999 games at once", "need 999 processors", "oversubscribe = true"]);
    assert!(!place.path("refused").exists());
    let config = place.config(&format!("oversubscribe = true\n{timed}"), &engines);
    let args = run(&config, "meant");
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    place.arena_ends(0, &args);
}

/// A control group with half a processor of quota, removed when dropped; `None`, with a note, where
/// it cannot be made.
struct HalfProcessor(PathBuf);

impl HalfProcessor {
    fn make() -> Option<HalfProcessor> {
        let name = format!("arena-test-{}", std::process::id());
        let make = |parent: &str, file: &str, quota: &str| {
            let dir = Path::new(parent).join(&name);
            fs::create_dir(&dir).ok()?;
            let group = HalfProcessor(dir);
            fs::write(group.0.join(file), quota).ok()?;
            Some(group)
        };
        let group = make("/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "50000")
            .or_else(|| make("/sys/fs/cgroup", "cpu.max", "50000 100000"));
        if group.is_none() {
            eprintln!("NOT RUN: a quota of half a processor: no control group can be made");
        }
        group
    }
}

impl Drop for HalfProcessor {
    fn drop(&mut self) {
        // Ended processes may take a moment to leave.
        for _ in 0..100 {
            if fs::remove_dir(&self.0).is_ok() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
}

/// Engines would lose on time through no fault of their own.
#[test]
fn less_than_one_processor_of_quota_is_refused_under_a_time_limit() {
    let Some(group) = HalfProcessor::make() else { return };
    let place = Place::new();
    let enter = format!("echo $$ > '{}/cgroup.procs'", group.0.display());
    let head = HEAD.replace("rounds = 2", "rounds = 1");
    let timed = format!("margin = \"30s\"\n{}", head.replace("depth=1", "500ms"));
    let config = place.config(&timed, &[("a", ""), ("b", "first")]);
    let done = after(&place, &enter, &["run", &config, "--out", "out"]);
    assert_eq!(done.code, Some(2), "{}", done.stderr);
    done.complains(&["a quota allows 0.5 processors", "raise the quota", "oversubscribe = true"]);
    let plan = after(&place, &enter, &["plan", &config]);
    let text = plan.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("`arena run` refuses it here: 1 game at once"), "{text}");
    let doctor = after(&place, &enter, &["doctor"]).stdout;
    assert!(doctor.contains("a quota of 0.5 processors ("), "{doctor}");
    // Who insists is warned, and the report names the quota.
    let config =
        place.config(&format!("oversubscribe = true\n{timed}"), &[("a", ""), ("b", "first")]);
    let done = after(&place, &enter, &["run", &config, "--out", "out"]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(done.stderr.contains("warning: 1 game at once"), "{}", done.stderr);
    let machine = fs::read_to_string(place.path("out/machine.json")).unwrap();
    assert!(machine.contains("\"quota_percent\": 50"), "{machine}");
    let report = fs::read_to_string(place.path("out/report.html")).unwrap();
    assert!(report.contains("a quota of 0.5 processors"));
    // Without a time limit the quota only makes games last longer.
    let config = place.config(&head, &[("a", ""), ("b", "first")]);
    let done = after(&place, &enter, &["run", &config, "--out", "deep"]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(!done.stderr.contains("quota"), "{}", done.stderr);
}
