//! Races: pairings that tell most, until the best is known.

use std::fs;

use nix::sys::signal::Signal;
use serde_json::Value;

use crate::tournaments::place::Place;

/// Six engines, of which the third is the best: the others miss good moves more or less often.
fn config(place: &Place, race: &str) -> String {
    let engines: String = [60, 30, 0, 40, 20, 50]
        .iter()
        .enumerate()
        .map(|(number, aim)| {
            let options = format!("options = {{ Aim = {aim} }}");
            place.engine(&format!("e{number}"), "greedy aim=0", &options)
        })
        .collect();
    place.write(
        "race.toml",
        &format!(
            "format = \"race\"\nkinds = [\"riatra\"]\nboard = \"5x5\"\nrounds = 2\nconcurrency = 1\n\
             limit = \"depth=1\"\nstall = \"5s\"\nopenings = {{ source = \"random\", plies = 2 }}\n\
             rules = {{ max-plies = 40 }}\n[race]\n{race}\n{engines}"
        ),
    )
}

#[test]
fn the_best_is_found_the_same_way_at_any_concurrency() {
    let place = Place::new();
    let config = config(&place, "error = 0.2\nwithin = 100\nbatch = 4");
    let done = place.play(&config, "one");
    assert!(
        done.stdout.contains("result: e2 is the best (error at most 20.0 %, within 100 Elo)"),
        "{}",
        done.stdout
    );
    let state = fs::read_to_string(place.path("one/race.json")).unwrap();
    let state: Value = serde_json::from_str(&state).unwrap();
    assert_eq!((&state["leaders"][0], &state["decided"]), (&"e2".into(), &true.into()));
    // The best and its rivals play most.
    let games = place.table("one/games.csv");
    let of =
        |name: &str| games.iter().filter(|it| it["white"] == name || it["black"] == name).count();
    assert!(of("e2") > of("e0"), "{} {}", of("e2"), of("e0"));
    let mut running = place.start(&["run", &config, "--concurrency", "3", "--out", "other"]);
    running.until_journalled("other", 20);
    running.signal(Signal::SIGKILL);
    running.wait();
    place.arena_ends(0, &["resume", "other"]);
    assert_eq!(place.timeless("one"), place.timeless("other"));
    // It is over: nothing is left to play.
    let journalled = place.journalled("one");
    place.arena_ends(0, &["resume", "one"]);
    assert_eq!(place.journalled("one"), journalled);
}

#[test]
fn a_race_that_is_not_decided_says_so() {
    let place = Place::new();
    let config = config(&place, "error = 0.001\nstages = 2\nbatch = 4\nbest = 2");
    let done = place.play(&config, "out");
    assert!(done.stdout.contains("result: undecided: so far "), "{}", done.stdout);
    assert!(done.stdout.contains(" are the best 2, with "), "{}", done.stdout);
    // A ring of six encounters, and two stages of four, each of two pairs.
    assert_eq!(place.table("out/games.csv").len(), (6 + 2 * 4) * 2 * 2);
}

#[test]
fn a_wrong_race_names_its_error() {
    let place = Place::new();
    for (race, complaint) in [
        ("best = 6", "6 engines have no best 6"),
        ("best = 0", "best"),
        ("error = 0.7", "a number above 0 and below 0.5"),
        ("within = -3", "an Elo difference from 0 to 400"),
        ("bests = 1", "did you mean `best`?"),
    ] {
        let file = config(&place, race);
        place.arena_ends(2, &["run", &file, "--out", "bad"]).complains(&[complaint]);
    }
    let text = fs::read_to_string(config(&place, "")).unwrap();
    let file = place.write("other.toml", &text.replace("\"race\"", "\"round-robin\""));
    place.arena_ends(2, &["plan", &file]).complains(&["[race] requires format = \"race\""]);
}
