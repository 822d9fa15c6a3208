//! What surrounds the content of every page: head, policy, bar, data and script.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::content_policy;
use super::script::script;

/// The data of a page without games.
pub const NO_GAMES: &str = r#"{"first":0,"why":"","engines":[],"starts":[],"games":[]}"#;

/// A page's content.
pub struct Shell<'s> {
    /// The title.
    pub title: &'s str,
    /// The style sheet.
    pub style: &'s str,
    /// The text of the link over the bar.
    pub skip: &'s str,
    /// What stands in the bar before the links to sections.
    pub before: Markup,
    /// The links to sections.
    pub nav: Markup,
    /// The sections.
    pub main: Markup,
    /// The games for the script, see [`Embedding`](super::embedded::Embedding).
    pub json: &'s str,
}

/// The whole page.
pub fn shell(page: &Shell) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy"
                    content=(content_policy::policy(script(), page.style));
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content=(concat!("fanorona-arena ", env!("CARGO_PKG_VERSION")));
                // Without an icon the browser requests one from the server.
                link rel="icon" href="data:,";
                title { (page.title) " – Fanorona Arena" }
                style { (PreEscaped(page.style)) }
            }
            body {
                a class="skip" href="#main" { (page.skip) }
                div class="bar" {
                    (page.before)
                    nav aria-label="Sections" { (page.nav) }
                    label id="theme-choice" hidden {
                        span class="visually-hidden" { "Theme" }
                        select id="theme" title="Theme" {
                            option value="" { "System" }
                            option value="light" { "Light" }
                            option value="dark" { "Dark" }
                        }
                    }
                }
                main id="main" { (page.main) }
                script type="application/json" id="data" { (PreEscaped(page.json)) }
                script { (PreEscaped(script())) }
            }
        }
    }
}
