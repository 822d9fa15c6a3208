//! The files that pages load, which are part of the program.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::modules::WORKER;
use super::{first, messages, style};

/// A file that pages load.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asset {
    /// Its media type.
    pub kind: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// All files by their names: the style sheet; the script of each page for later; that of the engines'
/// workers; and the languages.
pub(crate) fn assets() -> &'static BTreeMap<String, Asset> {
    static ASSETS: LazyLock<BTreeMap<String, Asset>> = LazyLock::new(|| {
        let mut files = BTreeMap::new();
        let mut add = |name: &str, kind, text: String| {
            files.insert(name.to_owned(), Asset { kind, text: text.leak() });
        };
        add("pages.css", "text/css; charset=utf-8", style::whole());
        let script = "text/javascript; charset=utf-8";
        for (page, parts) in first::all() {
            add(&first::later(page), script, parts.later.clone());
        }
        add("engine_worker.js", script, WORKER.to_owned());
        for language in ["fr.json", "mg.json"] {
            let text = messages::texts(language).expect("a language has its texts");
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
    use crate::modules::MODULES;
    use crate::workspace;

    #[test]
    fn every_module_is_in_the_script_of_some_page() {
        let first = first::all().values().flat_map(|page| [&*page.script, &*page.later]);
        let scripts: String = first.chain([workspace::script()]).collect();
        for file in MODULES.files() {
            let name = file.path().display();
            assert!(scripts.contains(&format!("'{name}'() {{")), "{name} is not used");
        }
        assert!(asset("../lib.rs").is_none());
    }
}
