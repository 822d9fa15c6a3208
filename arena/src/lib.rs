//! Fanorona Arena: tournaments between engines, each a separate program.
//!
//! # Where to start
//! To follow a game from the config to the report, read in this order: [`config::parse`],
//! [`pairing::schedule`], [`tournament::runner`], [`game::play`], [`engine::client`],
//! [`record::Journal`], [`statistics::standings`], [`report::write`](mod@report::write).
//! [`commands`] is the table of contents of the program: every command, with its exit codes.
//!
//! # The rooms
//! Every folder is a room. A room uses the rooms below it and never one above, so it can be read
//! and tested without them. [`ratings`], pure numbers from the fit to the SPRT, is a package of its
//! own in `arena/ratings`.
//!
//! | room | what it does |
//! |---|---|
//! | [`commands`] | the commands of the program, their arguments and exit codes |
//! | [`serve`] | the web server: live boards, play, analysis, study |
//! | [`report`] | results as CSV, JSON, HTML, events and terminal tables; writes all derived files |
//! | [`league`] | a standing competition: its bots and their versions, who has to meet whom, its table |
//! | `cluster` | one tournament on many machines, over NATS (feature `cluster`) |
//! | [`statistics`] | reads results; standings, comparison, breakdown, rating history, verdict, stage tables, accuracy |
//! | [`analysis`] | analyses finished games by an engine: winning chances, marks, accuracy, puzzles |
//! | [`terminal`] | terminal input and output: board, replay, move prompt, screen, printing |
//! | [`notation`] | games and positions as text: FGN and FEN |
//! | [`tournament`] | plays a tournament: the runner, progress, SPRT run, estimate, environment |
//! | [`tuning`] | tuning of engines' options: SPSA, Gaussian processes, and what the games say about the optimum |
//! | [`record`] | the journal, its index and atomic files: the only source of truth about finished games |
//! | [`check`] | `arena check`: tests one engine against the protocol |
//! | [`game`] | plays one game: clock, referee, adjudication, termination |
//! | [`engine`] | engine processes: client, supervisor, sandbox, limits, faults |
//! | [`pairing`] | pairings: ids, schedule, shards, Swiss, knockout, seeds, openings |
//! | [`config`] | reads and writes configs; formats, time limits, score rules |
//! | [`text`] | input files of bounded size, tables, text that is safe to print, plurals |
//!
//! # The arrows
//! commands → serve → report → league → {statistics, cluster} → {terminal, notation, tournament, analysis} →
//! record → {game, tuning} → {engine, pairing} → config → text → {[`ratings`], the protocol's crate}. `check`
//! stands on `engine` and `pairing`. Rooms in braces do not use each other. No two modules use each
//! other in a circle.
//! `tests/suite/arrows.rs` holds all of this.
//!
//! Only `serve`, `cluster`, `tournament::runner`, `tournament::oracle`, `analysis::ask`, `game::play`,
//! `engine`, `check` and the commands are asynchronous or blocking; the rest are plain functions.
//! Engine misbehaviour is data; an `Err` is a failure of the arena itself.

pub mod analysis;
pub mod check;
#[cfg(feature = "cluster")]
pub mod cluster;
pub mod commands;
pub mod config;
pub mod engine;
pub mod game;
pub mod league;
pub mod notation;
pub mod pairing;
pub mod record;
pub mod report;
pub mod serve;
pub mod statistics;
pub mod terminal;
pub mod text;
pub mod tournament;
pub mod tuning;

pub use fanorona_ratings as ratings;
