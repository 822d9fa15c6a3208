//! The tested engine. It starts processes for the checks, and stores what the engine reported in
//! its handshake and which optional features it has.

use fanorona_protocol::messages::{BestMove, Dialect, OptionSpec};

use super::conversation::Conversation;
use super::mistake::{self, Evidence, Mistake};
use super::move_tally::SharedTally;
use super::settings::Settings;
use super::verdict::{Cause, CheckFailure, FailureDetails, NoReply, Outcome, Verdict};
use fanorona_engine::raw_process::LaunchConfig;
use fanorona_engine::{Declarations, Handshake};
use fanorona_tournament::mutex::lock;
use fanorona_tournament::text::exception::last_exception;

/// The number of time-outs in a row after which no further check is run.
const MAX_TIME_OUTS: u32 = 3;

/// The reports of an engine in its handshake.
#[derive(Clone, Default, Debug)]
pub struct Introduction {
    /// The lines up to and including the end of the handshake.
    pub lines: Vec<String>,
    /// The options it declared.
    pub declarations: Declarations,
}

impl Introduction {
    /// The declared option with this name, if there is one.
    pub fn option(&self, name: &str) -> Option<&OptionSpec> {
        self.declarations.option(name)
    }
}

/// The part of a check's texts that is about a failure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page {
    /// The section of the protocol page with the requirement.
    pub(super) section: &'static str,
    /// Advice for an engine, if its failure itself gives no better hint.
    pub(super) fix_hint: &'static str,
}

/// The tested engine.
pub struct Subject {
    launch: LaunchConfig,
    /// Its command line as given.
    pub command: String,
    /// The settings of the run.
    pub settings: Settings,
    /// Its reports in its last handshake.
    pub introduction: Introduction,
    /// The reason why no other check can succeed, if there is one.
    pub unfit: Option<&'static str>,
    /// The number of checks in a row that ended by a time-out.
    time_outs: u32,
    conversation: Option<Conversation>,
    /// Its reports in its moves so far.
    moves: SharedTally,
    /// Whether it answers queries and perft; `None` until it is tested.
    queries: Option<bool>,
    perft: Option<bool>,
    /// Whether it finds moves without `searchmoves`; `None` until it is tested.
    rules: Option<bool>,
}

impl Subject {
    /// Creates a subject without starting its engine.
    pub fn new(launch: LaunchConfig, command: impl Into<String>, settings: Settings) -> Subject {
        Subject {
            launch,
            command: command.into(),
            settings,
            introduction: Introduction::default(),
            unfit: None,
            time_outs: 0,
            conversation: None,
            moves: SharedTally::default(),
            queries: None,
            perft: None,
            rules: None,
        }
    }

    /// Starts a new process and sends nothing.
    pub(super) async fn fresh(&mut self) -> Result<&mut Conversation, CheckFailure> {
        self.retire().await;
        let started = Conversation::start(&self.launch, self.settings, self.moves.clone())?;
        Ok(self.conversation.insert(started))
    }

    /// A process that has completed the handshake: that of the previous check, or a new one.
    pub(super) async fn engine(&mut self) -> Result<&mut Conversation, CheckFailure> {
        if self.conversation.is_none() {
            self.handshake("ugi").await?;
        }
        Ok(self.conversation.as_mut().expect("the handshake has been completed"))
    }

    /// A process that is ready for a new game.
    pub(super) async fn game(&mut self) -> Result<&mut Conversation, CheckFailure> {
        let engine = self.engine().await?;
        engine.send("uginewgame").await?;
        engine.ready().await?;
        Ok(engine)
    }

    /// Starts a new process and completes the handshake with the given word. If the engine has
    /// never completed one, it is unfit for all other checks.
    pub(super) async fn handshake(&mut self, word: &str) -> Result<(), CheckFailure> {
        match self.try_handshake(word).await {
            Ok(introduction) => {
                self.introduction = introduction;
                Ok(())
            }
            Err(failure) => {
                if self.introduction.lines.is_empty() {
                    self.unfit = Some("handshake failed");
                }
                Err(failure)
            }
        }
    }

    async fn try_handshake(&mut self, word: &str) -> Result<Introduction, CheckFailure> {
        let timeout = self.settings.start_timeout;
        let engine = self.fresh().await?;
        engine.send(word).await?;
        let dialect = if word == "uci" { Dialect::Uci } else { Dialect::Ugi };
        let (mut lines, mut handshake) = (Vec::new(), Handshake::default());
        let accept = |line: &str| match handshake.add(line, dialect) {
            Err(excess) => Some(Err(excess)),
            Ok(_) => {
                lines.push(line.to_owned());
                ["ugiok", "uciok"].contains(&line).then_some(Ok(()))
            }
        };
        match engine.until(timeout, dialect.handshake_ok(), accept).await? {
            Ok(()) => Ok(Introduction { lines, declarations: handshake.declarations }),
            Err(excess) => Err(CheckFailure::with_hint(
                format!("a handshake that tournaments accept, up to `{}`", dialect.handshake_ok()),
                format!("it {excess}"),
                "print less in the handshake: no tournament starts this engine",
            )),
        }
    }

    /// A failure if the engine has reported an error in any of its moves so far.
    pub(super) fn reported_errors(&self) -> Outcome {
        lock(&self.moves).outcome()
    }

    /// Ends the process, so that the next check starts a new one.
    pub(super) async fn retire(&mut self) {
        if let Some(engine) = self.conversation.take() {
            engine.end().await;
        }
    }

    /// Counts time-outs in a row. An engine with [`MAX_TIME_OUTS`] of them is unfit for all other
    /// checks, which would each wait as long.
    pub(super) fn count(&mut self, outcome: &Outcome) {
        match outcome {
            Err(CheckFailure::NoReply(NoReply {
                cause: Cause::Silent(_) | Cause::NotReading,
                ..
            })) => self.time_outs += 1,
            Err(CheckFailure::Skipped(_)) => {}
            _ => self.time_outs = 0,
        }
        if self.time_outs == MAX_TIME_OUTS {
            self.unfit.get_or_insert("three time-outs in a row");
        }
    }

    /// Starts a check: earlier lines are forgotten.
    pub(super) fn begin(&mut self) {
        if let Some(engine) = &mut self.conversation {
            engine.begin();
        }
    }

    /// Skips the check unless the engine answers queries.
    ///
    /// If it does not, the check is skipped; queries are optional.
    pub(super) async fn require_queries(&mut self) -> Result<(), CheckFailure> {
        if self.queries.is_none() {
            let engine = self.game().await?;
            engine.send("position startpos").await?;
            engine.send("query moves").await?;
            let lines = engine.ready().await?;
            let answers = lines.iter().any(|line| line.starts_with("response"));
            self.queries = Some(answers);
        }
        match self.queries {
            Some(true) => Ok(()),
            _ => Err(CheckFailure::skipped("it does not answer `query moves`")),
        }
    }

    /// Skips the check unless the engine supports perft.
    ///
    /// If it does not, the check is skipped; perft is optional.
    pub(super) async fn require_perft(&mut self) -> Result<(), CheckFailure> {
        if self.perft.is_none() {
            let timeout = self.settings.timeout;
            let engine = self.game().await?;
            engine.send("position startpos").await?;
            engine.send("go perft 1").await?;
            // An engine without perft may read this as a normal `go`, even without a limit.
            let counted = engine
                .until(timeout, "nodes", |line| match line.split_ascii_whitespace().next() {
                    Some("nodes") => Some(true),
                    Some("bestmove") => Some(false),
                    _ => None,
                })
                .await;
            self.perft = Some(matches!(counted, Ok(true)));
            if self.perft == Some(false) {
                self.retire().await;
            }
        }
        match self.perft {
            Some(true) => Ok(()),
            _ => Err(CheckFailure::skipped("it does not answer `go perft 1`")),
        }
    }

    /// Skips the check unless the engine finds moves without `searchmoves`.
    ///
    /// If it plays `0000` at the start position, the check is skipped: one check fails for it
    /// already.
    pub(super) async fn require_rules(&mut self) -> Result<(), CheckFailure> {
        if self.rules.is_none() {
            let engine = self.game().await?;
            let answer = engine.ask("position startpos", "nodes 1").await?;
            self.rules = Some(answer.best != BestMove::None);
        }
        match self.rules {
            Some(true) => Ok(()),
            _ => Err(CheckFailure::skipped("it does not find a move without `searchmoves`")),
        }
    }

    /// Finds the way to read the engine's legal moves.
    pub(super) async fn capabilities(&mut self) -> Result<Capabilities, CheckFailure> {
        match self.require_queries().await {
            Ok(()) => return Ok(Capabilities::Queries),
            Err(CheckFailure::Skipped(_)) => {}
            Err(failure) => return Err(failure),
        }
        match self.require_perft().await {
            Ok(()) => Ok(Capabilities::Perft),
            Err(CheckFailure::Skipped(_)) => Ok(Capabilities::Neither),
            Err(failure) => Err(failure),
        }
    }

    /// Skips the check unless the engine has declared an option.
    ///
    /// If it has not, the check is skipped; options are optional.
    pub(super) async fn require_option(&mut self, name: &str) -> Result<OptionSpec, CheckFailure> {
        self.engine().await?;
        let Introduction { declarations, .. } = &self.introduction;
        match (declarations.option(name), declarations.unreadable_option(name)) {
            (Some(option), _) => Ok(option.clone()),
            (None, Some(line)) => Err(CheckFailure::skipped(line.to_string())),
            (None, None) => {
                Err(CheckFailure::skipped(format!("it does not declare the option {name}")))
            }
        }
    }

    /// Sets the rules of the engine.
    pub(super) async fn set_rules(&mut self, rules: &str) -> Result<(), CheckFailure> {
        self.require_option("Rules").await?;
        let engine = self.game().await?;
        engine.send(format!("setoption name Rules value {rules}").trim_end()).await?;
        engine.ready().await?;
        Ok(())
    }

    /// The verdict of a failed check. If a response is missing, the cause is investigated and the
    /// process ended.
    pub(super) async fn verdict(&mut self, failure: CheckFailure, page: Page) -> Verdict {
        let fix_hint = page.fix_hint;
        let sent = self.conversation.as_ref().map_or(&[][..], Conversation::sent);
        let sent = sent.iter().map(|line| clipped(line)).collect();
        let finding = match failure {
            CheckFailure::Skipped(why) => return Verdict::Skipped { why },
            CheckFailure::Wrong { expected, got, fix_hint: known } => {
                self.retire().await;
                FailureDetails {
                    sent,
                    expected,
                    got: vec![got],
                    fix: vec![known.unwrap_or_else(|| fix_hint.to_owned())],
                    stderr: String::new(),
                }
            }
            CheckFailure::Reported { got, first, lines } => {
                self.retire().await;
                let stderr = lines.join("\n");
                let first = last_exception(&stderr).map_or(first, |it| it.to_string());
                FailureDetails {
                    sent,
                    expected: "moves without `info error`".to_owned(),
                    got,
                    fix: vec![format!("correct {first}; {fix_hint}")],
                    stderr,
                }
            }
            CheckFailure::NoReply(no_reply) => self.no_reply(sent, &no_reply, page).await,
        };
        Verdict::Failed { finding }
    }

    async fn no_reply(
        &mut self,
        sent: Vec<String>,
        no_reply: &NoReply,
        page: Page,
    ) -> FailureDetails {
        let fix_hint = page.fix_hint;
        let began = |_: &Conversation| !matches!(no_reply.cause, Cause::NotStarted(_));
        let Some(engine) = self.conversation.take().filter(began) else {
            let why = match &no_reply.cause {
                Cause::NotStarted(why) => why.clone(),
                other => cause_text(other),
            };
            let program = self.launch.program().display();
            let starts = || "correct what keeps the program from starting".to_owned();
            let fix_hint = mistake::start_mistake(&why).map_or_else(starts, Mistake::hint);
            return FailureDetails {
                sent,
                expected: format!("{program} to start"),
                got: vec![why],
                fix: vec![fix_hint],
                stderr: String::new(),
            };
        };
        let evidence = engine.evidence(no_reply, self.command.clone()).await;
        let mut mistakes = mistake::recognise(&evidence);
        if no_reply.expected_word == "ugiok"
            && mistakes.is_empty()
            && self.handshake("uci").await.is_ok()
        {
            mistakes.push(Mistake::UciOnly);
            self.introduction = Introduction::default();
        }
        self.retire().await;
        let mut fix: Vec<String> = match mistakes.is_empty() {
            true => vec![fix_hint.to_owned()],
            false => mistakes.into_iter().map(Mistake::hint).collect(),
        };
        if let Some(exception) = last_exception(&evidence.stderr).filter(|_| evidence.has_crashed())
        {
            fix = vec![format!("it crashed with {exception}: correct that")];
            // There, the line that was sent is the cause.
            if page.section == BAD_INPUT {
                fix.push(fix_hint.to_owned());
            }
        }
        if let Cause::NotReading = no_reply.cause {
            fix.insert(0, "read standard input at all times, also while thinking".to_owned());
        }
        let expected = match no_reply.expected_word {
            "" => "the engine to read its input".to_owned(),
            word => format!("`{word}{}`", if is_whole(word) { "" } else { " …" }),
        };
        FailureDetails {
            sent,
            expected,
            got: got(no_reply, &evidence),
            fix,
            stderr: evidence.stderr,
        }
    }
}

/// The way to read an engine's legal moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Capabilities {
    /// By `query moves`.
    Queries,
    /// By `go perft 1`.
    Perft,
    /// Only from the moves it plays.
    Neither,
}

/// Whether the line with this first word has no other words.
fn is_whole(word: &str) -> bool {
    ["ugiok", "uciok", "readyok"].contains(&word)
}

/// Describes the behaviour of the engine instead of a response.
fn got(no_reply: &NoReply, evidence: &Evidence) -> Vec<String> {
    let mut got = Vec::new();
    let received = &evidence.received;
    if received.len() > MAX_LINES_SHOWN {
        got.push(format!("… {} lines", received.len() - MAX_LINES_SHOWN));
    }
    let shown = received.iter().skip(received.len().saturating_sub(MAX_LINES_SHOWN));
    got.extend(shown.map(|line| format!("`{}`", clipped(line))));
    if !evidence.unfinished.is_empty() {
        got.push(format!("`{}` without a line end", clipped(&evidence.unfinished)));
    }
    got.push(match &evidence.ended {
        Some(Ok(())) => "it exited with code 0".to_owned(),
        Some(Err(how)) => format!("it exited: {how}"),
        None => cause_text(&no_reply.cause),
    });
    got
}

/// The section of the checks that send odd input.
const BAD_INPUT: &str = "Bad input";

/// The maximum number of received lines in a report.
const MAX_LINES_SHOWN: usize = 6;

/// The maximum length of a line in a report, in characters.
const MAX_LINE_LENGTH: usize = 2000;

fn clipped(line: &str) -> String {
    match line.char_indices().nth(MAX_LINE_LENGTH) {
        None => line.to_owned(),
        Some((end, _)) => format!("{} …", &line[..end]),
    }
}

fn cause_text(how: &Cause) -> String {
    match how {
        Cause::Silent(ms) if *ms >= 10_000 => format!("no further output for {} s", ms / 1000),
        Cause::Silent(ms) => format!("no further output for {ms} ms"),
        Cause::Ended => "it closed its output".to_owned(),
        Cause::NotReading => "it does not read its input".to_owned(),
        Cause::TooMuch => "too much output: a line over 1 MiB, or 64 MiB in total".to_owned(),
        Cause::NotStarted(why) => why.clone(),
    }
}
