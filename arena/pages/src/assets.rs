//! The style sheet, the script and the texts of the pages, which are part of the program.

use std::sync::LazyLock;

use fanorona_report::html;
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
fn module(name: &str) -> Option<&'static str> {
    let own = MODULES.get_file(name).and_then(File::contents_utf8);
    own.or_else(|| html::module(name)).or_else(|| (name == "en.json").then_some(messages::ENGLISH))
}

/// The names of all files.
pub const ASSETS: [&str; 4] = ["pages.css", "pages.js", "fr.json", "mg.json"];

/// The file of a name. Each is one request, however many parts it has.
pub fn asset(name: &str) -> Option<Asset> {
    static STYLE: LazyLock<String> =
        LazyLock::new(|| [html::STYLES[0], html::STYLES[1], include_str!("pages.css")].concat());
    static SCRIPT: LazyLock<String> = LazyLock::new(|| html::bundle(ENTRY, module));
    match name {
        "pages.css" => Some(Asset { kind: "text/css; charset=utf-8", text: &STYLE }),
        "pages.js" => Some(Asset { kind: "text/javascript; charset=utf-8", text: &SCRIPT }),
        _ => Some(Asset { kind: "application/json", text: messages::other(name)? }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_has_every_module() {
        let script = asset("pages.js").unwrap().text;
        for file in MODULES.files() {
            let name = file.path().display();
            assert!(script.contains(&format!("'{name}'() {{")), "{name} is not used");
        }
        assert!(script.contains("'board.js'() {"));
        assert!(ASSETS.iter().all(|name| asset(name).is_some()));
        assert!(asset("../lib.rs").is_none());
    }
}
