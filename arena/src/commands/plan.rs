//! `arena plan`: what a tournament will come to, without starting an engine.

use std::path::PathBuf;

use clap::Args;
use indicatif::{HumanBytes, HumanDuration};

use super::Refusal;
use super::output::say;
use super::run::load;
use crate::config::Overrides;
use crate::exit::Exit;
use crate::kind::Kind;
use crate::openings::Openings;
use crate::outlook::{Begin, Outlook};

pub(super) const HELP: &str = "\
Examples:
  arena plan configs/full.toml
  arena plan mine.toml --rounds 500 --concurrency 8
  arena plan mine.toml --json

No engine is started, nor even looked for. Time is what it takes when every engine uses its limit up; \
what is assumed about lengths of games and speed is said with it.";

#[derive(Args, Debug)]
pub(super) struct PlanArgs {
    /// The tournament's config, a TOML file
    config: PathBuf,
    /// Pairs per pairing and kind, instead of the config's
    #[arg(long, value_name = "N")]
    rounds: Option<std::num::NonZeroU32>,
    /// Games played at once, instead of the config's
    #[arg(long, value_name = "N")]
    concurrency: Option<std::num::NonZeroU32>,
    /// The seed of every random choice, instead of the config's
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn plan(args: &PlanArgs) -> Result<Exit, Refusal> {
    let overrides =
        Overrides { rounds: args.rounds, concurrency: args.concurrency, seed: args.seed };
    let tournament = load(&args.config, &overrides)?;
    let openings = Openings::load(&tournament).map_err(|why| Refusal::new(Exit::Usage, why))?;
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let outlook = Outlook::new(&tournament, &openings, cores);
    if args.json {
        say(serde_json::to_string_pretty(&outlook).expect("an outlook is numbers and names"));
    } else {
        say(in_words(&outlook).trim_end());
    }
    Ok(Exit::Done)
}

fn in_words(outlook: &Outlook) -> String {
    let Outlook { name, format, rounds, engines, concurrency, assumptions, .. } = outlook;
    let count = |number: u64, one: &str, more: &str| {
        format!("{number} {}", if number == 1 { one } else { more })
    };
    let of_kind = |pairings: u64, kind: Kind| match kind {
        Kind::Session => count(pairings, "session", "sessions"),
        kind => format!("{pairings} {kind}"),
    };
    let kinds: Vec<String> =
        outlook.kinds.iter().map(|kind| of_kind(kind.pairings, kind.kind)).collect();
    let mut text = format!(
        "{name}: {format}, {} engines, {}\n{}: {}; {concurrency} at once\n\n",
        engines.len(),
        count(u64::from(*rounds), "round", "rounds"),
        count(outlook.pairings, "game", "games"),
        kinds.join(", "),
    );
    let longest = engines.iter().map(|engine| engine.name.chars().count()).max().unwrap_or(0);
    for engine in engines {
        let kinds = outlook.kinds.iter().zip(&engine.pairings);
        let games: Vec<String> =
            kinds.map(|(kind, &pairings)| of_kind(pairings, kind.kind)).collect();
        text += &format!("{:longest$}  {}  {}\n", engine.name, games.join(", "), engine.limit);
    }
    let seconds = std::time::Duration::try_from_secs_f64(outlook.seconds);
    let time = seconds.map_or("for ever".to_owned(), |time| HumanDuration(time).to_string());
    text += &format!(
        "\ntime: about {time}, if every limit is used up\nroom: about {}\n\
         assumed: {} plies a riatra, {} a vela (9x5; others by their points),\n  \
         {} games a session, {} nodes a second, {} s a turn of given depth\n\nfirst games:\n",
        HumanBytes(outlook.bytes as u64),
        assumptions.riatra_plies,
        assumptions.vela_plies,
        assumptions.session_riatras + assumptions.session_velas,
        assumptions.nodes_per_second,
        assumptions.depth_seconds,
    );
    for begin in &outlook.openings {
        let Begin { game, kind, first, second, start, turns } = begin;
        let turns = if turns.is_empty() { start } else { turns };
        text += &format!("{game:>5} {kind} {first} - {second}: {turns}\n");
    }
    text
}
