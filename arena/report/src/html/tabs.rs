//! Parts of a section of which the page shows one at a time: the same tables for all games, for
//! riatra, for vela and for sessions. Without a script all parts stand below each other, and the
//! links above lead to them; the script turns the links into tabs.

use maud::{Markup, html};

use fanorona_ratings::Scope;
use fanorona_ratings::kind::Kind;

/// One of the parts.
pub(super) struct Part {
    /// What its tables are about.
    pub(super) scope: Scope,
    /// The whole content with its heading.
    pub(super) content: Markup,
}

/// The parts of the section `id`, the whole tournament first. A single part needs no tabs.
pub(super) fn tabs(id: &str, label: &str, mut parts: Vec<Part>) -> Markup {
    parts.sort_by_key(|part| part.scope != Scope::All);
    html! {
        div class="tabs" {
            @if parts.len() > 1 {
                ul class="tab-list" aria-label=(label) {
                    @for Part { scope, .. } in &parts {
                        li {
                            a href={ "#" (id) "-" (word(*scope)) } data-say={ "scope." (word(*scope)) } { (title(*scope)) }
                        }
                    }
                }
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

fn title(scope: Scope) -> &'static str {
    match scope {
        Scope::All => "All",
        Scope::Kind(Kind::Riatra) => "Riatra",
        Scope::Kind(Kind::Vela) => "Vela",
        Scope::Kind(Kind::Session) => "Sessions",
    }
}
