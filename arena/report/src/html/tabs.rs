//! Parts of a section of which the page shows one at a time: the same tables for all games, for
//! riatra, for vela and for sessions. Without a script all parts stand below each other, and the
//! links above lead to them; the script turns the links into tabs.

use maud::{Markup, PreEscaped, html};

use crate::phrase::{Phrase, labelled};
use fanorona_ratings::Scope;

/// One of the parts.
pub(super) struct Part {
    /// The scope of its tables.
    pub(super) scope: Scope,
    /// The whole content with its heading.
    pub(super) content: Markup,
}

/// The parts of the section `id`, the whole tournament first. A single part needs no tabs.
pub(super) fn tabs(id: &str, label: &'static str, mut parts: Vec<Part>) -> Markup {
    parts.sort_by_key(|part| part.scope != Scope::All);
    html! {
        div class="tabs" {
            @if parts.len() > 1 {
                (labelled("ul class=\"tab-list\"", &Phrase::new(label).into()))
                @for Part { scope, .. } in &parts {
                    li { a href={ "#" (id) "-" (word(*scope)) } { (title(*scope)) } }
                }
                (PreEscaped("</ul>"))
            }
            @for Part { scope, content } in &parts {
                div class="part" id={ (id) "-" (word(*scope)) } data-kind=(word(*scope)) { (content) }
            }
        }
    }
}

/// A scope in addresses.
pub(super) fn word(scope: Scope) -> &'static str {
    match scope {
        Scope::All => "all",
        Scope::Kind(kind) => kind.name(),
    }
}

/// The name of a scope.
pub(super) fn title(scope: Scope) -> Phrase {
    Phrase::new(format!("scope.{}", word(scope)))
}
