//! The page of analysis within a report, which then needs neither a server nor files beside it.

use std::sync::LazyLock;

use fanorona_report::html::{Modules, Needs, Workspace};

use super::files::SiteFile;
use super::messages;
use super::modules::{WORKER, module};
use super::style::STYLE;

/// The module with which such a report starts.
const ENTRY: &str = "report_workspace.js";

/// The script of such a report.
pub(crate) fn script() -> &'static str {
    static SCRIPT: LazyLock<String> =
        LazyLock::new(|| Modules::of([ENTRY], Needs::All, module).program(ENTRY));
    &SCRIPT
}

/// The workspace with these files, the modules and the descriptions of the engines. `pack` packs by gzip.
pub fn workspace(files: Vec<SiteFile>, pack: impl Fn(&[u8]) -> Vec<u8>) -> Workspace {
    let files = files.into_iter().map(|file| (file.path, pack(&file.bytes)));
    let worker = ("engine_worker.js".to_owned(), pack(WORKER.as_bytes()));
    static LANGUAGES: LazyLock<String> = LazyLock::new(|| {
        let [french, malagasy] = ["fr.json", "mg.json"]
            .map(|file| messages::texts(file).expect("a language has its texts"));
        format!("{{\"fr\":{french},\"mg\":{malagasy}}}")
    });
    Workspace {
        script: script(),
        languages: &LANGUAGES,
        style: STYLE,
        files: files.chain([worker]).collect(),
    }
}
