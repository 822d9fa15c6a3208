//! Before the first game: a config to start from, what it comes to, and what the shell knows.

use std::fs;

use serde_json::Value;

use crate::common::{SCRIPT, scripted_engine};
use crate::tournaments::place::{HEAD, Place};

#[test]
fn a_new_config_runs_at_once_and_is_never_replaced() {
    let place = Place::new();
    let program = scripted_engine();
    let engine = |script: &str| {
        let variable = SCRIPT;
        format!("env '{variable}={script}' '{program}'")
    };
    let (one, other) = (engine(""), engine("first"));
    let init = ["init", "mine.toml", "--engine", &one, "--engine", &other];
    let told = place.arena_ends(0, &init).stdout;
    assert!(told.contains("arena run mine.toml"), "{told}");
    let before = fs::read_to_string(place.path("mine.toml")).unwrap();
    place.arena_ends(0, &["run", "mine.toml", "--rounds", "1", "--out", "out"]);
    assert_eq!(place.games("out", "").len(), 4);
    let refused = place.arena_ends(2, &["init", "mine.toml"]);
    assert!(refused.stderr.contains("another name"), "{}", refused.stderr);
    assert_eq!(fs::read_to_string(place.path("mine.toml")).unwrap(), before);
    // Without engines the config lists the arena's bots.
    place.arena_ends(0, &["init"]);
    let planned = place.arena_ends(0, &["plan", "arena.toml"]).stdout;
    assert!(planned.contains("4 engines") && planned.contains("alphabeta"), "{planned}");
}

#[test]
fn a_config_elsewhere_finds_what_was_named_from_here() {
    let place = Place::new();
    fs::create_dir(place.path("configs")).unwrap();
    place.write("bot.sh", "");
    place.arena_ends(0, &["init", "configs/x.toml", "--engine", "sh bot.sh"]);
    let refused = place.arena_ends(6, &["run", "configs/x.toml", "--out", "out"]);
    // The completion script is found, and the shell reports no error.
    assert!(!refused.stderr.contains("No such file"), "{}", refused.stderr);
}

#[test]
fn a_plan_says_what_is_played_without_any_engine() {
    let place = Place::new();
    let head = HEAD.replace("\"match\"", "\"round-robin\"").replace("depth=1", "100ms");
    let engines = ["a", "b", "c"]
        .map(|name| format!("[[engine]]\nname = \"{name}\"\ncommand = \"/nowhere/{name}\"\n"));
    let config = place.write("t.toml", &format!("{head}{}", engines.concat()));
    let planned = place.arena_ends(0, &["plan", &config]).stdout;
    for said in [
        "t: round-robin, 3 engines, 2 rounds\n12 games: 12 riatra; 1 at once\n",
        "a  8 riatra  100ms\n",
        // Twelve games of forty plies at 0.1 s each.
        "time: about 48 seconds",
        "    1 riatra b - c: ",
    ] {
        assert!(planned.contains(said), "{said}\n{planned}");
    }
    let json = ["plan", &config, "--json", "--rounds", "1000000", "--concurrency", "4"];
    let planned: Value = place.arena_ends(0, &json).stdout.parse().unwrap();
    assert_eq!(planned["pairings"], 6_000_000);
    assert_eq!(planned["engines"][2]["pairings"], serde_json::json!([4_000_000]));
    assert_eq!(planned["openings"][0]["game"], 1);
    assert!(!place.path("results").exists());
    assert_eq!(place.arena(&["plan", "none.toml"]).code, Some(2));
}

/// Limits in nodes or plies say nothing about time: the engines are measured.
#[test]
fn a_plan_measures_engines_whose_limits_are_not_times() {
    let place = Place::new();
    let engine = |name: &str, script: &str| place.engine(name, script, "");
    let engines = engine("slow", "think=100") + &engine("quick", "") + &engine("mute", "dies");
    let config =
        place.write("t.toml", &format!("{}{engines}", HEAD.replace("match", "round-robin")));
    let done = place.arena_ends(0, &["plan", &config]);
    let told = done.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("slow 8 riatra depth=1, here "), "{}", done.stdout);
    assert!(told.contains("quick 8 riatra depth=1, here "), "{}", done.stdout);
    assert!(told.contains("mute 8 riatra depth=1 "), "{}", done.stdout);
    assert!(told.contains("0.1 s per move at fixed depth"), "{}", done.stdout);
    done.complains(&["`mute` cannot be measured, so an assumption is made"]);
    let json = |args: &[&str]| -> Value {
        let plan = ["plan", &config, "--json"];
        place.arena_ends(0, &[&plan[..], args].concat()).stdout.parse().unwrap()
    };
    let measured = json(&[]);
    let slow = measured["engines"][0]["measured"]["seconds_per_move"].as_f64().unwrap();
    let quick = measured["engines"][1]["measured"]["seconds_per_move"].as_f64().unwrap();
    assert!(slow >= 0.1 && quick < slow, "{slow} {quick}");
    assert_eq!(measured["engines"][2]["measured"], Value::Null);
    let assumed = json(&["--assume"]);
    assert_eq!(assumed["engines"][0]["measured"], Value::Null);
    assert_ne!(assumed["seconds"], measured["seconds"]);
}

#[test]
fn a_plan_of_stages_says_the_least_and_the_most() {
    let place = Place::new();
    let engines = ["a", "b", "c"]
        .map(|name| format!("[[engine]]\nname = \"{name}\"\ncommand = \"/nowhere/{name}\"\n"));
    let planned = |format: &str, openings: &str| {
        let head = HEAD.replace("\"match\"", format).replace("depth=1", "100ms");
        let head = head.replace("source = \"random\", plies = 2", openings);
        let config = place.write("t.toml", &format!("{head}{}", engines.concat()));
        place.arena_ends(0, &["plan", &config]).stdout
    };
    let knockout = planned("\"knockout\"", "source = \"start\"");
    for said in [
        "8 to 16 games: 8 to 16 riatra; 1 at once\n",
        "a  4 to 8 riatra  100ms\nb  4 to 16 riatra  100ms\n",
        "a level encounter has up to 2 more rounds\n",
        "time: at most about 64 seconds",
        "openings: none;",
        "    1 riatra b - c: bbbbbbbbb/",
    ] {
        assert!(knockout.contains(said), "{said}\n{knockout}");
    }
    let swiss = planned("\"swiss\"", "source = \"named\"");
    for said in [
        "8 games: 8 riatra; 1 at once\n",
        "a  4 to 8 riatra  100ms\n",
        "one engine sits out in each of 2 stages",
        "time: about 32 seconds",
        "openings: the five named ones\n",
    ] {
        assert!(swiss.contains(said), "{said}\n{swiss}");
    }
}

#[test]
fn a_plan_says_when_further_rounds_can_only_repeat() {
    let place = Place::new();
    let engines = ["a", "b"]
        .map(|name| format!("[[engine]]\nname = \"{name}\"\ncommand = \"/nowhere/{name}\"\n"));
    let planned = |limit: &str, rounds: &str| {
        let head = HEAD.replace("source = \"random\", plies = 2", "source = \"named\"");
        let head = head.replace("depth=1", limit);
        let config = place.write("t.toml", &format!("{head}{}", engines.concat()));
        place.arena_ends(0, &["plan", &config, "--rounds", rounds]).stdout
    };
    let repeats = "repeat games, which adds no information";
    let words = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(planned("depth=1", "6")).contains(repeats));
    assert!(!words(planned("depth=1", "5")).contains(repeats));
    // With a clock no two games are the same.
    assert!(!words(planned("100ms", "6")).contains(repeats));
}

#[test]
fn shells_and_manuals_know_every_command() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = place.arena_ends(0, &["generate", "completions", shell]).stdout;
        assert!(script.contains("convert") && script.contains("resume"), "{shell}");
    }
    assert_eq!(place.arena(&["generate", "completions", "tcsh"]).code, Some(2));
    let page = place.arena_ends(0, &["generate", "man"]).stdout;
    assert!(page.contains(".TH arena 1") && page.contains("Show a game in the terminal"), "{page}");
    place.arena_ends(0, &["generate", "man", "--out", "man1"]);
    let show = fs::read_to_string(place.path("man1/arena-show.1")).unwrap();
    assert!(show.contains("results/full 17"), "{show}");
    assert!(!place.path("man1/arena-generate.1").exists());
}
