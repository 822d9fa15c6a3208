//! The section about the searches of the engines.

use maud::{Markup, html};

use super::table::{Table, titles};
use crate::figures;
use crate::phrase::Phrase;
use crate::statistics::phase::Phase;
use crate::statistics::search::{EngineSearches, SearchFigures};
use fanorona_ratings::Scope;

/// Depth, speed and time of each engine by phase of the game.
pub(super) fn section<'n>(
    engines: impl Iterator<Item = &'n str>,
    searches: &EngineSearches,
) -> Markup {
    let engines: Vec<&str> = engines.collect();
    let is_open = engines.len() <= MAX_OPEN;
    html! {
        section id="search" aria-labelledby="search-title" {
            h2 id="search-title" { (Phrase::new("search.title")) }
            p class="soft" { (Phrase::new("search.about")) }
            details open[is_open] {
                summary { (Phrase::new("search.summary")) }
                (Table::new(Phrase::new("search.title")).fixed(Phrase::new("table.engine")).texts(titles(["table.phase"])).numbers(titles(["table.moves", "table.depth", "table.speed", "table.time"])).rows(html! {
                    @for name in engines {
                        @let by_phase = searches.of(name, Scope::All);
                        @for phase in Phase::ALL {
                            (row(name, phase, by_phase.phase(phase)))
                        }
                    }
                }))
            }
        }
    }
}

/// A table of more engines is collapsed.
const MAX_OPEN: usize = 8;

fn row(name: &str, phase: Phase, figures: &SearchFigures) -> Markup {
    html! {
        tr {
            th scope="row" class="fixed" { bdi { (name) } }
            td { (Phrase::new(format!("phase.{}", phase.word()))) }
            td class="number" { (figures.moves) }
            td class="number" { (figures::places(figures.depth(), 1)) }
            td class="number" { @if let Some(nps) = figures.nps() { (rounded(nps)) } }
            td class="number" {
                @if let Some(ms) = figures.mean_ms() { (format!("{ms:.1}")) " ms" }
            }
        }
    }
}

/// A number of nodes in three digits or so: `812`, `81.2 k`, `1.35 M`.
fn rounded(nps: f64) -> String {
    match nps {
        nps if nps >= 999_500.0 => format!("{:.2} M", nps / 1e6),
        nps if nps >= 9_995.0 => format!("{:.0} k", nps / 1e3),
        nps if nps >= 999.5 => format!("{:.1} k", nps / 1e3),
        nps => format!("{nps:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_have_few_digits() {
        let written = [7.4, 999.4, 999.6, 9_990.0, 9_996.0, 999_400.0, 1_350_000.0].map(rounded);
        assert_eq!(written, ["7", "999", "1.0 k", "10.0 k", "10 k", "999 k", "1.35 M"]);
    }
}
