//! The engines as WebAssembly in a real browser, by the scripts of the pages.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::thread;

use serde_json::json;

use crate::devtools::Browser;

/// A page that talks with engines. `talk` opens one, sends texts, each when a line has matched the
/// pattern of the text before, and returns all lines.
const PAGE: &str = "<!doctype html><html data-files><title>engines</title><script type=module>
import { EngineInPage, useEngineFiles } from './engine_in_page.js';
window.deafen = () => useEngineFiles({
  compile: async () => WebAssembly.compileStreaming(fetch('fanorona_engines.wasm')),
  worker: () => new Worker('deaf_worker.js'),
});
window.talk = async (name, turns) => {
  const port = new EngineInPage(name);
  const lines = [];
  let heard = () => {};
  port.onLine = (line) => { lines.push(line); heard(line); };
  port.onGone = (reason) => { lines.push(`gone: ${reason}`); heard('gone'); };
  await port.open();
  for (const [text, pattern] of turns) {
    if (port.closed) break;
    const answered = new Promise((done) => {
      heard = (line) => { if (line === 'gone' || new RegExp(pattern).test(line)) done(); };
    });
    port.send(text);
    await answered;
  }
  port.close();
  return lines;
};
window.ready = true;
</script>";

/// A file of a page: its name, its media type and its content.
type File = (String, &'static str, Vec<u8>);

/// Serves the files of a page at an address of this machine.
fn serve(files: Vec<File>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    // It ends with the tests.
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = BufReader::new(stream.try_clone().unwrap()).lines();
            let Some(Ok(first)) = request.next() else { continue };
            while request.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
            let path = first.split(' ').nth(1).unwrap_or("/").trim_start_matches('/');
            let (status, kind, bytes) = match files.iter().find(|(name, ..)| *name == path) {
                Some((_, kind, bytes)) => ("200 OK", *kind, &bytes[..]),
                None => ("404 Not Found", "text/plain", &b""[..]),
            };
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\
                 Content-Security-Policy: default-src 'self'; script-src 'self' 'unsafe-inline' \
                 'wasm-unsafe-eval'\r\nConnection: close\r\n\r\n",
                bytes.len()
            );
            // The browser may have gone.
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(bytes));
        }
    });
    address
}

/// The module that `.ci/full wasm` builds, and the scripts; `None` where it has not been built.
fn files() -> Option<Vec<File>> {
    let Some(module) = std::env::var_os("ENGINES_WASM").map(PathBuf::from) else {
        println!("NOT RUN, as ENGINES_WASM names no module: the engines in Chromium");
        return None;
    };
    let arena = Path::new(env!("CARGO_MANIFEST_DIR"));
    let worker = fs::read(arena.join("pages/src/engine_worker.js")).unwrap();
    // A browser that cannot suspend WebAssembly.
    let deaf = [&b"delete WebAssembly.Suspending;\n"[..], &worker].concat();
    let javascript = "text/javascript";
    let mut files = vec![
        (String::new(), "text/html", PAGE.into()),
        ("engine_worker.js".to_owned(), javascript, worker),
        ("deaf_worker.js".to_owned(), javascript, deaf),
        ("fanorona_engines.wasm".to_owned(), "application/wasm", fs::read(module).unwrap()),
    ];
    // The modules of the pages, as they import each other.
    for dir in ["pages/src/script", "report/src/html/script"] {
        for path in fs::read_dir(arena.join(dir)).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let kind = if name.ends_with(".json") { "application/json" } else { javascript };
            files.push((name, kind, fs::read(&path).unwrap()));
        }
    }
    let english = fanorona_pages::texts("en.json").unwrap();
    files.push(("en.json".to_owned(), "application/json", english.into()));
    Some(files)
}

/// What an engine says in a conversation with the page.
fn talk(browser: &mut Browser, engine: &str, turns: &[(&str, &str)]) -> Vec<String> {
    let said = browser.value(&format!("talk('{engine}', {})", json!(turns)));
    serde_json::from_value(said).unwrap()
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn engines_in_the_page_obey_stop_and_count_as_everywhere() {
    let Some(files) = files() else { return };
    let profile = tempfile::tempdir().unwrap();
    let mut browser = Browser::start(profile.path());
    browser.open(&serve(files));
    browser.until("window.ready", &json!(true));
    for deaf in [false, true] {
        if deaf {
            browser.value("deafen()");
        }
        for engine in ["bot-alphabeta", "bot-mcts"] {
            let start = "position startpos moves e2e3A\ngo infinite";
            let said = talk(
                &mut browser,
                engine,
                &[
                    (start, "^info"),
                    ("isready", "^readyok"),
                    ("stop\nisready", "^readyok"),
                    ("go nodes 3000", "^bestmove"),
                    // Before the first report of this search.
                    (&format!("{start}\nstop"), "^bestmove"),
                    ("quit", "^gone"),
                ],
            );
            let kinds: Vec<&str> = said
                .iter()
                .filter(|line| !line.starts_with("info"))
                .map(|line| &line[..5])
                .collect();
            assert_eq!(kinds, ["ready", "bestm", "ready", "bestm", "bestm", "gone:"], "{said:?}");
        }
    }
    let said = talk(&mut browser, "bot-nobody", &[("ugi", "^ugiok")]);
    assert_eq!(said, ["gone: the engine has failed: there is no engine bot-nobody"]);
}

#[test]
#[ignore = "needs Chromium: apt-get install chromium"]
fn engines_in_the_page_have_their_signatures() {
    let Some(files) = files() else { return };
    let profile = tempfile::tempdir().unwrap();
    let mut browser = Browser::start(profile.path());
    browser.open(&serve(files));
    browser.until("window.ready", &json!(true));
    let session = fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../bots/tests/suite/session.rs"),
    )
    .unwrap();
    let known = session.split("const SIGNATURES: [u64; 4] = [").nth(1).unwrap();
    let known = known.split(']').next().unwrap().replace('_', "");
    let engines = ["bot-random", "bot-greedy", "bot-mcts", "bot-alphabeta"];
    for (engine, nodes) in engines.into_iter().zip(known.split(',')) {
        let said = talk(&mut browser, engine, &[("bench", " nps$")]);
        println!("{}", said.join(", "));
        assert!(said.contains(&format!("{} nodes", nodes.trim())), "{engine}: {said:?}");
    }
}
