//! `arena compare`: what has changed between two tournaments.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::directory::Unfinished;
use super::error::CliError;
use super::exit::Exit;
use super::rate;
use crate::terminal::{output, screen};
use clap::Args;
use fanorona_ratings::FitOptions;
use fanorona_report::comparison;
use fanorona_report::statistics::comparison::{Comparison, RatedTournament};
use fanorona_report::statistics::results_reader::GameResults;
use fanorona_report::statistics::standings::Standings;
use fanorona_tournament::config::{self, EngineConfig, Overrides, Tournament};
use fanorona_tournament::machine::Machine;
use fanorona_tournament::record::effective_config;

pub(super) const HELP: &str = "\
Examples:
  arena compare results/before results/after
  arena compare results/before results/after --anchor greedy=0 --json

DIR is a results directory or a games.csv file. Each tournament is rated separately, relative to \
the mean of its own engines. If an engine changed, that mean changes with it: fix an engine that \
is the same in both by --anchor, and the changes are relative to that engine.";

#[derive(Args, Debug)]
pub(super) struct CompareArgs {
    /// The earlier tournament
    #[arg(value_name = "DIR")]
    first: PathBuf,
    /// The later tournament
    #[arg(value_name = "DIR")]
    second: PathBuf,
    /// Fix the rating of an engine that played in both; may be given several times
    #[arg(long, value_name = "NAME=ELO")]
    anchor: Vec<String>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

pub(super) fn compare(args: &CompareArgs) -> Result<Exit, CliError> {
    let anchors = args.anchor.iter().map(|text| rate::anchor(text));
    let options = FitOptions { anchors: anchors.collect::<Result<_, _>>()?, ..Default::default() };
    let (first, one) = read(&args.first, &options)?;
    let (second, other) = read(&args.second, &options)?;
    let recorded = recorded(&args.first).zip(recorded(&args.second));
    let differing =
        recorded.as_ref().map_or(Vec::new(), |((one, _), (other, _))| differing(one, other));
    let same = recorded.filter(|_| differing.is_empty()).map_or(BTreeSet::new(), same_programs);
    let mut compared = Comparison::new(
        RatedTournament { game_results: &first, standings: &one },
        RatedTournament { game_results: &second, standings: &other },
        &same,
    );
    if !differing.is_empty() {
        compared.notes.push(format!(
            "the tournaments differ in {}: a change may be that of the game, not of the engine",
            differing.join(", ")
        ));
    }
    compared.notes.extend(first.notes.into_iter().chain(second.notes));
    if args.json {
        output::print_line(comparison::json(&compared));
    } else {
        output::print_wrapped(comparison::text(&compared, screen::width()).trim_end());
    }
    Ok(Exit::Done)
}

/// The tournament of a results directory, and the machine that played it.
type Recorded = (Tournament, Machine);

fn recorded(dir: &Path) -> Option<Recorded> {
    let config = config::load(&dir.join(effective_config::CONFIG), &Overrides::default());
    Some((config.ok()?, Machine::read(dir)?))
}

/// The settings, other than of engines, that two tournaments do not share and that decide games.
fn differing(one: &Tournament, other: &Tournament) -> Vec<&'static str> {
    let settings = [
        ("board", one.board == other.board),
        ("rules", one.rules == other.rules),
        ("openings", one.openings == other.openings),
        ("adjudication", one.adjudication == other.adjudication),
    ];
    settings.into_iter().filter(|(_, same)| !same).map(|(name, _)| name).collect()
}

/// The engines that are the same programs with the same arguments, options and limits in both
/// tournaments, as far as their files tell.
fn same_programs(((one, before), (other, now)): (Recorded, Recorded)) -> BTreeSet<String> {
    let program = |machine: &Machine, name: &str| {
        machine.programs().iter().find(|program| program.name == name).cloned()
    };
    let is_same = |engine: &&EngineConfig| {
        let name = &engine.name;
        let said = |tournament: &Tournament, it: &EngineConfig| {
            (it.args.clone(), it.env.clone(), it.options.clone(), tournament.limit_of(it))
        };
        let again = other.engines.iter().find(|it| it.name == *name);
        let programs = program(&before, name).zip(program(&now, name));
        again.is_some_and(|it| said(&one, engine) == said(&other, it))
            && programs.is_some_and(|(before, now)| before.has_same_files(&now))
    };
    one.engines.iter().filter(is_same).map(|engine| engine.name.clone()).collect()
}

/// The results of a directory or of a games.csv, and their standings.
fn read(path: &Path, options: &FitOptions) -> Result<(GameResults, Standings), CliError> {
    let usage = |why: &dyn std::fmt::Display| CliError::new(Exit::Usage, why);
    let file: PathBuf = if path.is_dir() { path.join("games.csv") } else { path.to_owned() };
    if path.is_dir() {
        Unfinished::check(path)?;
    }
    if path.is_dir() && !file.exists() {
        return Err(CliError::with_help(
            Exit::Usage,
            format!("{} is not a results directory: it has no games.csv", path.display()),
            "name a directory that `arena run` has written, or a games.csv file",
        ));
    }
    let mut game_results = GameResults::default();
    game_results.read(&file).map_err(|why| usage(&why))?;
    let standings = Standings::new(&game_results, options)
        .map_err(|why| usage(&format_args!("{}: {why}", path.display())))?;
    Ok((game_results, standings))
}
