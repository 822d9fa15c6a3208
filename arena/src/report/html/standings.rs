//! The ranking of every kind with charts of the intervals, and the tables of direct results.

use maud::{Markup, html};

use super::super::figures;
use crate::ratings::{Estimate, Fit, Pentanomial};
use crate::report::words;
use crate::statistics::standings::{Difference, Standings};

pub(super) fn section(standings: &Standings, without_withdrawn: Option<&Standings>) -> Markup {
    html! {
        section id="standings" aria-labelledby="standings-title" {
            h2 id="standings-title" { "Standings" }
            p class="soft" {
                "Elo with its 95 % interval; the mean of all engines is zero. LOS: likelihood of \
                 superiority over the next engine in the table."
            }
            @for fit in standings.shown() { (of_fit(standings, fit)) }
            // A single engine cannot be compared.
            @if let Some(others) = without_withdrawn.filter(|it| it.all().engines.len() > 1) {
                details {
                    summary { "Without the games of withdrawn engines" }
                    @for fit in others.shown() { (of_fit(others, fit)) }
                }
            }
        }
    }
}

fn of_fit(standings: &Standings, fit: &Fit) -> Markup {
    let heading = words::heading(fit);
    html! {
        h3 { (heading) }
        (ranking(standings, fit, &heading))
        (crosstable(standings, fit, &heading))
        (differences(standings, fit, &heading))
        (superiority(fit, &heading))
        @for advantage in &fit.advantages {
            p { (words::in_words(advantage)) }
        }
        @if let Some((name, two)) = standings.of_two(fit) {
            p { bdi { (name) } " " (words::over_pairs(&two)) }
            @if let Some((name, counts)) = standings.pairs_of_two(fit) {
                (pairs(&name, &counts))
            }
        }
    }
}

/// The pairs of games by an engine's points.
fn pairs(engine: &str, pairs: &Pentanomial) -> Markup {
    let points = ["0", "½", "1", "1½", "2"];
    let counts = by_points(pairs);
    html! {
        p { "Pairs of games by the points of " bdi { (engine) } ":" }
        div class="scroll" role="region" tabindex="0" aria-label="Pairs by points" {
            table {
                thead {
                    tr {
                        th scope="row" { "points" }
                        @for points in points { th scope="col" class="number" { (points) } }
                    }
                }
                tbody {
                    tr {
                        th scope="row" { "pairs" }
                        @for count in counts { td class="number" { (count) } }
                    }
                }
            }
        }
    }
}

fn ranking(standings: &Standings, fit: &Fit, heading: &str) -> Markup {
    let scale = Scale::of(fit);
    html! {
        div class="scroll" role="region" tabindex="0" aria-label={ "Ranking, " (heading) } {
            table {
                thead {
                    tr {
                        th class="number" { "#" }
                        th { "engine" }
                        th class="number" { "Elo" }
                        th class="number" { "95 % interval" }
                        th class="chart" { (scale.axis()) }
                        @for title in ["games", "W", "D", "L", "score %", "LOS %", "faults"] {
                            th class="number" { (title) }
                        }
                    }
                }
                tbody {
                    @for (index, rating) in fit.engines.iter().enumerate() {
                        @let estimate = &rating.estimate;
                        tr {
                            td class="number" { (index + 1) }
                            th scope="row" { bdi { (rating.engine) } }
                            td class="number" { (figures::signed(estimate.elo)) }
                            td class="number" {
                                (figures::signed(estimate.elo_low)) " … "
                                (figures::signed(estimate.elo_high))
                            }
                            td class="chart" { (scale.bar(estimate)) }
                            td class="number" { (rating.games) }
                            td class="number" { (rating.tally.wins) }
                            td class="number" { (rating.tally.draws) }
                            td class="number" { (rating.tally.losses) }
                            td class="number" {
                                (rating.score.map_or(String::new(), figures::percent))
                            }
                            td class="number" {
                                (rating.los.map_or(String::new(), figures::los))
                            }
                            td class="number" { (standings.faults(&rating.engine, fit.scope)) }
                        }
                    }
                }
            }
        }
    }
}

fn crosstable(standings: &Standings, fit: &Fit, heading: &str) -> Markup {
    html! {
        details open[fit.engines.len() <= OPEN_CROSSTABLE] {
            summary { "Crosstable" }
            div class="scroll" role="region" tabindex="0" aria-label={ "Crosstable, " (heading) } {
                table {
                    thead {
                        tr {
                            th class="number" { "#" }
                            th { "engine" }
                            @for rank in 1..=fit.engines.len() {
                                th class="number" { "vs " (rank) }
                            }
                        }
                    }
                    tbody {
                        @for (index, rating) in fit.engines.iter().enumerate() {
                            tr {
                                td class="number" { (index + 1) }
                                th scope="row" { bdi { (rating.engine) } }
                                @for opponent in &fit.engines {
                                    td class="number" {
                                        @if rating.engine == opponent.engine {
                                            span class="self" { "–" }
                                        }
                                        (words::cell(standings, fit.scope, rating, opponent))
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The lead of each engine over each lower-ranked one, and their pairs.
fn differences(standings: &Standings, fit: &Fit, heading: &str) -> Markup {
    let differences = standings.differences(fit);
    if fit.engines.len() < 3 || differences.is_empty() {
        return html! {};
    }
    let titles = ["lead", "95 % interval", "LOS %", "0", "½", "1", "1½", "2"];
    html! {
        details {
            summary { "Rating differences, and pairs of games by points" }
            div class="scroll" role="region" tabindex="0" aria-label={ "Leads, " (heading) } {
                table {
                    caption {
                        "Lead of the first engine over the second in Elo, and the number of their \
                         pairs by the first engine's points, from 0 to 2"
                    }
                    thead {
                        tr {
                            th scope="col" { "engine" }
                            th scope="col" { "opponent" }
                            @for title in titles { th scope="col" class="number" { (title) } }
                        }
                    }
                    tbody {
                        @for Difference { engine, opponent, lead, los, pentanomial, .. } in &differences {
                            tr {
                                th scope="row" { bdi { (engine) } }
                                td { bdi { (opponent) } }
                                @if let Some(los) = los {
                                    td class="number" { (figures::signed(lead.elo)) }
                                    td class="number" {
                                        (figures::signed(lead.elo_low)) " … "
                                        (figures::signed(lead.elo_high))
                                    }
                                    td class="number" { (figures::los(*los)) }
                                } @else { td {} td {} td {} }
                                @for count in by_points(pentanomial) {
                                    td class="number" { (count) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The number of pairs for 0, ½, 1, 1½ and 2 points.
fn by_points(pairs: &Pentanomial) -> [u64; 5] {
    [pairs.ll, pairs.ld, pairs.dd + pairs.wl, pairs.wd, pairs.ww]
}

/// The likelihood of superiority for every two engines, if known and not already in the ranking.
fn superiority(fit: &Fit, heading: &str) -> Markup {
    let known = fit.los.iter().enumerate().all(|(row, of_one)| {
        of_one.iter().enumerate().all(|(column, los)| row == column || los.is_some())
    });
    if fit.engines.len() < 3 || !known {
        return html! {};
    }
    html! {
        details {
            summary { "Likelihood of superiority, pairwise" }
            div class="scroll" role="region" tabindex="0" aria-label={ "LOS, " (heading) } {
                table {
                    caption { "LOS in per cent: likelihood that the row's engine is stronger" }
                    thead {
                        tr {
                            th scope="col" class="number" { "#" }
                            th scope="col" { "engine" }
                            @for rank in 1..=fit.engines.len() {
                                th scope="col" class="number" { "than " (rank) }
                            }
                        }
                    }
                    tbody {
                        @for (index, (rating, of_one)) in fit.engines.iter().zip(&fit.los).enumerate() {
                            tr {
                                td class="number" { (index + 1) }
                                th scope="row" { bdi { (rating.engine) } }
                                @for (column, los) in of_one.iter().enumerate() {
                                    td class="number" {
                                        @if index == column { span class="self" { "–" } }
                                        @else if let Some(los) = los { (figures::los(*los)) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Crosstables of more engines are collapsed.
const OPEN_CROSSTABLE: usize = 12;

/// The range of Elo of a chart.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// A range that contains all numbers of a ranking.
    fn of(fit: &Fit) -> Scale {
        let numbers = fit.engines.iter().flat_map(|rating| {
            let Estimate { elo, elo_low, elo_high } = rating.estimate;
            [elo, elo_low, elo_high]
        });
        let (mut low, mut high) = (-50.0_f64, 50.0_f64);
        for number in numbers.flatten() {
            (low, high) = (low.min(number), high.max(number));
        }
        let margin = (high - low) * 0.06;
        Scale { low: low - margin, high: high + margin }
    }

    /// The position of a number, in per cent from the left.
    fn place(&self, elo: f64) -> String {
        format!("{:.2}%", 100.0 * (elo - self.low) / (self.high - self.low))
    }

    /// The labels above the bars.
    fn axis(&self) -> Markup {
        let unit = unit(self.high - self.low, 3.0);
        let first = (self.low / unit).ceil() as i64;
        let last = (self.high / unit).floor() as i64;
        html! {
            svg role="img" aria-label="Elo axis" {
                @for mark in first..=last {
                    @let elo = mark as f64 * unit;
                    text x=(self.place(elo)) y="90%" text-anchor="middle" { (elo) }
                }
            }
        }
    }

    /// An interval with its estimate. An open end is dashed and runs out of the chart.
    fn bar(&self, estimate: &Estimate) -> Markup {
        let Some(elo) = estimate.elo else { return html! {} };
        let (low, high) = (estimate.elo_low, estimate.elo_high);
        let end = |end: Option<f64>| if end.is_some() { "" } else { "open" };
        let (from, to) = (
            low.map_or("0%".to_owned(), |low| self.place(low)),
            high.map_or("100%".to_owned(), |high| self.place(high)),
        );
        let middle = self.place(elo);
        html! {
            svg aria-hidden="true" {
                line class="grid" x1=(self.place(0.0)) x2=(self.place(0.0)) y1="0" y2="100%" {}
                line class=(end(low)) x1=(from) x2=(middle) y1="50%" y2="50%" {}
                line class=(end(high)) x1=(middle) x2=(to) y1="50%" y2="50%" {}
                @if low.is_none() { text class="end" x="0" y="68%" { "◂" } }
                @if high.is_none() { text class="end" x="100%" y="68%" text-anchor="end" { "▸" } }
                circle cx=(middle) cy="50%" r="5.5" {}
            }
        }
    }
}

/// A round step that divides a range into about this many parts.
pub(super) fn unit(stretch: f64, parts: f64) -> f64 {
    let rough = (stretch / parts).max(1.0);
    let ten = 10_f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * ten);
    steps.into_iter().find(|step| *step >= rough).unwrap_or(10.0 * ten)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        assert_eq!(unit(1000.0, 4.0), 500.0);
        assert_eq!(unit(790.0, 4.0), 200.0);
        assert_eq!(unit(0.0, 4.0), 1.0);
    }

    #[test]
    fn open_ends_run_out_of_the_picture() {
        let scale = Scale { low: -100.0, high: 100.0 };
        let bar = |elo_low, elo_high| {
            scale.bar(&Estimate { elo: Some(0.0), elo_low, elo_high }).into_string()
        };
        let closed = bar(Some(-50.0), Some(50.0));
        assert!(closed.contains("x1=\"25.00%\"") && !closed.contains("open"), "{closed}");
        let open = bar(Some(-50.0), None);
        assert!(open.contains("open") && open.contains("x2=\"100%\"") && open.contains('▸'));
        assert!(!open.contains('◂'), "{open}");
        assert_eq!(scale.bar(&Estimate::default()).into_string(), "");
    }
}
