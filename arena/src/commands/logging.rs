//! Logging of the runner, the server, the coordinator and its workers, as lines on standard error:
//! off unless it is asked for.

use std::env;
use std::io;

use clap::Args;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::prelude::*;

use super::error::CliError;
use super::exit::Exit;
use crate::terminal::screen;

/// The variable that says what is logged, such as `fanorona_runner=debug`; it prevails over `-v`.
const VARIABLE: &str = "RUST_LOG";

/// How much is logged.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct LoggingArgs {
    /// Log to standard error what happens inside; -vv logs everything (or set RUST_LOG)
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
}

impl LoggingArgs {
    /// Begins to log, if that is asked for.
    pub(super) fn begin(self) -> Result<(), CliError> {
        let asked = env::var(VARIABLE).ok().filter(|text| !text.is_empty());
        let filter = match (&asked, self.verbose) {
            (Some(text), _) => text.parse::<Targets>().map_err(|why| {
                let help =
                    format!("set it to a level or to targets: {VARIABLE}=fanorona_runner=debug");
                CliError::with_help(Exit::Usage, format!("{VARIABLE} is not valid: {why}"), help)
            })?,
            (None, 0) => return Ok(()),
            (None, 1) => Targets::new().with_target("fanorona", LevelFilter::DEBUG),
            (None, _) => Targets::new().with_default(LevelFilter::TRACE),
        };
        let lines = tracing_subscriber::fmt::layer()
            .with_ansi(screen::stderr_has_colours())
            .with_writer(io::stderr);
        tracing_subscriber::registry().with(lines).with(filter).init();
        Ok(())
    }
}
