//! The HTML of every page: a header with the navigation, and a place that the page's script fills.

use axum::response::Html;
use maud::{DOCTYPE, Markup, html};

/// The pages with their addresses and names.
const PAGES: [(&str, &str, &str); 5] = [
    ("home", "/", "Tournaments"),
    ("play", "/play", "Play"),
    ("analyse", "/analyse", "Analyse"),
    ("explorer", "/explorer", "Explorer"),
    ("puzzles", "/puzzles", "Puzzles"),
];

/// A page. `id` names the tournament that it shows.
pub(super) fn page(page: &str, title: &str, token: &str, id: Option<&str>) -> Html<String> {
    let content = html! { noscript { p { "This page needs JavaScript." } } };
    shell(&Shell { page, title, token: Some(token), id, content })
}

/// A page that says why another one cannot be shown, and what to do.
pub(super) fn error_page(title: &str, why: &str, help: Option<&str>) -> Html<String> {
    let content = html! {
        h1 { (title) }
        p { (sentence(why)) }
        @if let Some(help) = help { p { (sentence(help)) } }
        // Browsers send the token with a request that a page of this server causes, also where they
        // did not send it with a link from another site.
        p { a href="" { "Try again" } " or go to the " a href="/" { "tournaments" } "." }
    };
    shell(&Shell { page: "error", title, token: None, id: None, content })
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
    page: &'s str,
    title: &'s str,
    token: Option<&'s str>,
    id: Option<&'s str>,
    content: Markup,
}

fn shell(shell: &Shell<'_>) -> Html<String> {
    let Shell { page, title, token, id, content } = shell;
    let html = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                @if let Some(token) = token { meta name="arena-token" content=(token); }
                // Without an icon the browser requests one from the server.
                link rel="icon" href="data:,";
                title { (title) " – Fanorona Arena" }
                link rel="stylesheet" href="/assets/style.css";
                link rel="stylesheet" href="/assets/results.css";
                link rel="stylesheet" href="/assets/pages.css";
                script type="module" src="/assets/app.js" {}
            }
            body data-page=(page) data-id=[id] {
                a class="skip" href="#app" { "Skip to the content" }
                header class="bar" {
                    a class="brand" href="/" { "Fanorona Arena" }
                    nav aria-label="Pages" {
                        @for (name, address, words) in PAGES {
                            a href=(address) aria-current=[(name == *page).then_some("page")] {
                                (words)
                            }
                        }
                    }
                    label id="theme-choice" hidden {
                        "Theme: "
                        select id="theme" {
                            option value="" { "System" }
                            option value="light" { "Light" }
                            option value="dark" { "Dark" }
                        }
                    }
                }
                main id="app" tabindex="-1" { (content) }
            }
        }
    };
    Html(html.into_string())
}
