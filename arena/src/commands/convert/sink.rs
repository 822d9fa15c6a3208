//! The output of `arena convert`.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::commands::error::CliError;
use crate::commands::exit::Exit;
use crate::terminal::stdout;
use fanorona_tournament::record::atomic_file::NamedOutput;

/// The target of the output: a file, which is replaced only once the output is complete, or
/// standard output.
pub(super) enum Sink {
    File { out: BufWriter<NamedOutput>, path: PathBuf },
    Stdout(Vec<u8>),
}

impl Sink {
    pub(super) fn new(path: Option<&Path>) -> Result<Sink, CliError> {
        let Some(path) = path else { return Ok(Sink::Stdout(Vec::new())) };
        match NamedOutput::begin(path) {
            Ok(out) => Ok(Sink::File { out: BufWriter::new(out), path: path.to_owned() }),
            Err(why) => Err(failed(path, &why)),
        }
    }

    pub(super) fn failed(&self, why: &io::Error) -> CliError {
        match self {
            Sink::File { path, .. } => failed(path, why),
            Sink::Stdout(_) => failed(Path::new("the result"), why),
        }
    }

    pub(super) fn finish(self) -> Result<(), CliError> {
        match self {
            Sink::File { out, path } => {
                let finished = out.into_inner().map_err(io::IntoInnerError::into_error);
                finished.and_then(NamedOutput::finish).map_err(|why| failed(&path, &why))
            }
            Sink::Stdout(bytes) => {
                stdout::write(&bytes);
                Ok(())
            }
        }
    }
}

fn failed(what: &Path, why: &io::Error) -> CliError {
    CliError::new(Exit::Storage, format!("cannot write {}: {why}", what.display()))
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::File { out, .. } => out.write(bytes),
            Sink::Stdout(text) => text.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::File { out, .. } => out.flush(),
            Sink::Stdout(_) => Ok(()),
        }
    }
}
