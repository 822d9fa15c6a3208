//! `arena extend`: a tournament gets more rounds, or further engines join it.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};

use super::arguments::{count, engine, engine_name};
use super::directory::{replace_config, resume_command};
use super::error::CliError;
use super::exit::Exit;
use super::resume::{ContinueArgs, continue_in, load_begun};
use fanorona_runner::session::check_config_unchanged;
use fanorona_tournament::config::{self, EngineConfig, Format, LoadError, Overrides, Tournament};
use fanorona_tournament::pairing::schedule::Schedule;
use fanorona_tournament::record::{Header, Lock, Tail, effective_config};

pub(super) const HELP: &str = "\
Examples:
  arena extend results/full --rounds 20         play on, to 20 rounds in all
  arena extend results/full bot-mcts
  arena extend results/full \"python3 my_bot.py\" --rounds 20
  arena extend results/full new.toml            with [[engine]] tables: names, options, limits

More rounds: every pairing is played as often, and earlier games keep their numbers. Not with stages \
or shards, and not once engines have joined.

More engines: every new one plays all others (in a gauntlet the first one), as many rounds as they \
have played or will play, and then the report is of all. Games that have been played stay as they are: \
the new ones follow them. The directory's config names the new engines with `joined`, and a tournament \
of that config from the start has the same games. For round-robins and gauntlets. Paths in a TOML file \
are relative to the `base` of the directory's config.toml.";

#[derive(Args, Debug)]
#[command(override_usage = "arena extend [OPTIONS] <DIR> [ENGINE]...")]
#[command(group(ArgGroup::new("more").args(["engines", "rounds"]).required(true).multiple(true)))]
pub(super) struct ExtendArgs {
    /// The results directory
    dir: PathBuf,
    /// Engines that join: bot names, command lines in quotes, or TOML files with [[engine]] tables
    #[arg(value_name = "ENGINE")]
    engines: Vec<String>,
    /// The number of rounds from now on, finished or not
    #[arg(long, value_name = "N", value_parser = count)]
    rounds: Option<NonZeroU32>,
    #[command(flatten)]
    how: ContinueArgs,
}

pub(super) fn extend(args: &ExtendArgs) -> Result<Exit, CliError> {
    let ExtendArgs { dir, engines, rounds, how } = args;
    let mut tournament = load_begun(dir, how)?;
    let lock = Lock::take(dir)?;
    let header = Tail::open(dir, [])?.header().clone();
    let mut extended = tournament.clone();
    if let Some(rounds) = *rounds {
        extended.rounds = rounds;
        check_rounds(args, &header, &tournament, &extended)?;
    }
    if !engines.is_empty() {
        extended = joined(dir, &header, &extended, engines)?;
    }
    replace_config(dir, &lock, header, &mut tournament, extended, how.force)?;
    continue_in(dir, tournament, lock, how)
}

fn refused(why: String, help: &str) -> CliError {
    CliError::with_help(Exit::Usage, why, help)
}

/// Fails if a tournament cannot have the rounds of the extended one. Additional rounds do not change
/// the numbers of earlier games.
fn check_rounds(
    args: &ExtendArgs,
    header: &Header,
    tournament: &Tournament,
    extended: &Tournament,
) -> Result<(), CliError> {
    let ExtendArgs { dir, engines, how, .. } = args;
    if Schedule::new(tournament).has_stages() {
        let why = format!("a {} cannot be extended", tournament.format.word());
        return Err(refused(why, "its stages depend on the rounds of the earlier ones"));
    }
    if !header.shard.is_whole() {
        let why = "a shard cannot be extended by itself".to_owned();
        return Err(refused(why, "merge all shards first, then extend the result"));
    }
    if tournament.engines.iter().any(|engine| engine.joined > 0) {
        let why = "a tournament that engines have joined cannot have more rounds".to_owned();
        if extended.rounds == tournament.rounds && are_in(tournament, engines) {
            return Err(refused(
                why,
                &format!("it has all this; play on: {}", resume_command(dir)),
            ));
        }
        let help = "the numbers of their games follow those of the present rounds";
        return Err(refused(why, help));
    }
    if extended.rounds.get() > Tournament::MAX_ROUNDS {
        let why = format!("--rounds {} is too large", extended.rounds);
        let help = format!("a tournament has at most {} rounds", Tournament::MAX_ROUNDS);
        return Err(refused(why, &help));
    }
    if header.config != effective_config::checksum(extended) && extended.rounds <= tournament.rounds
    {
        check_config_unchanged(dir, tournament, header, how.force)?;
        let why = format!("the tournament has {} rounds already", tournament.rounds);
        return Err(refused(why, "give a larger number to --rounds"));
    }
    Ok(())
}

/// Whether a tournament has engines with the names of all these.
fn are_in(tournament: &Tournament, engines: &[String]) -> bool {
    let is_in = |engine: &EngineConfig| tournament.names().any(|name| name == engine.name);
    engines.iter().all(|text| match text.ends_with(".toml") {
        true => config::load_engines(Path::new(text), &[]).is_ok_and(|all| all.iter().all(is_in)),
        false => {
            engine(text).is_ok_and(|it| tournament.names().any(|name| name == engine_name(&it)))
        }
    })
}

/// The tournament that these engines have joined.
fn joined(
    dir: &Path,
    header: &Header,
    tournament: &Tournament,
    engines: &[String],
) -> Result<Tournament, CliError> {
    if !matches!(tournament.format, Format::RoundRobin | Format::Gauntlet) {
        let why = match tournament.format {
            Format::Candidates => {
                "candidates cannot join: the error is over those of the beginning".to_owned()
            }
            other => format!("engines cannot join a {}", other.word()),
        };
        return Err(refused(why, "they can join a round-robin or a gauntlet"));
    }
    if !header.shard.is_whole() {
        let why = "engines cannot join a shard".to_owned();
        return Err(refused(why, "merge all shards first, then add engines to the result"));
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
    checked(&extended, dir)
}

/// The engines of a TOML file.
fn of_file(path: &Path, tournament: &Tournament) -> Result<Vec<EngineConfig>, CliError> {
    config::load_engines(path, &tournament.engines).map_err(|error| match error {
        LoadError::Wrong(errors) => CliError::from_config(errors),
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
        let help = "if it has joined before, continue with `arena resume`; otherwise give it another \
                    name in a TOML file with an [[engine]] table, and give that";
        return Err(CliError::with_help(Exit::Usage, why, help));
    }
    let here = std::env::current_dir().and_then(dunce::canonicalize).map_err(|why| usage(&why))?;
    let names_files = config::is_path(&engine.command) || !engine.args.is_empty();
    if names_files && here != tournament.base {
        if config::is_path(&engine.command) {
            engine.command = here.join(&engine.command).to_string_lossy().into_owned();
        }
        engine.dir = Some(here);
    }
    Ok(engine)
}

/// The tournament as `arena resume` will read it; fails where the config reader would.
fn checked(tournament: &Tournament, dir: &Path) -> Result<Tournament, CliError> {
    let dir = dunce::canonicalize(dir).map_err(|why| CliError::new(Exit::Usage, why))?;
    let text = tournament.to_toml(&dir);
    config::parse("the extended config", &text, &dir, &Overrides::default())
        .map_err(CliError::from_config)
}
