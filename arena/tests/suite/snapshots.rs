//! Texts that people read, kept as files: a change of wording is then seen in review. After a change
//! that is meant, `INSTA_UPDATE=always cargo test -p fanorona-arena --test suite snapshots` writes
//! the files again.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::command_groups;
use fanorona_ratings::FitOptions;
use fanorona_report::html::Page;
use fanorona_report::statistics::outcome::Outcome;
use fanorona_report::statistics::results::Results;
use fanorona_report::statistics::results_reader::GameResults;
use fanorona_report::statistics::standings::Standings;
use fanorona_tournament::config::{EngineConfig, Overrides, Tournament, load};
use fanorona_tournament::progress::extent::Extent;
use fanorona_tournament::record::{GameRow, Rows};

fn reference(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/reference").join(file)
}

/// What the arena prints, without the path of the repository.
fn printed(args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    let done = command.args(args).env("NO_COLOR", "1").env_remove("COLUMNS").output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap().replace(env!("CARGO_MANIFEST_DIR"), "arena")
}

#[test]
fn help() {
    let commands = printed(&["--help"]);
    let names: Vec<String> =
        command_groups(&commands).into_iter().flat_map(|(_, names)| names).collect();
    assert!(names.len() > 15, "{names:?}");
    let mut all = commands.clone();
    for name in names {
        all += &format!("\n=== {name}\n{}", printed(&[&*name, "--help"]));
    }
    insta::assert_snapshot!(all);
}

/// What depends on the machine is masked: every fact, but not what a fact is about.
#[test]
fn doctor() {
    let printed = printed(&["doctor"]);
    let masked = printed.lines().map(|line| {
        let (name, fact) = line.split_once(' ').expect("a name and a fact");
        assert!(!fact.trim().is_empty(), "{line}");
        format!("{name} [fact]\n")
    });
    insta::assert_snapshot!(masked.collect::<String>());
}

#[test]
fn ratings() {
    let games = reference("games.csv");
    insta::assert_snapshot!(printed(&["rate", games.to_str().unwrap()]));
}

/// The elements of a page with an id, a class or a heading's text, indented by their depth.
fn skeleton(page: &str) -> String {
    let (mut out, mut depth) = (String::new(), 0_usize);
    let body = page.split("<body").nth(1).unwrap().split("<script").next().unwrap();
    let mut rest = body;
    while let Some((_, after)) = rest.split_once('<') {
        let (tag, text) = after.split_once('>').unwrap();
        rest = text;
        if tag.starts_with('/') {
            depth = depth.saturating_sub(1);
            continue;
        }
        let name = tag.split([' ', '/']).next().unwrap();
        let attribute = |name: &str| {
            let (_, value) = tag.split_once(&format!(" {name}=\""))?;
            value.split('"').next()
        };
        let is_heading = ["h1", "h2", "h3", "h4", "caption", "summary"].contains(&name);
        let words: Vec<String> = [("id", "#"), ("class", ".")]
            .iter()
            .filter_map(|(name, sign)| Some(format!("{sign}{}", attribute(name)?)))
            .collect();
        let drawn = ["line", "circle", "text", "polyline", "polygon", "path", "tr", "td", "rect"];
        let shown = (!words.is_empty() || is_heading) && !drawn.contains(&name);
        if shown {
            let text = text.split('<').next().unwrap().trim();
            let text =
                if is_heading && !text.is_empty() { format!(" {text}") } else { String::new() };
            out += &format!("{}{name}{}{text}\n", "  ".repeat(depth), words.concat());
        }
        let is_void = ["input", "br", "img", "link", "meta", "hr", "col"].contains(&name);
        depth += usize::from(!is_void && !tag.ends_with('/'));
    }
    out
}

#[test]
fn the_skeleton_of_the_report() {
    let tournament: Tournament =
        load(&reference("config.toml"), &Overrides::default()).expect("it was committed");
    let names: Vec<&str> =
        tournament.engines.iter().map(|engine: &EngineConfig| &*engine.name).collect();
    let mut results = GameResults::of_engines(names).tournament();
    let mut page = Page::new(&tournament);
    let file = std::fs::File::open(reference("games.csv")).unwrap();
    for row in Rows::new(std::io::BufReader::new(file)).unwrap() {
        let (_, game) = row.unwrap();
        results.game(&GameRow::new(&game)).unwrap();
        page.add(&game, None);
    }
    let standings = Standings::new(&results.finish(), &FitOptions::default()).unwrap();
    let results = Results {
        outcome: Outcome::from_games(&standings),
        standings,
        without_withdrawn: None,
        table: None,
        test: None,
        extent: Extent::default(),
        machine: None,
        tuning: None,
        candidates: None,
        race: None,
        sweeps: Vec::new(),
        workers: Vec::new(),
    };
    let mut bytes = Vec::new();
    page.write(&results, &mut bytes).unwrap();
    insta::assert_snapshot!(skeleton(&fanorona_report::phrase::plain(
        &String::from_utf8(bytes).unwrap()
    )));
}
