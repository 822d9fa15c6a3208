//! Tables of pages: a head with the titles of the columns, in a box that scrolls sideways where the
//! page is narrow, and that the keyboard reaches.

use std::fmt::Display;

use maud::{Markup, Render, html};

/// Titles of columns with the keys of their texts in the pages' languages.
const SAID: [(&str, &str); 23] = [
    ("engine", "table.engine"),
    ("opponent", "table.opponent"),
    ("95 % interval", "table.interval"),
    ("games", "table.games"),
    ("W–D–L", "table.counts"),
    ("score %", "table.score"),
    ("LOS %", "table.los"),
    ("faults", "table.faults"),
    ("lead", "table.lead"),
    ("points", "table.points"),
    ("byes", "table.byes"),
    ("option", "table.option"),
    ("recommended", "table.recommended"),
    ("start", "table.start"),
    ("range", "table.range"),
    ("certainty", "table.certainty"),
    ("name it reports", "table.identity"),
    ("options", "table.options"),
    ("limit", "table.limit"),
    ("program", "table.program"),
    ("Candidate", "table.candidate"),
    ("Decision", "table.decision"),
    ("Pairs", "table.pairs"),
];

fn said(title: &str) -> Option<&'static str> {
    SAID.iter().find(|(text, _)| *text == title).map(|(_, key)| *key)
}

/// A table without its rows.
#[derive(Clone, Debug)]
pub struct Table {
    label: String,
    class: Option<&'static str>,
    caption: Option<String>,
    head: Vec<Markup>,
}

impl Table {
    /// A table that readers of the page's structure know by this label.
    pub fn new(label: impl Display) -> Table {
        Table { label: label.to_string(), class: None, caption: None, head: Vec::new() }
    }

    /// Gives the table a class.
    #[must_use]
    pub fn class(self, class: &'static str) -> Table {
        Table { class: Some(class), ..self }
    }

    /// Adds a caption.
    #[must_use]
    pub fn caption(self, caption: impl Display) -> Table {
        Table { caption: Some(caption.to_string()), ..self }
    }

    /// Adds columns with text.
    #[must_use]
    pub fn texts<T: Render>(self, titles: impl IntoIterator<Item = T>) -> Table {
        self.columns(None, titles)
    }

    /// Adds columns with numbers.
    #[must_use]
    pub fn numbers<T: Render>(self, titles: impl IntoIterator<Item = T>) -> Table {
        self.columns(Some("number"), titles)
    }

    /// Adds a column that stays in place when the others scroll.
    #[must_use]
    pub fn fixed(self, title: &str) -> Table {
        self.columns(Some("fixed"), [title])
    }

    /// Adds a column with a chart.
    #[must_use]
    pub fn chart(self, title: Markup) -> Table {
        self.columns(Some("chart"), [title])
    }

    /// Adds columns with engines, each with its name and a short form of it.
    #[must_use]
    pub fn engines<'n>(
        mut self,
        class: Option<&str>,
        names: impl IntoIterator<Item = (&'n str, &'n str)>,
    ) -> Table {
        self.head.extend(names.into_iter().map(|(name, short)| {
            html! { th scope="col" class=[class] title=(name) { bdi { (short) } } }
        }));
        self
    }

    fn columns<T: Render>(
        mut self,
        class: Option<&str>,
        titles: impl IntoIterator<Item = T>,
    ) -> Table {
        self.head.extend(titles.into_iter().map(|title| {
            let title = title.render();
            html! { th scope="col" class=[class] data-say=[said(&title.0)] { (title) } }
        }));
        self
    }

    /// The table with these rows.
    pub fn rows(self, rows: Markup) -> Markup {
        let Table { label, class, caption, head } = self;
        html! {
            div class="scroll" role="region" tabindex="0" aria-label=(label) {
                table class=[class] {
                    @if let Some(caption) = caption { caption { (caption) } }
                    thead { tr { @for title in head { (title) } } }
                    tbody { (rows) }
                }
            }
        }
    }
}
