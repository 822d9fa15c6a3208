//! `report.html`: a whole tournament in one self-contained page that works offline.
//!
//! The page is written from the standings and one pass over the games. Tables and charts are
//! complete without a script. The replay is drawn by the page's own script from the games embedded
//! as data. All external text is escaped: by the template, or by `embedded` in the script's data.
//! The policy of `content_policy` keeps the browser from running anything but this script.

mod accuracy;
pub mod axis;
mod candidates;
mod content_policy;
mod crosstable;
pub(super) mod difference;
pub mod embedded;
mod engine_accuracy;
pub mod faults;
pub mod numbers;
mod page;
mod rating_history;
pub mod replay;
mod script;
mod search;
pub mod section;
mod setting;
pub mod shell;
mod sprt;
mod stages;
mod standings;
mod summary;
mod sweep;
pub mod table;
mod tables;
mod tabs;
mod tuning;
pub mod winner;
mod workers;
mod workspace;

pub use content_policy::source;
pub use faults::MAX_LISTED;
pub use page::Page;
pub use page::{PAGE_STYLE, STYLES};
pub use script::{Modules, Needs, imported_later, module};
pub use workspace::Workspace;

/// The file's name in a results directory.
pub const FILE: &str = "report.html";

#[cfg(test)]
mod tests;
