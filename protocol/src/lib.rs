//! Fanorona: the rules of the game and the messages engines and arenas exchange.
//!
//! Two doors:
//!
//! * [`rules`]: what a position is, what may be played, how a game ends. It does no input or
//!   output, reads no clock, draws no random number and knows nothing of the other door.
//! * [`messages`]: the lines of the text protocol that say so.

#![cfg_attr(not(test), no_std)]

extern crate alloc;

pub mod messages;
pub mod rules;
