//! The pages as files, which any web server hands out: they play, analyse and study without a server of
//! ours. Engines and answers are WebAssembly, and a service worker keeps everything for use without a
//! network.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::answer::Lists;
use super::assets::assets;
use super::body::{Host, PAGES};
use super::shell::{self, COLOUR};
use super::{Answer, EngineView, Puzzles, answer, puzzles};

/// The name of the module with the engines (`bots/web`).
pub const ENGINES: &str = "fanorona_engines.wasm";

/// The games that every site has for its explorer, in FGN packed by gzip; `results/explorer` says which they
/// are.
const GAMES: &[u8] = include_bytes!("explorer_games.fgn.gz");

/// Their name in a site. A server that knows the packing would have browsers unpack it, so the name tells
/// nothing of it.
const PACKED_GAMES: &str = "explorer.games";

/// Their engines with their ratings in Elo, those of `results/explorer/standings.csv`.
pub const RATINGS: [(&str, f64); 3] =
    [("alphabeta", 131.2), ("alphabeta-fast", -51.6), ("mcts", -79.7)];

/// Returns the facts that a page shows of them before it has read them: their number, and the
/// engines.
fn about_games() -> Value {
    let engines = RATINGS.map(|(name, _)| name);
    json!({ "id": "", "finished": 480, "engines": engines, "ratings": BTreeMap::from(RATINGS) })
}

/// The name of the file with the answers that need no question.
pub const LISTS: &str = "lists.json";

/// The addresses that pages ask without a question, beside the engines.
const LISTED: [&str; 6] = [
    "/api/boards",
    "/api/rule-switches",
    "/api/levels",
    "/api/chance",
    "/api/puzzles/themes",
    "/api/solved",
];

/// The name of the module with the answers (`arena/pages/web`).
pub const ANSWERS: &str = "fanorona_answers.wasm";

/// A file of the site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteFile {
    /// Its path below the site's directory, with `/`.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl SiteFile {
    /// A file.
    pub fn new(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> SiteFile {
        SiteFile { path: path.into(), bytes: bytes.into() }
    }
}

/// A file of endgame tables, as the page's engines ask for it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct TableView<'f> {
    name: &'f str,
    /// Changes with the content, so that a browser that keeps the file knows it.
    digest: String,
}

impl<'f> TableView<'f> {
    fn from_file(file: &'f SiteFile) -> Option<TableView<'f>> {
        let name = file.path.strip_prefix(TABLES)?;
        Some(TableView { name, digest: digest(Sha256::new_with_prefix(&file.bytes)) })
    }
}

/// The directory of a site with its endgame tables.
const TABLES: &str = "tables/";

/// The path of a file of endgame tables in a site.
pub fn table_path(name: &str) -> String {
    format!("{TABLES}{name}")
}

/// The answers that need no question, but for the engines.
pub fn listed() -> &'static Lists {
    static LISTS: LazyLock<Lists> = LazyLock::new(|| LISTED.into_iter().map(list).collect());
    &LISTS
}

fn list(path: &str) -> (String, Value) {
    match answer(path, b"", Puzzles::own()) {
        Some(Ok(Answer::Json(text))) => {
            (path.to_owned(), serde_json::from_str(&text).expect("it is JSON"))
        }
        other => unreachable!("{path}: {other:?}"),
    }
}

/// The answers that need no question as a file, among them what the engines are, and which of the files for
/// reading are endgame tables.
pub fn lists(engines: &[EngineView], more: &[SiteFile]) -> SiteFile {
    let tables: Vec<TableView<'_>> = more.iter().filter_map(TableView::from_file).collect();
    let mut lists = listed().clone();
    lists.insert("/api/engines".to_owned(), json!(engines));
    lists.insert("/api/explorer/own".to_owned(), about_games());
    lists.insert("/api/tables".to_owned(), json!(tables));
    SiteFile::new(LISTS, json!(lists).to_string())
}

/// All files of a site. `kept` are what a page needs besides its own files, such as the modules; `more`
/// are for reading, such as reports, and are kept for use without a network once they have been read.
/// The same input gives the same bytes.
pub fn files(kept: Vec<SiteFile>, more: Vec<SiteFile>) -> Vec<SiteFile> {
    let lists = kept.iter().find(|file| file.path == LISTS);
    let lists: Lists = lists.map_or_else(Lists::new, |file| {
        serde_json::from_slice(&file.bytes).expect("a file of this module is read")
    });
    let mut files = kept;
    for (name, title) in PAGES {
        let path = match Host::Files.address(name) {
            home if home == "./" => "index.html".to_owned(),
            path => path,
        };
        files.push(SiteFile::new(path, shell::page(Host::Files, name, title, None, &lists).html));
    }
    // A tournament and an error are pages of a server.
    let is_used = |name: &str| !["tournament_later.js", "error_later.js"].contains(&name);
    for (name, file) in assets().iter().filter(|(name, _)| is_used(name)) {
        files.push(SiteFile::new(name, file.text));
    }
    files.push(SiteFile::new("puzzles.jsonl", puzzles::OWN));
    files.push(SiteFile::new(PACKED_GAMES, GAMES));
    files.push(SiteFile::new("icon.svg", ICON));
    files.push(SiteFile::new(MASKABLE, maskable()));
    files.push(SiteFile::new("icon-180.png", *include_bytes!("icon-180.png")));
    files.push(SiteFile::new("manifest.webmanifest", manifest()));
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let worker = service_worker(&files);
    files.push(SiteFile::new("sw.js", worker));
    files.extend(more);
    files
}

/// The icon. `icon-180.png` is the same for systems that show no SVG.
const ICON: &str = include_str!("icon.svg");

/// The icon with a margin, of which a system may cut off the corners.
const MASKABLE: &str = "icon-maskable.svg";

/// The middle of a maskable icon, a circle of four tenths of its width around the centre, is always seen. It has
/// to hold the stones in the corners.
fn maskable() -> String {
    let with_margin = ICON.replace("viewBox=\"0 0 512 512\"", "viewBox=\"-84 -84 680 680\"");
    with_margin.replace(
        "<rect width=\"512\" height=\"512\"",
        "<rect x=\"-84\" y=\"-84\" width=\"680\" height=\"680\"",
    )
}

/// The description by which browsers install the site.
fn manifest() -> String {
    let icon = |file: &str, purpose: &str| json!({ "src": file, "sizes": "any", "type": "image/svg+xml", "purpose": purpose });
    let shortcut = |page: &str, name: &str| json!({ "name": name, "url": Host::Files.address(page), "icons": [icon("icon.svg", "any")] });
    let shortcuts: Vec<_> = PAGES[1..].iter().map(|(page, name)| shortcut(page, name)).collect();
    let manifest = json!({
        "id": "./",
        "lang": "en",
        "name": "Fanorona Arena",
        "short_name": "Fanorona",
        "description": "Learn, play and analyse Fanorona, the national game of Madagascar",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#fbfaf7",
        "theme_color": COLOUR,
        "icons": [icon("icon.svg", "any"), icon(MASKABLE, "maskable")],
        "shortcuts": shortcuts,
    });
    manifest.to_string()
}

/// The first digits of a digest.
fn digest(of: Sha256) -> String {
    of.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The service worker that keeps these files. Its name for them changes with their content.
fn service_worker(files: &[SiteFile]) -> String {
    let mut digest = Sha256::new();
    for file in files {
        digest.update(format!("{} {}\n", file.path, file.bytes.len()));
        digest.update(&file.bytes);
    }
    let version = self::digest(digest);
    let paths: Vec<&str> = files
        .iter()
        .map(|file| if file.path == "index.html" { "./" } else { &*file.path })
        .collect();
    include_str!("service_worker.js")
        .replace("SITE_VERSION", &format!("fanorona-{version}"))
        .replace("SITE_FILES", &json!(paths).to_string())
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use fanorona_tournament::notation::fgn;
    use fanorona_tournament::record::replay;

    use super::*;

    fn text<'f>(files: &'f [SiteFile], path: &str) -> &'f str {
        let file = files.iter().find(|file| file.path == path).expect("the file is there");
        std::str::from_utf8(&file.bytes).unwrap()
    }

    #[test]
    fn every_file_that_a_page_needs_is_kept() {
        let all = files(
            vec![SiteFile::new(ENGINES, *b"engines")],
            vec![SiteFile::new("reports/a.html", *b"report")],
        );
        let worker = text(&all, "sw.js");
        for file in all.iter().filter(|file| !["sw.js", "index.html"].contains(&&*file.path)) {
            let is_kept = worker.contains(&format!("\"{}\"", file.path));
            assert_eq!(is_kept, file.path != "reports/a.html", "{}", file.path);
        }
        let play = text(&all, "play.html");
        assert!(
            play.contains("href=\"./\"") && play.contains("data-later=\"play_later.js\""),
            "{play}"
        );
        assert!(!play.contains("=\"/"), "an address from the root: {play}");
    }

    #[test]
    fn the_games_of_the_explorer_are_as_a_page_says() {
        let mut text = String::new();
        flate2::read::GzDecoder::new(GAMES).read_to_string(&mut text).unwrap();
        let games: Result<Vec<_>, _> = fgn::Reader::new(text.as_bytes()).collect();
        let games = games.unwrap();
        let mut engines: Vec<_> =
            games.iter().flat_map(|game| [&*game.record.white, &*game.record.black]).collect();
        engines.sort_unstable();
        engines.dedup();
        let said = about_games();
        assert_eq!((&said["finished"], &said["engines"]), (&json!(games.len()), &json!(engines)));
        let times = games.iter().map(|game| game.record.white_ms + game.record.black_ms);
        assert_eq!(times.sum::<u64>(), 0, "times are not the same twice");
        for game in &games {
            let (rules, record) = (game.rules.unwrap_or_default(), &game.record);
            replay(&rules, &record.start, &record.moves, record.result, record.reason).unwrap();
        }
    }

    #[test]
    fn nothing_is_cut_off_from_the_maskable_icon() {
        let icon = maskable();
        assert!(
            icon.contains("viewBox=\"-84 -84 680 680\"") && icon.contains("width=\"680\""),
            "{icon}"
        );
        // The stone in a corner: its centre, and its radius.
        let farthest = 2_f64.sqrt() * 150.0 + 58.0;
        assert!(farthest <= 0.4 * 680.0, "{farthest}");
    }

    #[test]
    fn another_content_has_another_name() {
        let site = |bytes: &str| files(vec![SiteFile::new(ENGINES, bytes)], Vec::new());
        assert_eq!(site("a"), site("a"));
        assert_ne!(text(&site("a"), "sw.js"), text(&site("b"), "sw.js"));
    }
}
