//! Starting an engine: what is the engine's fault, and what is the arena's.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use fanorona_engine::{Digests, Engine, Launch, LaunchOptions, Stage, StartError, Supervisors};
use fanorona_tournament::config::{Overrides, Resolved, parse};
use nix::errno::Errno;
use nix::sys::signal::Signal;

/// The program of the guards of most tests.
const ARENA: &str = env!("CARGO_BIN_EXE_arena");

/// A tournament of two engines, which the tests place as they like.
const CONFIG: &str = "\
format = \"match\"
limit = \"depth=1\"
start_timeout = \"20s\"
quit_timeout = \"2s\"
sandbox = \"none\"
[[engine]]
name = \"a\"
command = \"a\"
[[engine]]
name = \"b\"
command = \"b\"
";

/// The tests change what all of the process has: its guards, and the directory for what is temporary.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes an executable file.
fn program(dir: &Path, name: &str, text: &str) -> PathBuf {
    let path = dir.join(name);
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// An engine that introduces itself and gets ready, and no more.
const POLITE: &str = "#!/bin/sh
while read line; do
    case $line in
        ugi) echo ugiok;;
        isready) echo readyok;;
        quit) exit 0;;
    esac
done
";

/// What comes of starting a program by a guard.
fn start(guard: &Path, program: &Path, dir: &Path) -> Result<(), StartError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let tournament = parse("t.toml", CONFIG, Path::new("/"), &Overrides::default())
        .expect("the config is right");
    let resolved = Resolved {
        program: program.to_owned(),
        args: Vec::new(),
        dir: dir.to_owned(),
        writable: Vec::new(),
        files: Vec::new(),
    };
    runtime.block_on(async {
        let guards: Arc<Supervisors> = Supervisors::new(guard).unwrap();
        let engine = &tournament.engines[0];
        let options = LaunchOptions::new(&tournament, engine);
        let launch = Launch::new(engine, resolved, options, &guards, &Digests::default());
        let started = match Engine::start(&launch).await {
            Ok(engine) => {
                engine.quit().await;
                Ok(())
            }
            Err(why) => Err(why),
        };
        guards.gone(Duration::from_secs(5)).await;
        started
    })
}

/// The stage and the error number of a start that failed, and whether it is the arena's fault.
fn failure(guard: &Path, program: &Path, dir: &Path) -> (Stage, Option<Errno>, bool) {
    let why = start(guard, program, dir).expect_err("the start fails");
    let ours = why.is_ours();
    match why {
        StartError::NotStarted { why, .. } => (why.stage, why.errno.map(Errno::from_raw), ours),
        other => panic!("{other}"),
    }
}

#[test]
fn a_program_that_does_not_run_is_at_fault() {
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    let dir = place.path();
    let arena = Path::new(ARENA);
    start(arena, &program(dir, "good", POLITE), dir).unwrap();
    let theirs = |stage, errno| (stage, errno, false);
    let missing = dir.join("missing");
    assert_eq!(failure(arena, &missing, dir), theirs(Stage::Exec, Some(Errno::ENOENT)));
    let reader = program(dir, "reader", "#!/no/such/interpreter\n");
    assert_eq!(failure(arena, &reader, dir), theirs(Stage::Exec, Some(Errno::ENOENT)));
    assert_eq!(failure(arena, dir, dir), theirs(Stage::Exec, Some(Errno::EACCES)));
    let garbage = program(dir, "garbage", "\0garbage");
    assert_eq!(failure(arena, &garbage, dir), theirs(Stage::Exec, Some(Errno::ENOEXEC)));
    let text = program(dir, "text", "echo ugiok\n");
    assert_eq!(failure(arena, &text, dir), theirs(Stage::Exec, Some(Errno::ENOEXEC)));
    let dies = program(dir, "dies", "#!/bin/sh\nexit 7\n");
    let why = start(arena, &dies, dir).unwrap_err();
    assert!(!why.is_ours() && matches!(why, StartError::Handshake { .. }), "{why}");
}

/// A program of this machine with changed bytes.
fn altered(path: &Path, change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = fs::read(path).unwrap();
    change(&mut bytes);
    bytes
}

/// The system says of most of these that there is no such file.
#[test]
fn a_file_that_cannot_be_executed_is_reported_with_the_reason() {
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    let dir = place.path();
    let text = |text: &str| text.as_bytes().to_vec();
    let inner = |name: &str| dir.join(name).display().to_string();
    let no_loader = |bytes: &mut Vec<u8>| {
        let found = bytes.windows(8).position(|part| part == b"/ld-linu");
        bytes[found.expect("a program with a loader")..][..8].copy_from_slice(b"/no-such");
    };
    let sure = Path::new("/bin/true");
    let cases: Vec<(&str, Vec<u8>, Vec<&str>)> = vec![
        ("crlf", text("#!/bin/sh\r\necho ugiok\r\n"), vec!["`#!/bin/sh\\r`", "Windows line end"]),
        ("crlf-alone", text("#!/bin/sh\r"), vec!["`#!/bin/sh\\r`", "Windows line end"]),
        (
            "crlf-env",
            text("#!/usr/bin/env python3\r\n"),
            vec!["env python3\\r`", "Windows line end"],
        ),
        (
            "missing",
            text("#!/no/such/python -u\n"),
            vec!["`#!/no/such/python -u`", "does not exist"],
        ),
        ("missing-env", text("#!/usr/bin/env python9\n"), vec!["`#!/usr/bin/env python9`", "PATH"]),
        ("missing-split", text("#!/usr/bin/env -S A=1 python9 -u\n"), vec!["`python9`", "PATH"]),
        ("unsplit", text("#!/usr/bin/env sh -e\n"), vec!["`sh -e`", "env -S"]),
        ("nothing", text("#! \nx"), vec!["names no interpreter"]),
        (
            "directory",
            text("#!/usr/bin\n"),
            vec!["`#!/usr/bin`", "/usr/bin, but it is a directory"],
        ),
        ("data", text("#!/etc/passwd\n"), vec!["/etc/passwd, but it is not executable"]),
        ("long", text(&format!("#!/{}\n", "x".repeat(300))), vec!["first line is longer than"]),
        ("mark", text("\u{feff}#!/bin/sh\n"), vec!["byte order mark"]),
        ("empty", Vec::new(), vec!["it is empty"]),
        ("text", text("echo ugiok\n"), vec!["must begin with `#!`"]),
        ("windows.exe", text("MZ\u{0}\u{0}"), vec!["a program for Windows"]),
        ("bot.jar", text("PK\u{3}\u{4}"), vec!["jar", "command = \"java\""]),
        ("Bot.class", vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61, 0], vec!["a class of Java"]),
        ("bot.dylib", vec![0xcf, 0xfa, 0xed, 0xfe, 7], vec!["a program for macOS"]),
        ("loader", altered(sure, no_loader), vec!["/no-such", "does not exist"]),
        ("machine", altered(sure, |bytes| bytes[18] = 243), vec!["for RISC-V", "this machine is"]),
        ("object", altered(sure, |bytes| bytes[16] = 1), vec!["object file"]),
        ("short", altered(sure, |bytes| bytes.truncate(100)), vec!["cut short"]),
    ];
    for (name, bytes, parts) in cases {
        let path = dir.join(name);
        fs::write(&path, bytes).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        is_reported(&path, dir, &parts);
    }
    // An interpreter that is a script of one of the other kinds.
    let outer = program(dir, "outer", &format!("#!{}\n", inner("crlf")));
    is_reported(&outer, dir, &["crlf", "Windows line end"]);
    let plain = dir.join("plain");
    fs::write(&plain, POLITE).unwrap();
    is_reported(&plain, dir, &["it is not executable", "chmod +x"]);
    is_reported(dir, dir, &["it is a directory"]);
    let link = dir.join("link");
    std::os::unix::fs::symlink(&link, &link).unwrap();
    is_reported(&link, dir, &["symbolic links"]);
    // What is missing is still called missing.
    is_reported(&dir.join("nowhere"), dir, &["No such file or directory"]);
}

fn is_reported(program: &Path, dir: &Path, parts: &[&str]) {
    let why = start(Path::new(ARENA), program, dir).expect_err("the start fails");
    let message = why.to_string();
    assert!(!why.is_ours(), "{message}");
    for part in parts {
        assert!(message.contains(part), "{part:?} is no part of {message:?}");
    }
    let is_missing = !fs::exists(program).unwrap_or(true);
    assert!(is_missing || !message.contains("No such file"), "{message:?}");
}

#[test]
fn whatever_fails_before_the_program_is_the_arenas_fault() {
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    let dir = place.path();
    let good = program(dir, "good", POLITE);
    let ours = |stage, errno| (stage, errno, true);
    let arena = Path::new(ARENA);
    let nowhere = dir.join("nowhere");
    assert_eq!(failure(arena, &good, &nowhere), ours(Stage::Directory, Some(Errno::ENOENT)));
    // Supervisors that fail before they start an engine.
    assert_eq!(failure(&nowhere, &good, dir), ours(Stage::Supervisor, Some(Errno::ENOENT)));
    for text in ["#!/bin/sh\nexit 1\n", "#!/bin/sh\nkill -9 $$\n"] {
        let guard = program(dir, "guard", text);
        assert_eq!(failure(&guard, &good, dir), ours(Stage::Supervisor, None), "{text}");
    }
    // The process that should become the engine fails.
    let guard = program(dir, "guard", "#!/bin/sh\necho '{\"killed\":9}' >&4\n");
    assert_eq!(failure(&guard, &good, dir), ours(Stage::Confine, None));
    // After the call that executes the program, the fault is the engine's.
    let guard =
        program(dir, "guard", "#!/bin/sh\necho '\"exec\"' >&4\necho '{\"killed\":9}' >&4\n");
    let why = start(&guard, &good, dir).unwrap_err();
    assert!(!why.is_ours() && matches!(why, StartError::Handshake { .. }), "{why}");
}

/// Runs one test of this program that is otherwise ignored, with a variable of its own.
fn with_variable(test: &str, name: &str, value: &Path) {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", test]).env(name, value);
    let done = command.output().unwrap();
    let told = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && told.contains("1 passed"), "{told}");
}

#[test]
fn a_private_directory_that_cannot_be_made_is_the_arenas_fault() {
    let place = tempfile::tempdir().unwrap();
    let temporary = place.path().join("temporary");
    with_variable("a_missing_temporary_directory_is_named", "TMPDIR", &temporary);
}

#[test]
#[ignore = "a part of the test above"]
fn a_missing_temporary_directory_is_named() {
    let place = tempfile::tempdir_in("/tmp").unwrap();
    let dir = place.path();
    let good = program(dir, "good", POLITE);
    let (stage, _, ours) = failure(Path::new(ARENA), &good, dir);
    assert_eq!((stage, ours), (Stage::PrivateDirectory, true));
    let why = start(Path::new(ARENA), &good, dir).unwrap_err().to_string();
    let named = std::env::temp_dir().display().to_string();
    assert!(why.contains("cannot create its private directory") && why.contains(&named), "{why}");
}

/// A program that is still open for writing cannot be run, but soon can.
#[test]
fn a_program_that_is_being_written_is_waited_for() {
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    let dir = place.path();
    // A program that ends at once, and a script with a missing interpreter.
    let sure = dir.join("sure");
    fs::copy("/bin/true", &sure).unwrap();
    let writer = fs::File::options().append(true).open(&sure).unwrap();
    let (stage, errno, ours) = failure(Path::new(ARENA), &sure, dir);
    assert_eq!((stage, errno, ours), (Stage::Exec, Some(Errno::ETXTBSY), true));
    let closing = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        drop(writer);
    });
    let why = start(Path::new(ARENA), &sure, dir).unwrap_err();
    assert!(matches!(why, StartError::Handshake { .. }), "{why}");
    closing.join().unwrap();
}

#[test]
fn an_engine_ignores_no_signal_for_its_parents() {
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    let dir = place.path();
    let text = format!("#!/bin/sh\ntrap '' XFSZ PIPE\nexec {ARENA} \"$@\"\n");
    let guard = program(dir, "guard", &text);
    let script = "#!/bin/sh\nwhile read name value; do\n[ $name = SigIgn: ] && echo $value > told\n\
                  done < /proc/$$/status\nexec ./good\n";
    program(dir, "good", POLITE);
    start(&guard, &program(dir, "teller", script), dir).unwrap();
    let ignored = fs::read_to_string(dir.join("told")).unwrap();
    let ignored = u64::from_str_radix(ignored.trim(), 16).unwrap();
    for signal in [Signal::SIGXFSZ, Signal::SIGPIPE] {
        assert_eq!(ignored & 1 << (signal as u64 - 1), 0, "{signal} is ignored: {ignored:x}");
    }
}

/// A second set would take the guards of the first for strays, and end them.
#[test]
fn there_is_one_set_of_guards() {
    let _alone = alone();
    let first = Supervisors::new(ARENA).unwrap();
    let why = Supervisors::new(ARENA).unwrap_err().to_string();
    assert!(why.contains("already has supervisors"), "{why}");
    drop(first);
    drop(Supervisors::new(ARENA).unwrap());
}

/// A program that uses the library may have children of its own.
#[test]
fn children_that_are_not_engines_live() {
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    let dir = place.path();
    let mut child = std::process::Command::new("sleep").arg("600").spawn().unwrap();
    start(Path::new(ARENA), &program(dir, "good", POLITE), dir).unwrap();
    let lives = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(lives);
}

/// A guard that is killed leaves the private directory of its engine behind.
#[test]
fn a_private_directory_is_removed_without_its_guard() {
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    let dir = place.path();
    let told = dir.join("told");
    let text = format!(
        "#!/bin/sh\nspec=$(cat /proc/self/fd/5)\n\
         home=$(expr \"$spec\" : '.*\"home\":\"\\([^\"]*\\)\"')\n\
         mkdir $home && cd $home && mkdir -p a/b/c && touch $(seq 2000) a/b/c/$$ && echo $home > {}\n\
         echo '\"exec\"' >&4\nkill -9 $$\n",
        told.display()
    );
    let guard = program(dir, "guard", &text);
    let good = program(dir, "good", POLITE);
    let why = start(&guard, &good, dir).unwrap_err().to_string();
    assert!(why.contains("its supervisor process was killed"), "{why}");
    let home = fs::read_to_string(told).unwrap();
    assert!(home.contains("arena-engine-"), "{home}");
    assert!(!Path::new(home.trim()).exists(), "{home}");
}
