//! `arena plan`: estimates a tournament without playing it.

use std::path::PathBuf;

use clap::Args;
use indicatif::{HumanBytes, HumanDuration};

use super::directory::load;
use super::error::CliError;
use super::exit::Exit;
use super::measure;
use crate::terminal::output::{print_line, print_wrapped};
use fanorona_engine::quota_of_this_process;
use fanorona_ratings::kind::Kind;
use fanorona_ratings::sprt::Remaining;
use fanorona_runner::capacity::Oversubscribed;
use fanorona_tournament::config::{Format, Limit, OpeningSource, Overrides, Tournament};
use fanorona_tournament::pairing::openings::Openings;
use fanorona_tournament::progress::estimate::{FirstGame, OpeningCount, WorkEstimate};
use fanorona_tournament::text::plural::counted;

pub(super) const HELP: &str = "\
Examples:
  arena plan configs/full.toml
  arena plan mine.toml --rounds 500 --concurrency 8
  arena plan mine.toml --json

Engines with node or depth limits play against themselves for a second at most, which tells how fast \
they are on this machine; --assume starts no engine. In formats where results decide the number of games, such as a \
knockout or [sprt], the output gives the minimum and the maximum; time and disk space are for the \
maximum. Engines with time limits are assumed to use them in full. The output lists what was \
measured, and the assumed game lengths and speeds.";

#[derive(Args, Debug)]
pub(super) struct PlanArgs {
    /// The tournament's config, a TOML file
    config: PathBuf,
    /// Pairs per pairing and kind, overriding the config
    #[arg(long, value_name = "N", value_parser = super::arguments::count)]
    rounds: Option<std::num::NonZeroU32>,
    /// Limit of engines without their own, overriding the config: 50ms per move, 1s+0.01s per game,
    /// 40/10s+0.01s for every 40 moves, nodes=1000, depth=4
    #[arg(long, value_name = "LIMIT")]
    limit: Option<Limit>,
    /// Games played at once, overriding the config
    #[arg(long, value_name = "N", value_parser = super::arguments::count)]
    concurrency: Option<std::num::NonZeroU32>,
    /// Seed for all random choices, overriding the config
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Start no engine, and assume how fast they are
    #[arg(long)]
    assume: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn plan(args: &PlanArgs) -> Result<Exit, CliError> {
    let PlanArgs { rounds, limit, concurrency, seed, .. } = *args;
    let overrides = Overrides { rounds, limit, concurrency, seed, ..Overrides::default() };
    let tournament = load(&args.config, &overrides)?;
    let openings = Openings::load(&tournament).map_err(|why| CliError::new(Exit::Usage, why))?;
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let mut estimate = WorkEstimate::new(&tournament, &openings, cores, &[]);
    if !args.assume {
        let speeds = measure::speeds(&tournament, &estimate.openings);
        estimate = WorkEstimate::new(&tournament, &openings, cores, &speeds);
    }
    let quota = quota_of_this_process();
    let refused = Oversubscribed::check(&tournament, cores as u32, quota.as_ref()).err();
    estimate.refused = refused.map(|why| format!("{why}; {}", why.help()));
    if args.json {
        print_line(
            serde_json::to_string_pretty(&estimate).expect("an estimate is numbers and names"),
        );
    } else {
        print_wrapped(in_words(&estimate, &tournament).trim_end());
    }
    Ok(Exit::Done)
}

fn in_words(estimate: &WorkEstimate, tournament: &Tournament) -> String {
    let WorkEstimate { name, format, rounds, engines, concurrency, assumptions, .. } = estimate;
    let span = |least: u64, most: u64, one: &str, more: &str| match least == most {
        true => counted(most, one, more),
        false => format!("{least} to {}", counted(most, one, more)),
    };
    let of_kind = |least: u64, most: u64, kind: Kind| match kind {
        Kind::Session => span(least, most, "session", "sessions"),
        kind => span(least, most, kind.name(), kind.name()),
    };
    let kinds: Vec<String> =
        estimate.kinds.iter().map(|of| of_kind(of.at_least, of.pairings, of.kind)).collect();
    let mut text = format!(
        "{name}: {format}, {} engines, {}\n{}: {}; {concurrency} at once\n\n",
        engines.len(),
        counted(u64::from(*rounds), "round", "rounds"),
        span(estimate.at_least, estimate.pairings, "game", "games"),
        kinds.join(", "),
    );
    let longest = engines.iter().map(|engine| engine.name.chars().count()).max().unwrap_or(0);
    for engine in engines {
        let spans = engine.at_least.iter().zip(&engine.pairings);
        let kinds = estimate.kinds.iter().zip(spans);
        let games: Vec<String> =
            kinds.map(|(of, (&least, &most))| of_kind(least, most, of.kind)).collect();
        let measured = engine.measured.map_or(String::new(), |speed| {
            let milliseconds = 1000.0 * speed.seconds_per_move;
            let places = if milliseconds >= 10.0 { 0 } else { 2 };
            format!(", here {milliseconds:.places$} ms per move")
        });
        let (games, limit) = (games.join(", "), &engine.limit);
        text += &format!("{:longest$}  {games}  {limit}{measured}\n", engine.name);
    }
    if let Some(why) = &estimate.refused {
        text += &format!("\n`arena run` refuses it here: {why}\n");
    }
    if let Some(why) = undecided(tournament) {
        text += &format!("\n{why}\n");
    }
    if let [at_h0, half_way, at_h1] = &estimate.test[..] {
        let of = |it: &Remaining| format!("{:.0} if the lead is {}", it.pairs, it.lead);
        let whose = match tournament.format {
            Format::Candidates => "of a candidate until it is decided",
            _ => "until then",
        };
        text += &format!(
            "mean number of pairs {whose}: {}, {}, {} (with a third of the games drawn)\n",
            of(at_h0),
            of(half_way),
            of(at_h1)
        );
    }
    let at_most = if estimate.at_least == estimate.pairings { "" } else { "at most " };
    let seconds = std::time::Duration::try_from_secs_f64(estimate.seconds);
    let time = seconds.map_or("unlimited".to_owned(), |time| HumanDuration(time).to_string());
    let limits = || tournament.engines.iter().map(|engine| tournament.limit_of(engine));
    let unmeasured = limits().zip(engines).filter(|(_, engine)| engine.measured.is_none());
    let unmeasured: Vec<Limit> = unmeasured.map(|(limit, _)| limit).collect();
    let timed = limits().any(|limit| limit.is_timed());
    let full = if timed { ", if engines use their full time" } else { "" };
    let mut assumed = vec![
        format!("{} plies per riatra", assumptions.riatra_plies),
        format!("{} per vela (9x5; other boards in proportion)", assumptions.vela_plies),
    ];
    if tournament.kinds.contains(&Kind::Session) {
        let games = assumptions.session_riatras + assumptions.session_velas;
        assumed.push(format!("{games} games per session"));
    }
    if unmeasured.iter().any(|limit| matches!(limit, Limit::Nodes(_))) {
        assumed.push(format!("{} nodes per second", assumptions.nodes_per_second));
    }
    if unmeasured.iter().any(|limit| matches!(limit, Limit::Depth(_))) {
        assumed.push(format!("{} s per move at fixed depth", assumptions.depth_seconds));
    }
    text += &format!(
        "\ntime: {at_most}about {time}{full}\ndisk space: {at_most}about {}\nassumptions: {}\n",
        HumanBytes(estimate.bytes as u64),
        assumed.join(", "),
    );
    text += &format!("openings: {}\n\nfirst games:\n", openings_in_words(estimate, tournament));
    for begin in &estimate.openings {
        let FirstGame { game, kind, first, second, start, moves } = begin;
        let moves = if moves.is_empty() { start } else { moves };
        text += &format!("{game:>5} {kind} {first} - {second}: {moves}\n");
    }
    text
}

/// Why the number of games or their opponents are not known in advance.
fn undecided(tournament: &Tournament) -> Option<String> {
    let odd = tournament.engines.len() % 2 == 1;
    Some(match tournament.format {
        _ if tournament.sprt.is_some() => {
            "the match ends as soon as the SPRT is decided".to_owned()
        }
        Format::Candidates => {
            "a candidate plays until it is decided, and the tournament ends with the last one"
                .to_owned()
        }
        Format::Race { .. } => {
            "the race ends as soon as the best is known; the maximum is far more than usual"
                .to_owned()
        }
        Format::Swiss { stages } if odd => {
            format!("one engine sits out in each of {stages} stages; results decide which")
        }
        Format::Knockout { tiebreaks } => format!(
            "the loser of an encounter is eliminated; a level encounter has up to {tiebreaks} \
             more rounds"
        ),
        _ => return None,
    })
}

/// The number of openings, and whether that is enough.
fn openings_in_words(estimate: &WorkEstimate, tournament: &Tournament) -> String {
    let rounds = estimate.lines_wanted;
    let lines = |of: &OpeningCount| Some(format!("{} for {}", of.lines?, of.kind));
    let counts: Vec<String> = estimate.lines.iter().filter_map(lines).collect();
    let limit = |engine| tournament.limit_of(engine);
    let counted = tournament
        .engines
        .iter()
        .all(|engine| matches!(limit(engine), Limit::Nodes(_) | Limit::Depth(_)));
    let few = |of: &OpeningCount| of.lines.is_some_and(|lines| (lines as u64) < rounds);
    let again = match estimate.lines.iter().any(few) {
        true if counted => format!(
            "; two engines meet {rounds} times, so openings repeat; under node or depth limits \
             deterministic engines then repeat games, which adds no information"
        ),
        true => format!("; two engines meet {rounds} times, so openings repeat"),
        false => String::new(),
    };
    match &tournament.openings {
        OpeningSource::Start => "none; deterministic engines repeat the same game".to_owned(),
        OpeningSource::Named => format!("the five named ones{again}"),
        OpeningSource::Random { plies } => format!(
            "{plies} random moves, many of them unbalanced; `arena openings` selects balanced ones"
        ),
        OpeningSource::File { path, .. } => {
            format!("{} of {}{again}", counts.join(", "), path.display())
        }
    }
}
