//! The stream of events for programs.

use std::fs;

use serde_json::Value;

use crate::tournaments::place::{HEAD, Place};

fn events(stdout: &str) -> Vec<Value> {
    stdout.lines().map(|line| line.parse().unwrap_or_else(|why| panic!("{why}: {line}"))).collect()
}

fn of<'e>(events: &'e [Value], kind: &str) -> Vec<&'e Value> {
    events.iter().filter(|event| event["event"] == kind).collect()
}

#[test]
fn every_line_is_an_event_and_the_games_are_those_of_the_table() {
    let place = Place::new();
    let once = format!("illegal at=3 once={}", place.text("once"));
    // The engine records that it was at fault.
    let engine = place.engine("b", &once, "sandbox = \"none\"");
    let config = place.write("t.toml", &format!("{HEAD}{}{engine}", place.engine("a", "", "")));
    let done = place.arena_ends(0, &["run", &config, "--out", "out", "--json"]);
    let events = events(&done.stdout);
    let first = &events[0];
    assert_eq!(first["event"], "started");
    assert_eq!(
        (&first["version"], &first["total"], &first["done"]),
        (&1.into(), &4.into(), &0.into())
    );
    let names: Vec<&Value> = of(&events, "engine").iter().map(|event| &event["name"]).collect();
    assert_eq!(names, ["a", "b"]);
    let games = of(&events, "game");
    let rows = place.games("out", "max-plies=40");
    assert_eq!(games.len(), rows.len());
    for (event, row) in games.iter().zip(&rows) {
        for column in ["game", "white", "black", "result", "reason", "moves", "start", "kind"] {
            assert_eq!(event[column], row[column][..], "{column}");
        }
        assert_eq!(event["plies"].to_string(), row["plies"]);
    }
    // Each game has an earlier event for its begin, with the same opening.
    let begun = of(&events, "game-started");
    assert_eq!(begun.len(), games.len());
    for (began, game) in begun.iter().zip(&games) {
        let place = |event: &Value| events.iter().position(|other| other == event).unwrap();
        assert!(place(began) < place(game));
        for column in ["game", "pair", "session", "kind", "white", "black", "start", "book"] {
            assert_eq!(began[column], game[column], "{column}");
        }
        let moves = |event: &Value| event["moves"].as_str().unwrap().to_owned();
        assert!(moves(game).starts_with(&moves(began)) && moves(began).contains(' '));
        assert_eq!(began["attempt"], 1);
    }
    assert_eq!(games[0]["offender"], "b");
    assert!(games[0]["detail"].as_str().unwrap().contains("is not legal"));
    // The lines before: the position, the question, and the illegal answer.
    let transcript: Vec<&str> = games[0]["transcript"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line.as_str().unwrap())
        .collect();
    let said = |beginning: &str| transcript.iter().rposition(|line| line.starts_with(beginning));
    assert!(said("> position startpos moves ") < said("> go depth 1"), "{transcript:?}");
    assert!(said("> go depth 1") < said("< bestmove "), "{transcript:?}");
    assert_eq!(said("< bestmove "), Some(transcript.len() - 1), "{transcript:?}");
    assert_eq!(games[1]["transcript"], Value::Array(Vec::new()));
    assert_eq!(of(&events, "pairing").last().unwrap()["done"], 4);
    let fits = &of(&events, "standings")[0]["fits"];
    assert_eq!(fits[0]["kind"], "riatra");
    assert_eq!(fits[0]["ratings"][0]["engine"], "a");
    assert_eq!(events.last().unwrap()["event"], "finished");
    // Messages for people are still printed.
    assert!(done.stderr.contains("game 1 riatra"), "{}", done.stderr);
}

#[test]
fn a_stopped_tournament_says_how_to_go_on() {
    let place = Place::new();
    let config = place.config(HEAD, &[("a", "think=50"), ("b", "first")]);
    let mut running = place.start(&["run", &config, "--out", "out", "--json"]);
    running.until_journalled("out", 1);
    running.signal(nix::sys::signal::Signal::SIGTERM);
    let events = events(&running.wait().stdout);
    let last = events.last().unwrap();
    assert_eq!((&last["event"], &last["resume"]), (&"stopped".into(), &"arena resume out".into()));
    let resumed = place.arena_ends(0, &["resume", "out", "--json"]);
    let events = self::events(&resumed.stdout);
    assert!(events[0]["done"].as_u64().unwrap() >= 1);
    assert_eq!(of(&events, "game").len() as u64, 4 - events[0]["done"].as_u64().unwrap());
    assert_eq!(events.last().unwrap()["event"], "finished");
}

#[test]
fn remarks_on_options_are_passed_on() {
    let place = Place::new();
    let options = "options = { Notes = \"mistyped\" }";
    let (plain, picky) = (place.engine("a", "", options), place.engine("b", "picky", options));
    let config = place.write("t.toml", &format!("{HEAD}{plain}{picky}"));
    let remark = "engine `b` says: option Notes keeps its value: no \\u{1b}mistyped";
    let done = place.arena_ends(0, &["run", &config, "--out", "out"]);
    // Control characters for a terminal are escaped.
    done.complains(&[&format!("warning: {remark}")]);
    assert_eq!(done.stderr.matches("says:").count(), 1, "{}", done.stderr);
    let machine: Value =
        fs::read_to_string(place.path("out/machine.json")).unwrap().parse().unwrap();
    let remarks: Vec<&Value> =
        machine["engines"].as_array().unwrap().iter().map(|engine| &engine["remarks"]).collect();
    let kept = Value::from(vec!["option Notes keeps its value: no \\u{1b}mistyped"]);
    assert_eq!(remarks, [&Value::Null, &kept]);
    // Programs are told how to resume as well.
    let done = place.arena_ends(0, &["resume", "out", "--json"]);
    let events = events(&done.stdout);
    let texts: Vec<&Value> = of(&events, "warning").iter().map(|event| &event["text"]).collect();
    assert_eq!(texts, [remark]);
}
