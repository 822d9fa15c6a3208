//! `arena add`: further engines join a tournament.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use super::arguments::{engine, engine_name};
use super::directory::{load_results, replace_config};
use super::error::CliError;
use super::exit::Exit;
use super::run::{ContinueArgs, continue_in};
use fanorona_tournament::config::{self, EngineConfig, Format, LoadError, Overrides, Tournament};
use fanorona_tournament::record::{Lock, Tail};

pub(super) const HELP: &str = "\
Examples:
  arena add results/full bot-mcts
  arena add results/full \"python3 my_bot.py\"
  arena add results/full new.toml               with [[engine]] tables: names, options, limits

Every new engine plays all others (in a gauntlet the first one), as many rounds as they have played, \
and then the report is of all. Games that have been played stay as they are: the new ones follow them. \
The directory's config names the new engines with `joined`, and a tournament of that config from the \
start has the same games. For round-robins and gauntlets. Paths in a TOML file are relative to the \
`base` of the directory's config.toml.";

#[derive(Args, Debug)]
pub(super) struct AddArgs {
    /// The results directory
    dir: PathBuf,
    /// The engines: bot names, command lines in quotes, or TOML files with [[engine]] tables
    #[arg(required = true, value_name = "ENGINE")]
    engines: Vec<String>,
    #[command(flatten)]
    how: ContinueArgs,
}

pub(super) fn add(args: &AddArgs) -> Result<Exit, CliError> {
    let AddArgs { dir, engines, how } = args;
    let overrides = Overrides { concurrency: how.concurrency, ..Overrides::default() };
    let mut tournament = load_results(dir, &overrides)?;
    let lock = Lock::take(dir)?;
    let header = Tail::open(dir, [])?.header().clone();
    let refused = |why: String, help: &str| Err(CliError::with_help(Exit::Usage, why, help));
    if !matches!(tournament.format, Format::RoundRobin | Format::Gauntlet) {
        let why = format!("engines cannot join a {}", tournament.format.word());
        return refused(why, "they can join a round-robin or a gauntlet");
    }
    if !header.shard.is_whole() {
        let why = "engines cannot join a shard".to_owned();
        return refused(why, "merge all shards first, then add engines to the result");
    }
    let mut extended = tournament.clone();
    for text in engines {
        let new = match text.ends_with(".toml") {
            true => of_file(Path::new(text), &extended)?,
            false => vec![of_command(text, &extended)?],
        };
        extended.engines.extend(new);
    }
    let joined = tournament.engines.last().map_or(0, |engine| engine.joined) + 1;
    let before = tournament.engines.len();
    extended.engines[before..].iter_mut().for_each(|engine| engine.joined = joined);
    let extended = checked(&extended, dir)?;
    replace_config(dir, &lock, header, &mut tournament, extended, how.force)?;
    continue_in(dir, tournament, lock, how)
}

/// The engines of a TOML file.
fn of_file(path: &Path, tournament: &Tournament) -> Result<Vec<EngineConfig>, CliError> {
    config::load_engines(path, &tournament.engines).map_err(|error| match error {
        LoadError::Wrong(errors) => CliError::of_config(errors),
        other => CliError::new(Exit::Usage, other),
    })
}

/// An engine from the command line. Its paths are relative to the current directory.
fn of_command(text: &str, tournament: &Tournament) -> Result<EngineConfig, CliError> {
    let usage =
        |why: &dyn std::fmt::Display| CliError::new(Exit::Usage, format!("engine `{text}`: {why}"));
    let mut engine = engine(text).map_err(|why| usage(&why))?;
    engine.name = engine_name(&engine);
    if tournament.names().any(|name| name == engine.name) {
        let why = format!("the tournament has an engine named `{}` already", engine.name);
        let help = "if it was added before, continue with `arena resume`; otherwise give it another \
                    name in a TOML file with an [[engine]] table, and add that";
        return Err(CliError::with_help(Exit::Usage, why, help));
    }
    let here = std::env::current_dir().and_then(fs::canonicalize).map_err(|why| usage(&why))?;
    let names_files = engine.command.contains('/') || !engine.args.is_empty();
    if names_files && here != tournament.base {
        if engine.command.contains('/') {
            engine.command = here.join(&engine.command).to_string_lossy().into_owned();
        }
        engine.dir = Some(here);
    }
    Ok(engine)
}

/// The tournament as `arena resume` will read it; fails where the config reader would.
fn checked(tournament: &Tournament, dir: &Path) -> Result<Tournament, CliError> {
    let dir = fs::canonicalize(dir).map_err(|why| CliError::new(Exit::Usage, why))?;
    let text = tournament.to_toml(&dir);
    config::parse("the extended config", &text, &dir, &Overrides::default())
        .map_err(CliError::of_config)
}
