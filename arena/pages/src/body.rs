//! The body of a page before its script runs: a header with the navigation, and a place that the
//! script fills. `data-say` is the key of a text, which the script translates before it is seen.

use fanorona_report::html::shell::sliders;
use maud::{Markup, PreEscaped, html};

/// The pages with their names.
pub const PAGES: [(&str, &str); 7] = [
    ("home", "Home"),
    ("play", "Play"),
    ("learn", "Learn"),
    ("analyse", "Analyse"),
    ("explorer", "Explorer"),
    ("puzzles", "Puzzles"),
    ("solved", "Solved"),
];

/// The host of the pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Host<'h> {
    /// On a server, which lets in those who have its token.
    Server {
        /// The token; errors are shown without one.
        token: Option<&'h str>,
    },
    /// In files beside each other, which any web server hands out.
    Files,
}

impl Host<'_> {
    /// The address of a page. The scripts have the same in `place.js`.
    pub fn address(self, page: &str) -> String {
        match (self, page) {
            (Host::Server { .. }, "home") => "/".to_owned(),
            (Host::Server { .. }, page) => format!("/{page}"),
            (Host::Files, "home") => "./".to_owned(),
            (Host::Files, page) => format!("{page}.html"),
        }
    }

    /// The address of a style sheet or script.
    pub(crate) fn asset(self, name: &str) -> String {
        match self {
            Host::Server { .. } => format!("/assets/{name}"),
            Host::Files => name.to_owned(),
        }
    }
}

/// Writes the body of a page: its bar, and the place of its content.
pub(crate) fn body(host: Host<'_>, page: &str, content: &Markup) -> Markup {
    html! {
        a class="skip" href="#app" data-say="bar.skip" { "Skip to the content" }
        header class="bar" {
            a class="brand" href=(host.address("home")) {
                span class="mark" aria-hidden="true" { (PreEscaped(include_str!("icon.svg"))) }
                "Fanorona Arena"
            }
            nav id="pages" popover aria-label="Pages" data-say-label="bar.pages" {
                @for (name, words) in PAGES {
                    a href=(host.address(name))
                        aria-current=[(name == page).then_some("page")]
                        data-say={ "page." (name) } { (words) }
                }
            }
            // On a narrow window the links are behind this button.
            button type="button" class="menu" popovertarget="pages" aria-label="Pages"
                data-say-label="bar.pages" {
                svg class="sign" viewBox="0 0 20 20" aria-hidden="true" {
                    path d="M3 5h14M3 10h14M3 15h14" {}
                }
            }
            button type="button" id="settings-button" popovertarget="settings" hidden
                aria-label="Settings" data-say-label="bar.settings" { (sliders()) }
            div id="settings" popover role="group" aria-label="Settings"
                data-say-label="bar.settings" {
                label {
                    span data-say="bar.language" { "Language" }
                    select id="language" {}
                }
                label {
                    span data-say="bar.theme" { "Theme" }
                    select id="theme" {
                        option value="" data-say="bar.theme.system" { "System" }
                        option value="light" data-say="bar.theme.light" { "Light" }
                        option value="dark" data-say="bar.theme.dark" { "Dark" }
                    }
                }
                label {
                    span data-say="bar.sounds" { "Sounds" }
                    input type="checkbox" id="sounds" class="switch";
                }
            }
        }
        // Errors are in English.
        main id="app" tabindex="-1" lang=[(page == "error").then_some("en")] { (content) }
    }
}

/// The content of a page about an error.
pub(crate) fn error(host: Host<'_>, title: &str, why: &str, help: Option<&str>) -> Markup {
    html! {
        h1 { (title) }
        p { (sentence(why)) }
        @if let Some(help) = help { p { (sentence(help)) } }
        // Browsers send the token with a request that a page of this server causes, also where they
        // did not send it with a link from another site.
        p { a href="" { "Try again" } " or go to the " a href=(host.address("home")) { "tournaments" } "." }
    }
}

/// Writes the body of any page with this name, whatever its content.
pub(crate) fn body_of(page: &str) -> String {
    body(Host::Files, page, &error(Host::Files, "", "", None)).into_string()
}

/// A message as a sentence.
fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    let end = if message.ends_with(['.', '!', '?']) { "" } else { "." };
    first.chain(letters).chain(end.chars()).collect()
}
