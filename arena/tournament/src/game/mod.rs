//! A game as the arena keeps it: clocks, referee, adjudication, how it ends, and what its engines
//! reported.

pub mod adjudication;
pub mod begin;
pub mod clock;
pub mod dialogue;
pub mod fault;
pub mod referee;
pub mod reported;
pub mod search_note;
pub mod termination;
