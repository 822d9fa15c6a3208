//! The HTML of every page: a header with the navigation, and a place that the page's script fills.

use axum::response::Html;
use maud::{DOCTYPE, html};

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
    let html = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="arena-token" content=(token);
                // Without an icon the browser requests one from the server.
                link rel="icon" href="data:,";
                title { (title) " – Fanorona Arena" }
                link rel="stylesheet" href="/assets/style.css";
                link rel="stylesheet" href="/assets/pages.css";
                script type="module" src="/assets/app.js" {}
            }
            body data-page=(page) data-id=[id] {
                a class="skip" href="#app" { "Skip to the content" }
                header class="bar" {
                    a class="brand" href="/" { "Fanorona Arena" }
                    nav aria-label="Pages" {
                        @for (name, address, words) in PAGES {
                            a href=(address) aria-current=[(name == page).then_some("page")] {
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
                main id="app" tabindex="-1" {
                    noscript { p { "This page needs JavaScript." } }
                }
            }
        }
    };
    Html(html.into_string())
}
