//! `arena openings`: writes a file of openings that an engine evaluates as balanced, or as biased.

use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::Args;
use fanorona_protocol::rules::{Move, Position, Ruleset};
use indicatif::{ProgressBar, ProgressStyle};
use tokio::task::JoinSet;

use super::arguments::found;
use super::directory::{check_output, load};
use super::error::CliError;
use super::exit::Exit;
use super::prepare::{runtime, supervisors};
use crate::terminal::output::{eprint_line, print_line, warn_about_remarks};
use fanorona_engine::{Digests, Engine, Failure, Launch, LaunchOptions};
use fanorona_ratings::kind::Kind;
use fanorona_runner::play::position_line;
use fanorona_tournament::config::{
    self, EngineConfig, Limit, OpeningSource, Overrides, Tournament,
};
use fanorona_tournament::game::clock::Clocks;
use fanorona_tournament::pairing::openings::selection::{EngineEval, OpeningEval};
use fanorona_tournament::pairing::openings::{GameKind, Opening, Openings};
use fanorona_tournament::pairing::schedule::Schedule;
use fanorona_tournament::pairing::seeds;
use fanorona_tournament::record::atomic_file::NamedOutput;
use fanorona_tournament::record::storage::storage;
use fanorona_tournament::text::safe_text;

pub(super) const HELP: &str = "\
Examples:
  arena openings mine.toml --engine bot-alphabeta -o even.txt
  arena openings mine.toml --engine bot-alphabeta --plies 8 --bound 100 --count 500 -o even.txt
  arena openings mine.toml --engine bot-alphabeta --least 150 --bound 300 -o biased.txt
  arena openings mine.toml --engine bot-alphabeta --exact -o even.txt

The candidates are the openings of the config: random ones, the five named ones or the lines of a \
file. The engine evaluates the position after each opening, starting from a new game each time. An \
opening is kept if its score is within --bound of even. In vela the debtor is always ahead, so the \
score of the start position counts as even. The file notes each score, for White or for the \
debtor. With --least the openings are biased: engines of about the same strength draw fewer games \
from them, and every pair still has both colours. To use the file:

  [openings]
  source = \"file\"
  path = \"even.txt\"
  order = \"random\"

The schedule then depends on no engine. With a nodes or depth limit the file is identical on every \
machine, if the engine respects its seed and searches on one thread.";

#[derive(Args, Debug)]
pub(super) struct OpeningsArgs {
    /// The tournament's config, a TOML file: board, rules, kinds, seed and candidate openings
    config: PathBuf,
    /// The evaluating engine: a name from the config, a bot's name, or a command line in quotes
    #[arg(long, value_name = "ENGINE")]
    engine: String,
    /// The file to write; an existing file is replaced
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// The engine's limit per opening
    #[arg(long, value_name = "LIMIT", default_value = "nodes=20000")]
    limit: Limit,
    /// Greatest distance of a score from even, in hundredths of a stone
    #[arg(long, value_name = "N", default_value_t = 200)]
    bound: u32,
    /// Least distance of a score from even, in hundredths of a stone: above 0 for biased openings
    #[arg(long, value_name = "N", default_value_t = 0)]
    least: u32,
    /// Number of openings of each kind [default: the rounds of the tournament, at most 1000]
    #[arg(long, value_name = "N", value_parser = super::arguments::count)]
    count: Option<NonZeroU32>,
    /// Choose among random openings of N moves instead of the config's openings
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=OpeningSource::MAX_PLIES as i64))]
    plies: Option<u32>,
    /// Ask for exact values first (query value): a drawn opening is kept, a decided one is dropped
    #[arg(long)]
    exact: bool,
    /// Seed for all random choices, overriding the config
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Number of engines searching at once, overriding the config's concurrency
    #[arg(long, value_name = "N", value_parser = super::arguments::count)]
    concurrency: Option<NonZeroU32>,
}

impl OpeningsArgs {
    /// The distances from even at which an opening is kept, in hundredths of a stone.
    fn distances(&self) -> RangeInclusive<u32> {
        self.least..=self.bound
    }

    /// The distances in words.
    fn band(&self) -> String {
        match self.least {
            0 => format!("within {} of", self.bound),
            least => format!("{least} to {} from", self.bound),
        }
    }
}

/// The default number of openings of a kind is at most this.
const MAX_DEFAULT_COUNT: u64 = 1000;

/// The search ends after this many candidates per requested opening.
const CANDIDATES_PER_OPENING: u64 = 100;

pub(super) fn openings(args: &OpeningsArgs) -> Result<Exit, CliError> {
    let (concurrency, seed) = (args.concurrency, args.seed);
    let overrides = Overrides { concurrency, seed, ..Overrides::default() };
    let mut tournament = load(&args.config, &overrides)?;
    if args.least > args.bound {
        let why = format!("--least {} is above --bound {}", args.least, args.bound);
        let help = "an opening is kept if its distance from even is between the two";
        return Err(CliError::with_help(Exit::Usage, why, help));
    }
    if let Some(plies) = args.plies {
        tournament.openings = OpeningSource::Random { plies };
    }
    if tournament.openings == OpeningSource::Start {
        let why = "the config starts all games from the start position, so there are no candidates";
        let help = "set the number of random moves of an opening: --plies 4";
        return Err(CliError::with_help(Exit::Usage, why, help));
    }
    let openings = Openings::load(&tournament).map_err(|why| CliError::new(Exit::Usage, why))?;
    check_output(&args.out, &args.config)?;
    let unwritten = |why| storage("write", &args.out, why);
    let mut out = NamedOutput::begin(&args.out).map_err(unwritten)?;
    let evaluator = evaluator(&tournament, &args.engine)?;
    let supervisors = supervisors()?;
    let resolved = found(&evaluator, &tournament.base)?;
    let options = LaunchOptions::new(&tournament, &evaluator);
    let launch = Launch::new(&evaluator, resolved, options, &supervisors, &Digests::default());
    let rounds = Schedule::new(&tournament).rounds().min(MAX_DEFAULT_COUNT);
    let wanted = args.count.map_or(rounds.max(1), |count| count.get().into());
    let asking = EvaluationSettings {
        rules: tournament.rules,
        limit: args.limit,
        exact: args.exact,
        // All engines get the same seed: an opening's score must not depend on its index.
        seed: seeds::derive(tournament.seed, &["openings", "judge"]) >> 1,
    };
    let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let at_once = tournament.concurrency.map_or_else(cores, |games| games.get() as usize);
    let chosen = runtime()?.block_on(async {
        let mut engines = Engines { name: evaluator.name.clone(), idle: Vec::new() };
        let chosen: Result<Vec<Chosen>, CliError> = async {
            engines.start(&launch, at_once).await?;
            let mut chosen = Vec::new();
            for kind in kinds(&tournament) {
                let lines = openings.lines(kind);
                let start = kind.start(tournament.board, &tournament.rules);
                chosen.push(choose(kind, start, lines, wanted, args, &asking, &mut engines).await?);
            }
            Ok(chosen)
        }
        .await;
        for engine in engines.idle {
            engine.quit().await;
        }
        supervisors.gone(tournament.quit_timeout).await;
        chosen
    })?;
    if let Some(none) = chosen.iter().find(|chosen| chosen.kept.is_empty()) {
        let Chosen { kind, tried, .. } = none;
        return Err(CliError::with_help(
            Exit::Usage,
            format!("none of {tried} openings of {kind} is {} {none}", args.band()),
            "raise --bound, or choose other candidates with --plies or --seed",
        ));
    }
    let text = text(args, &evaluator, &tournament, &openings, &chosen);
    out.write_all(text.as_bytes()).and_then(|()| out.finish()).map_err(unwritten)?;
    print_summary(&args.out, &chosen, wanted);
    Ok(Exit::Done)
}

/// Prints how many openings of each kind were found, and how to use the file.
fn print_summary(out: &Path, chosen: &[Chosen], wanted: u64) {
    for short in chosen.iter().filter(|chosen| (chosen.kept.len() as u64) < wanted) {
        let Chosen { kind, kept, tried, .. } = short;
        let found = kept.len();
        eprint_line(format_args!(
            "note: found {found} of {wanted} openings of {kind} among {tried} candidates; raise \
             --bound, or choose longer candidates with --plies"
        ));
    }
    let path = out.display();
    let counts = chosen
        .iter()
        .map(|Chosen { kind, kept, tried, .. }| format!("{} of {tried} of {kind}", kept.len()));
    let counts = counts.collect::<Vec<_>>().join(", ");
    // The path as a config beside the file gives it.
    let name = out.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = toml::Value::from(name);
    print_line(format_args!(
        "wrote {path}: {counts}\nuse it in a config in the same directory:\n\n\
         [openings]\nsource = \"file\"\npath = {name}\norder = \"random\""
    ));
}

/// The kinds of games to choose openings for; a session consists of both.
fn kinds(tournament: &Tournament) -> impl Iterator<Item = GameKind> {
    let plays = |kind| tournament.kinds.iter().any(|&one| one == kind || one == Kind::Session);
    GameKind::ALL.into_iter().filter(move |&kind| plays(Kind::from(kind)))
}

/// The engine of this name in the config, its oracle included, or one started by this command line.
fn evaluator(tournament: &Tournament, text: &str) -> Result<EngineConfig, CliError> {
    let mut known = tournament.engines.iter().chain(&tournament.adjudication.oracle);
    if let Some(engine) = known.find(|engine| engine.name == text) {
        return Ok(engine.clone());
    }
    config::command_line(text).map_err(|why| CliError::new(Exit::Usage, format!("--engine: {why}")))
}

/// The chosen openings of a kind.
struct Chosen {
    kind: GameKind,
    /// The score that counts as even.
    middle: i64,
    /// The kept openings, each with its evaluation.
    kept: Vec<(Opening, OpeningEval)>,
    /// The number of candidates evaluated.
    tried: u64,
}

/// The score that counts as even, in words.
impl std::fmt::Display for Chosen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind {
            GameKind::Riatra => f.write_str("even"),
            GameKind::Vela => write!(f, "{:+}, the score of the start position", self.middle),
        }
    }
}

/// Evaluates candidates in order until enough are kept. The number of engines searching at once
/// does not affect the choice.
async fn choose(
    kind: GameKind,
    start: Position,
    lines: impl Iterator<Item = Opening>,
    wanted: u64,
    args: &OpeningsArgs,
    asking: &EvaluationSettings,
    engines: &mut Engines,
) -> Result<Chosen, CliError> {
    let mut chosen = Chosen { kind, middle: 0, kept: Vec::new(), tried: 0 };
    if kind == GameKind::Vela {
        let start = Opening { start, book: Vec::new() };
        let worth = engines.ask(asking, vec![start]).await?;
        chosen.middle = worth.first().map_or(0, |(_, worth)| worth.middle());
    }
    let bar = bar(kind, wanted);
    let mut lines = lines
        .take(usize::try_from(wanted.saturating_mul(CANDIDATES_PER_OPENING)).unwrap_or(usize::MAX));
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
            if worth.is_within(chosen.middle, &args.distances()) {
                chosen.kept.push((opening, worth));
            }
        }
        bar.set_position(chosen.kept.len() as u64);
        bar.set_message(format!("of {} evaluated", chosen.tried));
    }
    bar.finish_and_clear();
    Ok(chosen)
}

/// A progress bar for a terminal.
fn bar(kind: GameKind, wanted: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {prefix} {pos}/{len} {wide_msg}");
    let bar = ProgressBar::new(wanted).with_style(style.expect("the template is well formed"));
    bar.with_prefix(kind.to_string())
}

/// The settings of an evaluation.
#[derive(Clone, Copy)]
struct EvaluationSettings {
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
    /// Starts this many processes.
    async fn start(&mut self, launch: &Launch, count: usize) -> Result<(), CliError> {
        for _ in 0..count {
            let started = Engine::start(launch).await.map_err(|why| {
                CliError::from_start(format_args!("engine `{}`: {why}", self.name), &why)
            })?;
            // The remarks are the same for every process.
            if self.idle.is_empty() {
                warn_about_remarks(&self.name, started.remarks());
            }
            self.idle.push(started);
        }
        Ok(())
    }

    /// Evaluates at most as many openings as there are engines, one on each, and returns the
    /// evaluations in order.
    async fn ask(
        &mut self,
        asking: &EvaluationSettings,
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
        let mut error = None;
        for (_, engine, opening, said) in answers {
            let position = opening.end(&asking.rules);
            match said {
                Ok(opinion) => {
                    self.idle.push(engine);
                    match opinion.map(|opinion| OpeningEval::new(opinion, &position)) {
                        Some(worth) => worths.push((opening, worth)),
                        None => error = error.or(Some(self.no_score(&position))),
                    }
                }
                Err(failure) => {
                    engine.kill().await;
                    error = error.or(Some(self.failed(&failure, &position)));
                }
            }
        }
        error.map_or(Ok(worths), Err)
    }

    fn no_score(&self, position: &Position) -> CliError {
        CliError::with_help(
            Exit::EngineStart,
            format!("engine `{}` reports no score for {position}", self.name),
            "choose an engine that sends `info … score …` before its bestmove, such as \
             bot-alphabeta",
        )
    }

    fn failed(&self, failure: &Failure, position: &Position) -> CliError {
        let why = format!("engine `{}` failed at {position}: {failure}", self.name);
        CliError::with_help(Exit::EngineStart, why, "diagnose the engine with: arena check ENGINE")
    }
}

impl EvaluationSettings {
    /// Evaluates an opening in a new game; `None` if the engine reports no score.
    async fn ask(
        &self,
        engine: &mut Engine,
        opening: &Opening,
    ) -> Result<Option<EngineEval>, Failure> {
        engine.new_game(self.seed, &[]).await?;
        let line = position_line(&opening.start, &opening.book);
        if self.exact
            && let Some(value) = engine.value(&line).await?
        {
            return Ok(Some(EngineEval::Exact(value)));
        }
        let position = opening.end(&self.rules);
        let (side, clocks) = (position.side_to_move(), Clocks::new([self.limit; 2]));
        let allowance = clocks.loose_allowance(side);
        let legal = || position.legal_moves(&self.rules).iter().map(Move::to_string).collect();
        let answer = engine.ask(&line, clocks.words(side), allowance, None, legal).await?;
        Ok(answer.score.map(EngineEval::Searched))
    }
}

/// The text of the file: a header with its parameters, and the openings with their evaluations.
fn text(
    args: &OpeningsArgs,
    evaluator: &EngineConfig,
    tournament: &Tournament,
    openings: &Openings,
    chosen: &[Chosen],
) -> String {
    let (quality, band) = match args.least {
        0 => ("balanced", format!("within {}", args.bound)),
        _ => ("biased", format!("{} even", args.band())),
    };
    let name = safe_text::line(&evaluator.name);
    let exact = if args.exact { ", exact values first" } else { "" };
    let mut text = format!(
        "# Openings of {} (seed {}) that {name} evaluates as {quality}: {}, {band}{exact}.\n\
         # Scores are for White in riatra and for the debtor in vela, in hundredths of a stone.\n",
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
