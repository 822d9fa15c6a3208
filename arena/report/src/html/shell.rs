//! The shell around the content of every page: head, policy, bar, data and script.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use fanorona_protocol::rules::Ruleset;

use super::script::script;
use super::{Workspace, content_policy, workspace};
use crate::phrase::Phrase;

/// The data of a page without games.
pub const NO_GAMES: &str = r#"{"first":0,"why":"","engines":[],"starts":[],"games":[]}"#;

/// A page's content.
pub struct Shell<'s> {
    /// The title.
    pub title: &'s str,
    /// The style sheet.
    pub style: &'s str,
    /// The text of the link over the bar.
    pub skip: Markup,
    /// The part of the bar before the links to sections.
    pub before: Markup,
    /// The links to sections.
    pub nav: Markup,
    /// The sections.
    pub main: Markup,
    /// The games for the script, see [`Embedding`](super::embedded::Embedding).
    pub json: &'s str,
    /// The texts in other languages, as JSON; `None` if the page is in English alone.
    pub languages: Option<&'s str>,
    /// The workspace that analyses the games in the page, and their rules.
    pub workspace: Option<(&'s Workspace, &'s Ruleset)>,
}

/// The sign of the settings.
pub fn sliders() -> Markup {
    html! {
        svg class="sign" viewBox="0 0 20 20" aria-hidden="true" {
            path d="M2 6h8m6 0h2M2 14h2m6 0h8" {}
            circle cx="13" cy="6" r="2.6" {}
            circle cx="7" cy="14" r="2.6" {}
        }
    }
}

/// The whole page.
pub fn shell(page: &Shell) -> Markup {
    let (script, style, policy) = match page.workspace {
        None => (script(), page.style.to_owned(), content_policy::policy(script(), page.style)),
        Some((Workspace { script, style, .. }, _)) => {
            let style = format!("{}\n{style}", page.style);
            let policy = content_policy::policy_with_engines(script, &style);
            (*script, style, policy)
        }
    };
    html! {
        (DOCTYPE)
        // The scripts of the pages ask where they are.
        html lang="en" data-files=[page.workspace.map(|_| "report")] {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content=(concat!("fanorona-arena ", env!("CARGO_PKG_VERSION")));
                // Without an icon the browser requests one from the server.
                link rel="icon" href="data:,";
                title { (page.title) " – Fanorona Arena" }
                style { (PreEscaped(style)) }
            }
            body {
                a class="skip" href="#main" { (page.skip) }
                div class="bar" {
                    (page.before)
                    @if page.workspace.is_some() { (workspace::back()) }
                    nav aria-label="Sections" data-say-label="bar.sections" { (page.nav) }
                    button type="button" id="settings-button" popovertarget="settings"
                        aria-label="Settings" data-say-label="bar.settings" hidden { (sliders()) }
                    div id="settings" popover role="group" aria-label="Settings" data-say-label="bar.settings" {
                        label {
                            (Phrase::new("bar.theme"))
                            select id="theme" {
                                option value="" data-say="bar.theme.system" { "System" }
                                option value="light" data-say="bar.theme.light" { "Light" }
                                option value="dark" data-say="bar.theme.dark" { "Dark" }
                            }
                        }
                        @if page.languages.is_some() {
                            label { (Phrase::new("bar.language")) select id="language" {} }
                        }
                        label { (Phrase::new("bar.sounds")) input type="checkbox" id="sounds" class="switch"; }
                    }
                }
                main id="main" { (page.main) }
                @if let Some((workspace, rules)) = page.workspace { (workspace::place(workspace, rules)) }
                script type="application/json" id="data" { (PreEscaped(page.json)) }
                @if let Some(texts) = page.languages {
                    script type="application/json" id="languages" { (PreEscaped(texts)) }
                }
                script { (PreEscaped(script)) }
            }
        }
    }
}
