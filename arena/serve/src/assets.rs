//! The style sheets and script modules of the pages, which are part of the program.

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use include_dir::{Dir, File, include_dir};
use sha2::{Digest, Sha256};

use super::error::ApiError;
use fanorona_report::html;

const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";

/// The modules that only the server's pages use.
static MODULES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/src/script");

/// The file of a name with its type.
fn find(name: &str) -> Option<(&'static str, &'static str)> {
    let own = || MODULES.get_file(name).and_then(File::contents_utf8);
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
    fn every_import_is_served() {
        let mut imports = 0;
        for file in MODULES.files() {
            let (name, text) = (file.path().display(), file.contents_utf8().unwrap());
            let is_import = |line: &&str| line.contains(" from './") && !line.starts_with("/**");
            for line in text.lines().filter(is_import) {
                let from = line.split(" from './").nth(1).unwrap().trim_end_matches("';");
                assert_eq!(find(from).map(|(kind, _)| kind), Some(JS), "{name} imports {from}");
                imports += 1;
            }
        }
        assert!(imports > 20, "{imports}");
        assert!(find("../lib.rs").is_none());
    }
}
