//! The HTML of every page: a header with the navigation, and a place that the page's script fills.
//! `data-say` is the key of a text, which the script translates before it is seen.

use std::collections::BTreeMap;

use fanorona_report::html;
use fanorona_report::html::shell::sliders;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;

use super::first::{self, First};

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

/// Answers that need no question, by their addresses.
pub type Lists = BTreeMap<String, Value>;

/// A page and what it may load, send and run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// Its HTML.
    pub html: String,
    /// Its content security policy, which a server sends with it. In files it is in the HTML.
    pub policy: String,
}

/// A page. `id` names the tournament that it shows; of `lists` it has those that its script asks for.
pub fn page(host: Host<'_>, page: &str, title: &str, id: Option<&str>, lists: &Lists) -> Page {
    let content = html! { noscript { p { "This page needs JavaScript." } } };
    shell(&Shell { host, page, title, id, content, lists })
}

/// A page that says why another one cannot be shown, and what to do.
pub fn error_page(title: &str, why: &str, help: Option<&str>) -> Page {
    let host = Host::Server { token: None };
    let content = error(host, title, why, help);
    shell(&Shell { host, page: "error", title, id: None, content, lists: &Lists::new() })
}

fn error(host: Host<'_>, title: &str, why: &str, help: Option<&str>) -> Markup {
    html! {
        h1 { (title) }
        p { (sentence(why)) }
        @if let Some(help) = help { p { (sentence(help)) } }
        // Browsers send the token with a request that a page of this server causes, also where they
        // did not send it with a link from another site.
        p { a href="" { "Try again" } " or go to the " a href=(host.address("home")) { "tournaments" } "." }
    }
}

/// What is seen of a page before its script runs, with any content.
pub(crate) fn body_of(page: &str) -> String {
    let content = error(Host::Files, "", "", None);
    let shell =
        Shell { host: Host::Files, page, title: "", id: None, content, lists: &Lists::new() };
    body(&shell).into_string()
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
    lists: &'s Lists,
}

fn shell(shell: &Shell<'_>) -> Page {
    let Shell { host, page, title, id, lists, .. } = shell;
    let first = &first::all()[*page];
    let policy = policy(*host, first);
    let is_asked_for = |path: &str| first.script.contains(&format!("'{path}'"));
    let lists: BTreeMap<_, _> = lists.iter().filter(|(path, _)| is_asked_for(path)).collect();
    // JSON has this character in its texts alone, where it could begin the end of the element.
    let lists = serde_json::json!(lists).to_string().replace('<', "\\u003c");
    let [later, style] = [&*first::later(page), "pages.css"].map(|name| host.asset(name));
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
                @if is_files {
                    meta http-equiv="Content-Security-Policy" content=(policy);
                    link rel="manifest" href="manifest.webmanifest";
                    link rel="icon" href="icon.svg";
                    link rel="apple-touch-icon" href="icon-180.png";
                    meta name="theme-color" content=(COLOUR);
                } @else {
                    // Without an icon the browser requests one from the server.
                    link rel="icon" href="data:,";
                }
                style { (PreEscaped(&first.style)) }
            }
            body data-page=(page) data-id=[id] {
                (body(shell))
                // Asked for here, they arrive after the page and do not delay it.
                @if *page != "error" {
                    link rel="preload" href=(later) as="script";
                    link rel="preload" href=(style) as="style";
                }
                script type="application/json" id="lists" { (PreEscaped(lists)) }
                script data-later=(later) data-style=(style) { (PreEscaped(&first.script)) }
            }
        }
    };
    Page { html: html.into_string(), policy }
}

/// What is seen of a page: its bar, and the place of its content.
fn body(shell: &Shell<'_>) -> Markup {
    let Shell { host, page, content, .. } = shell;
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

/// What a page may load, send and run: nothing but its own script and style, and files of its host. A
/// report among the files has a policy of its own.
fn policy(host: Host<'_>, first: &First) -> String {
    let (script, style) = (html::source(&first.script), html::source(&first.style));
    let (run, more) = match host {
        Host::Server { .. } => ("", "img-src 'self' data:; frame-ancestors 'none'"),
        Host::Files => (
            " 'wasm-unsafe-eval'",
            "img-src 'self' data: blob:; worker-src 'self'; manifest-src 'self'",
        ),
    };
    format!(
        "default-src 'none'; script-src 'self' {script}{run}; style-src 'self' {style}; connect-src \
         'self'; base-uri 'none'; form-action 'none'; {more}"
    )
}
