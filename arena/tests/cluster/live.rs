//! Spectators of the coordinator see the boards of the workers.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::place::{CONFIG, Place};

#[test]
#[ignore = "needs nats-server"]
fn boards_of_workers_are_shown() {
    let place = Place::new();
    let text = CONFIG.replace("nodes=300", "nodes=20000");
    let config = place.write("cup.toml", &text).display().to_string();
    let server = place.server();
    let _worker = place.worker(&server.url(), "w1", &[]);
    // The way in which a web server starts a tournament: boards come as lines of JSON.
    let mut coordinator = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["run", &config, "--out", "many", "--remote", "--cluster", &server.url()])
        .current_dir(place.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut moves = 0;
    let out = BufReader::new(coordinator.stdout.take().unwrap());
    for line in out.lines().map_while(Result::ok) {
        let line: Value = serde_json::from_str(&line).unwrap();
        moves += usize::from(!line["board"].is_null());
        if moves >= 5 {
            break;
        }
    }
    let _ = coordinator.stdin.take().map(|mut stdin| stdin.write_all(b"\"stop\"\n"));
    let _ = coordinator.kill();
    let _ = coordinator.wait();
    assert!(moves >= 5, "only {moves} lines about boards");
}
