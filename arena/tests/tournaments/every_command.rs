//! Every command of the program with arguments with which it works, for tests of what holds for all of
//! them.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{build_bots, command_groups};
use crate::tournaments::analyse::{BLUNDER, analyst};
use crate::tournaments::place::{HEAD, Place};

/// Commands that run until they are stopped; one whose tests need a server, and one that needs modules
/// which other tools build.
const NOT_HERE: [&str; 3] = ["serve", "cluster", "site"];

/// A directory with a tournament `out` of the config `t.toml`, games in `games.fgn`, and a tuning
/// `tune.toml`.
pub(crate) fn place() -> Place {
    let place = Place::new();
    let head = HEAD.replace("\"match\"", "\"round-robin\"").replace("rounds = 2", "rounds = 1");
    let config = place.config(&format!("{head}log = \"all\"\n"), &[("a", ""), ("b", "greedy")]);
    place.play(&config, "out");
    place.write("games.fgn", BLUNDER);
    place.write("more.toml", &place.engine("c", "first", ""));
    let tuned = place.engine("aims", "greedy aim=70", "");
    let head = HEAD.replace("\"match\"", "\"tune\"").replace("rounds = 2", "rounds = 1");
    place.write(
        "tune.toml",
        &format!(
            "{head}[tune]\niterations = 2\n\
             parameters = {{ Aim = {{ start = 20, min = 0, max = 100 }} }}\n{tuned}"
        ),
    );
    place
}

/// The command lines, each with what is typed. The later ones need what the earlier ones leave.
pub(crate) fn lines() -> Vec<(Vec<String>, &'static str)> {
    let judge = analyst("greedy");
    let other = analyst("first");
    let judge = &*judge;
    let by = ["--engine", judge, "--nodes", "9"];
    let openings = ["openings", "t.toml", "--engine", "b", "--count", "3", "-o", "o.txt"];
    let quick = ["quick", judge, &other, "--games", "2", "--kind", "riatra", "--limit", "depth=1"];
    let diff = ["diff", "out", "a", "b", "--judge", judge, "--nodes", "9", "--positions", "6"];
    let lines: Vec<(Vec<&str>, &str)> = vec![
        (vec!["run", "t.toml", "--out", "run"], ""),
        (vec!["resume", "run"], ""),
        (vec!["extend", "run", "--rounds", "2"], ""),
        (vec!["run", "tune.toml", "--iterations", "1", "--out", "tuned"], ""),
        ([&quick[..], &["--out", "quick"]].concat(), ""),
        (vec!["merge", "out", "--out", "merged"], ""),
        (vec!["resume", "out", "--salvage", "salvaged"], ""),
        (vec!["rate", "out/games.csv"], ""),
        (vec!["rate", "out/games.csv", "--json"], ""),
        (vec!["sprt", "--pairs", "0,2,9,4,0", "--elo0", "0", "--elo1", "10"], ""),
        (vec!["compare", "out", "run"], ""),
        (diff.to_vec(), ""),
        (vec!["check", judge, "--only", "101"], ""),
        (vec!["check", "--list"], ""),
        (vec!["report", "out"], ""),
        (["analyse", "games.fgn"].into_iter().chain(by).collect(), ""),
        (["analyse", "out"].into_iter().chain(by).collect(), ""),
        (vec!["analyse", "out", "--oracle", judge], ""),
        (["puzzles", "games.fgn", "--out", "p.jsonl"].into_iter().chain(by).collect(), ""),
        (vec!["init", "new.toml"], ""),
        (vec!["plan", "t.toml"], ""),
        (openings.to_vec(), ""),
        (vec!["show", "out", "1"], "nplq"),
        (vec!["show", "out", "1", "--dialogue"], ""),
        (vec!["replay", "out", "1"], ""),
        (vec!["play", judge, "--limit", "depth=1", "--seed", "1"], "1\nhelp\nhint\nquit\n"),
        (vec!["convert", "out/games.csv"], ""),
        (vec!["convert", "out"], ""),
        (vec!["league", "class", "init"], ""),
        (vec!["extend", "out", "more.toml"], ""),
        (vec!["doctor"], ""),
        (vec!["generate", "completions", "bash"], ""),
        (vec!["generate", "man"], ""),
    ];
    let owned = |args: Vec<&str>| args.into_iter().map(str::to_owned).collect();
    lines.into_iter().map(|(args, input)| (owned(args), input)).collect()
}

/// The names of the commands, as the program lists them.
pub(crate) fn names(place: &Place) -> Vec<String> {
    let help = place.arena_ends(0, &["--help"]).stdout;
    command_groups(&help).into_iter().flat_map(|(_, names)| names).collect()
}

/// A command that is new has to be listed above.
#[test]
fn no_command_is_left_out() {
    let lines = lines();
    for name in names(&Place::new()) {
        let is_here = lines.iter().any(|(args, _)| args[0] == name);
        assert!(is_here || NOT_HERE.contains(&&*name), "{name}");
    }
}

/// The table of commands in the guides has all of them, in the groups of the help.
#[test]
fn the_guide_names_every_command_in_its_group() {
    let guide = include_str!("../../guides/commands.md");
    let table = guide.split("| command | what it does |\n|---|---|\n").nth(1).unwrap();
    let mut shown: Vec<(String, Vec<String>)> = Vec::new();
    for row in table.lines().take_while(|line| line.starts_with('|')) {
        let begin = row.trim_start_matches("| ").split(" |").next().unwrap();
        if let Some(heading) = begin.strip_prefix("**") {
            shown.push((heading.trim_end_matches("**").to_owned(), Vec::new()));
            continue;
        }
        let name = begin.strip_prefix("`arena ").unwrap().split([' ', '`']).next().unwrap();
        let (_, names) = shown.last_mut().unwrap();
        if names.last().is_none_or(|last| last != name) {
            names.push(name.to_owned());
        }
    }
    if !cfg!(feature = "cluster") {
        shown.iter_mut().for_each(|(_, names)| names.retain(|name| name != "cluster"));
    }
    assert_eq!(shown, command_groups(&Place::new().arena_ends(0, &["--help"]).stdout));
}

/// An option that the table names is one of its command.
#[test]
fn the_guide_names_options_that_exist() {
    let place = Place::new();
    let guide = include_str!("../../guides/commands.md");
    let rows = guide.lines().filter(|line| line.starts_with("| `arena "));
    let mut named = 0;
    for row in rows.filter(|row| !row.contains("(feature `cluster`)")) {
        let name = row.trim_start_matches("| `arena ").split([' ', '`']).next().unwrap();
        let help = place.arena_ends(0, &[name, "--help"]).stdout;
        for part in row.split("`-").skip(1).chain(row.split(" -").skip(1)) {
            let end = |letter: char| !(letter.is_ascii_alphanumeric() || letter == '-');
            let option = format!("-{}", part.split(end).next().unwrap());
            named += usize::from(option.len() > 1);
            let is_there = help.split([' ', ',', '\n', '[']).any(|word| word == option);
            assert!(is_there || option == "-", "{name} {option}\n{help}");
        }
    }
    assert!(named > 20, "{named}");
}

/// What `arena` says if it is told nothing is what its help says; it has done nothing, though.
#[test]
fn without_a_command_the_groups_are_shown() {
    let place = Place::new();
    let help = place.arena_ends(0, &["--help"]).stdout;
    let alone = place.arena_ends(2, &[]);
    assert_eq!((&*alone.stdout, alone.stderr), ("", help.clone()));
    assert!(help.contains("\nBegin here:\n  arena quick bot-alphabeta bot-mcts "), "{help}");
    assert!(!help.contains('\x1b') && !help.contains("generate"), "{help}");
}

/// What is accepted means something: only builds that can use other machines speak of them.
#[test]
fn no_option_is_always_refused() {
    let place = Place::new();
    let help = |name: &str| place.arena_ends(0, &[name, "--help"]).stdout;
    let all = place.arena_ends(0, &["--help"]).stdout;
    let has_cluster = cfg!(feature = "cluster");
    assert_eq!(all.contains("  cluster "), has_cluster, "{all}");
    for name in ["run", "resume", "extend"] {
        let help = help(name);
        for word in ["--cluster", "--credentials", "--ship", "Many machines:"] {
            assert_eq!(help.contains(word), has_cluster, "{name} {word}");
        }
    }
    if !has_cluster {
        for args in
            [&["cluster", "work", "nats://localhost"][..], &["run", "t.toml", "--cluster", "x"]]
        {
            place.arena_ends(2, args).complains(&["without the feature `cluster`"]);
        }
    }
}

/// A reader who follows one page finds the tables of another.
#[test]
fn the_directory_of_endgame_tables_has_one_name() {
    build_bots();
    let place = Place::new();
    let mut texts: Vec<(String, String)> = names(&place)
        .into_iter()
        .map(|name| (name.clone(), place.arena_ends(0, &[&*name, "--help"]).stdout))
        .collect();
    for args in [&["endgames", "build"][..], &["endgames", "probe"], &["solve"]] {
        let program = Path::new(env!("CARGO_BIN_EXE_arena")).with_file_name(args[0]);
        let help = Command::new(program).args(&args[1..]).arg("--help").output().unwrap();
        let help = String::from_utf8(help.stdout).unwrap();
        assert!(help.contains("[default: tables]"), "{args:?}: {help}");
        texts.push((args.join(" "), help));
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for page in ["README.md", "arena/guides", "bots/endgames", "bots/solve", "bots/OPTIONS.md"] {
        let path = root.join(page);
        let pages = match path.is_dir() {
            true => fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect(),
            false => vec![path],
        };
        for page in pages.iter().filter(|page| page.extension().is_some_and(|it| it == "md")) {
            texts.push((page.display().to_string(), fs::read_to_string(page).unwrap()));
        }
    }
    for (place, text) in texts {
        for word in ["EndgameTables=", "--tables ", "the directory endgames"] {
            for rest in text.split(word).skip(1) {
                let named = rest.split([' ', '`', '\n', ',', ')', ']']).next().unwrap();
                let is_it = named.starts_with("tables") || named == "$PWD/tables";
                let is_a_placeholder = ["DIR", "<DIR>", "PATH"].contains(&named);
                assert!(is_it || is_a_placeholder, "{place}: {word}{named}");
            }
        }
    }
}
