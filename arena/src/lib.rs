//! Fanorona Arena: tournaments between engines that are programs of their own.
//!
//! The way of a game, in one direction, each stage taking the value of the one before:
//!
//! 1. [`config`]: what was written becomes a tournament, or every reason why not.
//! 2. [`schedule`]: the pairings, computed by index; [`openings`]: how each begins, perhaps from a
//!    file that was chosen by [`selection`] before.
//! 3. [`tournament`]: hands pairings to as many workers as play at once.
//! 4. [`play`]: asks the side to move, with the [`clock`] kept here and an eye on the
//!    [`host`]; [`adjudication`] may call it before its end.
//! 5. [`engine`]: a line to the process, a line back, in bounded length and time.
//! 6. [`referee`]: the game goes on, or has an [`ending`].
//! 7. [`record`]: one value, on disk before anybody is told of it; [`course`]: what follows from it
//!    for the games to come; [`sequential`]: when a match is decided, by [`sprt`]; [`stages`]: who
//!    meets next, by [`swiss`] or [`knockout`], and [`stage_table`] what that comes to.
//! 8. [`contests`], [`ratings`] and [`standings`]: what the results say about the engines;
//!    [`verdict`]: the same in sentences; [`breakdown`] and [`trend`]: where it comes from;
//!    [`accuracy`]: who threw away what, by the word of an oracle; [`comparison`]: what has changed since another tournament.
//! 9. [`results`], [`machine`], [`report`] and [`fgn`]: CSV, terminal, JSON, HTML, games as text;
//!    [`extent`]: how much of a tournament has been played, [`runs`]: when and on what computers.
//!
//! [`commands`] is the table of contents of the program. [`check`] asks one engine alone whether it
//! speaks the protocol. Others are for people at a terminal:
//! [`board_text`] draws boards, [`film`] shows games ply by ply, [`person`] understands turns as they
//! are typed, [`outlook`] tells what a config comes to; [`fen`] reads other programs' positions.
//!
//! Only `tournament`, `play`, `engine`, `check` and `accuracy::ask` wait for anything; the rest is plain functions. An
//! engine's failure is data, the arena's own an `Err`.

pub mod check;
pub mod commands;
pub mod config;
pub mod engine;
pub mod game;
pub mod notation;
pub mod pairing;
pub mod ratings;
pub mod record;
pub mod report;
pub mod statistics;
pub mod terminal;
pub mod text;
pub mod tournament;
