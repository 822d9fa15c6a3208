//! What cannot be written is said, and is no success.

use std::fs::{File, OpenOptions};
use std::io::pipe;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::build_bots;
use crate::tournaments::analyse::analyst;
use crate::tournaments::every_command::{lines, names, place};
use crate::tournaments::place::{Done, Place};

/// Runs a command whose standard output goes to a full disk.
fn to_a_full_disk(place: &Place, args: &[String], input: &str) -> Done {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.args(args);
    place.write("input", input);
    let input = File::open(place.path("input")).unwrap();
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    place.spawn_with(command, |command| command.stdin(input).stdout(full)).wait()
}

#[test]
fn output_that_a_full_disk_refuses_is_no_success() {
    let place = place();
    let help = |name: String| (vec![name, "--help".to_owned()], "");
    let helps = names(&place).into_iter().map(help);
    let mut all: Vec<(Vec<String>, &str)> = lines();
    all.extend(helps);
    all.extend(["--help", "--version"].map(|word| (vec![word.to_owned()], "")));
    for (args, input) in all {
        let done = to_a_full_disk(&place, &args, input);
        assert_eq!(done.code, Some(74), "{args:?}: {}", done.stderr);
        done.complains(&["cannot write standard output: No space left on device"]);
    }
    // An error of its own is what the command ends with.
    let done = to_a_full_disk(&place, &["rate".to_owned(), "nowhere.csv".to_owned()], "");
    assert_eq!(done.code, Some(2), "{}", done.stderr);
}

/// As behind `| head`.
#[test]
fn a_reader_that_is_gone_has_seen_enough() {
    let place = place();
    for (args, input) in lines() {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command.args(&args);
        place.write("input", input);
        let input = File::open(place.path("input")).unwrap();
        let (reader, writer) = pipe().unwrap();
        drop(reader);
        let running = place.spawn_with(command, |command| command.stdin(input).stdout(writer));
        let done = running.wait();
        assert_eq!(done.code, Some(0), "{args:?}: {}", done.stderr);
        assert!(!done.stderr.contains("cannot write"), "{args:?}: {}", done.stderr);
    }
}

/// A limit on the size of files is a disk that is always full.
#[test]
fn a_file_that_cannot_be_written_is_no_success() {
    let place = place();
    let judge = analyst("greedy");
    place.arena_ends(0, &["league", "class", "init"]);
    place.write("bot.py", "print('ugiok')\n");
    for args in [
        &["convert", "out/games.csv", "-o", "games.out"][..],
        &["convert", "out", "--to", "moves", "-o", "moves.csv"],
        &["init", "new.toml"],
        &["report", "out"],
        &["merge", "out", "--out", "merged"],
        &["resume", "out", "--salvage", "salvaged"],
        &["replay", "out", "1", "--out", "said.txt"],
        &["generate", "man", "--out", "pages"],
        &["league", "class", "page"],
        &["league", "class", "add", "ada", "bot.py"],
        &["league", "other", "init"],
        &["analyse", "games.fgn", "--engine", &judge, "--nodes", "9", "--out", "a.fgn"],
        &["openings", "t.toml", "--engine", "b", "--count", "3", "-o", "o.txt"],
        &["diff", "out", "a", "b", "--judge", &judge, "--nodes", "9", "--positions", "6"],
    ] {
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -f 0; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_arena")]);
        command.args(args);
        // The messages must not be files.
        let (reader, writer) = pipe().unwrap();
        let running =
            place.spawn_with(command, |command| command.stdout(Stdio::null()).stderr(writer));
        let told = std::thread::spawn(move || std::io::read_to_string(reader).unwrap());
        let code = running.wait().code;
        let told = told.join().unwrap();
        assert_eq!(code, Some(74), "{args:?}: {told}");
        // What an engine is started with is a file as well, and comes before the result.
        let says = |words: &str| told.contains(words);
        let is_named = says("cannot write")
            || says("cannot create")
            || says("supervisor process did not start");
        assert!(is_named, "{args:?}: {told}");
        assert!(told.contains("File too large"), "{args:?}: {told}");
    }
    assert!(!place.path("new.toml").exists(), "half a config is none");
}

/// The programs beside the arena keep the same law.
#[test]
fn bots_and_their_tools_say_it_too() {
    build_bots();
    let place = Place::new();
    let beside = |name: &str| Path::new(env!("CARGO_BIN_EXE_arena")).with_file_name(name);
    let run = |program: &str, args: &[&str], input: &str, full: bool| {
        place.write("input", input);
        let mut command = Command::new(beside(program));
        command
            .args(args)
            .current_dir(place.path(""))
            .stdin(File::open(place.path("input")).unwrap());
        if full {
            command.stdout(OpenOptions::new().write(true).open("/dev/full").unwrap());
        }
        let done = command.output().unwrap();
        (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned(), done.stdout)
    };
    let bots = ["bot-random", "bot-greedy", "bot-mcts", "bot-alphabeta"];
    let tools = ["endgames", "solve", "training", "book"];
    for program in bots.into_iter().chain(tools) {
        for word in ["--help", "--version"] {
            let (code, told, _) = run(program, &[word], "", true);
            assert_eq!(code, Some(74), "{program} {word}: {told}");
            assert!(told.contains("cannot write standard output: No space left"), "{told}");
        }
        assert_eq!(run(program, &["--nonsense"], "", true).0, Some(2), "{program}");
    }
    for bot in bots {
        let (code, told, _) = run(bot, &[], "ugi\nquit\n", true);
        assert_eq!(code, Some(74), "{bot}: {told}");
        assert!(told.contains("No space left"), "{bot}: {told}");
    }
    let generate = ["training", "generate", "--out", "x.data", "--games", "2", "--nodes", "10"];
    let steps: [&[&str]; 11] = [
        &["endgames", "build", "--board", "3x3", "--stones", "3"],
        &["endgames", "verify", "tables"],
        &["endgames", "stats", "tables"],
        &["endgames", "puzzles", "tables", "--board", "3x3", "--wins", "1"],
        &["endgames", "probe", "1b1/3/1W1 w"],
        &["solve", "--board", "3x3", "--stones", "0", "--memory", "8M", "--out", "3x3.solution"],
        &["solve", "show", "3x3.solution"],
        &["solve", "check", "3x3.solution"],
        &generate,
        &["training", "count", "x.data"],
        &["book", "show"],
    ];
    for step in steps {
        let [program, args @ ..] = step else { unreachable!("every step has a program") };
        let (code, told, printed) = run(program, args, "", false);
        assert_eq!(code, Some(0), "{step:?}: {told}");
        if printed.is_empty() {
            continue;
        }
        let (code, told, _) = run(program, args, "", true);
        assert_eq!(code, Some(74), "{step:?}: {told}");
        assert!(told.contains("No space left"), "{step:?}: {told}");
    }
    // Files, too.
    for step in [
        &["endgames", "build", "--board", "3x3", "--stones", "3", "--out", "more"][..],
        &["solve", "--board", "3x3", "--stones", "0", "--memory", "8M", "--out", "other.solution"],
        &["training", "generate", "--out", "y.data", "--games", "2", "--nodes", "10"],
    ] {
        let program = beside(step[0]);
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh"]).arg(program);
        let done = command.args(&step[1..]).current_dir(place.path("")).output().unwrap();
        let told = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(74), "{step:?}: {told}");
        assert!(told.contains("File too large"), "{step:?}: {told}");
    }
}
