//! The commands of the `arena` program: arguments, help texts and exit codes.

mod analyse;
mod analyst;
mod arguments;
mod check;
#[cfg(feature = "cluster")]
mod cluster;
mod compare;
mod convert;
mod diff;
mod directory;
mod doctor;
mod error;
pub mod exit;
mod extend;
mod games;
mod generate;
mod groups;
mod init;
mod league;
mod logging;
mod machines;
mod measure;
mod merge;
mod openings;
mod plan;
mod play;
mod playing;
mod prepare;
mod puzzles;
mod quick;
mod rate;
mod recorded;
mod replay;
mod report;
mod resume;
mod run;
mod salvage;
mod serve;
mod show;
mod signals;
mod site;
mod site_tables;
mod spectators;
mod sprt;
mod verify;
mod web;

use std::io::IsTerminal;

use clap::{CommandFactory, Parser, Subcommand};

use miette::MietteHandlerOpts;

use crate::commands::error::CliError;
use crate::commands::exit::Exit;
use crate::terminal::{output, stdout};
use check::CheckArgs;
use compare::CompareArgs;
use logging::LoggingArgs;
use merge::MergeArgs;
use quick::QuickArgs;
use rate::RateArgs;
use report::ReportArgs;
use resume::ResumeArgs;
use run::RunArgs;

/// Run tournaments between Fanorona engines
#[derive(Parser, Debug)]
#[command(name = "arena", version, propagate_version = true)]
#[command(help_template = groups::help_template::<Command>())]
#[command(after_help = "\
`arena COMMAND --help` describes a command with its options and examples.

Exit codes: 0 success; 1 a bug of the arena; 2 invalid usage, config or input file; 3 with \
--strict, an engine was at fault or a game has no result; 5 a check failed; 6 an engine did not \
start; 74 output could not be written, as on a full disk, or the machine lacks resources to start \
engines; 129, 130, 143 stopped by SIGHUP, SIGINT, SIGTERM. Finished games are always kept.")]
pub struct Cli {
    #[command(flatten)]
    logging: LoggingArgs,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Play engines against each other without a config
    #[command(after_help = quick::HELP)]
    Quick(QuickArgs),
    /// Play a tournament, or tune an engine's options
    #[command(after_help = run::HELP)]
    Run(RunArgs),
    /// Continue an interrupted tournament
    #[command(after_help = resume::HELP)]
    Resume(ResumeArgs),
    /// Give a tournament more rounds or engines, and play their games
    #[command(after_help = extend::HELP)]
    Extend(extend::ExtendArgs),
    /// Play a recorded game again and keep the dialogue of both engines
    #[command(after_help = replay::HELP)]
    Replay(replay::ReplayArgs),
    /// Play against an engine in the terminal
    #[command(after_help = play::HELP)]
    Play(play::PlayArgs),
    /// Write the report and the tables of a tournament again
    #[command(after_help = report::HELP)]
    Report(ReportArgs),
    /// Show tournaments in a browser; play, analyse and study there
    #[command(after_help = serve::HELP)]
    Serve(serve::ServeArgs),
    /// Write the pages as files that need no arena: learn, play and analyse in any browser
    #[command(after_help = site::HELP)]
    Site(site::SiteArgs),
    /// Show a game in the terminal, move by move
    #[command(after_help = show::HELP)]
    Show(show::ShowArgs),
    /// Compute ratings from games.csv files
    #[command(after_help = rate::HELP)]
    Rate(RateArgs),
    /// Apply a sequential test (SPRT) to results that exist
    #[command(after_help = sprt::HELP)]
    Sprt(sprt::SprtArgs),
    /// Compare two tournaments: rating changes of the engines they share
    #[command(after_help = compare::HELP)]
    Compare(CompareArgs),
    /// Find where two engines choose differently, and which is right
    #[command(after_help = diff::HELP)]
    Diff(diff::DiffArgs),
    /// Find the mistakes in games, by an engine or by endgame tables
    #[command(after_help = analyse::HELP)]
    Analyse(analyse::AnalyseArgs),
    /// Convert games and positions between formats
    #[command(after_help = convert::HELP)]
    Convert(convert::ConvertArgs),
    /// Check an engine against the protocol and the rules
    #[command(after_help = check::HELP)]
    Check(CheckArgs),
    /// Select openings that an engine evaluates as balanced
    #[command(after_help = openings::HELP)]
    Openings(openings::OpeningsArgs),
    /// Find puzzles in games or in endgames
    // For those who make a collection; the pages have one.
    #[command(after_help = puzzles::HELP, hide = true)]
    Puzzles(puzzles::PuzzlesArgs),
    /// Run a standing competition: bots come, improve and go
    #[command(after_help = league::HELP)]
    League(league::LeagueArgs),
    /// Play one tournament on many machines
    #[cfg(feature = "cluster")]
    #[command(after_help = cluster::HELP)]
    Cluster(cluster::ClusterCommand),
    /// Merge the shards of a tournament into one results directory
    #[command(after_help = merge::HELP)]
    Merge(MergeArgs),
    /// Write a commented config to start from
    #[command(after_help = init::HELP)]
    Init(init::InitArgs),
    /// Estimate a tournament's games, time and disk space without playing
    #[command(after_help = plan::HELP)]
    Plan(plan::PlanArgs),
    /// Say what this machine enforces and offers
    #[command(after_help = doctor::HELP)]
    Doctor(doctor::DoctorArgs),
    /// Write shell completions or manual pages
    #[command(hide = true, after_help = generate::HELP)]
    Generate(generate::GenerateArgs),
}

/// Reads the command line, runs its command and returns the exit code.
pub fn main() -> Exit {
    lay_out_errors();
    let exit = match Cli::try_parse() {
        Ok(cli) => run(cli),
        Err(answer) => explain(&answer),
    };
    let Err(why) = stdout::finish() else { return exit };
    let unwritten = CliError::new(Exit::Storage, format!("cannot write standard output: {why}"));
    match exit {
        // Another error has been reported, and is the reason.
        Exit::Bug | Exit::Usage | Exit::EngineStart | Exit::Storage => exit,
        Exit::Done | Exit::Faults | Exit::CheckFailed => say(&unwritten),
        Exit::Hangup | Exit::Interrupt | Exit::Terminate => {
            say(&unwritten);
            exit
        }
    }
}

/// Prints the help or the version that was asked for, or what is wrong with the command line.
fn explain(answer: &clap::Error) -> Exit {
    let printed = answer.print();
    if answer.use_stderr() {
        if !cfg!(feature = "cluster") && asks_for_a_cluster(answer) {
            output::eprint_line(
                "this arena is built without the feature `cluster`; build it with: cargo build \
                 --release --features fanorona-arena/cluster",
            );
        }
        return Exit::Usage;
    }
    stdout::remember(printed);
    Exit::Done
}

/// Whether an unknown word of the command line is one of the feature `cluster`.
fn asks_for_a_cluster(answer: &clap::Error) -> bool {
    let words = ["--cluster", "cluster"];
    answer.context().any(|(_, value)| words.contains(&&*value.to_string()))
}

/// Prints an error as the last message and returns its exit code.
fn say(error: &CliError) -> Exit {
    output::eprint_last_line(format!("{:?}", error.report));
    error.exit
}

/// Sets how error messages look.
fn lay_out_errors() {
    // Error messages are wrapped for a terminal only: in a log, paths must stay in one piece.
    // miette fixes the layout of a report when the report is created, so the hook is set first.
    let wrap = std::io::stderr().is_terminal();
    // This is the only hook, so setting it cannot fail.
    let _ = miette::set_hook(Box::new(move |_| {
        // Break lines at spaces only, so that paths and hyphenated words can be copied.
        let options = MietteHandlerOpts::new()
            .wrap_lines(wrap)
            .break_words(false)
            .word_separator(textwrap::WordSeparator::AsciiSpace)
            .word_splitter(textwrap::WordSplitter::NoHyphenation);
        Box::new(options.build())
    }));
}

/// Runs a command and returns its exit code.
fn run(cli: Cli) -> Exit {
    if let Err(error) = cli.logging.begin() {
        return say(&error);
    }
    let done = match cli.command {
        Command::Quick(args) => quick::quick(&args),
        Command::Run(args) => run::run(&args),
        Command::Resume(args) => resume::resume(&args),
        Command::Extend(args) => extend::extend(&args),
        Command::Replay(args) => replay::replay(&args),
        Command::Play(args) => play::play(&args),
        Command::Report(args) => report::report(&args),
        Command::Serve(args) => serve::serve(&args),
        Command::Site(args) => site::site(&args),
        Command::Show(args) => show::show(&args),
        Command::Rate(args) => rate::rate(&args),
        Command::Sprt(args) => sprt::sprt(&args),
        Command::Compare(args) => compare::compare(&args),
        Command::Diff(args) => diff::diff(&args),
        Command::Analyse(args) => analyse::analyse(&args),
        Command::Convert(args) => convert::convert(&args),
        Command::Check(args) => check::check(&args),
        Command::Openings(args) => openings::openings(&args),
        Command::Puzzles(args) => puzzles::puzzles(&args),
        Command::League(args) => league::league(&args),
        #[cfg(feature = "cluster")]
        Command::Cluster(args) => cluster::cluster(&args),
        Command::Merge(args) => merge::merge(&args),
        Command::Init(args) => init::init(&args),
        Command::Plan(args) => plan::plan(&args),
        Command::Doctor(args) => doctor::doctor(&args),
        Command::Generate(args) => generate::generate(&args, Cli::command()),
    };
    done.unwrap_or_else(|error| say(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_command_lines_are_usage() {
        for (line, part) in [
            ("", "Begin here:"),
            ("walk", "unrecognized subcommand 'walk'"),
            ("run", "required"),
            ("run t.toml --rounds 0", "invalid value '0' for '--rounds"),
            ("run t.toml --concurrency x", "invalid value 'x' for '--concurrency"),
            ("rate", "required"),
            ("rate games.csv --prior much", "invalid value 'much' for '--prior"),
            ("check", "required"),
            ("check bot --level middling", "basic or full"),
            ("check bot --only everything", "expected handshake, options"),
            ("check bot --only 4711", "no check has the number 4711"),
            ("check bot --timeout soon", "not a duration"),
        ] {
            let words = ["arena"].into_iter().chain(line.split_whitespace());
            let answer = Cli::try_parse_from(words).expect_err(line);
            assert!(answer.to_string().contains(part), "{line}: {answer}");
            // Not an answer to a question such as `--help`.
            assert!(answer.use_stderr(), "{line}");
        }
    }
}
