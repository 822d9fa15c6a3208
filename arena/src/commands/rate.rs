//! `arena rate`: ratings of any `games.csv`.

use std::path::Path;

use super::exit::Exit;
use super::refusal::CliError;
use crate::ratings::{Anchor, FitOptions, Prior, Superiority};
use crate::report::{json, terminal};
use crate::statistics::results_reader::GameResults;
use crate::statistics::standings::Standings;
use crate::terminal::{output, screen};
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(super) struct RateArgs {
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

pub(super) fn rate(args: &RateArgs) -> Result<Exit, CliError> {
    let usage = |why: &dyn std::fmt::Display| CliError::new(Exit::Usage, why);
    let anchors = args.anchor.iter().map(|text| anchor(text));
    let options = FitOptions {
        prior: Prior::new(args.prior).map_err(|why| usage(&why))?,
        anchors: anchors.collect::<Result<_, _>>()?,
        superiority: match args.json {
            true => Superiority::OfAll,
            false => Superiority::OfNeighbours,
        },
    };
    let mut contests = GameResults::default();
    for (place, file) in args.files.iter().enumerate() {
        contests.read(file).map_err(|why| usage(&why))?;
        if args.files[..place].iter().any(|other| same_file(file, other)) {
            contests.notes.push(format!(
                "{} is given more than once, and so counts more than once: give every file once",
                file.display()
            ));
        }
    }
    let standings = Standings::new(&contests, &options).map_err(|why| usage(&why))?;
    if args.json {
        let notes = [contests.notes, standings.notes()].concat();
        output::say(json::ratings(&standings, &notes));
    } else {
        for note in &contests.notes {
            output::tell(format_args!("note: {note}"));
        }
        output::prose(terminal::standings(&standings, screen::width()).trim_start());
    }
    Ok(Exit::Done)
}

/// Whether two paths lead to one file.
fn same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// Reads `NAME=ELO`; a name may contain `=` itself.
pub(super) fn anchor(text: &str) -> Result<Anchor, CliError> {
    let parsed = text.rsplit_once('=').and_then(|(name, elo)| Some((name, elo.parse().ok()?)));
    match parsed {
        Some((name, elo)) => Ok(Anchor { engine: name.to_owned(), elo }),
        None => Err(CliError::new(
            Exit::Usage,
            format!("`--anchor {text}`: expected NAME=ELO, like random=0"),
        )),
    }
}
