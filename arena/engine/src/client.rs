//! The client of one engine: the manager's side of the protocol.

mod listener;
mod pondering;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use fanorona_protocol::messages::{
    BestMove, Command, Dialect, Info, Limits, OptionKind, OptionSpec, Query, Reply, Score, Value,
    ValueResponse,
};
use fanorona_protocol::rules::Move;
use tokio::time::Instant;
use tracing::debug;

use self::listener::{Late, Listener, printable};
use self::pondering::Pondering;
use super::charge::Charge;
use super::declarations::{Declarations, UnreadableOption};
use super::failure::{Failure, StartError};
use super::handshake::Handshake;
use super::identity::{Digests, Identity};
use super::launch_options::LaunchOptions;
use super::process::{NoResponse, Process};
use super::program::Program;
use super::stall::Watch;
use super::system::supervisors::Supervisors;
use fanorona_tournament::config::{Cpus, EngineConfig, Number, Parameter, Resolved};
use fanorona_tournament::game::clock::Allowance;
use fanorona_tournament::game::fault::Fault;
use fanorona_tournament::game::reported::EngineOutput;

/// The option that names an engine's opening book.
const BOOK: &str = "Book";

/// Its value for no book.
const NO_BOOK: &str = "none";

/// The option by which engines declare that they can think in their opponents' time.
const PONDER: &str = "Ponder";

/// The option for the rules in force.
const RULES: &str = "Rules";

/// The answer to `isready`.
const READY: &str = "readyok";

/// The configuration that starts an engine, any number of times.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The engine's name in the tournament.
    pub name: String,
    program: Program,
    identity: Identity,
    dialect: Dialect,
    engine_options: Vec<(String, String)>,
    legal_moves: bool,
    /// The number of its threads that may run at the same time.
    parallel: u32,
    options: LaunchOptions,
    supervisors: Arc<Supervisors>,
}

/// The timeouts of an engine apart from its clock.
#[derive(Clone, Copy, Debug)]
struct Timeouts {
    start: Duration,
    stall: Duration,
    quit: Duration,
}

impl Launch {
    /// The launch configuration of an engine. Every start uses a supervisor of its own. The engine's
    /// environment has `PATH`, `LANG`, a private `HOME` and `TMPDIR`, the variables that name the
    /// user's packages, those passed on by the config, and those it sets. The engines of a
    /// tournament share their `digests`.
    pub fn new(
        engine: &EngineConfig,
        resolved: Resolved,
        options: LaunchOptions,
        supervisors: &Arc<Supervisors>,
        digests: &Digests,
    ) -> Launch {
        let start = |it: &Parameter| (it.name.clone(), it.text(it.start));
        let here = std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
        let processors = match &options.cpus {
            Cpus::Any => here,
            Cpus::Only(cpus) => here.min(cpus.len() as u32),
        };
        Launch {
            name: engine.name.clone(),
            identity: Identity::of(&resolved.program, &resolved.files, digests),
            program: Program::new(engine, resolved, &options),
            dialect: engine.dialect,
            engine_options: engine
                .options
                .clone()
                .into_iter()
                .chain(options.parameters.iter().map(start))
                .collect(),
            legal_moves: engine.legal_moves,
            parallel: engine.threads().min(processors),
            options,
            supervisors: supervisors.clone(),
        }
    }
}

impl Launch {
    /// The engine's program.
    pub fn program(&self) -> &Path {
        &self.program.path
    }

    /// The identity of the engine when this was created.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }
}

/// An engine that has completed the handshake.
pub struct Engine {
    process: Process,
    dialect: Dialect,
    legal_moves: bool,
    timeouts: Timeouts,
    /// Whether it thinks in its opponents' time.
    ponders: bool,
    /// Its search in the opponent's time, while there is one.
    pondering: Option<Pondering>,
    identity: String,
    author: String,
    declarations: Declarations,
    remarks: Vec<String>,
    /// Whether it is suspended while its opponents think.
    rests: bool,
    /// The number of its threads that may run at the same time.
    parallel: u32,
    /// The buffer for commands, kept to reuse its memory.
    command: String,
}

/// A response to `go`.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveReply {
    /// The move.
    pub best: BestMove,
    /// The thinking time, from the write of the position to the line, without the time lost to
    /// stalls of the machine.
    pub time: Duration,
    /// The last reported score, from the engine's view.
    pub score: Option<Score>,
    /// The whole line with that score.
    pub info: Option<Box<Info>>,
    /// The reply that the engine expects, if it ponders and names one.
    pub reply: Option<Move>,
}

/// A response to `go` with the lines that the engine reported.
#[derive(Clone, PartialEq, Debug)]
pub struct Search {
    /// The move.
    pub best: BestMove,
    /// The last report of each line, the best line first. Reports without a score are left out.
    pub lines: Vec<Info>,
}

impl Engine {
    /// Starts an engine, completes the handshake and sets its options.
    ///
    /// If the program cannot be run, does not complete the handshake, or does not support the
    /// options of the config.
    pub async fn start(launch: &Launch) -> Result<Engine, StartError> {
        let (options, identity) = (&launch.options, launch.identity.clone());
        // Reading a changed file takes time. No game clock is running yet.
        let verified = tokio::task::spawn_blocking(move || identity.verify());
        verified.await.expect("comparing files does not panic")?;
        let not_run = |why| StartError::NotStarted { program: launch.program.path.clone(), why };
        let process =
            Process::start(&launch.program, launch.options.quit_timeout, &launch.supervisors)
                .map_err(not_run)?;
        debug!(engine = %launch.name, program = %launch.program.path.display(), "engine starts");
        let mut engine = Engine {
            process,
            dialect: launch.dialect,
            legal_moves: launch.legal_moves,
            timeouts: Timeouts {
                start: options.start_timeout,
                stall: options.stall,
                quit: options.quit_timeout,
            },
            identity: String::new(),
            author: String::new(),
            declarations: Declarations::default(),
            remarks: Vec::new(),
            ponders: options.ponder,
            pondering: None,
            rests: false,
            parallel: launch.parallel,
            command: String::new(),
        };
        if let Some(limit) = options.dialogue {
            engine.process.keep_dialogue(limit);
        }
        if let Err(failure) = engine.handshake().await {
            return Err(match engine.process.not_started().await {
                Some(why) => not_run(why),
                None => engine.not_answered(launch.dialect.handshake_ok(), failure),
            });
        }
        engine.rests = options.suspend;
        for (name, value) in engine.settings(launch)? {
            if let Err(failure) = engine.set(&name, &value).await {
                return Err(engine.not_answered(READY, failure));
            }
        }
        let unreadable = engine.declarations.unreadable().iter().map(UnreadableOption::remark);
        let mut remarks: Vec<String> = unreadable.collect();
        match engine.wait_ready(launch.options.start_timeout).await {
            Ok(said) => remarks.extend(said),
            Err(failure) => return Err(engine.not_answered(READY, failure)),
        }
        engine.remarks = remarks;
        Ok(engine)
    }

    /// The options to set before the first game, with their values.
    fn settings(&self, launch: &Launch) -> Result<Vec<(String, String)>, StartError> {
        for parameter in &launch.options.parameters {
            if let Some(spec) = self.option(&parameter.name) {
                check_tuned(spec, parameter)?;
            }
        }
        let mut settings = Vec::new();
        for (name, value) in &launch.engine_options {
            let spec = self.declared(name, || StartError::UnknownOption {
                name: name.clone(),
                declared: self.options().iter().map(|option| option.name.clone()).collect(),
            })?;
            settings.push((spec.name.clone(), spec.check(value)?));
        }
        // A book of the engine's own would undo what the openings are for, unless the config wants it.
        let wanted = launch.engine_options.iter().any(|(name, _)| name.eq_ignore_ascii_case(BOOK));
        if launch.options.sets_openings && !wanted && self.declarations.has_text(BOOK) {
            settings.push((BOOK.to_owned(), NO_BOOK.to_owned()));
        }
        if launch.options.ponder {
            let option = self.declared(PONDER, || StartError::NoPondering)?;
            if !matches!(option.kind, OptionKind::Check { .. }) {
                return Err(StartError::NoPondering);
            }
            settings.push((option.name.clone(), "true".to_owned()));
        }
        let rules = launch.options.rules.to_string();
        let needs_no_rules = launch.legal_moves && self.option(RULES).is_none();
        if !rules.is_empty() && !needs_no_rules {
            self.declared(RULES, || StartError::Rules { rules: rules.clone() })?;
            settings.push((RULES.to_owned(), rules));
        }
        Ok(settings)
    }

    /// A declared option; otherwise the line that declares it and cannot be read, or what is missing.
    fn declared(
        &self,
        name: &str,
        missing: impl FnOnce() -> StartError,
    ) -> Result<&OptionSpec, StartError> {
        self.option(name).ok_or_else(|| match self.declarations.unreadable_option(name) {
            Some(line) => {
                StartError::UnreadableOption { name: name.to_owned(), line: line.clone() }
            }
            None => missing(),
        })
    }

    /// The error of an engine that failed before this line.
    fn not_answered(&mut self, expected: &'static str, failure: Failure) -> StartError {
        self.process.discard();
        StartError::Handshake { expected, failure, printed: self.process.printed() }
    }

    /// The engine's reported name; empty if it reports none.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// The engine's reported author; empty if it reports none.
    pub fn author(&self) -> &str {
        &self.author
    }

    /// The declarations of options that cannot be read, and the `info string` and `info error` lines
    /// from the setting of options to the first `readyok`, such as errors about values. At most 20
    /// of each.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// The last lines of the conversation: sent lines after `> `, received lines after `< `, and
    /// `…` for omitted ones.
    pub fn transcript(&self) -> Vec<String> {
        self.process.transcript()
    }

    /// Takes the engine's reports since the last call, and all lines of the conversation if the
    /// launch configuration keeps them. The first time they begin with the handshake.
    pub fn take_output(&mut self) -> EngineOutput {
        self.process.take_output()
    }

    /// The processor time used by all processes of the engine. It is cheap enough to read around
    /// every move. Processes started in the last second may be missing.
    pub fn cpu_time(&mut self) -> Duration {
        self.process.cpu_time()
    }

    /// Suspends all processes of the engine until the next command, if the config says so for this
    /// engine and its tournament.
    pub fn rest(&mut self) {
        if self.rests {
            self.process.suspend();
        }
    }

    /// Returns when a suspended engine has no process that still runs.
    pub async fn rested(&self) {
        self.process.stopped().await;
    }

    /// The options that the engine declares.
    pub fn options(&self) -> &[OptionSpec] {
        self.declarations.options()
    }

    /// The process, for conversations that this client does not lead.
    pub(super) fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    fn option(&self, name: &str) -> Option<&OptionSpec> {
        self.declarations.option(name)
    }

    async fn handshake(&mut self) -> Result<(), Failure> {
        let (begin, timeout) = (Instant::now(), self.timeouts.start);
        self.send(&Command::Handshake(self.dialect), begin + timeout).await?;
        let (mut identity, mut author) = (String::new(), String::new());
        let mut handshake = Handshake::default();
        let dialect = self.dialect;
        let ok = |line: &str| {
            match handshake.add(line, dialect) {
                Err(excess) => {
                    return Some(Err(Failure::new(Fault::Flood, excess.to_string())));
                }
                Ok(Some(Reply::Name(name))) => {
                    identity = name.chars().take(MAX_IDENTITY).collect();
                }
                Ok(Some(Reply::Author(name))) => {
                    author = name.chars().take(MAX_IDENTITY).collect();
                }
                // Both `ugiok` and `uciok` are accepted: either one means that the engine has
                // finished.
                Ok(Some(Reply::HandshakeOk(_))) => return Some(Ok(())),
                Ok(_) => {}
            }
            None
        };
        self.process.listen(begin, timeout, Fault::Start, dialect.handshake_ok(), ok).await?;
        (self.identity, self.author) = (identity, author);
        self.declarations = handshake.declarations;
        Ok(())
    }

    async fn send(&mut self, command: &Command, deadline: Instant) -> Result<(), Failure> {
        let mut line = command.in_dialect(self.dialect);
        line.push('\n');
        self.process.write(line.as_bytes(), deadline).await
    }

    async fn set(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        let value = (!value.is_empty()).then(|| value.to_owned());
        let deadline = Instant::now() + self.timeouts.stall;
        self.send(&Command::SetOption { name: name.to_owned(), value }, deadline).await
    }

    /// Waits until the engine is ready and collects its `info string` and `info error` lines.
    async fn wait_ready(&mut self, max_wait: Duration) -> Result<Vec<String>, Failure> {
        let begin = Instant::now();
        self.send(&Command::IsReady, begin + max_wait).await?;
        let mut remarks = Vec::new();
        let on_line = |line: &str| {
            match line.parse() {
                Ok(Reply::ReadyOk) => return Some(Ok(())),
                Ok(Reply::Info(info)) if remarks.len() < MAX_REMARKS => {
                    let error = info.error.map(|text| format!("error: {text}"));
                    remarks.extend(info.string.or(error).map(|text| printable(&text, MAX_REMARK)));
                }
                _ => {}
            }
            None
        };
        self.process.listen(begin, max_wait, Fault::Stall, READY, on_line).await?;
        Ok(remarks)
    }

    /// Prepares the engine for a new game: sets options for it and its seed if it has the option,
    /// sends `uginewgame`, and waits until it is ready. Returns how long that took. The options must
    /// be among the tuned ones, all of whose values were checked when the engine started.
    pub async fn new_game(
        &mut self,
        seed: u64,
        options: &[(String, String)],
    ) -> Result<Duration, Failure> {
        let mut commands = Vec::new();
        for (name, value) in options {
            if let Some(option) = self.option(name) {
                let (name, value) = (option.name.clone(), Some(value.clone()));
                commands.push(Command::SetOption { name, value });
            }
        }
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
        // Earlier lines are not responses to these commands.
        self.process.discard();
        let (begin, timeout) = (Instant::now(), self.timeouts.stall);
        self.process.write(lines.as_bytes(), begin + timeout).await?;
        let ok = |line: &str| matches!(line.parse(), Ok(Reply::ReadyOk)).then_some(Ok(()));
        self.process.listen(begin, timeout, Fault::Stall, READY, ok).await?;
        Ok(begin.elapsed())
    }

    /// Asks for a move. `position` is a `position` line without a newline. `legal` returns the
    /// legal moves; it is only called if the config says that the engine needs them. Without an
    /// `allowance`, the stall timeout applies. `watch` began just before. Time lost without the
    /// engine's fault, to stalls and waiting for a processor, is added to the allowance and
    /// subtracted from the measured time.
    ///
    /// `position`, `isready` and `go` are one write, and the time begins with it. An engine reads
    /// and responds in order. Lines before `readyok` therefore belong to earlier commands, and
    /// lines after it to this search.
    pub async fn ask(
        &mut self,
        position: &str,
        limits: Limits,
        allowance: Option<Allowance>,
        watch: Option<&Watch<'_>>,
        legal: impl FnOnce() -> Vec<String>,
    ) -> Result<MoveReply, Failure> {
        self.ask_heard(position, limits, allowance, watch, legal, |_| {}).await
    }

    /// Asks for a move and for the lines that the engine reports on the way. The arguments are
    /// those of [`Engine::ask`].
    pub async fn search(
        &mut self,
        position: &str,
        limits: Limits,
        allowance: Option<Allowance>,
        legal: impl FnOnce() -> Vec<String>,
    ) -> Result<Search, Failure> {
        let mut lines = BTreeMap::new();
        let heard = |line: &str| {
            if let Ok(Reply::Info(info)) = line.parse() {
                lines.insert(info.multipv.unwrap_or(1), *info);
            }
        };
        let reply = self.ask_heard(position, limits, allowance, None, legal, heard).await?;
        Ok(Search { best: reply.best, lines: lines.into_values().collect() })
    }

    /// Asks for a move as [`Engine::ask`] does, and passes on each `info` line with a score.
    pub async fn ask_heard(
        &mut self,
        position: &str,
        mut limits: Limits,
        allowance: Option<Allowance>,
        watch: Option<&Watch<'_>>,
        legal: impl FnOnce() -> Vec<String>,
        heard: impl FnMut(&str),
    ) -> Result<MoveReply, Failure> {
        // Moves that the caller has chosen take precedence over the list of all.
        if self.legal_moves && limits.search_moves.is_empty() {
            limits.search_moves = legal();
        }
        let mut lines = std::mem::take(&mut self.command);
        lines.clear();
        let mut listener = Listener::default();
        match self.pondering.take() {
            Some(pondering) => {
                let (stop, earlier) = pondering.stop(self.dialect)?;
                lines.push_str(&stop);
                listener = Listener::after(earlier);
            }
            // A superfluous `readyok` must not be taken for the one of this command.
            None => self.process.discard(),
        }
        lines.push_str(position);
        lines.push('\n');
        lines.push_str(&Command::IsReady.in_dialect(self.dialect));
        lines.push('\n');
        lines.push_str(&Command::Go(limits).in_dialect(self.dialect));
        lines.push('\n');
        let answer = self.answer(lines.as_bytes(), listener, allowance, watch, heard).await;
        self.command = lines;
        answer
    }

    /// Whether it thinks in its opponents' time.
    pub fn ponders(&self) -> bool {
        self.ponders
    }

    /// Begins a search in the opponent's time, in the position after the reply that the engine
    /// expects. `position` is its `position` line without a newline. `legal` gives the legal moves
    /// there, for an engine that needs them. [`Engine::go_on`] writes the commands.
    pub fn ponder(
        &mut self,
        reply: Move,
        position: &str,
        mut limits: Limits,
        legal: impl FnOnce() -> Vec<String>,
    ) {
        limits.ponder = true;
        if self.legal_moves {
            limits.search_moves = legal();
        }
        let commands = [Command::IsReady, Command::Go(limits)];
        let [ready, go] = commands.map(|command| command.in_dialect(self.dialect));
        let lines = format!("{position}\n{ready}\n{go}\n");
        self.pondering = Some(Pondering::new(reply, lines, &mut self.process));
    }

    /// Lets an engine that ponders go on, for ever: drop this when the opponent has moved. A failure
    /// counts when the engine is asked for its next move.
    pub async fn go_on(&mut self) {
        if let Some(pondering) = &mut self.pondering {
            pondering.go_on(&mut self.process).await;
        }
        std::future::pending().await
    }

    /// Whether it ponders in the position after this move.
    pub fn expects(&self, mv: Option<&Move>) -> bool {
        self.pondering.as_ref().zip(mv).is_some_and(|(pondering, mv)| pondering.expects(mv))
    }

    /// Asks for the move of a search that has begun in the opponent's time: the opponent has made the
    /// expected move, and the clock runs from here. The arguments are those of
    /// [`Engine::ask_heard`].
    ///
    /// # Panics
    /// Panics if the engine does not ponder.
    pub async fn ponder_hit(
        &mut self,
        allowance: Option<Allowance>,
        watch: Option<&Watch<'_>>,
        heard: impl FnMut(&str),
    ) -> Result<MoveReply, Failure> {
        let pondering = self.pondering.take().expect("the caller knows that it ponders");
        let (lines, listener) = pondering.hit()?;
        self.answer(&lines, listener, allowance, watch, heard).await
    }

    /// Ends a search in the opponent's time without another move, at the end of a game.
    pub async fn stop_pondering(&mut self) {
        let Some(pondering) = self.pondering.take() else { return };
        let Ok((stop, earlier)) = pondering.stop(self.dialect) else { return };
        let lines = format!("{stop}{}\n", Command::IsReady.in_dialect(self.dialect));
        let (deadline, mut ready) = (Instant::now() + self.timeouts.stall, earlier + 1);
        self.process.begin(lines.as_bytes());
        let on_line = |line: &str| {
            ready -= u32::from(matches!(line.parse(), Ok(Reply::ReadyOk)));
            (ready == 0).then_some(Ok(()))
        };
        // An engine that fails here fails again at the beginning of its next game.
        let _ = self.process.converse(&mut lines.as_bytes(), deadline, on_line).await;
    }

    /// Writes commands for a move and waits for its answer. The time begins with the write.
    async fn answer(
        &mut self,
        lines: &[u8],
        mut listener: Listener,
        allowance: Option<Allowance>,
        watch: Option<&Watch<'_>>,
        mut heard: impl FnMut(&str),
    ) -> Result<MoveReply, Failure> {
        let (timed, stall) = (allowance.is_some(), self.timeouts.stall);
        let mut charge = Charge::begin(&mut self.process, watch, timed, self.parallel, stall);
        let begin = charge.began();
        let deadline = begin + allowance.map_or(stall, Allowance::total);
        self.process.begin(lines);
        let mut unsent = lines;
        // An engine that ponders names the reply that it expects as in UCI.
        let dialect = if self.ponders { Dialect::Uci } else { self.dialect };
        let mut until = deadline;
        let best = loop {
            let on_line = |line: &str| listener.answer(line, dialect, &mut heard);
            match self.process.converse(&mut unsent, until, on_line).await {
                Ok(best) => break Ok(Some(best)),
                Err(NoResponse::Broken(failure)) => break Err(failure),
                Err(NoResponse::Late) => match charge.extension(&mut self.process, deadline) {
                    Some(later) => until = later,
                    None => break Ok(None),
                },
            }
        };
        let elapsed = begin.elapsed();
        let uncharged = charge.uncharged(&mut self.process);
        self.process.end_move();
        let time = elapsed.saturating_sub(uncharged);
        let Some(best) = best?.filter(|_| !charge.is_late(time, allowance)) else {
            let late = Late { elapsed, uncharged, allowance };
            let (fault, detail) = listener.missing_response(&late, !unsent.is_empty());
            return Err(self.process.failure(fault, detail));
        };
        let (info, reply) = (listener.info(), listener.reply());
        let score = info.as_ref().and_then(|info| info.score);
        Ok(MoveReply { best, time, score, info, reply })
    }

    /// Sets an option after the start; `false` if the engine does not declare it or the value is
    /// not one of its values.
    pub async fn set_option(&mut self, name: &str, value: &str) -> Result<bool, Failure> {
        let checked = self.option(name).map(|spec| (spec.name.clone(), spec.check(value)));
        let Some((name, Ok(value))) = checked else { return Ok(false) };
        self.set(&name, &value).await?;
        Ok(true)
    }

    /// Whether the engine declares an option.
    pub fn has_option(&self, name: &str) -> bool {
        self.option(name).is_some()
    }

    /// Asks for the exact value of a position for the side to move. `None` if the engine does not
    /// know it. `position` is a `position` line without a newline.
    pub async fn value(&mut self, position: &str) -> Result<Option<Value>, Failure> {
        self.process.discard();
        let query = Command::Query(Query::Value).in_dialect(self.dialect);
        let (begin, timeout) = (Instant::now(), self.timeouts.stall);
        let request = format!("{position}\n{query}\n");
        self.process.write(request.as_bytes(), begin + timeout).await?;
        let on_line = |line: &str| match line.parse() {
            // An invalid value is treated as unknown.
            Ok(Reply::Response(text)) => Some(Ok(text.parse().unwrap_or(ValueResponse(None)))),
            _ => None,
        };
        let ValueResponse(value) =
            self.process.listen(begin, timeout, Fault::Stall, "response", on_line).await?;
        Ok(value)
    }

    /// Sends `quit`, and kills the engine if it does not exit in time.
    pub async fn quit(mut self) {
        let deadline = Instant::now() + self.timeouts.quit;
        // An engine that does not read its input is killed below.
        let _ = self.send(&Command::Quit, deadline).await;
        self.process.end(deadline.saturating_duration_since(Instant::now())).await;
    }

    /// Kills the engine and all its processes at once.
    pub async fn kill(self) {
        self.process.end(Duration::ZERO).await;
    }
}

/// Checks that an option takes every value that a tuning can choose.
fn check_tuned(spec: &OptionSpec, parameter: &Parameter) -> Result<(), StartError> {
    let Parameter { number, min, max, .. } = *parameter;
    match (number, &spec.kind) {
        (Number::Float, OptionKind::String { .. }) => {}
        (Number::Float, _) => {
            return Err(StartError::TunedFloat { option: Box::new(spec.clone()) });
        }
        (Number::Int, OptionKind::Combo { .. }) => {
            for value in min as i64..=max as i64 {
                spec.check(&value.to_string())?;
            }
        }
        (Number::Int, _) => {
            for value in [min, max] {
                spec.check(&parameter.text(value))?;
            }
        }
    }
    Ok(())
}

/// The maximum length of a stored name or author, in characters.
const MAX_IDENTITY: usize = 200;

/// The maximum number of stored remarks.
const MAX_REMARKS: usize = 20;

/// The maximum length of a stored remark, in characters. Some remarks contain a path.
const MAX_REMARK: usize = 500;
