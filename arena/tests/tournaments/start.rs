//! What is refused before the first game, and that nothing is left of it.

use std::fs;

use crate::tournaments::place::{HEAD, Place};

/// Runs a config that is to be refused with this code.
fn refused(place: &Place, code: i32, text: &str, parts: &[&str]) {
    let config = place.write("t.toml", text);
    let done = place.arena_ends(code, &["run", &config, "--out", "out"]);
    done.complains(parts);
    assert_eq!(done.stdout, "", "{parts:?}");
    assert!(!place.path("out").exists(), "{parts:?}");
}

#[test]
fn engines_that_are_no_programs() {
    let place = Place::new();
    let good = place.engine("good", "", "");
    let engine = |command| format!("\n[[engine]]\nname = \"lost\"\ncommand = \"{command}\"\n");
    let parts = ["program `no-such-engine`", "engine `lost`", "cargo build --release"];
    refused(&place, 6, &format!("{HEAD}{good}{}", engine("no-such-engine")), &parts);
    place.write("notes.txt", "no program");
    let parts = ["the program of the engine `lost` is not executable", "notes.txt", "chmod +x"];
    refused(&place, 6, &format!("{HEAD}{good}{}", engine("./notes.txt")), &parts);
    // Executable, but not a program.
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(place.path("notes.txt"), fs::Permissions::from_mode(0o755)).unwrap();
    let parts = ["engine `lost`", "cannot run", "notes.txt"];
    refused(&place, 6, &format!("{HEAD}{good}{}", engine("./notes.txt")), &parts);
}

#[test]
fn engines_that_do_not_introduce_themselves() {
    let place = Place::new();
    let good = place.engine("good", "", "");
    let head = format!("{HEAD}start_timeout = \"500ms\"\n");
    for (script, parts) in [
        ("mute", &["engine `bad`", "no `ugiok`", "type `ugi`"][..]),
        ("slow-start=2000", &["engine `bad`", "no `ugiok`"]),
        ("uci", &["engine `bad`", "no `ugiok`"]),
        ("dies", &["engine `bad`", "exited with code 7", "the engine's last words"]),
    ] {
        let bad = place.engine("bad", script, "");
        refused(&place, 6, &format!("{head}{good}{bad}"), parts);
    }
    // The environment may be the reason, and the sandbox, if there is one.
    let by_hand = "type `ugi`";
    let parts = [by_hand, "`inherit_env`", "or the sandbox", "`sandbox_network = true`"];
    refused(&place, 6, &format!("{head}{good}{}", place.engine("bad", "mute", "")), &parts);
    let open = place.engine("bad", "mute", "sandbox = \"none\"");
    let config = place.write("t.toml", &format!("{head}{good}{open}"));
    let done = place.arena_ends(6, &["run", &config, "--out", "out"]);
    done.complains(&[by_hand, "`inherit_env`"]);
    assert!(!done.complaint().contains("or the sandbox"), "{}", done.stderr);
    // An engine's name has a maximal length.
    let bad = place.engine("bad", "many-choices=11", "");
    let parts = ["engine `bad`", "no `ugiok`", "more than 10000 `var` values"];
    refused(&place, 6, &format!("{HEAD}{good}{bad}"), &parts);
    let bad = place.engine("bad", "long-handshake=5", "");
    let parts = ["engine `bad`", "no `ugiok`", "printed more than 4 MiB"];
    refused(&place, 6, &format!("{HEAD}{good}{bad}"), &parts);
    // All engines that do not start are reported together.
    let (dead, mute) = (place.engine("dead", "dies", ""), place.engine("mute", "mute", ""));
    refused(&place, 6, &format!("{head}{dead}{mute}"), &["engine `dead`", "engine `mute`"]);
}

#[test]
fn options_an_engine_does_not_have() {
    let place = Place::new();
    let good = place.engine("good", "", "");
    for (options, parts) in [
        ("Threads = 2", ["no option `Threads`", "it declares Seed, Rules, Hash, Notes"]),
        ("Hahs = 2", ["no option `Hahs`", "did you mean `Hash`?"]),
        ("hash = 65", ["Hash takes", "not `65`"]),
    ] {
        let bad = place.engine("bad", "", &format!("options = {{ {options} }}"));
        let text = format!("{HEAD}{good}{bad}");
        refused(&place, 6, &text, &parts);
        // With the line of the config.
        let line = 1 + text.lines().position(|line| line.starts_with("options")).unwrap();
        refused(&place, 6, &text, &[&format!("t.toml:{line}: engine `bad`: ")]);
    }
}

#[test]
fn more_options_than_anybody_has() {
    let place = Place::new();
    let good = place.engine("good", "", "");
    // Four other commands come before them.
    let many = |number: u32| {
        let lines = format!("options = {{ Extra{number} = 1 }}");
        format!("{HEAD}{}{good}", place.engine("many", "many-options=10000", &lines))
    };
    let config = place.write("t.toml", &many(996));
    place.arena_ends(0, &["run", &config, "--out", "out", "--rounds", "1", "--strict"]);
    fs::remove_dir_all(place.path("out")).unwrap();
    let parts = ["no option `Extra997`", "only its first 1000 options"];
    refused(&place, 6, &many(997), &parts);
}

#[test]
fn a_name_is_what_can_be_printed_of_it() {
    let place = Place::new();
    let config = place.config(HEAD, &[("odd", "odd-name"), ("good", "")]);
    place.arena_ends(0, &["run", &config, "--out", "out", "--rounds", "1"]);
    let machine: serde_json::Value =
        serde_json::from_slice(&fs::read(place.path("out/machine.json")).unwrap()).unwrap();
    assert_eq!(
        machine["engines"][0]["identity"],
        "\\u{1b}[31m<b>bo\u{fffd}t</b>\\u{0}\\u{7} & \\u{9b}2J"
    );
}

#[test]
fn engines_that_do_not_read() {
    let place = Place::new();
    let good = place.engine("good", "", "");
    // More than a pipe holds, so writing needs a reader.
    let notes = format!("options = {{ Notes = {:?} }}", "n".repeat(1 << 20));
    let bad = place.engine("bad", "deaf-after-handshake", &notes);
    refused(&place, 6, &format!("{HEAD}{good}{bad}"), &["engine `bad`", "did not read its input"]);
}

#[test]
fn rules_an_engine_cannot_be_told() {
    let place = Place::new();
    let good = place.engine("good", "", "");
    let bare = place.engine("bare", "bare", "");
    let parts = ["engine `bare`", "`max-plies=40`", "`legal_moves = true`", "correct the config"];
    refused(&place, 6, &format!("{HEAD}{good}{bare}"), &parts);
}

#[test]
fn every_error_of_a_config_is_shown_with_its_line() {
    let place = Place::new();
    let text = "rounds = 0\nkind = [\"riatra\"]\nlimit = \"fast\"\nconcurrency = \"two\"\n\
                [[engine]]\nname = \"a\"\n";
    let parts = [
        "t.toml:1:",
        "rounds",
        "t.toml:2:",
        "unknown key `kind`",
        "did you mean `kinds`?",
        "t.toml:3:",
        "`fast` is not a duration",
        "t.toml:4:",
        "concurrency",
        "`command` is missing",
    ];
    refused(&place, 2, text, &parts);
    refused(&place, 2, "rounds = \n", &["not valid TOML", "t.toml:1:"]);
}

#[test]
fn a_config_that_cannot_be_read() {
    let place = Place::new();
    let done = place.arena_ends(2, &["run", "nowhere.toml", "--out", "out"]);
    done.complains(&["failed to read the config nowhere.toml"]);
    fs::write(place.path("t.toml"), b"name = \"\xff\"").unwrap();
    let done = place.arena_ends(2, &["run", "t.toml", "--out", "out"]);
    done.complains(&["t.toml is not valid UTF-8"]);
    assert!(!place.path("out").exists());
}

#[test]
fn a_directory_with_a_tournament_is_kept() {
    let place = Place::new();
    let config = place.config(HEAD, &[("a", ""), ("b", "first")]);
    fs::create_dir(place.path("my results")).unwrap();
    place.write("my results/notes.txt", "keep me");
    place.arena_ends(0, &["run", &config, "--rounds", "1", "--out", "my results"]);
    let journal = fs::read(place.path("my results/journal.jsonl")).unwrap();
    let done = place.arena_ends(2, &["run", &config, "--out", "my results"]);
    done.complains(&["already holds a tournament", "arena resume 'my results'"]);
    assert_eq!(fs::read(place.path("my results/journal.jsonl")).unwrap(), journal);
    assert_eq!(fs::read_to_string(place.path("my results/notes.txt")).unwrap(), "keep me");
}
