//! Spectators of the coordinator see the boards of the workers.

use std::time::Duration;

use fanorona_runner::live::LiveGames;
use fanorona_serve::follow_boards;
use tokio::time::sleep;

use crate::place::{CONFIG, Place};

#[test]
#[ignore = "needs nats-server"]
fn boards_of_workers_are_shown() {
    let place = Place::new();
    let text = CONFIG.replace("nodes=300", "nodes=20000");
    let config = place.write("cup.toml", &text).display().to_string();
    let server = place.server();
    let _worker = place.worker(&server.url(), "w1", &[]);
    let mut coordinator = place.coordinator(&server.url(), &config, "many", &[]);
    let boards = LiveGames::default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        // The socket is there once the tournament has begun; games come once somebody watches.
        let following = async {
            while follow_boards(&place.path("many"), &boards).await.is_err() {
                sleep(Duration::from_millis(50)).await;
            }
        };
        let is_seen = || boards.views().iter().any(|game| game.moves.len() >= 8);
        let seeing = async {
            while !is_seen() {
                sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::select! {
            () = following => panic!("no board was shown: {}", coordinator.output()),
            () = seeing => {}
            () = sleep(Duration::from_secs(60)) => panic!("{:?}", boards.views()),
        }
    });
    let game = boards.views().swap_remove(0);
    assert!(["alphabeta", "greedy", "random"].contains(&&*game.white), "{game:?}");
    coordinator.kill();
}
