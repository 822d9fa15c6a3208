//! The commands of the `arena` program.

mod arguments;
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
mod refusal;
mod report;
mod run;
mod salvage;
mod show;
mod signals;

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::{CommandFactory, Parser, Subcommand};

use miette::MietteHandlerOpts;

use crate::commands::exit::Exit;
use crate::engine::{namespace, probe, sandboxed_exec, supervisor};
use crate::terminal::output;
use check::CheckArgs;
use compare::CompareArgs;
use merge::MergeArgs;
use quick::QuickArgs;
use rate::RateArgs;
use refusal::CliError;
use report::ReportArgs;
use run::{ResumeArgs, RunArgs};

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
that is given by a path or with arguments is told the legal moves, so it need not know the rules. \
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
  arena check ./my-bot --only moves --only 601 --json
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
    /// Supervises an engine: starts it, and ends it with all its processes
    #[command(hide = true)]
    Supervisor,
    /// Executes the engine of a launch specification
    #[command(hide = true)]
    Confine {
        /// The expected parent process
        supervisor: i32,
    },
    /// Runs as the first process of the PID namespace of an engine
    #[command(hide = true)]
    Namespace {
        /// The parent process
        supervisor: i32,
    },
    /// Tests which restrictions of the sandbox are enforced
    #[command(hide = true)]
    Probe {
        /// A file to write
        file: PathBuf,
        /// A TCP port to connect to
        port: u16,
        /// An abstract socket to connect to
        name: String,
    },
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
        Command::Completions(args) => manual::completions(&args, Cli::command()),
        Command::Man(args) => manual::man(&args, Cli::command()),
        Command::Supervisor => told(supervisor::run()),
        Command::Confine { supervisor } => told(sandboxed_exec::become_engine(supervisor)),
        Command::Namespace { supervisor } => told(namespace::run(supervisor)),
        Command::Probe { file, port, name } => told(probe::attempt(&file, port, &name)),
    };
    done.unwrap_or_else(|refusal| {
        output::tell_last(format!("{:?}", refusal.report));
        refusal.exit
    })
}

/// How a process ends that has told the arena what there was to tell.
fn told(done: std::io::Result<()>) -> Result<Exit, CliError> {
    Ok(if done.is_ok() { Exit::Done } else { Exit::Bug })
}
