//! The files that pages without a server need: the modules of WebAssembly, and the answers that need no
//! question.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::CliError;
use super::exit::Exit;
use super::prepare::{runtime, supervisors};
use super::serve::bots;
use fanorona_pages::EngineView;
use fanorona_pages::files::{ANSWERS, ENGINES, SiteFile, lists};
use fanorona_serve::Engines;

/// The modules with the engines and the answers, and the answers that need no question. `modules` is the
/// directory of the modules, if the user has named one, and `more` are the other files of a site.
pub(super) fn files(modules: Option<&Path>, more: &[SiteFile]) -> Result<Vec<SiteFile>, CliError> {
    let [engines, answers] = read_modules(modules)?;
    Ok(vec![engines, answers, lists(&descriptions()?, more)])
}

/// Returns the declarations of the bots, as they run in the page.
fn descriptions() -> Result<Vec<EngineView>, CliError> {
    let base = std::env::current_dir().unwrap_or_default();
    let engines = Engines::new(bots(), base, supervisors()?).in_pages();
    let views = runtime()?.block_on(async { engines.known().await.to_vec() });
    if let Some(why) = views.iter().find_map(EngineView::trouble) {
        let help = "install the bots beside the arena; the modules have the same ones";
        return Err(CliError::with_help(Exit::EngineStart, why, help));
    }
    Ok(views)
}

/// The modules, from the first directory that has both.
fn read_modules(given: Option<&Path>) -> Result<[SiteFile; 2], CliError> {
    let places = given.map_or_else(usual_places, |given| vec![given.to_owned()]);
    let read = |place: &PathBuf| {
        let read = |name| Some(SiteFile::new(name, fs::read(place.join(name)).ok()?));
        Some([read(ENGINES)?, read(ANSWERS)?])
    };
    places.iter().find_map(read).ok_or_else(|| {
        let looked: Vec<String> = places.iter().map(|place| place.display().to_string()).collect();
        let what = format!("there is no {ENGINES} with {ANSWERS} in {}", looked.join(" or "));
        let help = "build them (arena site --help has the commands), or name their directory: --modules DIR";
        CliError::with_help(Exit::Usage, what, help)
    })
}

/// The directories in which archives and builds have the modules.
fn usual_places() -> Vec<PathBuf> {
    let arena = std::env::current_exe().unwrap_or_default();
    let beside = arena.parent().unwrap_or(Path::new("."));
    let built = "web/wasm32-unknown-unknown/release";
    vec![beside.join("../web"), beside.join("..").join(built)]
}
