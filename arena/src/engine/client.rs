//! The manager's side of the protocol towards one engine.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use fanorona_protocol::messages::{
    BestMove, Command, Dialect, Limits, OptionKind, OptionSpec, Query, Reply, ReplyError, Score,
    Value,
};
use fanorona_protocol::rules::Ruleset;
use tokio::time::Instant;

use super::failure::{Failure, MAX_OPTIONS, StartError, shown};
use super::fault::Fault;
use super::identity::{Digests, Identity};
use super::process::{Process, Program, Silence};
use super::stall::Watch;
use super::supervisors::Guards;
use crate::config::{EngineConfig, Resolved, Tournament};
use crate::text::safe_text;

/// Everything it takes to start an engine, as often as need be.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The engine's name in the tournament.
    pub name: String,
    program: Program,
    identity: Identity,
    dialect: Dialect,
    options: Vec<(String, String)>,
    legal_moves: bool,
    rules: Ruleset,
    patience: Patience,
    guards: Arc<Guards>,
}

/// How long an engine is waited for where no clock says so.
#[derive(Clone, Copy, Debug)]
struct Patience {
    start: Duration,
    stall: Duration,
    quit: Duration,
}

impl Launch {
    /// How an engine of a tournament is started, each time under a guard of its own. Its
    /// environment is `PATH`, `LANG`, a `HOME` and a `TMPDIR` of its own, what the config passes on,
    /// and what it sets; `variable` looks one up in the arena's own environment. Engines of one
    /// tournament share their `digests`.
    pub fn new(
        tournament: &Tournament,
        engine: &EngineConfig,
        resolved: Resolved,
        guards: &Arc<Guards>,
        digests: &Digests,
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> Launch {
        Launch {
            name: engine.name.clone(),
            identity: Identity::of(&resolved.program, &resolved.files, digests),
            program: Program::new(tournament, engine, resolved, variable),
            dialect: engine.dialect,
            options: engine.options.clone(),
            legal_moves: engine.legal_moves,
            rules: tournament.rules,
            patience: Patience {
                start: tournament.start_timeout,
                stall: tournament.stall,
                quit: tournament.quit_timeout,
            },
            guards: guards.clone(),
        }
    }
}

impl Launch {
    /// The program that is run.
    pub fn program(&self) -> &Path {
        &self.program.path
    }

    /// What the engine was when this was made.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }
}

/// An engine that has introduced itself.
pub struct Engine {
    process: Process,
    dialect: Dialect,
    legal_moves: bool,
    patience: Patience,
    identity: String,
    author: String,
    options: Vec<OptionSpec>,
    remarks: Vec<String>,
    /// The command being put together, kept for its memory.
    command: String,
}

/// An engine's answer to `go`.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// What it plays.
    pub best: BestMove,
    /// How long it took, from the write of the position to the line, less what the arena's
    /// machine lost meanwhile.
    pub time: Duration,
    /// The last score it reported, from its own view.
    pub score: Option<Score>,
}

impl Engine {
    /// Starts an engine, shakes hands with it and sets its options.
    ///
    /// # Errors
    /// When the program cannot be run, does not complete the handshake, or cannot be told what the
    /// config wants of it.
    pub async fn start(launch: &Launch) -> Result<Engine, StartError> {
        let identity = launch.identity.clone();
        // Reading a file that has changed takes its time, and no clock of a game waits for it.
        let verified = tokio::task::spawn_blocking(move || identity.verify());
        verified.await.expect("comparing files does not panic")?;
        let not_run = |why| StartError::NotStarted { program: launch.program.path.clone(), why };
        let process = Process::start(&launch.program, launch.patience.quit, &launch.guards)
            .map_err(not_run)?;
        let mut engine = Engine {
            process,
            dialect: launch.dialect,
            legal_moves: launch.legal_moves,
            patience: launch.patience,
            identity: String::new(),
            author: String::new(),
            options: Vec::new(),
            remarks: Vec::new(),
            command: String::new(),
        };
        let awaited = launch.dialect.handshake_ok();
        let failed = |failure| StartError::Handshake { awaited, failure };
        if let Err(failure) = engine.shake_hands().await {
            return Err(match engine.process.not_started().await {
                Some(why) => not_run(why),
                None => failed(failure),
            });
        }
        let rules = launch.rules.to_string();
        for (name, value) in &launch.options {
            let spec = engine.option(name).ok_or_else(|| StartError::UnknownOption {
                name: name.clone(),
                declared: engine.options.iter().map(|option| option.name.clone()).collect(),
            })?;
            let (name, value) = (spec.name.clone(), spec.check(value)?);
            engine.set(&name, &value).await.map_err(failed)?;
        }
        if !rules.is_empty() {
            if engine.option("Rules").is_some() {
                engine.set("Rules", &rules).await.map_err(failed)?;
            } else if !launch.legal_moves {
                return Err(StartError::Rules { rules });
            }
        }
        engine.remarks = engine.settled(launch.patience.start).await.map_err(failed)?;
        Ok(engine)
    }

    /// What the engine calls itself; empty when it does not say.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// Who wrote the engine, by its own word; empty when it does not say.
    pub fn author(&self) -> &str {
        &self.author
    }

    /// What the engine said in `info string` lines when its options had been set, up to its first
    /// `readyok`: that it cannot use a value, mostly. The first of them, if there are many.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// The last lines that were said to the engine, each after `> `, and by it, each after `< `; `…`
    /// stands for those between.
    pub fn transcript(&self) -> Vec<String> {
        self.process.transcript()
    }

    /// The processor time all processes of the engine have used so far. Cheap enough to be asked
    /// for around every move; what was started within the last second may be missing from it.
    pub fn cpu_time(&mut self) -> Duration {
        self.process.cpu_time()
    }

    fn option(&self, name: &str) -> Option<&OptionSpec> {
        self.options.iter().find(|option| option.is_named(name))
    }

    async fn shake_hands(&mut self) -> Result<(), Failure> {
        let deadline = Instant::now() + self.patience.start;
        self.say(&Command::Handshake(self.dialect), deadline).await?;
        let (mut identity, mut options) = (String::new(), Vec::new());
        let mut author = String::new();
        let awaited = self.dialect.handshake_ok();
        let (mut said, mut choices) = (0, 0);
        let ok = |line: &str| {
            said += line.len() + 1;
            if said > MAX_HANDSHAKE {
                let detail = format!("said more than {} MiB before {awaited}", MAX_HANDSHAKE >> 20);
                return Some(Err(Failure::new(Fault::Flood, detail)));
            }
            match safe_text::line(line.trim_end()).parse() {
                Ok(Reply::Name(name)) => identity = name.chars().take(MAX_IDENTITY).collect(),
                Ok(Reply::Author(name)) => author = name.chars().take(MAX_IDENTITY).collect(),
                Ok(Reply::Option(option)) if options.len() < MAX_OPTIONS => {
                    if let OptionKind::Combo { choices: more, .. } = &option.kind {
                        choices += more.len();
                    }
                    if choices > MAX_CHOICES {
                        let detail =
                            format!("declares more than {MAX_CHOICES} `var` values of options");
                        return Some(Err(Failure::new(Fault::Flood, detail)));
                    }
                    options.push(option);
                }
                // Either word will do: what matters is that the engine has finished.
                Ok(Reply::HandshakeOk(_)) => return Some(Ok(())),
                _ => {}
            }
            None
        };
        self.process.listen(deadline, Fault::Start, awaited, ok).await?;
        (self.identity, self.options) = (identity, options);
        self.author = author;
        Ok(())
    }

    async fn say(&mut self, command: &Command, deadline: Instant) -> Result<(), Failure> {
        let mut line = command.in_dialect(self.dialect);
        line.push('\n');
        self.process.write(line.as_bytes(), deadline).await
    }

    async fn set(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        let value = (!value.is_empty()).then(|| value.to_owned());
        let deadline = Instant::now() + self.patience.stall;
        self.say(&Command::SetOption { name: name.to_owned(), value }, deadline).await
    }

    /// Waits until the engine is ready, and keeps what it says for people until then.
    async fn settled(&mut self, patience: Duration) -> Result<Vec<String>, Failure> {
        let deadline = Instant::now() + patience;
        self.say(&Command::IsReady, deadline).await?;
        let mut remarks = Vec::new();
        let hear = |line: &str| {
            match line.parse() {
                Ok(Reply::ReadyOk) => return Some(Ok(())),
                Ok(Reply::Info(info)) if remarks.len() < MAX_REMARKS => {
                    remarks.extend(info.string.map(|text| printable(&text, MAX_REMARK)));
                }
                _ => {}
            }
            None
        };
        self.process.listen(deadline, Fault::Stall, "readyok", hear).await?;
        Ok(remarks)
    }

    /// Prepares the engine for a new game: tells it its seed if it has such an option, has it
    /// forget the game before, and waits until it is ready. Gives how long that took.
    pub async fn new_game(&mut self, seed: u64) -> Result<Duration, Failure> {
        let mut commands = Vec::new();
        if let Some(option) = self.option("Seed") {
            let (name, value) = (option.name.clone(), Some(seed.to_string()));
            commands.push(Command::SetOption { name, value });
        }
        commands.extend([Command::NewGame, Command::IsReady]);
        let mut lines = String::new();
        for command in commands {
            lines += &command.in_dialect(self.dialect);
            lines.push('\n');
        }
        // Whatever was said before does not answer this.
        self.process.discard();
        let begin = Instant::now();
        let deadline = begin + self.patience.stall;
        self.process.write(lines.as_bytes(), deadline).await?;
        let ok = |line: &str| matches!(line.parse(), Ok(Reply::ReadyOk)).then_some(Ok(()));
        self.process.listen(deadline, Fault::Stall, "readyok", ok).await?;
        Ok(begin.elapsed())
    }

    /// Asks for a move. `position` is a whole `position` line without its end; `legal` gives the
    /// legal moves and is asked for them only if the engine wants to be told. Without an
    /// `allowance` the engine's patience for stalls counts. A `watch` was begun just before; the time
    /// it finds lost through no fault of the engine's is granted on top of the allowance, and is no
    /// part of the answer's time.
    ///
    /// Position, `isready` and `go` are one write, and the time begins with it. An engine reads and
    /// answers in order, so whatever comes before that `readyok` answers nothing, and what comes
    /// after it is about this search.
    pub async fn ask(
        &mut self,
        position: &str,
        mut limits: Limits,
        allowance: Option<Duration>,
        watch: Option<&Watch<'_>>,
        legal: impl FnOnce() -> Vec<String>,
    ) -> Result<Answer, Failure> {
        if self.legal_moves {
            limits.search_moves = legal();
        }
        let mut lines = std::mem::take(&mut self.command);
        lines.clear();
        lines.push_str(position);
        lines.push('\n');
        lines.push_str(&Command::IsReady.in_dialect(self.dialect));
        lines.push('\n');
        lines.push_str(&Command::Go(limits).in_dialect(self.dialect));
        lines.push('\n');
        // A `readyok` too many must not stand for the one that is asked for now.
        self.process.discard();
        let begin = Instant::now();
        let deadline = begin + allowance.unwrap_or(self.patience.stall);
        self.process.begin(lines.as_bytes());
        let mut unsent = lines.as_bytes();
        let mut listener = Listener::default();
        let forgiven = |process: &mut Process| {
            watch.map_or(Duration::ZERO, |watch| watch.forgiven(|| process.cpu_time()))
        };
        let mut granted = Duration::ZERO;
        let best = loop {
            let hear = |line: &str| listener.hear(line);
            match self.process.converse(&mut unsent, deadline + granted, hear).await {
                Ok(best) => break best,
                Err(Silence::Broken(failure)) => return Err(failure),
                Err(Silence::Late) => {
                    let more = forgiven(&mut self.process);
                    if more <= granted {
                        let late = if allowance.is_some() { Fault::Time } else { Fault::Stall };
                        let (fault, detail) =
                            listener.silence(late, !unsent.is_empty(), begin.elapsed());
                        return Err(self.process.failure(fault, detail));
                    }
                    granted = more;
                }
            }
        };
        let elapsed = begin.elapsed();
        self.command = lines;
        let time = elapsed.saturating_sub(forgiven(&mut self.process));
        Ok(Answer { best, time, score: listener.score() })
    }

    /// Asks for the exact value of a position for the side to move; `None` where the engine does not
    /// know it. `position` is a whole `position` line without its end.
    pub async fn value(&mut self, position: &str) -> Result<Option<Value>, Failure> {
        self.process.discard();
        let query = Command::Query(Query::Value).in_dialect(self.dialect);
        let deadline = Instant::now() + self.patience.stall;
        self.process.write(format!("{position}\n{query}\n").as_bytes(), deadline).await?;
        let hear = |line: &str| match line.parse() {
            // What is no value is as good as not knowing it.
            Ok(Reply::Response(text)) => Some(Ok(text.parse().unwrap_or(Value::Unknown))),
            _ => None,
        };
        let value = self.process.listen(deadline, Fault::Stall, "response", hear).await?;
        Ok((value != Value::Unknown).then_some(value))
    }

    /// Has the engine quit, and kills it if it does not.
    pub async fn quit(mut self) {
        let deadline = Instant::now() + self.patience.quit;
        // One that no longer reads is killed all the same.
        let _ = self.say(&Command::Quit, deadline).await;
        self.process.end(deadline.saturating_duration_since(Instant::now())).await;
    }

    /// Ends the engine at once, with everything it has started.
    pub async fn kill(self) {
        self.process.end(Duration::ZERO).await;
    }
}

/// What an engine says between a position and its answer.
#[derive(Default)]
struct Listener {
    /// Whether it has said that it is ready, and so has the position.
    ready: bool,
    /// The last `bestmove` it said before that, which answers nothing.
    early: Option<String>,
    /// The last line with a score, kept as it came: only that of the answer will be read.
    scored: String,
}

impl Listener {
    fn hear(&mut self, line: &str) -> Option<Result<BestMove, Failure>> {
        match line.split_ascii_whitespace().next() {
            Some("readyok") => {
                self.ready |= matches!(line.parse(), Ok(Reply::ReadyOk));
                None
            }
            Some("bestmove") if !self.ready => {
                self.early = Some(printable(line, MAX_SHOWN));
                None
            }
            _ if !self.ready => None,
            Some("info") if line.contains(" score ") => {
                self.scored.clear();
                self.scored.push_str(line);
                None
            }
            Some("bestmove") => Some(match line.parse::<Reply>() {
                Ok(Reply::BestMove(best)) => Ok(best),
                Ok(_) => {
                    let said = format!("said `{}`", printable(line, MAX_SHOWN));
                    Err(Failure::new(Fault::Protocol, said))
                }
                Err(why) => Err(protocol_failure(&why)),
            }),
            _ => None,
        }
    }

    fn score(&self) -> Option<Score> {
        match self.scored.parse() {
            Ok(Reply::Info(info)) => info.score,
            _ => None,
        }
    }

    /// What an engine is at fault of that has not answered when its time is up, and the detail.
    fn silence(&self, late: Fault, unread: bool, elapsed: Duration) -> (Fault, String) {
        let waited = shown(elapsed);
        match &self.early {
            _ if unread => (late, format!("did not read its input for {waited}")),
            Some(early) if self.ready => {
                let detail = format!(
                    "said `{early}` before the `readyok` of the same commands, so it answers \
                     nothing, and no bestmove followed within {waited}; answer commands in the \
                     order in which they come"
                );
                (Fault::Protocol, detail)
            }
            Some(early) => {
                let detail = format!(
                    "said `{early}` before `readyok`, which never came in {waited}; answer \
                     `isready` with `readyok` before the `go` that follows it"
                );
                (Fault::Protocol, detail)
            }
            None if self.ready => (late, format!("no bestmove within {waited}")),
            None => (late, format!("no readyok within {waited}, so `go` was not answered")),
        }
    }
}

/// The longest identity kept, in characters.
const MAX_IDENTITY: usize = 200;

/// The most values all options of type combo may have together.
const MAX_CHOICES: usize = 10_000;

/// The most bytes an engine may say before the end of its handshake.
const MAX_HANDSHAKE: usize = 4 << 20;

/// The most remarks kept.
const MAX_REMARKS: usize = 20;

/// The most characters of a remark kept: some have a path in them.
const MAX_REMARK: usize = 500;

/// The most characters of an unreadable answer that are shown.
const MAX_SHOWN: usize = 200;

fn protocol_failure(why: &ReplyError) -> Failure {
    Failure::new(Fault::Protocol, printable(&why.to_string(), MAX_SHOWN))
}

/// A text of an engine's as it may be shown, or its beginning.
fn printable(text: &str, most: usize) -> String {
    let begin: String = text.trim_end().chars().take(most).collect();
    safe_text::line(&begin).into_owned()
}
