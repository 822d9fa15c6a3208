//! `arena`: tournaments between Fanorona engines.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use fanorona_arena::commands::exit::Exit;
use fanorona_arena::{commands, platform};
use fanorona_engine::helper;

fn main() -> ExitCode {
    let _surroundings = platform::prepare();
    let run = || helper::run().unwrap_or_else(|| commands::main().into());
    // The panic hook has printed the message; finished games are in the journal.
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Exit::Bug.into())
}
