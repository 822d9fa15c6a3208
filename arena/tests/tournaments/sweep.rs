//! Sweeps: one `[[engine]]` table that makes a family, and what the report says about it.

use fanorona_report::phrase::plain;
use std::fs;

use serde_json::Value;

use crate::tournaments::place::Place;

/// A family of an engine that plays best with `Aim` 70, against a reference.
fn config(place: &Place, sweep: &str, more: &str) -> String {
    let family = place.engine("aims", "greedy aim=70", &format!("sweep = {sweep}\n{more}"));
    let reference = place.engine("reference", "greedy", "");
    place.write(
        "sweep.toml",
        &format!(
            "kinds = [\"riatra\"]\nboard = \"5x5\"\nrounds = 20\nconcurrency = 2\n\
             limit = \"depth=1\"\nstall = \"5s\"\nopenings = {{ source = \"random\", plies = 2 }}\n\
             rules = {{ max-plies = 40 }}\n{family}{reference}"
        ),
    )
}

const SIX: &str = "{ Aim = { range = [0, 100], steps = 6 } }";

#[test]
fn a_family_has_a_curve_and_a_best_setting() {
    let place = Place::new();
    let config = config(&place, SIX, "only = [\"reference\"]");
    let plan = place.arena_ends(0, &["plan", &config, "--json"]);
    let plan: Value = serde_json::from_str(&plan.stdout).unwrap();
    // Six engines meet one opponent: no two of the family meet.
    assert_eq!(plan["pairings"], 6 * 20 * 2);
    let names: Vec<&str> =
        plan["engines"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names[..3], ["aims Aim=0", "aims Aim=20", "aims Aim=40"]);
    assert_eq!((names.len(), names[6]), (7, "reference"));
    let done = place.play(&config, "out");
    assert_eq!(place.table("out/games.csv").len(), 240);
    assert!(done.stdout.contains("variants of aims:"), "{}", done.stdout);
    let said = done.stdout.lines().find(|line| line.contains("of aims: Aim = ")).unwrap();
    let sweeps = fs::read_to_string(place.path("out/sweep.json")).unwrap();
    let sweeps: Value = serde_json::from_str(&sweeps).unwrap();
    let family = &sweeps[0];
    assert_eq!(family["parameters"][0]["name"], "Aim");
    let open = family["candidates"].as_array().unwrap();
    assert_eq!(said.starts_with("best setting"), open.len() == 1, "{said}: {open:?}");
    let best = family["settings"][0]["values"][0].as_str().unwrap();
    assert!(["60", "80"].contains(&best), "{family:#}");
    let shares =
        family["settings"].as_array().unwrap().iter().map(|it| it["best"].as_f64().unwrap());
    assert!((shares.sum::<f64>() - 1.0).abs() < 1e-9);
    let curve = place.table("out/sweep-curve.csv");
    assert_eq!(curve.len(), 61);
    assert!(curve.iter().all(|row| {
        let [low, elo, high] =
            ["elo_low", "elo", "elo_high"].map(|column| row[column].parse::<f64>().unwrap());
        low < elo && elo < high
    }));
    assert_eq!(place.table("out/sweep.csv").len(), 6);
    let page = fs::read_to_string(place.path("out/report.html")).unwrap();
    assert!(page.contains("id=\"sweep\"") && page.contains("class=\"band\""));
    // The effective config means the same tournament.
    place.arena_ends(0, &["resume", "out"]);
    fs::remove_file(place.path("out/sweep.csv")).unwrap();
    place.arena_ends(0, &["report", "out"]);
    assert_eq!(place.table("out/sweep.csv").len(), 6);
}

#[test]
fn settings_that_play_alike_are_not_told_apart() {
    let place = Place::new();
    // The engine plays the same whatever the size of its table.
    let config = config(&place, "{ Hash = [1, 2, 4, 8] }", "only = [\"reference\"]");
    let done = place.play(&config, "out");
    assert!(done.stdout.contains("undecided between settings of aims: Hash = "), "{}", done.stdout);
    let page = fs::read_to_string(place.path("out/report.html")).unwrap();
    assert!(
        plain(&page).contains("ndecided between settings of <bdi>aims</bdi>: <bdi>Hash</bdi> = ")
    );
}

#[test]
fn the_edge_of_a_range_is_warned_about() {
    let place = Place::new();
    let sweep = "{ Aim = [0, 15, 30, 45] }";
    let done = place.play(&config(&place, sweep, "only = [\"reference\"]"), "out");
    assert!(done.stdout.contains("settings of aims: Aim = 45 ("), "{}", done.stdout);
    assert!(done.stdout.contains("warning: this is the edge of Aim"), "{}", done.stdout);
}

#[test]
fn two_options_are_a_map() {
    let place = Place::new();
    let sweep = "{ Aim = [0, 35, 70], Hash = [1, 8] }";
    let config = config(&place, sweep, "only = [\"reference\"]");
    place.arena_ends(0, &["run", &config, "--rounds", "3", "--out", "out"]);
    assert_eq!(place.table("out/sweep-curve.csv").len(), 13 * 13);
    let page = fs::read_to_string(place.path("out/report.html")).unwrap();
    assert!(page.contains("class=\"map\""));
    let names: Vec<String> =
        place.table("out/sweep.csv").iter().map(|row| row["engine"].clone()).collect();
    assert!(names.contains(&"aims Aim=35 Hash=8".to_owned()), "{names:?}");
}

#[test]
fn a_wrong_sweep_names_its_error() {
    let place = Place::new();
    for (sweep, more, complaint) in [
        ("3", "", "a table of options with their values"),
        ("{ Aim = [] }", "", "the list is empty"),
        ("{ Aim = [5, 5] }", "", "5 is listed twice"),
        ("{ Aim = { range = [5, 1], steps = 3 } }", "", "the smaller one first"),
        ("{ Aim = { range = [1, 5] } }", "", "steps = 8"),
        ("{ Aim = { log-range = [0, 5], steps = 3 } }", "", "above zero"),
        ("{ Seed = [1, 2] }", "", "the arena sets it"),
        ("{ Aim = [1, 2], aim = [3, 4] }", "", "is swept twice"),
        (SIX, "options = { Aim = 3 }", "remove it there"),
        (SIX, "only = [\"nobody\"]", "no engine or family is named \"nobody\""),
        (SIX, "only = [\"reference\"]\nlimit = 3", "limit"),
    ] {
        let file = config(&place, sweep, more);
        place.arena_ends(2, &["run", &file, "--out", "bad"]).complains(&[complaint]);
    }
    let text = fs::read_to_string(config(&place, SIX, "only = [\"reference\"]")).unwrap();
    let file = place.write("gauntlet.toml", &format!("format = \"gauntlet\"\n{text}"));
    place.arena_ends(2, &["plan", &file]).complains(&["`only` requires a round-robin"]);
}
