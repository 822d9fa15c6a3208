//! `arena rate`: ratings of any `games.csv`.

use super::{RateArgs, Refusal, output, screen};
use crate::contests::Contests;
use crate::exit::Exit;
use crate::ratings::{Anchor, FitOptions, Prior, Superiority};
use crate::report::{json, terminal};
use crate::standings::Standings;

pub(super) fn rate(args: &RateArgs) -> Result<Exit, Refusal> {
    let usage = |why: &dyn std::fmt::Display| Refusal::new(Exit::Usage, why);
    let anchors = args.anchor.iter().map(|text| anchor(text));
    let options = FitOptions {
        prior: Prior::new(args.prior).map_err(|why| usage(&why))?,
        anchors: anchors.collect::<Result<_, _>>()?,
        superiority: match args.json {
            true => Superiority::OfAll,
            false => Superiority::OfNeighbours,
        },
    };
    let mut contests = Contests::default();
    for file in &args.files {
        contests.read(file).map_err(|why| usage(&why))?;
    }
    let standings = Standings::new(&contests, &options).map_err(|why| usage(&why))?;
    if args.json {
        output::say(json::ratings(&standings, &contests.notes));
    } else {
        for note in &contests.notes {
            output::tell(format_args!("note: {note}"));
        }
        output::prose(terminal::standings(&standings, screen::width()).trim_start());
    }
    Ok(Exit::Done)
}

/// Reads `NAME=ELO`; a name may contain `=` itself.
pub(super) fn anchor(text: &str) -> Result<Anchor, Refusal> {
    let parsed = text.rsplit_once('=').and_then(|(name, elo)| Some((name, elo.parse().ok()?)));
    match parsed {
        Some((name, elo)) => Ok(Anchor { engine: name.to_owned(), elo }),
        None => Err(Refusal::new(
            Exit::Usage,
            format!("`--anchor {text}`: expected NAME=ELO, like random=0"),
        )),
    }
}
