//! The HTML of every page: a header with the navigation, and a place that the page's script fills.
//! `data-say` is the key of a text, which the script translates before it is seen.

use fanorona_report::html;
use fanorona_report::html::shell::sliders;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::assets::{asset, later};

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

/// The colour of the frame around an installed site.
pub(crate) const COLOUR: &str = "#7a5a2e";

/// Where the pages are.
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
    fn asset(self, name: &str) -> String {
        match self {
            Host::Server { .. } => format!("/assets/{name}"),
            Host::Files => name.to_owned(),
        }
    }
}

/// A page. `id` names the tournament that it shows.
pub fn page(host: Host<'_>, page: &str, title: &str, id: Option<&str>) -> String {
    let content = html! { noscript { p { "This page needs JavaScript." } } };
    shell(&Shell { host, page, title, id, content })
}

/// A page that says why another one cannot be shown, and what to do.
pub fn error_page(title: &str, why: &str, help: Option<&str>) -> String {
    let host = Host::Server { token: None };
    let content = html! {
        h1 { (title) }
        p { (sentence(why)) }
        @if let Some(help) = help { p { (sentence(help)) } }
        // Browsers send the token with a request that a page of this server causes, also where they
        // did not send it with a link from another site.
        p { a href="" { "Try again" } " or go to the " a href=(host.address("home")) { "tournaments" } "." }
    };
    shell(&Shell { host, page: "error", title, id: None, content })
}

/// A message as a sentence.
fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    let end = if message.ends_with(['.', '!', '?']) { "" } else { "." };
    first.chain(letters).chain(end.chars()).collect()
}

/// What every page is made of.
struct Shell<'s> {
    host: Host<'s>,
    page: &'s str,
    title: &'s str,
    id: Option<&'s str>,
    content: Markup,
}

fn shell(shell: &Shell<'_>) -> String {
    let Shell { host, page, title, id, content } = shell;
    let script = format!("{page}.js");
    let later = asset(&later(&script)).map(|_| host.asset(&later(&script)));
    let (token, is_files) = match host {
        Host::Server { token } => (*token, false),
        Host::Files => (None, true),
    };
    let html = html! {
        (DOCTYPE)
        html lang="en" data-files[is_files] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                @if let Some(token) = token { meta name="arena-token" content=(token); }
                title { (title) " – Fanorona Arena" }
                @if is_files { (policy()) } @else {
                    // Without an icon the browser requests one from the server.
                    link rel="icon" href="data:,";
                    link rel="stylesheet" href=(host.asset("pages.css"));
                }
                // A page about an error has none of its own.
                @if asset(&script).is_some() { script defer src=(host.asset(&script)) {} }
                script defer src=(host.asset("pages.js")) data-later=[later] {}
                @if is_files { (files_head(page)) }
            }
            body data-page=(page) data-id=[id] {
                a class="skip" href="#app" data-say="bar.skip" { "Skip to the content" }
                header class="bar" {
                    a class="brand" href=(host.address("home")) {
                        span class="mark" aria-hidden="true" { (PreEscaped(include_str!("icon.svg"))) }
                        "Fanorona Arena"
                    }
                    nav id="pages" popover aria-label="Pages" data-say-label="bar.pages" {
                        @for (name, words) in PAGES {
                            a href=(host.address(name))
                                aria-current=[(name == *page).then_some("page")]
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
                main id="app" tabindex="-1" lang=[(*page == "error").then_some("en")] { (content) }
            }
        }
    };
    html.into_string()
}

/// The style of a page in files, within it: a slow network shows it with the first answer.
fn style() -> &'static str {
    asset("pages.css").expect("the style is there").text
}

/// The policy of a page in files: nobody is there to send it as a header. A report among the files has
/// one of its own.
fn policy() -> Markup {
    let policy = format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' {}; img-src 'self' \
         data: blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; \
         form-action 'none'",
        html::source(style())
    );
    html! { meta http-equiv="Content-Security-Policy" content=(policy); }
}

/// What the head of a page in files has besides that of a page on a server. The scripts stand above it,
/// so that they are under way while the style arrives.
fn files_head(page: &str) -> Markup {
    html! {
        @if !["home", "learn"].contains(&page) {
            link rel="preload" href="lists.json" as="fetch" crossorigin;
        }
        style { (PreEscaped(style())) }
        link rel="manifest" href="manifest.webmanifest";
        link rel="icon" href="icon.svg";
        link rel="apple-touch-icon" href="icon-180.png";
        meta name="theme-color" content=(COLOUR);
    }
}
