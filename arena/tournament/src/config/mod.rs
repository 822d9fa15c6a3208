//! Configs: turns the text of a config file into a [`Tournament`], or into a list of all its
//! errors.
//!
//! [`load`] reads a file, [`parse`] a text. `tournament` has the types of a config; `duration`, `limit`, `time_control`,
//! `format`, `score_rules` and `confinement` those of its values. `table` reads one TOML table and
//! collects the errors. `read`, `openings`, `adjudication`, `sprt`, `candidates`, `race`, `tuning`, `engine` and `sweep`
//! use it to read each table.
//! `write` writes a tournament back as a config, whose values `serialised` knows. [`command_line`] parses an engine given without a
//! file, and [`resolve`] finds the program of an engine's command.

mod adjudication;
mod candidates;
mod command_line;
mod confinement;
mod duration;
mod engine;
mod engine_option;
mod error;
mod format;
mod limit;
mod load;
mod openings;
mod place;
mod race;
mod read;
mod resolve;
mod score_rules;
mod serialised;
mod sprt;
mod sweep;
mod table;
mod time_control;
mod tournament;
mod tuning;
mod write;

pub use candidates::CandidateRules;
pub use command_line::{CommandLineError, command_line};
pub use confinement::{
    Cpus, IdentityBy, Memory, ParseCpusError, ParseMemoryError, Sandbox, Suspend,
};
pub use duration::{LONGEST, ParseDurationError, Written, duration};
pub use error::{ConfigError, ConfigErrors, ConfigReport, Problem, nearest};
pub use format::{Format, knockout_rounds, swiss_stages};
pub use limit::{Limit, ParseLimitError};
pub use load::{LoadError, load, load_engines, load_own, owned_by_other};
pub use place::{key_line, option_line};
pub use race::RaceRules;
pub use read::parse;
pub use resolve::{
    CommandNotFound, Places, ResolveError, Resolved, has_program, is_path, is_program, resolve,
    unresolved,
};
pub use score_rules::{DrawRule, ResignRule, ScoreRules};
pub use time_control::{ParseClockError, Stage, TimeControl};
pub use tournament::{
    Adjudication, EngineConfig, FileOrder, Log, OpeningSource, Overrides, Tournament,
};
pub use tuning::{Method, Number, Parameter, StepSizes, Tuning};

#[cfg(test)]
mod tests;
