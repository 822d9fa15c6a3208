//! `arena plan`: what a tournament will come to, without starting an engine.

use std::path::PathBuf;

use clap::Args;
use indicatif::{HumanBytes, HumanDuration};

use super::exit::Exit;
use super::refusal::CliError;
use super::run::load;
use crate::config::{Format, Limit, OpeningSource, Overrides, Tournament};
use crate::pairing::openings::Openings;
use crate::ratings::kind::Kind;
use crate::terminal::output::{prose, say};
use crate::text::plural::counted;
use crate::tournament::estimate::{Begin, OfLines, WorkEstimate};

pub(super) const HELP: &str = "\
Examples:
  arena plan configs/full.toml
  arena plan mine.toml --rounds 500 --concurrency 8
  arena plan mine.toml --json

No engine is started, nor even looked for. Where results decide how many games are played, as in a \
knockout or under [sprt], the least and the most are said, and time and room are those of the most. \
Time is what it takes when every engine uses its limit up; what is assumed about lengths of games and \
speed is said with it.";

#[derive(Args, Debug)]
pub(super) struct PlanArgs {
    /// The tournament's config, a TOML file
    config: PathBuf,
    /// Pairs per pairing and kind, instead of the config's
    #[arg(long, value_name = "N", value_parser = super::arguments::count)]
    rounds: Option<std::num::NonZeroU32>,
    /// Games played at once, instead of the config's
    #[arg(long, value_name = "N", value_parser = super::arguments::count)]
    concurrency: Option<std::num::NonZeroU32>,
    /// The seed of every random choice, instead of the config's
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn plan(args: &PlanArgs) -> Result<Exit, CliError> {
    let overrides =
        Overrides { rounds: args.rounds, concurrency: args.concurrency, seed: args.seed };
    let tournament = load(&args.config, &overrides)?;
    let openings = Openings::load(&tournament).map_err(|why| CliError::new(Exit::Usage, why))?;
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let outlook = WorkEstimate::new(&tournament, &openings, cores);
    if args.json {
        say(serde_json::to_string_pretty(&outlook).expect("an outlook is numbers and names"));
    } else {
        prose(in_words(&outlook, &tournament).trim_end());
    }
    Ok(Exit::Done)
}

fn in_words(outlook: &WorkEstimate, tournament: &Tournament) -> String {
    let WorkEstimate { name, format, rounds, engines, concurrency, assumptions, .. } = outlook;
    let span = |least: u64, most: u64, one: &str, more: &str| match least == most {
        true => counted(most, one, more),
        false => format!("{least} to {}", counted(most, one, more)),
    };
    let of_kind = |least: u64, most: u64, kind: Kind| match kind {
        Kind::Session => span(least, most, "session", "sessions"),
        kind => span(least, most, kind.name(), kind.name()),
    };
    let kinds: Vec<String> =
        outlook.kinds.iter().map(|of| of_kind(of.at_least, of.pairings, of.kind)).collect();
    let mut text = format!(
        "{name}: {format}, {} engines, {}\n{}: {}; {concurrency} at once\n\n",
        engines.len(),
        counted(u64::from(*rounds), "round", "rounds"),
        span(outlook.at_least, outlook.pairings, "game", "games"),
        kinds.join(", "),
    );
    let longest = engines.iter().map(|engine| engine.name.chars().count()).max().unwrap_or(0);
    for engine in engines {
        let spans = engine.at_least.iter().zip(&engine.pairings);
        let kinds = outlook.kinds.iter().zip(spans);
        let games: Vec<String> =
            kinds.map(|(of, (&least, &most))| of_kind(least, most, of.kind)).collect();
        text += &format!("{:longest$}  {}  {}\n", engine.name, games.join(", "), engine.limit);
    }
    if let Some(why) = undecided(tournament) {
        text += &format!("\n{why}\n");
    }
    let at_most = if outlook.at_least == outlook.pairings { "" } else { "at most " };
    let seconds = std::time::Duration::try_from_secs_f64(outlook.seconds);
    let time = seconds.map_or("for ever".to_owned(), |time| HumanDuration(time).to_string());
    text += &format!(
        "\ntime: {at_most}about {time}, if every limit is used up\nroom: {at_most}about {}\n\
         assumed: {} plies a riatra, {} a vela (9x5; others by their points),\n  \
         {} games a session, {} nodes a second, {} s a move of given depth\n",
        HumanBytes(outlook.bytes as u64),
        assumptions.riatra_plies,
        assumptions.vela_plies,
        assumptions.session_riatras + assumptions.session_velas,
        assumptions.nodes_per_second,
        assumptions.depth_seconds,
    );
    text += &format!("openings: {}\n\nfirst games:\n", openings_in_words(outlook, tournament));
    for begin in &outlook.openings {
        let Begin { game, kind, first, second, start, moves } = begin;
        let moves = if moves.is_empty() { start } else { moves };
        text += &format!("{game:>5} {kind} {first} - {second}: {moves}\n");
    }
    text
}

/// Why it is not known how many games will be played, or by whom.
fn undecided(tournament: &Tournament) -> Option<String> {
    let odd = tournament.engines.len() % 2 == 1;
    Some(match tournament.format {
        _ if tournament.sprt.is_some() => "it ends as soon as its test is decided".to_owned(),
        Format::Swiss { stages } if odd => {
            format!("in each of {stages} stages another engine sits out; results decide which")
        }
        Format::Knockout { tiebreaks } => format!(
            "whoever loses an encounter is out; one that is level has up to {tiebreaks} more rounds"
        ),
        _ => return None,
    })
}

/// How many openings there are, and whether that is enough.
fn openings_in_words(outlook: &WorkEstimate, tournament: &Tournament) -> String {
    let rounds = outlook.lines_wanted;
    let lines = |of: &OfLines| Some(format!("{} for {}", of.lines?, of.kind));
    let counts: Vec<String> = outlook.lines.iter().filter_map(lines).collect();
    let limit = |engine| tournament.limit_of(engine);
    let counted = tournament
        .engines
        .iter()
        .all(|engine| matches!(limit(engine), Limit::Nodes(_) | Limit::Depth(_)));
    let few = |of: &OfLines| of.lines.is_some_and(|lines| (lines as u64) < rounds);
    let again = match outlook.lines.iter().any(few) {
        true if counted => format!(
            "; two engines meet {rounds} times, so they come again, and under limits of nodes or depth \
             engines that leave nothing to chance then repeat games, which tells nothing new"
        ),
        true => format!("; two engines meet {rounds} times, so they come again"),
        false => String::new(),
    };
    match &tournament.openings {
        OpeningSource::Start => {
            "none; engines that leave nothing to chance repeat a game".to_owned()
        }
        OpeningSource::Named => format!("the five named ones{again}"),
        OpeningSource::Random { plies } => format!(
            "{plies} random moves, many of them one-sided; `arena openings` chooses even ones by an \
             engine"
        ),
        OpeningSource::File { path, .. } => {
            format!("{} of {}{again}", counts.join(", "), path.display())
        }
    }
}
