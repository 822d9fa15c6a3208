//! The section about the machines that played.

use maud::{Markup, html};

use super::table::Table;

use crate::statistics::workers::{Residual, WorkerRow};

pub(super) fn section(workers: &[WorkerRow]) -> Markup {
    if workers.is_empty() {
        return html! {};
    }
    let residual = |residual: &Residual| match residual.p {
        None => String::new(),
        Some(p) => {
            let Residual { chi_square, degrees, .. } = residual;
            format!("{chi_square:.1} ({degrees}), p = {p:.2e}")
        }
    };
    let sentences = |row: &WorkerRow| [row.oddity(workers.len()), row.alarm()];
    let titles = [
        "games",
        "faults",
        "on time",
        "no result",
        "compared",
        "alarms",
        "time factor",
        "χ² of results",
        "χ² of faults",
    ];
    html! {
        section id="workers" aria-labelledby="workers-title" {
            h2 id="workers-title" { "Workers" }
            @for sentence in workers.iter().flat_map(sentences).flatten() {
                p { strong { "Warning: " } (sentence) "." }
            }
            (Table::new("Workers").texts(["worker"]).numbers(titles).rows(html! {
                @for row in workers {
                    tr {
                        th scope="row" { (row.worker) }
                        td class="number" { (row.games) }
                        td class="number" { (row.faults) }
                        td class="number" { (row.time_losses) }
                        td class="number" { (row.without_result) }
                        td class="number" { (row.compared) }
                        td class="number" { (row.alarms) }
                        td class="number" {
                            (row.time_factor.map_or(String::new(), |it| format!("{it:.2}")))
                        }
                        td class="number" { (residual(&row.results)) }
                        td class="number" { (residual(&row.fault_residual)) }
                    }
                }
            }))
            p class="note" {
                "χ² compares a worker's games with those of the others between the same engines with \
                 the same colours; its degrees of freedom are in brackets. A small p means that it \
                 matters which machine plays. “Compared” are the games that a second worker has played, too; \
                 an alarm is a difference between the two, with both records in alarms.jsonl."
            }
        }
    }
}
