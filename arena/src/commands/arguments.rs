//! Values that several commands parse from the command line: counts and engines.

use super::error::CliError;
use super::exit::Exit;
use fanorona_tournament::config::{self, CommandLineError, EngineConfig, Places, Resolved};
use fanorona_tournament::text::safe_text;
use std::path::Path;

/// Parses a count, which is at least 1.
pub(super) fn count(text: &str) -> Result<std::num::NonZeroU32, String> {
    text.parse().map_err(|_| format!("expected a whole number from 1 to {}", u32::MAX))
}

/// An engine from the command line. Its name is the text as typed. An engine given by a path or
/// with arguments gets `legal_moves`, unlike a bot given by its name: a first engine need not know
/// the rules, and an engine that does know them ignores the list.
pub(super) fn engine(command: &str) -> Result<EngineConfig, CommandLineError> {
    let alone = !command.trim().contains(|letter: char| letter.is_whitespace() || letter == '/');
    Ok(EngineConfig { legal_moves: !alone, ..config::command_line(command)? })
}

/// A short name for an engine from the command line: its program, or the script that an interpreter
/// runs.
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

/// Resolves the program of an engine: beside the arena, in a directory and on PATH.
pub(super) fn found(engine: &EngineConfig, base: &Path) -> Result<Resolved, CliError> {
    let (beside, path) = (std::env::current_exe().ok(), std::env::var_os("PATH"));
    let places =
        Places { arena: beside.as_deref().and_then(Path::parent), base, path: path.as_deref() };
    config::resolve(engine, &places).map_err(|why| {
        let help = why.help();
        CliError::with_help(Exit::EngineStart, why, help)
    })
}
