//! Tests of the arena in one program: linking one takes much less time than linking a dozen, and
//! most of them wait for engines and clocks, which they do side by side. Tests that need a process of
//! their own stay apart.
//!
//! - [`tournaments`]: the `arena` program as users run it
//! - [`check`]: `arena check` with good and bad engines
//! - [`guides`]: everything that README and guides tell people to type
//! - [`pages`] and [`browser`]: the web server and the report, also in Chromium

#[path = "../browser/mod.rs"]
mod browser;
#[path = "../check/mod.rs"]
mod check;
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/devtools.rs"]
mod devtools;
#[path = "../guides/mod.rs"]
mod guides;
#[path = "../../../protocol/tests/sources/modules.rs"]
mod modules;
#[path = "../pages/mod.rs"]
mod pages;
#[path = "../common/programs.rs"]
mod programs;
#[path = "../../../protocol/tests/sources/mod.rs"]
mod sources;
#[path = "../tournaments/mod.rs"]
mod tournaments;

mod arrows;
mod configs;
mod journal;
mod languages;
mod links;
mod lock_files;
mod oracle;
mod page_scripts;
mod reference;
mod replay_script;
mod smoke;
mod snapshots;
mod third_party;
