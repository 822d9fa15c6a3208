//! `arena`: tournaments between Fanorona engines.

use std::env::args_os;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use fanorona_arena::commands;
use fanorona_arena::commands::exit::Exit;
use fanorona_arena::commands::helper::Helper;
use signal_hook::consts::SIGXFSZ;

fn main() -> ExitCode {
    // With this handler, writing beyond the file size limit fails with EFBIG, like on a full disk,
    // instead of killing the process. Child processes do not inherit the handler: exec resets caught
    // signals, unlike ignored ones.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
    let run: Box<dyn FnOnce() -> Exit> = if Helper::is_named(args_os().nth(1).as_deref()) {
        let helper = Helper::parse();
        Box::new(|| helper.run())
    } else {
        Box::new(commands::main)
    };
    // The panic hook has printed the message; finished games are in the journal.
    catch_unwind(AssertUnwindSafe(run)).unwrap_or(Exit::Bug).into()
}
