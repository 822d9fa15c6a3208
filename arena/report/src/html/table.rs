//! Tables of pages: a head with the titles of the columns, in a box that scrolls sideways where the
//! page is narrow, and that the keyboard reaches.

use maud::{Markup, PreEscaped, Render, html};

use crate::phrase::{Phrase, Word, labelled};

/// The titles of columns by the keys of their texts.
pub(super) fn titles<const COUNT: usize>(keys: [&'static str; COUNT]) -> [Phrase; COUNT] {
    keys.map(Phrase::new)
}

/// A table without its rows.
#[derive(Clone, Debug)]
pub struct Table {
    label: Word,
    class: Option<&'static str>,
    caption: Option<Word>,
    head: Vec<Markup>,
}

impl Table {
    /// A table that readers of the page's structure know by this label.
    pub fn new(label: impl Into<Word>) -> Table {
        Table { label: label.into(), class: None, caption: None, head: Vec::new() }
    }

    /// Gives the table a class.
    #[must_use]
    pub fn class(self, class: &'static str) -> Table {
        Table { class: Some(class), ..self }
    }

    /// Adds a caption.
    #[must_use]
    pub fn caption(self, caption: impl Into<Word>) -> Table {
        Table { caption: Some(caption.into()), ..self }
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
    pub fn fixed(self, title: impl Render) -> Table {
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
            html! { th scope="col" class=[class] { (title) } }
        }));
        self
    }

    /// The table with these rows.
    pub fn rows(self, rows: Markup) -> Markup {
        let Table { label, class, caption, head } = self;
        html! {
            (labelled("div class=\"scroll\" role=\"region\" tabindex=\"0\"", &label))
            table class=[class] {
                @if let Some(caption) = caption { caption { (caption) } }
                thead { tr { @for title in head { (title) } } }
                tbody { (rows) }
            }
            (PreEscaped("</div>"))
        }
    }
}
