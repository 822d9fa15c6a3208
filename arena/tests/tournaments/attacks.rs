//! Attacks of a hostile engine on the machine, as root and as an ordinary user. Each must fail, and
//! the table in the guide about the sandbox must name it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::programs;
use crate::tournaments::place::{HEAD, Place};

/// The engine, which tries everything on its list.
const ATTACKS: &str = include_str!("attacks.py");

/// The guide with the table of what the sandbox refuses.
const GUIDE: &str = include_str!("../../guides/sandbox.md");

/// An engine that only its owner may execute or read.
const SCRIPT: &str = "\
#!/bin/sh
while read -r line; do
    case $line in
        ugi) echo ugiok;;
        isready) echo readyok;;
        go*) set -- ${line#*searchmoves }; echo bestmove $1;;
        quit) exit;;
    esac
done
";

/// Plays a game with the attacking engine by a command that starts the arena, and checks that no
/// attack succeeded and that the table rules each of them out.
fn all_fail(place: &Place, mut starter: Command) {
    place.write("attacks.py", ATTACKS);
    place.write("victim", "#!/bin/sh\n");
    let attacker = "[[engine]]\nname = \"attacker\"\ncommand = \"python3\"\n\
                    args = [\"attacks.py\", \"report\", \"victim\"]\nlegal_moves = true\n\
                    writable = [\".\"]\ninherit_env = [\"PYENV_ROOT\"]\n";
    let head = HEAD.replace("rounds = 2", "rounds = 1");
    let config = format!("{head}{attacker}{}", place.engine("other", "first", ""));
    let config = place.write("t.toml", &config);
    // This user owns the files of the opponent, too.
    for entry in fs::read_dir(place.path("")).unwrap() {
        let open = fs::Permissions::from_mode(0o777);
        fs::set_permissions(entry.unwrap().path(), open).unwrap();
    }
    starter.args(["run", &config, "--out", "out", "--strict"]).env("SECRET", "of the arena");
    let done = place.spawn(starter).wait();
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let machine = fs::read_to_string(place.path("out/machine.json")).unwrap();
    let machine: serde_json::Value = serde_json::from_str(&machine).unwrap();
    let report = fs::read_to_string(place.path("report")).unwrap();
    assert!(report.lines().count() > 80, "{report}");
    let mut reached = Vec::new();
    for line in report.lines() {
        let [name, row, outcome] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let rules_it_out = |line: &str| {
            let cells: Vec<_> = line.split('|').map(str::trim).collect();
            cells.len() == 5 && cells[1].contains(row) && cells[2].starts_with("no")
        };
        assert!(GUIDE.lines().any(rules_it_out), "the table has no row about {name}: {row}");
        if outcome.starts_with("denied") {
            continue;
        }
        let parts = ["files", "devices", "administration", "other_processes"];
        match parts.iter().find(|&&part| machine["sandbox"][part] != "enforced") {
            Some(part) => eprintln!("NOT ENFORCED HERE: {part}: {line}"),
            None => reached.push(line),
        }
    }
    assert!(reached.is_empty(), "{reached:#?}");
}

fn has_python() -> bool {
    programs::are_there(&["python3"], "attacks on the sandbox, by an engine in Python")
}

/// If root runs the tests, root is attacked.
#[test]
fn no_attack_on_the_machine_succeeds() {
    if has_python() {
        all_fail(&Place::new(), Command::new(env!("CARGO_BIN_EXE_arena")));
    }
}

/// An ordinary user, who may raise priorities.
#[test]
fn no_attack_of_a_privileged_user_succeeds() {
    let user = ["--nice=40", "--rtprio=50", "setpriv", "--reuid=65534", "--regid=65534"];
    let mut starter = Command::new("prlimit");
    starter.args(user).args(["--clear-groups", env!("CARGO_BIN_EXE_arena")]);
    let mut version = Command::new("prlimit");
    let version = version.args(starter.get_args()).arg("--version").output();
    if !has_python() || !version.is_ok_and(|done| done.status.success()) {
        eprintln!("NOT RUN: attacks by a user: setpriv, root, and programs that others may run");
        return;
    }
    let place = Place::new();
    let everybody = fs::Permissions::from_mode(0o777);
    fs::create_dir_all(place.path("temporary")).unwrap();
    for dir in [place.path(""), place.path("temporary")] {
        fs::set_permissions(dir, everybody.clone()).unwrap();
    }
    all_fail(&place, starter);
}

/// Root's engines often belong to another user, as with `sudo`, and so do their directories.
#[test]
fn root_plays_with_programs_of_another_user() {
    let place = Place::new();
    let head = HEAD.replace("rounds = 2", "rounds = 1");
    let (private, program) = (place.path("private"), place.path("private/bot"));
    fs::create_dir(&private).unwrap();
    fs::write(&program, SCRIPT).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
    fs::set_permissions(&private, fs::Permissions::from_mode(0o700)).unwrap();
    let owned = |path: &Path| std::os::unix::fs::chown(path, Some(65534), Some(65534));
    if owned(&program).and_then(|()| owned(&private)).is_err() {
        eprintln!("NOT RUN: root with the programs of another user: only root can give them away");
        return;
    }
    let bot = |lines| {
        format!("[[engine]]\nname = \"bot\"\ncommand = {program:?}\nlegal_moves = true\n{lines}\n")
    };
    let other = place.engine("other", "first", "");
    let config = place.write("t.toml", &format!("{head}{}{other}", bot("")));
    place.arena_ends(0, &["run", &config, "--out", "out", "--strict"]);
    // What such an engine cannot do is said before the first game.
    let writable = bot("writable = [\"private\"]");
    let config = place.write("t.toml", &format!("{head}{writable}{other}"));
    let done = place.arena_ends(74, &["run", &config, "--out", "closed"]);
    done.complains(&["engine `bot`", "private: it belongs to another user", "may read there"]);
}
