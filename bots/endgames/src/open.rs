//! Opening and unpacking the files of tables.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use fanorona_protocol::rules::{BoardSize, Ruleset};

use super::error::FileError;
#[cfg(feature = "files")]
use super::file::map;
use super::file::{self, Bytes, Content, TableFile};
use super::index::Index;
use super::layer::{Layer, MAX_STONES};
use super::tables::{Files, LayerData, Tables};

/// The source of the files of tables.
trait Source {
    /// Whether there is a file.
    fn has(&self, path: &Path) -> bool;

    /// The bytes of a file.
    fn read(&self, path: &Path) -> io::Result<Bytes>;

    /// Whether payloads are compared with their checksums at once.
    const CHECKS_ALL: bool;
}

/// The file system; a payload is too large to be read before it is needed.
#[cfg(feature = "files")]
struct Disk;

#[cfg(feature = "files")]
impl Source for Disk {
    const CHECKS_ALL: bool = false;

    fn has(&self, path: &Path) -> bool {
        path.exists()
    }

    fn read(&self, path: &Path) -> io::Result<Bytes> {
        map(path).map(Bytes::Mapped)
    }
}

impl Source for BTreeMap<String, &'static [u8]> {
    const CHECKS_ALL: bool = true;

    fn has(&self, path: &Path) -> bool {
        self.contains_key(&*path.to_string_lossy())
    }

    fn read(&self, path: &Path) -> io::Result<Bytes> {
        let bytes = self.get(&*path.to_string_lossy());
        bytes.map(|bytes| Bytes::Kept(bytes)).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Tables {
    /// Opens the tables of a board in a directory: of every number of stones from 2 up to `most`
    /// with all layers present, and the layers present with one stone more. It is an error if there
    /// are none, or if one cannot be used.
    #[cfg(feature = "files")]
    pub fn open(dir: &Path, board: BoardSize, most: usize) -> Result<Tables, FileError> {
        Tables::of_source(&Disk, dir, board, most)
    }

    /// The tables of a board whose files a program has got in another way, by their names. They are
    /// found as by `open`, and compared with their checksums.
    ///
    /// # Errors
    /// Fails when there are none, or when one cannot be used.
    pub fn from_files(
        files: &BTreeMap<String, &'static [u8]>,
        board: BoardSize,
    ) -> Result<Tables, FileError> {
        Tables::of_source(files, Path::new(""), board, MAX_STONES)
    }

    fn of_source<S: Source>(
        source: &S,
        dir: &Path,
        board: BoardSize,
        most: usize,
    ) -> Result<Tables, FileError> {
        let there = |&layer: &Layer| {
            Content::ALL
                .into_iter()
                .all(|content| source.has(&file::path(dir, board, layer, content)))
        };
        let complete = |&stones: &usize| Layer::with_stones(stones).all(|layer| there(&layer));
        let stones = (2..=most.min(MAX_STONES)).take_while(complete).last().unwrap_or(0);
        if stones == 0 {
            let first = Layer::with_stones(2).next().expect("two stones have a layer");
            let path = file::path(dir, board, first, Content::Plies);
            return Err(FileError::new(&path, io::Error::from(io::ErrorKind::NotFound)));
        }
        let begun = |&stones: &usize| Layer::with_stones(stones).any(|layer| there(&layer));
        let more = Some(stones + 1).filter(|&next| next <= most.min(MAX_STONES)).filter(begun);
        let index = Index::new(board, more.unwrap_or(stones));
        let mut layers = [const { [const { None }; MAX_STONES / 2 + 1] }; MAX_STONES + 1];
        let mut rules = None;
        for layer in (2..=index.stones()).flat_map(Layer::with_stones).filter(there) {
            let open = |content, rules: Option<&Ruleset>| {
                let path = file::path(dir, board, layer, content);
                TableFile::of(source.read(&path), &path, &index, layer, content, rules)
            };
            let outcomes = open(Content::Outcomes, rules.as_ref())?;
            outcomes.check()?;
            // The first table determines the rules of all.
            let rules = match rules {
                Some(rules) => rules,
                None => *rules.insert(outcomes.rules()?),
            };
            let plies = open(Content::Plies, Some(&rules))?;
            if S::CHECKS_ALL {
                plies.check()?;
            }
            let files = Files { outcomes, plies, unpacked: None };
            layers[layer.stones()][layer.fewer()] = Some(LayerData::Files(Box::new(files)));
        }
        Ok(Tables::from_layers(index, rules.unwrap_or_default(), stones, layers))
    }

    /// The rules that the tables of a game with some rules are built with: the switches that matter
    /// to endings.
    pub fn rules_for(rules: &Ruleset) -> Ruleset {
        file::rules(rules).parse().expect("rules are read as they are written")
    }

    /// The boards with tables in a directory, the standard ones first.
    #[cfg(feature = "files")]
    pub fn boards(dir: &Path) -> Vec<BoardSize> {
        let first = Layer::with_stones(2).next().expect("two stones have a layer");
        let there = |&board: &BoardSize| file::path(dir, board, first, Content::Plies).exists();
        BoardSize::all().filter(there).collect()
    }

    /// Unpacks the plies of files into memory, one byte per number, for faster probes. It unpacks
    /// the layers that moves from `layer` lead to, from few stones to many, as long as they fit
    /// `memory` bytes, and packs all others again. For programs that probe much of a layer.
    ///
    /// # Errors
    /// Fails when a table is damaged.
    pub fn unpack(&mut self, layer: Layer, memory: u64) -> Result<(), FileError> {
        let mut left = memory;
        let fits = |of: &Layer| {
            let rest = left.checked_sub(self.index.len(*of));
            left = rest.unwrap_or(left);
            rest.is_some()
        };
        let wanted: Vec<Layer> = layer.after().filter(fits).collect();
        for of in (2..=self.index.stones()).flat_map(Layer::with_stones) {
            let kept = &mut self.layers[of.stones()][of.fewer()];
            if let Some(LayerData::Files(files)) = kept {
                match (wanted.contains(&of), &files.unpacked) {
                    (true, None) => files.unpacked = Some(files.plies.bytes()?),
                    (false, Some(_)) => files.unpacked = None,
                    _ => {}
                }
            }
        }
        Ok(())
    }
}
