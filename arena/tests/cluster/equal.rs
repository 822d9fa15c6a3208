//! Three workers play what one arena plays.

use std::fs;

use crate::place::{CONFIG, Place};

#[test]
#[ignore = "needs nats-server"]
fn three_workers_equal_one_arena() {
    let place = Place::new();
    let config = place.write("cup.toml", CONFIG);
    let config = config.to_str().unwrap();
    place.play_alone(config, "alone");
    let server = place.server();
    let workers = ["w1", "w2", "w3"].map(|name| place.worker(&server.url(), name, &["--once"]));
    let mut coordinator = place.coordinator(&server.url(), config, "many", &[]);
    assert_eq!(coordinator.wait(), Some(0), "{}", coordinator.output());
    assert_eq!(place.games("many"), place.games("alone"));
    // Every worker played, and said in the journal that it was the one.
    let journal = fs::read_to_string(place.path("many/journal.jsonl")).unwrap();
    for mut worker in workers {
        assert_eq!(worker.wait(), Some(0), "{}", worker.output());
    }
    for name in ["w1", "w2", "w3"] {
        assert!(journal.contains(&format!("\"worker\":\"{name}\"")), "{name} played nothing");
    }
    let alone = fs::read_to_string(place.path("alone/journal.jsonl")).unwrap();
    assert!(!alone.contains("\"worker\""));
    // The spools are results directories; together they are the tournament.
    let spools: Vec<String> = ["w1", "w2", "w3"]
        .iter()
        .map(|name| {
            let root = place.path(&format!("spool-{name}"));
            let mut dirs = fs::read_dir(root).unwrap();
            dirs.next().unwrap().unwrap().path().display().to_string()
        })
        .collect();
    let spools: Vec<&str> = spools.iter().map(String::as_str).collect();
    let (code, output) = place.arena(&[&["merge"], &spools[..], &["--out", "merged"]].concat());
    assert_eq!(code, Some(0), "{output}");
    assert_eq!(place.games("merged"), place.games("alone"));
    // A spool fits the coordinator's directory too, as when its worker never comes back.
    let (code, output) = place.arena(&["merge", "many", spools[0], "--out", "both"]);
    assert_eq!(code, Some(0), "{output}");
    assert_eq!(place.games("both"), place.games("alone"));
}

#[test]
#[ignore = "needs nats-server"]
fn an_interrupted_tournament_is_resumed() {
    let place = Place::new();
    let text = CONFIG.replace("rounds = 4", "rounds = 8");
    let config = place.write("cup.toml", &text);
    let config = config.to_str().unwrap();
    place.play_alone(config, "alone");
    let server = place.server();
    let _workers = ["w1", "w2"].map(|name| place.worker(&server.url(), name, &[]));
    let mut games = 0;
    for round in 1.. {
        let mut coordinator = place.coordinator(&server.url(), config, "many", &[]);
        if round > 3 {
            assert_eq!(coordinator.wait(), Some(0), "{}", coordinator.output());
            break;
        }
        let before = games;
        crate::place::until("further games", || {
            games = place.journalled("many");
            games > before + 10 || !coordinator.is_running()
        });
        // Jobs that have not begun are taken back, and those in progress are finished.
        coordinator.interrupt();
        let code = coordinator.wait();
        assert!([Some(130), Some(0)].contains(&code), "{}", coordinator.output());
        games = place.journalled("many");
    }
    assert_eq!(place.games("many"), place.games("alone"));
}

#[test]
#[ignore = "needs nats-server"]
fn a_worker_joins_late_and_another_leaves() {
    let place = Place::new();
    let config = place.write("cup.toml", CONFIG);
    let config = config.to_str().unwrap();
    place.play_alone(config, "alone");
    let server = place.server();
    let mut coordinator = place.coordinator(&server.url(), config, "many", &[]);
    let mut first = place.worker(&server.url(), "w1", &[]);
    first.until_printed("playing cup-");
    let _second = place.worker(&server.url(), "w2", &[]);
    coordinator.until_printed("worker w2 joined");
    first.interrupt();
    assert_eq!(first.wait(), Some(130), "{}", first.output());
    assert_eq!(coordinator.wait(), Some(0), "{}", coordinator.output());
    assert!(coordinator.output().contains("worker w1 leaves"), "{}", coordinator.output());
    assert_eq!(place.games("many"), place.games("alone"));
}
