//! `arena check`: tests an engine against the protocol page, one requirement at a time.
//!
//! [`catalogue`] lists the checks, which are written group by group in `groups`. [`positions`]
//! generates the positions they use. A check communicates with the [`subject`], the tested engine,
//! through a [`conversation`], and has a [`verdict`]. If an engine does not respond, [`mistake`]
//! finds the likely cause. A `move_tally` counts the errors that it reports in its moves. [`run()`] runs a selection of checks; [`show`] and [`json`] report the
//! results.

pub mod catalogue;
pub mod conversation;
pub mod definition;
mod groups;
pub mod json;
pub mod mistake;
mod move_tally;
pub mod positions;
pub mod round_trip;
pub mod run;
pub mod settings;
pub mod show;
pub mod subject;
pub mod verdict;

pub use catalogue::{Group, Selection, SelectionError};
pub use definition::{Check, Level};
pub use round_trip::RoundTrip;
pub use run::{Report, run};
pub use settings::Settings;
pub use subject::Subject;
