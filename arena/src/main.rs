//! `arena`: tournaments between Fanorona engines.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::Parser;
use fanorona_arena::commands::{self, Cli};
use fanorona_arena::exit::Exit;

fn main() -> ExitCode {
    let cli = Cli::parse();
    // The panic has been told by then; what was finished is in the journal.
    catch_unwind(AssertUnwindSafe(|| commands::run(cli))).unwrap_or(Exit::Bug).into()
}
