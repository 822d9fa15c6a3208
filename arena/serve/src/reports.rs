//! The tournaments of a site of files: the list for its first page, their reports, and their games for
//! the explorer.

use std::collections::HashSet;

use fanorona_pages::files::SiteFile;
use fanorona_report::html;
use fanorona_tournament::notation::fgn;
use fanorona_tournament::record::own_file;

use super::directory::Directory;
use super::error::ApiError;
use super::explorer::read_games;
use super::library::{Library, LibraryView};

/// The most games of a tournament that a site has for the explorer, the latest ones.
const MAX_GAMES: usize = 2000;

/// Why a site cannot show a tournament, and what to do.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct ReportError {
    what: String,
    help: String,
}

impl ReportError {
    /// Returns advice for the user.
    pub fn help(&self) -> &str {
        &self.help
    }
}

impl Library {
    /// The list of the tournaments, and the report of each.
    ///
    /// # Errors
    /// Returns an error if a directory cannot be read or has no report.
    pub fn files(&self) -> Result<(SiteFile, Vec<SiteFile>), ReportError> {
        let (mut taken, mut tournaments, mut reports) = (HashSet::new(), Vec::new(), Vec::new());
        for directory in self.directories() {
            let name = free_name(&directory, &mut taken);
            let path = directory.path().join(html::FILE);
            let overview = directory.overview().map_err(|why| ReportError {
                what: format!("cannot read {}: {why}", directory.shown()),
                help: "leave it out, or restore it from a backup".to_owned(),
            })?;
            let report = own_file::read(&path).map_err(|why| ReportError {
                what: format!("failed to read {}: {why}", path.display()),
                help: format!("write it: arena report {}", directory.shown()),
            })?;
            let games = games(&directory).map_err(|why| ReportError {
                what: format!("cannot read the games of {}: {}", directory.shown(), why.text()),
                help: "leave it out, or restore it from a backup".to_owned(),
            })?;
            tournaments.push(overview.in_a_site(&name, directory.ratings()));
            reports.push(SiteFile::new(format!("reports/{name}.html"), report));
            reports.push(SiteFile::new(format!("games/{name}.fgn"), games));
        }
        let list = serde_json::to_vec(&LibraryView::from_tournaments(tournaments));
        Ok((SiteFile::new("library.json", list.expect("views have only text keys")), reports))
    }
}

/// The latest games of a directory in FGN.
fn games(directory: &Directory) -> Result<Vec<u8>, ApiError> {
    let (tournament, offsets) = directory
        .read(|view| {
            let latest = &view.games[view.games.len().saturating_sub(MAX_GAMES)..];
            let offsets: Vec<u64> = latest.iter().map(|game| game.offset).collect();
            (view.tournament.clone(), offsets)
        })
        .map_err(ApiError::failed)?;
    let about = fgn::FileTags::tournament(&tournament);
    let mut text = Vec::new();
    for game in read_games(directory, offsets)? {
        fgn::write_game(&mut text, &game?, &about).expect("memory takes every byte");
    }
    Ok(text)
}

/// A name for the report of a directory that is no other one's, for addresses and files.
fn free_name(directory: &Directory, taken: &mut HashSet<String>) -> String {
    let name = directory.path().file_name().unwrap_or_default().to_string_lossy();
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
    let plain: String = name.chars().map(|it| if is_plain(it) { it } else { '-' }).collect();
    let numbered = (2..).map(|number| format!("{plain}-{number}"));
    let mut names = std::iter::once(plain.clone()).chain(numbered);
    names.find(|name| taken.insert(name.to_ascii_lowercase())).expect("numbers do not end")
}
