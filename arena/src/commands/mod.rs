//! The commands of the `arena` program.

mod check;
mod compare;
mod convert;
pub mod exit;
mod games;
mod init;
mod manual;
mod merge;
mod openings;
mod plan;
mod play;
mod prepare;
mod quick;
mod rate;
mod report;
mod run;
mod salvage;
mod show;
mod signals;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use miette::MietteHandlerOpts;

use crate::check::Level;
use crate::check::catalogue::Only;
use crate::commands::exit::Exit;
use crate::config::{self, CommandLineError, ConfigReport, EngineConfig, Limit, Places, Resolved};
use crate::engine::{namespace, probe, sandboxed_exec, supervisor};
use crate::pairing::schedule::Shard;
use crate::ratings::kind::Kind;
use crate::terminal::output;
use crate::text::safe_text;

/// Tournaments between Fanorona engines.
#[derive(Parser, Debug)]
#[command(name = "arena", version, propagate_version = true)]
#[command(after_help = "\
Exit codes: 0 done; 1 a bug of the arena; 2 usage, config or an unreadable file; 3 done, but an \
engine was at fault or a game has no result, with --strict; 5 a check failed; 6 an engine would not start; 74 the \
disk is full or the machine lacks what engines need to start; 129, 130, 143 stopped by SIGHUP, SIGINT, SIGTERM. \
Everything finished is kept.")]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Play a tournament
    #[command(after_help = "\
Examples:
  arena run configs/quick.toml
  arena run configs/full.toml --out results/full --rounds 2
  arena run configs/quick.toml --json | jq .event
  arena run configs/sprt.toml --concurrency 4")]
    Run(RunArgs),
    /// Let engines meet, without a config
    #[command(after_help = "\
Examples:
  arena quick bot-alphabeta bot-mcts
  arena quick bot-greedy \"python3 my_bot.py\" --games 10
  arena quick bot-mcts bot-mcts bot-greedy --kind riatra --limit nodes=1000

Every two engines play so many games, from random openings, each of them twice with sides swapped: \
half of the games in riatra and half in vela, unless --kind says what to play. ENGINE is looked for \
beside the arena, in the current directory and on PATH; with arguments it goes in quotes. An engine \
that is given by a path or with arguments is told the legal turns, so it need not know the rules. \
For anything else write a config; the one that is played here is config.toml in the results.")]
    Quick(QuickArgs),
    /// Go on with a tournament that was interrupted
    #[command(after_help = "Example:\n  arena resume results/full")]
    Resume(ResumeArgs),
    /// Unite the parts of a tournament, or whatever of it was played where
    #[command(after_help = "\
Example, on as many machines as there are parts, and then on one:
  arena run configs/full.toml --shard 1/4 --out part-1
  arena merge part-1 part-2 part-3 part-4 --out results/full

Games that several directories hold are taken once. What is missing is played by: arena resume.")]
    Merge(MergeArgs),
    /// Copy every undamaged game of a damaged results directory to a new one
    #[command(after_help = salvage::HELP)]
    Salvage(salvage::SalvageArgs),
    /// Rate the engines of any games.csv
    #[command(after_help = "\
Examples:
  arena rate results/full/games.csv
  arena rate monday/games.csv tuesday/games.csv --anchor random=0 --json

The columns white, black and result are enough. Without a column pair, two consecutive games of the \
same engines with colours swapped are a pair. A sessions.csv beside a file is read too. The tables \
compare neighbours; --json has for every kind a matrix `los`, how probable it is that the engine of \
its row is stronger than that of its column, in the order of the ratings, and `differences`, the lead of \
every two engines with its interval and their pairs by points. Games that repeat earlier ones move for \
move are no new observations; a note says how many there are.")]
    Rate(RateArgs),
    /// Compare two tournaments: what has become of the engines of both
    #[command(after_help = "\
Examples:
  arena compare results/before results/after
  arena compare results/before results/after --anchor greedy=0 --json

A DIR is a results directory, or a games.csv. Each tournament is rated alone, from the mean of its own \
field, of which an engine that has been changed is a part: hold one that is the same in both by \
--anchor, and the changes are seen from there.")]
    Compare(CompareArgs),
    /// Check whether an engine speaks the protocol and knows the rules
    #[command(after_help = "\
Examples:
  arena check bot-greedy
  arena check \"python3 my_bot.py\" --level basic
  arena check ./my-bot --only turns --only 601 --json
  arena check --list

ENGINE is looked for beside the arena, in the current directory and on PATH; with arguments it goes \
in quotes. The level basic is what a tournament needs of a bot with legal_moves = true, full the \
whole of protocol/UGI.md. A check that does not apply is skipped and counts for nothing. Exit codes: \
0 passed at the level asked for, full if none was; 5 failed; 6 the engine would not start.")]
    Check(CheckArgs),
    /// Write report.html and the CSV files of a tournament again, and find out who threw away what
    #[command(after_help = report::HELP)]
    Report(ReportArgs),
    /// Write a config to start from
    #[command(after_help = init::HELP)]
    Init(init::InitArgs),
    /// Say what a tournament will come to, without playing
    #[command(after_help = plan::HELP)]
    Plan(plan::PlanArgs),
    /// Choose openings that an engine finds even
    #[command(after_help = openings::HELP)]
    Openings(openings::OpeningsArgs),
    /// Replay a game in the terminal
    #[command(after_help = show::HELP)]
    Show(show::ShowArgs),
    /// Play against an engine in the terminal
    #[command(after_help = play::HELP)]
    Play(play::PlayArgs),
    /// Games and positions from one format into another
    #[command(after_help = convert::HELP)]
    Convert(convert::ConvertArgs),
    /// Print what completes commands in a shell
    #[command(after_help = manual::COMPLETIONS_HELP)]
    Completions(manual::CompletionsArgs),
    /// Print the manual page, or write those of all commands
    #[command(after_help = manual::MAN_HELP)]
    Man(manual::ManArgs),
    /// Starts an engine for the arena, and ends it with everything it has started
    #[command(hide = true)]
    Guard,
    /// Becomes the engine its guard was told to start
    #[command(hide = true)]
    Confine {
        /// The process that is to be its parent
        guard: i32,
    },
    /// Leads the processes of an engine, and ends them by its own end
    #[command(hide = true)]
    Namespace {
        /// The process that is its parent
        guard: i32,
    },
    /// Tries what engines are kept from
    #[command(hide = true)]
    Probe {
        /// A file to be written
        file: PathBuf,
        /// A TCP port to connect to
        port: u16,
        /// An abstract socket to connect to
        name: String,
    },
}

#[derive(Args, Debug)]
struct RunArgs {
    /// The tournament's config, a TOML file
    config: PathBuf,
    /// Where results go [default: results/<name>-<time>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Pairs per pairing and kind, instead of the config's
    #[arg(long, value_name = "N", value_parser = count)]
    rounds: Option<std::num::NonZeroU32>,
    /// Games played at once, instead of the config's
    #[arg(long, value_name = "N", value_parser = count)]
    concurrency: Option<std::num::NonZeroU32>,
    /// The seed of every random choice, instead of the config's
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Play one of n equal parts, to be united by `arena merge`: 2/4 is the second of four; not of
    /// a swiss, a knockout or a match under [sprt], where games depend on earlier ones
    #[arg(long, value_name = "i/n")]
    shard: Option<Shard>,
    /// Play without engines that do not start; they count as withdrawn before the first game
    #[arg(long)]
    skip_broken: bool,
    /// End with exit code 3 if any engine was at fault, or a game has no result
    #[arg(long)]
    strict: bool,
    /// Print one JSON object for every event instead of tables (arena/guides/events.md)
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
struct QuickArgs {
    /// The engines: names of bots, or command lines
    #[arg(required = true, num_args = 2.., value_name = "ENGINE")]
    engines: Vec<String>,
    /// Games, or sessions, of every two engines in all; whole pairs of every kind are played
    #[arg(long, value_name = "N", default_value = "20", value_parser = count)]
    games: std::num::NonZeroU32,
    /// How long they may think: 50ms a turn, 1s+0.01s on a clock, nodes=1000, depth=4
    /// [default: 50ms]
    #[arg(long, value_name = "LIMIT")]
    limit: Option<Limit>,
    /// What is played: riatra, vela or session; may be given several times [default: riatra, vela]
    #[arg(long, value_name = "KIND")]
    kind: Vec<Kind>,
    /// Where results go [default: results/quick-<time>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The seed of every random choice [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Games played at once [default: as many as there are processor cores]
    #[arg(long, value_name = "N", value_parser = count)]
    concurrency: Option<std::num::NonZeroU32>,
}

#[derive(Args, Debug)]
struct ResumeArgs {
    /// The results directory of the tournament
    dir: PathBuf,
    /// Go on although the config, an engine's program or the openings file has been changed since
    #[arg(long)]
    force: bool,
    /// Games played at once, instead of the config's
    #[arg(long, value_name = "N")]
    concurrency: Option<std::num::NonZeroU32>,
    /// End with exit code 3 if any engine was at fault
    #[arg(long)]
    strict: bool,
    /// Print one JSON object for every event instead of tables (arena/guides/events.md)
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
struct ReportArgs {
    /// The results directory of the tournament
    dir: PathBuf,
    /// Ask an engine that knows endings who threw away a win or a draw: a bot's name, or a command
    /// line
    #[arg(long, value_name = "ENGINE")]
    oracle: Option<String>,
    /// Set an option of that engine; may be given several times
    #[arg(long, value_name = "NAME=VALUE", requires = "oracle")]
    option: Vec<String>,
    /// Report although the config is not the one the tournament began with
    #[arg(long)]
    force: bool,
}

#[derive(Args, Debug)]
struct MergeArgs {
    /// Results directories of one tournament
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// Where the united results go
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Unite them although an engine's program or the openings file was not the same everywhere
    #[arg(long)]
    force: bool,
}

#[derive(Args, Debug)]
struct CompareArgs {
    /// The tournament before
    #[arg(value_name = "DIR")]
    first: PathBuf,
    /// The tournament after
    #[arg(value_name = "DIR")]
    second: PathBuf,
    /// Hold an engine of both at a rating; may be given several times
    #[arg(long, value_name = "NAME=ELO")]
    anchor: Vec<String>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
struct RateArgs {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Hold an engine at a rating; may be given several times
    #[arg(long, value_name = "NAME=ELO")]
    anchor: Vec<String>,
    /// Standard deviation of the prior on every rating, in Elo; 0 for none
    #[arg(long, value_name = "SD", default_value_t = 1000.0)]
    prior: f64,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
struct CheckArgs {
    /// A bot's name, or a command line
    #[arg(required_unless_present = "list")]
    engine: Option<String>,
    /// Run the checks of one level alone: basic or full
    #[arg(long, value_name = "LEVEL")]
    level: Option<Level>,
    /// Run one group, or one check by its number, alone; may be given several times
    #[arg(long, value_name = "GROUP|NUMBER")]
    only: Vec<Only>,
    /// How long an answer is waited for
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = check::time)]
    timeout: Duration,
    /// How far a time may be overstepped
    #[arg(long, value_name = "TIME", default_value = "100ms", value_parser = check::time)]
    margin: Duration,
    /// Positions of every kind in which turns are compared
    #[arg(long, value_name = "N", default_value_t = 40)]
    positions: u32,
    /// The seed of the positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print one JSON object instead of lines
    #[arg(long)]
    json: bool,
    /// Print the checks there are, and run none
    #[arg(long)]
    list: bool,
}

/// Reads a number of things of which there is at least one.
fn count(text: &str) -> Result<std::num::NonZeroU32, String> {
    text.parse().map_err(|_| format!("expected a whole number from 1 to {}", u32::MAX))
}

/// Why a command could not do its work: what to print and how to exit. It may quote files and
/// engines: what it says is made safe to show.
#[derive(Debug)]
struct Refusal {
    exit: Exit,
    report: miette::Report,
}

impl Refusal {
    fn new(exit: Exit, why: impl std::fmt::Display) -> Refusal {
        let why = safe_text::lines(&why.to_string()).into_owned();
        Refusal { exit, report: miette::Report::msg(why) }
    }

    /// With what to do about it.
    fn with_help(exit: Exit, why: impl std::fmt::Display, help: impl Into<String>) -> Refusal {
        let why = safe_text::lines(&why.to_string()).into_owned();
        let help = safe_text::lines(&help.into()).into_owned();
        let diagnostic = miette::MietteDiagnostic::new(why).with_help(help);
        Refusal { exit, report: miette::Report::new(diagnostic) }
    }

    fn of_config(errors: crate::config::ConfigErrors) -> Refusal {
        Refusal { exit: Exit::Usage, report: miette::Report::new(ConfigReport(errors)) }
    }
}

/// An engine of the command line, called as it was typed. One that is not named alone, as bots are,
/// but by a path or with arguments, is told the legal turns: a first engine need not know the rules,
/// and to others it is as if they had been told nothing.
fn engine(command: &str) -> Result<EngineConfig, CommandLineError> {
    let alone = !command.trim().contains(|letter: char| letter.is_whitespace() || letter == '/');
    Ok(EngineConfig { legal_moves: !alone, ..config::command_line(command)? })
}

/// A short name for an engine of the command line: that of its program, or of what an interpreter is
/// given.
fn engine_name(engine: &EngineConfig) -> String {
    let is_script = |arg: &&String| {
        let end = Path::new(arg).extension().and_then(|end| end.to_str());
        let is_file =
            arg.contains('/') || end.is_some_and(|end| !end.starts_with(char::is_numeric));
        is_file && !arg.starts_with('-') && !arg.contains('=')
    };
    let script = engine.args.iter().find(is_script);
    let path = Path::new(script.unwrap_or(&engine.command));
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let kept: String =
        stem.chars().filter(|&letter| !safe_text::is_unsafe(letter)).take(90).collect();
    let kept = kept.trim().trim_start_matches("bot-");
    if kept.is_empty() { "engine".to_owned() } else { kept.to_owned() }
}

/// The program of an engine, looked for beside the arena, in a directory and on PATH.
fn found(engine: &EngineConfig, base: &Path) -> Result<Resolved, Refusal> {
    let (beside, path) = (std::env::current_exe().ok(), std::env::var_os("PATH"));
    let places =
        Places { arena: beside.as_deref().and_then(Path::parent), base, path: path.as_deref() };
    config::resolve(engine, &places).map_err(|why| {
        let help = why.help();
        Refusal::with_help(Exit::EngineStart, why, help)
    })
}

/// Runs the command that was asked for and says how to exit.
pub fn run(cli: Cli) -> Exit {
    // Errors are broken into lines for a person's terminal only: whoever reads a log wants paths
    // whole. They remember how to be shown from when they are made.
    let wrap = std::io::stderr().is_terminal();
    // A hook can be set once, and nobody else does.
    let _ = miette::set_hook(Box::new(move |_| {
        // Paths and words with hyphens are to be copied: lines end at blanks alone.
        let options = MietteHandlerOpts::new()
            .wrap_lines(wrap)
            .break_words(false)
            .word_separator(textwrap::WordSeparator::AsciiSpace)
            .word_splitter(textwrap::WordSplitter::NoHyphenation);
        Box::new(options.build())
    }));
    let done = match cli.command {
        Command::Run(args) => run::run(&args),
        Command::Quick(args) => quick::quick(&args),
        Command::Resume(args) => run::resume(&args),
        Command::Merge(args) => merge::merge(&args),
        Command::Salvage(args) => salvage::salvage(&args),
        Command::Compare(args) => compare::compare(&args),
        Command::Rate(args) => rate::rate(&args),
        Command::Check(args) => check::check(&args),
        Command::Report(args) => report::report(&args),
        Command::Init(args) => init::init(&args),
        Command::Plan(args) => plan::plan(&args),
        Command::Openings(args) => openings::openings(&args),
        Command::Show(args) => show::show(&args),
        Command::Play(args) => play::play(&args),
        Command::Convert(args) => convert::convert(&args),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::man(&args),
        Command::Guard => told(supervisor::stand()),
        Command::Confine { guard } => told(sandboxed_exec::become_engine(guard)),
        Command::Namespace { guard } => told(namespace::stand(guard)),
        Command::Probe { file, port, name } => told(probe::attempt(&file, port, &name)),
    };
    done.unwrap_or_else(|refusal| {
        output::tell_last(format!("{:?}", refusal.report));
        refusal.exit
    })
}

/// How a process ends that has told the arena what there was to tell.
fn told(done: std::io::Result<()>) -> Result<Exit, Refusal> {
    Ok(if done.is_ok() { Exit::Done } else { Exit::Bug })
}
