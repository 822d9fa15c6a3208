//! `arena check`: whether an engine does what the protocol page asks of it, one sentence at a time.
//!
//! [`catalogue`] lists the checks, which are written group by group in `groups`; [`positions`] is
//! what they ask about. A check speaks to the [`subject`], the engine that is checked, by way of a
//! [`talk`], and comes to a [`verdict`]. What an engine that fell silent had in mind, [`mistake`]
//! knows from experience. [`run()`] goes through a selection of checks; [`show`] and [`json`] tell
//! what came of it.

pub mod catalogue;
pub mod definition;
mod groups;
pub mod json;
pub mod mistake;
pub mod positions;
pub mod run;
pub mod settings;
pub mod show;
pub mod subject;
pub mod talk;
pub mod verdict;

pub use catalogue::{Group, Selection, SelectionError};
pub use definition::{Check, Level};
pub use run::{Report, run};
pub use settings::Settings;
pub use subject::Subject;
