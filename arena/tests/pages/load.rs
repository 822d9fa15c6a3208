//! The bounds of the server: of what pages use, and of connections that say nothing.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;

use super::server::Server;
use super::{CONFIG, bots, serve};

/// The statuses of requests that are sent at the same time.
fn at_once<T: Send>(count: usize, ask: impl Fn() -> T + Sync) -> Vec<T> {
    let barrier = std::sync::Barrier::new(count);
    std::thread::scope(|scope| {
        let asked = || {
            barrier.wait();
            ask()
        };
        let asking: Vec<_> = (0..count).map(|_| scope.spawn(asked)).collect();
        asking.into_iter().map(|asked| asked.join().unwrap()).collect()
    })
}

fn count(statuses: &[u16], wanted: u16) -> usize {
    statuses.iter().filter(|status| **status == wanted).count()
}

#[test]
fn engines_that_are_asked_for_at_once_stay_within_their_bound() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let request = json!({ "engine": "bot-greedy", "rules": "" });
    let answers = at_once(60, || server.post("/api/engine", &request));
    let statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!((count(&statuses, 200), count(&statuses, 503)), (8, 52), "{statuses:?}");
    // A place that is given back can be taken again.
    let opened = answers.iter().find(|answer| answer.status == 200).unwrap().json();
    let id = opened["id"].as_str().unwrap();
    assert_eq!(server.post(&format!("/api/engine/{id}/quit"), &json!({})).status, 200);
    server.until(|server| (server.post("/api/engine", &request).status == 200).then_some(()));
}

#[test]
fn tournaments_that_are_started_at_once_stay_within_their_bound() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("live.toml"), CONFIG).unwrap();
    let server = serve(dir.path());
    let config = server.json("/api/library")["configs"][0]["id"].clone();
    let statuses = at_once(12, || server.post("/api/run", &json!({ "config": config })).status);
    // Of those that begin in the same second, some find the directory of the results taken.
    assert!((1..=4).contains(&count(&statuses, 200)), "{statuses:?}");
    assert!(count(&statuses, 503) >= 8, "{statuses:?}");
}

/// A connection on which something has been sent.
fn said(server: &Server, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(&server.host).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    stream
}

/// Waits until the other end has closed a connection.
fn is_closed(mut stream: TcpStream) -> bool {
    let mut rest = Vec::new();
    match stream.read_to_end(&mut rest) {
        Ok(_) => true,
        Err(why) => why.kind() == ErrorKind::ConnectionReset,
    }
}

#[test]
fn a_connection_that_does_not_finish_its_request_is_closed() {
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let half = "GET / HTTP/1.1\r\nHost: 127.0";
    let headers =
        [server.host_line(), server.cookie_line(), format!("X-Arena-Token: {}", server.token)];
    let body = format!(
        "POST /api/config HTTP/1.1\r\n{}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{{",
        headers.join("\r\n")
    );
    let connections = ["", half, &body].map(|text| said(&server, text));
    assert!(connections.into_iter().all(is_closed));
    assert_eq!(server.get("/").status, 200);
}

/// The descriptors of a process.
fn descriptors(server: &Server) -> usize {
    fs::read_dir(format!("/proc/{}/fd", server.pid())).unwrap().count()
}

#[test]
fn connections_that_say_nothing_are_few_and_keep_nobody_out() {
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let before = descriptors(&server);
    let free =
        format!("GET /assets/pages.css HTTP/1.1\r\n{}\r\n\r\n", server.host_line()).repeat(60);
    let texts = ["GET / HT", &free];
    let held: Vec<TcpStream> = (0..800).map(|it| said(&server, texts[it % 2])).collect();
    // Who asks is answered at once, although all those wait, or do not read what they asked for.
    for _ in 0..20 {
        assert_eq!(server.get("/").status, 200);
    }
    let more = descriptors(&server).saturating_sub(before);
    assert!(more <= 140, "{more} descriptors for 800 connections");
    drop(held);
}
