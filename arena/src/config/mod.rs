//! What was written becomes what is true: a [`Tournament`], or everything that is wrong with it.
//!
//! [`load`] reads a file, [`parse`] a text. The types a config consists of are in `tournament`,
//! the grammar of its values in `limit` and `confinement`; `table` reads one TOML table and notes
//! what is wrong with it; `read`, `openings`, `adjudication` and `engine` say what tables there are;
//! `write` spells the result out again. [`command_line`] reads an engine that is named without a
//! file, [`resolve`] finds the program its command names.

mod adjudication;
mod command_line;
mod confinement;
mod engine;
mod error;
mod format;
mod limit;
mod load;
mod openings;
mod place;
mod read;
mod resolve;
mod score_rules;
mod table;
mod tournament;
mod write;

pub use command_line::{CommandLineError, command_line};
pub use confinement::{Cpus, Memory, ParseCpusError, ParseMemoryError, Sandbox};
pub use error::{ConfigError, ConfigErrors, ConfigReport, Problem, nearest};
pub use format::{Format, knockout_rounds, swiss_stages};
pub use limit::{LONGEST, Limit, ParseDurationError, ParseLimitError, Written, duration};
pub use load::{LoadError, load};
pub use place::option_line;
pub use read::parse;
pub use resolve::{
    CommandNotFound, Places, ResolveError, Resolved, is_program, resolve, resolve_with, unresolved,
};
pub use score_rules::{DrawRule, ResignRule, ScoreRules};
pub use tournament::{Adjudication, EngineConfig, FileOrder, OpeningSource, Overrides, Tournament};

#[cfg(test)]
mod tests;
