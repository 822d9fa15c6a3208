//! The workspace of a report, in which its games can be analysed: the place for the analysis, and
//! files that a script finds by their names.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fanorona_protocol::rules::Ruleset;
use maud::{Markup, html};

/// A workspace within a report. The package of the pages makes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Workspace {
    /// The script of the page, which contains that of a report.
    pub script: &'static str,
    /// The texts of report and workspace in other languages, as JSON.
    pub languages: &'static str,
    /// The style sheet that follows that of a report.
    pub style: &'static str,
    /// Files by their names, packed by gzip.
    pub files: Vec<(String, Vec<u8>)>,
}

/// The way back to the results, in the bar.
pub(super) fn back() -> Markup {
    html! { a class="back" id="back" href="#replay" hidden data-say="bar.back" { "← Report" } }
}

/// The empty place, for games by these rules, and the files.
pub(super) fn place(workspace: &Workspace, rules: &Ruleset) -> Markup {
    html! {
        main id="workspace" data-rules=(rules) hidden { div id="app" tabindex="-1" {} }
        @for (name, packed) in &workspace.files {
            script type="application/gzip" id=(name) { (STANDARD.encode(packed)) }
        }
    }
}
