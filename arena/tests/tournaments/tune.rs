//! Tunings: an engine plays itself, and its options move towards better values.

use std::fs;

use nix::sys::signal::Signal;
use serde_json::Value;

use crate::tournaments::place::Place;

/// A tuning of the option `Aim` of an engine that plays best with 70.
fn config(place: &Place, iterations: u32, log: &str) -> String {
    config_of(place, "", ", c_end = 12, r_end = 0.06", iterations, log)
}

/// The same with a line in `[tune]`, and keys of the option.
fn config_of(place: &Place, method: &str, sizes: &str, iterations: u32, log: &str) -> String {
    let engine = place.engine("aims", &format!("greedy aim=70 {log}"), "");
    place.write(
        "tune.toml",
        &format!(
            "format = \"tune\"\nkinds = [\"riatra\"]\nboard = \"5x5\"\nrounds = 2\nconcurrency = 1\n\
             limit = \"depth=1\"\nstall = \"5s\"\nopenings = {{ source = \"random\", plies = 2 }}\n\
             rules = {{ max-plies = 40 }}\n\
             [tune]\n{method}iterations = {iterations}\n\
             parameters = {{ Aim = {{ start = 20, min = 0, max = 100{sizes} }} }}\n\
             {engine}"
        ),
    )
}

fn read(place: &Place, name: &str) -> String {
    fs::read_to_string(place.path(name)).unwrap()
}

#[test]
fn values_move_towards_the_optimum_the_same_way_every_time() {
    let place = Place::new();
    let config = config(&place, 40, "");
    let done = place.arena_ends(0, &["run", &config, "--out", "one"]);
    assert!(done.stdout.contains("values after 40 iterations, 160 games"), "{}", done.stdout);
    assert!(done.stdout.contains("only other games tell. Test them"), "{}", done.stdout);
    assert!(!done.stdout.contains("lead over the start"), "{}", done.stdout);
    let report: Value = serde_json::from_str(&read(&place, "one/tune.json")).unwrap();
    assert_eq!(report["lead"], Value::Null, "SPSA follows the luck of its games");
    let aim = &report["parameters"][0];
    assert_eq!((&aim["name"], &aim["start"]), (&"Aim".into(), &20.0.into()));
    assert!(aim["value"].as_f64().unwrap() > 40.0, "{report}");
    // Three games at once, and an end in the middle.
    let args = ["run", &config, "--out", "other", "--concurrency", "3"];
    let mut running = place.start(&args);
    running.until_journalled("other", 50);
    running.signal(Signal::SIGTERM);
    let stopped = running.wait();
    assert_eq!(stopped.code, Some(143), "{}", stopped.stderr);
    assert_eq!(stopped.last_line(), "stopped; resume with: arena resume other");
    assert!(stopped.stdout.contains(" of 40 iterations finished"), "{}", stopped.stdout);
    place.arena_ends(0, &["resume", "other"]);
    for file in ["tune.csv", "tune.json"] {
        assert_eq!(read(&place, &format!("one/{file}")), read(&place, &format!("other/{file}")));
    }
    assert_eq!(place.timeless("one"), place.timeless("other"));
    // The page answers with the values: the sides of the games are no engines to be ranked.
    let page = read(&place, "one/report.html");
    let value = aim["value"].as_f64().unwrap();
    assert!(page.contains(&format!("<bdi>Aim</bdi> {value}</h2>")), "{value}");
    assert!(page.contains("id=\"tuning\"") && !page.contains("id=\"standings\""));
    // The report can be written again from the journal.
    fs::remove_file(place.path("other/tune.csv")).unwrap();
    place.arena_ends(0, &["report", "other"]);
    assert_eq!(read(&place, "one/tune.csv"), read(&place, "other/tune.csv"));
}

#[test]
fn a_gaussian_process_finds_the_optimum_the_same_way_every_time() {
    let place = Place::new();
    let config = config_of(&place, "method = \"gaussian-process\"\n", "", 20, "");
    let done = place.arena_ends(0, &["run", &config, "--out", "one"]);
    assert!(done.stdout.contains("values after 20 iterations, 80 games"), "{}", done.stdout);
    assert!(done.stdout.contains("estimated lead over the start: +"), "{}", done.stdout);
    let report: Value = serde_json::from_str(&read(&place, "one/tune.json")).unwrap();
    let aim = &report["parameters"][0];
    assert!((45.0..=95.0).contains(&aim["value"].as_f64().unwrap()), "{report}");
    assert!(report["lead"]["elo"].as_f64().unwrap() > 0.0, "{report}");
    // The first values are compared with those at the start, later ones with each other.
    let rows = place.table("one/tune.csv");
    let starts = rows.iter().take_while(|row| row["Aim -"] == "20").count();
    assert_eq!(starts, 4);
    assert!(rows[4..].iter().all(|row| row["Aim +"] != row["Aim -"]));
    // Three games at once, and an end in the middle.
    let mut running = place.start(&["run", &config, "--out", "other", "--concurrency", "3"]);
    running.until_journalled("other", 40);
    running.signal(Signal::SIGTERM);
    assert_eq!(running.wait().code, Some(143));
    place.arena_ends(0, &["resume", "other"]);
    for file in ["tune.csv", "tune.json"] {
        assert_eq!(read(&place, &format!("one/{file}")), read(&place, &format!("other/{file}")));
    }
    assert_eq!(place.timeless("one"), place.timeless("other"));
    assert!(read(&place, "one/confirm.toml").contains("aims tuned"));
}

#[test]
fn every_game_has_the_values_of_its_side_and_the_same_opening_as_its_partner() {
    let place = Place::new();
    let log = place.text("log");
    let config = config(&place, 3, &format!("log={log}"));
    place.arena_ends(0, &["run", &config, "--out", "out"]);
    let rows = place.table("out/tune.csv");
    assert_eq!(rows.len(), 3);
    // One game after another, both engines write to one log: before every game both are given
    // their values, in some order.
    let log = read(&place, "log");
    let mut told = Vec::new();
    for line in log.lines() {
        match line.strip_prefix("setoption name Aim value ") {
            Some(value) => told.push(value.to_owned()),
            None if line == "ugi" => told.clear(),
            None => {}
        }
    }
    // The start value is set at the start of each process.
    let told: Vec<_> = told.split_off(told.len() - 24);
    for (iteration, games) in rows.iter().zip(told.chunks(8)) {
        let mut games: Vec<[&str; 2]> =
            games.chunks(2).map(|two| [two[0].as_str(), two[1].as_str()]).collect();
        games.iter_mut().for_each(|two| two.sort_unstable());
        let mut expected = [iteration["Aim +"].as_str(), iteration["Aim -"].as_str()];
        expected.sort_unstable();
        assert!(games.iter().all(|game| *game == expected), "{games:?} {expected:?}");
    }
    let games = place.table("out/games.csv");
    for pair in games.chunks(2) {
        let opening = |game: usize| pair[game]["moves"].split(' ').take(2).collect::<Vec<_>>();
        assert_eq!(opening(0), opening(1));
        assert_eq!((&pair[0]["white"], &pair[0]["black"]), (&pair[1]["black"], &pair[1]["white"]));
    }
    assert_ne!(games[0]["moves"], games[2]["moves"]);
}

#[test]
fn the_recommended_values_can_be_tested() {
    let place = Place::new();
    let config = config(&place, 20, "");
    place.arena_ends(0, &["run", &config, "--out", "out"]);
    let confirm = place.text("out/confirm.toml");
    let done = place.arena_ends(0, &["run", &confirm, "--rounds", "3", "--out", "confirmed"]);
    assert!(done.stdout.contains("SPRT: "), "{}", done.stdout);
    let report: Value = serde_json::from_str(&read(&place, "out/tune.json")).unwrap();
    let value = report["parameters"][0]["value"].as_f64().unwrap();
    let text = read(&place, "confirmed/config.toml");
    for part in ["name = \"aims tuned\"", &format!("Aim = \"{value}\""), "Aim = \"20\""] {
        assert!(text.contains(part), "{part} {text}");
    }
    // Other openings than those of the tuning.
    let begin = |dir: &str| place.table(&format!("{dir}/games.csv"))[0]["moves"].clone();
    assert_ne!(
        begin("out").split(' ').take(2).collect::<Vec<_>>(),
        begin("confirmed").split(' ').take(2).collect::<Vec<_>>()
    );
}

#[test]
fn a_wrong_tuning_names_its_error() {
    let place = Place::new();
    let good = read(&place, config(&place, 2, "").rsplit('/').next().unwrap());
    for (from, to, complaint) in [
        ("Aim =", "Ami =", "has no option `Ami`"),
        ("max = 100", "max = 200", "Aim"),
        (
            "max = 100",
            "max = 100, type = \"float\"",
            "Aim type spin default 0 min 0 max 100`; set type",
        ),
        ("Aim =", "seed =", "the arena sets it for every game"),
        ("Aim =", "aim = { start = 1, min = 0, max = 9 }, Aim =", "is tuned twice"),
        ("start = 20", "start = 120", "start must be from min to max"),
        ("start = 20", "start = 20.5", "type = \"float\""),
        ("min = 0, max = 100", "min = 50, max = 10", "max must be greater than min"),
        ("iterations = 2", "iterations = 0", "iterations"),
        ("parameters = {", "parameters = 3 # {", "parameters"),
        ("format = \"tune\"", "format = \"match\"", "[tune] requires format = \"tune\""),
    ] {
        let file = place.write("bad.toml", &good.replace(from, to));
        let done = place.arena(&["run", &file, "--out", "bad"]);
        assert!(matches!(done.code, Some(2 | 6)), "{to}: {:?}", done.code);
        done.complains(&[complaint]);
    }
    let twice = good.replace("writable =", "options = { Aim = 3 }\nwritable =");
    let file = place.write("bad.toml", &twice);
    place.arena_ends(2, &["run", &file]).complains(&["the option Aim is set and tuned"]);
    let no_tuning = place.config(crate::tournaments::place::HEAD, &[("a", ""), ("b", "")]);
    place
        .arena_ends(2, &["run", &no_tuning, "--iterations", "3"])
        .complains(&["has nothing to tune", "leave out --iterations"]);
    let file = place.write("good.toml", &good);
    place.arena_ends(2, &["run", &file, "--shard", "1/2"]).complains(&["a tune cannot be split"]);
}
