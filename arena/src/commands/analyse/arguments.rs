//! The arguments of `arena analyse`, and which of them go together.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::super::analyst::LimitArgs;
use super::super::error::CliError;
use super::super::exit::Exit;
use fanorona_tournament::pairing::ids::GameId;

#[derive(Args, Debug)]
#[command(group(ArgGroup::new("judge").args(["engine", "oracle"]).required(true)))]
pub(crate) struct AnalyseArgs {
    /// An FGN file, a games.csv file or a results directory
    #[arg(value_name = "FILE|DIR")]
    pub(super) file: PathBuf,
    /// An engine that judges the moves by its scores: a bot's name, or a command line in quotes
    #[arg(long, value_name = "ENGINE")]
    pub(super) engine: Option<String>,
    /// An engine that knows exact values, for all games of a results directory
    #[arg(long, value_name = "ENGINE",
          conflicts_with_all = ["nodes", "limit", "lines", "game", "out", "json"])]
    pub(super) oracle: Option<String>,
    /// Set an option of the engine; may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    pub(super) option: Vec<String>,
    #[command(flatten)]
    pub(super) limit: LimitArgs,
    /// Lines to search in each position, for engines with the option MultiPV; --json shows them
    /// [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(super) lines: Option<u32>,
    /// Analyse only this game: 17, or 17.2 in a session; may be given several times
    #[arg(long, value_name = "GAME")]
    pub(super) game: Vec<GameId>,
    /// Write the games with comments to an FGN file
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Print JSON, one object per game
    #[arg(long)]
    pub(super) json: bool,
    /// Analyse a results directory even if its config has changed since the tournament began
    #[arg(long)]
    pub(super) force: bool,
}

impl AnalyseArgs {
    /// Whether all games of a results directory are judged.
    pub(super) fn is_of_tournament(&self) -> bool {
        self.file.is_dir() && self.game.is_empty()
    }

    /// Fails for options that are about printing games.
    pub(super) fn check_of_tournament(&self) -> Result<(), CliError> {
        if self.lines.is_none() && self.out.is_none() && !self.json {
            return Ok(());
        }
        let dir = self.file.display();
        Err(CliError::with_help(
            Exit::Usage,
            format!(
                "--lines, --out and --json do not go with all games of the tournament in {dir}"
            ),
            format!("name single games, like --game 1, or the file of all: {dir}/games.csv"),
        ))
    }

    /// Fails for options that are about results directories.
    pub(super) fn check_of_games(&self) -> Result<(), CliError> {
        if !self.force {
            return Ok(());
        }
        let why = "--force is for all games of a results directory";
        Err(CliError::with_help(Exit::Usage, why, "leave it out"))
    }
}
