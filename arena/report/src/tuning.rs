//! The results of a tuning: `tune.csv`, `tune.json`, the text for a terminal, and `confirm.toml`, a
//! config that tests the recommended values.

use std::fmt::Write as _;
use std::num::NonZeroU32;
use std::path::Path;

use serde::Serialize;

use crate::phrase::Phrase;
use fanorona_ratings::sprt::{Model, Sprt, SprtOptions};
use fanorona_tournament::config::{EngineConfig, FileOrder, Format, OpeningSource, Tournament};
use fanorona_tournament::record::StorageError;
use fanorona_tournament::record::storage::{storage, write_file};
use fanorona_tournament::record::table_writer::TableWriter;
use fanorona_tournament::text::plural::counted;
use fanorona_tournament::tuning::{Recommendation, TuningRun};

/// The file with every iteration.
pub(crate) const ITERATIONS: &str = "tune.csv";
/// The file with the recommended values.
pub(crate) const RECOMMENDATION: &str = "tune.json";
/// The config of the match that tests them.
pub(crate) const CONFIRM: &str = "confirm.toml";

/// Writes all files of a tuning.
pub fn write(dir: &Path, tournament: &Tournament, run: &TuningRun) -> Result<(), StorageError> {
    iterations(dir, run)?;
    write_file(&dir.join(RECOMMENDATION), json(run).as_bytes())?;
    if let Some(confirm) = confirmation(tournament, run) {
        let absolute = dunce::canonicalize(dir).map_err(|why| storage("find", dir, why))?;
        let text = format!(
            "# Are the tuned values better than those at the start, on other openings?\n#\n\
             #     arena run {CONFIRM}\n\n{}",
            confirm.to_toml(&absolute)
        );
        write_file(&dir.join(CONFIRM), text.as_bytes())?;
    }
    Ok(())
}

/// Writes `tune.csv`: for every iteration the values after it, those that played each other, and
/// the results of the upper side.
fn iterations(dir: &Path, run: &TuningRun) -> Result<(), StorageError> {
    let mut file = TableWriter::begin(dir, ITERATIONS)?;
    let names: Vec<&str> = run.parameters().iter().map(|parameter| &*parameter.name).collect();
    let of_sides =
        ["", " +", " -"].map(|sign| names.iter().map(move |name| format!("{name}{sign}")));
    let columns = ["iteration", "wins", "draws", "losses"].map(str::to_owned);
    file.fields(columns.into_iter().chain(of_sides.into_iter().flatten()))?;
    for (index, iteration) in run.iterations().iter().enumerate() {
        let counts = [index as u64 + 1].into_iter().chain(iteration.results);
        let values = iteration.values.iter().map(|value| format!("{value:.4}"));
        let sides = [&iteration.plus, &iteration.minus].into_iter();
        let sides = sides.flat_map(|values| {
            run.parameters().iter().zip(values).map(|(parameter, &value)| parameter.text(value))
        });
        file.fields(counts.map(|count| count.to_string()).chain(values).chain(sides))?;
    }
    file.finish()
}

#[derive(Serialize)]
struct TuningReport<'r> {
    iterations: usize,
    pairs: u64,
    parameters: Vec<ParameterEntry<'r>>,
    /// The lead of the recommended values over those at the start; `null` with SPSA.
    lead: Option<LeadEntry>,
}

#[derive(Serialize)]
struct ParameterEntry<'r> {
    name: &'r str,
    start: f64,
    value: f64,
    /// The 95 % interval of the best value; `null` if the games do not determine it.
    low: Option<f64>,
    high: Option<f64>,
    min: f64,
    max: f64,
}

#[derive(Serialize)]
struct LeadEntry {
    elo: f64,
    elo_low: f64,
    elo_high: f64,
}

/// The recommended values as a JSON object.
pub fn json(run: &TuningRun) -> String {
    let (recommended, lead) = run.recommendation();
    let parameter = |of: &'_ Recommendation| (of.value, of.interval);
    let parameters = run.parameters().iter().zip(recommended.iter().map(parameter));
    let parameters = parameters.map(|(parameter, (value, interval))| ParameterEntry {
        name: &parameter.name,
        start: parameter.start,
        value,
        low: interval.map(|(low, _)| low),
        high: interval.map(|(_, high)| high),
        min: parameter.min,
        max: parameter.max,
    });
    let report = TuningReport {
        iterations: run.iterations().len(),
        pairs: games(run) / 2,
        parameters: parameters.collect(),
        lead: lead.map(|[elo, elo_low, elo_high]| LeadEntry { elo, elo_low, elo_high }),
    };
    serde_json::to_string_pretty(&report).expect("values are numbers and names") + "\n"
}

pub(super) fn games(run: &TuningRun) -> u64 {
    run.iterations().iter().map(|iteration| iteration.games()).sum()
}

/// The recommended values in words.
pub fn in_words(run: &TuningRun) -> String {
    let (recommended, lead) = run.recommendation();
    let done = counted(run.iterations().len() as u64, "iteration", "iterations");
    let mut text = format!("\nvalues after {done}, {}:\n", counted(games(run), "game", "games"));
    let longest = recommended.iter().map(|it| it.parameter.name.chars().count()).max().unwrap_or(0);
    for it in &recommended {
        let Recommendation { parameter, value, .. } = it;
        let (name, start) = (&parameter.name, parameter.text(parameter.start));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{name:longest$}  {} (start {start}); {}",
            parameter.text(*value),
            certainty(it)
        );
    }
    let test = format!("on other openings: arena run {CONFIRM} in the results directory");
    let _ = match lead {
        Some([elo, low, high]) => writeln!(
            text,
            "estimated lead over the start: {elo:+.0} Elo [{low:+.0}, {high:+.0}]; test it {test}"
        ),
        None if recommended.iter().any(is_changed) => {
            writeln!(
                text,
                "whether these values are stronger, only other games tell. Test them {test}"
            )
        }
        None => Ok(()),
    };
    text
}

/// Whether the recommended value is another than at the start.
pub(super) fn is_changed(recommendation: &Recommendation) -> bool {
    let Recommendation { parameter, value, .. } = recommendation;
    parameter.text(*value) != parameter.text(parameter.start)
}

/// Returns the certainty of the best value, as far as the games tell.
pub(super) fn certainty(recommendation: &Recommendation) -> Phrase {
    let Recommendation { parameter, value, interval } = recommendation;
    let known = match interval {
        Some((low, high)) => {
            let known = Phrase::new("tuning.interval").text("low", shown(*low));
            known.text("high", shown(*high))
        }
        None => Phrase::new("tuning.unknown"),
    };
    match edge(*value, parameter.min, parameter.max) {
        true => Phrase::new("tuning.edge").phrase("known", known),
        false => known,
    }
}

/// A number with three or four significant digits.
pub(super) fn shown(value: f64) -> String {
    let decimals = match value.abs() {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        _ => 3,
    };
    format!("{value:.decimals$}")
}

/// Whether a value is within a fiftieth of the range of one of its ends.
fn edge(value: f64, min: f64, max: f64) -> bool {
    let near = 0.02 * (max - min);
    value - min < near || max - value < near
}

/// The match of the recommended values against those at the start, on other openings, until it is
/// decided. `None` if they are the same.
fn confirmation(tournament: &Tournament, run: &TuningRun) -> Option<Tournament> {
    let engine = tournament.tuned_engine()?;
    let (recommended, _) = run.recommendation();
    let with = |name: String, value: fn(&Recommendation) -> f64| {
        let mut options = engine.options.clone();
        options.extend(
            recommended.iter().map(|it| (it.parameter.name.clone(), it.parameter.text(value(it)))),
        );
        EngineConfig { name, options, ..engine.clone() }
    };
    let start = with(engine.name.clone(), |it| it.parameter.start);
    let tuned = with(format!("{} tuned", engine.name), |it| it.value);
    if start.options == tuned.options {
        return None;
    }
    let options =
        SprtOptions { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
    let openings = match &tournament.openings {
        // The first lines of the file have been played.
        OpeningSource::File { path, .. } => {
            OpeningSource::File { path: path.clone(), order: FileOrder::Random }
        }
        other => other.clone(),
    };
    Some(Tournament {
        name: format!("{}-confirm", tournament.name),
        title: None,
        seed: tournament.seed.wrapping_add(1) & (i64::MAX as u64),
        format: Format::Match,
        rounds: NonZeroU32::new(CONFIRM_ROUNDS).expect("there are some"),
        openings,
        sprt: Sprt::new(options).ok(),
        tuning: None,
        engines: vec![tuned, start],
        ..tournament.clone()
    })
}

/// The most pairs per kind of the confirming match. A test usually needs far fewer.
const CONFIRM_ROUNDS: u32 = 20_000;
