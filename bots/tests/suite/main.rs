//! The tests of the engines from outside, in one program because linking each takes long.

#[path = "../../../protocol/tests/sources/mod.rs"]
mod sources;

#[path = "../tactical/mod.rs"]
mod tactical;

mod alphabeta;
mod arrows;
mod book_play;
mod dialogue;
mod mcts;
mod options_page;
mod programs;
mod reports;
mod session;
mod solution_play;
mod table_play;
mod tactical_suite;
mod tactics;
