//! A directory in which the `arena` program is run, and what it leaves there.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::ops::Index;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use fanorona_protocol::rules::Ruleset;
use fanorona_tournament::record;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rustix::process::{PidfdFlags, pidfd_open};

use crate::common::{SCRIPT, scripted_engine};

/// The most memory the arena may have had resident, in bytes, whatever engines do: it begins with some
/// sixth of that.
const MEMORY: u64 = 64 << 20;

/// The time between two looks at the peak of its memory, which only grows. Looks cost processor time
/// that the engines of all tests need.
const MEMORY_LOOK: Duration = Duration::from_millis(10);

/// The time after which an arena that has not ended counts as hanging. It is no measurement: most
/// tournaments here take under a second on an idle machine. The slack is that large because the
/// tests share the processors with each other and with engines that use all they get.
const PATIENCE: Duration = Duration::from_secs(60);

/// Makes a test wait for every other test whose subject is the time of real processes: signals that
/// stop an arena in the middle of a move. All other tests use no clock, or one that may run late.
pub(crate) fn on_a_real_clock() -> MutexGuard<'static, ()> {
    static CLOCK: Mutex<()> = Mutex::new(());
    CLOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A directory of its own, removed with everything in it.
pub(crate) struct Place {
    dir: tempfile::TempDir,
    runs: AtomicU32,
}

/// The lines every config begins with that does not care: one game after another, each engine
/// answering at once.
pub(crate) const HEAD: &str = "\
format = \"match\"
kinds = [\"riatra\"]
rounds = 2
concurrency = 1
limit = \"depth=1\"
stall = \"1s\"
openings = { source = \"random\", plies = 2 }
rules = { max-plies = 40 }
";

impl Place {
    pub(crate) fn new() -> Place {
        Place { dir: tempfile::tempdir().unwrap(), runs: AtomicU32::new(0) }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The path as text for configs and scripts.
    pub(crate) fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.text(name)
    }

    /// The config table of an engine that follows a script, with further lines.
    pub(crate) fn engine(&self, name: &str, script: &str, lines: &str) -> String {
        let quoted = |text: &str| toml::Value::from(text).to_string();
        format!(
            "\n[[engine]]\nname = {}\ncommand = {}\nenv = {{ {} = {}, MARK = {} }}\n\
             writable = [\".\"]\n{lines}\n",
            quoted(name),
            quoted(&scripted_engine()),
            SCRIPT,
            quoted(script),
            quoted(&self.mark()),
        )
    }

    /// Writes a config with these engines, each a name and a script.
    pub(crate) fn config(&self, head: &str, engines: &[(&str, &str)]) -> String {
        let engines: String =
            engines.iter().map(|(name, script)| self.engine(name, script, "")).collect();
        self.write("t.toml", &format!("{head}{engines}"))
    }

    /// An environment variable of every engine of this place, and of no other process.
    fn mark(&self) -> String {
        self.dir.path().to_str().unwrap().to_owned()
    }

    /// Starts the arena here.
    pub(crate) fn start(&self, args: &[&str]) -> Running<'_> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command.args(args);
        self.spawn(command)
    }

    /// Starts a command here.
    pub(crate) fn spawn(&self, command: Command) -> Running<'_> {
        self.spawn_with(command, |command| command)
    }

    /// Starts a command here, after a last change to it.
    pub(crate) fn spawn_with(
        &self,
        mut command: Command,
        change: impl FnOnce(&mut Command) -> &mut Command,
    ) -> Running<'_> {
        let run = self.runs.fetch_add(1, Ordering::Relaxed);
        let (stdout, stderr) =
            (self.path(&format!("stdout-{run}")), self.path(&format!("stderr-{run}")));
        fs::create_dir_all(self.path("temporary")).unwrap();
        command
            .current_dir(self.dir.path())
            .env("TMPDIR", self.path("temporary"))
            .stdin(std::process::Stdio::null())
            .stdout(File::create(&stdout).unwrap())
            .stderr(File::create(&stderr).unwrap());
        let child = change(&mut command).spawn().unwrap();
        // The command's copies of our handles must not keep a pipe open.
        drop(command);
        Running { place: self, child, stdout, stderr, begin: Instant::now(), patience: PATIENCE }
    }

    /// Runs the arena to its end.
    pub(crate) fn arena(&self, args: &[&str]) -> Done {
        self.start(args).wait()
    }

    /// Runs the arena and checks its exit code.
    pub(crate) fn arena_ends(&self, code: i32, args: &[&str]) -> Done {
        let done = self.arena(args);
        assert_eq!(done.code, Some(code), "{}\n{}", done.stdout, done.stderr);
        done
    }

    /// Plays a config to the end, into a directory.
    pub(crate) fn play(&self, config: &str, out: &str) -> Done {
        self.arena_ends(0, &["run", config, "--out", out])
    }

    /// The rows of a CSV file.
    pub(crate) fn table(&self, name: &str) -> Vec<Row> {
        let mut reader = csv::Reader::from_path(self.path(name)).unwrap();
        let columns = reader.headers().unwrap().clone();
        let row = |fields: csv::StringRecord| {
            Row(columns.iter().map(str::to_owned).zip(fields.iter().map(str::to_owned)).collect())
        };
        reader.records().map(|fields| row(fields.unwrap())).collect()
    }

    /// The games of a results directory, each replayed by these rules.
    pub(crate) fn games(&self, dir: &str, rules: &str) -> Vec<Row> {
        let games = self.table(&format!("{dir}/games.csv"));
        let rules: Ruleset = rules.parse().unwrap();
        for game in &games {
            let (result, reason) =
                (game["result"].parse().unwrap(), game["reason"].parse().unwrap());
            record::replay(&rules, &game["start"], &game["moves"], result, reason)
                .unwrap_or_else(|why| panic!("game {}: {why}", &game["game"]));
            let plies = game["moves"].split_whitespace().count();
            assert_eq!(game["plies"], plies.to_string());
        }
        games
    }

    /// `games.csv` without the columns that may differ between equal runs.
    pub(crate) fn timeless(&self, dir: &str) -> String {
        self.timeless_file(&format!("{dir}/games.csv"))
    }

    /// A file of results; of a table without the columns that may differ between equal runs: times,
    /// and nodes per second.
    pub(crate) fn timeless_file(&self, name: &str) -> String {
        if !name.ends_with(".csv") {
            return fs::read_to_string(self.path(name)).unwrap();
        }
        let mut reader = csv::Reader::from_path(self.path(name)).unwrap();
        let columns = reader.headers().unwrap().clone();
        let is_timed = |column: &str| column.ends_with("_ms") || column.ends_with("_nps");
        let timeless = |row: &csv::StringRecord| {
            let fields = columns.iter().zip(row).filter(|(column, _)| !is_timed(column));
            fields.map(|(_, field)| format!("{field:?}")).collect::<Vec<_>>().join(",") + "\n"
        };
        let rows = reader.records().map(|row| timeless(&row.unwrap()));
        [timeless(&columns)].into_iter().chain(rows).collect()
    }

    /// The number of games in a journal.
    pub(crate) fn journalled(&self, dir: &str) -> usize {
        let journal = fs::read_to_string(self.path(dir).join("journal.jsonl"));
        journal.map_or(0, |text| text.matches('\n').count().saturating_sub(1))
    }

    /// The processes of the engines of this place, including their children.
    pub(crate) fn processes(&self) -> Vec<String> {
        let mark = format!("MARK={}", self.mark());
        processes_where(|process| is_marked(process, &mark))
    }

    /// The same processes and those between them and the arena, whose launch specifications contain
    /// the engines' environment.
    fn processes_and_guards(&self) -> Vec<String> {
        let mark = self.mark();
        let has_mark = |text: Vec<u8>| text.windows(mark.len()).any(|part| part == mark.as_bytes());
        let is_guard = |process: &Path| {
            let command = fs::read(process.join("cmdline")).unwrap_or_default();
            let word = command.split(|&byte| byte == 0).nth(1).unwrap_or_default();
            if word != b"supervisor" {
                return false;
            }
            // Reading anything else, such as a pipe of another program, could take for ever.
            let specification = process.join("fd/5");
            let is_file = fs::read_link(&specification)
                .is_ok_and(|target| target.as_os_str().as_encoded_bytes().starts_with(b"/memfd:"));
            is_file && fs::read(specification).is_ok_and(has_mark)
        };
        let variable = format!("MARK={mark}");
        processes_where(|process| is_marked(process, &variable) || is_guard(process))
    }

    /// Checks that no engine and no private directory is left. A killed process may take a moment
    /// to disappear.
    fn assert_nothing_is_left(&self) {
        let deadline = Instant::now() + Duration::from_secs(5);
        loop {
            let mut left = self.processes_and_guards();
            for entry in fs::read_dir(self.path("temporary")).unwrap() {
                left.push(entry.unwrap().path().display().to_string());
            }
            if left.is_empty() {
                return;
            }
            assert!(Instant::now() < deadline, "still there: {left:?}");
            sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Place {
    /// Ends engines that a failing test leaves behind.
    fn drop(&mut self) {
        for process in self.processes() {
            if let Ok(id) = process_id(&process).parse() {
                let _ = kill(Pid::from_raw(id), Signal::SIGKILL);
            }
        }
    }
}

/// Whether a process has this variable, given by its directory in `/proc`.
fn is_marked(process: &Path, variable: &str) -> bool {
    let environment = fs::read(process.join("environ")).unwrap_or_default();
    environment.split(|&byte| byte == 0).any(|found| found == variable.as_bytes())
}

/// The processes with a property of their directories in `/proc`. Other users' processes cannot be
/// read, and some have ended by now.
fn processes_where(wanted: impl Fn(&Path) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().filter_map(Result::ok) {
        if !entry.file_name().as_encoded_bytes()[0].is_ascii_digit() {
            continue;
        }
        let path = entry.path();
        if wanted(&path) {
            let command = fs::read(path.join("cmdline")).unwrap_or_default();
            found.push(format!("{}: {}", path.display(), String::from_utf8_lossy(&command)));
        }
    }
    found
}

/// The id of one of these processes.
pub(crate) fn process_id(process: &str) -> &str {
    process.trim_start_matches("/proc/").split(':').next().expect("a part comes first")
}

/// The state of a process, like `T` for a stopped one.
pub(crate) fn process_state(id: &str) -> Option<char> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.chars().next()
}

/// A row of a CSV file by its columns.
#[derive(Clone, Debug)]
pub(crate) struct Row(BTreeMap<String, String>);

impl Index<&str> for Row {
    type Output = String;

    fn index(&self, column: &str) -> &String {
        self.0.get(column).unwrap_or_else(|| panic!("no column {column}"))
    }
}

/// An arena at work.
pub(crate) struct Running<'p> {
    place: &'p Place,
    child: Child,
    stdout: PathBuf,
    stderr: PathBuf,
    begin: Instant,
    /// The timeout of a test.
    pub(crate) patience: Duration,
}

impl Running<'_> {
    pub(crate) fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.id() as i32), signal).unwrap();
    }

    /// Suspends the arena, as Ctrl-Z does, and waits until it has stopped: a signal to continue that comes
    /// before is lost.
    pub(crate) fn suspend(&mut self) {
        self.signal(Signal::SIGTSTP);
        let arena = self.id().to_string();
        self.until(|_| process_state(&arena) == Some('T'));
    }

    /// The arena's process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Its peak memory in bytes; `None` once it has ended.
    pub(crate) fn peak_memory(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        Some(line.trim().strip_suffix(" kB")?.parse::<u64>().unwrap() << 10)
    }

    /// Whether it runs for longer than a duration.
    pub(crate) fn goes_on_for(&mut self, time: Duration) -> bool {
        self.ended_within(time).is_none()
    }

    /// Its status, if it ends within a duration.
    fn ended_within(&mut self, time: Duration) -> Option<ExitStatus> {
        if let Some(status) = self.child.try_wait().unwrap() {
            return Some(status);
        }
        let process = rustix::process::Pid::from_child(&self.child);
        let process = pidfd_open(process, PidfdFlags::empty()).unwrap();
        let mut end = [PollFd::new(process.as_fd(), PollFlags::POLLIN)];
        ppoll(&mut end, Some(time.into()), None).unwrap();
        self.child.try_wait().unwrap()
    }

    /// Waits until it has printed a text to standard error.
    pub(crate) fn until_it_tells(&mut self, words: &str) {
        let stderr = self.stderr.clone();
        self.until(|_| read(&stderr).contains(words));
    }

    /// Waits until the journal of a directory has this many games.
    pub(crate) fn until_journalled(&mut self, dir: &str, games: usize) {
        self.until(|place| place.journalled(dir) >= games);
    }

    /// Waits for that, or for the end: withdrawn engines leave fewer games.
    pub(crate) fn until_journalled_or_ended(&mut self, dir: &str, games: usize) {
        while self.place.journalled(dir) < games && self.child.try_wait().unwrap().is_none() {
            assert!(self.begin.elapsed() < self.patience, "{}", read(&self.stderr));
            sleep(Duration::from_millis(100));
        }
    }

    /// Waits until a condition holds.
    pub(crate) fn until(&mut self, holds: impl Fn(&Place) -> bool) {
        while !holds(self.place) {
            let ended = self.child.try_wait().unwrap();
            assert_eq!(ended, None, "{}", read(&self.stderr));
            assert!(self.begin.elapsed() < self.patience, "{}", read(&self.stderr));
            sleep(Duration::from_millis(2));
        }
    }

    /// Waits for the end and checks that no engine is left.
    pub(crate) fn wait(mut self) -> Done {
        let mut peak = 0;
        let status = loop {
            peak = self.peak_memory().unwrap_or(peak);
            if let Some(status) = self.ended_within(MEMORY_LOOK) {
                break status;
            }
            if self.begin.elapsed() > self.patience {
                let _ = self.child.kill();
                panic!("the arena does not end:\n{}", read(&self.stderr));
            }
        };
        let time = self.begin.elapsed();
        assert!(peak < MEMORY, "the arena has used {peak} bytes");
        self.place.assert_nothing_is_left();
        let (stdout, stderr) = (read(&self.stdout), read(&self.stderr));
        Done { code: status.code(), status, stdout, stderr, time }
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// How the arena has ended.
pub(crate) struct Done {
    pub(crate) code: Option<i32>,
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) time: Duration,
}

impl Done {
    /// The error message, without its frame and line breaks.
    pub(crate) fn complaint(&self) -> String {
        let text = self.stderr.replace(['│', '×', '╰', '─', '▶'], " ");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Checks that the error message contains all of these.
    pub(crate) fn complains(&self, parts: &[&str]) {
        let complaint = self.complaint();
        for part in parts {
            assert!(complaint.contains(part), "{part:?} is no part of {complaint:?}");
        }
    }

    /// The last line of standard output.
    pub(crate) fn last_line(&self) -> &str {
        self.stdout.lines().last().unwrap_or_default()
    }
}
