//! `diff.html`: where two engines choose differently, in the look of the report.

use maud::{Markup, html};

use super::page::PAGE_STYLE;
use super::shell::{NO_GAMES, Shell, shell};
use super::table::Table;
use crate::statistics::choices::Compared;

/// The content of the page.
pub(crate) struct DifferencePage<'d> {
    /// The title of the tournament.
    pub(crate) title: &'d str,
    /// The two engines.
    pub(crate) names: [&'d str; 2],
    /// The result in words.
    pub(crate) summary: String,
    /// The explanation of the columns.
    pub(crate) explanation: String,
    /// Tables, each with its id and title.
    pub(crate) tables: Vec<(&'static str, &'static str, DataTable)>,
    /// The costliest differences.
    pub(crate) costliest: Vec<&'d Compared>,
}

/// A table: the titles of its columns, and its rows. All columns but the first are numbers.
pub(crate) struct DataTable {
    pub(crate) header: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl DifferencePage<'_> {
    /// The page.
    pub(crate) fn html(&self) -> String {
        let [one, other] = self.names;
        let title = format!("{one} and {other} – {}", self.title);
        let nav = html! {
            @for (id, title, _) in &self.tables { a href={ "#" (id) } { (title) } }
            @if !self.costliest.is_empty() { a href="#costliest" { "Costliest differences" } }
        };
        let main = html! {
            header {
                h1 { bdi { (one) } " and " bdi { (other) } }
                p class="soft" { bdi { (self.title) } }
                p class="lead" { (self.summary) }
            }
            @for (id, title, table) in &self.tables { (table.section(id, title)) }
            p class="soft" {
                (self.explanation) ". Every position is in " a href="diff.csv" { "diff.csv" } "."
            }
            (self.boards())
        };
        let page = Shell {
            languages: None,
            workspace: None,
            title: &title,
            style: PAGE_STYLE,
            skip: maud::html! { ("Skip to the result") },
            before: html! { a class="back" href="report.html" { "← Report" } },
            nav,
            main,
            json: NO_GAMES,
        };
        shell(&page).into_string()
    }

    fn boards(&self) -> Markup {
        html! {
            @if !self.costliest.is_empty() {
                section id="costliest" aria-labelledby="costliest-title" {
                    h2 id="costliest-title" { "Costliest differences" }
                    p class="soft" {
                        "An arrow has the number of its engine; the green one is the better choice. The "
                        "percentage is the winning chance after the choice, as the judge sees it."
                    }
                    noscript {
                        p class="note" {
                            "The boards need this page's script, but scripts are disabled. Moves and \
                             positions are below."
                        }
                    }
                    div class="differences" {
                        @for it in &self.costliest { (self.difference(it)) }
                    }
                }
            }
        }
    }

    /// A position with both choices, the better one first.
    fn difference(&self, it: &Compared) -> Markup {
        let position = &it.situation.position;
        let right = it.right().unwrap_or_default();
        let order = [right, 1 - right];
        let [better, worse] = order.map(|who| &it.choices[who]);
        let place = format!("Game {}, move {}", it.situation.game, it.situation.moves.len() + 1);
        let to_move = format!("{} to move", position.side_to_move());
        let label = format!(
            "{place}, {}, {to_move}. {} plays {better}, {} plays {worse}. Position: {position}",
            it.situation.kind, self.names[order[0]], self.names[order[1]],
        );
        html! {
            figure class="difference" {
                figcaption { b { (place) } " " span class="soft" { (it.situation.kind) ", " (to_move) } }
                svg class="board" role="img" aria-label=(label) data-position=(position)
                    data-moves={ (better) " " (worse) }
                    data-signs={ (order[0] + 1) " " (order[1] + 1) } {}
                dl {
                    @for who in order {
                        dt { (who + 1) " " bdi { (self.names[who]) } }
                        dd {
                            (it.choices[who])
                            @if let Some(chances) = it.chances {
                                " " strong { (format!("{:.0} %", 100.0 * chances[who])) }
                            }
                        }
                    }
                }
                p class="soft fen" { code { (position) } }
            }
        }
    }
}

impl DataTable {
    fn section(&self, id: &str, title: &str) -> Markup {
        html! {
            section id=(id) aria-labelledby={ (id) "-title" } {
                h2 id={ (id) "-title" } { (title) }
                (Table::new(title).texts(&self.header[..1]).numbers(&self.header[1..]).rows(html! {
                    @for row in &self.rows {
                        tr {
                            @for (column, cell) in row.iter().enumerate() {
                                @if column == 0 { th scope="row" { (cell) } }
                                @else { td class="number" { (cell) } }
                            }
                        }
                    }
                }))
            }
        }
    }
}
