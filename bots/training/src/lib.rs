//! Training of the evaluations of `bot-alphabeta` from games that it plays against itself.
//!
//! Read the modules in this order: the record of a position ([`Sample`]), the files of samples
//! ([`data`]), the games they come from ([`mod@generate`]), the positions that repeat others
//! ([`distinct`]), and the training of the network ([`network`]) and of the formula
//! ([`handwritten`]). The program `training` runs them;
//! `bots/training/TRAINING.md` has the commands that produced the built-in weights.

pub mod data;
pub mod distinct;
pub mod generate;
pub mod handwritten;
pub mod network;
mod sample;
mod target;

pub use sample::Sample;
