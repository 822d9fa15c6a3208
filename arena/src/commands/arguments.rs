//! What several commands read from the command line: numbers, and engines.

use super::exit::Exit;
use super::refusal::CliError;
use crate::config::{self, CommandLineError, EngineConfig, Places, Resolved};
use crate::text::safe_text;
use std::path::Path;

/// Reads a number of things of which there is at least one.
pub(super) fn count(text: &str) -> Result<std::num::NonZeroU32, String> {
    text.parse().map_err(|_| format!("expected a whole number from 1 to {}", u32::MAX))
}

/// An engine of the command line, called as it was typed. One that is not named alone, as bots are,
/// but by a path or with arguments, is told the legal moves: a first engine need not know the rules,
/// and to others it is as if they had been told nothing.
pub(super) fn engine(command: &str) -> Result<EngineConfig, CommandLineError> {
    let alone = !command.trim().contains(|letter: char| letter.is_whitespace() || letter == '/');
    Ok(EngineConfig { legal_moves: !alone, ..config::command_line(command)? })
}

/// A short name for an engine of the command line: that of its program, or of what an interpreter is
/// given.
pub(super) fn engine_name(engine: &EngineConfig) -> String {
    let is_script = |arg: &&String| {
        let end = Path::new(arg).extension().and_then(|end| end.to_str());
        let is_file =
            arg.contains('/') || end.is_some_and(|end| !end.starts_with(char::is_numeric));
        is_file && !arg.starts_with('-') && !arg.contains('=')
    };
    let script = engine.args.iter().find(is_script);
    let path = Path::new(script.unwrap_or(&engine.command));
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let kept: String =
        stem.chars().filter(|&letter| !safe_text::is_unsafe(letter)).take(90).collect();
    let kept = kept.trim().trim_start_matches("bot-");
    if kept.is_empty() { "engine".to_owned() } else { kept.to_owned() }
}

/// The program of an engine, looked for beside the arena, in a directory and on PATH.
pub(super) fn found(engine: &EngineConfig, base: &Path) -> Result<Resolved, CliError> {
    let (beside, path) = (std::env::current_exe().ok(), std::env::var_os("PATH"));
    let places =
        Places { arena: beside.as_deref().and_then(Path::parent), base, path: path.as_deref() };
    config::resolve(engine, &places).map_err(|why| {
        let help = why.help();
        CliError::with_help(Exit::EngineStart, why, help)
    })
}
