//! What spectators cost the arena: processor time per move without a server, with one that nobody
//! watches, and with watchers; and what the server uses while pages are open on finished results.
//!
//! `cargo bench -p fanorona-arena --bench spectators` runs `arena` itself. The time is user and
//! system time of that process from its start to its end, divided by the moves that engines were
//! asked for; engines and supervisors are processes of their own and not in it. The engines answer
//! at once, so moves come as fast as they ever do. The runs alternate, and what counts is the ratio
//! between them: a busy machine changes all of them alike.

#[path = "instant/mod.rs"]
mod instant;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, mpsc};
use std::thread::{self, sleep};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::{Pid, SysconfVar, sysconf};

/// The watchers of one tournament.
const WATCHERS: usize = 20;

/// The pages open on finished results.
const PAGES: usize = 100;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if args.iter().any(|arg| arg == "engine") {
        return instant::engine();
    }
    // `cargo test` only wants to know whether it runs.
    let is_measured = args.iter().any(|arg| arg == "--bench");
    let (repeats, rounds, seconds) = if is_measured { (5, 250, 60) } else { (1, 1, 1) };
    let dir = tempfile::tempdir().expect("there is room for results");
    write_config(dir.path(), rounds);

    println!("arena µs/move in {repeats} runs of each, alternating");
    let cases =
        [("no server", None), ("server, no watcher", Some(0)), ("watchers", Some(WATCHERS))];
    let mut times = cases.map(|_| Vec::new());
    for run in 0..repeats {
        for (index, (_, watchers)) in cases.iter().enumerate() {
            times[index].push(play(dir.path(), &format!("out{run}-{index}"), *watchers));
        }
    }
    let plain = median(&times[0]);
    for ((name, watchers), times) in cases.iter().zip(&times) {
        let name = if *watchers == Some(WATCHERS) {
            format!("{WATCHERS} {name}")
        } else {
            (*name).to_owned()
        };
        let (low, high) = (minimum(times), times.iter().copied().fold(0.0, f64::max));
        let median = median(times);
        println!("{name:20} {median:7.1} ({low:.1} to {high:.1})  ratio {:.3}", median / plain);
    }

    println!("server of finished results, {PAGES} pages, ms of processor time per minute");
    for (name, kind) in
        [("no page", Idle::Nothing), ("tournament pages", Idle::Loaded), ("home pages", Idle::Home)]
    {
        println!("{name:20} {:7.0}", idle(dir.path(), kind, seconds));
    }
}

fn minimum(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::INFINITY, f64::min)
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// A match of this very program against itself, two games at once.
fn write_config(dir: &Path, rounds: u32) {
    let program = std::env::current_exe().expect("this program is somewhere");
    let engine = |name: &str| {
        format!("[[engine]]\nname = {name:?}\ncommand = {program:?}\nargs = [\"engine\"]\n")
    };
    let config = format!(
        "name = \"spectators\"\nformat = \"match\"\nkinds = [\"riatra\"]\nrounds = {rounds}\n\
         concurrency = 2\noversubscribe = true\nlimit = \"depth=1\"\n\
         openings = {{ source = \"random\", plies = 4 }}\n{}{}",
        engine("one"),
        engine("two")
    );
    fs::write(dir.join("match.toml"), config).expect("the config can be written");
}

/// Plays the tournament; returns the microseconds of the arena per move. Without `watchers` there
/// is no server.
fn play(dir: &Path, out: &str, watchers: Option<usize>) -> f64 {
    let serve = watchers.map(|_| "--serve=127.0.0.1:0");
    let args = ["run", "match.toml", "--out", out].into_iter().chain(serve);
    let arena = Arena::start(dir, args);
    let heard = arena.watch(watchers.unwrap_or(0));
    let used = arena.end();
    if watchers.unwrap_or(0) > 0 {
        assert!(heard.load(Relaxed) > 0, "the watchers saw nothing");
    }
    let mut reader = csv::Reader::from_path(dir.join(out).join("games.csv")).expect("games.csv");
    let columns = reader.headers().expect("it has a first line").clone();
    let column = columns.iter().position(|name| name == "moves").expect("it has moves");
    let moves: usize =
        reader.records().map(|row| row.expect("a row")[column].split(' ').count() - 4).sum();
    1e6 * used.as_secs_f64() / moves as f64
}

/// What open pages do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Idle {
    /// There is no page.
    Nothing,
    /// A page of a finished tournament has loaded everything, and keeps its connection.
    Loaded,
    /// A first page asks for the library every five seconds.
    Home,
}

/// The milliseconds of processor time that a server of finished results uses in a minute.
fn idle(dir: &Path, kind: Idle, seconds: u64) -> f64 {
    let arena = Arena::start(dir, ["serve", "out0-0", "--listen", "127.0.0.1:0"]);
    let library = get(&arena.host, "/api/library");
    let id = library.split("\"id\":\"").nth(1).and_then(|rest| rest.split('"').next());
    let id = id.expect("the results are listed");
    let paths = match kind {
        Idle::Nothing => Vec::new(),
        Idle::Loaded => {
            vec![format!("/t/{id}"), format!("/api/t/{id}"), format!("/api/t/{id}/games")]
        }
        Idle::Home => vec!["/".to_owned(), "/api/library".to_owned()],
    };
    let mut pages: Vec<Page> = if paths.is_empty() {
        Vec::new()
    } else {
        (0..PAGES).map(|_| Page::open(&arena.host)).collect()
    };
    for page in &mut pages {
        paths.iter().for_each(|path| page.get(path));
    }
    let before = cpu_time(arena.child.id());
    for _ in 0..seconds.div_ceil(5) {
        sleep(Duration::from_secs(seconds.min(5)));
        if kind == Idle::Home {
            pages.iter_mut().for_each(|page| page.get("/api/library"));
        }
    }
    let used = cpu_time(arena.child.id()) - before;
    drop(pages);
    arena.stop();
    1e3 * used.as_secs_f64() * 60.0 / seconds as f64
}

/// A running `arena`.
struct Arena {
    child: Child,
    /// The server's address; empty without one.
    host: String,
    /// What it prints.
    lines: mpsc::Receiver<String>,
}

impl Arena {
    fn start<'a>(dir: &Path, args: impl IntoIterator<Item = &'a str>) -> Arena {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command.args(args).current_dir(dir).stdin(Stdio::null());
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("arena runs");
        let (sender, lines) = mpsc::channel();
        let streams: [Box<dyn Read + Send>; 2] = [
            Box::new(child.stdout.take().expect("it is piped")),
            Box::new(child.stderr.take().expect("it is piped")),
        ];
        for stream in streams {
            let sender = sender.clone();
            thread::spawn(move || {
                // All lines are read, so that the arena never waits for a reader.
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    let _ = sender.send(line);
                }
            });
        }
        drop(sender);
        // Without a server there is no address, and the loop ends with the process.
        let mut host = String::new();
        let is_serving = command.get_args().any(|arg| arg.to_string_lossy().contains("127.0.0.1"));
        while is_serving && host.is_empty() {
            let line = lines.recv().expect("the server prints its address");
            let (_, rest) = line.split_once("http://").unwrap_or_default();
            host = rest.split('/').next().unwrap_or_default().to_owned();
        }
        Arena { child, host, lines }
    }

    /// Watches the tournament until the server ends; returns the count of the bytes that watchers
    /// receive.
    fn watch(&self, watchers: usize) -> Arc<AtomicU64> {
        let heard = Arc::new(AtomicU64::new(0));
        if watchers == 0 {
            return heard;
        }
        let id = loop {
            let library = get(&self.host, "/api/library");
            let id = library.split("\"id\":\"").nth(1).and_then(|rest| rest.split('"').next());
            if let Some(id) = id {
                break id.to_owned();
            }
        };
        for _ in 0..watchers {
            let (heard, id, host) = (heard.clone(), id.clone(), self.host.clone());
            thread::spawn(move || {
                let mut page = Page::open(&host);
                page.send(&format!("/api/t/{id}/live"));
                let mut buffer = [0; 1 << 16];
                while let Ok(length @ 1..) = page.reader.get_mut().read(&mut buffer) {
                    heard.fetch_add(length as u64, Relaxed);
                }
            });
        }
        heard
    }

    /// Waits for the end of the tournament; returns the processor time that was used.
    fn end(mut self) -> Duration {
        let pid = Pid::from_raw(self.child.id() as i32);
        if self.host.is_empty() {
            // The process stays readable until it is waited for.
            let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT;
            waitid(Id::Pid(pid), flags).expect("it is a child");
            let used = cpu_time(self.child.id());
            let status = self.child.wait().expect("it is a child");
            assert!(status.success(), "{status}");
            return used;
        }
        // The pages stay after the end.
        while !self.lines.recv().expect("the tournament ends").contains("the pages stay") {}
        let used = cpu_time(self.child.id());
        self.stop();
        used
    }

    fn stop(mut self) {
        let _ = kill(Pid::from_raw(self.child.id() as i32), Signal::SIGTERM);
        self.child.wait().expect("it is a child");
    }
}

/// User and system time of a process, without its children.
fn cpu_time(pid: u32) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("the process is there");
    // The name, in parentheses, may contain anything; the 14th and 15th field are the times.
    let (_, rest) = stat.rsplit_once(") ").expect("a name in parentheses");
    let fields = rest.split(' ').skip(11).take(2);
    let ticks: u64 = fields.map(|field| field.parse::<u64>().expect("a number")).sum();
    let per_second = sysconf(SysconfVar::CLK_TCK).ok().flatten().expect("a frequency");
    Duration::from_secs_f64(ticks as f64 / per_second as f64)
}

/// A connection of a page.
struct Page {
    reader: BufReader<TcpStream>,
    host: String,
}

impl Page {
    fn open(host: &str) -> Page {
        let stream = TcpStream::connect(host).expect("the server listens");
        Page { reader: BufReader::new(stream), host: host.to_owned() }
    }

    fn send(&mut self, path: &str) {
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.host);
        self.reader.get_mut().write_all(request.as_bytes()).expect("the server reads");
    }

    /// Requests a file and reads it; the connection stays open.
    fn get(&mut self, path: &str) {
        self.body(path);
    }

    fn body(&mut self, path: &str) -> String {
        self.send(path);
        let mut length = None;
        loop {
            let mut line = String::new();
            self.reader.read_line(&mut line).expect("the server answers");
            if line == "\r\n" {
                break;
            }
            let line = line.to_ascii_lowercase();
            length = line
                .strip_prefix("content-length: ")
                .map(|it| it.trim().parse().expect("a number"))
                .or(length);
        }
        let mut body = vec![0; length.expect("an answer has a length")];
        self.reader.read_exact(&mut body).expect("the server answers");
        String::from_utf8(body).expect("answers are text")
    }
}

fn get(host: &str, path: &str) -> String {
    Page::open(host).body(path)
}
