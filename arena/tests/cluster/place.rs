//! A directory with a NATS server, a coordinator and workers, each a process of its own.

use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The time after which something that has not happened never will.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// A tournament that takes some seconds, with equal games on every machine.
pub(crate) const CONFIG: &str = "\
name = \"cup\"
kinds = [\"riatra\", \"vela\", \"session\"]
rounds = 4
concurrency = 2
limit = \"nodes=300\"
seed = 5

[[engine]]
name = \"alphabeta\"
command = \"bot-alphabeta\"

[[engine]]
name = \"greedy\"
command = \"bot-greedy\"

[[engine]]
name = \"random\"
command = \"bot-random\"
";

/// A process that is killed when the test ends.
pub(crate) struct Process {
    child: Child,
    log: PathBuf,
}

impl Process {
    /// Starts a program with its output in a file, after what an earlier process has left there.
    pub(crate) fn start(command: &mut Command, log: &Path) -> Process {
        let out = File::options().create(true).append(true).open(log).unwrap();
        let err = out.try_clone().unwrap();
        let child = command.stdin(Stdio::null()).stdout(out).stderr(err).spawn().unwrap();
        Process { child, log: log.to_owned() }
    }

    /// Kills it with SIGKILL.
    pub(crate) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Presses Ctrl-C.
    pub(crate) fn interrupt(&self) {
        let pid = nix::unistd::Pid::from_raw(self.child.id() as i32);
        nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGINT).unwrap();
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Waits for its end and returns the exit code.
    pub(crate) fn wait(&mut self) -> Option<i32> {
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            sleep(Duration::from_millis(20));
        }
        panic!("it does not end:\n{}", self.output());
    }

    /// What it has printed.
    pub(crate) fn output(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Waits until it has printed a text.
    pub(crate) fn until_printed(&self, text: &str) {
        until(&format!("{text:?} in {}", self.log.display()), || self.output().contains(text));
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Waits for something.
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < PATIENCE, "it does not happen: {what}");
        sleep(Duration::from_millis(20));
    }
}

/// A port that is free now.
pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A NATS server.
pub(crate) struct Server {
    process: Process,
    pub(crate) port: u16,
    store: PathBuf,
    config: Option<PathBuf>,
    log: PathBuf,
}

impl Server {
    fn command(port: u16, store: &Path, config: Option<&Path>) -> Command {
        let program = std::env::var_os("NATS_SERVER").unwrap_or("nats-server".into());
        let mut command = Command::new(program);
        match config {
            Some(config) => command.arg("-c").arg(config),
            None => {
                let port = port.to_string();
                command.args(["-js", "-a", "127.0.0.1", "-p", &port, "-sd"]).arg(store)
            }
        };
        command
    }

    fn begin(port: u16, store: PathBuf, config: Option<PathBuf>, log: PathBuf) -> Server {
        let mut command = Server::command(port, &store, config.as_deref());
        let process = Process::start(&mut command, &log);
        let server = Server { process, port, store, config, log };
        server.until_ready();
        server
    }

    fn until_ready(&self) {
        until("the server listens", || TcpStream::connect(("127.0.0.1", self.port)).is_ok());
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub(crate) fn kill(&mut self) {
        self.process.kill();
    }

    /// Starts it again after it was killed.
    pub(crate) fn restart(&mut self) {
        let mut command = Server::command(self.port, &self.store, self.config.as_deref());
        self.process = Process::start(&mut command, &self.log);
        self.until_ready();
    }

    /// Removes everything it has stored.
    pub(crate) fn wipe(&self) {
        let _ = fs::remove_dir_all(&self.store);
    }
}

/// A directory of its own, removed with everything in it.
pub(crate) struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new() -> Place {
        crate_bots();
        Place { dir: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// A server without users.
    pub(crate) fn server(&self) -> Server {
        Server::begin(free_port(), self.path("store"), None, self.path("server.log"))
    }

    /// A server with a config of `arena cluster config` in `cluster`.
    pub(crate) fn server_with(&self, config: &Path, port: u16, store: &Path) -> Server {
        let log = self.path("server.log");
        Server::begin(port, store.to_owned(), Some(config.to_owned()), log)
    }

    /// Runs the arena to its end; its output and exit code.
    pub(crate) fn arena(&self, args: &[&str]) -> (Option<i32>, String) {
        let log = self.path(&format!("arena-{}.log", args.join("-").replace('/', "_").len()));
        let _ = fs::remove_file(&log);
        let mut process = self.start(args, &log);
        (process.wait(), process.output())
    }

    fn start(&self, args: &[&str], log: &Path) -> Process {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command.args(args).current_dir(self.dir.path());
        Process::start(&mut command, log)
    }

    /// Plays a config on this machine, without workers.
    pub(crate) fn play_alone(&self, config: &str, out: &str) {
        self.play_alone_with(config, out, &[]);
    }

    pub(crate) fn play_alone_with(&self, config: &str, out: &str, more: &[&str]) {
        let (code, output) = self.arena(&[&["run", config, "--out", out], more].concat());
        assert_eq!(code, Some(0), "{output}");
    }

    /// Starts the coordinator of a config, or of a directory that holds a tournament already.
    pub(crate) fn coordinator(&self, url: &str, config: &str, out: &str, more: &[&str]) -> Process {
        let is_there = self.path(out).join("journal.jsonl").exists();
        let first = if is_there { vec!["resume", out] } else { vec!["run", config, "--out", out] };
        let args = [&first[..], &["--cluster", url, "--redeliver", "3s"], more].concat();
        self.start(&args, &self.path(&format!("{out}.log")))
    }

    /// Starts a worker with two slots.
    pub(crate) fn worker(&self, url: &str, name: &str, more: &[&str]) -> Process {
        self.worker_of(env!("CARGO_BIN_EXE_arena").as_ref(), url, name, more)
    }

    /// Starts a worker that is another arena.
    pub(crate) fn worker_of(&self, arena: &Path, url: &str, name: &str, more: &[&str]) -> Process {
        let mut command = Command::new(arena);
        command
            .args(["cluster", "work", url, "--slots", "2"])
            .args(more)
            .current_dir(self.dir.path());
        if !more.contains(&"--credentials") {
            command.args(["--name", name]);
        }
        Process::start(&mut command, &self.path(&format!("{name}.log")))
    }

    /// The games of a results directory as `games.csv`, without the times.
    pub(crate) fn games(&self, out: &str) -> String {
        self.timeless(out, "games.csv")
    }

    /// A table of a results directory without times and nodes per second.
    pub(crate) fn timeless(&self, out: &str, name: &str) -> String {
        let text = fs::read_to_string(self.path(out).join(name)).unwrap();
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let headers = reader.headers().unwrap().clone();
        let is_timed = |name: &str| name.ends_with("_ms") || name.ends_with("_nps");
        let kept: Vec<usize> = (0..headers.len()).filter(|&at| !is_timed(&headers[at])).collect();
        let line = |record: &csv::StringRecord| {
            let fields: Vec<&str> = kept.iter().map(|&at| &record[at]).collect();
            fields.join(",") + "\n"
        };
        let rows = reader.records().map(|record| line(&record.unwrap()));
        std::iter::once(line(&headers)).chain(rows).collect()
    }

    /// The number of games in the journal.
    pub(crate) fn journalled(&self, out: &str) -> usize {
        let text = fs::read_to_string(self.path(out).join("journal.jsonl")).unwrap_or_default();
        text.matches("\"entry\":{\"game\"").count()
    }

    /// Copies the arena and the bots to a directory, and returns the arena.
    pub(crate) fn copy_of_arena(&self, name: &str, bots: &[&str]) -> PathBuf {
        let arena = Path::new(env!("CARGO_BIN_EXE_arena"));
        let dir = self.path(name);
        fs::create_dir_all(&dir).unwrap();
        for program in [&["arena"], bots].concat() {
            fs::copy(arena.parent().unwrap().join(program), dir.join(program)).unwrap();
        }
        dir.join("arena")
    }
}

/// Builds the bots beside the arena, once.
fn crate_bots() {
    static BUILT: std::sync::Once = std::sync::Once::new();
    BUILT.call_once(|| {
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "-p", "fanorona-bots", "--bins"]);
        if !cfg!(debug_assertions) {
            build.arg("--release");
        }
        assert!(build.status().unwrap().success());
    });
}

/// A number below a bound, different in every run: kills come at random moments.
pub(crate) fn random(bound: u64) -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0) % bound
}
