//! A worker's word alone costs no engine anything: games that ended by a fault, and a sample of the
//! others, are played again by another worker.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::liar::{self, invented, stalled};
use crate::place::{CONFIG, Place, until};
use crate::security::server;

const NAMES: [&str; 3] = ["alphabeta", "greedy", "random"];

/// The lines of a file in a results directory, as JSON.
fn lines(place: &Place, file: &str) -> Vec<Value> {
    let text = fs::read_to_string(place.path(file)).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The games of a journal.
fn games(place: &Place) -> Vec<Value> {
    let lines = lines(place, "many/journal.jsonl");
    lines.iter().filter_map(|line| line["entry"].get("game").cloned()).collect()
}

/// The column `alarms` of a worker.
fn alarms(place: &Place, worker: &str) -> u64 {
    let text = fs::read_to_string(place.path("many/workers.csv")).unwrap();
    let mut table = csv::Reader::from_reader(text.as_bytes());
    let column = table.headers().unwrap().iter().position(|name| name == "alarms").unwrap();
    let rows: Vec<_> = table.records().map(Result::unwrap).collect();
    let row = rows.iter().find(|row| &row[0] == worker).unwrap_or_else(|| panic!("{text}"));
    row[column].parse().unwrap()
}

/// Plays a config with an honest worker and one that lies, as far as `lie` makes lies of pairings.
fn play_with_liar(
    place: &Place,
    text: &str,
    more: &[&str],
    lie: impl Fn(
        &fanorona_cluster::messages::JobPairing,
    ) -> Option<fanorona_tournament::record::GameRecord>
    + Send
    + 'static,
) -> String {
    let config = place.write("cup.toml", text).display().to_string();
    let (server, listen) = server(place, &[]);
    let url = server.url();
    let coordinator = [&["--credentials", "cluster/coordinator.toml"], more].concat();
    let mut coordinator = place.coordinator(&url, &config, "many", &coordinator);
    coordinator.until_printed("no worker");
    // It waits for the first job: the tournament is short.
    let (joined, has_joined) = std::sync::mpsc::channel();
    let _liar = liar::begin(&listen, place.path("cluster/ada.toml"), move |liar| async move {
        joined.send(()).unwrap();
        liar.work(4, lie).await;
    });
    has_joined.recv().unwrap();
    let _grace = place.worker(&url, "grace", &["--credentials", "cluster/grace.toml"]);
    assert_eq!(coordinator.wait(), Some(0), "{}", coordinator.output());
    coordinator.output()
}

#[test]
#[ignore = "needs nats-server"]
fn a_fault_that_one_worker_makes_up_does_not_count() {
    let place = Place::new();
    let text = CONFIG.replace("rounds = 4", "rounds = 12").replace("nodes=300", "nodes=800");
    let config = place.write("alone.toml", &text).display().to_string();
    place.play_alone(&config, "alone");
    let lie = |pairing: &_| stalled(pairing, &NAMES, "alphabeta");
    let output = play_with_liar(&place, &text, &["--recheck", "0"], lie);
    assert_eq!(place.games("many"), place.games("alone"), "{output}");
    assert!(output.contains("was played twice and differs"), "{output}");
    // Both records are kept, and the table of workers names both.
    let found = lines(&place, "many/alarms.jsonl");
    assert_eq!(found.len(), 4, "{found:?}");
    for alarm in &found {
        assert_eq!(
            (&alarm["from"], &alarm["received"]["reason"]),
            (&"ada".into(), &"stall".into())
        );
        assert_eq!(alarm["kept"]["worker"], "grace", "{alarm}");
    }
    assert_eq!((alarms(&place, "ada"), alarms(&place, "grace")), (4, 4));
}

#[test]
#[ignore = "needs nats-server"]
fn under_clocks_a_made_up_fault_withdraws_nobody() {
    let place = Place::new();
    let text = CONFIG
        .replace("rounds = 4", "rounds = 30")
        .replace("nodes=300", "5ms")
        .replace("seed = 5", "seed = 5\noversubscribe = true\nmargin = \"2s\"")
        .replace("\"riatra\", \"vela\", \"session\"", "\"riatra\"");
    let lie = |pairing: &_| stalled(pairing, &NAMES, "greedy");
    let output = play_with_liar(&place, &text, &[], lie);
    assert!(!output.contains("withdrawn"), "{output}");
    let games = games(&place);
    let lies: Vec<_> = games.iter().filter(|game| game["reason"] == "stall").collect();
    assert!(!lies.is_empty() && lies.iter().all(|game| game["worker"] == "ada"), "{output}");
    for game in lies {
        assert_eq!(game["second_opinion"]["worker"], "grace", "{game}");
        assert_eq!(game["second_opinion"]["agrees"], false, "{game}");
    }
    assert!(
        output.contains("ended by a fault at worker ada (stall), but not at grace"),
        "{output}"
    );
}

/// A config with an engine that crashes when it is to move.
fn with_crash(place: &Place) -> String {
    let engine = place.write(
        "crash",
        "#!/bin/sh\nwhile read -r word rest; do\ncase $word in\nugi) echo id name crash; echo ugiok;;\n\
         isready) echo readyok;;\ngo) exit 3;;\nquit) exit 0;;\nesac\ndone\n",
    );
    fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).unwrap();
    format!("{CONFIG}\n[[engine]]\nname = \"crash\"\ncommand = \"{}\"\n", engine.display())
}

#[test]
#[ignore = "needs nats-server"]
fn a_fault_that_two_workers_saw_counts() {
    let place = Place::new();
    let config = place.write("cup.toml", &with_crash(&place)).display().to_string();
    place.play_alone(&config, "alone");
    let server = place.server();
    let mut coordinator = place.coordinator(&server.url(), &config, "many", &[]);
    coordinator.until_printed("no worker");
    let _workers = ["w1", "w2"].map(|name| place.worker(&server.url(), name, &[]));
    assert_eq!(coordinator.wait(), Some(0), "{}", coordinator.output());
    assert_eq!(place.games("many"), place.games("alone"), "{}", coordinator.output());
    assert!(coordinator.output().contains("withdrawn"), "{}", coordinator.output());
    let games = games(&place);
    let seconds = games.iter().map(|game| &game["second_opinion"]).filter(|it| !it.is_null());
    let seconds: Vec<_> = seconds.collect();
    assert!(!seconds.is_empty(), "{games:?}");
    assert!(seconds.iter().all(|second| second["agrees"] == true), "{seconds:?}");
    assert!(!place.path("many/alarms.jsonl").exists());
}

#[test]
#[ignore = "needs nats-server"]
fn the_only_worker_is_believed() {
    let place = Place::new();
    let config = place.write("cup.toml", &with_crash(&place)).display().to_string();
    place.play_alone(&config, "alone");
    let server = place.server();
    let mut coordinator = place.coordinator(&server.url(), &config, "many", &[]);
    coordinator.until_printed("no worker");
    let _worker = place.worker(&server.url(), "w1", &[]);
    assert_eq!(coordinator.wait(), Some(0), "{}", coordinator.output());
    assert_eq!(place.games("many"), place.games("alone"), "{}", coordinator.output());
    assert!(games(&place).iter().all(|game| game["second_opinion"].is_null()));
}

#[test]
#[ignore = "needs nats-server"]
fn games_of_the_sample_are_played_twice_and_agree() {
    let place = Place::new();
    let config = place.write("cup.toml", CONFIG).display().to_string();
    place.play_alone(&config, "alone");
    let server = place.server();
    let mut coordinator = place.coordinator(&server.url(), &config, "many", &["--recheck", "100"]);
    coordinator.until_printed("no worker");
    let _workers = ["w1", "w2"].map(|name| place.worker(&server.url(), name, &[]));
    assert_eq!(coordinator.wait(), Some(0), "{}", coordinator.output());
    assert_eq!(place.games("many"), place.games("alone"));
    let found = lines(&place, "many/comparisons.jsonl");
    assert!(found.iter().all(|it| it["differs"].is_null() && it["kept"] != it["other"]));
    let compared: BTreeSet<&str> = found.iter().map(|it| it["game"].as_str().unwrap()).collect();
    // All but those that were over before the second worker joined.
    let all = games(&place);
    assert!(compared.len() * 4 > all.len() * 3, "{} of {}", compared.len(), all.len());
    assert_eq!(compared.len(), found.len());
}

#[test]
#[ignore = "needs nats-server"]
fn a_made_up_game_in_the_sample_is_an_alarm() {
    let place = Place::new();
    let text = CONFIG.replace("rounds = 4", "rounds = 12").replace("nodes=300", "nodes=800");
    let lie = |pairing: &_| invented(pairing, &NAMES);
    let output = play_with_liar(&place, &text, &["--recheck", "100%"], lie);
    let found = lines(&place, "many/alarms.jsonl");
    assert_eq!(found.len(), 4, "{output}\n{found:?}");
    // The first game counts; both records are there, and both workers are named.
    for alarm in &found {
        assert_eq!((&alarm["kept"]["worker"], &alarm["from"]), (&"ada".into(), &"grace".into()));
        assert_ne!(alarm["kept"]["moves"], alarm["received"]["moves"]);
    }
    assert_eq!((alarms(&place, "ada"), alarms(&place, "grace")), (4, 4));
    let page = fs::read_to_string(place.path("many/report.html")).unwrap();
    assert!(page.contains("games that both worker ada and another have played differ"), "{output}");
    assert!(
        output.contains("games that both worker ada and another have played differ"),
        "{output}"
    );
}

#[test]
#[ignore = "needs nats-server"]
fn the_loss_of_the_server_is_told_once_and_its_return() {
    let place = Place::new();
    let text = CONFIG.replace("rounds = 4", "rounds = 24");
    let config = place.write("cup.toml", &text).display().to_string();
    place.play_alone(&config, "alone");
    let mut server = place.server();
    let url = server.url();
    let _worker = place.worker(&url, "w1", &[]);
    let mut coordinator = place.coordinator(&url, &config, "many", &["--json"]);
    until("some games", || place.journalled("many") > 5);
    server.kill();
    coordinator.until_printed("the NATS server is lost");
    std::thread::sleep(std::time::Duration::from_secs(8));
    server.restart();
    coordinator.until_printed("the NATS server is back after");
    assert_eq!(coordinator.wait(), Some(0), "{}", coordinator.output());
    assert_eq!(place.games("many"), place.games("alone"));
    let output = coordinator.output();
    for once in [
        "warning: the NATS server is lost",
        "the NATS server is back",
        "{\"event\":\"server-lost\"",
        "{\"event\":\"server-back\"",
    ] {
        assert_eq!(output.matches(once).count(), 1, "{once}: {output}");
    }
}
