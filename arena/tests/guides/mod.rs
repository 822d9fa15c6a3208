//! What the README and the guides tell people to type is typed here, page by page and in order, in
//! a copy of what they have, and the output is like the one that is shown.
//!
//! [`page`] finds the commands, [`treatment`] holds the few that are not typed as they stand.

mod page;
mod treatment;

use std::collections::BTreeSet;
use std::fs;
use std::io::{Seek, Write, stderr};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{self, Stdio};

use fanorona_protocol::messages::{Command, StartText};
use fanorona_protocol::rules::{Game, Ruleset, Start};
use tempfile::TempDir;

use self::page::{Step, steps};
use crate::common::build_bots;
use crate::programs;
use treatment::Treatment;

/// The top of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the arena is a member").to_owned()
}

/// The pages whose commands are typed, by their paths from the top: every guide, the README, and
/// those of the configs and the bots.
fn pages() -> Vec<String> {
    let guides = fs::read_dir(root().join("arena/guides")).expect("the guides are there");
    let names = guides.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut pages: Vec<String> = names
        .filter(|name| name.ends_with(".md"))
        .map(|name| format!("arena/guides/{name}"))
        .collect();
    pages.extend(["README.md", "bots/README.md", "configs/README.md"].map(str::to_owned));
    pages.sort();
    pages
}

fn read(page: &str) -> String {
    fs::read_to_string(root().join(page)).expect("the page is there")
}

/// A copy of what people have after `git clone` and `cargo build --release`, as far as pages speak
/// of it.
fn copy() -> TempDir {
    let copy = tempfile::tempdir().expect("a directory");
    for part in ["configs", "arena/guides", "protocol", "results/reference"] {
        copy_tree(&root().join(part), &copy.path().join(part));
    }
    // No option overrides the limits that engines have of their own, or the number of stages.
    for name in ["configs/full.toml", "configs/swiss.toml"] {
        let config = treatment::shortened(&read(name));
        fs::write(copy.path().join(name), config).unwrap();
    }
    let programs = copy.path().join("target/release");
    fs::create_dir_all(&programs).unwrap();
    let built = Path::new(env!("CARGO_BIN_EXE_arena"));
    let bots = ["bot-random", "bot-greedy", "bot-mcts", "bot-alphabeta"];
    for name in bots.into_iter().chain(["arena", "endgames", "examples"]) {
        symlink(built.with_file_name(name), programs.join(name)).unwrap();
    }
    copy
}

fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap_or_else(|why| panic!("{}: {why}", from.display())) {
        let (entry, to) = entry.map(|entry| (entry.path(), to.join(entry.file_name()))).unwrap();
        match entry.is_dir() {
            true => copy_tree(&entry, &to),
            false => drop(fs::copy(&entry, &to).unwrap()),
        }
    }
}

/// Runs a command of a page in a copy; gives its exit code and what it printed.
fn run(command: &str, input: &str, copy: &Path) -> (Option<i32>, String) {
    let mut stdin = tempfile::tempfile().expect("a file for the input");
    stdin.write_all(input.as_bytes()).expect("the input is written");
    stdin.rewind().expect("the input is read from its start");
    let programs = copy.join("target/release");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = process::Command::new("sh")
        .args(["-c", command])
        .current_dir(copy)
        .env("PATH", format!("{}:{path}", programs.display()))
        .stdin(Stdio::from(stdin))
        .output()
        .expect("there is a shell");
    let printed = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&printed).into_owned())
}

/// Does everything a page asks for.
fn follow(page: &str) {
    build_bots();
    let copy = copy();
    for step in steps(&read(page)) {
        let command = match step {
            Step::File { name, text } => {
                fs::write(copy.path().join(name), text).unwrap();
                continue;
            }
            Step::Command(command) => command,
        };
        let at = format!("{page}:{}: `{}`", command.line, command.text);
        let typed = treatment::typed(&command.text);
        let dialogue: Vec<&str> = command.dialogue.iter().map(String::as_str).collect();
        let input = match treatment::of(&typed) {
            Treatment::Not(_) => continue,
            Treatment::Typed => told_by_the_manager(&dialogue),
            Treatment::Fed(input) => input.to_owned(),
        };
        if !programs::are_there(&treatment::needs(&typed), &format!("{at} and what follows")) {
            return;
        }
        let (ended, printed) = run(&typed, &input, copy.path());
        assert_eq!(ended, Some(0), "{at}: {printed}");
        in_order(&dialogue, &printed, &at);
        if let Some(shown) = &command.shown {
            resembles(shown, &printed, &at);
            if ALWAYS_THE_SAME.iter().any(|begin| typed.starts_with(begin)) {
                is_printed(shown, &printed, &at);
            }
        }
    }
}

/// Of a dialogue with an engine the lines that are typed: those that are commands to one.
fn told_by_the_manager(dialogue: &[&str]) -> String {
    dialogue.iter().filter(|line| is_command(line)).map(|line| format!("{line}\n")).collect()
}

fn is_command(line: &str) -> bool {
    const WORDS: [&str; 7] = ["ugi", "isready", "position", "go", "query", "stop", "quit"];
    WORDS.contains(&line.split(' ').next().unwrap_or_default())
}

/// Asserts that the answers of a dialogue were printed, in their order.
fn in_order(dialogue: &[&str], printed: &str, at: &str) {
    let mut lines = printed.lines();
    for answer in dialogue.iter().filter(|line| !is_command(line)) {
        assert!(lines.any(|line| line == *answer), "{at}: no `{answer}` in its place: {printed}");
    }
}

/// Words of shown output that depend on the games, which differ from run to run: those of verdicts.
#[rustfmt::skip]
const VARYING: [&str; 22] = [
    "about", "also", "and", "better", "between", "certain", "chance", "decide", "even", "for", "former", "more",
    "nearly", "over", "pair", "pairs", "stronger", "sure", "than", "the", "undecided", "worse",
];

/// Asserts that the program still prints what a page shows: every word, except numbers and the words
/// that depend on how the games went.
fn resembles(shown: &str, printed: &str, at: &str) {
    let printed_words = words(printed);
    let shown = words(shown);
    let missing: Vec<&str> =
        shown.difference(&printed_words).copied().filter(|word| !VARYING.contains(word)).collect();
    assert!(missing.is_empty(), "{at}: the page shows {missing:?}, but there is: {printed}");
}

/// Commands, by their beginnings, that print the same on every machine.
const ALWAYS_THE_SAME: [&str; 2] = ["arena analyse results/reference/", "arena check \"python3 "];

/// Asserts that every line that a page shows was printed, in order; `…` stands for any text, or for lines.
fn is_printed(shown: &str, printed: &str, at: &str) {
    let mut lines = printed.lines();
    for line in shown.lines().filter(|line| !line.trim().is_empty()) {
        let parts = || line.split('…').map(str::trim).filter(|part| !part.is_empty());
        let has_all = |printed: &str| {
            let mut rest = printed;
            parts().all(|part| {
                rest.find(part).map(|found| rest = &rest[found + part.len()..]).is_some()
            })
        };
        assert!(parts().count() == 0 || lines.any(has_all), "{at}: no `{line}`: {printed}");
    }
}

/// Words of three letters and more.
fn words(text: &str) -> BTreeSet<&str> {
    text.split(|letter: char| !letter.is_alphabetic()).filter(|word| word.len() > 2).collect()
}

/// A test for every page, so that they run side by side and say where they fail.
macro_rules! follow {
    ($($name:ident: $page:literal,)*) => {
        $(
            #[test]
            fn $name() {
                follow($page);
            }
        )*

        #[test]
        fn every_page_is_followed() {
            let mut followed = vec![$($page),*];
            followed.sort_unstable();
            assert_eq!(followed, pages(), "a page has no line in `follow!` here");
        }
    };
}

follow! {
    readme: "README.md",
    bots: "bots/README.md",
    configs: "configs/README.md",
    analyse_games: "arena/guides/analyse-games.md",
    compare_variants: "arena/guides/compare-variants.md",
    check_your_bot: "arena/guides/check-your-bot.md",
    commands: "arena/guides/commands.md",
    engines_elsewhere: "arena/guides/engines-elsewhere.md",
    events: "arena/guides/events.md",
    fgn: "arena/guides/fgn.md",
    in_a_browser: "arena/guides/in-a-browser.md",
    install: "arena/guides/install.md",
    many_machines: "arena/guides/many-machines.md",
    read_the_statistics: "arena/guides/read-the-statistics.md",
    results: "arena/guides/results.md",
    run_a_league: "arena/guides/run-a-league.md",
    run_a_tournament: "arena/guides/run-a-tournament.md",
    sandbox: "arena/guides/sandbox.md",
    test_a_change_with_sprt: "arena/guides/test-a-change-with-sprt.md",
    tour: "arena/guides/tour.md",
    tune_your_engine: "arena/guides/tune-your-engine.md",
    write_your_own_bot: "arena/guides/write-your-own-bot.md",
}

/// `position` lines of these pages whose moves are meant to be illegal.
const ILLEGAL: [&str; 1] = ["position startpos moves e2e3A a5a4"];

#[test]
fn every_shown_position_can_be_played() {
    let mut illegal = BTreeSet::new();
    for page in pages().into_iter().chain(["protocol/UGI.md".to_owned()]) {
        for line in read(&page).lines() {
            let line = line.strip_prefix("> ").unwrap_or(line).trim();
            let line = line.split("  #").next().unwrap_or_default();
            if !["position startpos", "position fen "].iter().any(|it| line.starts_with(it))
                || line.contains('…')
            {
                continue;
            }
            let played = play(line);
            match ILLEGAL.contains(&line) {
                true => assert!(played.is_err() && illegal.insert(line.to_owned()), "{line}"),
                false => played.unwrap_or_else(|why| panic!("{page}: `{line}`: {why}")),
            }
        }
    }
    assert_eq!(illegal.len(), ILLEGAL.len(), "{illegal:?}");
}

/// Plays the moves of a `position` line.
fn play(line: &str) -> Result<(), String> {
    let Ok(Command::Position { start, moves }) = line.parse() else {
        return Err("not a command".to_owned());
    };
    let start = match start {
        StartText::Startpos => Start::TSIVY.riatra(),
        StartText::Fen(fen) => fen.parse().map_err(|why| format!("{fen}: {why}"))?,
    };
    let mut game = Game::new(Ruleset::default(), start);
    for word in moves {
        let mv = word.parse().map_err(|why| format!("{word}: {why}"))?;
        game.play(&mv).map_err(|why| format!("{word}: {why}"))?;
    }
    Ok(())
}

/// The README is for newcomers. Everything that they do not need first is a guide.
#[test]
fn the_readme_is_short() {
    let readme = read("README.md");
    let (lines, bytes) = (readme.lines().count(), readme.len());
    assert!(lines <= 150 && bytes <= 10_000, "{lines} lines, {bytes} bytes");
}

/// Who looks for what is not typed finds it here, with the reasons.
#[test]
fn every_exception_is_of_some_page() {
    let mut used = BTreeSet::new();
    for page in pages() {
        for step in steps(&read(&page)) {
            let Step::Command(command) = step else { continue };
            let typed = treatment::typed(&command.text);
            let exceptions = treatment::EXCEPTIONS.iter();
            used.extend(exceptions.filter(|(begin, _)| typed.starts_with(begin)).map(|it| it.0));
            if let Treatment::Not(why) = treatment::of(&typed) {
                // Bypass the capture of output for passing tests.
                let _ = writeln!(stderr(), "NOT RUN: {page}:{}: `{typed}`: {why}", command.line);
            }
        }
    }
    let all: BTreeSet<&str> = treatment::EXCEPTIONS.iter().map(|it| it.0).collect();
    assert_eq!(used, all, "an exception that no page needs");
}
