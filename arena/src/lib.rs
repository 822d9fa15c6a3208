//! `arena`, the program: its commands, their arguments and exit codes ([`commands`]), what they read
//! from and print to a terminal ([`terminal`]), and the differences between systems ([`platform`]).
//!
//! Everything else is a package beside this one, and Cargo holds the arrows between them:
//!
//! | package | what it does |
//! |---|---|
//! | `serve` | the web server: live boards, play, analysis, study |
//! | `pages` | what the pages are made of and what they ask without a server: rules, puzzles, files of games |
//! | `league` | a standing competition: its bots, who has to meet whom, its table and pages |
//! | `cluster` | one tournament on many machines, over NATS (feature `cluster`) |
//! | `check` | tests one engine against the protocol |
//! | `runner` | plays a tournament: games, live boards, oracle, analysis by an engine |
//! | `engine` | one engine process: client, supervisor, sandbox, limits |
//! | `report` | reads results: statistics, report, tables; no process and no runtime |
//! | `tournament` | a tournament as data: config, pairings, clocks, referee, journal, progress, decisions |
//! | `ratings` | pure numbers, from the fit to the SPRT |
//!
//! program → {serve, league, cluster, check} → {runner, pages, report} → {engine, tournament} → {ratings,
//! the protocol's package}. To follow a game from the config to the report, read `config::parse`,
//! `pairing::schedule` and `record::Journal` in `tournament`, `run` and `play` in `runner`, `client` in
//! `engine`, and `statistics::standings` and `write` in `report`.
//!
//! Engine misbehaviour is data; an `Err` is a failure of the arena itself.

pub mod commands;
pub mod platform;
pub mod terminal;
