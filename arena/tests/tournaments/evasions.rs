//! Engines that exceed a limit where it is hard to see are at fault as any other.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::programs;
use crate::tournaments::place::{HEAD, Place};

const ENGINE: &str = include_str!("evasions.py");

/// The ways, each with the key of the limit that is exceeded.
const WAYS: [(&str, &str); 8] = [
    ("many_descriptors", "max_files"),
    ("undumpable", "max_files"),
    ("descriptors_without_first_thread", "max_files"),
    ("in_flight", "max_files"),
    ("memory_without_first_thread", "memory"),
    ("page_tables", "memory"),
    ("unnamed", "disk"),
    ("unlinked", "disk"),
];

/// Plays a game with such an engine, and checks that it ends for exceeding the limit.
fn is_noticed(starter: impl Fn() -> Command, way: &str, key: &str) {
    let place = Place::new();
    place.write("evasions.py", ENGINE);
    fs::create_dir_all(place.path("temporary")).unwrap();
    for dir in [place.path(""), place.path("temporary")] {
        fs::set_permissions(dir, fs::Permissions::from_mode(0o777)).unwrap();
    }
    let head =
        HEAD.replace("rounds = 2", "rounds = 1").replace("stall = \"1s\"", "stall = \"20s\"");
    let evader = format!(
        "[[engine]]\nname = \"evader\"\ncommand = \"python3\"\nargs = [\"evasions.py\", \"{way}\"]\n\
         legal_moves = true\ninherit_env = [\"PYENV_ROOT\"]\nmax_files = 100\nmemory = \"150MB\"\n\
         disk = \"20MB\"\n"
    );
    let config =
        place.write("t.toml", &format!("{head}{evader}{}", place.engine("b", "first", "")));
    let mut command = starter();
    command.args(["run", &config, "--out", "out"]);
    let done = place.spawn(command).wait();
    assert_eq!(done.code, Some(0), "{way}: {}", done.stderr);
    let games = place.games("out", "max-plies=40");
    assert!(games.iter().all(|game| game["reason"] == "crash"), "{way}: {games:?}");
    let named = format!("(the config's `{key}`)");
    let journal = fs::read_to_string(place.path("out/journal.jsonl")).unwrap();
    assert!(journal.contains(&named), "{way}: {journal}");
}

fn has_python() -> bool {
    programs::are_there(&["python3"], "engines in Python that exceed limits")
}

#[test]
fn no_limit_is_exceeded_unnoticed() {
    let arena = || Command::new(env!("CARGO_BIN_EXE_arena"));
    if has_python() {
        WAYS.iter().for_each(|(way, key)| is_noticed(arena, way, key));
    }
}

/// Root sees more of processes than other users do.
#[test]
fn no_limit_is_exceeded_unnoticed_by_an_engine_of_a_user() {
    let arena = || {
        let mut arena = Command::new("setpriv");
        let user = ["--reuid=65534", "--regid=65534", "--clear-groups"];
        arena.args(user).arg(env!("CARGO_BIN_EXE_arena"));
        arena
    };
    let version = arena().arg("--version").output();
    if !has_python() || !version.is_ok_and(|done| done.status.success()) {
        eprintln!("NOT RUN: limits of a user: setpriv, root, and programs that others may run");
        return;
    }
    WAYS.iter().for_each(|(way, key)| is_noticed(arena, way, key));
}

#[test]
fn root_sees_shared_memory_that_is_in_no_page_table() {
    let is_root = fs::metadata("/proc/1/map_files").is_ok() && rustix::process::geteuid().is_root();
    if !is_root {
        eprintln!("NOT RUN: shared memory in no page table: only root can see it");
    } else if has_python() {
        is_noticed(|| Command::new(env!("CARGO_BIN_EXE_arena")), "given_back", "memory");
    }
}
