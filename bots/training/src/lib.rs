//! How the evaluations of `bot-alphabeta` get their weights: from games it plays against itself.
//!
//! In reading order: what is kept of a position ([`Sample`]), the files such samples are in
//! ([`data`]), the games they come from ([`mod@generate`]), and how weights are found for the network
//! ([`network`]) and for the formula ([`handwritten`]). The program `training` is the way in;
//! `bots/training/TRAINING.md` tells which commands made the weights that ship.

pub mod data;
pub mod generate;
pub mod handwritten;
pub mod network;
mod sample;
mod target;

pub use sample::Sample;
