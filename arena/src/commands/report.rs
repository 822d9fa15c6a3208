//! `arena report`: regenerates the page and the CSV files from the journal, and asks an oracle for
//! blunders.

use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use super::analyst::{Analyst, LimitArgs, no_scores, option, replayed};
use super::arguments::engine_name;
use super::directory::{load_results, note_damaged_end};
use super::error::CliError;
use super::exit::Exit;
use super::prepare::{runtime, supervisors};
use super::verify::Verifier;
use crate::terminal::output::{eprint_line, print_line, print_wrapped, warn_about_remarks};
use crate::terminal::patience::Patience;
use crate::terminal::screen;
use clap::{ArgGroup, Args};
use fanorona_engine::{Digests, Launch, LaunchOptions};
use fanorona_report::statistics::accuracy::file::{Entry, FILE, Reader, Values};
use fanorona_report::{html, terminal, write};
use fanorona_runner::analysis::{Request, analyse as analyse_game};
use fanorona_runner::oracle::{Oracle, OracleAnswer};
use fanorona_runner::session::check_config_unchanged;
use fanorona_tournament::analysis::file::{Analyses, Stored};
use fanorona_tournament::config::{self, EngineConfig, Limit, Overrides, Places, Tournament};
use fanorona_tournament::pairing::openings::Openings;
use fanorona_tournament::progress::Progress;
use fanorona_tournament::record::{
    self, Contents, GameRecord, Index, Journal, JournalError, Loss, Salvage,
};
use fanorona_tournament::text::plural::counted;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(group(ArgGroup::new("asked").args(["oracle", "analyse"])))]
pub(super) struct ReportArgs {
    /// The results directory of the tournament
    dir: PathBuf,
    /// Find blunders with an engine that knows endgames: a bot's name, or a command line in quotes
    #[arg(long, value_name = "ENGINE")]
    oracle: Option<String>,
    /// Judge the moves of all games by an engine that reports scores
    #[arg(long, value_name = "ENGINE", conflicts_with = "oracle")]
    analyse: Option<String>,
    /// Set an option of the oracle or the analysing engine; may be given several times
    #[arg(long, value_name = "NAME=VALUE", requires = "asked")]
    option: Vec<String>,
    #[command(flatten)]
    limit: LimitArgs,
    /// First replay every game by the rules and compare it with its record and the schedule
    #[arg(long)]
    verify: bool,
    /// Regenerate the report even if the config has changed since the tournament began
    #[arg(long)]
    force: bool,
}

pub(super) const HELP: &str = "\
Examples:
  arena report results/full
  arena report results/full --verify
  arena report results/full --oracle bot-alphabeta --option EndgameTables=tables
  arena report results/full --analyse bot-alphabeta --nodes 20000

All examples regenerate the files that `arena run` wrote, from the journal. With --verify, every game \
is first replayed by the rules: legal moves, the end and its reason, players and opening. A game that \
was changed is named with its line, even if its checksum is right. With --oracle, the \
engine is first asked for the value of every position that a player had to move in (`query \
value`). The values are saved in values.csv. From then on standings.csv, report.html and the last \
table show which engine gave away a win or a draw. Games with saved values are not asked again. With --analyse, the engine searches every position \
after the openings, and the moves are judged like those of `arena analyse`. The judgements are saved \
in analysis.csv about once a minute, and a table shows the accuracy of every engine. Games that the \
same engine has analysed with the same limit are not analysed again. \
ENGINE is looked up beside the arena, in the current directory and on PATH; put it in quotes if it \
has arguments.";

pub(super) fn report(args: &ReportArgs) -> Result<Exit, CliError> {
    let dir = &args.dir;
    let tournament = load_results(dir, &Overrides::default())?;
    let contents = Journal::read(dir, tournament.names())?;
    check_config_unchanged(dir, &tournament, &contents.header, args.force)?;
    note_damaged_end(dir, contents.torn, contents.unended.is_some());
    let Contents { header, index, .. } = contents;
    let mut progress = Progress::of_journal(&tournament, &header);
    progress.advance(&tournament, &index);
    if args.verify {
        verify(dir, &tournament, &progress)?;
    }
    if let Some(command) = &args.oracle {
        let mut engine = oracle(command)?;
        engine.options = args.option.iter().map(|text| option(text)).collect::<Result<_, _>>()?;
        ask(dir, &tournament, &engine, &index, &progress)?;
    }
    if let Some(command) = &args.analyse {
        let limit = args.limit.limit(NODES)?;
        let mut analyst = Analyst::start(command, &args.option, tournament.rules)?;
        analyse(dir, &tournament, &mut analyst, limit, &index, &progress)?;
    } else if args.limit.is_set() {
        let why = "--nodes and --limit belong to --analyse";
        return Err(CliError::new(Exit::Usage, why));
    }
    let patience = Patience::on_stderr();
    let results =
        write::write_all_files(dir, &tournament, &index, &progress, &|at| patience.see(at))?;
    if let Some(accuracy) = terminal::accuracy(&results.standings, screen::width()) {
        print_line(accuracy);
    }
    if let Some(accuracy) = terminal::engine_accuracy(&results.standings, screen::width()) {
        print_line(accuracy);
    }
    for error in results.standings.reported.errors_in_words() {
        print_wrapped(format_args!("note: {error}"));
    }
    let reported = terminal::reported(&results.standings);
    if !reported.is_empty() {
        print_wrapped(reported.trim_start());
    }
    print_line(format_args!("report: {}", dir.join(html::FILE).display()));
    Ok(Exit::Done)
}

/// Checks every game, and names the lines of those that are wrong.
fn verify(dir: &Path, tournament: &Tournament, progress: &Progress) -> Result<(), CliError> {
    let verifier = match Openings::load(tournament) {
        Ok(openings) => Verifier::of_schedule(tournament, progress, openings),
        Err(why) => {
            eprint_line(format_args!("note: openings and players are not verified: {why}"));
            Verifier::of_rules(tournament)
        }
    };
    let Salvage { losses, games, .. } = Salvage::read(dir, |game| verifier.check(game))?;
    if losses.is_empty() {
        let games = counted(games as u64, "game", "games");
        print_line(format_args!("verified: {games}, by their moves, ends, players and openings"));
        return Ok(());
    }
    let path = Journal::path_in(dir);
    let line = |loss: &Loss| {
        let game = loss.game.as_ref().map_or(String::new(), |game| format!(" (game {game})"));
        format!("{}:{}{game}: {}", path.display(), loss.line, loss.why)
    };
    let mut lines: Vec<String> = losses.iter().take(MAX_LISTED).map(line).collect();
    if let more @ 1.. = losses.len().saturating_sub(MAX_LISTED) {
        lines.push(format!("and {more} more"));
    }
    let help = format!(
        "restore the journal from a backup, or copy the other games to a new directory and play \
         these again there: arena resume {} --salvage NEW",
        dir.display()
    );
    Err(CliError::with_help(Exit::Usage, lines.join("\n"), help))
}

/// The number of wrong games that are listed one by one.
const MAX_LISTED: usize = 100;

fn oracle(command: &str) -> Result<EngineConfig, CliError> {
    let mut engine =
        config::command_line(command).map_err(|why| CliError::new(Exit::Usage, why))?;
    engine.name = engine_name(&engine);
    Ok(engine)
}

/// The default number of nodes per position of an analysing engine.
const NODES: u64 = 20_000;

/// Analyses are saved this often, so that an interruption costs little.
const SAVE_EVERY: Duration = Duration::from_secs(60);

/// After this many failures in a row the analysing engine is not asked again.
const MAX_FAILURES: u32 = 3;

/// Analyses every game that counts and has no analysis by this engine with this limit yet. What is
/// known already stays, even after a failure.
fn analyse(
    dir: &Path,
    tournament: &Tournament,
    analyst: &mut Analyst,
    limit: Limit,
    index: &Index,
    progress: &Progress,
) -> Result<(), CliError> {
    let mut journal = record::Reader::open(dir)?;
    let mut analyses = Analyses::read(dir)?;
    let (name, limit_text) = (analyst.name().to_owned(), limit.to_string());
    let games: Vec<_> = index.games().iter().filter(|game| progress.counts(game)).collect();
    let bar = ProgressBar::new(games.len() as u64);
    let (mut failures, mut missing) = (0, 0_u64);
    let (mut saved, mut is_saved) = (Instant::now(), true);
    for game in games {
        bar.inc(1);
        let game = journal.game(game.offset)?;
        let is_known = |known: &Stored| known.engine == name && known.limit == limit_text;
        let book = game.book as usize;
        if game.plies() <= book || analyses.of(&game).is_some_and(is_known) {
            continue;
        }
        if failures >= MAX_FAILURES {
            missing += 1;
            continue;
        }
        let (start, moves) = replayed(&game, &tournament.rules)?;
        let rules = tournament.rules;
        let request = Request { rules, start, moves: &moves, book, limit, lines: 1 };
        let asked =
            analyst.with(rules, async |engine| analyse_game(engine, &request, |_| {}).await)?;
        match asked {
            Ok(analysis) if !analysis.has_scores() => return Err(no_scores(&name)),
            Ok(analysis) => {
                failures = 0;
                analyses.add(&game, &name, &limit_text, &analysis);
                is_saved = false;
            }
            Err(why) => {
                failures += 1;
                missing += 1;
                bar.suspend(|| eprint_line(format_args!("game {}: {why}", game.id)));
            }
        }
        if !is_saved && saved.elapsed() >= SAVE_EVERY {
            analyses.write(dir)?;
            (saved, is_saved) = (Instant::now(), true);
        }
    }
    bar.finish_and_clear();
    if !is_saved {
        analyses.write(dir)?;
    }
    if missing > 0 {
        let games = counted(missing, "game", "games");
        eprint_line(format_args!(
            "no analysis of {games} in which the engine failed; run the command again to retry"
        ));
    }
    Ok(())
}

/// Asks the oracle about every game that it has not valued yet, and saves the values. Values that
/// are known already stay, even after a failure.
fn ask(
    dir: &Path,
    tournament: &Tournament,
    engine: &EngineConfig,
    index: &Index,
    progress: &Progress,
) -> Result<(), CliError> {
    let here = std::env::current_dir().map_err(|why| CliError::new(Exit::Usage, why))?;
    let (beside, path) = (std::env::current_exe().ok(), std::env::var_os("PATH"));
    let places = Places {
        arena: beside.as_deref().and_then(Path::parent),
        base: &here,
        path: path.as_deref(),
    };
    let found = config::resolve(engine, &places).map_err(|why| {
        let help = why.help();
        CliError::with_help(Exit::EngineStart, why, help)
    })?;
    // The oracle starts in the current directory, so that relative paths in its options mean what
    // the user expects.
    let options = LaunchOptions::alone(engine, tournament.rules);
    let patience = options.quit_timeout;
    let supervisors = supervisors()?;
    let launch = Launch::new(engine, found, options, &supervisors, &Digests::default());
    let runtime = runtime()?;
    let asked = runtime.block_on(async {
        let started = Oracle::start(launch).await;
        let mut oracle = started.map_err(|why| CliError::of_start(&why, &why))?;
        warn_about_remarks(&engine.name, oracle.remarks());
        let asked = ask_all(dir, tournament, &mut oracle, index, progress).await;
        oracle.quit().await;
        supervisors.gone(patience).await;
        Ok::<_, CliError>(asked)
    })?;
    asked.map_err(CliError::from)
}

async fn ask_all(
    dir: &Path,
    tournament: &Tournament,
    oracle: &mut Oracle,
    index: &Index,
    progress: &Progress,
) -> Result<(), JournalError> {
    let mut journal = record::Reader::open(dir)?;
    let mut known = Reader::open(dir)?;
    let mut values = Values::begin(dir)?;
    let games: Vec<_> = index.games().iter().filter(|game| progress.counts(game)).collect();
    let bar = ProgressBar::new(games.len() as u64);
    let mut unanswered = 0_u64;
    // Positions the oracle was asked about, and games in which it knew at least one value.
    let (mut positions, mut known_games) = (0, 0_u64);
    let asked = |game: &GameRecord| game.plies().saturating_sub(game.book as usize);
    for game in games {
        bar.inc(1);
        let game = journal.game(game.offset)?;
        let before = known.of(&game)?;
        // The value of a game's end follows from the rules alone and does not count.
        let knows = |entry: &Entry| (0..game.plies()).any(|ply| entry.values.after(ply).is_some());
        if let Some(entry) = before.as_ref().filter(|entry| entry.oracle == oracle.identity()) {
            positions += asked(&game);
            known_games += u64::from(knows(entry));
            values.add(&game, entry)?;
            continue;
        }
        let answer = match oracle.ask(&game, &tournament.rules).await {
            OracleAnswer::Values(values) => {
                let entry = Entry { oracle: oracle.identity().to_owned(), values };
                positions += asked(&game);
                known_games += u64::from(knows(&entry));
                Some(entry)
            }
            OracleAnswer::Failed(failure) => {
                bar.suspend(|| {
                    eprint_line(format_args!("game {}: the oracle failed: {failure}", game.id))
                });
                before
            }
            OracleAnswer::GivenUp => before,
        };
        match &answer {
            Some(entry) => values.add(&game, entry)?,
            None => unanswered += 1,
        }
    }
    bar.finish_and_clear();
    values.finish()?;
    if positions > 0 && known_games == 0 {
        let asked = counted(positions, "position", "positions");
        eprint_line(format_args!(
            "warning: {} knew the value of none of the {asked} it was asked about, so there are \
             no accuracy figures; use an engine that answers `query value` with exact values, \
             such as bot-alphabeta with --option EndgameTables=DIR (to ask the same engine with \
             other options, first delete {})",
            oracle.identity(),
            dir.join(FILE).display()
        ));
    }
    if unanswered > 0 {
        let games = counted(unanswered, "game", "games");
        eprint_line(format_args!(
            "no values for {games} in which the oracle failed; run the command again to retry"
        ));
    }
    Ok(())
}
