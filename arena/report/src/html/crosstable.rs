//! The crosstable: the score of every engine against every other one, coloured by the share of the
//! points. The script turns the cells into buttons that lead to the games.

use maud::{Markup, html};

use super::super::figures;
use super::standings::{label, title};
use super::table::Table;
use super::tabs::{Part, tabs};
use crate::phrase::Phrase;
use crate::statistics::standings::Standings;
use fanorona_ratings::{Fit, Rating, Tally};
use fanorona_tournament::text::short_names::short_names;

/// Tables of more engines have narrow cells and upright names.
const MAX_WIDE: usize = 8;

/// The characters of a name that a head has room for.
pub(super) const ROOM: usize = 18;

pub(super) fn section(standings: &Standings) -> Markup {
    let part = |fit: &Fit| Part { scope: fit.scope, content: of_fit(standings, fit) };
    html! {
        section id="crosstable" aria-labelledby="crosstable-title" {
            h2 id="crosstable-title" { (Phrase::new("crosstable.title")) }
            p class="soft" {
                (Phrase::new("crosstable.about"))
                span class="scripted" hidden { " " (Phrase::new("crosstable.choose")) }
            }
            (tabs("crosstable", "crosstable.kinds", standings.shown().map(part).collect()))
            p class="legend-of-shades" aria-hidden="true" {
                @for shade in SHADES {
                    span class="shade" {
                        span class=(shade) {}
                        small { (Phrase::new(format!("crosstable.{shade}"))) }
                    }
                }
            }
        }
    }
}

/// The shades by the share of the points.
const SHADES: [&str; 5] = ["much-less", "less", "equal", "more", "much-more"];

/// Five shades say who leads; the numbers say by how much.
fn shade(tally: Tally) -> &'static str {
    let (points, games) = (2 * tally.wins + tally.draws, tally.games());
    let index = match points {
        _ if 2 * points < games => 0,
        _ if points < games => 1,
        _ if points == games => 2,
        _ if 2 * points <= 3 * games => 3,
        _ => 4,
    };
    SHADES[index]
}

fn of_fit(standings: &Standings, fit: &Fit) -> Markup {
    let names: Vec<&str> = fit.engines.iter().map(|rating| &*rating.engine).collect();
    let short = short_names(&names, ROOM);
    let table = Table::new(label("crosstable.label", fit))
        .class(if fit.engines.len() > MAX_WIDE { "crosstable dense" } else { "crosstable" })
        .fixed(Phrase::new("table.engine"))
        .engines(None, names.iter().copied().zip(short.iter().map(|short| &**short)));
    html! {
        (title(fit))
        (table.rows(html! {
            @for (index, (rating, short)) in fit.engines.iter().zip(&short).enumerate() {
                tr {
                    th scope="row" class="fixed" title=(rating.engine) {
                        span class="place" { (index + 1) } " " bdi { (short) }
                    }
                    @for opponent in &fit.engines { (cell(standings, fit, rating, opponent)) }
                }
            }
        }))
    }
}

fn cell(standings: &Standings, fit: &Fit, rating: &Rating, opponent: &Rating) -> Markup {
    if rating.engine == opponent.engine {
        return html! { td class="self" { "·" } };
    }
    let Some(tally) = standings.score(fit.scope, rating, opponent) else {
        return html! { td {} };
    };
    let Tally { wins, draws, losses } = tally;
    html! {
        td class=(shade(tally)) {
            b { (figures::points(2 * wins + draws)) }
            small { (wins) "–" (draws) "–" (losses) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades_follow_the_share_of_the_points() {
        let of = |wins, draws, losses| shade(Tally { wins, draws, losses });
        assert_eq!(of(0, 0, 9), "much-less");
        assert_eq!(of(0, 1, 1), "less");
        assert_eq!((of(3, 0, 3), of(0, 4, 0)), ("equal", "equal"));
        assert_eq!((of(3, 0, 1), of(1, 1, 0)), ("more", "more"));
        assert_eq!(of(4, 0, 1), "much-more");
    }
}
