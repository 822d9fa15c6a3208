//! What is decided while a tournament runs is decided as on one machine: the pair that ends an SPRT,
//! the candidates that are better, the draws of a Swiss tournament, the pairings of a race, the values of
//! a tuning.

use std::fs;

use crate::place::{CONFIG, Place};

/// Plays a config alone and with three workers, and compares the games and these files.
fn compare(text: &str, files: &[&str]) {
    let place = Place::new();
    let config = place.write("cup.toml", text);
    let config = config.to_str().unwrap();
    place.play_alone(config, "alone");
    let server = place.server();
    let _workers = ["w1", "w2", "w3"].map(|name| place.worker(&server.url(), name, &[]));
    let mut coordinator = place.coordinator(&server.url(), config, "many", &[]);
    assert_eq!(coordinator.wait(), Some(0), "{}", coordinator.output());
    assert_eq!(place.games("many"), place.games("alone"), "{}", coordinator.output());
    for file in files {
        let [alone, many] = ["alone", "many"].map(|out| match file.ends_with(".csv") {
            true => place.timeless(out, file),
            false => fs::read_to_string(place.path(out).join(file)).unwrap(),
        });
        assert_eq!(alone, many, "{file}");
    }
}

/// More engines for a config: each searches a ply deeper than the one before.
fn deeper(engines: u32) -> String {
    let engine = |depth| {
        format!(
            "\n[[engine]]\nname = \"deep{depth}\"\ncommand = \"bot-alphabeta\"\n\
             limit = \"depth={depth}\"\n"
        )
    };
    (1..=engines).map(engine).collect()
}

#[test]
#[ignore = "needs nats-server"]
fn an_sprt_stops_at_the_same_pair() {
    let text = CONFIG
        .replace("name = \"cup\"", "name = \"test\"\nformat = \"match\"")
        .replace("rounds = 4", "rounds = 400")
        .replace("\"riatra\", \"vela\", \"session\"", "\"riatra\"");
    let (text, _) = text.split_once("\n[[engine]]\nname = \"random\"").unwrap();
    let test = "[sprt]\nelo0 = 0.0\nelo1 = 30.0\nalpha = 0.05\nbeta = 0.05\n\n[[engine]]";
    let text = text.replacen("[[engine]]", test, 1);
    compare(&text, &["sprt.json", "standings.csv"]);
}

#[test]
#[ignore = "needs nats-server"]
fn a_swiss_draws_the_same_pairings() {
    let text = CONFIG
        .replace("name = \"cup\"", "name = \"swiss\"\nformat = \"swiss\"\nstages = 4")
        .replace("rounds = 4", "rounds = 1")
        + &deeper(5);
    compare(&text, &["swiss.csv", "standings.csv"]);
}

#[test]
#[ignore = "needs nats-server"]
fn candidates_are_decided_by_the_same_pairs() {
    let rules = "[candidates]\nbase = \"random\"\nelo0 = 0\nelo1 = 60\n\n[[engine]]";
    let text = CONFIG
        .replace("name = \"cup\"", "name = \"cup\"\nformat = \"candidates\"")
        .replace("rounds = 4", "rounds = 60")
        .replace("\"riatra\", \"vela\", \"session\"", "\"riatra\"")
        .replacen("[[engine]]", rules, 1)
        + &deeper(3);
    compare(&text, &["candidates.json", "standings.csv"]);
}

#[test]
#[ignore = "needs nats-server"]
fn a_race_plays_the_same_pairings() {
    let text = CONFIG
        .replace("name = \"cup\"", "name = \"sprint\"\nformat = \"race\"")
        .replace("rounds = 4", "rounds = 1")
        .replacen("[[engine]]", "[race]\nwithin = 50\nstages = 40\n\n[[engine]]", 1)
        + &deeper(3);
    compare(&text, &["race.json", "standings.csv"]);
}

/// Steps that are large enough for few iterations.
const STEPS: &str = ", c_end = 15, r_end = 0.05";

/// A tuning of two options of a bot: lines in `[tune]`, and keys of both options.
fn tuning(method: &str, sizes: &str) -> String {
    format!(
        "name = \"tuning\"\nformat = \"tune\"\nkinds = [\"riatra\"]\nrounds = 2\nconcurrency = 2\n\
         limit = \"nodes=200\"\nseed = 5\n\n[tune]\n{method}iterations = 24\n\n[tune.parameters]\n\
         Exploration = {{ start = 60, min = 20, max = 400{sizes} }}\n\
         FirstPlay = {{ start = 10, min = 0, max = 100{sizes} }}\n\n\
         [[engine]]\nname = \"mcts\"\ncommand = \"bot-mcts\"\n"
    )
}

#[test]
#[ignore = "needs nats-server"]
fn a_tuning_moves_the_values_the_same_way() {
    compare(&tuning("", STEPS), &["tune.csv", "tune.json", "confirm.toml"]);
}

#[test]
#[ignore = "needs nats-server"]
fn a_gaussian_process_tries_the_same_values() {
    let text = tuning("method = \"gaussian-process\"\n", "");
    compare(&text, &["tune.csv", "tune.json", "confirm.toml"]);
}

#[test]
#[ignore = "needs nats-server"]
fn an_interrupted_tuning_is_resumed() {
    let place = Place::new();
    let config = place.write("cup.toml", &tuning("", STEPS));
    let config = config.to_str().unwrap();
    place.play_alone(config, "alone");
    let server = place.server();
    let mut workers = ["w1", "w2"].map(|name| place.worker(&server.url(), name, &[]));
    let mut coordinator = place.coordinator(&server.url(), config, "many", &[]);
    crate::place::until("games", || place.journalled("many") > 20);
    // The coordinator and a worker are gone, and the games in progress with them.
    coordinator.kill();
    workers[0].kill();
    let games = place.journalled("many");
    assert!(games < 96, "{games}");
    let mut coordinator = place.coordinator(&server.url(), config, "many", &[]);
    assert_eq!(coordinator.wait(), Some(0), "{}", coordinator.output());
    assert_eq!(place.games("many"), place.games("alone"));
    for file in ["tune.csv", "tune.json"] {
        let [alone, many] =
            ["alone", "many"].map(|out| fs::read_to_string(place.path(out).join(file)).unwrap());
        assert_eq!(alone, many, "{file}");
    }
}
