//! Fanorona Arena: tournaments between engines that are programs of their own.

pub mod config;
pub mod kind;
pub mod openings;
pub mod ratings;
pub mod schedule;
pub mod seeds;
pub mod sprt;
