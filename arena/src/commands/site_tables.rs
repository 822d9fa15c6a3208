//! The endgame tables of a site.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::CliError;
use super::exit::Exit;
use fanorona_pages::files::{SiteFile, table_path};

/// The most bytes of tables of one board. Every engine of a page has them in its memory, and a page may have
/// three; tables of up to six stones on 9x5 fit.
const MOST: u64 = 100_000_000;

/// The files of a directory that `endgames build` has filled, in the order of their names.
pub(super) fn read(dir: &Path) -> Result<Vec<SiteFile>, CliError> {
    let failed = |path: &Path, why: &io::Error| {
        let what = format!("failed to read {}: {why}", path.display());
        CliError::with_help(Exit::Usage, what, "name a directory that endgames build has written")
    };
    let entries = fs::read_dir(dir).map_err(|why| failed(dir, &why))?;
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(|why| failed(dir, &why))?;
    paths.sort();
    let mut tables = Vec::new();
    let (mut board, mut bytes_of_board) = (String::new(), 0);
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(of) = board_of(&name) else { continue };
        if board != of {
            (board, bytes_of_board) = (of.to_owned(), 0);
        }
        let size = fs::metadata(&path).map_err(|why| failed(&path, &why))?.len();
        bytes_of_board += size;
        if bytes_of_board > MOST {
            let most = MOST / 1_000_000;
            let what =
                format!("the tables of {board} in {} have more than {most} MB", dir.display());
            let help = "copy those with fewer stones into a directory of their own, and name that";
            return Err(CliError::with_help(Exit::Usage, what, help));
        }
        let bytes = fs::read(&path).map_err(|why| failed(&path, &why))?;
        tables.push(SiteFile::new(table_path(&name), bytes));
    }
    if tables.is_empty() {
        let what = format!("{} has no endgame tables", dir.display());
        let help = "build some: endgames build --stones 5 --out DIR";
        return Err(CliError::with_help(Exit::Usage, what, help));
    }
    Ok(tables)
}

/// The board in the name of a file of tables, like `9x5-3v2.plies`.
fn board_of(name: &str) -> Option<&str> {
    let (layer, content) = name.split_once('.')?;
    let (board, stones) = layer.split_once('-')?;
    let is_pair = |text: &str, by| {
        text.split_once(by).is_some_and(|(one, other)| {
            [one, other].iter().all(|number| number.parse::<u8>().is_ok())
        })
    };
    let is_table =
        ["outcomes", "plies"].contains(&content) && is_pair(board, 'x') && is_pair(stones, 'v');
    is_table.then_some(board)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_beside_tables_are_left_out() {
        let dir = tempfile::tempdir().unwrap();
        read(dir.path()).unwrap_err();
        for name in
            ["9x5-3v2.plies", "9x5-3v2.outcomes", "9x5-3v2.plies.part", "README.md", "a-b.plies"]
        {
            fs::write(dir.path().join(name), name).unwrap();
        }
        let paths: Vec<String> =
            read(dir.path()).unwrap().into_iter().map(|file| file.path).collect();
        assert_eq!(paths, ["tables/9x5-3v2.outcomes", "tables/9x5-3v2.plies"]);
        let large = fs::File::create(dir.path().join("9x5-3v3.plies")).unwrap();
        large.set_len(MOST).unwrap();
        let refused = read(dir.path()).unwrap_err().report.to_string();
        assert!(refused.contains("9x5"), "{refused}");
    }
}
