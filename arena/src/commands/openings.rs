//! `arena openings`: a file of openings that an engine finds even.

use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use fanorona_protocol::rules::{Move, Position, Ruleset};
use indicatif::{ProgressBar, ProgressStyle};
use tokio::task::JoinSet;

use super::arguments::found;
use super::exit::Exit;
use super::prepare::{guards, runtime};
use super::refusal::CliError;
use super::run::load;
use crate::config::{self, EngineConfig, Limit, OpeningSource, Overrides, Tournament};
use crate::engine::{Digests, Engine, Failure, Launch};
use crate::game::clock::Clocks;
use crate::game::play::position_line;
use crate::game::referee::Referee;
use crate::pairing::openings::selection::{EngineEval, OpeningEval};
use crate::pairing::openings::{GameKind, Opening, Openings};
use crate::pairing::schedule::Schedule;
use crate::pairing::seeds;
use crate::ratings::kind::Kind;
use crate::record::atomic_file::AtomicFile;
use crate::terminal::output::{say, tell, warn_of_remarks};
use crate::text::safe_text;

pub(super) const HELP: &str = "\
Examples:
  arena openings mine.toml --engine bot-alphabeta -o even.txt
  arena openings mine.toml --engine bot-alphabeta --plies 8 --bound 100 --count 500 -o even.txt
  arena openings mine.toml --engine bot-alphabeta --exact -o even.txt

Candidates are the openings of the config: its own random ones, the five named ones or the lines of a \
file. The engine looks at each after the moves of the opening, from a new game on; one is kept if the \
score is no farther from even than --bound. In vela, where the debtor always leads, that is: no farther \
from the score of the start. The file says what each was worth to White, or the debtor, and is used by

  [openings]
  source = \"file\"
  path = \"even.txt\"
  order = \"random\"

so that the schedule depends on no engine. With nodes or depth as limit it is the same to the byte on \
every machine, if the engine keeps to its seed and thinks on one thread.";

#[derive(Args, Debug)]
pub(super) struct OpeningsArgs {
    /// The tournament's config, a TOML file: board, rules, kinds, seed, and what is chosen among
    config: PathBuf,
    /// Who judges: an engine of the config by its name, a bot's name, or a command line in quotes
    #[arg(long, value_name = "ENGINE")]
    engine: String,
    /// The file to write; one that is there is replaced
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// How long it may think about each
    #[arg(long, value_name = "LIMIT", default_value = "nodes=20000")]
    limit: Limit,
    /// How far from even a score may be, in hundredths of a stone
    #[arg(long, value_name = "N", default_value_t = 200)]
    bound: u32,
    /// How many of every kind [default: as many as the tournament has rounds, at most 1000]
    #[arg(long, value_name = "N", value_parser = super::arguments::count)]
    count: Option<NonZeroU32>,
    /// Choose among random openings of so many moves, whatever the config says
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=OpeningSource::MAX_PLIES as i64))]
    plies: Option<u32>,
    /// Ask for exact values first (query value): what is drawn is kept, what is decided is not
    #[arg(long)]
    exact: bool,
    /// The seed of every random choice, instead of the config's
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Engines that think at once, instead of the config's games at once
    #[arg(long, value_name = "N", value_parser = super::arguments::count)]
    concurrency: Option<NonZeroU32>,
}

/// The most openings of a kind that are chosen unless it is said how many.
const MOST_UNASKED: u64 = 1000;

/// How many candidates are looked at for every opening that is wanted before it is given up.
const TRIES: u64 = 100;

/// By how much it may overstep a limit of time: nobody counts milliseconds here.
const MARGIN: Duration = Duration::from_secs(5);

pub(super) fn openings(args: &OpeningsArgs) -> Result<Exit, CliError> {
    let overrides = Overrides { rounds: None, concurrency: args.concurrency, seed: args.seed };
    let mut tournament = load(&args.config, &overrides)?;
    if let Some(plies) = args.plies {
        tournament.openings = OpeningSource::Random { plies };
    }
    if tournament.openings == OpeningSource::Start {
        let why = "the config has games begin at the start, which leaves nothing to choose from";
        let help = "say how many random moves an opening has: --plies 4";
        return Err(CliError::with_help(Exit::Usage, why, help));
    }
    let openings = Openings::load(&tournament).map_err(|why| CliError::new(Exit::Usage, why))?;
    // Whoever cannot write it need not think first.
    drop(AtomicFile::begin(&args.out).map_err(|why| cannot_write(&args.out, &why))?);
    let judge = judge(&tournament, &args.engine)?;
    let guards = guards()?;
    let resolved = found(&judge, &tournament.base)?;
    let variable = |name: &str| std::env::var_os(name);
    let launch = Launch::new(&tournament, &judge, resolved, &guards, &Digests::default(), variable);
    let rounds = Schedule::new(&tournament).rounds().min(MOST_UNASKED);
    let wanted = args.count.map_or(rounds.max(1), |count| count.get().into());
    let asking = Asking {
        rules: tournament.rules,
        limit: args.limit,
        exact: args.exact,
        // The same for all: what one is worth does not depend on its place.
        seed: seeds::derive(tournament.seed, &["openings", "judge"]) >> 1,
    };
    let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let at_once = tournament.concurrency.map_or_else(cores, |games| games.get() as usize);
    let chosen = runtime()?.block_on(async {
        let mut engines = Engines { name: judge.name.clone(), idle: Vec::new() };
        let chosen = async {
            for _ in 0..at_once {
                let started = Engine::start(&launch).await.map_err(|why| {
                    CliError::new(Exit::EngineStart, format!("engine `{}`: {why}", judge.name))
                })?;
                // They all say the same.
                if engines.idle.is_empty() {
                    warn_of_remarks(&judge.name, started.remarks());
                }
                engines.idle.push(started);
            }
            let mut chosen = Vec::new();
            for kind in kinds(&tournament) {
                let lines = openings.lines(kind);
                let start = kind.start(tournament.board, &tournament.rules);
                chosen.push(choose(kind, start, lines, wanted, args, &asking, &mut engines).await?);
            }
            Ok(chosen)
        };
        let chosen: Result<Vec<Chosen>, CliError> = chosen.await;
        for engine in engines.idle {
            engine.quit().await;
        }
        guards.gone(tournament.quit_timeout).await;
        chosen
    })?;
    if let Some(none) = chosen.iter().find(|chosen| chosen.kept.is_empty()) {
        let Chosen { kind, tried, .. } = none;
        return Err(CliError::with_help(
            Exit::Usage,
            format!("none of {tried} openings of {kind} is within {} of {none}", args.bound),
            "allow more by --bound, or choose among others by --plies or --seed",
        ));
    }
    let text = text(args, &judge, &tournament, &openings, &chosen);
    let written = AtomicFile::begin(&args.out).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.finish()
    });
    written.map_err(|why| cannot_write(&args.out, &why))?;
    for short in chosen.iter().filter(|chosen| (chosen.kept.len() as u64) < wanted) {
        let Chosen { kind, kept, tried, .. } = short;
        let found = kept.len();
        tell(format_args!(
            "note: {found} of {wanted} openings of {kind} were found among {tried}; allow more by \
             --bound, or choose among longer ones by --plies"
        ));
    }
    let path = args.out.display();
    let counts = chosen
        .iter()
        .map(|Chosen { kind, kept, tried, .. }| format!("{} of {tried} of {kind}", kept.len()));
    let counts = counts.collect::<Vec<_>>().join(", ");
    // As a config beside the file would write it.
    let name = args.out.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = toml::Value::from(name);
    say(format_args!(
        "{path} written: {counts}\nuse it, from a config in the same directory:\n\n\
         [openings]\nsource = \"file\"\npath = {name}\norder = \"random\""
    ));
    Ok(Exit::Done)
}

fn cannot_write(path: &Path, why: &std::io::Error) -> CliError {
    CliError::new(Exit::Storage, format!("cannot write {}: {why}", path.display()))
}

/// The kinds of games that are played, sessions being made of both.
fn kinds(tournament: &Tournament) -> impl Iterator<Item = GameKind> {
    let plays = |kind| tournament.kinds.iter().any(|&one| one == kind || one == Kind::Session);
    GameKind::ALL.into_iter().filter(move |&kind| plays(Kind::from(kind)))
}

/// The engine of this name among those of the config, its oracle included; or the one that a command
/// line starts.
fn judge(tournament: &Tournament, text: &str) -> Result<EngineConfig, CliError> {
    let mut known = tournament.engines.iter().chain(&tournament.adjudication.oracle);
    if let Some(engine) = known.find(|engine| engine.name == text) {
        return Ok(engine.clone());
    }
    config::command_line(text).map_err(|why| CliError::new(Exit::Usage, format!("--engine: {why}")))
}

/// The openings of a kind that were chosen.
struct Chosen {
    kind: GameKind,
    /// The score that openings are measured from.
    middle: i64,
    /// What was kept, with what it is worth.
    kept: Vec<(Opening, OpeningEval)>,
    /// How many were looked at.
    tried: u64,
}

/// What its openings are measured from, in words.
impl std::fmt::Display for Chosen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind {
            GameKind::Riatra => f.write_str("even"),
            GameKind::Vela => write!(f, "{:+}, the score of the start", self.middle),
        }
    }
}

/// Looks at openings in their order until so many are kept. How many engines think at once makes no
/// difference to what is chosen.
async fn choose(
    kind: GameKind,
    start: Position,
    lines: impl Iterator<Item = Opening>,
    wanted: u64,
    args: &OpeningsArgs,
    asking: &Asking,
    engines: &mut Engines,
) -> Result<Chosen, CliError> {
    let mut chosen = Chosen { kind, middle: 0, kept: Vec::new(), tried: 0 };
    if kind == GameKind::Vela {
        let start = Opening { start, book: Vec::new() };
        let worth = engines.ask(asking, vec![start]).await?;
        chosen.middle = worth.first().map_or(0, |(_, worth)| worth.middle());
    }
    let bar = bar(kind, wanted);
    let mut lines = lines.take(usize::try_from(wanted.saturating_mul(TRIES)).unwrap_or(usize::MAX));
    while (chosen.kept.len() as u64) < wanted {
        let batch: Vec<Opening> = lines.by_ref().take(engines.idle.len()).collect();
        if batch.is_empty() {
            break;
        }
        for (opening, worth) in engines.ask(asking, batch).await? {
            if chosen.kept.len() as u64 == wanted {
                break;
            }
            chosen.tried += 1;
            if worth.is_even(chosen.middle, args.bound) {
                chosen.kept.push((opening, worth));
            }
        }
        bar.set_position(chosen.kept.len() as u64);
        bar.set_message(format!("of {} looked at", chosen.tried));
    }
    bar.finish_and_clear();
    Ok(chosen)
}

/// Shows a person how far it is.
fn bar(kind: GameKind, wanted: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {prefix} {pos}/{len} {wide_msg}");
    let bar = ProgressBar::new(wanted).with_style(style.expect("the template is well formed"));
    bar.with_prefix(kind.to_string())
}

/// How an engine is asked about a position.
#[derive(Clone, Copy)]
struct Asking {
    rules: Ruleset,
    limit: Limit,
    exact: bool,
    seed: u64,
}

/// Several processes of one engine.
struct Engines {
    name: String,
    idle: Vec<Engine>,
}

impl Engines {
    /// Asks about at most as many openings as there are engines, each of one; gives what they are
    /// worth, in their order.
    async fn ask(
        &mut self,
        asking: &Asking,
        openings: Vec<Opening>,
    ) -> Result<Vec<(Opening, OpeningEval)>, CliError> {
        let mut tasks = JoinSet::new();
        for (place, opening) in openings.into_iter().enumerate() {
            let Some(mut engine) = self.idle.pop() else { break };
            let asking = *asking;
            tasks.spawn(async move {
                let said = asking.ask(&mut engine, &opening).await;
                (place, engine, opening, said)
            });
        }
        let mut answers = tasks.join_all().await;
        answers.sort_by_key(|(place, ..)| *place);
        let mut worths = Vec::new();
        let mut refusal = None;
        for (_, engine, opening, said) in answers {
            let position = opening.end(&asking.rules);
            match said {
                Ok(opinion) => {
                    self.idle.push(engine);
                    match opinion.and_then(|opinion| OpeningEval::new(opinion, &position)) {
                        Some(worth) => worths.push((opening, worth)),
                        None => refusal = refusal.or(Some(self.silent(&position))),
                    }
                }
                Err(failure) => {
                    engine.kill().await;
                    refusal = refusal.or(Some(self.failed(&failure, &position)));
                }
            }
        }
        refusal.map_or(Ok(worths), Err)
    }

    fn silent(&self, position: &Position) -> CliError {
        CliError::with_help(
            Exit::EngineStart,
            format!("engine `{}` says no score of {position}", self.name),
            "choose an engine that says `info … score …` before its bestmove, as bot-alphabeta does",
        )
    }

    fn failed(&self, failure: &Failure, position: &Position) -> CliError {
        let why = format!("engine `{}` has failed at {position}: {failure}", self.name);
        CliError::with_help(Exit::EngineStart, why, "see what it lacks by: arena check ENGINE")
    }
}

impl Asking {
    /// What an engine says of an opening, as if it had seen nothing before; `None` where it gives no
    /// score.
    async fn ask(
        &self,
        engine: &mut Engine,
        opening: &Opening,
    ) -> Result<Option<EngineEval>, Failure> {
        engine.new_game(self.seed).await?;
        let line = position_line(&opening.start, &opening.book);
        if self.exact
            && let Some(value) = engine.value(&line).await?
        {
            return Ok(Some(EngineEval::Exact(value)));
        }
        let position = opening.end(&self.rules);
        let (side, clocks) = (position.side_to_move(), Clocks::new([self.limit; 2]));
        let allowance = clocks.allowance(side).map(|time| time + MARGIN);
        let legal = || {
            let referee = Referee::new(self.rules, position);
            referee.legal_moves().iter().map(Move::to_string).collect()
        };
        let answer = engine.ask(&line, clocks.words(side), allowance, None, legal).await?;
        Ok(answer.score.map(EngineEval::Searched))
    }
}

/// The file: how it came about, and the openings, each with what it is worth.
fn text(
    args: &OpeningsArgs,
    judge: &EngineConfig,
    tournament: &Tournament,
    openings: &Openings,
    chosen: &[Chosen],
) -> String {
    let bound = args.bound;
    let name = safe_text::line(&judge.name);
    let exact = if args.exact { ", exact values first" } else { "" };
    let mut text = format!(
        "# Openings of {} (seed {}) that {name} finds even: {}, within {bound}{exact}.\n\
         # Scores are White's in riatra and the debtor's in vela, in hundredths of a stone.\n",
        tournament.board, tournament.seed, args.limit
    );
    for chosen in chosen {
        let Chosen { kind, kept, tried, .. } = chosen;
        // Writing to a string cannot fail.
        let _ = write!(text, "\n# {kind}: {} of {tried}, measured from {chosen}\n", kept.len());
        for (opening, worth) in kept {
            let _ = writeln!(text, "{} # {worth}", openings.line(*kind, opening));
        }
    }
    text
}
