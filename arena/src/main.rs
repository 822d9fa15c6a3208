//! `arena`: tournaments between Fanorona engines.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;

use fanorona_arena::commands;
use fanorona_arena::commands::exit::Exit;
use fanorona_engine::helper;
use signal_hook::consts::SIGXFSZ;

fn main() -> ExitCode {
    // With this handler, writing beyond the file size limit fails with EFBIG, like on a full disk,
    // instead of killing the process. Child processes do not inherit the handler: exec resets caught
    // signals, unlike ignored ones.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
    let run = || helper::run().unwrap_or_else(|| commands::main().into());
    // The panic hook has printed the message; finished games are in the journal.
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Exit::Bug.into())
}
