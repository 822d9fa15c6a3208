//! SIGKILL at random moments: of a worker, the coordinator, the server; and a server that loses all
//! it has stored. The games stay those of one arena.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::place::{CONFIG, Place, Process, Server, random};

/// How often something is killed.
fn kills() -> u32 {
    std::env::var("CLUSTER_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(20)
}

/// A tournament with its processes, any of which may be dead.
struct Scene<'p> {
    place: &'p Place,
    config: String,
    server: Server,
    coordinator: Process,
    workers: Vec<(String, Process)>,
    round: u32,
}

impl Scene<'_> {
    fn out(&self) -> String {
        format!("many{}", self.round)
    }

    /// Starts what has been killed.
    fn revive(&mut self) {
        let url = self.server.url();
        for (name, worker) in &mut self.workers {
            if !worker.is_running() {
                *worker = self.place.worker(&url, name, &[]);
            }
        }
    }

    /// Whether the tournament is complete; then the games are compared.
    fn is_complete(&mut self) -> bool {
        if self.coordinator.is_running() {
            return false;
        }
        let output = self.coordinator.output();
        assert_eq!(self.coordinator.wait(), Some(0), "{output}");
        assert_eq!(self.place.games(&self.out()), self.place.games("alone"), "{output}");
        true
    }

    fn next(&mut self) {
        self.round += 1;
        let out = self.out();
        self.coordinator = self.place.coordinator(&self.server.url(), &self.config, &out, &[]);
    }
}

/// Plays tournaments until `kill` has been called often enough and the last one is complete.
fn survive(kill: impl Fn(&mut Scene<'_>)) {
    let place = Place::new();
    let text = CONFIG.replace("rounds = 4", "rounds = 12").replace("nodes=300", "nodes=800");
    let config = place.write("cup.toml", &text).display().to_string();
    place.play_alone(&config, "alone");
    let server = place.server();
    let url = server.url();
    let names = ["w1", "w2", "w3"].map(str::to_owned);
    let workers = names.map(|name| {
        let worker = place.worker(&url, &name, &[]);
        (name, worker)
    });
    let coordinator = place.coordinator(&url, &config, "many0", &[]);
    let mut scene =
        Scene { place: &place, config, server, coordinator, workers: workers.into(), round: 0 };
    let mut killed = 0;
    let begin = Instant::now();
    loop {
        let games = place.journalled(&scene.out());
        sleep(Duration::from_millis(200 + random(1300)));
        if scene.is_complete() {
            println!("tournament {}: complete after {killed} kills", scene.round);
            if killed >= kills() {
                return;
            }
            scene.next();
            continue;
        }
        assert!(begin.elapsed() < Duration::from_secs(1800), "it takes too long");
        // Between two kills the tournament may go on, so that each finds games in progress.
        if killed < kills() && (games > 0 || place.journalled(&scene.out()) > 0) {
            kill(&mut scene);
            killed += 1;
        }
        scene.revive();
    }
}

#[test]
#[ignore = "needs nats-server"]
fn a_killed_worker_changes_no_game() {
    survive(|scene| {
        let place = random(scene.workers.len() as u64) as usize;
        scene.workers[place].1.kill();
        sleep(Duration::from_millis(random(300)));
    });
}

#[test]
#[ignore = "needs nats-server"]
fn a_killed_coordinator_changes_no_game() {
    survive(|scene| {
        scene.coordinator.kill();
        sleep(Duration::from_millis(random(500)));
        let (url, out) = (scene.server.url(), scene.out());
        scene.coordinator = scene.place.coordinator(&url, &scene.config, &out, &[]);
    });
}

#[test]
#[ignore = "needs nats-server"]
fn a_killed_server_changes_no_game() {
    survive(|scene| {
        scene.server.kill();
        sleep(Duration::from_millis(random(1000)));
        scene.server.restart();
    });
}

#[test]
#[ignore = "needs nats-server"]
fn a_server_that_loses_its_store_changes_no_game() {
    survive(|scene| {
        scene.server.kill();
        scene.server.wipe();
        sleep(Duration::from_millis(random(1000)));
        scene.server.restart();
        // Setting everything up again takes a moment, and is what this test is about.
        sleep(Duration::from_secs(3));
    });
}

/// Its coordinator is gone for good, but its entry in the list of tournaments is not.
#[test]
#[ignore = "needs nats-server"]
fn a_tournament_without_its_coordinator_keeps_no_worker() {
    let place = Place::new();
    let config = place.write("cup.toml", CONFIG).display().to_string();
    place.play_alone(&config, "alone");
    let server = place.server();
    let url = server.url();
    let mut killed = place.coordinator(&url, &config, "killed", &[]);
    killed.until_printed("no worker");
    let worker = place.worker(&url, "w1", &[]);
    killed.until_printed("worker w1 joined");
    killed.kill();
    let mut other = place.coordinator(&url, &config, "other", &[]);
    assert_eq!(other.wait(), Some(0), "{}", other.output());
    assert_eq!(place.games("other"), place.games("alone"), "{}", other.output());
    assert!(worker.output().contains("is silent, another one is there"), "{}", worker.output());
}
