//! The `arena` program as users run it: whole tournaments between engines that are programs of
//! their own, well-behaved and otherwise.
//!
//! [`place`] runs the program in a directory of its own and reads what it leaves there. The engine is
//! [`scripted_engine`](crate::common::scripted_engine), with a word for every vice.

mod place;

mod accuracy;
mod adjudication;
mod analyse;
mod attacks;
mod cli;
mod clocks;
mod compare;
mod confinement;
mod convert;
mod diff;
mod evasions;
mod events;
mod every_command;
mod extend;
mod faults;
mod formats;
mod joining;
mod league;
mod merge;
mod messages;
mod openings;
mod outcome;
mod plan;
mod play;
mod pondering;
mod puzzles;
mod quick;
mod race;
mod rate;
mod replay;
mod report;
mod reported;
mod resume;
mod run;
mod scale;
mod shortages;
mod show;
mod soak;
mod sprt;
mod start;
mod suspension;
mod sweep;
mod terminal;
mod texts;
mod tune;
mod unwritten;
mod verify;
