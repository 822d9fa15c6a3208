//! The output of `arena convert`.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::commands::error::CliError;
use crate::commands::exit::Exit;
use crate::terminal::stdout;

/// The target of the output: a file, which is replaced only once the output is complete, or
/// standard output.
pub(super) enum Sink {
    File { out: BufWriter<File>, draft: PathBuf, path: PathBuf },
    Stdout(Vec<u8>),
}

impl Sink {
    pub(super) fn new(path: Option<&Path>) -> Result<Sink, CliError> {
        let Some(path) = path else { return Ok(Sink::Stdout(Vec::new())) };
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".new");
        let draft = path.with_file_name(name);
        match File::create(&draft) {
            Ok(file) => Ok(Sink::File { out: BufWriter::new(file), draft, path: path.to_owned() }),
            Err(why) => {
                Err(CliError::new(Exit::Storage, format!("cannot write {}: {why}", path.display())))
            }
        }
    }

    pub(super) fn failed(&self, why: &io::Error) -> CliError {
        let what = match self {
            Sink::File { path, .. } => path.display().to_string(),
            Sink::Stdout(_) => "the result".to_owned(),
        };
        CliError::new(Exit::Storage, format!("cannot write {what}: {why}"))
    }

    pub(super) fn finish(mut self) -> Result<(), CliError> {
        let finished = match &mut self {
            Sink::File { out, draft, path } => out.flush().and_then(|()| fs::rename(draft, path)),
            Sink::Stdout(bytes) => {
                stdout::write(bytes);
                Ok(())
            }
        };
        finished.map_err(|why| self.failed(&why))
    }
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

impl Drop for Sink {
    fn drop(&mut self) {
        if let Sink::File { draft, .. } = self {
            // After a successful rename this file no longer exists.
            let _ = fs::remove_file(draft);
        }
    }
}
