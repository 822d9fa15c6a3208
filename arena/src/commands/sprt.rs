//! `arena sprt`: applies a sequential probability ratio test to results that exist.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::directory::{Unfinished, load_results};
use super::error::CliError;
use super::exit::Exit;
use crate::terminal::output::{eprint_line, print_line, print_wrapped};
use fanorona_ratings::sprt::{Model, Remaining, Sprt, SprtOptions};
use fanorona_ratings::{Entrant, Estimate, Pentanomial, Scope};
use fanorona_report::statistics::results_reader::GameResults;
use fanorona_report::statistics::sprt_state::Test;
use fanorona_report::terminal;
use fanorona_tournament::config::Overrides;
use fanorona_tournament::progress::sprt_run::State;
use fanorona_tournament::record::effective_config;

pub(super) const HELP: &str = "\
Examples:
  arena sprt results/sprt
  arena sprt results/full --engine alphabeta --opponent mcts --elo0 0 --elo1 20
  arena sprt --pairs 3,90,250,110,5 --elo0 0 --elo1 10

RESULTS is a results directory or a games.csv file. Without bounds, those of the directory's config \
count. --pairs takes the pairs by the points of the tested engine: 0, 0.5, 1, 1.5 and 2, or six \
counts ll,ld,wl,dd,wd,ww as in sprt.json. The expected number of further pairs is given for a lead of \
elo0, of elo1, and of the present estimate. The error rates hold for a test that stops at its first \
decision, and the interval is that of such a test: for pairs that were played in any case, take the \
interval of `arena rate`.";

#[derive(Args, Debug)]
pub(super) struct SprtArgs {
    /// A results directory or a games.csv file
    #[arg(required_unless_present = "pairs")]
    results: Option<PathBuf>,
    /// Counts of pairs instead of results
    #[arg(long, value_name = "N,N,N,N,N", value_delimiter = ',', conflicts_with = "results")]
    pairs: Vec<u64>,
    /// The tested engine [default: the first of two in the config, or in the file]
    #[arg(long, value_name = "NAME", requires = "results")]
    engine: Option<String>,
    /// Its opponent
    #[arg(long, value_name = "NAME", requires = "engine")]
    opponent: Option<String>,
    /// The lead under H0, in Elo
    #[arg(long, value_name = "ELO", allow_negative_numbers = true, requires = "elo1")]
    elo0: Option<f64>,
    /// The lead under H1, in Elo
    #[arg(long, value_name = "ELO", allow_negative_numbers = true, requires = "elo0")]
    elo1: Option<f64>,
    /// The probability of accepting H1 although H0 is true [default: 0.05]
    #[arg(long, value_name = "P")]
    alpha: Option<f64>,
    /// The probability of accepting H0 although H1 is true [default: 0.05]
    #[arg(long, value_name = "P")]
    beta: Option<f64>,
    /// The unit of leads: logistic (Elo) or normalized [default: logistic]
    #[arg(long, value_name = "MODEL")]
    model: Option<Model>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The answer, with the field names of `sprt.json`.
#[derive(Serialize)]
struct Answer<'a> {
    engine: &'a str,
    #[serde(flatten)]
    state: &'a State,
    estimate: &'a Estimate,
    /// The continuation of the test under a lead of elo0, of elo1, and of the estimate.
    remaining: &'a [Remaining],
}

pub(super) fn sprt(args: &SprtArgs) -> Result<Exit, CliError> {
    let (engine, pairs, repeated_pairs, configured) = match &args.results {
        None => ("the engine".to_owned(), counted(&args.pairs)?, 0, None),
        Some(path) => read(path, args)?,
    };
    let sprt = test(args, configured)?;
    let llr = sprt.llr_of_pairs(&pairs);
    let state = State {
        options: *sprt.options(),
        lower: sprt.lower(),
        upper: sprt.upper(),
        llr,
        decision: sprt.decide(llr),
        pairs: pairs.pairs(),
        pentanomial: pairs,
        repeated_pairs,
    };
    let estimate = sprt.estimate(&pairs);
    let SprtOptions { elo0, elo1, .. } = *sprt.options();
    let leads = [Some(elo0), Some(elo1), estimate.elo].into_iter().flatten();
    let remaining: Vec<Remaining> = leads.map(|lead| sprt.remaining(&pairs, lead)).collect();
    if args.json {
        let answer =
            Answer { engine: &engine, state: &state, estimate: &estimate, remaining: &remaining };
        print_line(serde_json::to_string_pretty(&answer).expect("it is numbers and words"));
        return Ok(Exit::Done);
    }
    let test = Test { engine, state, estimate, history: Vec::new() };
    print_wrapped(terminal::tested(&test));
    if test.state.decision == fanorona_ratings::sprt::Decision::Continue {
        let unit = test.state.unit();
        for it in &remaining {
            print_line(format_args!(
                "if the lead is {:.1} {unit}: about {:.0} more pairs, and H1 with {:.0} %",
                it.lead,
                it.pairs.max(1.0),
                100.0 * it.accepts_h1
            ));
        }
    }
    Ok(Exit::Done)
}

/// The test: that of the command line, or that of the config.
fn test(args: &SprtArgs, configured: Option<SprtOptions>) -> Result<Sprt, CliError> {
    let asked = args.elo0.zip(args.elo1);
    let Some((elo0, elo1)) = asked.or(configured.map(|it| (it.elo0, it.elo1))) else {
        let help = "name the bounds: --elo0 0 --elo1 10";
        return Err(CliError::with_help(Exit::Usage, "there is no [sprt] in the config", help));
    };
    // Bounds of the command line are a test of their own.
    let base = configured.filter(|_| asked.is_none());
    let alpha = args.alpha.or(base.map(|it| it.alpha)).unwrap_or(DEFAULT_RISK);
    let beta = args.beta.or(base.map(|it| it.beta)).unwrap_or(DEFAULT_RISK);
    let model = args.model.or(base.map(|it| it.model)).unwrap_or_default();
    let options = SprtOptions { elo0, elo1, alpha, beta, model };
    Sprt::new(options).map_err(|why| CliError::new(Exit::Usage, why))
}

/// The default of `alpha` and `beta`, as in configs.
const DEFAULT_RISK: f64 = 0.05;

/// The most pairs of one result.
const MAX_PAIRS: u64 = 1_000_000_000_000;

/// Five counts by points, or six by results.
fn counted(counts: &[u64]) -> Result<Pentanomial, CliError> {
    if let Some(count) = counts.iter().find(|count| **count > MAX_PAIRS) {
        let why = format!("--pairs: {count} is too large: the maximum is {MAX_PAIRS}");
        return Err(CliError::new(Exit::Usage, why));
    }
    match *counts {
        [ll, ld, wl, wd, ww] => Ok(Pentanomial { ll, ld, wl, dd: 0, wd, ww }),
        [ll, ld, wl, dd, wd, ww] => Ok(Pentanomial { ll, ld, wl, dd, wd, ww }),
        _ => {
            let why = format!("--pairs takes 5 or 6 counts, not {}", counts.len());
            Err(CliError::with_help(Exit::Usage, why, "for example --pairs 3,90,250,110,5"))
        }
    }
}

type Read = (String, Pentanomial, u64, Option<SprtOptions>);

/// The pairs of two engines in a results directory or a file.
fn read(path: &Path, args: &SprtArgs) -> Result<Read, CliError> {
    let usage = |why: String, help: &str| CliError::with_help(Exit::Usage, why, help);
    if path.is_dir() {
        Unfinished::check(path)?;
    }
    let configured = match path.is_dir() && path.join(effective_config::CONFIG).exists() {
        true => Some(load_results(path, &Overrides::default())?),
        false => None,
    };
    let file = if path.is_dir() { path.join("games.csv") } else { path.to_owned() };
    if !file.exists() {
        let why = format!("there is no {}", file.display());
        return Err(usage(why, "`arena report DIR` writes it from the journal of a directory"));
    }
    let mut results = GameResults::default();
    results.read(&file).map_err(|why| CliError::new(Exit::Usage, why))?;
    for note in &results.notes {
        eprint_line(format_args!("note: {note}"));
    }
    let mut names: Vec<String> = match &configured {
        Some(tournament) => tournament.names().map(str::to_owned).collect(),
        None => results.sample.names_as_entered().into_iter().map(str::to_owned).collect(),
    };
    for asked in args.engine.iter().chain(&args.opponent) {
        if !names.contains(asked) {
            return Err(usage(
                format!("no engine is named `{asked}`"),
                "`arena rate` lists the engines",
            ));
        }
    }
    if args.engine.is_some() && args.engine == args.opponent {
        return Err(usage("an engine is not tested against itself".to_owned(), "name two engines"));
    }
    if let Some(engine) = &args.engine {
        names.sort_by_key(|name| name != engine);
        let opponent = args.opponent.as_ref();
        names.retain(|name| name == engine || opponent.is_none_or(|opponent| name == opponent));
    }
    let [engine, opponent] = &names[..] else {
        let why = format!("{} holds {} engines", path.display(), names.len());
        return Err(usage(why, "name two of them: --engine NAME --opponent NAME"));
    };
    let entrant = |name: &str| -> Result<Entrant, CliError> {
        let why = || usage(format!("`{name}` has played no game"), "play more games first");
        results.sample.engine(name).ok_or_else(why)
    };
    let (one, other) = (entrant(engine)?, entrant(opponent)?);
    let pairs = results.sample.pentanomial(one, other, Scope::All);
    let repeated = results.sample.repeated_pairs(one, other, Scope::All);
    let options = configured.and_then(|tournament| Some(*tournament.sprt?.options()));
    Ok((engine.clone(), pairs, repeated, options))
}
