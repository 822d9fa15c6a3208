//! Workers are not trusted: wrong programs are refused, and forged or repeated games do not count.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::time::{Duration, Instant};

use async_nats::jetstream::{self, message::PublishMessage};
use futures_util::StreamExt;
use serde_json::Value;

use crate::place::{CONFIG, Place};

fn append(path: &std::path::Path) {
    OpenOptions::new().append(true).open(path).unwrap().write_all(b"\0").unwrap();
}

#[test]
#[ignore = "needs nats-server"]
fn a_wrong_program_is_refused_and_the_tournament_goes_on() {
    let place = Place::new();
    let config = place.write("cup.toml", CONFIG).display().to_string();
    place.play_alone(&config, "alone");
    let other = place.copy_of_arena("other", &["bot-alphabeta", "bot-greedy", "bot-random"]);
    append(&other.with_file_name("bot-greedy"));
    let server = place.server();
    let mut coordinator = place.coordinator(&server.url(), &config, "many", &[]);
    coordinator.until_printed("no worker");
    let mut wrong = place.worker_of(&other, &server.url(), "wrong", &[]);
    assert_eq!(wrong.wait(), Some(2), "{}", wrong.output());
    let output = wrong.output();
    assert!(output.contains("engine `greedy`") && output.contains("has the digest"), "{output}");
    coordinator.until_printed("worker wrong cannot play: engine `greedy`");
    // An engine that this worker cannot start is its own fault, and not the engine's.
    let bare = place.copy_of_arena("bare", &[]);
    let mut bare = place.worker_of(&bare, &server.url(), "bare", &[]);
    assert_eq!(bare.wait(), Some(2), "{}", bare.output());
    assert!(bare.output().contains("program `bot-alphabeta`"), "{}", bare.output());
    coordinator.until_printed("worker bare cannot play: program `bot-alphabeta`");
    let _right = place.worker(&server.url(), "right", &[]);
    assert_eq!(coordinator.wait(), Some(0), "{}", coordinator.output());
    assert_eq!(place.games("many"), place.games("alone"));
    let journal = fs::read_to_string(place.path("many/journal.jsonl")).unwrap();
    assert!(!journal.contains("\"worker\":\"wrong\""));
}

#[test]
#[ignore = "needs nats-server"]
fn another_build_of_the_same_behaviour_is_accepted() {
    let place = Place::new();
    let text = CONFIG.replace("seed = 5", "seed = 5\nidentity = \"bench\"");
    let config = place.write("cup.toml", &text).display().to_string();
    place.play_alone(&config, "alone");
    let other = place.copy_of_arena("other", &["bot-alphabeta", "bot-greedy", "bot-random"]);
    append(&other.with_file_name("bot-greedy"));
    let server = place.server();
    let mut coordinator = place.coordinator(&server.url(), &config, "many", &[]);
    let _other = place.worker_of(&other, &server.url(), "other", &[]);
    assert_eq!(coordinator.wait(), Some(0), "{}", coordinator.output());
    assert_eq!(place.games("many"), place.games("alone"));
}

#[test]
#[ignore = "needs nats-server"]
fn engines_are_shipped_by_their_digests() {
    let place = Place::new();
    let config = place.write("cup.toml", CONFIG).display().to_string();
    place.play_alone(&config, "alone");
    let bots = ["bot-alphabeta", "bot-greedy", "bot-random"];
    let arena = place.copy_of_arena("origin", &bots);
    // Other bytes than those that the test's own arena would find.
    bots.iter().for_each(|bot| append(&arena.with_file_name(bot)));
    let bare = place.copy_of_arena("bare", &[]);
    let server = place.server();
    let url = server.url();
    let mut command = std::process::Command::new(&arena);
    command.args(["run", &config, "--out", "many", "--cluster", &url, "--ship"]);
    let log = place.path("many.log");
    let mut coordinator = crate::place::Process::start(command.current_dir(place.path("")), &log);
    coordinator.until_printed("no worker");
    // The workers cannot find the files where the coordinator has them.
    fs::rename(place.path("origin"), place.path("elsewhere")).unwrap();
    let _workers = ["w1", "w2"].map(|name| place.worker_of(&bare, &url, name, &[]));
    assert_eq!(coordinator.wait(), Some(0), "{}", coordinator.output());
    assert_eq!(place.games("many"), place.games("alone"));
    let engines = place.path("spool-w1/engines");
    use std::os::unix::fs::MetadataExt;
    let mode = fs::metadata(&engines).unwrap().mode() & 0o777;
    assert_eq!(mode, 0o700, "{}", engines.display());
}

/// Publishes a message to a stream and waits until it is stored.
async fn store(context: &jetstream::Context, subject: String, payload: Vec<u8>, id: &str) {
    let message = PublishMessage::build().payload(payload.into()).message_id(id);
    // At the end of the test the server is gone.
    if let Ok(sent) = context.send_publish(subject, message).await {
        let _ = sent.await;
    }
}

/// While a tournament runs, every result is published again by others: as it is, changed in what
/// the rules do not check, with an illegal move, and as noise.
async fn forge(url: String) {
    let client = async_nats::connect(url).await.unwrap();
    let context = jetstream::new(client.clone());
    let mut results = client.subscribe("results.>").await.unwrap();
    client.flush().await.unwrap();
    let mut seen = 0;
    while let Some(message) = results.next().await {
        let parts: Vec<String> = message.subject.split('.').map(str::to_owned).collect();
        let [_, tournament, worker, game] = &parts[..] else { panic!("{}", message.subject) };
        // What is published here arrives here too.
        let id = message.headers.as_ref().and_then(|headers| headers.get("Nats-Msg-Id"));
        if id.is_none_or(|id| id.as_str().starts_with("forged")) {
            continue;
        }
        seen += 1;
        let subject = |worker: &str| format!("results.{tournament}.{worker}.{game}");
        store(&context, subject(worker), message.payload.to_vec(), &format!("forged-{seen}-again"))
            .await;
        store(&context, subject("echo"), message.payload.to_vec(), &format!("forged-{seen}-echo"))
            .await;
        let mut value: Value = serde_json::from_slice(&message.payload).unwrap();
        let forged = value["games"][0].as_object_mut().unwrap();
        forged.insert("detail".into(), "forged".into());
        let payload = serde_json::to_vec(&value).unwrap();
        store(&context, subject("liar"), payload, &format!("forged-{seen}-liar")).await;
        let forged = value["games"][0].as_object_mut().unwrap();
        forged.insert("moves".into(), "a1a9X".into());
        let payload = serde_json::to_vec(&value).unwrap();
        store(&context, subject("cheat"), payload, &format!("forged-{seen}-cheat")).await;
        store(&context, subject("noise"), b"{\"no".to_vec(), &format!("forged-{seen}-noise")).await;
    }
}

#[test]
#[ignore = "needs nats-server"]
fn forged_and_repeated_games_do_not_count() {
    let place = Place::new();
    let config = place.write("cup.toml", CONFIG).display().to_string();
    place.play_alone(&config, "alone");
    let server = place.server();
    let mut coordinator = place.coordinator(&server.url(), &config, "many", &[]);
    coordinator.until_printed("no worker");
    let url = server.url();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(forge(url));
    });
    let _workers = ["w1", "w2"].map(|name| place.worker(&server.url(), name, &[]));
    assert_eq!(coordinator.wait(), Some(0), "{}", coordinator.output());
    assert_eq!(place.games("many"), place.games("alone"));
    let output = coordinator.output();
    let line = "worker cheat sent a game that cannot be right";
    let found = output.lines().find(|text| text.contains(line));
    assert!(found.is_some_and(|text| text.contains("move 1")), "{output}");
    // What cannot be read is noted once, and held against nobody.
    let noted = output.lines().filter(|text| text.contains("cannot be read"));
    assert_eq!(noted.count(), 1, "{output}");
    assert!(!output.contains("worker noise sent"), "{output}");
    // Both records of a game that differs are kept.
    assert!(output.contains("was played twice and differs in `detail`"), "{output}");
    let alarms = fs::read_to_string(place.path("many/alarms.jsonl")).unwrap();
    let alarm: Value = serde_json::from_str(alarms.lines().next().unwrap()).unwrap();
    assert_eq!(alarm["received"]["detail"], "forged");
    assert!(alarm["kept"]["detail"].is_null() && alarm["from"] == "liar", "{alarm}");
    let journal = fs::read_to_string(place.path("many/journal.jsonl")).unwrap();
    assert!(!journal.contains("forged") && !journal.contains("\"worker\":\"cheat\""));
}

#[test]
#[ignore = "needs nats-server"]
fn only_one_coordinator_runs_a_tournament() {
    let place = Place::new();
    let config = place.write("cup.toml", CONFIG).display().to_string();
    let server = place.server();
    let mut first = place.coordinator(&server.url(), &config, "one", &[]);
    first.until_printed("no worker");
    // A copy of the directory, as on another machine: its lock is free.
    let copied = std::process::Command::new("cp")
        .args(["-r", "one", "two"])
        .current_dir(place.path(""))
        .status();
    assert!(copied.unwrap().success());
    let mut second = place.coordinator(&server.url(), &config, "two", &[]);
    assert_eq!(second.wait(), Some(2), "{}", second.output());
    let output = second.output();
    assert!(output.contains("another coordinator runs this tournament: process"), "{output}");
    assert!(first.is_running());
    // The second one waits until the first is surely gone, but not when it is interrupted.
    first.kill();
    let mut second = place.coordinator(&server.url(), &config, "two", &["--json"]);
    second.until_printed("\"event\":\"started\"");
    let begin = Instant::now();
    second.interrupt();
    assert_eq!(second.wait(), Some(130), "{}", second.output());
    assert!(begin.elapsed() < Duration::from_secs(6), "{:?}", begin.elapsed());
    let resume =
        format!("\"resume\":\"arena resume two --cluster {} --redeliver 3s\"", server.url());
    assert!(second.output().contains(&resume), "{}", second.output());
}
