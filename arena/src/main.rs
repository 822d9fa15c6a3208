//! `arena`: tournaments between Fanorona engines.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use fanorona_arena::commands::exit::Exit;
use fanorona_arena::commands::{self, Cli};
use signal_hook::consts::SIGXFSZ;

fn main() -> ExitCode {
    // At a limit of file sizes writing then fails with EFBIG, like at a full disk, and the signal
    // ends nobody. Programs the arena starts do not inherit it: exec resets a signal that is caught,
    // other than one that is ignored.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
    let cli = Cli::parse();
    // The panic has been told by then; what was finished is in the journal.
    catch_unwind(AssertUnwindSafe(|| commands::run(cli))).unwrap_or(Exit::Bug).into()
}
