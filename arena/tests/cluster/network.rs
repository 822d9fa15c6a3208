//! A network that cuts and delays: a TCP proxy between the server and everyone else.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::{sleep, spawn};
use std::time::Duration;

use crate::place::{CONFIG, Place, random};

/// Passes bytes on, each chunk a little late, until it is cut.
struct Proxy {
    port: u16,
    /// Both ends of every connection.
    open: Arc<Mutex<Vec<TcpStream>>>,
    is_down: Arc<Mutex<bool>>,
}

impl Proxy {
    fn start(server: u16) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let proxy = Proxy { port, open: Arc::default(), is_down: Arc::default() };
        let (open, is_down) = (proxy.open.clone(), proxy.is_down.clone());
        spawn(move || {
            for client in listener.incoming().flatten() {
                if *is_down.lock().unwrap() {
                    continue;
                }
                let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else { continue };
                for (from, to) in [(&client, &server), (&server, &client)] {
                    open.lock().unwrap().push(from.try_clone().unwrap());
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    spawn(move || pass(from, to));
                }
            }
        });
        proxy
    }

    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Breaks every connection. New ones are possible again after a while.
    fn cut(&self, down: Duration) {
        *self.is_down.lock().unwrap() = true;
        for end in self.open.lock().unwrap().drain(..) {
            let _ = end.shutdown(Shutdown::Both);
        }
        sleep(down);
        *self.is_down.lock().unwrap() = false;
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream) {
    // Small, so that a cut falls within messages.
    let mut bytes = [0; 1500];
    while let Ok(read @ 1..) = from.read(&mut bytes) {
        sleep(Duration::from_millis(random(8)));
        if to.write_all(&bytes[..read]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}

#[test]
#[ignore = "needs nats-server"]
fn cuts_and_delays_change_no_game() {
    let place = Place::new();
    let text = CONFIG.replace("rounds = 4", "rounds = 24");
    let config = place.write("cup.toml", &text).display().to_string();
    place.play_alone(&config, "alone");
    let server = place.server();
    // The workers and the coordinator are cut off at different times.
    let (of_workers, of_coordinator) = (Proxy::start(server.port), Proxy::start(server.port));
    let _workers = ["w1", "w2", "w3"].map(|name| place.worker(&of_workers.url(), name, &[]));
    let mut coordinator = place.coordinator(&of_coordinator.url(), &config, "many", &[]);
    coordinator.until_printed("worker w3 joined");
    let mut cuts = 0;
    while coordinator.is_running() {
        sleep(Duration::from_millis(300 + random(1200)));
        let proxy = if random(2) == 0 { &of_workers } else { &of_coordinator };
        if cuts < 20 {
            proxy.cut(Duration::from_millis(random(1000)));
            cuts += 1;
        }
    }
    println!("{cuts} cuts");
    assert!(cuts > 5, "the tournament is too short for cuts");
    assert_eq!(coordinator.wait(), Some(0), "{}", coordinator.output());
    assert_eq!(place.games("many"), place.games("alone"));
}

#[test]
#[ignore = "needs nats-server"]
fn a_worker_that_is_cut_off_keeps_its_games() {
    let place = Place::new();
    let text = CONFIG.replace("rounds = 4", "rounds = 8");
    let config = place.write("cup.toml", &text).display().to_string();
    place.play_alone(&config, "alone");
    let server = place.server();
    let proxy = Proxy::start(server.port);
    let mut worker = place.worker(&proxy.url(), "w1", &["--server-timeout", "3s"]);
    let mut coordinator = place.coordinator(&server.url(), &config, "many", &[]);
    coordinator.until_printed("worker w1 joined");
    crate::place::until("some games", || place.journalled("many") > 5);
    // The network does not come back in time: the worker ends, and says where its games are.
    std::thread::scope(|scope| {
        scope.spawn(|| proxy.cut(Duration::from_secs(12)));
        assert_eq!(worker.wait(), Some(74), "{}", worker.output());
        assert!(worker.output().contains("has not answered for"), "{}", worker.output());
        assert!(worker.output().contains("spool-w1"), "{}", worker.output());
    });
    // It is started again and delivers what it has, then plays on.
    let _worker = place.worker(&proxy.url(), "w1", &[]);
    assert_eq!(coordinator.wait(), Some(0), "{}", coordinator.output());
    assert_eq!(place.games("many"), place.games("alone"));
}

#[test]
#[ignore = "needs nats-server"]
fn a_coordinator_waits_for_the_server_and_not_for_ever() {
    let place = Place::new();
    let text = CONFIG.replace("rounds = 4", "rounds = 8");
    let config = place.write("cup.toml", &text).display().to_string();
    place.play_alone(&config, "alone");
    let mut server = place.server();
    let url = server.url();
    let _worker = place.worker(&url, "w1", &[]);
    let mut coordinator = place.coordinator(&url, &config, "many", &["--server-timeout", "3s"]);
    crate::place::until("some games", || place.journalled("many") > 5);
    server.kill();
    assert_eq!(coordinator.wait(), Some(74), "{}", coordinator.output());
    let output = coordinator.output();
    assert!(output.contains("the NATS server has not answered for"), "{output}");
    let resume = format!("then: arena resume many --cluster {url} --server-timeout 3s");
    assert!(output.contains(&resume), "{output}");
    server.restart();
    let mut coordinator = place.coordinator(&url, &config, "many", &[]);
    assert_eq!(coordinator.wait(), Some(0), "{}", coordinator.output());
    assert_eq!(place.games("many"), place.games("alone"));
    // Without a server, nothing begins.
    server.kill();
    let mut coordinator = place.coordinator(&url, &config, "other", &[]);
    assert_eq!(coordinator.wait(), Some(2), "{}", coordinator.output());
    assert!(coordinator.output().contains("cannot reach the NATS server"));
    assert!(!place.path("other").exists());
}

/// The server answers, but its disk is gone.
#[test]
#[ignore = "needs nats-server"]
fn a_server_that_cannot_store_is_an_error_soon() {
    let place = Place::new();
    let config = place.write("cup.toml", CONFIG).display().to_string();
    let server = place.server();
    let url = server.url();
    // The streams are there.
    let mut coordinator = place.coordinator(&url, &config, "before", &[]);
    coordinator.until_printed("no worker");
    coordinator.interrupt();
    assert_eq!(coordinator.wait(), Some(130), "{}", coordinator.output());
    server.wipe();
    // The server closes a file that it has not used for some seconds, and then finds it no more.
    sleep(Duration::from_secs(12));
    let mut coordinator = place.coordinator(&url, &config, "many", &[]);
    assert_eq!(coordinator.wait(), Some(2), "{}", coordinator.output());
    let output = coordinator.output();
    assert!(output.contains("cannot claim the tournament: "), "{output}");
    assert!(output.contains("check that the NATS server runs"), "{output}");
}
