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
fn engines_that_are_no_programs_are_refused() {
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
fn engines_that_do_not_introduce_themselves_are_refused() {
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
    // By hand it prints as much.
    let config = place.write("flood.toml", &format!("{HEAD}{good}{bad}"));
    let done = place.arena_ends(6, &["run", &config, "--out", "out"]);
    assert!(!done.complaint().contains(by_hand), "{}", done.stderr);
    // All engines that do not start are reported together.
    let (dead, mute) = (place.engine("dead", "dies", ""), place.engine("mute", "mute", ""));
    refused(&place, 6, &format!("{head}{dead}{mute}"), &["engine `dead`", "engine `mute`"]);
}

#[test]
fn unknown_options_and_values_are_refused_with_their_line() {
    let place = Place::new();
    let good = place.engine("good", "", "");
    for (options, parts) in [
        ("Threads = 2", ["no option `Threads`", "it declares Seed, Rules, Hash, Notes"]),
        ("Hahs = 2", ["no option `Hahs`", "did you mean `Hash`?"]),
        ("hash = 65", ["Hash takes", "not `65`"]),
    ] {
        let bad = place.engine("bad", "", &format!("options = {{ {options} }}"));
        let text = format!("{HEAD}{good}{bad}");
        // With the line of the config.
        let line = 1 + text.lines().position(|line| line.starts_with("options")).unwrap();
        let place_of_it = format!("t.toml:{line}: engine `bad`: ");
        refused(&place, 6, &text, &[&parts[..], &[&place_of_it]].concat());
    }
}

#[test]
fn only_the_first_thousand_options_of_an_engine_count() {
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
fn engines_that_do_not_read_are_refused() {
    let place = Place::new();
    let good = place.engine("good", "", "");
    // More than a pipe holds, so writing needs a reader.
    let notes = format!("options = {{ Notes = {:?} }}", "n".repeat(1 << 20));
    let bad = place.engine("bad", "deaf-after-handshake", &notes);
    refused(&place, 6, &format!("{HEAD}{good}{bad}"), &["engine `bad`", "did not read its input"]);
}

/// The table of an engine that is a shell script.
fn shell(place: &Place, script: &str, lines: &str) -> String {
    let script = place.write("bad.sh", script);
    format!("\n[[engine]]\nname = \"bad\"\ncommand = \"sh\"\nargs = [{script:?}]\n{lines}\n")
}

#[test]
fn a_handshake_that_fails_shows_both_streams() {
    let place = Place::new();
    let good = place.engine("good", "", "");
    let head = format!("{HEAD}start_timeout = \"700ms\"\n");
    let ugi = "read ugi; echo 'id name x'; echo ugiok; ";
    let ready = format!("{ugi} read isready; ");
    let long = "head -c 3000 /dev/zero | tr '\\0' x; echo; exit 1";
    for (script, parts) in [
        // Before it reads anything, and after `ugi`.
        (
            "echo 'Error: no weights.bin'; exit 0",
            &["no `ugiok`", "it printed: Error: no weights.bin", "exited with code 0"][..],
        ),
        (
            "read ugi; echo 'Error: no weights.bin'; exit 0",
            &["no `ugiok`", "it printed: Error: no weights.bin", "exited with code 0"],
        ),
        (
            "read ugi; echo out; echo err >&2; exit 3",
            &[
                "no `ugiok`",
                "it printed: out",
                "standard error ends with: err",
                "exited with code 3",
            ],
        ),
        ("read ugi; echo err >&2; exit 3", &["no `ugiok`", "standard error ends with: err"]),
        ("read ugi; exit 0", &["no `ugiok`", "exited with code 0", "it printed nothing"]),
        ("read ugi; echo out; kill -9 $$", &["no `ugiok`", "SIGKILL", "it printed: out"]),
        ("echo Loading...; sleep 60", &["no `ugiok`", "within 7", "it printed: Loading..."]),
        ("printf ugiok; sleep 60", &["no `ugiok`", "it printed: ugiok (without a line end)"]),
        ("read ugi; echo readyok; sleep 60", &["no `ugiok`", "it printed: readyok"]),
        (
            "read ugi; printf '\\033[31m\\377\\000\\n'; exit 1",
            &["no `ugiok`", "it printed: \\u{1b}[31m\u{fffd}\\u{0}"],
        ),
        (long, &["no `ugiok`", "it printed: xxxxxxxx", "xxx … xxx"]),
        // After `ugiok`.
        (
            &format!("{ugi} sleep 60"),
            &["no `readyok`", "it printed: id name x | ugiok", "then `isready`"],
        ),
        (&format!("{ready} echo Loading...; sleep 60"), &["no `readyok`", "ugiok | Loading..."]),
        (
            &format!("{ready} echo out; echo err >&2; exit 0"),
            &["no `readyok`", "ugiok | out", "ends with: err", "code 0"],
        ),
        (&format!("{ready} echo out; kill -11 $$"), &["no `readyok`", "SIGSEGV", "ugiok | out"]),
    ] {
        let bad = shell(&place, script, "legal_moves = true");
        let config = place.write("t.toml", &format!("{head}{good}{bad}"));
        let done = place.arena_ends(6, &["run", &config, "--out", "out"]);
        done.complains(parts);
        let other = if parts[0] == "no `ugiok`" { "no `readyok`" } else { "no `ugiok`" };
        let text = done.complaint();
        assert!(!text.contains(other) && text.len() < 2500 && !text.contains('\x1b'), "{text}");
        assert!(!place.path("out").exists());
    }
}

#[test]
fn an_option_whose_declaration_cannot_be_read_is_not_called_missing() {
    let place = Place::new();
    let good = place.engine("good", "", "");
    let script = |option: &str| {
        format!(
            "while read -r line; do case \"$line\" in\n ugi) echo '{option}'; echo ugiok;;\n isready) \
             echo readyok;;\n go*) set -- ${{line##*searchmoves }}; echo \"bestmove $1\";;\n quit) exit;;\n \
             esac; done"
        )
    };
    for (option, name, why) in [
        (
            "option name Deep type check default True",
            "Deep",
            "the default of a check is true or false, not `True`",
        ),
        (
            "option name Deep type spin default 0.5 min 0 max 1",
            "deep",
            "the default of a spin is a whole number",
        ),
        ("option name Deep type bool default true", "Deep", "`bool` is not a type of option"),
        ("option name Deep Search default 3", "Deep Search", "declared as option name N type T"),
        ("option name Rules type text", "Rules", "`text` is not a type of option"),
    ] {
        let lines = match name {
            // The tournament needs it, not the config.
            "Rules" => String::new(),
            name => format!("options = {{ {name:?} = 1 }}"),
        };
        let bad = shell(&place, &script(option), &lines);
        let text = format!("{HEAD}{good}{bad}");
        let config = place.write("t.toml", &text);
        let done = place.arena_ends(6, &["run", &config, "--out", "out"]);
        done.complains(&[&format!("the engine's line `{option}` could not be read: "), why]);
        if name != "Rules" {
            let line = 1 + text.lines().position(|line| line.starts_with("options")).unwrap();
            done.complains(&[&format!("t.toml:{line}: engine `bad`: ")]);
        }
        assert!(!done.complaint().contains("no option"), "{}", done.stderr);
        // An option that nobody sets is a warning.
        let fine = shell(&place, &script(option), "legal_moves = true");
        let config = place.write("t.toml", &format!("{HEAD}{good}{fine}"));
        let done =
            place.arena_ends(0, &["run", &config, "--out", "out", "--rounds", "1", "--strict"]);
        let warning = format!("warning: engine `bad` says: `{option}`, which could not be read: ");
        assert_eq!(done.stderr.matches(&warning).count(), 1, "{}", done.stderr);
        fs::remove_dir_all(place.path("out")).unwrap();
    }
}

#[test]
fn rules_an_engine_cannot_be_told_are_refused() {
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
fn a_config_that_cannot_be_read_is_refused() {
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

#[test]
fn tournaments_of_the_same_second_have_directories_of_their_own() {
    let place = Place::new();
    let engines = place.engine("a", "", "") + &place.engine("b", "", "");
    let config = place.write("t.toml", &format!("{HEAD}{engines}"));
    for _ in 0..6 {
        place.arena_ends(0, &["run", &config, "--rounds", "1"]);
    }
    assert_eq!(fs::read_dir(place.path("results")).unwrap().count(), 6);
}
