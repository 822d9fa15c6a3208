//! The HTML of every page: what is seen at once, and the script, the style and the answers that it has in
//! itself.

use std::collections::BTreeMap;

use fanorona_report::html;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::answer::Lists;
use super::body::{ErrorContent, Host, body, error};
use super::first::{self, First};

/// The colour of the frame around an installed site.
pub(crate) const COLOUR: &str = "#7a5a2e";

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
pub fn error_page(why: ErrorContent<'_>) -> Page {
    let host = Host::Server { token: None };
    let (_, title) = why.title;
    let content = error(host, why);
    shell(&Shell { host, page: "error", title, id: None, content, lists: &Lists::new() })
}

/// The parts of every page.
struct Shell<'s> {
    host: Host<'s>,
    page: &'s str,
    title: &'s str,
    id: Option<&'s str>,
    content: Markup,
    lists: &'s Lists,
}

fn shell(shell: &Shell<'_>) -> Page {
    let Shell { host, page, title, id, content, lists } = shell;
    let first = &first::all()[*page];
    let policy = policy(*host, first);
    let is_asked_for = |path: &str| first.script.contains(&format!("'{path}'"));
    let asked = lists.iter().filter(|(path, _)| is_asked_for(path));
    let lists: BTreeMap<_, _> = asked.chain(&first.answers).collect();
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
                (body(*host, page, content))
                script type="application/json" id="lists" { (PreEscaped(lists)) }
                script data-later=(later) data-style=(style) { (PreEscaped(&first.script)) }
                // Asked for here, they arrive after the page and do not delay it.
                @if *page != "error" {
                    link rel="preload" href=(later) as="script";
                    link rel="preload" href=(style) as="style";
                }
                @if let Some(soon) = &first.soon { script { (PreEscaped(soon)) } }
            }
        }
    };
    Page { html: html.into_string(), policy }
}

/// Returns the policy of a page, which may load, send and run nothing but its own script and style,
/// and files of its host. A report among the files has a policy of its own.
fn policy(host: Host<'_>, first: &First) -> String {
    let scripts = [&first.script].into_iter().chain(&first.soon);
    let script = scripts.map(|script| html::source(script)).collect::<Vec<_>>().join(" ");
    let style = html::source(&first.style);
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
