//! A worker's key lets it speak for itself alone: the server checks the subject that a client publishes
//! to, but not the subject to which it asks for a reply, so a client that may send any request can
//! make the server publish on another client's subject.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use async_nats::Client;
use fanorona_cluster::signature::Seal;
use nkeys::KeyPair;

use crate::liar::{self, invented};
use crate::place::{CONFIG, Place};
use crate::security::server;

/// A worker that has the server speak on subjects of others, until this is dropped.
struct Attack {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Attack {
    /// Speaks on these subjects all the time, and on the others every few seconds.
    fn begin(listen: &str, file: PathBuf, often: Vec<String>, seldom: Vec<String>) -> Attack {
        let is_over = Arc::new(AtomicBool::new(false));
        let over = is_over.clone();
        let thread = liar::begin(listen, file, |ada| async move {
            for round in 0.. {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                let seldom = seldom.iter().filter(|_| round % 60 == 0);
                for subject in often.iter().chain(seldom) {
                    let subject = subject.replace("TOURNAMENT-ID", &ada.info.id);
                    speak_on(&ada.client, &subject.replace("DIGEST", &ada.info.digest)).await;
                }
                // At the end of the test the server is gone.
                let _ = ada.client.flush().await;
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        });
        Attack { is_over, thread: Some(thread) }
    }
}

impl Drop for Attack {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Has the server speak on a subject that the client may not publish to: an answer, and a stored entry.
async fn speak_on(client: &Client, subject: &str) {
    for (request, payload) in [
        ("$JS.API.STREAM.INFO.KV_TOURNAMENT", ""),
        ("$JS.API.DIRECT.GET.KV_TOURNAMENT", "{\"last_by_subj\":\"$KV.TOURNAMENT.running\"}"),
    ] {
        let _ =
            client.publish_with_reply(request.to_owned(), subject.to_owned(), payload.into()).await;
    }
}

#[test]
#[ignore = "needs nats-server"]
fn a_worker_cannot_speak_for_another() {
    let place = Place::new();
    let config = place.write("cup.toml", CONFIG).display().to_string();
    place.play_alone(&config, "alone");
    let (server, listen) = server(&place, &[]);
    let url = server.url();
    let coordinator = ["--credentials", "cluster/coordinator.toml"];
    let mut coordinator = place.coordinator(&url, &config, "many", &coordinator);
    coordinator.until_printed("no worker");
    let often = [
        "results.TOURNAMENT-ID.grace.1",
        "results.TOURNAMENT-ID.grace.2",
        "hello.grace",
        "live.TOURNAMENT-ID.grace.1",
        "ctl.TOURNAMENT-ID",
    ];
    let seldom = [
        "jobs.TOURNAMENT-ID.DIGEST.1",
        "$KV.TOURNAMENT.TOURNAMENT-ID.info",
        "$KV.TOURNAMENT.TOURNAMENT-ID.lease",
        "$KV.TOURNAMENT.running",
    ];
    let texts = |subjects: &[&str]| subjects.iter().map(|&it| it.to_owned()).collect();
    let file = place.path("cluster/ada.toml");
    let _attack = Attack::begin(&listen, file, texts(&often), texts(&seldom));
    std::thread::sleep(Duration::from_secs(1));
    let mut grace = place.worker(&url, "grace", &["--credentials", "cluster/grace.toml", "--once"]);
    assert_eq!(coordinator.wait(), Some(0), "{}", coordinator.output());
    assert_eq!(grace.wait(), Some(0), "{}", grace.output());
    assert_eq!(place.games("many"), place.games("alone"));
    let output = coordinator.output();
    assert!(!output.contains("is refused"), "{output}");
    // Each kind of message is noted once, however often it comes.
    let noted = output.lines().filter(|line| line.contains("results") && line.contains("signed"));
    assert_eq!(noted.count(), 1, "{output}");
}

#[test]
#[ignore = "needs nats-server"]
fn unsigned_messages_are_noted_once_and_blame_no_worker() {
    let place = Place::new();
    let config = place.write("cup.toml", CONFIG).display().to_string();
    place.play_alone(&config, "alone");
    let (server, listen) = server(&place, &[]);
    let url = server.url();
    let coordinator = ["--credentials", "cluster/coordinator.toml", "--recheck", "0"];
    let mut coordinator = place.coordinator(&url, &config, "many", &coordinator);
    coordinator.until_printed("no worker");
    let sending = liar::begin(&listen, place.path("cluster/ada.toml"), |ada| async move {
        let (id, session) = (ada.info.id.clone(), ada.info.session);
        let subject = format!("results.{id}.ada.1");
        let other = Seal::new(Some(KeyPair::new_user()));
        let elsewhere = ada.seal.seal("results.other-cup.ada.1", session, b"{}".to_vec());
        for _ in 0..3 {
            for message in [
                b"{\"version\":1}".to_vec(),
                b"noise".to_vec(),
                vec![0xff; 1 << 20],
                other.seal(&subject, session, b"{}".to_vec()),
                elsewhere.clone(),
                ada.seal.seal(&subject, session, b"{\"no".to_vec()),
            ] {
                ada.store(subject.clone(), message).await;
            }
            // Signs of life: unsigned, of another session, and again.
            let hello = |session| ada.seal.seal("hello.ada", session, b"{\"no".to_vec());
            for message in [b"noise".to_vec(), hello(session), hello(session ^ 1)] {
                ada.client.publish("hello.ada", message.into()).await.unwrap();
            }
        }
        ada.client.flush().await.unwrap();
    });
    sending.join().unwrap();
    let _grace = place.worker(&url, "grace", &["--credentials", "cluster/grace.toml"]);
    assert_eq!(coordinator.wait(), Some(0), "{}", coordinator.output());
    assert_eq!(place.games("many"), place.games("alone"));
    let output = coordinator.output();
    assert!(!output.contains("is refused"), "{output}");
    let count = |kind: &str, what: &str| {
        let is_it =
            |line: &&str| line.contains(&format!("a message on {kind}")) && line.contains(what);
        output.lines().filter(is_it).count()
    };
    assert_eq!(count("results.", "it is not signed"), 1, "{output}");
    assert_eq!(count("results.", "its signature is not"), 1, "{output}");
    assert_eq!(count("results.", "cannot be read"), 1, "{output}");
    assert_eq!(count("hello.", "it is not signed"), 1, "{output}");
    assert_eq!(count("hello.", "cannot be read"), 1, "{output}");
    assert_eq!(count("", "dropped"), 5, "{output}");
}

#[test]
#[ignore = "needs nats-server"]
fn a_game_that_comes_again_counts_once_and_raises_no_alarm() {
    let place = Place::new();
    let config = place.write("cup.toml", CONFIG).display().to_string();
    let (server, listen) = server(&place, &[]);
    let url = server.url();
    let coordinator = ["--credentials", "cluster/coordinator.toml", "--recheck", "0"];
    let mut coordinator = place.coordinator(&url, &config, "many", &coordinator);
    coordinator.until_printed("no worker");
    let _grace = place.worker(&url, "grace", &["--credentials", "cluster/grace.toml"]);
    coordinator.until_printed("worker grace joined");
    let _ada = liar::begin(&listen, place.path("cluster/ada.toml"), |ada| async move {
        let sent = std::sync::Mutex::new(Vec::new());
        ada.work(2, |pairing| {
            let game = invented(pairing, &["alphabeta", "greedy", "random"])?;
            sent.lock().unwrap().push(game.clone());
            Some(game)
        })
        .await;
        let sent = sent.into_inner().unwrap();
        for _ in 0..3 {
            for game in &sent {
                ada.send(vec![game.clone()]).await;
            }
        }
    });
    assert_eq!(coordinator.wait(), Some(0), "{}", coordinator.output());
    let games = place.games("many");
    assert_eq!(games.lines().count(), 1 + place.journalled("many"), "{games}");
    let output = coordinator.output();
    assert!(!output.contains("is refused") && !output.contains("differs"), "{output}");
}
