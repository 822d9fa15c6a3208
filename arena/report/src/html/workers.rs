//! The section about the machines that played.

use maud::{Markup, html};

use super::table::{Table, titles};
use crate::phrase::Phrase;

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
    let columns = titles([
        "table.games",
        "table.faults",
        "table.on-time",
        "table.no-result",
        "table.compared",
        "table.alarms",
        "table.factor",
        "table.chi-results",
        "table.chi-faults",
    ]);
    html! {
        section id="workers" aria-labelledby="workers-title" {
            h2 id="workers-title" { (Phrase::new("workers.title")) }
            @for sentence in workers.iter().flat_map(sentences).flatten() {
                p { strong { (Phrase::new("workers.warning")) } " " (sentence) "." }
            }
            (Table::new(Phrase::new("workers.title")).texts(titles(["table.worker"])).numbers(columns).rows(html! {
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
            p class="note" { (Phrase::new("workers.about")) }
        }
    }
}
