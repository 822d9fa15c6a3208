//! `report.html`: a whole tournament in one page that needs nothing beside it and no network.
//!
//! The page is written from the standings and one pass over the games. Tables and charts are finished here and can be read without a script; the
//! replay of games is the page's own script, from the games it holds as data. Whatever comes from
//! outside is escaped: text by the template, data for the script by `embedded`; and the policy of
//! `content_policy` lets the browser run nothing but that script.

mod accuracy;
mod content_policy;
mod embedded;
mod faults;
mod page;
mod replay;
mod setting;
mod sprt;
mod stages;
mod standings;
mod summary;
mod tables;
mod trend;

pub use page::Page;

/// The name of the file in a results directory.
pub const FILE: &str = "report.html";

#[cfg(test)]
mod tests;
