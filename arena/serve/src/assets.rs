//! The style sheets and script modules of the pages, which are part of the program.

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use super::error::ApiError;
use fanorona_report::html;

const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";

macro_rules! modules {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("script/", $name)))),*]
    };
}

/// The modules that only the server's pages use.
const MODULES: &[(&str, &str)] = modules![
    "alive.js",
    "analyse.js",
    "analyse_line.js",
    "analyse_load.js",
    "analyse_open.js",
    "analyse_view.js",
    "api.js",
    "app.js",
    "clock.js",
    "desk.js",
    "engine_panel.js",
    "explorer.js",
    "explorer_filter.js",
    "explorer_table.js",
    "fields.js",
    "format.js",
    "game_review.js",
    "games_table.js",
    "gauge.js",
    "home.js",
    "home_live.js",
    "info_line.js",
    "input.js",
    "input_bar.js",
    "input_marks.js",
    "input_words.js",
    "keys.js",
    "lesson.js",
    "live_games.js",
    "live_grid.js",
    "move_tree.js",
    "pinned.js",
    "play.js",
    "play_game.js",
    "play_hint.js",
    "play_session.js",
    "play_setup.js",
    "play_store.js",
    "play_view.js",
    "port.js",
    "position_cache.js",
    "puzzle_record.js",
    "puzzles.js",
    "renew.js",
    "replay_panel.js",
    "scores.js",
    "section.js",
    "seen.js",
    "strip.js",
    "thinker.js",
    "tournament.js",
    "tournament_head.js",
    "walk.js",
    "watch.js",
];

/// The file of a name with its type.
fn find(name: &str) -> Option<(&'static str, &'static str)> {
    let own = || MODULES.iter().find(|(file, _)| *file == name).map(|(_, text)| *text);
    match name {
        "style.css" => Some((CSS, html::STYLES[0])),
        "results.css" => Some((CSS, html::STYLES[1])),
        "pages.css" => Some((CSS, include_str!("pages.css"))),
        _ => own().or_else(|| html::module(name)).map(|text| (JS, text)),
    }
}

/// `GET /assets/NAME`. A browser asks again each time, and gets the file only if it has changed:
/// the next version of the program may listen at the same address.
pub(super) async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Response {
    let Some((kind, text)) = find(&name) else {
        return ApiError::missing(format!("there is no file {name}")).into_response();
    };
    let digest = Sha256::digest(text);
    let tag: String = digest[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{tag}\"");
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == tag.as_str());
    let about = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::ETAG, tag),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    match known {
        true => (StatusCode::NOT_MODIFIED, about).into_response(),
        false => (about, text).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_module_and_every_import_is_served() {
        let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/src/script");
        let mut imports = 0;
        for entry in std::fs::read_dir(dir).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let (kind, text) = find(&name).unwrap_or_else(|| panic!("{name} is not served"));
            assert_eq!(kind, JS);
            for line in text.lines().filter(|line| line.contains(" from './")) {
                let from = line.split(" from './").nth(1).unwrap().trim_end_matches("';");
                assert!(find(from).is_some(), "{name} imports {from}");
                imports += 1;
            }
        }
        assert!(imports > 20, "{imports}");
        assert!(find("../mod.rs").is_none());
    }
}
