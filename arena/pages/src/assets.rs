//! The style sheet, the script and the texts of the pages, which are part of the program.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use fanorona_report::html::{self, Modules, Needs};
use include_dir::{Dir, File, include_dir};

use super::messages;

/// The modules that only the pages use.
static MODULES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/src/script");

/// The module with which every page starts.
const ENTRY: &str = "app.js";

/// A file that pages load.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asset {
    /// Its media type.
    pub kind: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// The text of a module of the pages.
pub(crate) fn module(name: &str) -> Option<&'static str> {
    // Of the texts in English a report has a part.
    if name == "en.json" {
        return Some(messages::ENGLISH);
    }
    let own = MODULES.get_file(name).and_then(File::contents_utf8);
    own.or_else(|| html::module(name))
}

/// A worker runs a script of its own.
pub(crate) const WORKER: &str = include_str!("engine_worker.js");

/// The style of the pages, after that which they share with the report.
pub(crate) const STYLE: &str = include_str!("pages.css");

/// The name of the script with what a page does not need in order to begin.
pub(crate) fn later(page: &str) -> String {
    page.replace(".js", "_later.js")
}

/// All files by their names: one style sheet; one script that every page begins with, one for each page,
/// and another one for what some pages need later; the script of the engines' workers; and the languages.
pub(crate) fn assets() -> &'static BTreeMap<String, Asset> {
    static ASSETS: LazyLock<BTreeMap<String, Asset>> = LazyLock::new(|| {
        let mut files = BTreeMap::new();
        let mut add = |name: &str, kind, text: String| {
            files.insert(name.to_owned(), Asset { kind, text: text.leak() });
        };
        let styles = [html::STYLES[0], html::STYLES[1], STYLE];
        add("pages.css", "text/css; charset=utf-8", styles.concat());
        let script = "text/javascript; charset=utf-8";
        let common = Modules::of(ENTRY, Needs::AtOnce, module);
        add("pages.js", script, common.program(ENTRY));
        for page in html::imported_later(module(ENTRY).expect("the entry is there")) {
            let own = Modules::of(page, Needs::AtOnce, module).without(&common);
            let more = Modules::of(page, Needs::All, module).without(&common).without(&own);
            add(page, script, own.part());
            if !more.is_empty() {
                add(&later(page), script, more.part());
            }
        }
        add("engine_worker.js", script, WORKER.to_owned());
        for language in ["fr.json", "mg.json"] {
            let text = messages::other(language).expect("a language has its texts");
            add(language, "application/json", text.to_owned());
        }
        files
    });
    &ASSETS
}

/// The file of a name.
pub fn asset(name: &str) -> Option<Asset> {
    assets().get(name).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    #[test]
    fn every_module_is_in_the_script_of_some_page() {
        let scripts = assets().values().map(|file| file.text);
        let scripts: String = scripts.chain([workspace::script()]).collect();
        for file in MODULES.files() {
            let name = file.path().display();
            assert!(scripts.contains(&format!("'{name}'() {{")), "{name} is not used");
        }
        assert!(asset("../lib.rs").is_none());
    }

    #[test]
    fn a_page_loads_little_that_others_need() {
        let common = asset("pages.js").unwrap().text;
        assert!(common.contains("'app.js'() {") && !common.contains("'play_game.js'() {"));
        assert!(asset("play.js").unwrap().text.contains("'play_setup.js'() {"));
        assert!(!asset("play.js").unwrap().text.contains("'play_game.js'() {"));
        assert!(asset("play_later.js").unwrap().text.contains("'play_game.js'() {"));
        assert!(!asset("play.js").unwrap().text.contains("'dom.js'() {"));
    }
}
