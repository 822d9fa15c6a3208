//! The body of a page before its script runs: a header with the navigation, and a place that the
//! script fills. `data-say` is the key of a text, which the script translates before it is seen.

use super::refusal::RefusalCode;
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
        main id="app" tabindex="-1" { (content) }
    }
}

/// The titles of pages about an error: the key of the text, and the text in English.
pub const ERROR_TITLES: [(&str, &str); 3] = [
    ("error.title.missing", "Not found"),
    ("error.title.forbidden", "Not allowed"),
    ("error.title.failed", "It failed"),
];

/// The refusals that such a page says in every language. Of another one it has the words in English.
const SAID: [&str; 6] =
    ["not-let-in", "other-name", "other-site", "nothing-here", "no-results", "no-report"];

/// Why a page cannot be shown.
#[derive(Clone, Copy, Debug)]
pub struct ErrorContent<'e> {
    /// One of [`ERROR_TITLES`].
    pub title: (&'e str, &'e str),
    /// The error, in English.
    pub why: &'e str,
    /// The user's remedy, in English.
    pub help: Option<&'e str>,
    /// Both in other languages.
    pub said: Option<&'e RefusalCode>,
}

/// The content of a page about an error.
pub(crate) fn error(host: Host<'_>, error: ErrorContent<'_>) -> Markup {
    let (key, title) = error.title;
    let words = [Some(error.why), error.help].into_iter().flatten().map(sentence);
    let words = words.collect::<Vec<_>>().join(" ");
    html! {
        h1 data-say=(key) { (title) }
        @match error.said.filter(|said| SAID.contains(&said.code)) {
            Some(said) => { (said_text(said, &words)) }
            None => { p lang="en" { (words) } }
        }
        // Browsers send the token with a request that a page of this server causes, also where they
        // did not send it with a link from another site.
        p data-say="error.ways" {
            a href="" data-value="again" data-say="error.again" { "Try again" }
            " or go to the "
            a href=(host.address("home")) data-value="home" data-say="error.home" { "first page" }
            "."
        }
    }
}

/// A refusal with its words in English, which the script translates.
fn said_text(said: &RefusalCode, words: &str) -> Markup {
    // The names of the values are names of attributes, which a template cannot have.
    let values = said.values.iter();
    let values = values.map(|(name, value)| format!(" data-{name}=\"{}\"", html!((value)).0));
    let values: String = values.collect();
    let (code, words) = (said.code, html!((words)).0);
    PreEscaped(format!("<p data-say=\"refused.{code}\"{values}>{words}</p>"))
}

/// Writes the body of any page with this name, whatever its content.
pub(crate) fn body_of(page: &str) -> String {
    let content = match page {
        "error" => any_error(),
        _ => html! { h1 {} p { a href="" {} } },
    };
    body(Host::Files, page, &content).into_string()
}

/// Everything that a page about an error can say.
fn any_error() -> Markup {
    html! {
        @for title in ERROR_TITLES {
            (error(Host::Files, ErrorContent { title, why: "", help: None, said: None }))
        }
        @for code in SAID { (said_text(&RefusalCode::new(code, []), "")) }
    }
}

/// A message as a sentence.
fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    let end = if message.ends_with(['.', '!', '?']) { "" } else { "." };
    first.chain(letters).chain(end.chars()).collect()
}
