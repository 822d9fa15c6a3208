//! `arena rate`: computes ratings from `games.csv` files.

use std::path::Path;

use super::error::CliError;
use super::exit::Exit;
use crate::terminal::patience::Patience;
use crate::terminal::{output, screen};
use clap::Args;
use fanorona_ratings::{Anchor, FitOptions, Prior, Superiority};
use fanorona_report::statistics::results_reader::GameResults;
use fanorona_report::statistics::standings::Standings;
use fanorona_report::{json, terminal};
use std::path::PathBuf;

pub(super) const HELP: &str = "\
Examples:
  arena rate results/full/games.csv
  arena rate monday/games.csv tuesday/games.csv --anchor random=0 --json

Only the columns white, black and result are required. Without a column pair, two consecutive \
games of the same engines with colours swapped form a pair. A sessions.csv beside a file is read \
too. The tables compare engines with neighbouring ratings. The output of --json also holds, for \
each kind, the matrix `los` (likelihood of superiority of the row's engine over the column's, in \
the order of the ratings; null with more than 60 engines) and `differences` (for every two \
engines, or with more than 200 for neighbours: pair counts by points, and rating difference and \
interval, with more than 60 for neighbours). Games that repeat earlier ones move for move add no information; a \
note gives their number.";

#[derive(Args, Debug)]
pub(super) struct RateArgs {
    /// The games.csv files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Fix the rating of an engine; may be given several times
    #[arg(long, value_name = "NAME=ELO")]
    anchor: Vec<String>,
    /// Standard deviation of the rating prior, in Elo; 0 for no prior
    #[arg(long, value_name = "SD", default_value_t = 1000.0)]
    prior: f64,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

pub(super) fn rate(args: &RateArgs) -> Result<Exit, CliError> {
    let usage = |why: &dyn std::fmt::Display| CliError::new(Exit::Usage, why);
    let anchors = args.anchor.iter().map(|text| anchor(text));
    let (prior, anchors) =
        (Prior::new(args.prior).map_err(|why| usage(&why))?, anchors.collect::<Result<_, _>>()?);
    let mut game_results = GameResults::default();
    for (place, file) in args.files.iter().enumerate() {
        game_results.read(file).map_err(|why| usage(&why))?;
        if args.files[..place].iter().any(|other| same_file(file, other)) {
            game_results.notes.push(format!(
                "{} is given more than once, so its games would count more than once: give every \
                 file once",
                file.display()
            ));
        }
    }
    let engines = game_results.sample.engines().len();
    let superiority = Superiority::from_engine_count(engines);
    if args.json && superiority == Superiority::OfNeighbours {
        game_results.notes.push(format!(
            "with more than {} engines, only neighbours in the ranking are compared",
            Superiority::MAX_COMPARED
        ));
    }
    let options = FitOptions { prior, anchors, superiority, ..FitOptions::default() };
    let patience = Patience::on_stderr();
    let standings = Standings::watched(&game_results, &options, &|at| patience.see(at));
    let standings = standings.map_err(|why| usage(&why))?;
    if args.json {
        let of_ratings = standings.notes().iter().map(ToString::to_string).collect();
        let notes = [game_results.notes, of_ratings].concat();
        output::print_line(json::ratings(&standings, &notes));
    } else {
        for note in &game_results.notes {
            output::eprint_line(format_args!("note: {note}"));
        }
        output::print_wrapped(terminal::standings(&standings, screen::width()).trim_start());
    }
    Ok(Exit::Done)
}

/// Whether two paths lead to the same file.
fn same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// Parses `NAME=ELO`; a name may contain `=`.
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
