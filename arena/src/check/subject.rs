//! The engine that is checked: started as often as a check needs it afresh, and what it has said
//! about itself.

use fanorona_protocol::messages::{BestMove, OptionSpec};

use super::mistake::{self, Evidence, Mistake};
use super::settings::Settings;
use super::talk::Conversation;
use super::verdict::{CheckFailure, Finding, How, StartFailure, Verdict};
use crate::engine::raw_process::LaunchConfig;

/// What an engine has said about itself in its handshake.
#[derive(Clone, Default, Debug)]
pub struct Introduction {
    /// Every line up to the end of the handshake, that included.
    pub lines: Vec<String>,
    /// The options among them.
    pub options: Vec<OptionSpec>,
}

impl Introduction {
    /// Whether an option of that name has been declared.
    pub fn option(&self, name: &str) -> Option<&OptionSpec> {
        self.options.iter().find(|option| option.is_named(name))
    }
}

/// The engine that is checked.
pub struct Subject {
    plug: LaunchConfig,
    /// How it is started, as it was written.
    pub command: String,
    /// How everything is to be done.
    pub settings: Settings,
    /// What it said when it was started last.
    pub introduction: Introduction,
    /// Why nothing more can be learned from it.
    pub unfit: Option<&'static str>,
    talk: Option<Conversation>,
    /// Whether it answers queries and perft, once that is known.
    queries: Option<bool>,
    perft: Option<bool>,
    /// Whether it finds moves without being told any, once that is known.
    rules: Option<bool>,
}

impl Subject {
    /// An engine that has not been started yet.
    pub fn new(plug: LaunchConfig, command: impl Into<String>, settings: Settings) -> Subject {
        Subject {
            plug,
            command: command.into(),
            settings,
            introduction: Introduction::default(),
            unfit: None,
            talk: None,
            queries: None,
            perft: None,
            rules: None,
        }
    }

    /// A new process that has not been told anything.
    pub(super) async fn fresh(&mut self) -> Result<&mut Conversation, CheckFailure> {
        self.retire().await;
        Ok(self.talk.insert(Conversation::start(&self.plug, self.settings)?))
    }

    /// A process that has completed the handshake: the one of the check before, or a new one.
    pub(super) async fn talk(&mut self) -> Result<&mut Conversation, CheckFailure> {
        if self.talk.is_none() {
            self.greet("ugi").await?;
        }
        Ok(self.talk.as_mut().expect("the handshake has been completed"))
    }

    /// A process with a new game before it.
    pub(super) async fn game(&mut self) -> Result<&mut Conversation, CheckFailure> {
        let talk = self.talk().await?;
        talk.say("uginewgame").await?;
        talk.ready().await?;
        Ok(talk)
    }

    /// A new process that is greeted by this word and has completed the handshake. One that has
    /// never done so is not fit for any other check.
    pub(super) async fn greet(&mut self, word: &str) -> Result<(), CheckFailure> {
        match self.introduced(word).await {
            Ok(introduction) => {
                self.introduction = introduction;
                Ok(())
            }
            Err(miss) => {
                if self.introduction.lines.is_empty() {
                    self.unfit = Some("it does not complete the handshake");
                }
                Err(miss)
            }
        }
    }

    async fn introduced(&mut self, word: &str) -> Result<Introduction, CheckFailure> {
        let timeout = self.settings.timeout;
        let talk = self.fresh().await?;
        talk.say(word).await?;
        let mut lines = Vec::new();
        let hear = |line: &str| {
            lines.push(line.to_owned());
            ["ugiok", "uciok"].contains(&line).then_some(())
        };
        let awaited = if word == "uci" { "uciok" } else { "ugiok" };
        talk.until(timeout, awaited, hear).await?;
        let options = lines.iter().filter_map(|line| line.parse().ok()).collect();
        Ok(Introduction { lines, options })
    }

    /// Ends the process, so that the next check has a new one.
    pub(super) async fn retire(&mut self) {
        if let Some(talk) = self.talk.take() {
            talk.end().await;
        }
    }

    /// A check begins: what was said before is none of its business.
    pub(super) fn begin(&mut self) {
        if let Some(talk) = &mut self.talk {
            talk.begin();
        }
    }

    /// Makes sure that the engine answers queries.
    ///
    /// # Errors
    /// When it does not, which is no fault.
    pub(super) async fn needs_queries(&mut self) -> Result<(), CheckFailure> {
        if self.queries.is_none() {
            let talk = self.game().await?;
            talk.say("position startpos").await?;
            talk.say("query moves").await?;
            let lines = talk.ready().await?;
            let answers = lines.iter().any(|line| line.starts_with("response"));
            self.queries = Some(answers);
        }
        match self.queries {
            Some(true) => Ok(()),
            _ => Err(CheckFailure::skipped("it does not answer `query moves`")),
        }
    }

    /// Makes sure that the engine can be asked for a perft.
    ///
    /// # Errors
    /// When it cannot, which is no fault.
    pub(super) async fn needs_perft(&mut self) -> Result<(), CheckFailure> {
        if self.perft.is_none() {
            let timeout = self.settings.timeout;
            let talk = self.game().await?;
            talk.say("position startpos").await?;
            talk.say("go perft 1").await?;
            // To an engine that does not know the word it may be any `go`, even an endless one.
            let counted = talk
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

    /// Makes sure that the engine finds moves without being told any.
    ///
    /// # Errors
    /// When it plays `0000` at the usual start: one check says so, the others need not.
    pub(super) async fn needs_rules(&mut self) -> Result<(), CheckFailure> {
        if self.rules.is_none() {
            let talk = self.game().await?;
            let answer = talk.ask("position startpos", "nodes 1").await?;
            self.rules = Some(answer.best != BestMove::None);
        }
        match self.rules {
            Some(true) => Ok(()),
            _ => Err(CheckFailure::skipped("it finds no move without being told the legal ones")),
        }
    }

    /// Whether the engine answers one of the two, which is how it is compared best.
    pub(super) async fn knows(&mut self) -> Result<Capabilities, CheckFailure> {
        match self.needs_queries().await {
            Ok(()) => return Ok(Capabilities::Queries),
            Err(CheckFailure::Skipped(_)) => {}
            Err(miss) => return Err(miss),
        }
        match self.needs_perft().await {
            Ok(()) => Ok(Capabilities::Perft),
            Err(CheckFailure::Skipped(_)) => Ok(Capabilities::Neither),
            Err(miss) => Err(miss),
        }
    }

    /// Makes sure that the engine has declared an option.
    ///
    /// # Errors
    /// When it has not, which is no fault.
    pub(super) async fn needs_option(&mut self, name: &str) -> Result<OptionSpec, CheckFailure> {
        self.talk().await?;
        let declared = self.introduction.option(name).cloned();
        declared.ok_or_else(|| CheckFailure::skipped(format!("it declares no option {name}")))
    }

    /// Makes sure that the engine plays by these rules.
    pub(super) async fn by_rules(&mut self, rules: &str) -> Result<(), CheckFailure> {
        self.needs_option("Rules").await?;
        let talk = self.game().await?;
        talk.say(format!("setoption name Rules value {rules}").trim_end()).await?;
        talk.ready().await?;
        Ok(())
    }

    /// What a miss comes to. A process that has failed is asked for its last words and ended.
    pub(super) async fn verdict(&mut self, miss: CheckFailure, mend: &str) -> Verdict {
        let sent = self.talk.as_ref().map_or(&[][..], Conversation::sent);
        let sent = sent.iter().map(|line| clipped(line)).collect();
        let finding = match miss {
            CheckFailure::Skipped(why) => return Verdict::Skipped { why },
            CheckFailure::Wrong { expected, got, mend: known } => {
                self.retire().await;
                Finding {
                    sent,
                    expected,
                    got: vec![got],
                    mend: vec![known.unwrap_or_else(|| mend.to_owned())],
                    stderr: String::new(),
                }
            }
            CheckFailure::StartFailure(trouble) => self.trouble(sent, &trouble, mend).await,
        };
        Verdict::Failed { finding }
    }

    async fn trouble(&mut self, sent: Vec<String>, trouble: &StartFailure, mend: &str) -> Finding {
        let began = |_: &Conversation| !matches!(trouble.how, How::NotStarted(_));
        let Some(talk) = self.talk.take().filter(began) else {
            let why = match &trouble.how {
                How::NotStarted(why) => why.clone(),
                other => in_words(other),
            };
            let program = self.plug.program().display();
            let mend = mistake::of_start(&why).map_or_else(|| mend.to_owned(), Mistake::in_words);
            return Finding {
                sent,
                expected: format!("{program} starts"),
                got: vec![why],
                mend: vec![mend],
                stderr: String::new(),
            };
        };
        let evidence = talk.evidence(trouble, self.command.clone()).await;
        let mut mistakes = mistake::recognise(&evidence);
        if trouble.awaited == "ugiok" && mistakes.is_empty() && self.greet("uci").await.is_ok() {
            mistakes.push(Mistake::UciOnly);
            self.introduction = Introduction::default();
        }
        self.retire().await;
        let mut mend: Vec<String> = match mistakes.is_empty() {
            true => vec![mend.to_owned()],
            false => mistakes.into_iter().map(Mistake::in_words).collect(),
        };
        if let How::Deaf = trouble.how {
            mend.insert(0, "read standard input all the time, also while thinking".to_owned());
        }
        let expected = match trouble.awaited {
            "" => "the engine reads on".to_owned(),
            word => format!("`{word}{}`", if is_whole(word) { "" } else { " …" }),
        };
        Finding { sent, expected, got: got(trouble, &evidence), mend, stderr: evidence.stderr }
    }
}

/// How an engine can be asked for its legal moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Capabilities {
    /// By `query moves`.
    Queries,
    /// By `go perft 1`.
    Perft,
    /// Only by having it play.
    Neither,
}

/// Whether a line consists of this word alone.
fn is_whole(word: &str) -> bool {
    ["ugiok", "uciok", "readyok"].contains(&word)
}

/// What came instead of what was awaited.
fn got(trouble: &StartFailure, evidence: &Evidence) -> Vec<String> {
    let mut got = Vec::new();
    let heard = &evidence.heard;
    if heard.len() > MOST_SHOWN {
        got.push(format!("… {} lines", heard.len() - MOST_SHOWN));
    }
    let shown = heard.iter().skip(heard.len().saturating_sub(MOST_SHOWN));
    got.extend(shown.map(|line| format!("`{}`", clipped(line))));
    if !evidence.unfinished.is_empty() {
        got.push(format!("`{}` without the end of the line", clipped(&evidence.unfinished)));
    }
    got.push(match &evidence.ended {
        Some(Ok(())) => "it has exited with code 0".to_owned(),
        Some(Err(how)) => format!("it has ended: {how}"),
        None => in_words(&trouble.how),
    });
    got
}

/// The most lines of an answer that are told.
const MOST_SHOWN: usize = 6;

/// The most characters of a line that are told.
const MOST_OF_LINE: usize = 2000;

fn clipped(line: &str) -> String {
    match line.char_indices().nth(MOST_OF_LINE) {
        None => line.to_owned(),
        Some((end, _)) => format!("{} …", &line[..end]),
    }
}

fn in_words(how: &How) -> String {
    match how {
        How::Silent(ms) if *ms >= 10_000 => format!("nothing more in {} s", ms / 1000),
        How::Silent(ms) => format!("nothing more in {ms} ms"),
        How::Ended => "it has closed its output".to_owned(),
        How::Deaf => "it does not read its input".to_owned(),
        How::Flood => "more than is ever read: a line over 1 MiB, or 64 MiB in all".to_owned(),
        How::NotStarted(why) => why.clone(),
    }
}
