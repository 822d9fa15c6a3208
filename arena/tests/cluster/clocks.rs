//! Time limits: both games of a pair come from one worker, and limits follow the machine's speed.

use std::collections::BTreeMap;
use std::fs;
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::place::{CONFIG, Place, random};

fn timed() -> String {
    CONFIG.replace("nodes=300", "5ms").replace("\"riatra\", \"vela\", \"session\"", "\"riatra\"")
}

/// The games of a journal.
fn games(place: &Place, out: &str) -> Vec<Value> {
    let text = fs::read_to_string(place.path(out).join("journal.jsonl")).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter_map(|line| line["entry"].get("game").cloned()).collect()
}

#[test]
#[ignore = "needs nats-server"]
fn a_pair_comes_from_one_worker_whoever_dies() {
    let place = Place::new();
    // One job for each processor at most: a busy machine would only make games late.
    let text = timed().replace("seed = 5", "seed = 5\noversubscribe = true\nmargin = \"2s\"");
    let config = place.write("cup.toml", &text).display().to_string();
    let server = place.server();
    let mut workers = ["w1", "w2"].map(|name| place.worker(&server.url(), name, &[]));
    let mut coordinator = place.coordinator(&server.url(), &config, "many", &[]);
    coordinator.until_printed("worker w2 joined");
    let mut kills = 0;
    while coordinator.is_running() {
        sleep(Duration::from_millis(1000 + random(1500)));
        if kills < 4 && coordinator.is_running() {
            workers[kills % 2].kill();
            let name = ["w1", "w2"][kills % 2];
            workers[kills % 2] = place.worker(&server.url(), name, &[]);
            kills += 1;
        }
    }
    assert_eq!(coordinator.wait(), Some(0), "{}", coordinator.output());
    let mut pairs: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    let games = games(&place, "many");
    assert_eq!(games.len(), 3 * 4 * 2);
    for game in games {
        let factor = game["time_factor"].as_f64().expect("a factor");
        assert!((0.25..=4.0).contains(&factor), "{factor}");
        let worker = game["worker"].as_str().expect("a worker").to_owned();
        pairs.entry(game["pair"].as_u64().unwrap()).or_default().push(worker);
    }
    assert!(pairs.values().all(|pair| pair.len() == 2 && pair[0] == pair[1]), "{pairs:?}");
    // The machines are in a table of their own, and not in games.csv.
    let workers = fs::read_to_string(place.path("many/workers.csv")).unwrap();
    assert!(workers.starts_with("worker,games,faults,time_losses,"), "{workers}");
    assert!(workers.contains("\nw1,") && workers.contains("\nw2,"), "{workers}");
    let page = fs::read_to_string(place.path("many/report.html")).unwrap();
    assert!(page.contains("id=\"workers-title\""));
    let games = fs::read_to_string(place.path("many/games.csv")).unwrap();
    assert!(!games.contains("w1") && !games.contains("w2"));
}

#[test]
#[ignore = "needs nats-server"]
fn a_machine_that_is_much_too_slow_is_refused() {
    let place = Place::new();
    let text = timed().replace("seed = 5", "seed = 5\noversubscribe = true");
    let config = place.write("cup.toml", &text).display().to_string();
    let server = place.server();
    let fast = ["--reference-speed", "1e12"];
    let coordinator = place.coordinator(&server.url(), &config, "many", &fast);
    coordinator.until_printed("no worker");
    let mut worker = place.worker(&server.url(), "w1", &[]);
    assert_eq!(worker.wait(), Some(2), "{}", worker.output());
    assert!(worker.output().contains("times slower than the reference"), "{}", worker.output());
    coordinator.until_printed("worker w1 cannot play: this machine searches");
}
