//! The dependence of strength on the options of a family: `sweep.csv`, `sweep-curve.csv`,
//! `sweep.json`, and the text for a terminal.

use std::path::Path;

use super::figures;
use super::table::fit_to_width;
use crate::phrase::text_of;
use crate::statistics::sweep::{Setting, Sweep, band};
use fanorona_tournament::record::StorageError;
use fanorona_tournament::record::storage::write_file;
use fanorona_tournament::record::table_writer::TableWriter;

/// The file with the engines of all families.
pub(crate) const SETTINGS: &str = "sweep.csv";
/// The file with the curves of all families.
pub(crate) const CURVES: &str = "sweep-curve.csv";
/// The file with both.
pub const ALL: &str = "sweep.json";

/// Writes all files; none if there is no family.
pub fn write(dir: &Path, sweeps: &[Sweep]) -> Result<(), StorageError> {
    if sweeps.is_empty() {
        return Ok(());
    }
    let named = |sweep: &Sweep, values: &[String]| {
        let words = sweep.parameters.iter().zip(values);
        let words: Vec<_> = words.map(|(it, value)| format!("{}={value}", it.name)).collect();
        words.join(" ")
    };
    let number = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.2}"));
    let mut file = TableWriter::begin(dir, SETTINGS)?;
    file.fields([
        "family",
        "engine",
        "setting",
        "games",
        "elo",
        "elo_low",
        "elo_high",
        "curve",
        "curve_low",
        "curve_high",
        "best",
    ])?;
    for sweep in sweeps {
        for setting in &sweep.settings {
            let (estimate, ends) = (&setting.estimate, setting.smoothed.as_ref().map(band));
            file.fields([
                sweep.family.clone(),
                setting.engine.clone(),
                named(sweep, &setting.values),
                setting.games.to_string(),
                figures::elo(estimate.elo),
                figures::elo(estimate.elo_low),
                figures::elo(estimate.elo_high),
                number(setting.smoothed.map(|it| it.elo)),
                number(ends.map(|(low, _)| low)),
                number(ends.map(|(_, high)| high)),
                setting.best.map_or(String::new(), |share| format!("{share:.4}")),
            ])?;
        }
    }
    file.finish()?;
    let mut file = TableWriter::begin(dir, CURVES)?;
    file.fields(["family", "setting", "elo", "elo_low", "elo_high"])?;
    for sweep in sweeps {
        for point in &sweep.curve {
            let (low, high) = band(&point.smoothed);
            let numbers = [point.smoothed.elo, low, high].map(|elo| format!("{elo:.2}"));
            let words = [sweep.family.clone(), named(sweep, &point.values)];
            file.fields(words.into_iter().chain(numbers))?;
        }
    }
    file.finish()?;
    let text = serde_json::to_string_pretty(sweeps).expect("sweeps are numbers and names");
    write_file(&dir.join(ALL), (text + "\n").as_bytes())
}

/// The settings of every family as a table. A single family's answer is that of the tournament;
/// those of several are below their tables.
pub fn in_words(sweeps: &[Sweep], width: Option<usize>) -> String {
    let mut text = String::new();
    for sweep in sweeps {
        let names = sweep.parameters.iter().map(|parameter| parameter.name.as_str());
        let header: Vec<&str> =
            ["#"].into_iter().chain(names).chain(["Elo", "curve", "band", "best %"]).collect();
        let row = |(place, setting): (usize, &Setting)| {
            let mut row = vec![(place + 1).to_string()];
            row.extend(setting.values.iter().cloned());
            row.push(figures::signed(setting.estimate.elo));
            let curve = setting.smoothed.as_ref();
            row.push(curve.map_or(String::new(), |it| figures::signed(Some(it.elo))));
            row.push(curve.map(band).map_or(String::new(), |(low, high)| {
                format!("{} … {}", figures::signed(Some(low)), figures::signed(Some(high)))
            }));
            row.push(setting.best.map_or(String::new(), |share| format!("{:.0}", 100.0 * share)));
            row
        };
        let shown = sweep.settings.iter().take(MAX_SHOWN).enumerate();
        let rows: Vec<_> = shown.map(row).collect();
        let table =
            fit_to_width(&header, &rows, width.unwrap_or(usize::MAX), &[&["band"], &["Elo"]]);
        let more = sweep.settings.len().saturating_sub(MAX_SHOWN);
        let more =
            if more > 0 { format!("and {more} more in {SETTINGS}\n") } else { String::new() };
        let answer = (sweeps.len() > 1).then(|| text_of(&sweep.words()));
        let warnings = sweep.warnings().into_iter().map(|it| it.to_string());
        let said: Vec<_> = answer.into_iter().chain(warnings).collect();
        let said: String = said.iter().map(|line| format!("{line}\n")).collect();
        text += &format!("\nvariants of {}:\n{table}\n{more}{said}", sweep.family);
    }
    text
}

/// The most settings of a family in the table for a terminal.
const MAX_SHOWN: usize = 20;
