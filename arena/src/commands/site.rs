//! `arena site`: the pages as files, for any web server.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use super::error::CliError;
use super::exit::Exit;
use super::site_tables;
use super::web;
use crate::terminal::output::print_line;
use fanorona_pages::files::{SiteFile, files};
use fanorona_serve::Library;
use fanorona_tournament::text::plural::counted;

pub(super) const HELP: &str = "\
Examples:
  arena site --out public
  arena site results/full results/league --out public
  arena site --tables tables --out public
  python3 -m http.server --directory public

The server needs no arena and no engine: the engines run inside the page. After the first visit the pages \
also work without a network. The site includes the reports of the named results directories. The modules of WebAssembly come with the archives of a release; from the \
source, three commands build them:

  rustup target add wasm32-unknown-unknown
  (cd bots/web && cargo build --release)
  (cd arena/pages/web && cargo build --release)";

/// The name by which a directory is known as one that this command has written.
const MANIFEST: &str = "manifest.webmanifest";

#[derive(Args, Debug)]
pub(super) struct SiteArgs {
    /// Results directories whose reports become part of the site
    dirs: Vec<PathBuf>,
    /// The directory to write: a new one, or one that this command has written before
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The directory with the modules of WebAssembly [default: beside the arena, or target/web]
    #[arg(long, value_name = "DIR")]
    modules: Option<PathBuf>,
    /// A directory with endgame tables that `endgames build` has written; the engines in the page load them
    /// when a position may need them
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

pub(super) fn site(args: &SiteArgs) -> Result<Exit, CliError> {
    let usage = |what: String, help: &str| CliError::with_help(Exit::Usage, what, help);
    let out = &args.out;
    let is_free = fs::read_dir(out).map_or(true, |mut entries| entries.next().is_none());
    if !is_free && !out.join(MANIFEST).is_file() {
        let what = format!("{} has files that are no site", out.display());
        return Err(usage(what, "name another directory: --out DIR"));
    }
    let tables = match &args.tables {
        Some(dir) => site_tables::read(dir)?,
        None => Vec::new(),
    };
    let mut kept = web::files(args.modules.as_deref(), &tables)?;
    let base = std::env::current_dir().unwrap_or_default();
    for dir in &args.dirs {
        if Library::new(vec![dir.clone()], base.clone()).is_empty() {
            let what = format!("{} has no results", dir.display());
            return Err(usage(what, "name a results directory, or one that contains some"));
        }
    }
    let library = Library::new(args.dirs.clone(), base);
    let (list, mut more) = library.files().map_err(|why| usage(why.to_string(), why.help()))?;
    kept.push(list);
    more.extend(tables);
    let written = files(kept, more);
    let storage = |path: &Path, why: std::io::Error| {
        CliError::new(Exit::Storage, format!("failed to write {}: {why}", path.display()))
    };
    for SiteFile { path, bytes } in &written {
        let path = out.join(path);
        let above = path.parent().expect("a file is in a directory");
        fs::create_dir_all(above).map_err(|why| storage(above, why))?;
        fs::write(&path, bytes).map_err(|why| storage(&path, why))?;
    }
    let size: usize = written.iter().map(|file| file.bytes.len()).sum();
    let count = counted(written.len() as u64, "file", "files");
    print_line(format_args!("{}: {count}, {:.1} MB", out.display(), size as f64 / 1e6));
    Ok(Exit::Done)
}
