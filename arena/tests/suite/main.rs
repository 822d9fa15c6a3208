//! Tests of the arena that need no process of their own, in one program: linking one takes much less
//! time than linking a dozen. Tests that lock files stay apart: for a moment, a process that another
//! test starts holds every lock of this one.

#[path = "../common/mod.rs"]
mod common;
#[path = "../../../protocol/tests/sources/modules.rs"]
mod modules;
#[path = "../common/programs.rs"]
mod programs;
#[path = "../../../protocol/tests/sources/mod.rs"]
mod sources;

mod arrows;
mod configs;
mod languages;
mod oracle;
mod page_scripts;
mod reference;
mod replay_script;
mod smoke;
mod snapshots;
mod third_party;
