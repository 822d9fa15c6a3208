//! The candidates of a tournament as text for a terminal.

use super::figures;
use super::table::fit_to_width;
use crate::json::CANDIDATES;
use crate::statistics::candidates::{Candidate, Candidates};
use fanorona_ratings::Estimate;
use fanorona_tournament::text::short_names::short_names;

/// The most candidates in the table.
const MAX_SHOWN: usize = 20;

/// The table of the candidates, with a heading. The answer is that of the tournament.
pub(super) fn in_words(candidates: &Candidates, width: Option<usize>) -> String {
    let unit = candidates.unit();
    let lead = format!("lead ({unit})");
    let header = ["#", "candidate", "pairs", "LLR", "bounds", &lead, "95 %", "decision"];
    let width = width.unwrap_or(usize::MAX);
    let shown = || candidates.candidates.iter().take(MAX_SHOWN);
    let names: Vec<&str> = shown().map(|it| &*it.test.engine).collect();
    let names = short_names(&names, width / 3);
    let rows = shown().zip(&names).enumerate();
    let rows: Vec<_> = rows.map(|(place, (it, name))| row(place, it, name)).collect();
    let expendable: [&[&str]; 3] = [&["bounds"], &["95 %"], &["pairs"]];
    let table = fit_to_width(&header, &rows, width, &expendable);
    let more = candidates.candidates.len().saturating_sub(MAX_SHOWN);
    let more = if more > 0 { format!("and {more} more in {CANDIDATES}\n") } else { String::new() };
    format!("candidates against {}:\n{table}\n{more}", candidates.base)
}

fn row(place: usize, it: &Candidate, name: &str) -> Vec<String> {
    let state = &it.test.state;
    let Estimate { elo, elo_low, elo_high } = it.test.estimate;
    let [elo, low, high] = [elo, elo_low, elo_high].map(figures::signed);
    let pairs = match state.repeated_pairs {
        0 => state.pairs.to_string(),
        repeated => format!("{} (+ {repeated} repeated)", state.pairs),
    };
    vec![
        (place + 1).to_string(),
        name.to_owned(),
        pairs,
        format!("{:.2}", state.llr),
        format!("{:.2} … {:.2}", state.lower, state.upper),
        elo,
        format!("{low} … {high}"),
        it.in_words().to_string(),
    ]
}
