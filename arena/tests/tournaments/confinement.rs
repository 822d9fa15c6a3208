//! What engines are given of the machine, and what they are kept from.

use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::programs;
use crate::tournaments::place::{HEAD, Place};

/// Plays two games between an engine that writes down how it finds itself placed, with these lines
/// in its table, and another; gives what it wrote.
fn told(place: &Place, head: &str, lines: &str) -> Vec<String> {
    let file = place.text("told");
    let teller = place.engine("teller", &format!("tells={file}"), lines);
    let other = place.engine("other", "first", "");
    let config = place.write("t.toml", &format!("{head}rounds = 1\n{teller}{other}"));
    let _ = fs::remove_dir_all(place.path("out"));
    place.arena_ends(0, &["run", &config, "--out", "out", "--strict"]);
    fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect()
}

fn head() -> String {
    HEAD.replace("rounds = 2\n", "")
}

fn value<'l>(lines: &'l [String], name: &str) -> &'l str {
    let line = lines.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix([' ', '=']));
    line.unwrap_or_else(|| panic!("no {name} in {lines:?}"))
}

#[test]
fn an_engine_finds_a_home_and_little_else() {
    let place = Place::new();
    let lines = told(&place, &head(), "inherit_env = [\"CARGO_PKG_NAME\", \"NOT_SET\"]");
    let mut names: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.strip_prefix("env ")?.split_once('=').map(|(name, _)| name))
        .filter(|name| !["PATH", "LANG", "CARGO_PKG_NAME"].contains(name))
        // Only where this user has packages.
        .filter(|name| !["PYTHONUSERBASE", "NODE_PATH"].contains(name))
        .collect();
    names.sort();
    assert_eq!(names, ["HOME", "MARK", "SCRIPTED_ENGINE", "TMPDIR"]);
    let home = value(&lines, "env HOME");
    assert!(home.starts_with(&place.text("temporary")), "{home}");
    assert_eq!(value(&lines, "env TMPDIR"), home);
    assert!(!Path::new(home).exists(), "it is removed with the engine");
    assert_eq!(value(&lines, "home-writable"), "true");
    assert_eq!(value(&lines, "open"), "3", "only the three streams");
    assert_eq!(value(&lines, "leader"), "true", "of a session without a terminal");
}

/// Bots that need a package, as the lines of their programs; `X` is the package's name.
const IMPORTS: [(&str, &str, &str); 2] = [
    ("python3", "bot.py", "import X\nfor line in __import__('sys').stdin:\n    X.answer(line)\n"),
    (
        "node",
        "bot.js",
        "const X = require('X');\nrequire('readline').createInterface({ input: process.stdin })\n\
         .on('line', line => X.answer(line));\n",
    ),
];

/// The packages: the whole engine.
const PYTHON_PACKAGE: &str = "\
def answer(line):
    words = line.split()
    if words == ['ugi']:
        print('ugiok', flush=True)
    elif words == ['isready']:
        print('readyok', flush=True)
    elif words[:1] == ['go']:
        print('bestmove', words[words.index('searchmoves') + 1], flush=True)
    elif words == ['quit']:
        raise SystemExit
";
const NODE_PACKAGE: &str = "\
exports.answer = line => {
    const words = line.split(' ');
    if (words[0] == 'ugi') console.log('ugiok');
    else if (words[0] == 'isready') console.log('readyok');
    else if (words[0] == 'go') console.log('bestmove ' + words[words.indexOf('searchmoves') + 1]);
    else if (words[0] == 'quit') process.exit(0);
};
";

#[test]
fn packages_of_the_user_stay_visible_though_the_home_is_private() {
    let place = Place::new();
    let home = place.path("home");
    let mut asked = Command::new("python3");
    let asked = asked.args(["-m", "site", "--user-site"]).env("HOME", &home).output();
    let site = String::from_utf8(asked.expect("python3 is there").stdout).unwrap();
    let site = PathBuf::from(site.trim());
    assert!(site.starts_with(&home), "{}", site.display());
    fs::create_dir_all(&site).unwrap();
    fs::write(site.join("mine.py"), PYTHON_PACKAGE).unwrap();
    fs::create_dir(home.join(".node_modules")).unwrap();
    fs::write(home.join(".node_modules/mine.js"), NODE_PACKAGE).unwrap();
    let other = place.engine("other", "first", "");
    for (program, file, text) in IMPORTS {
        if !programs::are_there(&[program], "an engine with packages of the user") {
            continue;
        }
        let run = |package: &str, lines: &str, out: &str| {
            place.write(file, &text.replace('X', package));
            let engine = format!(
                "\n[[engine]]\nname = \"bot\"\ncommand = {program:?}\nargs = [{file:?}]\n\
                 legal_moves = true\n{lines}\n"
            );
            let config = place.write("t.toml", &format!("{HEAD}{engine}{other}"));
            let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
            command.args(["run", &config, "--out", &format!("{program}-{out}"), "--strict"]);
            place.spawn_with(command, |command| command.env("HOME", &home)).wait()
        };
        let done = run("mine", "", "found");
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        // Packages that are elsewhere are found as the advice says.
        let variable = if program == "node" { "NODE_PATH" } else { "PYTHONPATH" };
        let done = run("yours", "", "lost");
        assert_eq!(done.code, Some(6), "{}", done.stderr);
        done.complains(&["does not find `yours`", &format!("inherit_env = [\"{variable}\"]")]);
        assert!(!done.complaint().contains("sandbox = "), "{}", done.stderr);
        let elsewhere = place.path("elsewhere");
        fs::create_dir_all(&elsewhere).unwrap();
        fs::write(elsewhere.join("yours.py"), PYTHON_PACKAGE).unwrap();
        fs::write(elsewhere.join("yours.js"), NODE_PACKAGE).unwrap();
        let set = format!("env = {{ {variable} = {:?} }}", elsewhere.to_str().unwrap());
        let done = run("yours", &set, "set");
        assert_eq!(done.code, Some(0), "{}", done.stderr);
    }
}

#[test]
fn a_config_may_give_it_another_home() {
    let place = Place::new();
    let engine = place.engine("teller", &format!("tells={}", place.text("told")), "");
    let engine = engine.replace("env = { ", &format!("env = {{ HOME = {:?}, ", place.text("")));
    let other = place.engine("other", "first", "");
    let config = place.write("t.toml", &format!("{HEAD}{engine}{other}"));
    place.arena_ends(0, &["run", &config, "--out", "out", "--rounds", "1", "--strict"]);
    let told = fs::read_to_string(place.path("told")).unwrap();
    let lines: Vec<String> = told.lines().map(str::to_owned).collect();
    assert_eq!(value(&lines, "env HOME"), place.text(""));
    assert_ne!(value(&lines, "env TMPDIR"), place.text(""));
}

#[test]
fn an_engine_runs_where_it_is_told_to() {
    let place = Place::new();
    let allowed = nix::sched::sched_getaffinity(nix::unistd::Pid::this()).unwrap();
    let cpu = (0..1024).find(|&cpu| allowed.is_set(cpu).unwrap()).unwrap();
    let lines = told(&place, &head(), &format!("cpus = \"{cpu}\""));
    assert_eq!(value(&lines, "cpus"), format!("[{cpu}]"));
    let config =
        place.config(&format!("cpus = \"{cpu},1001-1002\"\n{HEAD}"), &[("a", ""), ("b", "")]);
    let done = place.arena_ends(2, &["run", &config, "--out", "out-2"]);
    done.complains(&["engine `a`", "CPUs that the arena may not use: 1001, 1002"]);
}

#[test]
fn an_engine_cannot_reach_beyond_its_sandbox() {
    let place = Place::new();
    let outside = tempfile::tempdir().unwrap();
    fs::create_dir(outside.path().join("dir")).unwrap();
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let script = format!(
        "trespasses={} outside={} port={port}",
        place.text("trespassed"),
        outside.path().display()
    );
    let config = place.config(HEAD, &[("bad", &script), ("good", "")]);
    // None of this is a fault, and the game is not affected.
    let done = place.arena_ends(0, &["run", &config, "--out", "out", "--strict"]);
    assert_eq!(place.games("out", "max-plies=40").len(), 4);
    let machine: serde_json::Value =
        serde_json::from_slice(&fs::read(place.path("out/machine.json")).unwrap()).unwrap();
    let trespassed = fs::read_to_string(place.path("trespassed")).unwrap();
    assert_eq!(trespassed.lines().count(), 18, "{trespassed}");
    for line in trespassed.lines() {
        let (part, came_of_it) = line.split_once(' ').unwrap();
        if machine["sandbox"][part] == "enforced" {
            assert!(came_of_it.starts_with("denied"), "{trespassed}");
        } else {
            assert_eq!(machine["sandbox"][part], "not enforced here");
            assert!(done.stderr.contains("not enforced here: "), "{}", done.stderr);
            eprintln!("NOT ENFORCED HERE: {line}");
        }
    }
    if machine["sandbox"]["files"] == "enforced" {
        assert!(outside.path().join("dir").exists() && !outside.path().join("file").exists());
    }
}

/// For an engine that talks to another machine both layers are lifted, for it alone and for nothing
/// but the network.
#[test]
fn the_network_is_open_to_whom_the_config_opens_it() {
    let place = Place::new();
    let outside = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let tried = |name: &str| {
        let (file, outside) = (place.text(name), outside.path().display().to_string());
        format!("trespasses={file} outside={outside} port={port}")
    };
    let open = place.engine("open", &tried("open"), "sandbox_network = true");
    let shut = place.engine("shut", &tried("shut"), "");
    let config = place.write("t.toml", &format!("{HEAD}{open}{shut}"));
    let done = place.arena_ends(0, &["run", &config, "--out", "out", "--strict"]);
    let machine: serde_json::Value =
        serde_json::from_slice(&fs::read(place.path("out/machine.json")).unwrap()).unwrap();
    let came_of = |name: &str, parts: &[&str]| -> Vec<String> {
        let text = fs::read_to_string(place.path(name)).unwrap();
        let wanted = |line: &&str| parts.iter().any(|part| line.starts_with(&format!("{part} ")));
        text.lines().filter(wanted).map(str::to_owned).collect()
    };
    for (part, count) in [("tcp", 4), ("other_sockets", 2)] {
        let reached = came_of("open", &[part]);
        assert_eq!(reached.len(), count);
        // Raw sockets need root, with or without a sandbox.
        let refused = reached.iter().filter(|line| line.contains("denied")).count();
        assert!(refused <= usize::from(part == "other_sockets"), "{reached:?}");
        if machine["sandbox"][part] == "enforced" {
            let kept = came_of("shut", &[part]);
            assert!(kept.iter().all(|line| line.contains("denied")), "{kept:?}");
        }
    }
    if machine["sandbox"]["limits"] == "enforced" {
        let kept = came_of("open", &["limits"]);
        assert!(kept.iter().all(|line| line.contains("denied")), "{kept:?}");
    }
    assert!(done.stderr.contains("open"), "{}", done.stderr);
}

/// All children of a process, of its only thread.
fn children(of: u32) -> Vec<Pid> {
    let file = format!("/proc/{of}/task/{of}/children");
    let ids = fs::read_to_string(file).unwrap_or_default();
    ids.split_whitespace().map(|id| Pid::from_raw(id.parse().unwrap())).collect()
}

/// Nobody is left to end the engines then, but the kernel.
#[test]
fn engines_end_with_arena_and_guards_killed_at_once() {
    let place = Place::new();
    // An orphaned process of each engine.
    let script = "daemon-at-start think=20";
    let head = HEAD.replace("rounds = 2", "rounds = 50");
    let config = place.config(&head, &[("a", script), ("b", script)]);
    let mut running = place.start(&["run", &config, "--out", "out"]);
    running.until_journalled("out", 1);
    let machine = fs::read_to_string(place.path("out/machine.json")).unwrap();
    let machine: serde_json::Value = serde_json::from_str(&machine).unwrap();
    let guards = children(running.id());
    assert_eq!(guards.len(), 2);
    // They have nothing of the arena's environment for engines to read.
    let first = guards.iter().flat_map(|guard| children(guard.as_raw() as u32));
    for process in first.chain(guards.iter().copied()) {
        let command = fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap();
        if command.contains("supervisor") {
            assert_eq!(fs::read(format!("/proc/{process}/environ")).unwrap_or_default(), b"");
        }
    }
    if machine["sandbox"]["namespace"] != "enforced" {
        eprintln!("NOT ENFORCED HERE: namespace; a process of a killed arena may live on");
        running.signal(Signal::SIGTERM);
        running.wait();
        return;
    }
    assert!(place.processes().len() >= 4, "{:?}", place.processes());
    let other = place.path("temporary/arena-engine");
    fs::create_dir(&other).unwrap();
    running.signal(Signal::SIGSTOP);
    // The directories of an arena that lives are left alone.
    let before = homes(&place);
    visited(&place);
    let deadline = Instant::now() + Duration::from_secs(10);
    while homes(&place) != before {
        assert!(Instant::now() < deadline, "{:?} instead of {before:?}", homes(&place));
        sleep(Duration::from_millis(10));
    }
    for signal in [Signal::SIGSTOP, Signal::SIGKILL] {
        for &guard in &guards {
            kill(guard, signal).unwrap();
        }
    }
    running.signal(Signal::SIGKILL);
    let deadline = Instant::now() + Duration::from_secs(10);
    while !place.processes().is_empty() {
        assert!(Instant::now() < deadline, "still there: {:?}", place.processes());
        sleep(Duration::from_millis(10));
    }
    // No supervisor was left to remove these; the next arena does.
    assert_eq!(homes(&place).len(), 2);
    visited(&place);
    while !homes(&place).is_empty() {
        assert!(Instant::now() < deadline, "still there: {:?}", homes(&place));
        sleep(Duration::from_millis(10));
    }
    assert!(other.exists(), "it is no private directory");
    fs::remove_dir(other).unwrap();
    assert_eq!(running.wait().code, None);
}

/// The private directories of engines.
fn homes(place: &Place) -> BTreeSet<PathBuf> {
    let entries = fs::read_dir(place.path("temporary")).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.to_str().unwrap().contains("arena-engine-")).collect()
}

/// Starts another arena with the same directory for temporary files, and waits for its end.
fn visited(place: &Place) {
    let mut doctor = Command::new(env!("CARGO_BIN_EXE_arena"));
    doctor.arg("doctor").env("TMPDIR", place.path("temporary"));
    assert!(doctor.output().unwrap().status.success());
}

/// A control group of this test's own, where it may make one.
fn control_group() -> Option<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
    let line = mounts.lines().find(|line| line.contains(" - cgroup2 "))?;
    let dir = Path::new(line.split(' ').nth(4)?).join(format!("arena-test-{}", Pid::this()));
    fs::create_dir(&dir).ok().map(|()| dir)
}

/// Which controllers there are differs from machine to machine; that every engine has a group of its
/// own, and that none is left, does not.
#[test]
fn engines_have_control_groups_where_the_arena_has_one() {
    let Some(group) = control_group() else {
        eprintln!("NOT RUN: engines in control groups: there is no cgroup v2 that can be written");
        return;
    };
    let place = Place::new();
    let config = place.config(HEAD, &[("a", "think=50"), ("b", "think=50 daemon-at-start")]);
    let mut command = Command::new("sh");
    let script = "echo 0 > $0/cgroup.procs && exec \"$@\"";
    command.args(["-c", script]).arg(&group).arg(env!("CARGO_BIN_EXE_arena"));
    command.args(["run", &config, "--out", "out", "--strict"]);
    let mut running = place.spawn(command);
    running.until_journalled("out", 1);
    let group_of = |process: &String| {
        let groups = fs::read_to_string(format!("{}/cgroup", process.split(':').next()?)).ok()?;
        Some(groups.lines().find_map(|line| line.strip_prefix("0::"))?.to_owned())
    };
    let groups: Vec<String> = place.processes().iter().filter_map(group_of).collect();
    assert!(groups.len() >= 3 && groups.iter().all(|path| path.contains("/engine-")), "{groups:?}");
    let done = running.wait();
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let left = fs::read_dir(&group).unwrap().filter_map(Result::ok);
    let left: Vec<_> = left.filter(|entry| entry.path().is_dir()).map(|e| e.file_name()).collect();
    assert_eq!(left, ["arena"]);
    fs::remove_dir(group.join("arena")).unwrap();
    fs::remove_dir(&group).unwrap();
}

#[test]
fn without_a_sandbox_it_is_said() {
    let place = Place::new();
    let config = place.config(&format!("sandbox = \"none\"\n{HEAD}"), &[("a", ""), ("b", "")]);
    let done = place.arena_ends(0, &["run", &config, "--out", "out", "--rounds", "1"]);
    assert!(done.stderr.contains("note: sandbox off"), "{}", done.stderr);
    let machine = fs::read_to_string(place.path("out/machine.json")).unwrap();
    assert!(machine.contains("\"sandbox\": null"), "{machine}");
}

#[test]
fn a_directory_that_is_not_there_is_refused() {
    let place = Place::new();
    let engine = place.engine("a", "", "").replace("\".\"]", "\"nowhere\"]");
    let config = place.write("t.toml", &format!("{HEAD}{engine}{}", place.engine("b", "", "")));
    let done = place.arena_ends(6, &["run", &config, "--out", "out"]);
    done.complains(&["engine `a`", "`writable` names", "nowhere", "not a directory"]);
    let engine = place.engine("a", "", "dir = \"nowhere\"");
    let config = place.write("t.toml", &format!("{HEAD}{engine}{}", place.engine("b", "", "")));
    let done = place.arena_ends(6, &["run", &config, "--out", "out"]);
    done.complains(&["engine `a`", "`dir` names", "nowhere", "not a directory"]);
}
